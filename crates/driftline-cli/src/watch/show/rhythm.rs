//! The next check of a watch, and the reason for its time.

use driftline::span::Span;
use driftline::time::Time;
use driftline_watch::schedule::plan::{Explanation, Pacing, Plan};
use driftline_watch::schedule::rate::Rate;
use driftline_watch::schedule::{Crowd, Pace, Schedule};
use driftline_watch::watches::{Kind, Watch};
use serde_json::{Value, json};

use crate::watch::list::Standing;

/// What is known, in sentences.
pub(super) fn explain(watch: &Watch, standing: &Standing, pacing: &Pacing, now: Time) -> Vec<String> {
    let schedule = &watch.settings.schedule;
    let mut said =
        vec![standing.checked.map_or_else(|| "never checked".to_owned(), |checked| format!("checked {checked}"))];
    if watch.settings.paused || watch.settings.kind == Kind::List {
        return said;
    }
    match standing.next {
        Some(next) => said.push(format!("next {next}")),
        None if schedule.is_open(now) => said.push("next at once, as soon as `driftline serve` runs".to_owned()),
        None => said.push(format!("next {}, in its window", first(watch, pacing, now))),
    }
    let explanation = explanation(standing, pacing);
    if schedule.is_auto() || explanation.checks > 0 {
        said.push(explanation.known());
    }
    said.push(match (&schedule.pace, wait(standing)) {
        (_, Some(wait)) if standing.failing.is_some() => {
            format!("the last check failed; it is repeated after {wait}")
        }
        (Pace::Auto, _) => format!("schedule `auto`: {}", explanation.why()),
        (Pace::Every(span), _) => format!("checked every {span}, as its schedule says"),
        (Pace::Cron(_), _) => format!("checked by its schedule, `{schedule}`"),
    });
    said
}

/// The same for programs; nothing of a watch that was never checked.
pub(super) fn json(schedule: &Schedule, standing: &Standing, pacing: &Pacing) -> Value {
    if standing.state.is_none() {
        return Value::Null;
    }
    let mut rate = json!(explanation(standing, pacing));
    if !schedule.is_auto() || standing.failing.is_some() || wait(standing).is_none() {
        ["interval", "chance", "reason"].iter().for_each(|name| rate[name] = Value::Null);
    }
    rate
}

/// The first check of a watch that was never checked, if the daemon runs by then.
fn first(watch: &Watch, pacing: &Pacing, now: Time) -> Time {
    let schedule = &watch.settings.schedule;
    schedule.catch_up(&watch.id, now, Plan::new(*pacing).auto(schedule, &Rate::default()), Crowd(1))
}

/// By the last interval; before the second check, by the one that an ample budget gives.
fn explanation(standing: &Standing, pacing: &Pacing) -> Explanation {
    let rate = standing.state.as_ref().map(|state| state.rate.clone()).unwrap_or_default();
    let planned = || Plan::new(*pacing).interval(rate.expected());
    Explanation::of(&rate, wait(standing).unwrap_or_else(planned), pacing)
}

/// From the last check to the next, to the second.
fn wait(standing: &Standing) -> Option<Span> {
    let microseconds = standing.next?.microseconds().saturating_sub(standing.checked?.microseconds());
    Some(Span::from_seconds(u64::try_from(microseconds).unwrap_or_default().saturating_add(500_000) / 1_000_000))
}
