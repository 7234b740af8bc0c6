//! The paper's figures 5 to 8.

use driftline_report::plot::{Axis, Chart, Grid, Mark, Picture, Series, Size};

use super::{Evaluation, Timing};
use crate::regions::Group;
use crate::regions::effort::Effort;
use crate::regions::reliability::{Approach, Kind, Trial, curve};
use crate::report::Figure;

/// The most points of a scatter chart of given pages.
const MOST_POINTS: usize = 1_000;

/// The names of the approaches in figures 6 and 7.
const APPROACHES: [&str; 3] = ["original", "enhanced", "driftline"];

/// Figure 5: how much each version takes away.
pub(super) fn figure_5(evaluation: &Evaluation) -> Figure {
    let decay = &evaluation.decay;
    let points = decay.steps.iter().map(|step| (step.step as f64, step.newly)).collect();
    let mut series = vec![Series::new("newly changed", Mark::Points, points)];
    if let Some(fit) = decay.fit {
        let line = decay.steps.iter().map(|step| (step.step as f64, fit.at(step.step as f64))).collect();
        series.push(Series::new("exponential decay", Mark::Dashed, line));
    }
    let picture = Picture::from(Chart {
        title: "Fraction of the page that each version changes".to_owned(),
        x: Axis::linear("versions after the first"),
        y: Axis::log10("fraction newly changed"),
        series,
    });
    Figure { picture, size: Size::new(760, 440) }
}

/// Figure 6: similarities computed.
pub(super) fn figure_6(evaluation: &Evaluation) -> Figure {
    let value = |effort: &Effort, at: usize| {
        [effort.counts.original_distinct, effort.counts.enhanced_same_tag, effort.driftline][at] as f64
    };
    let chart = |group: &Group<Effort>| Chart {
        title: group.name.clone(),
        x: Axis::log2("elements of the page"),
        y: Axis::log10("similarities of elements computed"),
        series: series(evaluation, &group.items, |effort| effort.nodes, value),
    };
    let charts = evaluation.efforts.iter().map(chart).collect();
    grid("How many similarities each approach computes", 2, charts, Size::new(1080, 480))
}

/// Figure 7: time, without and with reading the pages.
pub(super) fn figure_7(evaluation: &Evaluation) -> Figure {
    let detecting = |timing: &Timing, at: usize| {
        1_000.0 * [timing.original.unwrap_or(f64::NAN), timing.enhanced, timing.driftline][at]
    };
    let chart = |group: &Group<Timing>, reads: bool| Chart {
        title: format!("{}, {} reading", group.name, if reads { "with" } else { "without" }),
        x: Axis::log2("elements of the page"),
        y: Axis::log10("milliseconds"),
        series: series(
            evaluation,
            &group.items,
            |timing| timing.nodes,
            |timing, at| detecting(timing, at) + if reads { 1_000.0 * timing.reading } else { 0.0 },
        ),
    };
    let charts: Vec<Chart> =
        evaluation.timings.iter().flat_map(|group| [false, true].map(|reads| chart(group, reads))).collect();
    let height = 130 + 330 * charts.len().div_ceil(2).max(1) as u32;
    grid("Detection time", 2, charts, Size::new(1080, height))
}

/// Figure 8: detected changes among the actual ones.
pub(super) fn figure_8(evaluation: &Evaluation) -> Figure {
    let chart = |group: &Group<Trial>, approach: Approach| {
        let line = |kind: Option<Kind>| {
            let points = curve(&group.items, approach, kind);
            let points: Vec<(f64, f64)> = points.into_iter().map(|(value, ratio)| (value, ratio.share())).collect();
            let drawn = points.iter().any(|point| point.1.is_finite());
            drawn.then(|| Series::new(kind_name(kind), Mark::LineAndPoints, points))
        };
        Chart {
            title: format!("{}: {}", group.name, approach_name(approach)),
            x: Axis::linear("the weight that varies; the others share the rest").within(0.0, 1.0),
            y: Axis::linear("detected among actual changes").within(0.0, 1.0),
            series: KINDS.into_iter().filter_map(line).collect(),
        }
    };
    let charts: Vec<Chart> =
        evaluation.trials.iter().flat_map(|group| Approach::ALL.map(|approach| chart(group, approach))).collect();
    let height = 130 + 310 * charts.len().div_ceil(3).max(1) as u32;
    grid("Detection reliability", 3, charts, Size::new(1080, height))
}

/// The lines of figure 8, all changes first.
pub(super) const KINDS: [Option<Kind>; 5] =
    [None, Some(Kind::Content), Some(Kind::Attributes), Some(Kind::Structure), Some(Kind::Inside)];

/// What a line of figure 8 is called.
pub(super) fn kind_name(kind: Option<Kind>) -> &'static str {
    match kind {
        None => "overall",
        Some(Kind::Content) => "content (γ)",
        Some(Kind::Attributes) => "attributes (β)",
        Some(Kind::Structure) => "structure (α)",
        Some(Kind::Inside) => "elements inside (α)",
    }
}

/// What an approach of figure 8 is called.
pub(super) fn approach_name(approach: Approach) -> &'static str {
    match approach {
        Approach::Product => "product form",
        Approach::Sum => "sum form",
        Approach::Driftline => "driftline",
    }
}

/// A series an approach over the size of the page; given pages are single points.
fn series<T>(
    evaluation: &Evaluation,
    items: &[T],
    nodes: impl Fn(&T) -> usize,
    value: impl Fn(&T, usize) -> f64,
) -> Vec<Series> {
    let mark = if evaluation.collection.is_some() { Mark::Points } else { Mark::LineAndPoints };
    let stride = items.len().div_ceil(MOST_POINTS).max(1);
    let points = |at: usize| items.iter().step_by(stride).map(|item| (nodes(item) as f64, value(item, at))).collect();
    APPROACHES.into_iter().enumerate().map(|(at, name)| Series::new(name, mark, points(at))).collect()
}

fn grid(title: &str, columns: usize, charts: Vec<Chart>, size: Size) -> Figure {
    Figure { picture: Picture::from(Grid { title: title.to_owned(), columns, charts }), size }
}
