//! The two indices of an address, which must not be confused: its node in one snapshot, and its number in the series.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The rank of an address among those of one snapshot, in the order of hosts, from 0.
///
/// It means nothing in another snapshot: there the address has another node, or none, and the same [`Number`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Node(u32);

/// The number that an address keeps over all snapshots of its series, from 0 in the order in which addresses became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
#[repr(transparent)]
pub struct Number(u32);

impl Node {
    /// The node of this rank.
    #[must_use]
    #[inline]
    pub const fn new(rank: u32) -> Self {
        Self(rank)
    }

    /// Its rank.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Its rank, as the index of a slice that has an item for each node.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The node after it.
    #[must_use]
    #[inline]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The nodes of a range, in order.
    #[inline]
    pub fn range(range: Range<Self>) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (range.start.0..range.end.0).map(Self)
    }

    /// The first nodes, this many: all nodes of a snapshot that has no more.
    #[must_use]
    #[inline]
    pub fn first(count: u32) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        Self::range(Self(0)..Self(count))
    }

    /// The first nodes, this many, in ranges of equal length; the last one may be shorter.
    pub(crate) fn ranges(count: u32, length: u32) -> impl ExactSizeIterator<Item = Range<Self>> {
        let starts = (0..count).step_by(length as usize);
        starts.map(move |start| Self(start)..Self(count.min(start.saturating_add(length))))
    }
}

impl Number {
    /// This number.
    #[must_use]
    #[inline]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// It as an integer; so many numbers were given out before it.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// It as the index of a slice that has an item for each number.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number this many places after it; none if 32 bits cannot hold it.
    #[must_use]
    #[inline]
    pub const fn checked_add(self, places: u32) -> Option<Self> {
        match self.0.checked_add(places) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// How many places it is after another one, which is not after it.
    #[must_use]
    #[inline]
    pub const fn since(self, first: Self) -> u32 {
        self.0 - first.0
    }
}

impl fmt::Display for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_all_nodes_once() {
        for (count, length) in [(0, 3), (1, 3), (6, 3), (7, 3), (u32::MAX, u32::MAX)] {
            let ranges: Vec<_> = Node::ranges(count, length).collect();
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start), "{ranges:?}");
            let lengths = ranges.iter().map(|range| range.end.get() - range.start.get());
            assert_eq!(lengths.sum::<u32>(), count, "{ranges:?}");
        }
        assert!(Node::first(3).eq([0, 1, 2].map(Node::new)));
    }
}
