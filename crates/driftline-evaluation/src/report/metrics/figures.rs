//! The papers' figures 5 to 8.
//!
//! 10SH, COS and IED come first in every figure, so that they look the same in all of them: a series
//! gets its colour and shape by its place.

use driftline::degree::Metric;
use driftline_report::plot::{Axis, Bars, Chart, Grid, Mark, Picture, Series, Size};

use super::{Collection, Evaluation, labels};
use crate::metrics::collection::Sample;
use crate::metrics::experiment::{Curve, Point, Setup};
use crate::report::Figure;

/// The papers' metrics in figures 7 and 8, before all others.
const DRAWN: [Metric; 6] = [Metric::Shingle, Metric::Cos, Metric::Ied, Metric::Wd, Metric::Ed, Metric::Bw];

/// The most points of a line that shows the pages of a collection.
const MOST_POINTS: usize = 1_000;

/// Points of a scatter chart nearer than this share of an axis cover each other: half a point of
/// figure 6.
const COVERED: Spacing = Spacing { x: 0.008, y: 0.012 };

const DEGREE: &str = "degree of change";

/// Figure 5: the change degree of the collection by each metric.
pub(super) fn figure_5(evaluation: &Evaluation) -> Figure {
    let mean = evaluation.collection.as_ref().map(|collection| collection.summary.mean);
    let value = |metric| mean.map_or(f64::NAN, |mean| 100.0 * mean.by(metric).get());
    let bars = Metric::ALL.iter().map(|&metric| (labels::metric(metric, &evaluation.setup), value(metric)));
    let picture = Picture::from(Bars {
        title: "Change degree of the collection".to_owned(),
        y_label: "mean degree of change, %".to_owned(),
        bars: bars.collect(),
    });
    Figure { picture, size: Size::new(760, 440) }
}

/// Figure 6: the pages that changed, in ascending order of shingling.
pub(super) fn figure_6(evaluation: &Evaluation) -> Figure {
    let pages = evaluation.collection.as_ref().map(shown).unwrap_or_default();
    let charts = [Metric::Cos, Metric::Ied].map(|other| against_shingling(&pages, other, &evaluation.setup));
    let title = "The same changes, seen by different metrics".to_owned();
    Figure { picture: Picture::from(Grid { title, columns: 2, charts: charts.into() }), size: Size::new(1080, 480) }
}

/// Figure 7: more and more words of a page change.
pub(super) fn figure_7(evaluation: &Evaluation) -> Figure {
    let x = Axis::linear("words changed, of a page of 1,000").within(0.0, 1_000.0);
    let title = "Degree of change by the number of changed words";
    small_multiples(title, &evaluation.figure_7, &evaluation.setup, &x, |point| point.changed)
}

/// Figure 8: a quarter of larger and larger pages changes.
pub(super) fn figure_8(evaluation: &Evaluation) -> Figure {
    let x = Axis::log2("words of the page, a quarter of them changed").within(4.0, 8_192.0);
    let title = "Degree of change by page size";
    small_multiples(title, &evaluation.figure_8, &evaluation.setup, &x, |point| point.words)
}

/// The changed pages in ascending order of shingling.
fn shown(collection: &Collection) -> Vec<&Sample> {
    let mut pages: Vec<&Sample> = collection.samples.iter().filter(|sample| sample.is_changed()).collect();
    pages.sort_by(|one, other| one.degree.shingle.get().total_cmp(&other.degree.shingle.get()));
    pages
}

fn against_shingling(pages: &[&Sample], other: Metric, setup: &Setup) -> Chart {
    let points = |metric| -> Vec<(f64, f64)> {
        pages.iter().enumerate().map(|(place, page)| (place as f64 + 1.0, page.degree.by(metric).get())).collect()
    };
    let [shingling, name] = [Metric::Shingle, other].map(|metric| labels::metric(metric, setup));
    let (pages, line) = (pages.len().max(1), thinned(&points(Metric::Shingle)));
    Chart {
        title: format!("{shingling} and {name}"),
        x: Axis::linear(format!("changed pages, in ascending order of {shingling}")).within(0.0, pages as f64),
        y: Axis::linear(DEGREE).within(0.0, 1.0),
        series: vec![
            Series::new(shingling, Mark::Line, line),
            Series::new(name, Mark::Points, COVERED.apart(&points(other), pages)),
        ],
    }
}

/// Every so many points of a line, and its last.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let stride = points.len().div_ceil(MOST_POINTS).max(1);
    let last = points.last().filter(|_| !(points.len().max(1) - 1).is_multiple_of(stride));
    points.iter().step_by(stride).chain(last).copied().collect()
}

/// How far apart points must be, as shares of the axes.
struct Spacing {
    x: f64,
    y: f64,
}

