//! The paper's figures, all snapshots in one.

use driftline_report::plot::{Axis, Chart, Grid, Mark, Picture, Series, Size};

use super::{Evaluation, cells};
use crate::novelty::{Cell, Distribution, Judge, Judgement, Outcome, Point, Ranking, Threshold};
use crate::report::{Figure, labels};

/// The latest snapshots are shown; more would not fit into a picture. The tables have all.
pub(super) const MOST: usize = 12;

/// The baseline's name.
const NOT_SEEN: &str = "not seen before";

/// How fast the scores settle: the paper's figure 1.
pub(super) fn convergence(evaluation: &Evaluation) -> Figure {
    let chart = |outcome: &Outcome| Chart {
        title: cells::time(outcome.at),
        x: Axis::whole("round"),
        y: Axis::log10("summed change of N"),
        series: outcome
            .courses
            .iter()
            .map(|course| {
                let points = (1..).zip(&course.changes).map(|(round, &change)| (f64::from(round), change)).collect();
                Series::new(delta(course.delta), Mark::LineAndPoints, points)
            })
            .collect(),
    };
    let charts: Vec<Chart> = latest(&evaluation.outcomes).iter().map(chart).collect();
    // Four look better in a square than with one left over.
    let columns = if charts.len() == 4 { 2 } else { charts.len().clamp(1, 3) };
    grid("Convergence of the novelty measure", columns, charts)
}

/// Where the scores of U lie: the paper's figures 2 to 4.
pub(super) fn distribution(evaluation: &Evaluation) -> Figure {
    let charts = latest(&evaluation.outcomes).iter().flat_map(|outcome| {
        let lines: Vec<Line> =
            outcome.courses.iter().map(|course| (delta(course.delta), &course.distribution)).collect();
        let title = cells::time(outcome.at);
        let up_to = |(name, distribution): &Line| {
            let total = distribution.total() as f64;
            let points = distribution.cells().into_iter().map(|cell| (cell.to, cell.cumulative as f64 / total));
            Series::new(name.clone(), Mark::LineAndPoints, points.collect())
        };
        let shares = Axis::linear("cumulative share").within(0.0, 1.0);
        [pages(&title, &lines), chart(&title, "share up to N", shares, lines.iter().map(up_to).collect())]
    });
    grid("Distribution of the novelty measure over U", 2, charts.collect())
}

/// Where the scores of pages lie that are known to be old, and the miss rate at each threshold: the paper's figures 8
/// to 10.
pub(super) fn miss_rate(evaluation: &Evaluation) -> Figure {
    let charts = latest(&evaluation.outcomes).iter().flat_map(|outcome| {
        let miss = &outcome.miss;
        let mut lines = vec![("old by Last-Modified".to_owned(), &miss.distribution)];
        lines.extend(miss.by_birth.as_ref().map(|births| ("old by birth".to_owned(), &births.1)));
        let title = cells::time(outcome.at);
        let from = |(name, distribution): &Line| {
            let (total, cells) = (distribution.total(), distribution.cells());
            let share = |pair: &[Cell]| (total - pair[0].cumulative) as f64 / total as f64;
            let points = cells.windows(2).map(|pair| (pair[1].from, share(pair)));
            Series::new(name.clone(), Mark::Bars, points.collect())
        };
        let series: Vec<Series> = lines.iter().map(from).collect();
        let highest = series.iter().flat_map(|line| &line.points).map(|point| point.1).fold(0.0, f64::max);
        // Whole twentieths, one at least: a rate of nothing has no bars.
        let top = ((highest * 20.0).ceil() / 20.0).max(0.05);
        let shares = Axis::linear("miss rate").within(0.0, top);
        [pages(&title, &lines), chart(&title, "miss rate from N on", shares, series)]
    });
    grid("The novelty measure of old pages", 2, charts.collect())
}

/// A name and where its scores lie.
type Line<'a> = (String, &'a Distribution);

/// How many pages there are in each cell.
fn pages(title: &str, lines: &[Line]) -> Chart {
    let line = |(name, distribution): &Line| {
        let points = distribution.cells().into_iter().map(|cell| (middle(&cell), cell.pages as f64));
        Series::new(name.clone(), Mark::Bars, points.collect())
    };
    let most = lines.iter().flat_map(|line| line.1.cells()).map(|cell| cell.pages).max().unwrap_or(0);
    // A single page is to be seen above the axis.
    let axis = Axis::log10("pages").within(0.5, (most as f64 * 1.5).max(10.0));
    chart(title, "pages", axis, lines.iter().map(line).collect())
}

/// Zero stands apart, left of 0.
fn middle(cell: &Cell) -> f64 {
    if cell.to > 0.0 { f64::midpoint(cell.from, cell.to) } else { -0.05 }
}

