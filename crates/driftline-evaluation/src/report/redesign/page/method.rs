//! The section on the method.

use maud::{Markup, html};

use super::super::{Evaluation, Source};
use crate::report::page::{again, parameters};

/// The last part of the page.
pub(super) fn section(evaluation: &Evaluation) -> Markup {
    let asked = &evaluation.parameters;
    let source = match &evaluation.source {
        Source::Given { folder, .. } => format!("given: {folder}"),
        Source::Made { seed, count } => format!("made: {count} for each of ten scenarios, seed {seed}"),
    };
    let histories = evaluation.histories.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let rows = [
        ("streams", source),
        ("history (h)", histories),
        ("tags in a shingle", driftline::redesign::template::Template::SHINGLE_LENGTH.to_string()),
        (
            "CLUSTER",
            format!(
                "horizon h2 = {}, similarity from {}, a cluster has {} of the history",
                asked.cluster.horizon, asked.cluster.threshold, asked.cluster.rate
            ),
        ),
        ("NEW-AVG-DROP", format!("below {} of the usual average", asked.new_avg_drop.drop)),
        ("STATISTICS", format!("one-sided Welch t-test, level {}", asked.statistics.level)),
        ("driftline reports from a certainty of", asked.certainty.to_string()),
        ("driftline", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    html! {
        section aria-labelledby="method" {
            h2 id="method" { "How it was done" }
            @if let Source::Made { .. } = evaluation.source { (made()) }
            (parameters(&rows))
            (again(&evaluation.command, evaluation))
            h3 { "Source" }
            p {
                "T. Gottron: " cite { "Detecting website redesigns via template similarity on streams of documents" }
                ", section 5, tables 1 and 2."
            }
        }
    }
}

fn made() -> Markup {
    html! {
        p {
            "Made streams are sites with a random frame, boxes, kinds of pages and names of classes, whose authors write few "
            "long and many short texts. Four scenarios are the paper's: one design or a redesign, each with outliers or "
            "without. The others are what only looks like a redesign, or hardly looks like one."
        }
        p {
            "A redesign is a lasting change of the template: a new look, or a newer generator that builds the same look from "
            "other tags. A section with its own template, a campaign that comes and goes, and an extension of the design are "
            "none. A design that is taken back after it has lasted for at least twelve documents was a redesign; the way "
            "back is none, since no template is new."
        }
    }
}
