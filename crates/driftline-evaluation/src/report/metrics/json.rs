//! The findings for programs: parameters, deviations, collection, advice.

use driftline::degree::Metric;
use serde_json::{Map, Value, json};

use super::{Collection, Evaluation, labels, prose};
use crate::metrics::advice::{Advice, Ranked, Warning};
use crate::metrics::collection::Distance;
use crate::metrics::experiment::{Curve, Setup};

/// Everything but the single points and pairs, which are in the CSV files.
pub(super) fn write(evaluation: &Evaluation) -> Value {
    json!({
        "parameters": parameters(&evaluation.setup),
        "figure_7": evaluation.figure_7.iter().map(deviations).collect::<Vec<_>>(),
        "figure_8": evaluation.figure_8.iter().map(deviations).collect::<Vec<_>>(),
        "collection": evaluation.collection.as_ref().map(collection),
        "advice": advice(evaluation),
    })
}

fn parameters(setup: &Setup) -> Value {
    json!({
        "alpha": setup.weights.copy(),
        "beta": setup.weights.moving(),
        "shingle": setup.options.shingle_length,
        "seed": setup.seed,
    })
}

fn deviations(curve: &Curve) -> Value {
    let metric = |metric| {
        let sensitivity = labels::sensitivity(curve.sensitivity(metric));
        json!({ "mean_deviation": curve.mean_deviation(metric), "sensitivity": sensitivity })
    };
    json!({ "change": curve.kind, "metrics": by_metric(metric) })
}

fn collection(collection: &Collection) -> Value {
    let distance = |metric| json!(Distance::between(metric, Metric::Ied, &collection.samples));
    let summary = &collection.summary;
    json!({
        "pairs": summary.pairs,
        "failed": collection.failed,
        "changed": summary.changed,
        "median_words": summary.median_words,
        "mean": summary.mean,
        "shares": summary.shares,
        "from_ied": by_metric(distance),
        "warnings": collection.warnings.iter().map(warning).collect::<Vec<_>>(),
    })
}

fn advice(evaluation: &Evaluation) -> Value {
    let Advice { shares, ranking } = &evaluation.advice;
    let ranked = |ranked: &Ranked| json!({ "metric": ranked.metric.name(), "expected_deviation": ranked.expected, "effective": ranked.effective });
    json!({
        "shares": shares,
        "best": evaluation.advice.best().metric.name(),
        "runner_up": evaluation.advice.runner_up().metric.name(),
        "cheaper": evaluation.advice.cheaper().map(|ranked| ranked.metric.name()),
        "ranking": ranking.iter().map(ranked).collect::<Vec<_>>(),
        "text": prose::advice(evaluation).iter().map(|text| labels::plain(text)).collect::<Vec<_>>(),
    })
}

fn warning(warning: &Warning) -> Value {
    match warning {
        Warning::SmallPages { median_words, excess } => {
            json!({ "warning": "small_pages", "median_words": median_words, "shingle_excess": excess })
        }
        Warning::Variants { distance } => {
            json!({ "warning": "variants", "mean": distance.mean, "largest": distance.largest })
        }
    }
}

fn by_metric(value: impl Fn(Metric) -> Value) -> Value {
    Value::Object(Metric::ALL.iter().map(|&metric| (metric.name().to_owned(), value(metric))).collect::<Map<_, _>>())
}
