//! What makes a page old? The paper's three rules, over all snapshots so far.

use crate::Series;
use crate::snapshot::{Direction, Node, Number, Snapshot};

use super::classes::{Before, Facts};
use super::{Classes, NoveltyError};

/// Which of the paper's rules make a page old.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rules {
    /// All three.
    #[default]
    All,
    /// Only the first, that it was seen before: Last-Modified is kept for the miss rate (section 4.6).
    SeenBefore,
}

/// The class of every page of the `place`-th snapshot of a series (from 0, in the order of time).
///
/// # Errors
/// If it is the first, or there is none, or its files cannot be read.
pub fn classify(series: &Series, place: usize, rules: Rules) -> Result<Classes, NoveltyError> {
    let (snapshot, earlier) = at(series, place)?;
    let Some(previous) = earlier.last() else {
        return Err(NoveltyError::First { at: snapshot.at().digits() });
    };
    let seen = Numbers::of(series.next_number(), earlier, |_, _| true);
    let crawled_last_time = Numbers::of(series.next_number(), std::slice::from_ref(previous), Snapshot::is_crawled);
    let facts = |node: Node| {
        let number = snapshot.number(node);
        let before = match (crawled_last_time.contains(number), seen.contains(number)) {
            (true, _) => Before::CrawledLastTime,
            (false, true) => Before::Seen,
            (false, false) => Before::Unknown,
        };
        let is_unmodified =
            rules == Rules::All && snapshot.last_modified(node).is_some_and(|time| time < previous.at());
        Facts { is_crawled: snapshot.is_crawled(node), before, is_unmodified }
    };
    Ok(Classes::judge(snapshot.links(Direction::In)?, facts))
}

/// A snapshot and those before it: none of them is damaged.
pub(super) fn at(series: &Series, place: usize) -> Result<(&Snapshot, &[Snapshot]), NoveltyError> {
    let snapshots = series.snapshots();
    let missing = NoveltyError::Missing { place, count: snapshots.len() };
    let snapshot = snapshots.get(place).ok_or(missing)?;
    if let Some(damage) = series.damaged().iter().find(|damage| damage.at < snapshot.at()) {
        return Err(damage.clone().into());
    }
    snapshots[..=place].iter().try_for_each(|snapshot| series.verify(snapshot))?;
    Ok((snapshot, &snapshots[..place]))
}

/// Addresses, by the number that each keeps over all snapshots: a bit each.
pub(super) struct Numbers(Vec<u64>);

impl Numbers {
    pub(super) fn of(end: Number, snapshots: &[Snapshot], is_meant: impl Fn(&Snapshot, Node) -> bool) -> Self {
        let mut bits = vec![0_u64; end.get().div_ceil(64) as usize];
        for snapshot in snapshots {
            for (node, &number) in Node::first(snapshot.nodes()).zip(snapshot.numbers()) {
                if let Some(word) = bits.get_mut(number.index() / 64).filter(|_| is_meant(snapshot, node)) {
                    *word |= 1 << (number.get() % 64);
                }
            }
        }
        Self(bits)
    }

    pub(super) fn contains(&self, number: Number) -> bool {
        self.0.get(number.index() / 64).is_some_and(|word| word >> (number.get() % 64) & 1 == 1)
    }
}
