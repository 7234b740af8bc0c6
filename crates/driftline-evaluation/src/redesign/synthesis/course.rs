//! The course of a site: what happens to it, and when. All documents follow from it.

use std::ops::Range;

use fastrand::Rng;

use super::content::Habits;
use super::design::Design;
use super::outlier::Outliers;
use super::{Event, EventKind, Scenario};

/// A site and what happens to it.
pub(super) struct Course {
    habits: Habits,
    length: usize,
    outliers: Outliers,
    /// Which design is in use from which document on; the first from the beginning.
    designs: Vec<(usize, Design)>,
    /// Documents beside the others, with a design of their own.
    aside: Option<Aside>,
    pub(super) events: Vec<Event>,
}

/// A section or a campaign.
struct Aside {
    documents: Range<usize>,
    /// Which share of the documents is of this design.
    share: f64,
    design: Design,
}

/// The fewest documents before the first redesign, as in the shortest real stream.
const FEWEST: usize = 9;

impl Course {
    pub(super) fn any(scenario: Scenario, rng: &mut Rng) -> Self {
        let kinds = if rng.bool() { 1 } else { rng.usize(2..5) };
        let mut course = Self {
            habits: Habits::any(rng),
            length: rng.usize(40..301),
            outliers: Outliers::none(),
            designs: vec![(0, Design::any(kinds, rng))],
            aside: None,
            events: Vec::new(),
        };
        // What only looks like a redesign comes with outliers and without.
        let is_noisy = match scenario {
            Scenario::Homogeneous | Scenario::Redesign => false,
            Scenario::Outliers | Scenario::OutliersAndRedesign => true,
            _ => rng.f64() < 0.4,
        };
        if is_noisy {
            course.outliers = Outliers::any(rng);
        }
        course.go(scenario, rng);
        course
    }

    fn go(&mut self, scenario: Scenario, rng: &mut Rng) {
        match scenario {
            Scenario::Homogeneous | Scenario::Outliers => {}
            Scenario::Redesign | Scenario::OutliersAndRedesign => {
                let at = self.place(rng);
                self.redesign(at, rng);
                if self.length - at > 60 && rng.f64() < 0.3 {
                    self.redesign(rng.usize(at + 25..self.length - 10), rng);
                }
            }
            Scenario::Close => {
                let mut at = rng.usize(FEWEST..self.length - 30);
                for _ in 0..rng.usize(2..5) {
                    self.redesign(at, rng);
                    at = (at + rng.usize(6..20)).min(self.length - 6);
                    if self.events.iter().any(|event| event.first == at) {
                        break;
                    }
                }
            }
            Scenario::Upgrade => {
                let at = self.place(rng);
                let design = self.newest().upgraded(rng);
                self.shift(EventKind::Upgrade, at, design);
            }
            Scenario::Extension => {
                let mut at = self.place(rng);
                for _ in 0..rng.usize(1..4) {
                    if at + 6 > self.length {
                        break;
                    }
                    let design = self.newest().extended(rng);
                    self.shift(EventKind::Extension, at, design);
                    at += rng.usize(10..60);
                }
            }
            Scenario::Rollback => {
                let at = rng.usize(FEWEST..self.length / 2);
                let older = self.newest().clone();
                self.redesign(at, rng);
                let lasting = rng.usize(12..21);
                self.shift(EventKind::Rollback, (at + lasting).min(self.length - 5), older);
            }
            Scenario::Campaign => {
                let at = rng.usize(FEWEST..self.length - 15);
                let documents = at..at + rng.usize(2..9);
                self.beside(EventKind::Campaign, documents, 1.0, rng);
            }
            Scenario::Section => {
                let at = rng.usize(FEWEST..self.length - 15);
                let share = 0.1 + 0.4 * rng.f64();
                self.beside(EventKind::Section, at..self.length, share, rng);
            }
        }
    }

    /// Where the first redesign is: anywhere, or very early.
    fn place(&self, rng: &mut Rng) -> usize {
        if rng.f64() < 0.2 { rng.usize(FEWEST..20) } else { rng.usize(FEWEST..self.length - 10) }
    }

    fn newest(&self) -> &Design {
        &self.designs[self.designs.len() - 1].1
    }

    fn redesign(&mut self, at: usize, rng: &mut Rng) {
        let design = self.newest().redesigned(rng);
        self.shift(EventKind::Redesign, at, design);
    }

    fn shift(&mut self, kind: EventKind, at: usize, design: Design) {
        self.designs.push((at, design));
        self.events.push(Event { kind, first: at, last: self.length - 1 });
    }

    fn beside(&mut self, kind: EventKind, documents: Range<usize>, share: f64, rng: &mut Rng) {
        self.events.push(Event { kind, first: documents.start, last: documents.end - 1 });
        self.aside = Some(Aside { documents, share, design: self.newest().redesigned(rng) });
    }

    /// The stream.
    pub(super) fn documents(&self, rng: &mut Rng) -> Vec<String> {
        (0..self.length).map(|number| self.document(number, rng)).collect()
    }

    fn document(&self, number: usize, rng: &mut Rng) -> String {
        // What the truth names is never an outlier.
        let is_named = self.events.iter().any(|event| event.first == number);
        if !is_named && let Some(outlier) = self.outliers.next(&self.habits, rng) {
            return outlier;
        }
        let begun = self.designs.iter().rev().find(|(first, _)| *first <= number);
        let usual = begun.map_or(&self.designs[0].1, |(_, design)| design);
        let design = match &self.aside {
            Some(aside) if aside.documents.contains(&number) && (is_named || rng.f64() < aside.share) => &aside.design,
            _ => usual,
        };
        design.document(&self.habits, rng)
    }
}
