//! What a watch looks for, part by part: of a change that is taken apart, only parts that the watch would report alone
//! count.

use std::borrow::Cow;
use std::ops::Range;

use driftline::change::{Change, Scope, Sides};
use driftline::page::Page;
use driftline::region::{ResourceChange, ResourceFate};

use super::text::{Selection, TextRules, covered_words, has_resource};
use crate::check::CheckError;
use crate::watches::{Counts, Only, Operation, Watch};

/// What a watch looks for on both versions of a page.
pub(in crate::check) struct Looked<'a> {
    pub(super) counts: &'a Counts,
    pub(super) rules: TextRules,
    pub(super) selections: Sides<Selection<'a>>,
    /// The words that a trigger matches; none without triggers.
    pub(super) triggered: Option<Sides<Vec<bool>>>,
}

impl<'a> Looked<'a> {
    /// As the watch says it.
    pub(in crate::check) fn of(watch: &'a Watch, pages: Sides<&'a Page>) -> Result<Self, CheckError> {
        let rules = TextRules::of(watch)?;
        let covered = |page| covered_words(page, &rules.triggers);
        let triggered = Sides { older: covered(pages.older), newer: covered(pages.newer) };
        Ok(Self {
            counts: &watch.settings.counts,
            selections: rules.select(pages),
            triggered: (!rules.triggers.is_empty()).then_some(triggered),
            rules,
        })
    }

    /// A change between these pages without what the text rules of the watch leave out.
    pub(in crate::check) fn within<'b>(&self, pages: Sides<&Page>, change: &'b Change) -> Cow<'b, Change> {
        let Sides { older, newer } = &self.selections;
        let has_links = self.rules.only.is_empty();
        change.within(
            pages,
            &Scope {
                words: Sides { older: &older.words, newer: &newer.words },
                resource: &|resource| has_links && has_resource(&self.selections, resource),
                has_title: !self.rules.are_selective(),
            },
        )
    }

    /// Whether a word is in the text that counts, by its number.
    pub(in crate::check) fn word(&self, is_newer: bool, at: usize) -> bool {
        let words = if is_newer { &self.selections.newer.words } else { &self.selections.older.words };
        words.get(at).copied().unwrap_or(true)
    }

    /// Whether a sentence that was lost or gained is what the watch looks for.
    pub(in crate::check) fn sentence(&self, is_newer: bool, words: Range<usize>) -> bool {
        let triggered = self.triggered.as_ref().map(|it| if is_newer { &it.newer } else { &it.older });
        let is_triggered = triggered.is_none_or(|triggered| triggered.get(words).is_some_and(|it| it.contains(&true)));
        is_triggered && self.is_side(is_newer) && self.has_operation(is_newer)
    }

    /// Whether a link or an image that was lost or gained is what the watch looks for.
    pub(in crate::check) fn resource(&self, resource: &ResourceChange) -> bool {
        let operations = &self.counts.operations;
        self.says(&[&resource.text, &resource.url])
            && self.rules.only.is_empty()
            && self.is_side(resource.kind == ResourceFate::Gained)
            && (operations.is_empty() || operations.contains(&Operation::Links))
            && has_resource(&self.selections, resource)
    }

    /// Whether another title is what the watch looks for.
    pub(in crate::check) fn title(&self, text: &str) -> bool {
        let counts = self.counts;
        let is_any = counts.operations.is_empty() && counts.only.is_none() && !self.rules.are_selective();
        is_any && self.says(&[text])
    }

    /// Whether something matters enough.
    pub(in crate::check) fn is_enough(&self, importance: f64) -> bool {
        self.counts.importance.is_none_or(|least| importance >= least)
    }

    fn says(&self, texts: &[&str]) -> bool {
        let triggers = &self.rules.triggers;
        triggers.is_empty() || texts.iter().any(|text| triggers.iter().any(|trigger| trigger.is_match(text)))
    }

    fn is_side(&self, is_newer: bool) -> bool {
        match self.counts.only {
            None => true,
            Some(Only::Added) => is_newer,
            Some(Only::Removed) => !is_newer,
        }
    }

    fn has_operation(&self, is_newer: bool) -> bool {
        let operations = &self.counts.operations;
        let fits = |operation: &Operation| match operation {
            Operation::Add | Operation::Copy => is_newer,
            Operation::Drop | Operation::Shrink => !is_newer,
            Operation::Replace => true,
            Operation::Move | Operation::Links | Operation::Markup => false,
        };
        operations.is_empty() || operations.iter().any(fits)
    }
}
