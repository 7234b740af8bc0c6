//! Sentences that were replaced: those of both versions that have most of their words in common.

use std::collections::HashMap;

use super::Rest;
use crate::leftover::{TITLE, Words};

/// More pairs are not compared.
const MOST_PAIRS: usize = 20_000;
/// Two sentences with this share of their words in common are one that was edited.
const ALIKE: f64 = 0.5;
/// A sentence most of whose words are in a longer one, if it has at least so many of them, is a part of it.
const PART: f64 = 0.8;
const LEAST_OF_PART: usize = 3;

/// A sentence that was replaced by another one, and the numbers of the words that both have in the same order.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub(super) lost: usize,
    pub(super) gained: usize,
    pub(super) common: Vec<(usize, usize)>,
}

/// The pairs of sentences, each in one at most: those that are most alike first.
pub(super) fn find(lost: &[Rest<'_>], gained: &[Rest<'_>]) -> Vec<Pair> {
    if lost.len().saturating_mul(gained.len()) > MOST_PAIRS {
        return Vec::new();
    }
    let bags: Vec<Option<HashMap<&str, usize>>> = gained.iter().map(|rest| rest.words().map(bag)).collect();
    let mut alike: Vec<(f64, usize, usize)> = Vec::new();
    for (older, one) in lost.iter().enumerate() {
        let Some(words) = one.words().filter(|_| !one.is_shared) else { continue };
        let own = bag(words);
        for (newer, other) in gained.iter().enumerate() {
            let Some(bag) = bags[newer].as_ref().filter(|_| !other.is_shared) else { continue };
            let is_title = |rest: &Rest<'_>| rest.item.selector == TITLE;
            if is_title(one) != is_title(other) {
                continue;
            }
            let lengths = (words.len(), other.left.len());
            let common = own.iter().map(|(word, count)| bag.get(word).map_or(0, |other| *count.min(other))).sum();
            let may_pair = match (one.is_left(), other.is_left()) {
                (true, true) => true,
                (false, false) => false,
                // A sentence that is repeated less often may be in parts now.
                (true, false) => common == lengths.0 && common < LEAST_OF_PART,
                (false, true) => common == lengths.1 && common < LEAST_OF_PART,
            };
            if !may_pair {
                continue;
            }
            alike.extend(score(common, lengths).map(|score| (score, older, newer)));
        }
    }
    alike.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
    let (mut is_lost_taken, mut is_gained_taken) = (vec![false; lost.len()], vec![false; gained.len()]);
    let mut pairs = Vec::new();
    for (_, older, newer) in alike {
        let (Some(one), Some(other)) = (lost[older].words(), gained[newer].words()) else { continue };
        if is_lost_taken[older] || is_gained_taken[newer] {
            continue;
        }
        (is_lost_taken[older], is_gained_taken[newer]) = (true, true);
        pairs.push(Pair { lost: older, gained: newer, common: common(one, other) });
    }
    pairs
}

/// How alike two sentences are by the words that they have in common; none if they are not.
fn score(common: usize, (older, newer): (usize, usize)) -> Option<f64> {
    let alike = 2.0 * common as f64 / (older + newer).max(1) as f64;
    let part = common as f64 / older.min(newer).max(1) as f64;
    (alike >= ALIKE || part >= PART && common >= LEAST_OF_PART).then_some(alike)
}

fn bag(words: &Words) -> HashMap<&str, usize> {
    let mut bag = HashMap::new();
    (0..words.len()).for_each(|at| *bag.entry(words.form(at)).or_default() += 1);
    bag
}

/// A longest common subsequence of the words of two sentences.
fn common(older: &Words, newer: &Words) -> Vec<(usize, usize)> {
    let (rows, columns) = (older.len(), newer.len());
    // How many words are common from here on.
    let mut longest = vec![0_u32; (rows + 1) * (columns + 1)];
    let at = |row: usize, column: usize| row * (columns + 1) + column;
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            longest[at(row, column)] = if older.form(row) == newer.form(column) {
                longest[at(row + 1, column + 1)] + 1
            } else {
                longest[at(row + 1, column)].max(longest[at(row, column + 1)])
            };
        }
    }
    let (mut row, mut column, mut pairs) = (0, 0, Vec::new());
    while row < rows && column < columns {
        if older.form(row) == newer.form(column) {
            pairs.push((row, column));
            (row, column) = (row + 1, column + 1);
        } else if longest[at(row + 1, column)] >= longest[at(row, column + 1)] {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}
