//! One page for a browser: the advice first, then what it rests on.

mod criteria;
mod method;
mod real;

use driftline_report::plot::PlotError;
use maud::{Markup, html};

use super::{Evaluation, prose};
use crate::report::page::document;

/// The whole page.
pub(super) fn write(evaluation: &Evaluation) -> Result<String, PlotError> {
    let body = html! {
        (head(evaluation))
        (real::section(evaluation)?)
        (criteria::section(evaluation)?)
        (method::section(evaluation))
    };
    Ok(document(TITLE, &body))
}

const TITLE: &str = "Which metric tells how much a page changed?";

fn head(evaluation: &Evaluation) -> Markup {
    html! {
        header {
            h1 { (TITLE) }
            p.lead {
                "Metrics disagree about the same change. Kwon, Lee and Kim say what the degree of a change should be, "
                "for each of six kinds of change, and call a metric effective if it comes near. This report repeats "
                "their experiments for eight metrics"
                @if evaluation.collection.is_some() { " and adds pages of your own" }
                "."
            }
        }
        section.advice aria-labelledby="advice" {
            h2 id="advice" { "Advice" }
            @for paragraph in prose::advice(evaluation) {
                p { (paragraph) }
            }
        }
    }
}
