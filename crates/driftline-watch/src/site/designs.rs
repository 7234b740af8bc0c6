//! The designs that a site had, each by some of its documents, and pages that return to an earlier one.
//!
//! A page returns if its version before is of the present design and its new one is like a document of an earlier
//! design. When two pages did so within a week, the earlier design is the present one again.

use std::collections::VecDeque;

use driftline::span::Span;
use driftline::time::Time;
use serde::{Deserialize, Serialize};

/// The most designs that are remembered, the present one included.
const MOST_DESIGNS: usize = 5;
/// The most documents of one design that are remembered.
const MOST_CAPTURES: usize = 16;
/// The least similarity of a document to one of a design that it is of.
const ALIKE: f64 = 0.7;
/// The number of pages that must return to an earlier design.
const ENOUGH_PAGES: usize = 2;
/// The most pages that are counted.
const MOST_PAGES: usize = 100;
/// The time within which they must return.
const SPREAD: Span = Span::from_seconds(7 * 24 * 60 * 60);

/// A design of a site.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Design {
    /// Documents of it, by their numbers in the catalog.
    pub(super) captures: VecDeque<i64>,
    /// When the last document of it was captured.
    pub(super) last: Option<Time>,
}

/// The designs of a site, the present one last.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Designs {
    known: VecDeque<Design>,
    returning: Option<Returning>,
}

/// Pages that return to an earlier design.
#[derive(Debug, Serialize, Deserialize)]
struct Returning {
    /// The place of that design; none if it is the present one by now.
    design: Option<usize>,
    /// The first document, by its number in the stream.
    document: usize,
    since: Time,
    pages: Vec<String>,
}

/// An earlier design that is the present one again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Restored {
    /// The first document, by its number in the stream.
    pub(super) document: usize,
    /// When that was captured.
    pub(super) since: Time,
    /// When the design was seen last before that.
    pub(super) last: Option<Time>,
    /// How sure it is.
    pub(super) certainty: f64,
    /// Whether it was known before.
    pub(super) is_known: bool,
}

/// A document, by what it is like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sighting<'a> {
    pub(super) capture: i64,
    /// Its number in the stream.
    pub(super) document: usize,
    pub(super) at: Time,
    pub(super) url: &'a str,
    /// The design of the version before, if it was of another template.
    pub(super) from: Option<usize>,
    /// Its own design.
    pub(super) to: Option<usize>,
}

impl Design {
    /// A design by its documents, the newest last.
    pub(super) fn of(documents: impl DoubleEndedIterator<Item = (i64, Time)>) -> Self {
        let mut design = Self::default();
        for (capture, at) in documents.rev().take(MOST_CAPTURES) {
            design.captures.push_front(capture);
            design.last = design.last.max(Some(at));
        }
        design
    }
}

impl Designs {
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The place of the present design.
    pub(super) fn present(&self) -> Option<usize> {
        self.known.len().checked_sub(1)
    }

    /// Whether the present design is an earlier one that came back.
    pub(super) fn is_restored(&self) -> bool {
        self.returning.as_ref().is_some_and(|returning| returning.design.is_none())
    }

    /// The place of the design that a document is of; `similarity` compares the document with those of a design.
    pub(super) fn find<E>(
        &self,
        mut similarity: impl FnMut(&VecDeque<i64>) -> Result<f64, E>,
    ) -> Result<Option<usize>, E> {
        let mut most: Option<(usize, f64)> = None;
        for (place, design) in self.known.iter().enumerate().rev() {
            let similarity = similarity(&design.captures)?;
            if similarity >= ALIKE && most.is_none_or(|(_, most)| similarity > most) {
                most = Some((place, similarity));
            }
        }
        Ok(most.map(|(place, _)| place))
    }

    /// Another design takes the place of the present one.
    pub(super) fn replace(&mut self, older: Design, newer: Design) {
        // Newer documents are kept longer.
        self.known.pop_back();
        self.known.extend([older, newer]);
        let surplus = self.known.len().saturating_sub(MOST_DESIGNS);
        self.known.drain(..surplus);
        self.returning = None;
    }

    /// Notes a document. The answer is the design that is restored, with every further page that returns to it.
    pub(super) fn note(&mut self, sighting: Sighting<'_>) -> Option<Restored> {
        let (present, to) = (self.present()?, sighting.to?);
        let comes_from = |place: usize| sighting.from.is_some_and(|from| from == place);
        if to == present {
            self.add(sighting);
            let is_late = self.is_restored() && sighting.from.is_some();
            return if is_late && !comes_from(present) { self.count(None, sighting) } else { None };
        }
        if comes_from(present) { self.count(Some(to), sighting) } else { None }
    }

