//! What does the paper's iteration give after so many rounds? Jacobi's: every score from those of the round before.

use std::io;

use rayon::prelude::*;

use super::codes::Rows;
use super::fold::Folded;
use super::store::Block;

/// Scores, and by how much they moved in each round, summed (Fig. 1).
#[derive(Debug)]
pub(super) struct Solution {
    pub(super) scores: Vec<f64>,
    pub(super) changes: Vec<f64>,
    /// Whether another round would move them by no more than was asked for; not known after a fixed number of rounds.
    pub(super) is_settled: Option<bool>,
}

/// So many rounds from 0, each on all cores. The result is the same to the last bit on any number of them.
pub(super) fn iterate(system: &Folded, delta: f64, rounds: u32) -> io::Result<Solution> {
    if rounds == 0 {
        return Ok(Solution { scores: vec![0.0; system.in_links.len()], changes: Vec::new(), is_settled: None });
    }
    let mut scores = first_round(system, delta);
    let mut changes = vec![scores.iter().sum()];
    // Pages without links from U keep the score of the first round: they are the same here and there.
    let mut next = scores.clone();
    for round in 1..rounds {
        let change = one_round(system, delta, &scores, &mut next)?;
        std::mem::swap(&mut scores, &mut next);
        changes.push(change);
        if change == 0.0 {
            changes.resize(changes.len() + (rounds - round - 1) as usize, 0.0);
            break;
        }
    }
    Ok(Solution { scores, changes, is_settled: None })
}

/// What L2 alone gives: the first round from 0.
pub(super) fn first_round(system: &Folded, delta: f64) -> Vec<f64> {
    let counts = system.new_links.par_iter().zip(system.in_links.par_iter());
    counts.map(|(&new, &all)| score(delta, f64::from(new), all)).collect()
}

/// N(p) from the sum of what its links count for; 0 without links.
pub(super) fn score(delta: f64, sum: f64, in_links: u32) -> f64 {
    // The mean first: rounded, it is still 1 at most, and the score 1 - δ.
    if in_links == 0 { 0.0 } else { (1.0 - delta) * (sum / f64::from(in_links)) }
}

fn one_round(system: &Folded, delta: f64, scores: &[f64], next: &mut [f64]) -> io::Result<f64> {
    let slices = slices(system.store.blocks(), next);
    let work = system.store.blocks().par_iter().zip(slices);
    let changes = work.map_init(Vec::new, |room, (block, own)| {
        let rows = Rows::new(system.store.read(block, room)?, block.rows.start);
        Ok(one_block(system, delta, scores, rows, own, block.rows.start))
    });
    Ok(changes.collect::<io::Result<Vec<f64>>>()?.iter().sum())
}

fn one_block(system: &Folded, delta: f64, scores: &[f64], mut rows: Rows<'_>, own: &mut [f64], first: u32) -> f64 {
    let mut change = 0.0;
    loop {
        let mut sum = 0.0;
        let Some(row) = rows.next(|source| sum += scores[source as usize]) else { return change };
        let place = row as usize;
        let value = score(delta, f64::from(system.new_links[place]) + sum, system.in_links[place]);
        change += (value - scores[place]).abs();
        own[place - first as usize] = value;
    }
}

/// The part of each block.
pub(super) fn slices<'a>(blocks: &[Block], mut all: &'a mut [f64]) -> Vec<&'a mut [f64]> {
    let slice = |block: &Block| {
        let (own, rest) = std::mem::take(&mut all).split_at_mut(block.rows.len());
        all = rest;
        own
    };
    blocks.iter().map(slice).collect()
}
