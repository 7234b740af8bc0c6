//! Criteria for metrics: the degree that each kind of change should have, and synthetic pages to test it on.
//!
//! Kwon, Lee and Kim say what the degree *should* be when `x` words of a page of `n` words change
//! in exactly one way (section 3), make such pages (section 5.2, rule C2), and call a metric
//! effective, oversensitive or undersensitive by how it deviates. [`experiment`] repeats their
//! figures for every metric, [`collection`] sums up real pages, and [`advice`] says which metric
//! fits them.
//!
//! Rules C1 to C3: `docs/reference/rules.md`.

pub mod advice;
pub mod collection;
pub mod experiment;

use driftline::change::Sides;
use driftline::degree::edit::EditKind;
use driftline::degree::ied::Costs;
use fastrand::Rng;

/// The degree that a change of `x` words in one way should have on a page of `n` words (rule C1).
///
/// `weights` are `α` and `β` of the papers: what a copied or shrunk and what a moved word counts.
#[must_use]
pub fn criterion(kind: EditKind, n: usize, x: usize, weights: Costs) -> f64 {
    let (changed, words) = (x as f64, n as f64);
    match kind {
        EditKind::Add => changed / (words + changed),
        EditKind::Copy => weights.copy() * changed / (words + changed),
        EditKind::Drop | EditKind::Replace => changed / words,
        EditKind::Shrink => weights.copy() * changed / words,
        EditKind::Move => weights.moving() * changed / words,
    }
}

/// A page before and after, as numbered words.
pub type Pair = Sides<Vec<u32>>;

/// A page of `n` words of which one cluster of `x` words changes in one way (rule C2).
///
/// `distinct` is how many different words the page of a shrink has, from `1` to `n - x`, and is
/// not used otherwise: all words of the other pages are different.
///
/// # Panics
/// If `x` words of such a page cannot change that way.
#[must_use]
pub fn synthesise(kind: EditKind, n: usize, x: usize, distinct: usize, rng: &mut Rng) -> Pair {
    assert!(x <= n, "no more words can change than the page has");
    let older: Vec<u32> = (0..n as u32).collect();
    let fresh = n as u32..(n + x) as u32;
    let within = |room: usize, rng: &mut Rng| rng.usize(0..=room);
    let mut newer = older.clone();
    match kind {
        EditKind::Add => {
            let at = within(n, rng);
            newer.splice(at..at, fresh);
        }
        EditKind::Drop => {
            let at = within(n - x, rng);
            newer.drain(at..at + x);
        }
        EditKind::Replace => {
            let at = within(n - x, rng);
            newer.splice(at..at + x, fresh);
        }
        EditKind::Copy => {
            // Word by word: a copied block would leave the shingles nearly as they were.
            let copied: Vec<u32> = (0..x).map(|_| rng.u32(0..n as u32)).collect();
            let at = within(n, rng);
            newer.splice(at..at, copied);
        }
        EditKind::Move => {
            assert!(x < n, "at most n - 1 words can move");
            let at = within(n - x - 1, rng);
            newer[at..=at + x].reverse();
        }
        EditKind::Shrink => return shrunk(n, x, distinct, rng),
    }
    Sides { older, newer }
}

/// Different words followed by repeats of them in random order; a cluster of the repeats goes.
fn shrunk(n: usize, x: usize, distinct: usize, rng: &mut Rng) -> Pair {
    assert!((1..=n - x).contains(&distinct), "the words that shrink must stand elsewhere too");
    let repeats = (distinct..n).map(|_| rng.u32(0..distinct as u32));
    let older: Vec<u32> = (0..distinct as u32).chain(repeats.collect::<Vec<_>>()).collect();
    let at = distinct + rng.usize(0..=n - distinct - x);
    let mut newer = older.clone();
    newer.drain(at..at + x);
    Sides { older, newer }
}

/// How a metric deviates from a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sensitivity {
    /// Never off by more than [`EFFECTIVE_WITHIN`].
    Effective,
    /// Always higher.
    Over,
    /// Always lower.
    Under,
    /// Sometimes higher, sometimes lower.
    Irregular,
}

/// How near a metric must stay to a criterion to be called effective.
pub const EFFECTIVE_WITHIN: f64 = 0.03;

impl Sensitivity {
    /// The verdict on deviations (degree minus criterion).
    #[must_use]
    pub fn of(deviations: &[f64]) -> Self {
        let all = |test: fn(f64) -> bool| deviations.iter().all(|&deviation| test(deviation));
        if all(|deviation| deviation.abs() <= EFFECTIVE_WITHIN) {
            Self::Effective
        } else if all(|deviation| deviation >= -1e-12) {
            Self::Over
        } else if all(|deviation| deviation <= 1e-12) {
            Self::Under
        } else {
            Self::Irregular
        }
    }

    /// For people: `effective`.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Effective => "effective",
            Self::Over => "oversensitive",
            Self::Under => "undersensitive",
            Self::Irregular => "irregular",
        }
    }
}