fn chart(title: &str, kind: &str, y: Axis, series: Vec<Series>) -> Chart {
    Chart { title: format!("{title}: {kind}"), x: Axis::linear("N").within(-0.08, 1.03), y, series }
}

/// Precision and recall against time strings: the paper's figures 5 to 7.
pub(super) fn against_dates(evaluation: &Evaluation) -> Figure {
    against(evaluation, Judge::Dates, "Precision and recall against dated addresses")
}

/// The same against true births.
pub(super) fn against_truth(evaluation: &Evaluation) -> Figure {
    against(evaluation, Judge::Truth, "Precision and recall against true births")
}

fn against(evaluation: &Evaluation, judge: Judge, title: &str) -> Figure {
    let judged: Vec<_> = evaluation.judged(judge).collect();
    let charts = judged[judged.len().saturating_sub(MOST)..].iter().flat_map(|(outcome, judgement)| {
        let name = cells::time(outcome.at);
        let mut precision = lines(judgement, Point::precision);
        precision.push(baseline(judgement));
        [("precision", precision), ("recall", lines(judgement, Point::recall))].map(|(kind, series)| Chart {
            title: format!("{name}: {kind}"),
            x: Axis::linear("threshold").within(0.0, 1.0),
            y: Axis::linear("share").within(0.0, 1.0),
            series,
        })
    });
    grid(title, 2, charts.collect())
}

fn lines(judgement: &Judgement, value: fn(&Point) -> Option<f64>) -> Vec<Series> {
    let line = |(by, points): (Ranking, &[Point])| {
        let points = points.iter().map(|point| (place(point.threshold), value(point).unwrap_or(f64::NAN)));
        Series::new(labels::plain(&cells::ranking(by)), Mark::LineAndPoints, points.collect())
    };
    judgement.curves.iter().map(|curve| line((curve.by, &curve.points))).collect()
}

/// "Above 0" lies a little above 0.
fn place(threshold: Threshold) -> f64 {
    match threshold {
        Threshold::AtLeast(least) => least,
        Threshold::Positive => 0.01,
    }
}

fn baseline(judgement: &Judgement) -> Series {
    let share = judgement.baseline().unwrap_or(f64::NAN);
    Series::new(NOT_SEEN, Mark::Dashed, vec![(0.0, share), (1.0, share)])
}

/// Can the probability be believed? How often its pages were new, and how many pages say so.
pub(super) fn reliability(evaluation: &Evaluation) -> Figure {
    let judge = evaluation.best_judge();
    let told = |(outcome, judgement): (&Outcome, &Judgement)| {
        let bins = &judgement.reliability.as_ref()?.bins;
        let shares = bins.iter().filter_map(|bin| Some((bin.mean, bin.share()?))).collect();
        let counts = bins.iter().map(|bin| (bin.from + 0.05, bin.pages as f64)).collect();
        let name = cells::time(outcome.at);
        Some((Series::new(name.clone(), Mark::Points, shares), Series::new(name, Mark::Bars, counts)))
    };
    let told: Vec<(Series, Series)> = evaluation.judged(judge).filter_map(told).collect();
    let (mut shares, counts): (Vec<Series>, Vec<Series>) = latest(&told).iter().cloned().unzip();
    shares.push(Series::new("as it should be", Mark::Dashed, vec![(0.0, 0.0), (1.0, 1.0)]));
    let most = counts.iter().flat_map(|series| &series.points).map(|point| point.1).fold(10.0, f64::max);
    let [often, many] = [
        ("how often they were new", Axis::linear("share that were new").within(0.0, 1.0), shares),
        ("how many there are", Axis::log10("pages").within(0.5, most * 1.5), counts),
    ]
    .map(|(title, y, series)| Chart {
        title: title.to_owned(),
        x: Axis::linear("probability").within(0.0, 1.0),
        y,
        series,
    });
    grid("Pages of a probability", 2, vec![often, many])
}

fn delta(delta: f64) -> String {
    labels::plain(&cells::ranking(Ranking::Novelty(delta)))
}

fn latest<T>(items: &[T]) -> &[T] {
    &items[items.len().saturating_sub(MOST)..]
}

/// The same for a narrow screen: one chart below the other.
pub(super) fn narrow(figure: Figure) -> Figure {
    let Picture::Grid(grid) = figure.picture else { return figure };
    let size = Size::new(380, 150 + 230 * grid.charts.len().max(1) as u32);
    Figure { picture: Picture::from(Grid { columns: 1, ..grid }), size }
}

fn grid(title: &str, columns: usize, charts: Vec<Chart>) -> Figure {
    let rows = charts.len().div_ceil(columns).max(1) as u32;
    Figure {
        picture: Picture::from(Grid { title: title.to_owned(), columns, charts }),
        size: Size::new(1080, 130 + 290 * rows),
    }
}
