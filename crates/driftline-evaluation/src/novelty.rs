//! Toyoda and Kitsuregawa's evaluation (section 4): how well the measure tells new pages from old ones.
//!
//! One [`Outcome`] a snapshot: sizes (table 2), addresses with time strings (table 3), convergence (figure 1), the
//! distribution of the scores (figures 2 to 4), precision and recall (figures 5 to 7) and the miss rate (figures 8
//! to 10). Beyond the paper: births that are known, average precision, and whether a probability can be believed.

mod ages;
mod distribution;
mod judgement;
mod miss;
mod reliability;

use serde::Serialize;

pub use ages::Ages;
pub use distribution::{Cell, Distribution};
pub use judgement::{Curve, Judge, Judgement, Point, Ranking, Scores, Threshold};
pub use miss::MissRate;
pub use reliability::{Bin, Reliability};

use driftline::time::Time;

/// Scores are sums of many roundings: one that lies so little below a threshold reaches it.
pub const SLACK: f64 = 1e-9;

/// What an evaluation found of one snapshot.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// `t_k`.
    pub at: Time,
    /// `t_{k-1}`.
    pub previous: Time,
    /// Table 2.
    pub sizes: Sizes,
    /// Table 3.
    pub ages: Ages,
    /// One for each `δ`: figures 1 to 4.
    pub courses: Vec<Course>,
    /// Figures 5 to 7, for each judge.
    pub judgements: Vec<Judgement>,
    /// What births that are known say of the rules and of time strings.
    pub births: Option<Births>,
    /// Figures 8 to 10.
    pub miss: Miss,
    /// Why old pages were not crawled last time, and how many for each reason.
    pub missed: Vec<(String, usize)>,
    /// How many unidentified pages are copies of older ones; none if nothing is known of their content.
    pub copies: Option<Copies>,
}

/// Table 2: how many pages are old, and by which rule; and how many are not identified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Sizes {
    /// `|W|`.
    pub crawled: usize,
    /// `|L2|`.
    pub seen_twice: usize,
    /// `|O \ L2|`.
    pub old: usize,
    /// `|U|`.
    pub unidentified: usize,
    /// Old by the second rule alone: they were last modified before the previous crawl.
    pub old_only_by_last_modified: usize,
    /// Old by the third rule alone: a page that was last modified before the previous crawl links to them.
    pub old_only_by_link: usize,
    /// Old by the second and the third rule, not by the first.
    pub old_by_both: usize,
    /// Nothing links to them.
    pub unidentified_without_in_links: usize,
}

/// The scores for one `δ`: how fast they settle, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// `δ`.
    pub delta: f64,
    /// The summed change of all scores in each round.
    pub changes: Vec<f64>,
    /// Where the scores of `U` lie.
    pub distribution: Distribution,
}

/// What births that are known say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Births {
    /// Pages of `U` whose birth is known.
    pub known: usize,
    /// Those of them that appeared after the previous crawl.
    pub novel: usize,
    /// Pages that the rules call old although they appeared after the previous crawl.
    pub wrongly_old: usize,
    /// The share of the addresses with time strings about which these are right.
    pub dates_agree: Option<f64>,
}

/// Figures 8 to 10: the scores of pages that are known to be old, when the rules on Last-Modified are not used.
#[derive(Debug, Clone, PartialEq)]
pub struct Miss {
    /// `δ`.
    pub delta: f64,
    /// `|U|` without those rules.
    pub unidentified: usize,
    /// Pages that were last modified before the previous crawl.
    pub by_last_modified: MissRate,
    /// Where their scores lie.
    pub distribution: Distribution,
    /// Pages that were born before the previous crawl, and where their scores lie.
    pub by_birth: Option<(MissRate, Distribution)>,
}

/// How many pages of `U` are copies of older ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Copies {
    /// Pages of `U` whose content is known.
    pub compared: usize,
    /// Those that say what an older page said.
    pub found: usize,
}

#[cfg(test)]
mod tests;
