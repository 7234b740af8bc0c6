//! The decay of a page: how it drifts away from what it was, figure 5.
//!
//! The paper compares the versions that follow a page with it, and plots "the fraction of the page
//! that has been changed, which was computed by differentiating the similarity coefficients", on a
//! log scale: a straight line is an exponential decay. Here the coefficient of a page is the mean
//! similarity of its parts, each by its number of elements, brought from -1…1 to 0…1: the *likeness*
//! to the first version. A step's fraction is how much likeness it takes away.

use driftline::page::Page;
use driftline::region::Subtrees;
use driftline::region::artail;
use driftline::region::comparison::Options;
use fastrand::Rng;

use super::read;
use crate::regions::synthesis::{Layout, MadePage};

/// How many versions the paper compares with the first.
pub const STEPS: usize = 20;
/// The share of a synthetic page's blocks that is new in each version.
pub const RENEWED: f64 = 0.1;
/// Blocks of a synthetic page.
const BLOCKS: usize = 60;
/// A line has two points anyway; three can speak against it.
const LEAST_POINTS: usize = 3;

/// How a collection of pages drifted.
#[derive(Debug, Clone, PartialEq)]
pub struct Decay {
    /// Version after version.
    pub steps: Vec<Step>,
    /// The exponential decay of [`Step::newly`], if there is enough to fit.
    pub fit: Option<Fit>,
}

/// One version later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// How many versions after the first.
    pub step: usize,
    /// How many pages have such a version.
    pub pages: usize,
    /// Their mean distance from the first version, from 0 to 1.
    pub changed: f64,
    /// How much of it came with this version.
    pub newly: f64,
}

/// `newly = start · e^(-rate · step)`, by least squares on the logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The value at step 0.
    pub start: f64,
    /// How fast it falls.
    pub rate: f64,
    /// The share of the logarithms' variance that the line explains.
    pub r_squared: f64,
    /// How many steps it rests on: those that took something away.
    pub points: usize,
}

impl Decay {
    /// From the likeness of each page's later versions to its first one, in time order.
    #[must_use]
    pub fn of(histories: &[Vec<f64>]) -> Self {
        let longest = histories.iter().map(Vec::len).max().unwrap_or(0).min(STEPS);
        let steps: Vec<Step> = (1..=longest).map(|step| Step::of(histories, step)).collect();
        let points: Vec<(f64, f64)> =
            steps.iter().filter(|step| step.newly > 0.0).map(|step| (step.step as f64, step.newly)).collect();
        Self { fit: Fit::of(&points), steps }
    }
}

impl Step {
    fn of(histories: &[Vec<f64>], step: usize) -> Self {
        let pages: Vec<&Vec<f64>> = histories.iter().filter(|history| history.len() >= step).collect();
        let mean = |value: &dyn Fn(&Vec<f64>) -> f64| {
            pages.iter().map(|history| value(history)).sum::<f64>() / pages.len().max(1) as f64
        };
        let before = |history: &Vec<f64>| if step == 1 { 1.0 } else { history[step - 2] };
        Self {
            step,
            pages: pages.len(),
            changed: mean(&|history| 1.0 - history[step - 1]),
            newly: mean(&|history| before(history) - history[step - 1]),
        }
    }
}

impl Fit {
    /// Fits points whose second values are above 0; three at least.
    #[must_use]
    pub fn of(points: &[(f64, f64)]) -> Option<Self> {
        if points.len() < LEAST_POINTS {
            return None;
        }
        let count = points.len() as f64;
        let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
        let mean_y = points.iter().map(|point| point.1.ln()).sum::<f64>() / count;
        let (mut spread, mut slope, mut variance) = (0.0, 0.0, 0.0);
        for &(x, y) in points {
            let (x, y) = (x - mean_x, y.ln() - mean_y);
            spread += x * x;
            slope += x * y;
            variance += y * y;
        }
        let explained = slope * slope / spread;
        slope /= spread;
        slope.is_finite().then(|| Self {
            start: (mean_y - slope * mean_x).exp(),
            rate: -slope,
            r_squared: if variance == 0.0 { 1.0 } else { explained / variance },
            points: points.len(),
        })
    }

    /// The value at a step.
    #[must_use]
    pub fn at(&self, step: f64) -> f64 {
        self.start * (-self.rate * step).exp()
    }

