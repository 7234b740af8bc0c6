//! When is a watch checked, and why then?

use driftline_watch::schedule::Schedule;
use driftline_watch::schedule::rate::Estimate;
use driftline_watch::span::Span;
use serde_json::{Value, json};

use crate::watch::list::Standing;

const DAY: f64 = 86_400.0;
/// So many changes a day; more are not told apart.
const EVERY_MINUTE: f64 = 1_440.0;

/// What is known, in sentences.
pub(super) fn explain(schedule: &Schedule, standing: &Standing) -> Vec<String> {
    let mut said = Vec::new();
    match standing.checked {
        None => said.push("never checked".to_owned()),
        Some(checked) => said.push(format!("checked {checked}")),
    }
    if let Some(next) = standing.next {
        said.push(format!("next {next}"));
    }
    let Some(rate) = standing.state.as_ref().map(|state| &state.rate).filter(|rate| rate.checks > 0) else {
        return said;
    };
    said.push(format!("{} of {} checks found a change", rate.changes, rate.checks));
    if let Some(estimate) = rate.estimate() {
        said.push(how_often(estimate));
    }
    if schedule.is_auto()
        && let (Some(checked), Some(next)) = (standing.checked, standing.next)
    {
        let wait = u64::try_from(next.microseconds().saturating_sub(checked.microseconds()) / 1_000_000).unwrap_or(0);
        let chance = 1.0 - (-rate.expected() * wait as f64).exp();
        let wait = Span::from_seconds(wait);
        said.push(format!("so it is checked after {wait}, when a change is {:.0} % likely", chance * 100.0));
    }
    said
}

/// The estimate, in words. A few checks in a row say no more than that a page changes very often.
fn how_often(estimate: Estimate) -> String {
    let [low, most_likely, high] = [estimate.low, estimate.per_second, estimate.high].map(|rate| rate * DAY);
    let is_known = |rate: f64| rate <= EVERY_MINUTE;
    let least = if is_known(low) { format!(", hardly less than {low:.2} times a day") } else { String::new() };
    match (is_known(most_likely), is_known(high)) {
        (true, true) => {
            format!("about {most_likely:.2} changes a day, hardly less than {low:.2} or more than {high:.2}")
        }
        (true, false) => format!("about {most_likely:.2} changes a day{least}, perhaps more often than every minute"),
        (false, _) => format!("it may change more often than every minute{least}"),
    }
}

/// The estimate, in changes a day.
pub(super) fn json(standing: &Standing) -> Value {
    let Some(rate) = standing.state.as_ref().map(|state| &state.rate) else { return Value::Null };
    let estimate = rate.estimate().map(|estimate| {
        json!({"per_day": estimate.per_second * DAY, "low": estimate.low * DAY, "high": estimate.high * DAY})
    });
    json!({"checks": rate.checks, "changes": rate.changes, "estimate": estimate})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_that_checks_cannot_tell_is_not_a_number() {
        let told = |low: f64, per_day: f64, high: f64| {
            how_often(Estimate { low: low / DAY, per_second: per_day / DAY, high: high / DAY })
        };
        assert_eq!(told(1.0, 2.0, 4.0), "about 2.00 changes a day, hardly less than 1.00 or more than 4.00");
        let wide = "about 2.00 changes a day, hardly less than 1.00 times a day, perhaps more often than every minute";
        assert_eq!(told(1.0, 2.0, f64::INFINITY), wide);
        let often = "it may change more often than every minute, hardly less than 3.00 times a day";
        assert_eq!(told(3.0, 88_052.04, f64::INFINITY), often);
        assert_eq!(told(9_000.0, 88_052.04, 1e9), "it may change more often than every minute");
    }
}
