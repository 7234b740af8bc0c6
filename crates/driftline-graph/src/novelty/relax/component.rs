//! The scores of a strongly connected component of pages, by Gauss–Seidel, lifted as a whole.
//!
//! What is slow in a component is its level, not its shape: each page is near the mean of the others, and the
//! level follows the few links from outside only slowly. So between two sweeps the whole component is lifted to the level
//! at which what comes in over all its links is what goes out (aggregation, as for nearly uncoupled Markov chains).
//! A component that does not settle so, because it is two that hang by a thread, or a long chain, is solved by
//! [elimination](super::eliminate) if that fits memory.

use super::super::fold::Folded;
use super::block::Links;
use super::eliminate::Equations;

/// Sweeps after which elimination is tried instead.
const SWEEPS: usize = 40;
/// Sweeps at most if it cannot be done; the next round goes on from there.
const MOST_SWEEPS: usize = 200;

/// Pages that all depend on each other.
#[derive(Debug, Default)]
pub(super) struct Component {
    scores: Vec<f64>,
    /// What links from outside count for, summed, and how many links there are in all.
    outside: Vec<f64>,
    in_links: Vec<f64>,
    /// Where the sources of each page end; sources by place in the component.
    ends: Vec<usize>,
    sources: Vec<u32>,
}

impl Component {
    /// Fills it with these pages of a block, whose first row is `first`.
    pub(super) fn gather(
        &mut self,
        system: &Folded,
        links: &Links,
        first: u32,
        group: &[u32],
        score: impl Fn(u32) -> f64,
    ) {
        self.scores.clear();
        self.outside.clear();
        self.in_links.clear();
        self.ends.clear();
        self.sources.clear();
        for &place in group {
            let row = first + place;
            let mut outside = f64::from(system.new_links[row as usize]);
            for &source in links.of(place) {
                match source.checked_sub(first).and_then(|place| group.binary_search(&place).ok()) {
                    Some(member) => self.sources.push(member as u32),
                    None => outside += score(source),
                }
            }
            self.ends.push(self.sources.len());
            self.outside.push(outside);
            self.in_links.push(f64::from(system.in_links[row as usize]));
            self.scores.push(score(row));
        }
    }

    /// Its scores, in the order of its pages.
    pub(super) fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Finds its scores; says whether they settled.
    pub(super) fn solve(&mut self, delta: f64, tolerance: f64) -> bool {
        if self.outside.iter().all(|&sum| sum == 0.0) {
            // No evidence comes in, and what they tell each other is no evidence.
            self.scores.fill(0.0);
            return true;
        }
        // A page cannot move by less than the last bit or two of its score.
        let enough = (tolerance / 8.0).max(f64::EPSILON);
        for sweep in 0..MOST_SWEEPS {
            if sweep == SWEEPS && self.eliminate(delta) {
                return true;
            }
            self.lift(delta);
            if self.sweep(delta) <= enough {
                return true;
            }
        }
        false
    }

    fn sources(&self, place: usize) -> &[u32] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.sources[start..self.ends[place]]
    }

    fn inside(&self, place: usize) -> f64 {
        self.sources(place).iter().map(|&source| self.scores[source as usize]).sum()
    }

    /// Raises or lowers all pages alike, so that over all links together the definition holds.
    fn lift(&mut self, delta: f64) {
        let (mut missing, mut leak) = (0.0, 0.0);
        for place in 0..self.scores.len() {
            missing +=
                (1.0 - delta) * (self.outside[place] + self.inside(place)) - self.in_links[place] * self.scores[place];
            leak += self.in_links[place] - (1.0 - delta) * self.sources(place).len() as f64;
        }
        let by = missing / leak;
        for score in &mut self.scores {
            *score = (*score + by).clamp(0.0, 1.0 - delta);
        }
    }

    /// One sweep of Gauss–Seidel; by how much a score moved at most.
    fn sweep(&mut self, delta: f64) -> f64 {
        let mut most = 0.0_f64;
        for place in 0..self.scores.len() {
            let value = (1.0 - delta) * ((self.outside[place] + self.inside(place)) / self.in_links[place]);
            most = most.max((value - self.scores[place]).abs());
            self.scores[place] = value;
        }
        most
    }

    /// Solves it at once; says whether that could be done.
    fn eliminate(&mut self, delta: f64) -> bool {
        let right = self.outside.iter().map(|outside| (1.0 - delta) * outside).collect();
        let sources = |place| self.sources(place);
        let equations = Equations { diagonal: &self.in_links, weight: 1.0 - delta, right, sources };
        let Some(scores) = equations.solve() else { return false };
        self.scores.clear();
        self.scores.extend(scores.into_iter().map(|score| score.clamp(0.0, 1.0 - delta)));
        true
    }
}
