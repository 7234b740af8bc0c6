//! What was edited on a page: sentences, links and images that the design does not explain, each with its words.

use std::collections::{BTreeMap, BTreeSet};

use driftline::event::{Excerpt, Mark, Part, Piece};
use driftline_report::summary::excerpt::Pieces;
use driftline_report::summary::line::edit;
use driftline_report::summary::resources::described;

use super::{Pair, Remains, Rest, Side, hash};
use crate::leftover::{Content, TITLE, Words};

/// What was edited in one part of a page.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::site) struct Edit {
    pub(super) part: Part,
    pub(super) excerpt: Excerpt,
}

/// An item that was lost, one that was gained, or one in place of the other, with the words that both have.
#[derive(Clone, Copy)]
struct Found<'r, 'a> {
    older: Option<&'r Rest<'a>>,
    newer: Option<&'r Rest<'a>>,
    common: &'r [(usize, usize)],
}

/// The edits of a page, the most important first.
pub(super) fn edits(page: &Remains<'_>) -> Vec<Edit> {
    let of_pair = |pair: &'_ Pair| (pair.lost, pair.gained);
    let mut found: Vec<Found<'_, '_>> = Vec::new();
    for pair in &page.pairs {
        let (older, newer) = (Some(&page.lost[pair.lost]), Some(&page.gained[pair.gained]));
        found.push(Found { older, newer, common: &pair.common });
    }
    let (paired_lost, paired_gained): (BTreeSet<usize>, BTreeSet<usize>) = page.pairs.iter().map(of_pair).unzip();
    let alone = |rests: &[Rest<'_>], paired: &BTreeSet<usize>| -> Vec<usize> {
        (0..rests.len()).filter(|at| !paired.contains(at) && rests[*at].is_left()).collect()
    };
    let (mut lost, mut gained) = (alone(&page.lost, &paired_lost), alone(&page.gained, &paired_gained));
    for (older, newer) in replaced(page, &lost, &gained) {
        lost.retain(|at| *at != older);
        gained.retain(|at| *at != newer);
        found.push(Found { older: Some(&page.lost[older]), newer: Some(&page.gained[newer]), common: &[] });
    }
    found.extend(lost.iter().map(|at| Found { older: Some(&page.lost[*at]), newer: None, common: &[] }));
    found.extend(gained.iter().map(|at| Found { older: None, newer: Some(&page.gained[*at]), common: &[] }));
    let counts = |rest: &Rest<'_>| rest.is_left() && !rest.item.is_ignored;
    found.retain(|found| found.older.is_some_and(counts) || found.newer.is_some_and(counts));
    distinct(found.into_iter().map(Edit::of).collect())
}

/// What stands in place of what, where no words are common: all that is left of the title; links with the same text; the
/// only sentence, link or image that is left on both versions.
fn replaced(page: &Remains<'_>, lost: &[usize], gained: &[usize]) -> Vec<(usize, usize)> {
    let mut by_kind: BTreeMap<(&str, &str), [Vec<usize>; 2]> = BTreeMap::new();
    for (side, (rests, left)) in [(&page.lost, lost), (&page.gained, gained)].into_iter().enumerate() {
        for &at in left {
            let item = rests[at].item;
            let (kind, text) = match &item.content {
                Content::Words(_) if item.selector == TITLE => (TITLE, ""),
                Content::Words(_) => ("words", ""),
                Content::Resource { what, text, .. } => (what.as_str(), text.as_str()),
            };
            by_kind.entry((kind, text)).or_default()[side].push(at);
        }
    }
    let mut pairs = Vec::new();
    let mut rest: BTreeMap<&str, [Vec<usize>; 2]> = BTreeMap::new();
    for ((kind, _), [older, newer]) in by_kind {
        if let ([older], [newer]) = (older.as_slice(), newer.as_slice()) {
            pairs.push((*older, *newer));
        } else {
            let rest = rest.entry(kind).or_default();
            rest[0].extend(older);
            rest[1].extend(newer);
        }
    }
    for [older, newer] in rest.into_values() {
        if let ([older], [newer]) = (older.as_slice(), newer.as_slice()) {
            pairs.push((*older, *newer));
        }
    }
    pairs
}

