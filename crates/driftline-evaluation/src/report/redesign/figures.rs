//! Figures: the share of redesigns that is found within a number of documents, and the calibration of certainties.

use driftline::redesign::Detector;
use driftline_report::plot::{Axis, Chart, Grid, Mark, Picture, Series, Size};

use super::Evaluation;
use crate::redesign::Row;
use crate::redesign::calibration::bins;
use crate::report::Figure;

/// Figure 1: the share of the redesigns that was found within so many documents.
pub(super) fn delays(evaluation: &Evaluation) -> Figure {
    let chart = |&history: &usize| {
        let line = |&detector: &Detector| {
            let row = Row::of(detector, history, evaluation.outcomes());
            let total = row.delays.found().len() + row.delays.missed();
            let within = |delay: usize| row.delays.found().iter().filter(|&&found| found <= delay).count();
            let share = |delay: usize| within(delay) as f64 / total as f64;
            // What is found at a document is not found before it: steps.
            let mut points = vec![(0.0, share(0))];
            for delay in 1..=evaluation.longest() {
                points.extend([(delay as f64, share(delay - 1)), (delay as f64, share(delay))]);
            }
            Series::new(detector.name(), Mark::Line, points)
        };
        Chart {
            title: format!("h = {history}"),
            x: Axis::linear("documents after the redesign").within(0.0, evaluation.longest() as f64),
            y: Axis::linear("redesigns found").within(0.0, 1.0),
            series: Detector::ALL.iter().map(line).collect(),
        }
    };
    let charts: Vec<Chart> = evaluation.histories.iter().map(chart).collect();
    let (columns, rows) = (charts.len().clamp(1, 3), charts.len().div_ceil(3).max(1) as u32);
    let title = "The share of the redesigns that is found in time".to_owned();
    Figure { picture: Picture::from(Grid { title, columns, charts }), size: Size::new(1080, 130 + 320 * rows) }
}

/// Figure 2: the share of redesigns among suspicions of about the same certainty.
pub(super) fn calibration(evaluation: &Evaluation) -> Figure {
    let line = |&history: &usize| {
        let bins = bins(evaluation.outcomes(), history);
        let points = bins.iter().filter_map(|bin| Some((bin.from + 0.05, bin.share()?))).collect();
        Series::new(format!("h = {history}"), Mark::Points, points)
    };
    let mut series: Vec<Series> = evaluation.histories.iter().map(line).collect();
    series.push(Series::new("as it should be", Mark::Dashed, vec![(0.0, 0.0), (1.0, 1.0)]));
    let chart = Chart {
        title: "How often what driftline suspected was a redesign".to_owned(),
        x: Axis::linear("certainty").within(0.0, 1.0),
        y: Axis::linear("share that were redesigns").within(0.0, 1.0),
        series,
    };
    Figure { picture: Picture::from(chart), size: Size::new(760, 480) }
}
