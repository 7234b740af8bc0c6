//! Who depends on whom? Tarjan's strongly connected components of a block, those that others depend on first.

use std::ops::Range;

use super::block::Links;

/// The pages of a block in groups: a page that depends on another comes behind it, or is in one group with it.
#[derive(Debug, Default)]
pub(super) struct Order {
    places: Vec<u32>,
    ends: Vec<usize>,
    // Of the search; see `find`.
    low: Vec<u32>,
    open: Vec<u32>,
    path: Vec<Step>,
}

/// A page that is being looked at, and how many of its sources have been.
#[derive(Debug)]
struct Step {
    place: u32,
    number: u32,
    next: usize,
}

const NOT_SEEN: u32 = u32::MAX;
const DONE: u32 = u32::MAX - 1;

impl Order {
    /// Finds it. Iterative: a chain of links may be as long as the block.
    pub(super) fn find(&mut self, links: &Links, rows: &Range<u32>) {
        self.places.clear();
        self.ends.clear();
        self.low.clear();
        self.low.resize(rows.len(), NOT_SEEN);
        let mut number = 0;
        for place in 0..rows.len() as u32 {
            if self.low[place as usize] == NOT_SEEN {
                self.enter(place, &mut number);
                self.search(links, rows, &mut number);
            }
        }
    }

    /// Groups of pages, by place in the block, ascending within a group.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.places[start..end])
    }

    fn enter(&mut self, place: u32, number: &mut u32) {
        self.low[place as usize] = *number;
        self.open.push(place);
        self.path.push(Step { place, number: *number, next: 0 });
        *number += 1;
    }

    fn search(&mut self, links: &Links, rows: &Range<u32>, number: &mut u32) {
        while let Some(step) = self.path.last_mut() {
            let own = step.place as usize;
            let sources = links.of(step.place);
            if let Some(&source) = sources.get(step.next) {
                step.next += 1;
                if !rows.contains(&source) {
                    continue;
                }
                match self.low[(source - rows.start) as usize] {
                    NOT_SEEN => self.enter(source - rows.start, number),
                    DONE => (),
                    low => self.low[own] = self.low[own].min(low),
                }
                continue;
            }
            let (place, own_number) = (step.place, step.number);
            self.path.pop();
            let low = self.low[own];
            if low == own_number {
                self.close(place);
            } else if let Some(step) = self.path.last() {
                let above = &mut self.low[step.place as usize];
                *above = low.min(*above);
            }
        }
    }

    /// All that is open from this page on is one group.
    fn close(&mut self, place: u32) {
        let start = self.places.len();
        while let Some(member) = self.open.pop() {
            self.low[member as usize] = DONE;
            self.places.push(member);
            if member == place {
                break;
            }
        }
        self.places[start..].sort_unstable();
        self.ends.push(self.places.len());
    }
}
