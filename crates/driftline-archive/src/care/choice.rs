//! Which captures of a page go? Unchanged ones first; then the oldest versions, or those that changed least.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::retention::Retention;
use crate::Time;

/// A capture that may go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Its number in the catalog.
    pub id: i64,
    /// When it was captured.
    pub at: Time,
    /// How many bytes it takes.
    pub bytes: u64,
    /// Does it differ from the one before?
    pub is_version: bool,
    /// How much it differs from the version before, from 0 to 1.
    pub weight: f64,
}

/// Why a capture goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// It is older than the rule allows.
    TooOld,
    /// The page has more captures than that.
    TooMany,
    /// The page takes more bytes than that.
    TooLarge,
}

impl Reason {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TooOld => "too old",
            Self::TooMany => "too many",
            Self::TooLarge => "too large",
        }
    }
}

/// Which captures of a page go, given all of them in the order of time: their places in that order, and why.
/// One stays always.
#[must_use]
pub fn choose(captures: &[Candidate], rule: &Retention, now: Time) -> Vec<(usize, Reason)> {
    let mut gone: Vec<(usize, Reason)> = Vec::new();
    let is_old =
        |at: Time| rule.older_than.is_none_or(|age| now.microseconds().saturating_sub(at.microseconds()) > age.0);
    if rule.older_than.is_some() && !rule.thin {
        let old = captures.iter().take(captures.len().saturating_sub(1)).enumerate();
        gone.extend(old.filter(|(_, capture)| is_old(capture.at)).map(|(place, _)| (place, Reason::TooOld)));
    }
    let mut left = Left::of(captures, &gone);
    if left.reason(rule).is_none() {
        return gone;
    }
    // Thinning keeps the first version as long as a second one may stay beside it.
    let spared = (rule.thin && rule.keep != Some(1) && rule.most_bytes.is_none()).then_some(gone.len());
    let may_go = |place: usize| !rule.thin || is_old(captures[place].at) && spared != Some(place);
    let rest: Vec<usize> = (gone.len()..captures.len()).collect();
    let (versions, unchanged): (Vec<usize>, Vec<usize>) =
        rest.iter().partition(|&&place| place == gone.len() || captures[place].is_version);
    let order = if rule.thin { thinning(captures, &versions) } else { oldest_first(&versions) };
    for place in unchanged.into_iter().chain(order).filter(|&place| may_go(place)) {
        let Some(reason) = left.reason(rule) else { break };
        left.drop(&captures[place]);
        gone.push((place, reason));
    }
    gone.sort_unstable();
    gone
}

/// What is left of a page.
struct Left {
    count: u64,
    bytes: u64,
}

impl Left {
    fn of(captures: &[Candidate], gone: &[(usize, Reason)]) -> Self {
        let mut left = Self { count: captures.len() as u64, bytes: captures.iter().map(|own| own.bytes).sum() };
        gone.iter().for_each(|(place, _)| left.drop(&captures[*place]));
        left
    }

    fn drop(&mut self, capture: &Candidate) {
        self.count -= 1;
        self.bytes -= capture.bytes;
    }

    /// Why more has to go.
    fn reason(&self, rule: &Retention) -> Option<Reason> {
        if rule.keep.is_some_and(|most| self.count > most) {
            Some(Reason::TooMany)
        } else {
            rule.most_bytes.filter(|most| self.bytes > most.0).map(|_| Reason::TooLarge)
        }
    }
}

/// All but the latest.
fn oldest_first(versions: &[usize]) -> Vec<usize> {
    versions.split_last().map_or_else(Vec::new, |(_, rest)| rest.to_vec())
}

/// Smallest changes first; of equal ones, the one whose neighbours in time are nearest to each other, so that those
/// that stay lie evenly. The first version goes last, the latest never.
fn thinning(captures: &[Candidate], versions: &[usize]) -> Vec<usize> {
    let count = versions.len();
    if count < 2 {
        return Vec::new();
    }
    // A chain of those that are left: who is before and behind each.
    let mut before: Vec<usize> = (0..count).map(|own| own.saturating_sub(1)).collect();
    let mut behind: Vec<usize> = (1..=count).collect();
    let rank = |own: usize, before: &[usize], behind: &[usize]| {
        let capture = |place: usize| &captures[versions[place]];
        // Hundredths: what differs by less is equal to people.
        let weight = (capture(own).weight * 100.0).round() as i64;
        let gap = capture(behind[own]).at.distance(capture(before[own]).at);
        Reverse((weight, gap, own))
    };
    let mut heap: BinaryHeap<_> = (1..count - 1).map(|own| rank(own, &before, &behind)).collect();
    let mut order = Vec::with_capacity(count - 1);
    let mut is_gone = vec![false; count];
    while let Some(entry) = heap.pop() {
        let Reverse((_, _, own)) = entry;
        // An entry of before a neighbour went is out of date; a newer one is in the heap.
        if is_gone[own] || entry != rank(own, &before, &behind) {
            continue;
        }
        is_gone[own] = true;
        order.push(versions[own]);
        let (left, right) = (before[own], behind[own]);
        (behind[left], before[right]) = (right, left);
        for neighbour in [left, right] {
            if neighbour > 0 && neighbour < count - 1 {
                heap.push(rank(neighbour, &before, &behind));
            }
        }
    }
    order.push(versions[0]);
    order
}

