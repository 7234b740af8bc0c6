//! Every number as CSV.

use driftline_report::table::{Column, Kind, TableError, Value};

use super::{Evaluation, cells, is_independent};
use crate::novelty::{Course, Distribution, Judge, Judgement, MissRate, Outcome};
use crate::report::data::{csv, integer};

const SNAPSHOT: Column = Column::new("snapshot", Kind::Text);

fn whole<const N: usize>(names: [&'static str; N]) -> [Column; N] {
    names.map(|name| Column::new(name, Kind::Integer))
}

fn real(value: Option<f64>) -> Value {
    value.map_or(Value::Null, Value::from)
}

fn at(outcome: &Outcome) -> Value {
    outcome.at.to_string().into()
}

/// `table-2.csv`.
pub(super) fn table_2(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![SNAPSHOT, Column::new("previous", Kind::Text)];
    columns.extend(whole(["crawled", "seen_twice", "old", "unidentified", "old_only_by_last_modified"]));
    columns.extend(whole(["old_only_by_link", "old_by_both", "unidentified_without_in_links"]));
    columns.extend(whole(["unidentified_born_since", "old_born_since"]));
    let rows = evaluation.outcomes.iter().map(|outcome| {
        let sizes = &outcome.sizes;
        let counts = [
            sizes.crawled,
            sizes.seen_twice,
            sizes.old,
            sizes.unidentified,
            sizes.old_only_by_last_modified,
            sizes.old_only_by_link,
            sizes.old_by_both,
            sizes.unidentified_without_in_links,
        ];
        let births =
            outcome.births.map_or([Value::Null, Value::Null], |births| [births.novel, births.wrongly_old].map(integer));
        let times = [at(outcome), outcome.previous.to_string().into()];
        times.into_iter().chain(counts.map(integer)).chain(births).collect()
    });
    csv(&columns, rows)
}

/// `table-3.csv`.
pub(super) fn table_3(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![SNAPSHOT];
    columns.extend(whole(["old", "new", "future"]));
    columns.push(Column::new("agrees_with_truth", Kind::Real));
    let rows = evaluation.outcomes.iter().map(|outcome| {
        let ages = [outcome.ages.old, outcome.ages.new, outcome.ages.future].map(integer);
        let agrees = real(outcome.births.and_then(|births| births.dates_agree));
        [at(outcome)].into_iter().chain(ages).chain([agrees]).collect()
    });
    csv(&columns, rows)
}

/// `convergence.csv`: the paper's figure 1.
pub(super) fn convergence(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let columns = [
        SNAPSHOT,
        Column::new("delta", Kind::Real),
        Column::new("round", Kind::Integer),
        Column::new("summed_change", Kind::Real),
    ];
    let course = |outcome: &Outcome, course: &Course| -> Vec<Vec<Value>> {
        let rounds = (1..).zip(&course.changes);
        rounds.map(|(round, &change)| vec![at(outcome), course.delta.into(), integer(round), change.into()]).collect()
    };
    let rows = evaluation
        .outcomes
        .iter()
        .flat_map(|outcome| outcome.courses.iter().flat_map(|each| course(outcome, each)).collect::<Vec<_>>());
    csv(&columns, rows)
}

/// `distribution.csv`: the paper's figures 2 to 4, and 8 to 10 (`old by …`).
pub(super) fn distribution(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![SNAPSHOT, Column::new("pages_of", Kind::Text)];
    columns.extend(["delta", "from", "to"].map(|name| Column::new(name, Kind::Real)));
    columns.extend(whole(["pages", "cumulative"]));
    let cells = |outcome: &Outcome, of: &'static str, delta: f64, distribution: &Distribution| -> Vec<Vec<Value>> {
        let row = |cell: crate::novelty::Cell| {
            let counts = [cell.pages, cell.cumulative].map(integer);
            [at(outcome), of.into(), delta.into(), cell.from.into(), cell.to.into()].into_iter().chain(counts).collect()
        };
        distribution.cells().into_iter().map(row).collect()
    };
    let rows = evaluation.outcomes.iter().flat_map(|outcome| {
        let all = outcome.courses.iter().map(|course| cells(outcome, "U", course.delta, &course.distribution));
        let old = cells(outcome, "old by Last-Modified", outcome.miss.delta, &outcome.miss.distribution);
        let births = outcome.miss.by_birth.as_ref();
        let born = births.map(|births| cells(outcome, "old by birth", outcome.miss.delta, &births.1));
        all.chain([old]).chain(born).flatten().collect::<Vec<_>>()
    });
    csv(&columns, rows)
}

