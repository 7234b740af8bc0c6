//! How are more links sorted than memory holds? In runs, which are merged.
//!
//! A link is one number of 64 bits, its nodes one after the other, so that numbers sort as links do. Each thread
//! fills a [`Buffer`]; a full one is sorted and goes to a file of its own, as differences of a few bytes each. What fits
//! into the budget never touches the disk. If there are more runs than can be read at once, they are merged into
//! longer ones first.

mod merge;
mod run;
pub(crate) mod varint;

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

pub(crate) use merge::{Merge, Run};
use run::{READ_BUFFER, Stored};

/// So many files are read at once at most: a process may open 256 on some systems, and writes some meanwhile.
pub(crate) const MOST_RUNS: usize = 100;

/// Sorts numbers of 64 bits within a budget of memory, each kept once.
#[derive(Debug)]
pub(crate) struct Sorter {
    folder: PathBuf,
    /// How many numbers a buffer holds.
    share: usize,
    fan_in: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Buffers that nobody fills at the moment.
    idle: Vec<Vec<u64>>,
    spilled: VecDeque<(TempPath, u64)>,
}

/// What one thread puts in.
#[derive(Debug)]
pub(crate) struct Buffer<'a> {
    sorter: &'a Sorter,
    numbers: Vec<u64>,
}

/// All numbers in order, each once.
#[derive(Debug)]
pub(crate) struct Sorted {
    merge: Merge<Stored>,
    /// Files that are still read; they go when this goes.
    _files: Vec<TempPath>,
}

impl Sorter {
    /// Files go into `folder`; so many threads put numbers in at once, and all of it takes so many bytes.
    #[must_use]
    pub(crate) fn new(folder: &Path, budget: usize, writers: usize) -> Self {
        let writers = writers.max(1);
        Self {
            folder: folder.to_owned(),
            // One half for buffers, one half to read runs.
            share: (budget / 2 / writers / size_of::<u64>()).max(2),
            fan_in: (budget / 2 / READ_BUFFER).clamp(2, MOST_RUNS),
            state: Mutex::default(),
        }
    }

    /// A buffer to put numbers in. No more of them at once than there are writers.
    #[must_use]
    pub(crate) fn buffer(&self) -> Buffer<'_> {
        let numbers = self.state().idle.pop().unwrap_or_default();
        Buffer { sorter: self, numbers }
    }

    /// All that was put in, once each buffer was dropped.
    ///
    /// # Errors
    /// If a run cannot be written or read.
    pub(crate) fn sorted(self) -> io::Result<Sorted> {
        let State { mut idle, mut spilled } = std::mem::take(&mut *self.state());
        idle.iter_mut().for_each(sort);
        while spilled.len() > self.fan_in {
            let group: Vec<_> = spilled.drain(..self.fan_in).collect();
            spilled.push_back(run::write(&self.folder, merged(group, Vec::new())?)?);
        }
        merged(spilled, idle)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Several writers sort side by side, so each does it alone.
fn sort(numbers: &mut Vec<u64>) {
    numbers.sort_unstable();
    numbers.dedup();
}

fn merged(files: impl IntoIterator<Item = (TempPath, u64)>, memory: Vec<Vec<u64>>) -> io::Result<Sorted> {
    let mut kept = Vec::new();
    let mut runs = memory.into_iter().map(|numbers| Ok(Stored::memory(numbers))).collect::<io::Result<Vec<_>>>()?;
    for (path, count) in files {
        runs.push(Stored::file(&path, count)?);
        kept.push(path);
    }
    Ok(Sorted { merge: Merge::new(runs), _files: kept })
}

impl Buffer<'_> {
    /// Puts a number in.
    ///
    /// # Errors
    /// If the buffer is full and cannot be written.
    pub(crate) fn push(&mut self, number: u64) -> io::Result<()> {
        if self.numbers.len() == self.numbers.capacity() {
            self.make_room()?;
        }
        self.numbers.push(number);
        Ok(())
    }

    #[cold]
    fn make_room(&mut self) -> io::Result<()> {
        let (length, share) = (self.numbers.len(), self.sorter.share);
        if length < share {
            self.numbers.reserve_exact(length.max(1 << 10).min(share - length));
            return Ok(());
        }
        sort(&mut self.numbers);
        let run = run::write(&self.sorter.folder, self.numbers.iter().copied().map(Ok))?;
        self.numbers.clear();
        self.sorter.state().spilled.push_back(run);
        Ok(())
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        self.sorter.state().idle.push(std::mem::take(&mut self.numbers));
    }
}

impl Iterator for Sorted {
    type Item = io::Result<u64>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = *self.merge.head()?;
        while self.merge.head() == Some(&number) {
            if let Err(error) = self.merge.advance() {
                return Some(Err(error));
            }
        }
        Some(Ok(number))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use proptest::prelude::*;

    use super::Sorter;

    fn sort_parts(parts: &[Vec<u64>], budget: usize) -> (Vec<u64>, usize) {
        let folder = tempfile::tempdir().unwrap();
        let sorter = Sorter::new(folder.path(), budget, 2);
        for part in parts {
            let mut buffer = sorter.buffer();
            part.iter().for_each(|number| buffer.push(*number).unwrap());
        }
        let spilled = sorter.state().spilled.len();
        let numbers = sorter.sorted().unwrap().map(Result::unwrap).collect();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "files are left behind");
        (numbers, spilled)
    }

    proptest! {
        #[test]
        fn numbers_are_sorted_and_distinct_whatever_the_budget(
            parts in prop::collection::vec(prop::collection::vec(prop_oneof![any::<u64>(), 0..50_u64], 0..120), 0..6),
            budget in 0..3_000_usize,
        ) {
            let expected: Vec<u64> = parts.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
            prop_assert_eq!(sort_parts(&parts, budget).0, expected);
        }
    }

    #[test]
    fn what_fits_into_memory_never_touches_the_disk() {
        let parts: Vec<Vec<u64>> =
            (0..4).map(|part| (0..1_000).rev().map(|number| number * 4 + part).collect()).collect();
        let (sorted, spilled) = sort_parts(&parts, 1 << 20);
        assert!(sorted.into_iter().eq(0..4_000));
        assert_eq!(spilled, 0);
    }

    #[test]
    fn too_many_runs_are_merged_in_several_passes() {
        // Buffers of two numbers, and two runs at once: 500 runs in nine passes.
        let numbers: Vec<u64> = (0..1_000).map(|number| number * 7_919 % 1_000).collect();
        let (sorted, spilled) = sort_parts(&[numbers], 0);
        assert!(sorted.into_iter().eq(0..1_000));
        assert!(spilled > 400, "{spilled}");
    }
}
