//! The metrics as the papers and rules R4 to R11 state them, slowly: whole tables, the five phases one
//! after the other, words as strings.

use std::collections::{BTreeMap, BTreeSet};

/// Operation counts in the papers' order: add, drop, copy, shrink, replace, move.
pub type Counts = [usize; 6];

/// The canonical longest common subsequence (rule R5): pairs of indices on `a` and on `b`.
#[must_use]
pub fn canonical_lcs(a: &[&str], b: &[&str]) -> Vec<(usize, usize)> {
    let swapped = (b.len(), b) < (a.len(), a);
    let (x, y) = if swapped { (b, a) } else { (a, b) };
    let prefix = (0..x.len()).take_while(|&i| x[i] == y[i]).count();
    let rest = x.len() - prefix;
    let suffix = (0..rest).take_while(|&i| x[x.len() - 1 - i] == y[y.len() - 1 - i]).count();
    let mut pairs: Vec<_> = (0..prefix).map(|i| (i, i)).collect();
    let middle = textbook_lcs(&x[prefix..x.len() - suffix], &y[prefix..y.len() - suffix]);
    pairs.extend(middle.into_iter().map(|(i, j)| (i + prefix, j + prefix)));
    pairs.extend((0..suffix).rev().map(|i| (x.len() - 1 - i, y.len() - 1 - i)));
    if swapped {
        pairs.iter_mut().for_each(|(i, j)| std::mem::swap(i, j));
    }
    pairs
}

/// The table, traced back from its end: a match, else up if that is as good, else left.
fn textbook_lcs(x: &[&str], y: &[&str]) -> Vec<(usize, usize)> {
    let mut table = vec![vec![0; y.len() + 1]; x.len() + 1];
    for i in 1..=x.len() {
        for j in 1..=y.len() {
            table[i][j] =
                if x[i - 1] == y[j - 1] { table[i - 1][j - 1] + 1 } else { table[i - 1][j].max(table[i][j - 1]) };
        }
    }
    let (mut i, mut j) = (x.len(), y.len());
    let mut pairs = Vec::new();
    while i > 0 && j > 0 {
        if x[i - 1] == y[j - 1] {
            (i, j) = (i - 1, j - 1);
            pairs.push((i, j));
        } else if table[i - 1][j] >= table[i][j - 1] {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    pairs.reverse();
    pairs
}

/// How often a word stands in a list.
fn count(words: &[&str], word: &str) -> usize {
    words.iter().filter(|&&other| other == word).count()
}

/// Words left over, by their index on the page.
type Rest<'a> = BTreeMap<usize, &'a str>;

/// Which leftovers make one replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joining {
    /// Rule R8: those of one index, of one kind.
    Phases,
    /// Rule R10: those of one index, whenever that is not dearer.
    Refined,
    /// Rule R11 on top: the t-th of the same gap.
    Gap,
}

/// The five phases of Kwon, Lee and Kim, literally, or with our own way of joining replacements.
#[must_use]
pub fn kwon_phases(a: &[&str], b: &[&str], copy_cost: f64, move_cost: f64, joining: Joining) -> Counts {
    // Phase 1: the longest common subsequence, and what is left.
    let pairs = canonical_lcs(a, b);
    let matched_a: BTreeSet<_> = pairs.iter().map(|pair| pair.0).collect();
    let matched_b: BTreeSet<_> = pairs.iter().map(|pair| pair.1).collect();
    let mut rest_a: Rest<'_> = (0..a.len()).filter(|i| !matched_a.contains(i)).map(|i| (i, a[i])).collect();
    let mut rest_b: Rest<'_> = (0..b.len()).filter(|j| !matched_b.contains(j)).map(|j| (j, b[j])).collect();
    // Phase 2: moves, the lowest indices first.
    let moves = phase_2(a, b, &mut rest_a, &mut rest_b, copy_cost, move_cost);
    // Phase 3: candidates for copy and shrink.
    let copy_candidates = candidates(&rest_b, a);
    let shrink_candidates = candidates(&rest_a, b);
    let mut counts = Counts::default();
    counts[5] = moves;
    for (i, j) in at_one_place(&rest_a, &rest_b, &pairs, joining) {
        let price = |is_candidate: bool| if is_candidate { copy_cost } else { 1.0 };
        let (shrinks, copies) = (shrink_candidates.contains(&i), copy_candidates.contains(&j));
        if price(shrinks) + price(copies) >= 1.0 && (shrinks == copies || joining != Joining::Phases) {
            // Phase 4: a replacement.
            counts[4] += 1;
            rest_a.remove(&i);
            rest_b.remove(&j);
        }
    }
    for index in rest_b.keys() {
        counts[if copy_candidates.contains(index) { 2 } else { 0 }] += 1;
    }
    for index in rest_a.keys() {
        counts[if shrink_candidates.contains(index) { 3 } else { 1 }] += 1;
    }
    counts
}

/// The pairs of leftovers that stand at one place.
fn at_one_place(
    rest_a: &Rest<'_>,
    rest_b: &Rest<'_>,
    common: &[(usize, usize)],
    joining: Joining,
) -> Vec<(usize, usize)> {
    if joining != Joining::Gap {
        return rest_a.keys().filter(|i| rest_b.contains_key(i)).map(|&i| (i, i)).collect();
    }
    let mut pairs = Vec::new();
    for gap in 0..=common.len() {
        let in_gap = |index: usize, matched: &dyn Fn(&(usize, usize)) -> usize| {
            common.iter().filter(|pair| matched(pair) < index).count() == gap
        };
        let of_a = rest_a.keys().filter(|&&i| in_gap(i, &|pair| pair.0));
        let of_b = rest_b.keys().filter(|&&j| in_gap(j, &|pair| pair.1));
        pairs.extend(of_a.zip(of_b).map(|(&i, &j)| (i, j)));
    }
    pairs
}

fn phase_2(a: &[&str], b: &[&str], rest_a: &mut Rest<'_>, rest_b: &mut Rest<'_>, copy: f64, moving: f64) -> usize {
    let mut moves = 0;
    let words: BTreeSet<String> = rest_a.values().map(|&word| word.to_owned()).collect();
    for word in words {
        if moving > 2.0 * copy && count(a, &word) > 1 && count(b, &word) > 1 {
            continue;
        }
        loop {
            let find = |rest: &Rest<'_>| rest.iter().find(|entry| *entry.1 == word).map(|entry| *entry.0);
            let (Some(i), Some(j)) = (find(rest_a), find(rest_b)) else {
                break;
            };
            rest_a.remove(&i);
            rest_b.remove(&j);
            moves += 1;
        }
    }
    moves
}

/// Rule R7: all leftovers of a word that the other page has too, all but the first of another.
fn candidates(rest: &Rest<'_>, other_page: &[&str]) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    rest.iter()
        .filter(|&(_, &word)| count(other_page, word) > 0 || !seen.insert(word))
        .map(|(&index, _)| index)
        .collect()
}

/// k-shingling with shingles as lists of words (rule R4).
#[must_use]
pub fn shingle_distance(a: &[&str], b: &[&str], length: usize) -> f64 {
    fn shingles<'a>(page: &[&'a str], length: usize) -> BTreeSet<Vec<&'a str>> {
        (0..page.len()).map(|start| (0..length).map(|i| page[(start + i) % page.len()]).collect()).collect()
    }
    let (a, b) = (shingles(a, length), shingles(b, length));
    match a.union(&b).count() {
        0 => 0.0,
        all => 1.0 - a.intersection(&b).count() as f64 / all as f64,
    }
}
