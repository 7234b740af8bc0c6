//! The findings for programs: parameters, a summary of each figure, sentences.

use serde_json::{Value, json};

use super::figures::KINDS;
use super::{Collection, Evaluation, Timing, prose};
use crate::regions::Group;
use crate::regions::effort::{Effort, Total};
use crate::regions::reliability::{Approach, Kind, Trial, curve};
use crate::report::labels;

/// Everything but the single pairs, which are in the CSV files.
pub(super) fn write(evaluation: &Evaluation) -> Value {
    json!({
        "parameters": { "seed": evaluation.seed, "runs": evaluation.runs },
        "collection": evaluation.collection.as_ref().map(collection),
        "figure_5": decay(evaluation),
        "figure_6": evaluation.efforts.iter().map(effort).collect::<Vec<_>>(),
        "figure_7": evaluation.timings.iter().map(timing).collect::<Vec<_>>(),
        "figure_8": evaluation.trials.iter().map(reliability).collect::<Vec<_>>(),
        "text": prose::findings(evaluation).map(|text| labels::plain(&text)),
    })
}

fn collection(collection: &Collection) -> Value {
    json!({ "pages": collection.pages, "pairs": collection.pairs, "failed": collection.failed })
}

fn decay(evaluation: &Evaluation) -> Value {
    let fit = evaluation.decay.fit.map(|fit| {
        json!({
            "start": fit.start,
            "rate": fit.rate,
            "half_life": fit.half_life(),
            "r_squared": fit.r_squared,
            "points": fit.points,
        })
    });
    let steps = evaluation.decay.steps.iter().map(
        |step| json!({ "step": step.step, "pages": step.pages, "changed": step.changed, "newly_changed": step.newly }),
    );
    json!({ "steps": steps.collect::<Vec<_>>(), "fit": fit })
}

fn effort(group: &Group<Effort>) -> Value {
    let total = Total::of(&group.items);
    json!({
        "pages": group.name,
        "pairs": group.items.len(),
        "original": total.original,
        "enhanced": total.enhanced,
        "driftline": total.driftline,
        "saved_by_enhanced": total.saved_by_enhanced(),
        "saved_by_driftline": total.saved_by_driftline(),
    })
}

fn timing(group: &Group<Timing>) -> Value {
    let pair = |timing: &Timing| {
        json!({
            "id": timing.id,
            "nodes": timing.nodes,
            "reading": timing.reading,
            "original": timing.original,
            "enhanced": timing.enhanced,
            "driftline": timing.driftline,
        })
    };
    json!({ "pages": group.name, "seconds": group.items.iter().map(pair).collect::<Vec<_>>() })
}

fn reliability(group: &Group<Trial>) -> Value {
    let shares = |approach, kind| -> Vec<f64> {
        curve(&group.items, approach, kind).iter().map(|(_, ratio)| ratio.share()).collect()
    };
    let by_kind = |approach| -> serde_json::Map<String, Value> {
        let name = |kind: Option<Kind>| kind.map_or("overall", Kind::name).to_owned();
        KINDS.into_iter().map(|kind| (name(kind), json!(shares(approach, kind)))).collect()
    };
    let approaches = Approach::ALL.map(|approach| (approach.name().to_owned(), Value::Object(by_kind(approach))));
    json!({
        "pages": group.name,
        "pairs": group.items.len(),
        "weights": [0.0, 0.2, 0.4, 0.6, 0.8, 1.0],
        "detected": approaches.into_iter().collect::<serde_json::Map<_, _>>(),
    })
}
