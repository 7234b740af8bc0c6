//! The numbers behind the figures, as CSV.

use driftline_report::table::{Column, Kind, TableError, Value};

use super::{Evaluation, Timing};
use crate::regions::Group;
use crate::regions::effort::Effort;
use crate::regions::reliability::{Approach, Kind as ChangeKind, Setting, Trial, ratio};
use crate::report::data::{csv, integer};

/// `figure-5.csv`: version after version, with the fitted value.
pub(super) fn figure_5(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let columns = [
        Column::new("step", Kind::Integer),
        Column::new("pages", Kind::Integer),
        Column::new("changed", Kind::Real),
        Column::new("newly_changed", Kind::Real),
        Column::new("fitted", Kind::Real),
    ];
    let fit = evaluation.decay.fit;
    let rows = evaluation.decay.steps.iter().map(|step| {
        let fitted = fit.map_or(Value::Null, |fit| fit.at(step.step as f64).into());
        vec![integer(step.step), integer(step.pages), step.changed.into(), step.newly.into(), fitted]
    });
    csv(&columns, rows)
}

/// `figure-6.csv`: every pair.
pub(super) fn figure_6(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![Column::new("pages", Kind::Text), Column::new("id", Kind::Text)];
    let counts = [
        "nodes",
        "all_pairs",
        "original_distinct",
        "original_with_repeats",
        "enhanced_rows",
        "enhanced_same_tag",
        "driftline",
    ];
    columns.extend(counts.map(|name| Column::new(name, Kind::Integer)));
    let row = |group: &Group<Effort>, effort: &Effort| {
        let counts = &effort.counts;
        let mut row = vec![group.name.as_str().into(), effort.id.as_str().into(), integer(effort.nodes)];
        let numbers = [
            counts.all_pairs,
            counts.original_distinct,
            counts.original_with_repeats,
            counts.enhanced_rows,
            counts.enhanced_same_tag,
            effort.driftline,
        ];
        row.extend(numbers.map(|number| integer(usize::try_from(number).unwrap_or(usize::MAX))));
        row
    };
    let groups = evaluation.efforts.iter();
    csv(&columns, groups.flat_map(|group| group.items.iter().map(move |effort| row(group, effort))))
}

/// `figure-7.csv`: every pair that was timed, in seconds.
pub(super) fn figure_7(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![Column::new("pages", Kind::Text), Column::new("id", Kind::Text)];
    columns.push(Column::new("nodes", Kind::Integer));
    columns.extend(["reading", "original", "enhanced", "driftline"].map(|name| Column::new(name, Kind::Real)));
    let row = |group: &Group<Timing>, timing: &Timing| {
        vec![
            group.name.as_str().into(),
            timing.id.as_str().into(),
            integer(timing.nodes),
            timing.reading.into(),
            timing.original.map_or(Value::Null, Value::from),
            timing.enhanced.into(),
            timing.driftline.into(),
        ]
    };
    let groups = evaluation.timings.iter();
    csv(&columns, groups.flat_map(|group| group.items.iter().map(move |timing| row(group, timing))))
}

/// `figure-8.csv`: every approach under every setting, by kind of change.
pub(super) fn figure_8(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns: Vec<Column> = ["pages", "approach", "parameter"].map(|name| Column::new(name, Kind::Text)).into();
    columns.extend([Column::new("value", Kind::Real), Column::new("change", Kind::Text)]);
    columns.extend(["detected", "actual"].map(|name| Column::new(name, Kind::Integer)));
    let row = |group: &Group<Trial>, approach: Approach, setting: Setting, kind: Option<ChangeKind>| {
        let ratio = ratio(&group.items, approach, setting, kind);
        vec![
            group.name.as_str().into(),
            approach.name().into(),
            setting.parameter.name().into(),
            setting.value().into(),
            kind.map_or("overall", ChangeKind::name).into(),
            integer(ratio.detected),
            integer(ratio.actual),
        ]
    };
    let mut rows = Vec::new();
    for group in &evaluation.trials {
        for approach in Approach::ALL {
            for setting in Setting::all() {
                let kinds = ChangeKind::ALL.map(Some).into_iter().chain([None]);
                rows.extend(kinds.map(|kind| row(group, approach, setting, kind)));
            }
        }
    }
    csv(&columns, rows.into_iter())
}
