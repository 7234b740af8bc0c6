//! The numbers behind the figures, as CSV.

use driftline::degree::edit::EditKind;
use driftline::degree::{Degrees, Metric};
use driftline_report::table::{Column, Kind, TableError, Value};

use super::{Evaluation, labels};
use crate::metrics::collection::Sample;
use crate::metrics::experiment::Curve;
use crate::report::data::{csv, integer};

/// `deviations.csv`: how far each metric is from each criterion, in figures 7 and 8.
pub(super) fn deviations(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let columns = [
        Column::new("figure", Kind::Integer),
        Column::new("change", Kind::Text),
        Column::new("metric", Kind::Text),
        Column::new("mean_deviation", Kind::Real),
        Column::new("largest_deviation", Kind::Real),
        Column::new("sensitivity", Kind::Text),
    ];
    let row = |figure: u32, curve: &Curve, metric: Metric| {
        let largest = curve.deviations(metric).iter().fold(0.0, |largest: f64, deviation| largest.max(deviation.abs()));
        vec![
            figure.into(),
            curve.kind.name().into(),
            metric.name().into(),
            curve.mean_deviation(metric).into(),
            largest.into(),
            labels::sensitivity(curve.sensitivity(metric)).into(),
        ]
    };
    let curves = evaluation.figure_7.iter().map(|curve| (7, curve));
    let curves = curves.chain(evaluation.figure_8.iter().map(|curve| (8, curve)));
    csv(&columns, curves.flat_map(|(figure, curve)| Metric::ALL.iter().map(move |&metric| row(figure, curve, metric))))
}

/// `figure-7.csv`: every point of the figure.
pub(super) fn figure_7(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    points(&evaluation.figure_7)
}

/// `figure-8.csv`: every point of the figure.
pub(super) fn figure_8(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    points(&evaluation.figure_8)
}

/// `pairs.csv`: every pair of real pages.
pub(super) fn pairs(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![Column::new("id", Kind::Text)];
    columns.extend(["old_words", "new_words"].map(|name| Column::new(name, Kind::Integer)));
    columns.extend(metrics());
    columns.extend(EditKind::ALL.map(|kind| Column::new(kind.name(), Kind::Integer)));
    let row = |(id, sample): (&String, &Sample)| {
        let mut row = vec![id.as_str().into(), integer(sample.words.older), integer(sample.words.newer)];
        row.extend(degrees(&sample.degree));
        row.extend(EditKind::ALL.map(|kind| integer(sample.operations.of(kind))));
        row
    };
    let pairs = evaluation.collection.iter().flat_map(|collection| collection.ids.iter().zip(&collection.samples));
    csv(&columns, pairs.map(row))
}

fn points(curves: &[Curve]) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![Column::new("change", Kind::Text)];
    columns.extend(["words", "changed"].map(|name| Column::new(name, Kind::Integer)));
    columns.push(Column::new("criterion", Kind::Real));
    columns.extend(metrics());
    let rows = curves.iter().flat_map(|curve| {
        curve.points.iter().map(|point| {
            let mut row = vec![curve.kind.name().into(), integer(point.words), integer(point.changed)];
            row.push(point.criterion.into());
            row.extend(degrees(&point.degree));
            row
        })
    });
    csv(&columns, rows)
}

fn metrics() -> impl Iterator<Item = Column> {
    Metric::ALL.iter().map(|metric| Column::new(metric.name(), Kind::Real))
}

fn degrees(degrees: &Degrees) -> impl Iterator<Item = Value> {
    Metric::ALL.iter().map(|&metric| degrees.by(metric).get().into())
}
