//! A design that may be new, and what speaks for it.

use serde::{Deserialize, Serialize};

use super::experience::{Alternative, Experience};
use super::groups::{GroupId, Groups, Standing};
use super::hypotheses::{Circumstances, Evidence, Hypotheses, Tally};
use crate::redesign::{Detector, Finding, Verdict};

/// A document that may be the first of a new design: it is not decided yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Candidate {
    pub(super) group: GroupId,
    /// The document that raised it.
    pub(super) document: usize,
    /// The designs that it would have replaced, as far as they were not seen since.
    pub(super) rivals: Vec<GroupId>,
    pub(super) hypotheses: Hypotheses,
    pub(super) is_rollback: bool,
    pub(super) tally: Tally,
}

/// How it is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The design is there to stay.
    Lasting,
    /// It was something else.
    Alternative(Alternative),
}

impl Candidate {
    /// From this certainty on a design is there to stay, if a quarter of the history is like it, within these
    /// bounds …
    const SETTLED: f64 = 0.9;
    const ENOUGH: (usize, usize) = (3, 10);
    /// What is undecided after so many documents, or after as many as the history has, is decided.
    const LONGEST: usize = 40;
    /// … and below this one, the candidate is dropped.
    const DROPPED: f64 = 0.02;

    /// `document`, which is of `group`.
    pub(super) fn new(
        group: GroupId,
        document: usize,
        rivals: Vec<GroupId>,
        experience: &Experience,
        circumstances: &Circumstances,
    ) -> Self {
        let hypotheses = Hypotheses::new(experience, circumstances);
        // What was seen before was followed by something else, or it would still be a candidate.
        let again = usize::from(circumstances.was_seen);
        let tally = Tally { alike: 1 + again, rivals: again };
        Self { group, document, rivals, hypotheses, is_rollback: circumstances.is_late, tally }
    }

    /// Weighs the next document: its group, and whether a known design is as alike to it.
    pub(super) fn weigh(&mut self, group: GroupId, groups: &Groups, fits_known: bool) {
        let evidence = self.evidence(group, groups, fits_known);
        self.hypotheses.update(evidence, self.tally);
        self.tally.alike += usize::from(group == self.group);
        self.tally.rivals += usize::from(evidence == Evidence::Rival);
    }

    fn evidence(&mut self, group: GroupId, groups: &Groups, fits_known: bool) -> Evidence {
        if group == self.group {
            return if fits_known { Evidence::None } else { Evidence::Alike };
        }
        match self.rivals.iter().position(|rival| *rival == group) {
            Some(_) if groups.standing(group) != Standing::Known => Evidence::None,
            Some(_) if self.rivals.len() == 1 => Evidence::Rival,
            Some(place) => {
                self.rivals.swap_remove(place);
                Evidence::OneOfRivals
            }
            None => Evidence::None,
        }
    }

    /// Is it decided, after the document `at`? It is at the latest when the history has only newer documents.
    pub(super) fn end(&self, at: usize, history: usize) -> Option<End> {
        let certainty = self.hypotheses.certainty();
        let enough = (history / 4).clamp(Self::ENOUGH.0, Self::ENOUGH.1);
        let is_settled = certainty >= Self::SETTLED && self.tally.alike >= enough;
        let is_over = at.saturating_sub(self.document) >= history.min(Self::LONGEST);
        if is_settled || is_over && self.is_likely() {
            return Some(End::Lasting);
        }
        let is_dropped = certainty < Self::DROPPED && self.tally.rivals > 0;
        (is_dropped || is_over).then(|| End::Alternative(self.hypotheses.alternative(self.tally)))
    }

    /// Is a new design more probable than anything else?
    fn is_likely(&self) -> bool {
        self.hypotheses.certainty() >= 0.5
    }

    /// Does it make sense after so many documents?
    pub(super) fn is_sound(&self, documents: usize) -> bool {
        self.document < documents && self.hypotheses.is_sound()
    }

    /// Was it a design of its own, before another one came?
    pub(super) fn was_design(&self) -> bool {
        self.is_likely() && self.tally.alike > 1
    }

    /// What is to be said about it.
    pub(super) fn finding(&self, at: usize, end: Option<End>) -> Finding {
        let verdict = match end {
            Some(End::Alternative(Alternative::Outlier)) => Verdict::Outlier,
            Some(End::Alternative(Alternative::Section)) => Verdict::Section,
            Some(End::Alternative(Alternative::Temporary)) => Verdict::Temporary,
            Some(End::Lasting) if self.is_rollback => Verdict::Rollback,
            Some(End::Lasting) => Verdict::Redesign,
            None => Verdict::Open,
        };
        let certainty = Some(self.hypotheses.certainty());
        let (document, is_return) = (self.document, self.is_rollback);
        Finding { detector: Detector::Driftline, document, at, certainty, verdict, is_return }
    }
}
