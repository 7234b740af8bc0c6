//! Gottron's detectors as the paper and rules T4 to T8 state them, slowly: the matrix S is built anew
//! for every document, from a table of all similarities.
//!
//! `sims[i]` has the similarities of document i to those before it, the nearest first. A report is the
//! document and the document at which it was reported.

use std::collections::BTreeSet;

/// Documents reported, each with the document at which that was.
pub type Reports = Vec<(usize, usize)>;

const MARGIN: f64 = 1e-12;

/// The similarity of documents i and j, for j from i − h to i − 1.
fn sim(sims: &[Vec<f64>], i: usize, j: usize) -> f64 {
    sims[i][i - j - 1]
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The upper and the lower triangle of S after document i (T4); `None` before there are 2h documents.
#[must_use]
pub fn triangles(sims: &[Vec<f64>], h: usize, i: usize) -> Option<(Vec<f64>, Vec<f64>)> {
    if i + 1 < 2 * h {
        return None;
    }
    let (mut upper, mut lower) = (Vec::new(), Vec::new());
    for j in 1..=h {
        for k in 1..=h {
            let s = sim(sims, i - h + k, i - h + k - j);
            if k > j { upper.push(s) } else { lower.push(s) }
        }
    }
    Some((upper, lower))
}

/// T5.
#[must_use]
pub fn new_avg_drop(sims: &[Vec<f64>], h: usize, drop: f64) -> Reports {
    let avgsim = |i: usize| mean(&(i - h..i).map(|j| sim(sims, i, j)).collect::<Vec<_>>());
    let low = |i: usize| i >= 2 * h && avgsim(i) < drop * mean(&(i - h..i).map(avgsim).collect::<Vec<_>>()) - MARGIN;
    (2 * h..sims.len()).filter(|&i| low(i) && !low(i - 1)).map(|i| (i, i)).collect()
}

/// T6.
#[must_use]
pub fn max_avg_diff(sims: &[Vec<f64>], h: usize) -> Reports {
    let fires = |i: usize| {
        triangles(sims, h, i).is_some_and(|(upper, lower)| lower.iter().all(|&value| value < mean(&upper) - MARGIN))
    };
    (0..sims.len()).filter(|&i| fires(i)).map(|i| (i + 1 - h, i)).collect()
}

/// T7: p of Welch's one-sided test after every document that has one.
#[must_use]
pub fn statistics(sims: &[Vec<f64>], h: usize) -> Vec<(usize, f64)> {
    let p = |i: usize| {
        let (upper, lower) = triangles(sims, h, i)?;
        (upper.len() > 1).then(|| (i, welch(&upper, &lower)))
    };
    (0..sims.len()).filter_map(p).collect()
}

fn welch(upper: &[f64], lower: &[f64]) -> f64 {
    let constant = |values: &[f64]| values.iter().all(|&value| value == values[0]);
    if constant(upper) && constant(lower) {
        return if upper[0] > lower[0] + MARGIN { 0.0 } else { 1.0 };
    }
    let squared_error = |values: &[f64]| {
        let squares = values.iter().map(|value| (value - mean(values)).powi(2)).sum::<f64>();
        squares / (values.len() as f64 - 1.0) / values.len() as f64
    };
    let (a, b) = (squared_error(upper), squared_error(lower));
    let t = (mean(upper) - mean(lower)) / (a + b).sqrt();
    let df = (a + b).powi(2) / (a * a / (upper.len() as f64 - 1.0) + b * b / (lower.len() as f64 - 1.0));
    students_tail(t, df)
}

/// The share of Student's distribution above t, by Simpson's rule: with x = √df · tan u its density is
/// proportional to a power of cos u, and the constant is the integral over all.
fn students_tail(t: f64, df: f64) -> f64 {
    const STEPS: u32 = 20_000;
    let integral = |from: f64, to: f64| {
        let step = (to - from) / f64::from(STEPS);
        let weight = |n: u32| if n == 0 || n == STEPS { 1.0 } else { f64::from(2 + 2 * (n % 2)) };
        let value = |n: u32| (from + step * f64::from(n)).cos().max(0.0).powf(df - 1.0);
        (0..=STEPS).map(|n| weight(n) * value(n)).sum::<f64>() * step / 3.0
    };
    let right = std::f64::consts::FRAC_PI_2;
    integral((t / df.sqrt()).atan(), right) / integral(-right, right)
}

/// T8: the reports, and the cluster of every document.
#[must_use]
pub fn cluster(sims: &[Vec<f64>], h: usize, h2: usize, threshold: f64, rate: f64) -> (Reports, Vec<usize>) {
    let (mut clusters, mut reports, mut reported) = (Vec::<usize>::new(), Reports::new(), BTreeSet::new());
    for i in 0..sims.len() {
        let past = i.saturating_sub(h)..i;
        let most = past.clone().map(|j| sim(sims, i, j)).fold(f64::NEG_INFINITY, f64::max);
        let nearest = past.rev().find(|&j| sim(sims, i, j) == most && most >= threshold);
        let opened = clusters.iter().max().map_or(0, |last| last + 1);
        clusters.push(nearest.map_or(opened, |j| clusters[j]));
        if i + 1 < h {
            continue;
        }
        let (before, after) = (i + 1 - h..i + 1 - h2, i + 1 - h2..i + 1);
        let members = |range: std::ops::Range<usize>, c: usize| range.filter(|&j| clusters[j] == c).count();
        let wholly = |own: &std::ops::Range<usize>, other: &std::ops::Range<usize>, c: usize| {
            members(other.clone(), c) == 0 && members(own.clone(), c) as f64 >= rate * h as f64 - MARGIN
        };
        let ended = before.clone().any(|j| wholly(&before, &after, clusters[j]));
        for j in after.clone() {
            if ended && wholly(&after, &before, clusters[j]) && reported.insert(clusters[j]) {
                reports.push((j, i));
            }
        }
    }
    (reports, clusters)
}
