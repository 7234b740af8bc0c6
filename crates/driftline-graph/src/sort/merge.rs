//! Which of many sorted runs has the smallest head? A tournament: one comparison a round, and only of the last winner's
//! rounds (Knuth, volume 3, 5.4.1: a tree of losers).

use std::io;

/// Something sorted that is read from its head on.
pub(crate) trait Run {
    /// What runs are compared by.
    type Head: Ord + ?Sized;
    /// The next of it, if any is left.
    fn head(&self) -> Option<&Self::Head>;
    /// On to the one after.
    fn advance(&mut self) -> io::Result<()>;
}

/// Many sorted runs as one.
#[derive(Debug)]
pub(crate) struct Merge<R> {
    runs: Vec<R>,
    /// Who lost the round at each inner node of the tree; who won all is at 0.
    losers: Vec<u32>,
}

impl<R: Run> Merge<R> {
    pub(crate) fn new(runs: Vec<R>) -> Self {
        let count = runs.len();
        let mut merge = Self { runs, losers: vec![0; count.max(1)] };
        // Leaves are the nodes from `count` on; each node's winner plays on above it.
        let mut winners: Vec<u32> = (0..2 * count).map(|node| node.saturating_sub(count) as u32).collect();
        for node in (1..count).rev() {
            let (one, other) = (winners[2 * node], winners[2 * node + 1]);
            let is_first = merge.beats(one, other);
            (winners[node], merge.losers[node]) = if is_first { (one, other) } else { (other, one) };
        }
        merge.losers[0] = winners.get(1).copied().unwrap_or(0);
        merge
    }

    /// The smallest head of all.
    pub(crate) fn head(&self) -> Option<&R::Head> {
        self.runs.get(self.winner())?.head()
    }

    /// The place of the run whose head that is; of several, the first.
    pub(crate) fn winner(&self) -> usize {
        self.losers[0] as usize
    }

    /// That run; its head stays as it is.
    pub(crate) fn first(&mut self) -> &mut R {
        let winner = self.winner();
        &mut self.runs[winner]
    }

    /// Past the smallest head.
    pub(crate) fn advance(&mut self) -> io::Result<()> {
        let mut winner = self.losers[0];
        self.runs[winner as usize].advance()?;
        let mut node = usize::midpoint(self.runs.len(), winner as usize);
        while node > 0 {
            if self.beats(self.losers[node], winner) {
                std::mem::swap(&mut self.losers[node], &mut winner);
            }
            node /= 2;
        }
        self.losers[0] = winner;
        Ok(())
    }

    fn beats(&self, one: u32, other: u32) -> bool {
        match (self.runs[one as usize].head(), self.runs[other as usize].head()) {
            (Some(head), Some(against)) => head.cmp(against).then(one.cmp(&other)).is_lt(),
            (head, against) => head.is_some() && against.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use proptest::prelude::*;

    use super::{Merge, Run};

    impl Run for std::collections::VecDeque<u8> {
        type Head = u8;
        fn head(&self) -> Option<&u8> {
            self.front()
        }
        fn advance(&mut self) -> io::Result<()> {
            self.pop_front();
            Ok(())
        }
    }

    proptest! {
        #[test]
        fn runs_come_out_in_order_and_equal_heads_in_the_order_of_runs(
            mut runs in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..10), 0..20),
        ) {
            runs.iter_mut().for_each(|run| run.sort_unstable());
            let numbered = runs.iter().enumerate().flat_map(|(run, all)| all.iter().map(move |head| (*head, run)));
            let mut expected: Vec<_> = numbered.collect();
            expected.sort_unstable();
            let mut merge = Merge::new(runs.into_iter().map(std::collections::VecDeque::from).collect());
            let mut merged = Vec::new();
            while let Some(head) = merge.head().copied() {
                merged.push((head, merge.winner()));
                merge.advance().unwrap();
            }
            prop_assert_eq!(merged, expected);
        }
    }
}