/// Every judgement of every snapshot.
fn judgements(evaluation: &Evaluation) -> impl Iterator<Item = (&Outcome, &Judgement)> {
    [Judge::Truth, Judge::Dates].into_iter().flat_map(|judge| evaluation.judged(judge))
}

/// `curves.csv`: the paper's figures 5 to 7.
pub(super) fn curves(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![SNAPSHOT];
    columns.extend(["judge", "score", "threshold"].map(|name| Column::new(name, Kind::Text)));
    columns.extend(whole(["judged_novel"]));
    columns.extend(["precision", "recall"].map(|name| Column::new(name, Kind::Real)));
    let rows = judgements(evaluation).flat_map(|(outcome, judgement)| {
        let judge = cells::judge_name(judgement.judge);
        judgement.curves.iter().flat_map(move |curve| {
            curve.points.iter().map(move |point| {
                vec![
                    at(outcome),
                    judge.into(),
                    cells::ranking_name(curve.by).into(),
                    point.threshold.name().into(),
                    integer(point.called),
                    real(point.precision()),
                    real(point.recall()),
                ]
            })
        })
    });
    csv(&columns, rows)
}

/// `average-precision.csv`.
pub(super) fn average_precision(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![SNAPSHOT];
    columns.extend(["judge", "score"].map(|name| Column::new(name, Kind::Text)));
    columns.extend([Column::new("average_precision", Kind::Real), Column::new("independent", Kind::Flag)]);
    let rows = judgements(evaluation).flat_map(|(outcome, judgement)| {
        let judge = cells::judge_name(judgement.judge);
        let row = move |score: String, value: Option<f64>, is_independent: bool| {
            vec![at(outcome), judge.into(), score.into(), real(value), Value::Flag(is_independent)]
        };
        let scores = judgement.curves.iter().map(move |curve| {
            let is_independent = is_independent(judgement.judge, curve.by);
            row(cells::ranking_name(curve.by), curve.average_precision, is_independent)
        });
        [row("not seen before".to_owned(), judgement.baseline(), true)].into_iter().chain(scores)
    });
    csv(&columns, rows)
}

/// `reliability.csv`: what became of probabilities.
pub(super) fn reliability(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![SNAPSHOT, Column::new("judge", Kind::Text)];
    columns.extend(["probability_from", "mean_probability"].map(|name| Column::new(name, Kind::Real)));
    columns.extend(whole(["pages", "novel"]));
    let rows = judgements(evaluation).flat_map(|(outcome, judgement)| {
        let bins = judgement.reliability.iter().flat_map(|reliability| &reliability.bins);
        bins.map(move |bin| {
            let judge = cells::judge_name(judgement.judge);
            vec![at(outcome), judge.into(), bin.from.into(), bin.mean.into(), integer(bin.pages), integer(bin.novel)]
        })
    });
    csv(&columns, rows)
}

/// `miss-rate.csv`: the paper's figures 8 to 10.
pub(super) fn miss_rate(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![SNAPSHOT, Column::new("old_by", Kind::Text), Column::new("delta", Kind::Real)];
    columns.extend(whole(["unidentified_without_rules", "old", "positive", "at_least_0_1", "at_least_0_5"]));
    let rows = evaluation.outcomes.iter().flat_map(|outcome| {
        let miss = &outcome.miss;
        let row = |by: &'static str, rate: MissRate| {
            let counts = [miss.unidentified, rate.old, rate.positive, rate.at_least_0_1, rate.at_least_0_5];
            [at(outcome), by.into(), miss.delta.into()].into_iter().chain(counts.map(integer)).collect()
        };
        let births = miss.by_birth.as_ref().map(|births| row("truth", births.0));
        [row("last modified", miss.by_last_modified)].into_iter().chain(births).collect::<Vec<_>>()
    });
    csv(&columns, rows)
}

/// `missed.csv`: why old pages were not crawled last time.
pub(super) fn missed(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let columns = [SNAPSHOT, Column::new("reason", Kind::Text), Column::new("pages", Kind::Integer)];
    let rows = evaluation.outcomes.iter().flat_map(|outcome| {
        outcome.missed.iter().map(|(reason, pages)| vec![at(outcome), reason.as_str().into(), integer(*pages)])
    });
    csv(&columns, rows)
}
