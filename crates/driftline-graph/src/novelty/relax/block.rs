//! How are two blocks solved? Unpacked once, then their pages in the order of who depends on whom.

use std::io;
use std::ops::Range;

use super::super::codes::Rows;
use super::super::fold::Folded;
use super::super::jacobi::score;
use super::super::store::Block;
use super::component::Component;
use super::order::Order;

/// Scores as a lane sees them: its own of now, the others' of the round before.
pub(super) struct Scores<'a> {
    pub(super) all: &'a [f64],
    pub(super) own: &'a mut [f64],
    pub(super) first: u32,
}

impl Scores<'_> {
    fn get(&self, row: u32) -> f64 {
        let own = row.wrapping_sub(self.first) as usize;
        self.own.get(own).copied().unwrap_or_else(|| self.all[row as usize])
    }

    fn own(&mut self, row: u32) -> &mut f64 {
        &mut self.own[(row - self.first) as usize]
    }
}

/// By how much scores moved.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moved {
    pub(super) most: f64,
    pub(super) sum: f64,
    /// Whether some were left before they settled.
    pub(super) is_open: bool,
}

/// Blocks unpacked: room that is used again for the next one.
#[derive(Debug, Default)]
pub(super) struct Room {
    bytes: Vec<u8>,
    rows: Range<u32>,
    links: Links,
    order: Order,
    component: Component,
}

/// Sources of each row of the blocks, from these and from others.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Where the sources of each row end.
    ends: Vec<usize>,
    sources: Vec<u32>,
}

impl Links {
    /// The sources of the n-th row.
    pub(super) fn of(&self, place: u32) -> &[u32] {
        let place = place as usize;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.sources[start..self.ends[place]]
    }
}

impl Room {
    /// Unpacks some blocks in a row.
    pub(super) fn read(&mut self, system: &Folded, blocks: &[Block]) -> io::Result<()> {
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return Ok(()) };
        self.rows = first.rows.start..last.rows.end;
        let Links { ends, sources } = &mut self.links;
        ends.clear();
        sources.clear();
        for block in blocks {
            let mut rows = Rows::new(system.store.read(block, &mut self.bytes)?, block.rows.start);
            let mut begin = sources.len();
            while let Some(row) = rows.next(|source| sources.push(source)) {
                ends.resize((row - self.rows.start) as usize, begin);
                ends.push(sources.len());
                begin = sources.len();
            }
            ends.resize((block.rows.end - self.rows.start) as usize, begin);
        }
        self.order.find(&self.links, &self.rows);
        Ok(())
    }

    /// The other blocks that it reads from; `own` is one of its own.
    pub(super) fn reads(&self, blocks: &[Block], own: usize) -> Vec<u32> {
        let of = |source: u32| blocks.partition_point(|block| block.rows.end <= source) as u32;
        let mut reads = Vec::new();
        let mut last = own as u32;
        for &source in self.links.sources.iter().filter(|source| !self.rows.contains(source)) {
            if !blocks[last as usize].rows.contains(&source) {
                last = of(source);
                reads.push(last);
            }
        }
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    /// Solves it for what it reads.
    pub(super) fn solve(&mut self, system: &Folded, delta: f64, tolerance: f64, scores: &mut Scores<'_>) -> Moved {
        let mut moved = Moved::default();
        for group in self.order.groups() {
            if let &[place] = group {
                let (row, sources) = (self.rows.start + place, self.links.of(place));
                if !sources.is_empty() {
                    let sum: f64 = sources.iter().map(|&source| scores.get(source)).sum();
                    let new = f64::from(system.new_links[row as usize]);
                    moved.to(scores.own(row), score(delta, new + sum, system.in_links[row as usize]));
                }
                continue;
            }
            self.component.gather(system, &self.links, self.rows.start, group, |row| scores.get(row));
            moved.is_open |= !self.component.solve(delta, tolerance);
            for (&place, &value) in group.iter().zip(self.component.scores()) {
                moved.to(scores.own(self.rows.start + place), value);
            }
        }
        moved
    }
}

impl Moved {
    fn to(&mut self, score: &mut f64, value: f64) {
        let change = (value - *score).abs();
        self.most = self.most.max(change);
        self.sum += change;
        *score = value;
    }
}
