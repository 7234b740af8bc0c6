//! The section on the method: parameters, formula, and the command that repeats it.

use driftline::degree::Metric;
use maud::{Markup, html};

use super::super::{Evaluation, labels};
use crate::report::page::{self, again};

/// The last part of the page.
pub(super) fn section(evaluation: &Evaluation) -> Markup {
    html! {
        section aria-labelledby="method" {
            h2 id="method" { "How it was done" }
            (parameters(evaluation))
            h3 { "Metrics" }
            dl {
                @for &metric in Metric::ALL {
                    div {
                        dt { (labels::metric(metric, &evaluation.setup)) " " code { (metric.name()) } }
                        dd { (metric.answers()) }
                    }
                }
            }
            (formula(evaluation))
            (again(&evaluation.command, evaluation))
            (sources())
        }
    }
}

fn parameters(evaluation: &Evaluation) -> Markup {
    let setup = &evaluation.setup;
    let rows = [
        ("α, the weight of a copied or shrunk word", setup.weights.copy().to_string()),
        ("β, the weight of a moved word", setup.weights.moving().to_string()),
        ("IED's costs", "the same as the weights".to_owned()),
        ("words in a shingle", setup.options.shingle_length.to_string()),
        ("weights of words in COS", "all alike: idf needs a corpus".to_owned()),
        ("seed of the synthesised pages", setup.seed.to_string()),
        ("driftline", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    page::parameters(&rows)
}

fn formula(evaluation: &Evaluation) -> Markup {
    html! {
        h3 { "Formulas" }
        p {
            "In the criteria, " i { "n" } " is the number of words of the page before the change and " i { "x" } " of "
            "those that changed. The deviation of a metric is its degree minus the criterion; the tables show the mean "
            "of its absolute value over the points of a figure."
        }
        @if evaluation.collection.is_some() {
            p {
                "The share of a kind of change is the number of IED's operations of that kind on each pair, divided by the "
                "length of the longer page, summed over all pairs: a long page counts no more than a short one of which "
                "the same part changed. The weighed deviation of a metric is the sum over the six kinds of "
                "share × mean deviation in figure 7. It ranks the metrics; on pages of which little changes, all "
                "deviations are smaller. The distances from IED are measured on the changed pairs themselves and check "
                "the ranking, because IED's costs are the weights of the criteria."
            }
        }
    }
}

fn sources() -> Markup {
    html! {
        h3 { "Source" }
        p {
            "S. Y. Kwon, S. H. Lee, S. J. Kim: " cite { "A Precise Metric for Measuring How Much Web Pages Change" }
            ", sections 3 and 5, and the longer Korean version of that paper, figures 5 to 8 and table 1. IED refined "
            "and IED gap are driftline's own variants."
        }
    }
}
