//! Does a change count for this watch? By how much it is, what it is, and what it says.
//!
//! Unless the watch says otherwise, everything counts that a reader can see: words and their order, links, images, the
//! title. Markup alone does not, or every new class name would be an alarm.

use driftline::change::{Change, Sides};
use driftline::degree::edit::{Edit, EditKind};
use driftline::event::Kind;
use driftline::page::Page;
use driftline::region::ResourceFate;
use regex::Regex;

use super::CheckError;
use super::describe::{has_resources, is_shown};
use super::judge::is_visible;
use crate::watches::{Counts, Only, Operation, Watch, pattern};

/// What a change weighs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Weight {
    /// It counts, and so much of the page changed.
    Enough(f64),
    /// It would count if there were more of it.
    TooLittle,
    /// It is nothing that the watch looks for.
    Nothing,
}

/// Weighs a change.
pub(super) fn weigh(watch: &Watch, pages: Sides<&Page>, change: &Change) -> Result<Weight, CheckError> {
    let counts = &watch.settings.counts;
    let (ignored, triggers) = (compile(watch, &counts.ignore_text)?, compile(watch, &counts.trigger)?);
    let covered = |patterns: &[Regex]| Sides {
        older: covered_words(pages.older, patterns),
        newer: covered_words(pages.newer, patterns),
    };
    let all = Words::of(&change.edits);
    let words = if ignored.is_empty() { all.clone() } else { all.clone().without(&covered(&ignored)) };
    let words = words.only(counts.only);
    if !is_looked_for(counts, change, &words, all.len() == words.len()) {
        return Ok(Weight::Nothing);
    }
    let is_triggered = triggers.is_empty() || words.is_any_in(&covered(&triggers)) || says(change, &triggers);
    if !is_triggered {
        return Ok(Weight::Nothing);
    }
    let degree = change.measurement.headline().get() * share(words.len(), all.len());
    let is_enough = counts.degree.is_none_or(|least| degree >= least)
        && counts.importance.is_none_or(|least| change.importance.score >= least);
    Ok(if is_enough { Weight::Enough(degree) } else { Weight::TooLittle })
}

/// Which items of a feed count for a watch. Its patterns are compiled once, however many items there are.
pub(super) struct ItemRule<'a> {
    counts: &'a Counts,
    ignored: Vec<Regex>,
    triggers: Vec<Regex>,
}

impl<'a> ItemRule<'a> {
    /// As the watch says it.
    pub(super) fn of(watch: &'a Watch) -> Result<Self, CheckError> {
        let counts = &watch.settings.counts;
        let (ignored, triggers) = (compile(watch, &counts.ignore_text)?, compile(watch, &counts.trigger)?);
        Ok(Self { counts, ignored, triggers })
    }

    /// Does an item count? What it says is looked through for the texts of the watch.
    pub(super) fn counts(&self, kind: Kind, texts: &[&str], degree: Option<f64>, importance: f64) -> bool {
        let Self { counts, ignored, triggers } = self;
        let says = |patterns: &[Regex]| texts.iter().any(|text| patterns.iter().any(|pattern| pattern.is_match(text)));
        let is_side = match counts.only {
            None => true,
            Some(Only::Added) => kind == Kind::ItemAdded,
            Some(Only::Removed) => kind == Kind::ItemRemoved,
        };
        let is_enough = counts.degree.is_none_or(|least| degree.is_none_or(|degree| degree >= least))
            && counts.importance.is_none_or(|least| importance >= least);
        is_side && is_enough && !says(ignored) && (triggers.is_empty() || says(triggers))
    }
}

fn compile(watch: &Watch, patterns: &[String]) -> Result<Vec<Regex>, CheckError> {
    patterns.iter().map(|text| pattern(text).map_err(|error| CheckError::setting(watch, error))).collect()
}

fn share(some: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { some as f64 / all as f64 }
}

/// Is there anything of the kinds that the watch looks for?
fn is_looked_for(counts: &Counts, change: &Change, words: &Words, are_all: bool) -> bool {
    let links = change.resources.iter().filter(|resource| is_shown(resource.what));
    let has_links = match counts.only {
        None => has_resources(change),
        Some(Only::Added) => links.clone().any(|resource| resource.kind == ResourceFate::Gained),
        Some(Only::Removed) => links.clone().any(|resource| resource.kind == ResourceFate::Lost),
    };
    if counts.operations.is_empty() {
        let is_seen = counts.only.is_none() && are_all && is_visible(change);
        return words.len() > 0 || has_links || is_seen || counts.only.is_none() && change.title.is_some();
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

/// Does something that is no word of the text say what is looked for: a title, the text of a link?
fn says(change: &Change, triggers: &[Regex]) -> bool {
    let titles = change.title.iter().flat_map(|title| [title.older.as_str(), &title.newer]);
    let links = change.resources.iter().filter(|resource| is_shown(resource.what));
    let texts = titles.chain(links.flat_map(|resource| [resource.text.as_str(), &resource.url]));
    texts.into_iter().any(|text| triggers.iter().any(|trigger| trigger.is_match(text)))
}

/// Which words are part of what a pattern matches, line by line.
fn covered_words(page: &Page, patterns: &[Regex]) -> Vec<bool> {
    let (text, spans) = (page.text(), page.word_spans());
    let mut covered = vec![false; spans.len()];
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        for found in patterns.iter().flat_map(|pattern| pattern.find_iter(line)).filter(|found| !found.is_empty()) {
            let (from, to) = (start + found.start(), start + found.end());
            let first = spans.partition_point(|span| span.end as usize <= from);
            let words = spans[first..].iter().take_while(|span| (span.start as usize) < to).count();
            covered[first..first + words].fill(true);
        }
        start += line.len();
    }
    covered
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
            words.older.extend(edit.older.clone().into_iter().flatten().map(|at| (edit.kind, at)));
            words.newer.extend(edit.newer.clone().into_iter().flatten().map(|at| (edit.kind, at)));
        }
        words
    }

    fn len(&self) -> usize {
        self.older.len() + self.newer.len()
    }

    fn has(&self, kind: EditKind) -> bool {
        self.older.iter().chain(&self.newer).any(|(own, _)| *own == kind)
    }

    fn without(mut self, ignored: &Sides<Vec<bool>>) -> Self {
        self.older.retain(|(_, at)| !ignored.older[*at as usize]);
        self.newer.retain(|(_, at)| !ignored.newer[*at as usize]);
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