/// Edits by importance, those that say the same once: a title is often repeated on its page.
fn distinct(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by(|one, other| {
        let key = |edit: &Edit| (edit.part.selector == TITLE, edit.part.signature.clone());
        other.part.importance.total_cmp(&one.part.importance).then_with(|| key(one).cmp(&key(other)))
    });
    let mut seen = BTreeSet::new();
    edits.retain(|edit| seen.insert(edit.part.signature.clone()));
    edits
}

impl Edit {
    /// What was edited, in one line.
    #[cfg(test)]
    pub(super) fn summary(&self) -> String {
        self.part.summary.clone()
    }

    /// The edit of what was found.
    fn of(found: Found<'_, '_>) -> Self {
        let Found { older, newer, .. } = found;
        let sides = [older.map(|it| (it, Side::Lost)), newer.map(|it| (it, Side::Gained))];
        let left: Vec<String> = sides.iter().flatten().map(|(rest, side)| rest.said(*side)).collect();
        let signature = format!("{:016x}", hash(Side::Gained, "edit", left.iter().map(String::as_str)));
        let main =
            newer.into_iter().chain(older).max_by(|one, other| one.item.importance.total_cmp(&other.item.importance));
        let item = newer.or(older).map(|rest| rest.item);
        let selector = item.map(|item| item.selector.clone()).unwrap_or_default();
        let importance = main.map_or(0.0, |rest| rest.item.importance);
        let excerpt = Excerpt { selector: selector.clone(), importance, pieces: pieces(found) };
        let resource = |rest: Option<&Rest<'_>>| match rest.map(|rest| &rest.item.content) {
            Some(Content::Resource { what, url, text }) => {
                Some(edit::Resource { what: what.clone(), url: url.clone(), text: text.clone() })
            }
            _ => None,
        };
        let summary = match (resource(older), resource(newer)) {
            (None, None) => edit::words(&excerpt, selector == TITLE),
            (older, newer) => edit::resources(older.as_ref(), newer.as_ref()),
        };
        let why = main.map(|rest| rest.item.why.clone()).unwrap_or_default();
        Self { part: Part { signature, selector, summary, importance, why }, excerpt }
    }
}

impl Rest<'_> {
    /// What is left of it, for a signature.
    fn said(&self, side: Side) -> String {
        let left = match &self.item.content {
            Content::Words(words) => {
                (0..words.len()).filter(|at| self.left[*at]).map(|at| words.form(at)).collect::<Vec<_>>().join("\n")
            }
            Content::Resource { what, url, .. } => format!("{what}\n{url}"),
        };
        format!("{side:?}\n{left}")
    }
}

/// The words of an edit with those around them.
fn pieces(Found { older, newer, common }: Found<'_, '_>) -> Vec<Piece> {
    let mut pieces = Pieces::default();
    let (lost, gained) = (older.and_then(Rest::words), newer.and_then(Rest::words));
    for (rest, mark) in [(older, Mark::Dropped), (newer, Mark::Added)] {
        if let Some(Content::Resource { what, url, text }) = rest.map(|rest| &rest.item.content) {
            pieces.push(mark, " ", &described(what, url, text));
        }
    }
    let (mut row, mut column) = (0, 0);
    let ends = (lost.map_or(0, Words::len), gained.map_or(0, Words::len));
    for (next_row, next_column) in common.iter().copied().chain([ends]) {
        if let (Some(words), Some(rest)) = (lost, older) {
            for at in row..next_row {
                match (rest.left[at], gained) {
                    (true, _) => pieces.push(Mark::Dropped, words.gap(at), words.written(at)),
                    (false, None) => pieces.push(Mark::Kept, words.gap(at), words.written(at)),
                    (false, Some(_)) => {}
                }
            }
        }
        if let (Some(words), Some(rest)) = (gained, newer) {
            for at in column..(next_column + 1).min(words.len()) {
                let mark = if rest.left[at] { Mark::Added } else { Mark::Kept };
                pieces.push(mark, words.gap(at), words.written(at));
            }
        }
        (row, column) = (next_row + 1, next_column + 1);
    }
    if let Some(words) = gained.or(lost) {
        pieces.push_stop(words.gap(words.len()));
    }
    pieces.finish()
}