impl Spacing {
    /// The points, in rising order of their first value, without those that another covers: however
    /// large the collection, the figure stays small, and a crowd does not become a smear.
    fn apart(&self, points: &[(f64, f64)], pages: usize) -> Vec<(f64, f64)> {
        let near = self.x * pages as f64;
        let mut kept: Vec<(f64, f64)> = Vec::new();
        for &(x, y) in points {
            let close = kept.iter().rev().take_while(|other| x - other.0 < near);
            let covers = |other: &(f64, f64)| ((x - other.0) / near).hypot((y - other.1) / self.y) < 1.0;
            if !close.into_iter().any(covers) {
                kept.push((x, y));
            }
        }
        kept
    }
}

/// One chart a kind of change.
fn small_multiples(title: &str, curves: &[Curve], setup: &Setup, x: &Axis, at: fn(&Point) -> usize) -> Figure {
    let drawn = drawn(curves, setup);
    let chart = |curve: &Curve| {
        let points = |value: &dyn Fn(&Point) -> f64| {
            curve.points.iter().map(|point| (at(point) as f64, value(point))).collect::<Vec<_>>()
        };
        let criterion = Series::new("criterion", Mark::Dashed, points(&|point| point.criterion));
        let metrics = drawn.iter().map(|(metric, name)| {
            Series::new(name, Mark::LineAndPoints, points(&|point| point.degree.by(*metric).get()))
        });
        Chart {
            title: curve.kind.name().to_owned(),
            x: x.clone(),
            y: Axis::linear(DEGREE).within(0.0, 1.0),
            series: std::iter::once(criterion).chain(metrics).collect(),
        }
    };
    let charts = curves.iter().map(chart).collect();
    let picture = Picture::from(Grid { title: title.to_owned(), columns: 3, charts });
    Figure { picture, size: Size::new(1080, 760) }
}

/// All metrics with their names; variants of IED that equal it share its line.
fn drawn(curves: &[Curve], setup: &Setup) -> Vec<(Metric, String)> {
    const VARIANTS: [Metric; 2] = [Metric::IedRefined, Metric::IedGap];
    let near = |point: &Point, variant| (point.degree.by(variant).get() - point.degree.ied.get()).abs() < 1e-9;
    let mut points = curves.iter().flat_map(|curve| &curve.points);
    let equal = points.all(|point| VARIANTS.iter().all(|&variant| near(point, variant)));
    let name = |metric: Metric| match metric {
        Metric::Ied if equal => "IED (all variants)".to_owned(),
        metric => labels::metric(metric, setup),
    };
    let apart = if equal { &[] } else { &VARIANTS[..] };
    let is_further = |metric: &&Metric| !DRAWN.contains(metric) && !VARIANTS.contains(metric);
    let further = Metric::ALL.iter().filter(is_further);
    DRAWN.iter().chain(apart).chain(further).map(|&metric| (metric, name(metric))).collect()
}

#[cfg(test)]
mod tests {
    use driftline::degree::edit::EditKind;
    use driftline::degree::{Degree, Degrees};

    use super::*;

    #[test]
    fn a_long_line_is_thinned_but_keeps_its_ends() {
        let points: Vec<(f64, f64)> = (1..=2_500).map(|place| (f64::from(place), 0.5)).collect();
        let thinned = thinned(&points);
        assert!(thinned.len() <= MOST_POINTS, "{}", thinned.len());
        assert_eq!((thinned[0], thinned[thinned.len() - 1]), (points[0], points[2_499]));
        assert_eq!(super::thinned(&points[..7]), &points[..7]);
        assert_eq!(super::thinned(&[]), []);
    }

    /// A curve on which the metrics say something else each, or the variants of IED the same as IED.
    fn curve(are_apart: bool) -> Curve {
        let rank = |metric: Metric| if are_apart { metric.cost() } else { metric.cost().min(Metric::Ied.cost()) };
        let degree = Degrees::from_fn(|metric| Degree::clamped(f64::from(rank(metric)) / 100.0));
        Curve { kind: EditKind::Add, points: vec![Point { words: 100, changed: 10, criterion: 0.1, degree }] }
    }

    #[test]
    fn every_metric_is_drawn_once() {
        let mut metrics: Vec<Metric> =
            drawn(&[curve(true)], &Setup::default()).into_iter().map(|(metric, _)| metric).collect();
        metrics.sort_unstable();
        assert_eq!(metrics, Metric::ALL);
        let together = drawn(&[curve(false)], &Setup::default());
        assert_eq!(together.len(), Metric::ALL.len() - 2, "the variants share the line of IED");
    }

    #[test]
    fn a_crowd_of_any_size_becomes_few_points() {
        let crowd: Vec<(f64, f64)> = (1..=50_000).map(|place| (f64::from(place), 0.0)).collect();
        let apart = COVERED.apart(&crowd, crowd.len());
        assert!((100..=130).contains(&apart.len()), "{}", apart.len());
    }

    #[test]
    fn points_that_can_be_told_apart_are_all_drawn() {
        let spread = [(1.0, 0.0), (2.0, 0.0), (2.0, 0.5), (3.0, 1.0)];
        assert_eq!(COVERED.apart(&spread, 4), spread);
    }
}
