//! Precision and recall: of the pages that are called new, the share that is; of the new ones, the share that is called
//! so (section 4.5).

use serde::Serialize;

use super::{Reliability, SLACK};

/// Who says what is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judge {
    /// The time string in the address, for pages that have one; the paper's benchmark.
    Dates,
    /// The time when the page first appeared, from a file.
    Truth,
}

/// Precision and recall of all scores against one judge. "Not seen before" is the threshold 0.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// Who judges.
    pub judge: Judge,
    /// Pages of `U` of which the judge knows whether they are new.
    pub known: usize,
    /// Those that are new.
    pub novel: usize,
    /// One for each `δ`, then that of the probability if there is one.
    pub curves: Vec<Curve>,
    /// Whether the probability can be believed, if there is one.
    pub reliability: Option<Reliability>,
}

/// What pages are ranked by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ranking {
    /// `N` for this `δ`.
    Novelty(f64),
    /// The calibrated probability.
    Probability,
}

/// The scores of all pages of `U`, in the same order everywhere.
#[derive(Debug, Clone, Copy)]
pub struct Scores<'a> {
    /// `δ` and its scores.
    pub novelty: &'a [(f64, Vec<f64>)],
    /// Probabilities, if there are any.
    pub probability: Option<&'a [f64]>,
}

/// How one score does at each threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Which score.
    pub by: Ranking,
    /// Every threshold, from 0 on.
    pub points: Vec<Point>,
    /// The mean precision over all new pages, each at the threshold that just admits it; none without new pages.
    pub average_precision: Option<f64>,
}

/// From which score on a page is called new.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Threshold {
    /// From this one on; 0 admits every page.
    AtLeast(f64),
    /// From any score above 0 on.
    Positive,
}

/// What one threshold does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The threshold.
    pub threshold: Threshold,
    /// How many pages are called new.
    pub called: usize,
    /// How many of them are.
    pub right: usize,
    /// How many new pages there are.
    pub novel: usize,
}

impl Judgement {
    /// `verdicts` says for every page whether it is new, if the judge knows.
    #[must_use]
    pub fn of(judge: Judge, verdicts: &[Option<bool>], scores: Scores<'_>) -> Self {
        let pages = |scores: &[f64]| -> Vec<(f64, bool)> {
            scores.iter().zip(verdicts).filter_map(|(&score, &verdict)| Some((score, verdict?))).collect()
        };
        let novelty = scores.novelty.iter().map(|(delta, scores)| Curve::of(Ranking::Novelty(*delta), &pages(scores)));
        let probability = scores.probability.map(pages);
        Self {
            judge,
            known: verdicts.iter().flatten().count(),
            novel: verdicts.iter().flatten().filter(|&&is_novel| is_novel).count(),
            curves: novelty.chain(probability.as_deref().map(|pages| Curve::of(Ranking::Probability, pages))).collect(),
            reliability: probability.map(|pages| Reliability::of(pages.into_iter())),
        }
    }

    /// The precision of calling every page new that was not seen before: the baseline.
    #[must_use]
    pub fn baseline(&self) -> Option<f64> {
        (self.known > 0).then(|| self.novel as f64 / self.known as f64)
    }
}

impl Curve {
    fn of(by: Ranking, pages: &[(f64, bool)]) -> Self {
        let novel = pages.iter().filter(|page| page.1).count();
        let point = |threshold: Threshold| {
            let called = pages.iter().filter(|page| threshold.admits(page.0));
            let (called, right) = called.fold((0, 0), |sum, page| (sum.0 + 1, sum.1 + usize::from(page.1)));
            Point { threshold, called, right, novel }
        };
        Self { by, points: Threshold::all().map(point).collect(), average_precision: average_precision(pages) }
    }
}

impl Threshold {
    /// The paper's: 0, whatever is above it, and then in steps of 0.05 to 1.
    pub fn all() -> impl Iterator<Item = Self> {
        let steps = (1..=20).map(|step| Self::AtLeast(f64::from(step) / 20.0));
        [Self::AtLeast(0.0), Self::Positive].into_iter().chain(steps)
    }

    /// Is a page of this score called new?
    #[must_use]
    pub fn admits(self, score: f64) -> bool {
        match self {
            Self::AtLeast(least) => score >= least - SLACK,
            Self::Positive => score > 0.0,
        }
    }

    /// `>0` or `0.05`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::AtLeast(least) => format!("{least:.2}"),
            Self::Positive => ">0".to_owned(),
        }
    }
}

impl Point {
    /// The share of those called new that are; none if nothing is called so.
    #[must_use]
    pub fn precision(&self) -> Option<f64> {
        (self.called > 0).then(|| self.right as f64 / self.called as f64)
    }

    /// The share of the new ones that are called so; none if there are none.
    #[must_use]
    pub fn recall(&self) -> Option<f64> {
        (self.novel > 0).then(|| self.right as f64 / self.novel as f64)
    }
}

/// Pages of the same score come together, so that their order in a file does not count.
fn average_precision(pages: &[(f64, bool)]) -> Option<f64> {
    let mut ranked = pages.to_vec();
    ranked.sort_unstable_by(|one, other| other.0.total_cmp(&one.0));
    let (mut called, mut right, mut sum) = (0_usize, 0_usize, 0.0);
    for tied in ranked.chunk_by(|one, other| one.0 - other.0 <= SLACK) {
        let novel = tied.iter().filter(|page| page.1).count();
        called += tied.len();
        right += novel;
        sum += novel as f64 * right as f64 / called as f64;
    }
    (right > 0).then(|| sum / right as f64)
}
