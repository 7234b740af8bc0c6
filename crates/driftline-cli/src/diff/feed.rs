//! `driftline diff` on two feeds: item by item.

use anyhow::{Result, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use driftline::change::Sides;
use driftline::compare::{CompareOptions, Comparer};
use driftline::feed::compare::compare;
use driftline::feed::{self, Feed};
use driftline::page::{ReadOptions, charset};
use driftline_report::summary::sentence;
use driftline_report::view::feed as view;

use super::format::{self, DiffFormat};
use super::given::Given;
use crate::args::{DiffArgs, Kind};
use crate::exit::Exit;
use crate::tell;

/// Are these two feeds? If nobody said what they are, both have to look like it.
pub(super) fn are_feeds(kind: Option<Kind>, given: &Sides<Given>, read_options: &ReadOptions) -> bool {
    let is_feed = |given: &Given| {
        let source = given.source();
        let decoded = match read_options.charset {
            Some(charset) => charset.decode(source.bytes),
            None => charset::decode(source.bytes, source.content_type),
        };
        feed::is_feed(&decoded.text)
    };
    match kind {
        Some(kind) => kind == Kind::Feed,
        None => is_feed(&given.older) && is_feed(&given.newer),
    }
}

/// Compares two feeds and shows what happened to their items.
pub(super) fn run(
    args: &DiffArgs,
    given: &Sides<Given>,
    read_options: &ReadOptions,
    compare_options: CompareOptions,
) -> Result<Exit> {
    let refused = [
        (args.side_by_side, "--side-by-side"),
        (args.metrics, "--metrics"),
        (!read_options.zones.include.is_empty(), "--zone"),
        (args.min_importance > 0.0, "--min-importance"),
    ];
    if let Some((_, option)) = refused.iter().find(|(is_set, _)| *is_set) {
        return refuse(option);
    }
    let read = |given: &Given| Feed::read(given.source(), read_options);
    let feeds = Sides { older: read(&given.older), newer: read(&given.newer) };
    let change = compare(&feeds.older, &feeds.newer, read_options, &mut Comparer::new(compare_options));
    let names = [&given.older, &given.newer].map(|given| given.name.display().to_string());
    let comparison = view::FeedComparison { names: Sides { older: &names[0], newer: &names[1] }, change: &change };
    let format = format::of(args);
    let shown = if format == DiffFormat::Text {
        view::text(&comparison, &format::text_options(args))
    } else if format == DiffFormat::Json {
        format!("{:#}\n", view::json(&comparison))
    } else if matches!(format, DiffFormat::Html | DiffFormat::HtmlText) {
        view::html(&comparison)
    } else {
        let value = format.to_possible_value();
        return refuse(&format!("--format {}", value.as_ref().map_or("", PossibleValue::get_name)));
    };
    super::print(&shown)?;
    sentence::limits(&change.limits).iter().for_each(tell::warning);
    warn(&feeds.older, &names[0]);
    warn(&feeds.newer, &names[1]);
    Ok(if change.is_empty() { Exit::Same } else { Exit::Changed })
}

/// An option that is for pages only.
fn refuse(option: &str) -> Result<Exit> {
    bail!("`{option}` does not work on feeds\nhint: `--type xml` compares their text instead of their items")
}

/// Says on stderr what the reader should know about a feed.
fn warn(feed: &Feed, name: &str) {
    if feed.format.is_none() {
        tell::warning(format_args!("`{name}` is not a feed; it has no items"));
    } else if feed.is_broken {
        tell::warning(format_args!("`{name}` is broken or unusual; its items were read as far as they make sense"));
    }
}
