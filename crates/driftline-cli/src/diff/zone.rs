//! Zones of `driftline diff`: where they stand in NEW, and what is said about it.

use driftline::change::Sides;
use driftline::page::{Page, Recipe};
use driftline::region::zone::{Fate, Followed, Purpose, ZoneFate, follow};
use serde_json::{Value, json};

use crate::args::DiffArgs;
use crate::settings;

/// Bytes of a page from which on reading two pages at once pays: starting the threads takes as long
/// as reading some 10 KB.
const WORTH_A_THREAD: usize = 100_000;

/// Both pages, with the zones where they stand now.
pub(super) fn read(args: &DiffArgs, bytes: &Sides<Vec<u8>>, recipe: &Recipe) -> Followed {
    let of = |path| Recipe { kind: recipe.kind.or_else(|| settings::body_kind_of(path)), ..recipe.clone() };
    let recipes = Sides { older: of(&args.old), newer: of(&args.new) };
    if recipe.zones.is_everything() && bytes.older.len().min(bytes.newer.len()) >= WORTH_A_THREAD {
        let read = |bytes: &Vec<u8>, recipe| Page::read(bytes.as_slice(), recipe);
        let (older, newer) = rayon::join(|| read(&bytes.older, &recipes.older), || read(&bytes.newer, &recipes.newer));
        return Followed { older, newer, newer_zones: recipe.zones.clone(), zones: Vec::new() };
    }
    let sources = Sides { older: bytes.older.as_slice().into(), newer: bytes.newer.as_slice().into() };
    follow(sources, Sides { older: &recipes.older, newer: &recipes.newer })
}

/// The answer as JSON, with what became of the zones if there are any.
pub(super) fn with_zones(mut answer: Value, zones: &[ZoneFate]) -> Value {
    if let Value::Object(members) = &mut answer
        && !zones.is_empty()
    {
        members.insert("zones".to_owned(), json!(zones));
    }
    answer
}

/// Says on stderr which zones moved, and which of several are lost.
pub(super) fn warn(args: &DiffArgs, pages: &Sides<Page>, zones: &[ZoneFate]) {
    let has_some = |page: &Page| page.zone_matches() != Some(0);
    let new = args.new.display();
    for zone in zones {
        let (what, selector) = (name(zone.purpose), &zone.selector);
        match &zone.fate {
            Fate::Moved { to, certainty } => anstream::eprintln!(
                "warning: the {what} `{selector}` moved in `{new}`: found again as `{to}` (certainty {certainty:.2})"
            ),
            Fate::Lost if zone.purpose == Purpose::Zone && has_some(&pages.newer) => {
                anstream::eprintln!("warning: the zone `{selector}` matches nothing in `{new}`");
            }
            Fate::Absent if zone.purpose == Purpose::Zone && has_some(&pages.older) => {
                anstream::eprintln!("warning: the zone `{selector}` matches nothing in `{}`", args.old.display());
            }
            _ => {}
        }
    }
}

fn name(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Zone => "zone",
        Purpose::Ignore => "ignored part",
    }
}
