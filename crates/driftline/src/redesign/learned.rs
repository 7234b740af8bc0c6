//! driftline's own detector: it learns how alike the documents of this site are, and how often one is not.
//!
//! Gottron's outlook asks for a certainty, so that a redesign can be told early. Documents of one template
//! form a group (`groups`), by a cutoff that is learned from the site (`level`) instead of a fixed 0.15.
//! A document that belongs to no group of the site is suspected of being the first of a new design. Four
//! explanations compete (`hypotheses`): redesign, outlier, a section with its own template, a temporary
//! layout; every further document speaks for one or another, and what was learned about the site
//! (`experience`) says how probable each is at the start. The certainty is the probability of the first.

mod experience;
mod groups;
mod hypotheses;
mod level;
mod suspect;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Parameters;
use experience::{Experience, Innocent};
use groups::{GroupId, Groups, Nearest, Standing};
use hypotheses::Circumstances;
use level::Level;
use suspect::{End, Suspect};

/// What became of a suspicion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Not known yet.
    Open,
    /// The site was redesigned.
    Redesign,
    /// One document that is unlike all others.
    Outlier,
    /// A part of the site with a template of its own, beside the others.
    Section,
    /// A layout that came and went: the old design is back.
    Temporary,
    /// The design before this one is back.
    Rollback,
}

/// What the detector says after a document.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Suspicion {
    /// The first document of what may be a new design.
    pub document: usize,
    /// The document after which this is said.
    pub at: usize,
    /// How probable it is that the design is there to stay, from 0 to 1.
    pub certainty: f64,
    /// What it is, as far as that is known.
    pub verdict: Verdict,
    /// Is it of the design before this one? Then it may be a rollback, but it is no redesign.
    pub is_return: bool,
}

impl Suspicion {
    /// Is it certain enough to be reported as a redesign?
    #[must_use]
    pub fn is_report(&self, parameters: &Parameters) -> bool {
        let may_be = matches!(self.verdict, Verdict::Open | Verdict::Redesign);
        may_be && !self.is_return && self.certainty >= parameters.certainty
    }
}

/// A document, as the detector sees it.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// How alike it is to the documents before it, the nearest first.
    pub likeness: &'a [f64],
    /// How many shingles it has, if that is known.
    pub size: Option<usize>,
}

/// What was learned so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    documents: usize,
    groups: Groups,
    level: Level,
    experience: Experience,
    suspects: Vec<Suspect>,
    /// The sizes of the last documents of known groups.
    sizes: VecDeque<usize>,
}

impl Learned {
    /// As long as no template was seen so often, the site has no design that could be replaced.
    const DESIGN: usize = 3;