    /// After how many versions only half as much is taken away; none if it does not fall.
    #[must_use]
    pub fn half_life(&self) -> Option<f64> {
        (self.rate > 0.0).then(|| std::f64::consts::LN_2 / self.rate)
    }
}

/// The likeness of a page to its first version, from 0 to 1; none if the first has no parts.
#[must_use]
pub fn likeness(first: &Page, later: &Page, options: &Options) -> Option<f64> {
    let parts = Subtrees::of(first).rows;
    let rows = artail::detect(first, later, options).subtrees;
    let size = parts.iter().map(|part| part.size() as f64).sum::<f64>();
    let lack = parts.iter().zip(rows).map(|(part, row)| part.size() as f64 * (1.0 - row.similarity.unwrap_or(-1.0)));
    (size > 0.0).then(|| 1.0 - lack.sum::<f64>() / size / 2.0)
}

/// The likeness of [`STEPS`] later versions of a synthetic page to its first one. Each version has new
/// blocks in the place of a tenth of the blocks of the one before, whatever their age.
#[must_use]
pub fn made_history(seed: u64) -> Vec<f64> {
    let mut rng = Rng::with_seed(seed);
    let mut page = MadePage::new(Layout::Tables, 4 + 9 * BLOCKS, &mut rng);
    let first = read(&page);
    let version = |_| {
        page.renew(RENEWED, &mut rng);
        likeness(&first, &read(&page), &Options::default()).unwrap_or(0.0)
    };
    (0..STEPS).map(version).collect()
}

#[cfg(test)]
mod tests {
    use driftline::page::ReadOptions;

    use super::*;

    #[test]
    fn an_exact_decay_is_found_again() {
        let points: Vec<(f64, f64)> = (1..=9).map(|step| (f64::from(step), 0.5_f64.powi(step))).collect();
        let fit = Fit::of(&points).unwrap();
        assert!((fit.start - 1.0).abs() < 1e-9 && (fit.r_squared - 1.0).abs() < 1e-9, "{fit:?}");
        assert!((fit.half_life().unwrap() - 1.0).abs() < 1e-9);
        assert!((fit.at(3.0) - 0.125).abs() < 1e-9);
    }

    #[test]
    fn two_points_and_a_rise_tell_no_half_life() {
        assert_eq!(Fit::of(&[(1.0, 0.5), (2.0, 0.25)]), None);
        assert_eq!(Fit::of(&[(1.0, 0.1), (2.0, 0.2), (3.0, 0.4)]).unwrap().half_life(), None);
        assert_eq!(Fit::of(&[(1.0, 0.1), (1.0, 0.2), (1.0, 0.4)]), None, "no spread, no slope");
    }

    #[test]
    fn a_page_counts_only_while_it_has_versions() {
        let decay = Decay::of(&[vec![0.5, 0.25], vec![0.75]]);
        let seen: Vec<_> = decay.steps.iter().map(|step| (step.pages, step.changed, step.newly)).collect();
        assert_eq!(seen, [(2, 0.375, 0.375), (1, 0.75, 0.25)]);
        assert_eq!(decay.fit, None);
        assert_eq!(Decay::of(&[]).steps, []);
    }

    #[test]
    fn likeness_runs_from_all_to_nothing() {
        let [page, other, empty] =
            ["<p>a b<p>c", "<ul><li>x</ul>", ""].map(|html| Page::read(html, &ReadOptions::default()));
        let options = Options::default();
        assert_eq!(likeness(&page, &page, &options), Some(1.0));
        assert_eq!(likeness(&page, &other, &options), Some(0.0), "no part has a partner");
        assert_eq!(likeness(&empty, &page, &options), None);
    }

    /// The synthetic process is one: the share of blocks that are still the first ones is 0.9 to the
    /// power of the step.
    #[test]
    fn artail_figure_5_a_page_that_renews_a_tenth_a_step_decays_exponentially() {
        let histories: Vec<Vec<f64>> = (0..6).map(made_history).collect();
        let fit = Decay::of(&histories).fit.unwrap();
        let expected = -(1.0 - RENEWED).ln();
        assert!((fit.rate / expected - 1.0).abs() < 0.35, "{fit:?}, not {expected}");
        assert!(fit.r_squared > 0.7, "{fit:?}");
    }
}