    /// A further document of the present design.
    fn add(&mut self, sighting: Sighting<'_>) {
        if let Some(design) = self.known.back_mut() {
            design.last = design.last.max(Some(sighting.at));
            if design.captures.len() < MOST_CAPTURES && !design.captures.contains(&sighting.capture) {
                design.captures.push_back(sighting.capture);
            }
        }
    }

    fn count(&mut self, design: Option<usize>, sighting: Sighting<'_>) -> Option<Restored> {
        let is_current = |it: &Returning| {
            it.design == design && it.since.distance(sighting.at) <= SPREAD.microseconds().unsigned_abs()
        };
        if !self.returning.as_ref().is_some_and(is_current) {
            let Sighting { document, at: since, .. } = sighting;
            // Pages that follow a week later are changes of their own.
            design?;
            self.returning = Some(Returning { design, document, since, pages: Vec::new() });
        }
        let returning = self.returning.as_mut()?;
        if returning.pages.len() < MOST_PAGES && !returning.pages.iter().any(|page| page == sighting.url) {
            returning.pages.push(sighting.url.to_owned());
        }
        let count = returning.pages.len();
        if design.is_some() && count < ENOUGH_PAGES {
            return None;
        }
        let (document, since) = (returning.document, returning.since);
        returning.design = None;
        let mut last = None;
        if let Some(design) = design.and_then(|place| self.known.remove(place)) {
            last = design.last;
            self.known.push_back(design);
            self.add(sighting);
        }
        // The rule of succession: each page that returned speaks for it.
        let certainty = (count + 1) as f64 / (count + 2) as f64;
        Some(Restored { document, since, last, certainty, is_known: design.is_none() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(hours: i64) -> Time {
        Time::from_microseconds(hours * 3_600_000_000)
    }

    /// Designs a (captures from 0) and b (captures from 10), which is the present one.
    fn designs() -> Designs {
        let mut designs = Designs::default();
        let of = |first: i64| Design::of((first..first + 3).map(|at| (at, time(at))));
        designs.replace(of(0), of(10));
        designs
    }

    fn sighting(url: &str, hour: u32, from: Option<usize>, to: Option<usize>) -> Sighting<'_> {
        let at = i64::from(hour);
        Sighting { capture: 100 + at, document: hour as usize, at: time(at), url, from, to }
    }

    #[test]
    fn two_pages_that_return_restore_a_design() {
        let mut designs = designs();
        assert_eq!(designs.note(sighting("x", 20, Some(1), Some(0))), None);
        let restored = designs.note(sighting("y", 21, Some(1), Some(0))).unwrap();
        assert_eq!((restored.document, restored.since, restored.last), (20, time(20), Some(time(2))));
        assert!(!restored.is_known);
        // The restored design is the last one from now on.
        let further = designs.note(sighting("z", 22, Some(0), Some(1))).unwrap();
        assert!(further.is_known && further.certainty > restored.certainty);
    }

    #[test]
    fn one_page_that_returns_twice_restores_nothing() {
        let mut designs = designs();
        assert_eq!(designs.note(sighting("x", 20, Some(1), Some(0))), None);
        assert_eq!(designs.note(sighting("x", 21, Some(1), Some(0))), None);
    }

    #[test]
    fn pages_that_never_left_a_design_do_not_restore_it() {
        let mut designs = designs();
        for url in ["x", "y", "z"] {
            assert_eq!(designs.note(sighting(url, 20, Some(0), Some(0))), None);
            assert_eq!(designs.note(sighting(url, 21, None, Some(0))), None);
        }
    }

    #[test]
    fn pages_that_return_weeks_apart_restore_nothing() {
        let mut designs = designs();
        assert_eq!(designs.note(sighting("x", 20, Some(1), Some(0))), None);
        assert_eq!(designs.note(sighting("y", 20 + 8 * 24, Some(1), Some(0))), None);
    }

    #[test]
    fn the_design_of_a_document_is_the_one_that_it_is_most_like() {
        let designs = designs();
        let find = |a: f64, b: f64| {
            let similarity = |captures: &VecDeque<i64>| Ok::<_, ()>(if captures.contains(&0) { a } else { b });
            designs.find(similarity).unwrap()
        };
        assert_eq!((find(0.9, 0.8), find(0.9, 0.9), find(0.2, 0.6)), (Some(0), Some(1), None));
    }
}
