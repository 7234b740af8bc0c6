//! The papers' two experiments on synthetic pages.
//!
//! Figure 7: a page of 1,000 words of which 5 % to 95 % change. Figure 8: pages of 4 to 8,192 words
//! of which a quarter changes. Both for each of the six kinds of change and every metric.

use driftline::compare::{CompareOptions, Comparer};
use driftline::degree::edit::EditKind;
use driftline::degree::ied::Costs;
use driftline::degree::{Degrees, Metric};
use driftline::page::{BodyKind, Page, ReadOptions, WordRule};
use fastrand::Rng;

use super::{Sensitivity, criterion, synthesise};

/// One synthesised pair, measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The words of the page before it changed.
    pub words: usize,
    /// How many of them changed.
    pub changed: usize,
    /// The degree that the change should have.
    pub criterion: f64,
    /// What the metrics say.
    pub degree: Degrees,
}

/// One kind of change.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The kind.
    pub kind: EditKind,
    /// From few to many changed words, or from small to large pages.
    pub points: Vec<Point>,
}

impl Curve {
    /// Degree minus criterion at every point.
    #[must_use]
    pub fn deviations(&self, metric: Metric) -> Vec<f64> {
        self.points.iter().map(|point| point.degree.by(metric).get() - point.criterion).collect()
    }

    /// How far the metric is off on average, whichever way.
    #[must_use]
    pub fn mean_deviation(&self, metric: Metric) -> f64 {
        let deviations = self.deviations(metric);
        deviations.iter().map(|deviation| deviation.abs()).sum::<f64>() / deviations.len().max(1) as f64
    }

    /// The verdict on the metric.
    #[must_use]
    pub fn sensitivity(&self, metric: Metric) -> Sensitivity {
        Sensitivity::of(&self.deviations(metric))
    }
}

/// What an experiment needs to know.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// The metrics' options; IED uses the same prices as the criteria, as in the papers.
    pub options: CompareOptions,
    /// The weights `α` and `β` of the criteria.
    pub weights: Costs,
    /// Makes the same pages every time.
    pub seed: u64,
}

/// Figure 7: 1,000 words, 50 to 950 of them changed; a shrinking page has 50 different words.
#[must_use]
pub fn figure_7(setup: &Setup) -> Vec<Curve> {
    let sizes: Vec<_> = (1..=19).map(|step| Size { words: 1_000, changed: 50 * step, distinct: 50 }).collect();
    curves(setup, &sizes)
}

/// Figure 8: 2² to 2¹³ words, a quarter of them changed; half of a shrinking page is repeats.
#[must_use]
pub fn figure_8(setup: &Setup) -> Vec<Curve> {
    let size = |power: u32| {
        let words = 1 << power;
        Size { words, changed: words / 4, distinct: words / 2 }
    };
    curves(setup, &(2..=13).map(size).collect::<Vec<_>>())
}

#[derive(Debug, Clone, Copy)]
struct Size {
    words: usize,
    changed: usize,
    distinct: usize,
}

fn curves(setup: &Setup, sizes: &[Size]) -> Vec<Curve> {
    let mut rng = Rng::with_seed(setup.seed);
    let mut comparer = Comparer::new(setup.options.clone());
    EditKind::ALL
        .into_iter()
        .map(|kind| {
            let points = sizes.iter().map(|&size| point(setup, &mut comparer, kind, size, &mut rng)).collect();
            Curve { kind, points }
        })
        .collect()
}

fn point(setup: &Setup, comparer: &mut Comparer, kind: EditKind, size: Size, rng: &mut Rng) -> Point {
    let Size { words, changed, distinct } = size;
    let pair = synthesise(kind, words, changed, distinct, rng);
    Point {
        words,
        changed,
        criterion: criterion(kind, words, changed, setup.weights),
        degree: comparer.measure(&page(&pair.older), &page(&pair.newer)).degree,
    }
}

/// Numbered words as a page.
fn page(words: &[u32]) -> Page {
    let text = words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let options = ReadOptions { kind: Some(BodyKind::Text), words: WordRule::Whitespace, ..ReadOptions::default() };
    Page::read(text.as_str(), &options)
}