#[cfg(test)]
mod tests {
    use super::super::retention::{Age, Size};
    use super::*;

    const DAY: i64 = 86_400_000_000;

    /// One capture a day of 10 bytes; `weights` below zero are unchanged.
    fn page(weights: &[f64]) -> Vec<Candidate> {
        let candidate = |(day, &weight): (i64, &f64)| Candidate {
            id: day,
            at: Time::from_microseconds(day * DAY),
            bytes: 10,
            is_version: weight >= 0.0,
            weight,
        };
        (0..).zip(weights).map(candidate).collect()
    }

    fn gone(weights: &[f64], rule: &Retention) -> Vec<usize> {
        let now = Time::from_microseconds(i64::try_from(weights.len()).unwrap() * DAY);
        choose(&page(weights), rule, now).into_iter().map(|(place, _)| place).collect()
    }

    fn keep(count: u64) -> Retention {
        Retention { keep: Some(count), ..Retention::default() }
    }

    #[test]
    fn unchanged_captures_go_before_any_version() {
        let weights = [0.0, -1.0, 0.5, -1.0, 0.1, -1.0];
        assert_eq!(gone(&weights, &keep(6)), [0_usize; 0]);
        assert_eq!(gone(&weights, &keep(4)), [1, 3]);
        assert_eq!(gone(&weights, &keep(2)), [0, 1, 3, 5]);
        assert_eq!(gone(&weights, &keep(1)), [0, 1, 2, 3, 5]);
    }

    #[test]
    fn thinning_keeps_the_first_the_latest_and_the_largest_changes() {
        let thin = |count| Retention { thin: true, ..keep(count) };
        let weights = [0.0, 0.2, 0.9, 0.1, 0.5, 0.05];
        assert_eq!(gone(&weights, &thin(4)), [1, 3]);
        assert_eq!(gone(&weights, &thin(3)), [1, 3, 4]);
        assert_eq!(gone(&weights, &thin(1)), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn equal_changes_are_thinned_evenly_in_time() {
        let rule = Retention { thin: true, ..keep(5) };
        let gone = gone(&[0.3; 9], &rule);
        let left: Vec<usize> = (0..9).filter(|place| !gone.contains(place)).collect();
        assert_eq!(left, [0, 2, 4, 6, 8]);
    }

    #[test]
    fn age_and_bytes_are_limits_of_their_own() {
        let old = Retention { older_than: Some(Age(2 * DAY)), ..Retention::default() };
        assert_eq!(gone(&[0.0, 0.1, 0.1, -1.0, 0.1], &old), [0, 1, 2]);
        let ancient = Retention { older_than: Some(Age(1)), ..Retention::default() };
        assert_eq!(gone(&[0.0, 0.1, 0.1], &ancient), [0, 1]);
        let small = Retention { most_bytes: Some(Size(25)), ..Retention::default() };
        assert_eq!(gone(&[0.0, 0.1, -1.0, 0.1], &small), [0, 2]);
        let tiny = Retention { most_bytes: Some(Size(0)), ..Retention::default() };
        assert_eq!(gone(&[0.0], &tiny), [0_usize; 0]);
    }

    #[test]
    fn thinning_spares_what_is_young() {
        let rule = Retention { older_than: Some(Age(3 * DAY)), thin: true, ..keep(2) };
        assert_eq!(gone(&[0.0, 0.1, 0.2, 0.3, 0.4, 0.5], &rule), [1, 2]);
    }

    #[test]
    fn a_hundred_thousand_versions_are_thinned_at_once() {
        let weights: Vec<f64> = (0..100_000).map(|number| f64::from(number % 7) / 10.0).collect();
        let rule = Retention { thin: true, ..keep(10) };
        let gone = gone(&weights, &rule);
        assert_eq!(gone.len(), weights.len() - 10);
        assert!(!gone.contains(&0) && !gone.contains(&(weights.len() - 1)));
    }
}
