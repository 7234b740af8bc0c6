//! driftline's own detector: it learns how alike the documents of this site are, and how often one is not.
//!
//! Gottron's outlook asks for a certainty, so that a redesign can be told early. Documents of one template
//! form a group (`groups`), by a cutoff that is learned from the site (`level`) instead of a fixed 0.15.
//! A document that belongs to no group of the site is a candidate for the first of a new design. Four
//! explanations compete (`hypotheses`): redesign, outlier, a section with its own template, a temporary
//! layout; every further document speaks for one or another, and what was learned about the site
//! (`experience`) says how probable each is at the start. The certainty is the probability of the first.

mod candidate;
mod experience;
mod groups;
mod hypotheses;
mod level;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{Detect, Observation};
use crate::redesign::{Detector, Finding, Parameters, Verdict};
use candidate::{Candidate, End};
use experience::{Alternative, Experience};
use groups::{GroupId, Groups, Nearest, Standing};
use hypotheses::Circumstances;
use level::Level;

/// What was learned so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adaptive {
    documents: usize,
    groups: Groups,
    level: Level,
    experience: Experience,
    #[serde(alias = "suspects")]
    candidates: Vec<Candidate>,
    /// The sizes of the last documents of known groups.
    sizes: VecDeque<usize>,
}

impl Detect for Adaptive {
    /// What is known of every open candidate comes out, and how those end that end now.
    fn see(&mut self, document: Observation<'_>, parameters: &Parameters, findings: &mut Vec<Finding>) {
        let Observation { likeness, size, .. } = document;
        let at = self.documents;
        self.documents += 1;
        self.experience.pass();
        let history = parameters.history;
        let cutoff = self.level.cutoff();
        let nearest = self.groups.nearest(&likeness[..likeness.len().min(history)]);
        let home = nearest.group.filter(|(_, likeness)| *likeness >= cutoff);
        let majors = self.groups.majors();
        let (group, before) = match home {
            Some((group, likeness)) => {
                self.level.learn(likeness, history);
                (group, self.groups.standing(group))
            }
            None if self.groups.largest() < Self::DESIGN.min(history - 1) => {
                (self.groups.open(Standing::Known, at), Standing::Known)
            }
            None => (self.groups.open(Standing::Candidate, at), Standing::Candidate),
        };
        self.groups.add(group, history);
        for candidate in &mut self.candidates {
            candidate.weigh(group, &self.groups, nearest.known >= cutoff);
        }
        let is_foreign = home.is_none() && before == Standing::Candidate;
        if is_foreign || matches!(before, Standing::Stray | Standing::Former) {
            let circumstances = self.circumstances(&nearest, cutoff, size, before);
            self.add_candidate(group, majors, &circumstances);
        }
        findings.extend(self.conclude(at, history));
        self.learn_size(group, size, history);
    }

    fn needs_likeness(&self) -> bool {
        true
    }

    fn sides(&self, document: usize) -> Option<(Vec<usize>, Vec<usize>)> {
        self.groups.sides(document, self.documents.checked_sub(1)?)
    }

    fn is_sound(&self, documents: usize, history: usize) -> bool {
        self.documents == documents
            && self.groups.is_sound(documents, history)
            && self.level.is_sound(history)
            && self.experience.is_sound()
            && self.sizes.len() <= history
            && self.candidates.iter().all(|candidate| candidate.is_sound(documents))
    }
}

impl Adaptive {
    /// As long as no template was seen this often, the site has no design that could be replaced.
    const DESIGN: usize = 3;

    fn circumstances(&self, nearest: &Nearest, cutoff: f64, size: Option<usize>, before: Standing) -> Circumstances {
        let certainties = self.candidates.iter().map(|candidate| candidate.hypotheses.certainty());
        Circumstances {
            shortfall: cutoff - nearest.known,
            size: self.relative_size(size),
            rival_certainty: certainties.fold(0.0, f64::max),
            was_seen: before == Standing::Stray,
            is_late: before == Standing::Former,
        }
    }

