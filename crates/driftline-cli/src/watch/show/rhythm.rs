//! The next check of a watch, and the reason for its time.

use driftline::span::Span;
use driftline_watch::schedule::Schedule;
use driftline_watch::schedule::plan::{Explanation, Pacing};
use serde_json::{Value, json};

use crate::watch::list::Standing;

/// What is known, in sentences.
pub(super) fn explain(schedule: &Schedule, standing: &Standing, pacing: &Pacing) -> Vec<String> {
    let mut said = Vec::new();
    match standing.checked {
        None => said.push("never checked".to_owned()),
        Some(checked) => said.push(format!("checked {checked}")),
    }
    if let Some(next) = standing.next {
        said.push(format!("next {next}"));
    }
    let Some(explanation) = explanation(standing, pacing).filter(|known| known.checks > 0) else { return said };
    said.push(explanation.known());
    if let Some(wait) = wait(standing).filter(|_| standing.failing.is_some()) {
        said.push(format!("the last check failed; it is repeated after {wait}"));
    } else if is_planned(schedule, standing) {
        said.push(explanation.why());
    }
    said
}

/// The same for programs; nothing of a watch that was never checked.
pub(super) fn json(schedule: &Schedule, standing: &Standing, pacing: &Pacing) -> Value {
    let Some(explanation) = explanation(standing, pacing) else { return Value::Null };
    let mut rate = json!(explanation);
    if !is_planned(schedule, standing) {
        ["interval", "chance", "reason"].iter().for_each(|name| rate[name] = Value::Null);
    }
    rate
}

/// Was the time of the next check chosen by how often the page changes?
fn is_planned(schedule: &Schedule, standing: &Standing) -> bool {
    schedule.is_auto() && standing.failing.is_none() && wait(standing).is_some()
}

fn explanation(standing: &Standing, pacing: &Pacing) -> Option<Explanation> {
    let rate = &standing.state.as_ref()?.rate;
    Some(Explanation::of(rate, wait(standing).unwrap_or_default(), pacing))
}

/// From the last check to the next, to the second.
fn wait(standing: &Standing) -> Option<Span> {
    let microseconds = standing.next?.microseconds().saturating_sub(standing.checked?.microseconds());
    Some(Span::from_seconds(u64::try_from(microseconds).unwrap_or_default().saturating_add(500_000) / 1_000_000))
}
