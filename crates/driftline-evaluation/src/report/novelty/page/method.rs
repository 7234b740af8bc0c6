//! The section on the method.

use maud::{Markup, html};

use super::super::{Evaluation, figures};
use crate::report::page::{again, parameters};

/// The last part of the page.
pub(super) fn section(evaluation: &Evaluation) -> Markup {
    let deltas = evaluation.outcomes.first().map_or_else(String::new, |outcome| {
        outcome.courses.iter().map(|course| course.delta.to_string()).collect::<Vec<_>>().join(", ")
    });
    let miss = evaluation.outcomes.first().map_or_else(String::new, |outcome| outcome.miss.delta.to_string());
    let rows = [
        ("series", evaluation.series.clone()),
        ("δ", deltas),
        ("δ of the miss rate", miss),
        ("rounds", evaluation.rounds.to_string()),
        ("births", evaluation.truth.clone().unwrap_or_else(|| "not known".to_owned())),
        ("driftline", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    html! {
        section aria-labelledby="method" {
            h2 id="method" { "How it was done" }
            p {
                "A page is new for births if it appeared after the time of the previous crawl, and for dates if its month is that "
                "of the previous crawl or later. Scores that rounding left a billionth below a threshold reach it."
            }
            @if evaluation.outcomes.len() > figures::MOST {
                p { "The figures show the latest " (figures::MOST) " snapshots; the tables and files have all." }
            }
            (parameters(&rows))
            (again(&evaluation.command, evaluation))
            h3 { "Source" }
            p {
                "M. Toyoda, M. Kitsuregawa: "
                cite { "What’s really new on the web? Identifying new pages from a series of unstable web snapshots" }
                ", WWW 2006, section 4."
            }
        }
    }
}
