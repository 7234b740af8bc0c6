//! Zones of `driftline diff`: where they stand in NEW, and what is said about it.

use driftline::change::Sides;
use driftline::page::{Page, ReadOptions};
use driftline::region::zone::{Fate, Followed, Purpose, ZoneFate, follow};
use driftline_report::view::Json;
use serde_json::json;

use super::given::Given;
use crate::settings;
use crate::tell;

/// Bytes of a page from which on reading two pages at once pays: starting the threads takes as long
/// as reading some 10 KB.
const WORTH_A_THREAD: usize = 100_000;

/// Both pages, with the zones where they stand now.
pub(super) fn read(given: &Sides<Given>, read_options: &ReadOptions) -> Followed {
    let of =
        |path| ReadOptions { kind: read_options.kind.or_else(|| settings::body_kind_of(path)), ..read_options.clone() };
    let both = Sides { older: of(&given.older.name), newer: of(&given.newer.name) };
    let sources = Sides { older: given.older.source(), newer: given.newer.source() };
    if read_options.zones.is_everything() && given.older.bytes.len().min(given.newer.bytes.len()) >= WORTH_A_THREAD {
        let (older, newer) =
            rayon::join(|| Page::read(sources.older, &both.older), || Page::read(sources.newer, &both.newer));
        return Followed { older, newer, newer_zones: read_options.zones.clone(), zones: Vec::new() };
    }
    follow(sources, Sides { older: &both.older, newer: &both.newer })
}

/// The answer as JSON, with what became of the zones if there are any.
pub(super) fn with_zones<'a>(mut answer: Json<'a>, zones: &[ZoneFate]) -> Json<'a> {
    if !zones.is_empty() {
        answer.insert("zones", json!(zones));
    }
    answer
}

/// Says on stderr which zones moved, and which of several are lost.
pub(super) fn warn(given: &Sides<Given>, pages: &Sides<Page>, zones: &[ZoneFate]) {
    let has_some = |page: &Page| page.zone_matches() != Some(0);
    let new = given.newer.name.display();
    for zone in zones {
        let (what, selector) = (name(zone.purpose), &zone.selector);
        match &zone.fate {
            Fate::Moved { to, certainty } => tell::warning(format_args!(
                "the {what} `{selector}` moved in `{new}`: found again as `{to}` (certainty {certainty:.2})"
            )),
            Fate::Lost if zone.purpose == Purpose::Zone && has_some(&pages.newer) => {
                tell::warning(format_args!("the zone `{selector}` matches nothing in `{new}`"));
            }
            Fate::Absent if zone.purpose == Purpose::Zone && has_some(&pages.older) => {
                tell::warning(format_args!(
                    "the zone `{selector}` matches nothing in `{}`",
                    given.older.name.display()
                ));
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
