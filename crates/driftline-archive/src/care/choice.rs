//! Which captures of a page go? Unchanged ones first; then the oldest versions, or those that changed least.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

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
    /// Whether it is a page, and not an error or a redirect.
    pub is_page: bool,
    /// Does it differ from the one before?
    pub is_version: bool,
    /// How much it differs from the version before, from 0 to 1.
    pub weight: f64,
    /// Whether it has to stay, whatever the rule.
    pub protection: Protection,
}

/// Whether a capture has to stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Protection {
    /// It may go.
    #[default]
    None,
    /// An event shows it: it stays, unless the rule says otherwise.
    Reported,
    /// A watch needs it: it stays.
    Needed,
}

impl Candidate {
    fn may_go(&self, rule: &Retention) -> bool {
        match self.protection {
            Protection::None => true,
            Protection::Reported => rule.reported_too,
            Protection::Needed => false,
        }
    }
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

/// Which captures of a page go by all of these rules, given all of them in the order of time: their places in that order,
/// and why. `versions` says which of those that are left differ from the one before, given their places: what is between
/// two equal ones may go. So it is decided again until nothing more goes, and what is left is what the rules leave.
#[must_use]
pub fn decide(
    captures: &[Candidate],
    rules: &[&Retention],
    now: Time,
    versions: &dyn Fn(&[usize]) -> Vec<bool>,
) -> Vec<(usize, Reason)> {
    let mut left: Vec<usize> = (0..captures.len()).collect();
    let mut gone = BTreeMap::new();
    loop {
        let of_place = |(&place, is_version)| Candidate { is_version, ..captures[place] };
        let there: Vec<Candidate> = left.iter().zip(versions(&left)).map(of_place).collect();
        let mut chosen = rules.iter().map(|rule| choose(&there, rule, now));
        let mut common: BTreeMap<usize, Reason> = chosen.next().unwrap_or_default().into_iter().collect();
        for other in chosen {
            let other: HashSet<usize> = other.into_iter().map(|(own, _)| own).collect();
            common.retain(|own, _| other.contains(own));
        }
        if common.is_empty() {
            return gone.into_iter().collect();
        }
        gone.extend(common.iter().map(|(own, reason)| (left[*own], *reason)));
        left = (0..).zip(left).filter(|(own, _)| !common.contains_key(own)).map(|(_, place)| place).collect();
    }
}

/// What goes first, given all captures of a page in the order of time: what is too old, or else what is too much. The
/// latest version stays always, or an unchanged capture of it; so do protected captures, which count as well.
fn choose(captures: &[Candidate], rule: &Retention, now: Time) -> Vec<(usize, Reason)> {
    let mut gone: Vec<(usize, Reason)> = Vec::new();
    let is_old =
        |at: Time| rule.older_than.is_none_or(|age| now.microseconds().saturating_sub(at.microseconds()) > age.0);
    if rule.older_than.is_some() && !rule.thin {
        let latest = captures.iter().rposition(|capture| capture.is_page).unwrap_or(captures.len().saturating_sub(1));
        let old = captures.iter().enumerate().filter(|(place, capture)| *place != latest && is_old(capture.at));
        gone.extend(old.filter(|(_, capture)| capture.may_go(rule)).map(|(place, _)| (place, Reason::TooOld)));
    }
    let mut left = Left::of(captures);
    // Without the old ones, others are versions.
    if !gone.is_empty() || left.reason(rule).is_none() {
        return gone;
    }
    // Thinning keeps the first version as long as a second one may stay after it.
    let spared = (rule.thin && rule.keep != Some(1) && rule.most_bytes.is_none()).then_some(0);
    let may_go = |place: usize| {
        let capture = &captures[place];
        capture.may_go(rule) && (!rule.thin || is_old(capture.at) && spared != Some(place))
    };
    let (versions, unchanged): (Vec<usize>, Vec<usize>) =
        (0..captures.len()).partition(|&place| place == 0 || captures[place].is_version);
    let order = if rule.thin { thinning(captures, &versions, &may_go) } else { oldest_first(&versions) };
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
    fn of(captures: &[Candidate]) -> Self {
        Self { count: captures.len() as u64, bytes: captures.iter().map(|own| own.bytes).sum() }
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
fn thinning(captures: &[Candidate], versions: &[usize], may_go: &dyn Fn(usize) -> bool) -> Vec<usize> {
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
    let mut heap: BinaryHeap<_> =
        (1..count - 1).filter(|own| may_go(versions[*own])).map(|own| rank(own, &before, &behind)).collect();
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
            if neighbour > 0 && neighbour < count - 1 && may_go(versions[neighbour]) {
                heap.push(rank(neighbour, &before, &behind));
            }
        }
    }
    order.push(versions[0]);
    order
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