    /// Suspects the group of the newest document of being a new design, in the place of the main ones.
    fn add_candidate(&mut self, group: GroupId, majors: Vec<GroupId>, circumstances: &Circumstances) {
        let document = self.documents - 1;
        self.groups.make_candidate(group, document);
        self.candidates.push(Candidate::new(group, document, majors, &self.experience, circumstances));
    }

    /// Ends what can be ended, and says what is to be said.
    fn conclude(&mut self, at: usize, history: usize) -> Vec<Finding> {
        let mut findings = Vec::new();
        let ends = |candidate: &Candidate| candidate.end(at, history) == Some(End::Lasting);
        if let Some(place) = self.candidates.iter().position(ends) {
            let candidate = self.candidates.remove(place);
            findings.extend(self.replace_design(&candidate, at));
            findings.extend(self.taken_back(&candidate, at, history));
            findings.push(candidate.finding(at, Some(End::Lasting)));
        }
        for candidate in std::mem::take(&mut self.candidates) {
            let end = candidate.end(at, history);
            findings.push(candidate.finding(at, end));
            match end {
                Some(End::Alternative(alternative)) => self.reject(&candidate, alternative),
                // Another one that is there to stay has its turn with the next document.
                Some(End::Lasting) | None => self.candidates.push(candidate),
            }
        }
        findings.sort_by_key(|finding| finding.document);
        findings
    }

    /// The candidate was no redesign; the site is known better now.
    fn reject(&mut self, candidate: &Candidate, alternative: Alternative) {
        let standing = match alternative {
            Alternative::Outlier if candidate.is_rollback => Standing::Former,
            Alternative::Outlier => Standing::Stray,
            Alternative::Section | Alternative::Temporary => Standing::Known,
        };
        self.groups.set_standing(candidate.group, standing);
        self.experience.learn(alternative);
    }

    /// The candidate is the site's design from now on; the findings about others that end with it come out.
    fn replace_design(&mut self, winner: &Candidate, at: usize) -> Vec<Finding> {
        for &rival in &winner.rivals {
            self.groups.set_standing(rival, Standing::Former);
        }
        self.groups.set_standing(winner.group, Standing::Known);
        let (later, earlier): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.candidates).into_iter().partition(|other| other.document > winner.document);
        // Whatever came later would replace the new design, or is a section of it.
        let against_winner = |other: Candidate| Candidate { rivals: vec![winner.group], ..other };
        self.candidates = later.into_iter().map(against_winner).collect();
        let ends = earlier.into_iter().map(|other| {
            let (standing, end) = if other.was_design() {
                (Standing::Former, End::Lasting)
            } else {
                (Standing::Stray, End::Alternative(Alternative::Outlier))
            };
            self.groups.set_standing(other.group, standing);
            other.finding(at, Some(end))
        });
        ends.collect()
    }

    /// A design that was taken back after less than half of the history was a temporary one.
    fn taken_back(&self, winner: &Candidate, at: usize, history: usize) -> Vec<Finding> {
        if !winner.is_rollback {
            return Vec::new();
        }
        let firsts = winner.rivals.iter().filter_map(|&rival| self.groups.first(rival));
        let is_short = |first: &usize| *first > 0 && winner.document.saturating_sub(*first) <= history / 2;
        let certainty = Some(1.0 - winner.hypotheses.certainty());
        let withdrawn = |document| Finding {
            detector: Detector::Driftline,
            document,
            at,
            certainty,
            verdict: Verdict::Temporary,
            is_return: false,
        };
        firsts.filter(is_short).map(withdrawn).collect()
    }

    fn learn_size(&mut self, group: GroupId, size: Option<usize>, history: usize) {
        let Some(size) = size.filter(|_| self.groups.standing(group) == Standing::Known) else { return };
        if self.sizes.len() == history {
            self.sizes.pop_front();
        }
        self.sizes.push_back(size);
    }

    /// The size as a share of what is usual; 1 if nothing is known.
    fn relative_size(&self, size: Option<usize>) -> f64 {
        let mut sizes: Vec<usize> = self.sizes.iter().copied().collect();
        sizes.sort_unstable();
        match (size, sizes.get(sizes.len() / 2)) {
            (Some(size), Some(&usual)) if usual > 0 => size as f64 / usual as f64,
            _ => 1.0,
        }
    }
}

#[cfg(test)]
mod tests;