    /// Looks at the next document. What is known of every open suspicion comes out, and how those end that
    /// end now.
    pub fn see(&mut self, seen: Seen, parameters: &Parameters) -> Vec<Suspicion> {
        let at = self.documents;
        self.documents += 1;
        self.experience.pass();
        let history = parameters.history;
        let cutoff = self.level.cutoff();
        let nearest = self.groups.nearest(&seen.likeness[..seen.likeness.len().min(history)]);
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
            None => (self.groups.open(Standing::Suspect, at), Standing::Suspect),
        };
        self.groups.add(group, history);
        for suspect in &mut self.suspects {
            suspect.weigh(group, &self.groups, nearest.known >= cutoff);
        }
        let is_foreign = home.is_none() && before == Standing::Suspect;
        if is_foreign || matches!(before, Standing::Stray | Standing::Former) {
            let circumstances = self.circumstances(&nearest, cutoff, seen.size, before);
            self.suspect(group, majors, &circumstances);
        }
        let suspicions = self.conclude(at, history);
        self.learn_size(group, seen.size, history);
        suspicions
    }

    fn circumstances(&self, nearest: &Nearest, cutoff: f64, size: Option<usize>, before: Standing) -> Circumstances {
        let certainties = self.suspects.iter().map(|suspect| suspect.hypotheses.certainty());
        Circumstances {
            shortfall: cutoff - nearest.known,
            size: self.relative_size(size),
            rival_certainty: certainties.fold(0.0, f64::max),
            was_seen: before == Standing::Stray,
            is_late: before == Standing::Former,
        }
    }

    /// Suspects the group of the newest document of being a new design, in the place of the main ones.
    fn suspect(&mut self, group: GroupId, majors: Vec<GroupId>, circumstances: &Circumstances) {
        let document = self.documents - 1;
        self.groups.suspect(group, document);
        self.suspects.push(Suspect::new(group, document, majors, &self.experience, circumstances));
    }

    /// Ends what can be ended, and says what is to be said.
    fn conclude(&mut self, at: usize, history: usize) -> Vec<Suspicion> {
        let mut suspicions = Vec::new();
        let ends = |suspect: &Suspect| suspect.end(at, history) == Some(End::Lasting);
        if let Some(place) = self.suspects.iter().position(ends) {
            let suspect = self.suspects.remove(place);
            suspicions.extend(self.replace_design(&suspect, at));
            suspicions.extend(self.taken_back(&suspect, at, history));
            suspicions.push(suspect.suspicion(at, Some(End::Lasting)));
        }
        for suspect in std::mem::take(&mut self.suspects) {
            let end = suspect.end(at, history);
            suspicions.push(suspect.suspicion(at, end));
            match end {
                Some(End::Innocent(innocent)) => self.acquit(&suspect, innocent),
                // Another one that is there to stay has its turn with the next document.
                Some(End::Lasting) | None => self.suspects.push(suspect),
            }
        }
        suspicions.sort_by_key(|suspicion| suspicion.document);
        suspicions
    }

    /// The suspect was no redesign; the site is known better now.
    fn acquit(&mut self, suspect: &Suspect, innocent: Innocent) {
        let standing = match innocent {
            Innocent::Outlier if suspect.is_rollback => Standing::Former,
            Innocent::Outlier => Standing::Stray,
            Innocent::Section | Innocent::Temporary => Standing::Known,
        };
        self.groups.set_standing(suspect.group, standing);
        self.experience.learn(innocent);
    }

    /// The suspect is the site's design from now on; what other suspicions end with it comes out.
    fn replace_design(&mut self, winner: &Suspect, at: usize) -> Vec<Suspicion> {
        for &rival in &winner.rivals {
            self.groups.set_standing(rival, Standing::Former);
        }
        self.groups.set_standing(winner.group, Standing::Known);
        let (later, earlier): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.suspects).into_iter().partition(|other| other.document > winner.document);
        // Whatever came later would replace the new design, or is a section of it.
        let against_winner = |other: Suspect| Suspect { rivals: vec![winner.group], ..other };
        self.suspects = later.into_iter().map(against_winner).collect();
        let ends = earlier.into_iter().map(|other| {
            let (standing, end) = if other.was_design() {
                (Standing::Former, End::Lasting)
            } else {
                (Standing::Stray, End::Innocent(Innocent::Outlier))
            };
            self.groups.set_standing(other.group, standing);
            other.suspicion(at, Some(end))
        });
        ends.collect()
    }

    /// A design that was taken back after less than half of the history was a temporary one.
    fn taken_back(&self, winner: &Suspect, at: usize, history: usize) -> Vec<Suspicion> {
        if !winner.is_rollback {
            return Vec::new();
        }
        let firsts = winner.rivals.iter().filter_map(|&rival| self.groups.first(rival));
        let is_short = |first: &usize| *first > 0 && winner.document.saturating_sub(*first) <= history / 2;
        let certainty = 1.0 - winner.hypotheses.certainty();
        let withdrawn = |document| Suspicion { document, at, certainty, verdict: Verdict::Temporary, is_return: false };
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

    /// Can it be what was learned from so many documents?
    pub(super) fn is_sound(&self, documents: usize, history: usize) -> bool {
        self.documents == documents
            && self.groups.is_sound(documents, history)
            && self.level.is_sound(history)
            && self.experience.is_sound()
            && self.sizes.len() <= history
            && self.suspects.iter().all(|suspect| suspect.is_sound(documents))
    }

    /// The places in the history, the oldest first, of the documents of the design before `document` and of
    /// those of the one that begins with it.
    pub(super) fn sides(&self, document: usize) -> Option<(Vec<usize>, Vec<usize>)> {
        self.groups.sides(document, self.documents.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests;
