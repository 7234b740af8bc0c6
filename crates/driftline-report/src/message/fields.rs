//! Which fields may a template name? All that an event says, as text that is fit to be shown.

mod known;

use driftline::event::{Event, Excerpt, Mark, Mention, Piece};
use driftline::time::Time;

pub use known::documented;
pub(super) use known::{KNOWN, Known};

use super::fold::Entry;
use crate::summary::numbers::{counted, grouped};
use crate::summary::{Markup, percent, safe};

/// The most pages that are named for one event.
const MOST_PAGES: usize = 20;
/// The most names in a subject.
const MOST_NAMES: usize = 3;

/// What a name stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Field {
    /// Text from outside, to be escaped.
    Text(String),
    /// A sign of the markup, which is not.
    Sign(&'static str),
    Flag(bool),
    List(Vec<Fields>),
}

impl Field {
    /// Does it say nothing?
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Sign(sign) => sign.is_empty(),
            Self::Flag(flag) => !flag,
            Self::List(entries) => entries.is_empty(),
        }
    }
}

/// Fields by their names.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Fields(Vec<(&'static str, Field)>);

impl Fields {
    pub(super) fn of<const N: usize>(fields: [(&'static str, Field); N]) -> Self {
        Self(fields.into())
    }

    pub(super) fn get(&self, name: &str) -> Option<&Field> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, field)| field)
    }
}

/// How much is told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fill {
    /// So many entries.
    pub(super) entries: usize,
    /// So many excerpts of each.
    pub(super) excerpts: usize,
}

impl Fill {
    pub(super) const ALL: Self = Self { entries: usize::MAX, excerpts: usize::MAX };
}

/// The fields of a message.
pub(super) fn fields(entries: &[Entry<'_>], markup: &Markup, fill: Fill) -> Fields {
    let (shown, left) = entries.split_at(entries.len().min(fill.entries));
    let events = |entries: &[Entry<'_>]| entries.iter().map(|entry| entry.events).sum::<usize>();
    let more = events(left);
    Fields::of([
        ("count", Field::Text(grouped(events(entries)))),
        ("several", Field::Flag(entries.len() > 1)),
        ("names", Field::Text(names(entries))),
        ("more", Field::Text(if more == 0 { String::new() } else { grouped(more) })),
        ("heading-open", Field::Sign(markup.heading[0])),
        ("heading-close", Field::Sign(markup.heading[1])),
        ("events", Field::List(shown.iter().map(|entry| of_event(&entry.event, markup, fill)).collect())),
    ])
}

/// `Prices, News and 3 more`.
fn names(entries: &[Entry<'_>]) -> String {
    let mut names: Vec<String> = entries.iter().map(|entry| safe::line(&entry.event.name)).collect();
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let more = names.len().saturating_sub(MOST_NAMES);
    names.truncate(MOST_NAMES);
    match (more, names.as_slice()) {
        (0, [first @ .., last]) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        (0, _) => names.concat(),
        _ => format!("{} and {} more", names.join(", "), grouped(more)),
    }
}

fn of_event(event: &Event, markup: &Markup, fill: Fill) -> Fields {
    let line = |text: &str| Field::Text(safe::line(text));
    let share = |share: Option<f64>| Field::Text(share.map(percent).unwrap_or_default());
    let time = |time: Option<Time>| Field::Text(time.map(date).unwrap_or_default());
    let pages = event.pages.iter().take(MOST_PAGES);
    let more = event.pages.len().saturating_sub(MOST_PAGES);
    let explains = event.explains.len();
    Fields::of([
        ("key", line(&event.key)),
        ("kind", line(event.kind.name())),
        ("what", Field::Text(event.kind.name().replace('-', " "))),
        ("at", time(Some(event.at))),
        ("watch", line(event.watch.as_deref().unwrap_or_default())),
        ("name", line(&event.name)),
        ("tags", Field::List(event.tags.iter().map(|tag| Fields::of([("tag", line(tag))])).collect())),
        ("url", line(&event.url)),
        ("link", line(web(&event.url))),
        ("site", line(&event.site)),
        ("summary", line(&event.summary)),
        ("importance", share(Some(event.importance))),
        ("why", line(&event.why.join("; "))),
        ("degree", share(event.degree)),
        ("older", time(event.versions.map(|versions| versions.older))),
        ("newer", time(event.versions.map(|versions| versions.newer))),
        ("returned-to", time(event.returned_to)),
        ("since", time(event.since)),
        ("certainty", share(event.certainty)),
        (
            "excerpts",
            Field::List(event.excerpts.iter().take(fill.excerpts).map(|one| of_excerpt(one, markup)).collect()),
        ),
        ("pages", Field::List(pages.map(of_page).collect())),
        ("more-pages", Field::Text(if more == 0 { String::new() } else { grouped(more) })),
        ("explains", Field::Text(if explains == 0 { String::new() } else { counted(explains, "event") })),
        ("limits", line(&event.limits.join(", "))),
        ("learned", line(&event.learned.join(", "))),
    ])
}

fn of_excerpt(excerpt: &Excerpt, markup: &Markup) -> Fields {
    Fields::of([
        ("selector", Field::Text(safe::line(&excerpt.selector))),
        ("pieces", Field::List(excerpt.pieces.iter().flat_map(|piece| of_piece(piece, markup)).collect())),
    ])
}

/// A piece line by line: no service marks words over the end of a line.
fn of_piece(piece: &Piece, markup: &Markup) -> Vec<Fields> {
    let text = safe::lines(&piece.text);
    let mut fields = Vec::new();
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            fields.push(of_words(Mark::Kept, "\n", markup));
        }
        if !line.is_empty() {
            fields.push(of_words(piece.mark, line, markup));
        }
    }
    fields
}

fn of_words(mark: Mark, text: &str, markup: &Markup) -> Fields {
    let [open, close] = markup.around(mark);
    let is = |other: Mark| Field::Flag(mark == other);
    Fields::of([
        ("text", Field::Text(text.to_owned())),
        ("open", Field::Sign(open)),
        ("close", Field::Sign(close)),
        ("kept", is(Mark::Kept)),
        ("added", is(Mark::Added)),
        ("dropped", is(Mark::Dropped)),
        ("moved", is(Mark::Moved)),
        ("gap", is(Mark::Gap)),
    ])
}

/// An address if it may be clicked, otherwise nothing.
fn web(url: &str) -> &str {
    if safe::is_web(url) { url } else { "" }
}

fn of_page(page: &Mention) -> Fields {
    Fields::of([
        ("title", Field::Text(safe::line(&page.title))),
        ("url", Field::Text(safe::line(&page.url))),
        ("link", Field::Text(safe::line(web(&page.url)))),
        ("summary", Field::Text(safe::line(&page.summary))),
    ])
}

/// `2026-11-16 08:00 UTC`.
fn date(time: Time) -> String {
    let digits = time.digits();
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    format!("{}-{}-{} {}:{} UTC", part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 12))
}
