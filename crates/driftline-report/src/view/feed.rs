//! How is the change of a feed shown? Item by item: in a terminal, as JSON, as a web page.
//!
//! ```
//! use driftline::change::Sides;
//! use driftline::compare::Comparer;
//! use driftline::feed::{Feed, Item, compare::compare};
//! use driftline::page::ReadOptions;
//! use driftline_report::view::feed::{self, FeedComparison};
//!
//! let older = Feed { items: vec![Item::new("Hours", "Open to five")], ..Feed::default() };
//! let newer = Feed { items: vec![Item::new("Hours", "Open to six")], ..Feed::default() };
//! let change = compare(&older, &newer, &ReadOptions::default(), &mut Comparer::default());
//! let names = Sides { older: "old.xml", newer: "new.xml" };
//! let text = feed::text(&FeedComparison { names, change: &change }, &Default::default());
//! assert!(text.contains("1 item modified") && text.contains("Open to [~five~]{~six~}"));
//! ```

mod html;
mod json;
#[cfg(test)]
mod tests;

use driftline::change::Sides;
use driftline::degree::edit::EditKind;
use driftline::feed::compare::{FeedChange, ItemChange, ItemKind, Part};

use super::lines::{Line, Piece};
use super::mark::{Mark, dim, legend, painted};
use super::{Comparison, TextOptions, inline, wrap};
use crate::summary::numbers::grouped;
use crate::summary::safe::for_terminal;
use crate::summary::sentence;

pub use html::html;
pub use json::json;

/// Columns before what is said of an item.
const INDENT: usize = 4;

/// Two versions of a feed and what differs.
#[derive(Debug, Clone, Copy)]
pub struct FeedComparison<'a> {
    /// What the versions are called.
    pub names: Sides<&'a str>,
    /// What differs.
    pub change: &'a FeedChange,
}

/// What was compared, a sentence, and every item that changed with its words.
///
/// `+` stands before an added item, `-` before a removed one, `~` before a modified one, `>` before one that
/// stands elsewhere now.
#[must_use]
pub fn text(comparison: &FeedComparison, options: &TextOptions) -> String {
    let Sides { older, newer } = comparison.names;
    let mut text =
        format!("{} → {}\n{}\n", for_terminal(older), for_terminal(newer), sentence::feed(comparison.change));
    let (mut kinds, mut items) = (Vec::new(), String::new());
    for item in &comparison.change.items {
        items.push('\n');
        kinds.extend(push_item(&mut items, item, comparison.names, options));
    }
    kinds.sort_unstable();
    kinds.dedup();
    if !kinds.is_empty() {
        text.push('\n');
        text.push_str(legend(&kinds, options.colour).trim_end_matches('\n'));
        text.push('\n');
    }
    text + &items
}

fn push_item(text: &mut String, item: &ItemChange, names: Sides<&str>, options: &TextOptions) -> Vec<EditKind> {
    let (sign, mark) = match item.kind {
        ItemKind::Added => ("+ ", Mark::Inserted(EditKind::Add)),
        ItemKind::Removed => ("- ", Mark::Removed(EditKind::Drop)),
        ItemKind::Modified => ("~ ", Mark::Same),
        ItemKind::Reordered => ("> ", Mark::Same),
    };
    // The sign before the title says it already; brackets would only be in the way.
    let mark = if options.colour { mark } else { Mark::Same };
    push_wrapped(text, sign, &title(item), mark, options);
    let indent = " ".repeat(INDENT);
    let notes = [item.link.clone(), Some(notes(item)).filter(|notes| !notes.is_empty())];
    for note in notes.iter().flatten() {
        let note = painted(dim(), &for_terminal(note), options.colour);
        text.extend([indent.as_str(), &note, "\n"]);
    }
    let Some(words) = item.words.as_ref().filter(|words| !words.change.is_empty()) else {
        return Vec::new();
    };
    let pages = Sides { older: &words.pages.older, newer: &words.pages.newer };
    let comparison = Comparison { names, pages, change: &words.change };
    let width = options.width.saturating_sub(INDENT);
    let (kinds, body) = inline::body(&comparison, &TextOptions { width, ..*options });
    body.lines().for_each(|line| text.extend([indent.as_str(), line, "\n"]));
    kinds
}

fn push_wrapped(text: &mut String, sign: &str, title: &str, mark: Mark, options: &TextOptions) {
    let line = Line { pieces: vec![Piece { mark, edit: None, text: title }] };
    let width = options.width.max(20) - sign.len();
    let mut gutter = sign;
    for row in wrap::wrap(&line, width, width, options.colour) {
        text.push_str(format!("{gutter}{}", row.paint(options.colour)).trim_end());
        text.push('\n');
        gutter = "  ";
    }
}

fn title(item: &ItemChange) -> String {
    if item.title.is_empty() { "(no title)".to_owned() } else { item.title.clone() }
}

/// What is to be said of an item besides its title: `12 % changed: 1 word replaced; other markup`.
fn notes(item: &ItemChange) -> String {
    let has_words = item.words.as_ref().filter(|words| words.operations.total() > 0);
    let mut notes: Vec<String> = has_words.map(|words| sentence::page(&words.change)).into_iter().collect();
    notes.extend(item.differs.contains(&Part::Link).then(|| "another link".to_owned()));
    notes.extend(item.differs.contains(&Part::Markup).then(|| "other markup".to_owned()));
    if let (true, Some(older), Some(newer)) = (item.reordered, item.older, item.newer) {
        notes.push(format!("moved from place {} to {}", grouped(older + 1), grouped(newer + 1)));
    }
    notes.join("; ")
}
