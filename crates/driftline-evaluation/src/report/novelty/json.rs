//! The numbers for programs.

use serde_json::{Value, json};

use super::{Evaluation, is_independent};
use crate::novelty::{Course, Curve, Distribution, Judge, Judgement, MissRate, Outcome, Point, Ranking};

/// The version of the JSON.
const FORMAT: u32 = 1;

/// Everything.
pub(super) fn write(evaluation: &Evaluation) -> Value {
    json!({
        "format": FORMAT,
        "series": evaluation.series,
        "rounds": evaluation.rounds,
        "truth": evaluation.truth,
        "snapshots": evaluation.outcomes.iter().map(snapshot).collect::<Vec<_>>(),
    })
}

fn snapshot(outcome: &Outcome) -> Value {
    let course = |course: &Course| {
        json!({
            "delta": course.delta,
            "changes": course.changes,
            "distribution": course.distribution.cells(),
        })
    };
    let missed = outcome.missed.iter().map(|(reason, pages)| (reason.clone(), json!(pages)));
    json!({
        "at": outcome.at.to_string(),
        "previous": outcome.previous.to_string(),
        "sizes": outcome.sizes,
        "dated": outcome.ages,
        "scores": outcome.courses.iter().map(course).collect::<Vec<_>>(),
        "judges": outcome.judgements.iter().map(judgement).collect::<Vec<_>>(),
        "truth": outcome.births,
        "miss_rate": {
            "delta": outcome.miss.delta,
            "unidentified_without_rules": outcome.miss.unidentified,
            "last_modified": rate(&outcome.miss.by_last_modified),
            "distribution": cells(&outcome.miss.distribution),
            "truth": outcome.miss.by_birth.as_ref().map(|births| rate(&births.0)),
        },
        "missed": missed.collect::<serde_json::Map<_, _>>(),
        "copies": outcome.copies,
    })
}

fn cells(distribution: &Distribution) -> Value {
    json!(distribution.cells())
}

fn rate(rate: &MissRate) -> Value {
    let mut value = json!(rate);
    for (name, count) in
        [("positive", rate.positive), ("at_least_0_1", rate.at_least_0_1), ("at_least_0_5", rate.at_least_0_5)]
    {
        value[format!("share_{name}")] = json!(rate.share(count));
    }
    value
}

fn judgement(judgement: &Judgement) -> Value {
    json!({
        "judge": judgement.judge,
        "known": judgement.known,
        "novel": judgement.novel,
        "baseline": judgement.baseline(),
        "curves": judgement.curves.iter().map(|each| curve(judgement.judge, each)).collect::<Vec<_>>(),
        "reliability": judgement.reliability,
    })
}

fn curve(judge: Judge, curve: &Curve) -> Value {
    let point = |point: &Point| {
        json!({
            "threshold": point.threshold.name(),
            "judged_novel": point.called,
            "precision": point.precision(),
            "recall": point.recall(),
        })
    };
    let by = match curve.by {
        Ranking::Novelty(delta) => json!({"delta": delta}),
        Ranking::Probability => json!("probability"),
    };
    json!({
        "by": by,
        "independent": is_independent(judge, curve.by),
        "average_precision": curve.average_precision,
        "points": curve.points.iter().map(point).collect::<Vec<_>>(),
    })
}
