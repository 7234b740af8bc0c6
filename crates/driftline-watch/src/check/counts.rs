//! Does a change count for this watch? By how much it is, what it is, and what it says.
//!
//! Unless the watch says otherwise, everything counts that a reader can see: words and their order, links, images, the
//! title. Markup alone does not, or every new class name would be an alarm.

mod looked;
mod text;

use driftline::change::{Change, Sides};
use driftline::degree::edit::{Edit, EditKind};
use driftline::event::Kind;
use driftline::region::ResourceFate;
use driftline_report::summary::resources::is_shown;
use regex::Regex;

use super::CheckError;
use super::judge::is_visible;
use crate::watches::{Counts, Only, Operation, Watch};
pub(super) use looked::Looked;
use text::{Selection, TextRules, has_resource};

/// What a change weighs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Weight {
    /// It counts, and so much of the page changed.
    Enough(f64),
    /// It does not count yet: there is too little of it, or the page does not say what it must.
    NotYet,
    /// It is nothing that the watch looks for.
    Nothing,
}

/// Weighs a change, of which this is left by the text rules of the watch.
pub(super) fn weigh(looked: &Looked<'_>, change: &Change, left: &Change) -> Weight {
    let Looked { counts, rules, selections, triggered } = looked;
    let all = Words::of(&change.edits);
    let words = all.clone().within(selections).only(counts.only);
    let found = Found { change, words: &words, selections, are_all: all.len() == words.len() };
    if !found.is_looked_for(counts, rules) {
        return Weight::Nothing;
    }
    let is_triggered =
        triggered.as_ref().is_none_or(|covered| words.is_any_in(covered) || says(change, &rules.triggers));
    if !is_triggered {
        return Weight::Nothing;
    }
    let degree = change.measurement.headline().get() * share(words.len(), all.len());
    let is_enough = counts.degree.is_none_or(|least| degree >= least)
        && looked.is_enough(left.importance.score)
        && rules.are_met(&selections.newer);
    if is_enough { Weight::Enough(degree) } else { Weight::NotYet }
}

/// Which items of a feed count for a watch. Its patterns are compiled once, however many items there are.
pub(super) struct ItemRule<'a> {
    counts: &'a Counts,
    rules: TextRules,
}

impl<'a> ItemRule<'a> {
    /// As the watch says it.
    pub(super) fn of(watch: &'a Watch) -> Result<Self, CheckError> {
        Ok(Self { counts: &watch.settings.counts, rules: TextRules::of(watch)? })
    }

    /// Does an item count? What it says is looked through for the texts of the watch.
    pub(super) fn counts(&self, kind: Kind, texts: &[&str], degree: Option<f64>, importance: f64) -> bool {
        let Self { counts, rules } = self;
        let is_side = match counts.only {
            None => true,
            Some(Only::Added) => kind == Kind::ItemAdded,
            Some(Only::Removed) => kind == Kind::ItemRemoved,
        };
        let is_enough = counts.degree.is_none_or(|least| degree.is_none_or(|degree| degree >= least))
            && counts.importance.is_none_or(|least| importance >= least);
        is_side && is_enough && rules.allow(texts)
    }
}

fn share(some: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { some as f64 / all as f64 }
}

/// A change, and what of it counts by the text rules of the watch.
struct Found<'a> {
    change: &'a Change,
    words: &'a Words,
    selections: &'a Sides<Selection<'a>>,
    /// All words that changed count.
    are_all: bool,
}

impl Found<'_> {
    /// Is there anything of the kinds that the watch looks for?
    fn is_looked_for(&self, counts: &Counts, rules: &TextRules) -> bool {
        let Self { change, words, .. } = self;
        let has_links = rules.only.is_empty() && self.has_links(counts.only);
        if counts.operations.is_empty() {
            let is_any = counts.only.is_none() && !rules.are_selective();
            return words.len() > 0 || has_links || is_any && (self.is_seen() || change.title.is_some());
        }
        counts.operations.iter().any(|operation| match operation {
            Operation::Add => words.has(EditKind::Add),
            Operation::Drop => words.has(EditKind::Drop),
            Operation::Copy => words.has(EditKind::Copy),
            Operation::Shrink => words.has(EditKind::Shrink),
            Operation::Replace => words.has(EditKind::Replace),
            Operation::Move => words.has(EditKind::Move),
            Operation::Links => has_links,
            Operation::Markup => counts.only.is_none() && (change.changed.structure || change.changed.attributes),
        })
    }

    /// Did a link or an image come or go, on a line that counts?
    fn has_links(&self, only: Option<Only>) -> bool {
        let is_side = |fate: ResourceFate| match only {
            None => true,
            Some(Only::Added) => fate == ResourceFate::Gained,
            Some(Only::Removed) => fate == ResourceFate::Lost,
        };
        let mut shown = self.change.resources.iter().filter(|resource| is_shown(resource.what));
        shown.any(|resource| is_side(resource.kind) && has_resource(self.selections, resource))
    }

    /// Is there something else to see than words that changed, on lines that count?
    fn is_seen(&self) -> bool {
        let Sides { older, newer } = self.selections;
        let is_whole = older.is_whole() && newer.is_whole();
        self.are_all && is_visible(self.change) && (is_whole || !older.lines().eq(newer.lines()))
    }
}

/// Does something that is no word of the text say what is looked for: a title, the text of a link?
fn says(change: &Change, triggers: &[Regex]) -> bool {
    let titles = change.title.iter().flat_map(|title| [title.older.as_str(), &title.newer]);
    let links = change.resources.iter().filter(|resource| is_shown(resource.what));
    let texts = titles.chain(links.flat_map(|resource| [resource.text.as_str(), &resource.url]));
    texts.into_iter().any(|text| triggers.iter().any(|trigger| trigger.is_match(text)))
}

/// The words that changed, by number.
#[derive(Debug, Clone, Default)]
struct Words {
    older: Vec<(EditKind, u32)>,
    newer: Vec<(EditKind, u32)>,
}

impl Words {
    fn of(edits: &[Edit]) -> Self {
        let mut words = Self::default();
        for edit in edits {
            words.older.extend(edit.older().into_iter().flatten().map(|at| (edit.kind(), at)));
            words.newer.extend(edit.newer().into_iter().flatten().map(|at| (edit.kind(), at)));
        }
        words
    }

    fn len(&self) -> usize {
        self.older.len() + self.newer.len()
    }

    fn has(&self, kind: EditKind) -> bool {
        self.older.iter().chain(&self.newer).any(|(own, _)| *own == kind)
    }

    fn within(mut self, selections: &Sides<Selection<'_>>) -> Self {
        self.older.retain(|(_, at)| selections.older.words[*at as usize]);
        self.newer.retain(|(_, at)| selections.newer.words[*at as usize]);
        self
    }

    fn only(mut self, only: Option<Only>) -> Self {
        let is_change = |(kind, _): &(EditKind, u32)| *kind != EditKind::Move;
        match only {
            None => {}
            Some(Only::Added) => {
                self.older.clear();
                self.newer.retain(is_change);
            }
            Some(Only::Removed) => {
                self.newer.clear();
                self.older.retain(is_change);
            }
        }
        self
    }

    fn is_any_in(&self, covered: &Sides<Vec<bool>>) -> bool {
        self.older.iter().any(|(_, at)| covered.older[*at as usize])
            || self.newer.iter().any(|(_, at)| covered.newer[*at as usize])
    }
}

#[cfg(test)]
mod tests;
