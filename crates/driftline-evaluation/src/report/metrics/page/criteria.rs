//! The section on criteria and how near the metrics come to them: table 1, figures 7 and 8.

use driftline::degree::Metric;
use driftline::degree::edit::EditKind;
use driftline_report::plot::PlotError;
use maud::{Markup, html};

use super::super::{Evaluation, figures, labels};
use crate::metrics::experiment::Curve;
use crate::metrics::{EFFECTIVE_WITHIN, Sensitivity};
use crate::report::page::figure;

/// The part of the page about synthesised pages.
pub(super) fn section(evaluation: &Evaluation) -> Result<Markup, PlotError> {
    let shingling = labels::metric(Metric::Shingle, &evaluation.setup);
    let length = evaluation.setup.options.shingle_length;
    let caption_7 = html! {
        "Each chart is one kind of change on a page of 1,000 words; from left to right more and more of them change. "
        "The dashed line is the criterion, what the degree should be. A metric above it is oversensitive, one below "
        "it undersensitive. Where lines lie on each other their shapes take turns."
    };
    let caption_8 = html! {
        "A quarter of the words changes, on pages of 4 to 8,192 words. The criterion does not depend on the size. "
        (shingling) " does: one changed word changes up to " (length) " shingles, and on a small page these are most "
        "of all shingles."
    };
    Ok(html! {
        section aria-labelledby="criteria" {
            h2 id="criteria" { "Against the criteria" }
            p {
                "Pages made for the purpose, of which one cluster of words changes in exactly one way. A metric is "
                "effective if it is never off by more than " (EFFECTIVE_WITHIN) "."
            }
            (table("Mean deviation from the criterion, 50 to 950 of 1,000 words changed", evaluation, &evaluation.figure_7))
            (legend())
            (figure(7, &figures::figure_7(evaluation), &caption_7, "figure-7.csv")?)
            (figure(8, &figures::figure_8(evaluation), &caption_8, "figure-8.csv")?)
            details {
                summary { "The same table for figure 8" }
                (table("Mean deviation from the criterion, pages of 4 to 8,192 words", evaluation, &evaluation.figure_8))
            }
        }
    })
}

fn table(caption: &str, evaluation: &Evaluation, curves: &[Curve]) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label=(caption) {
            table.verdicts {
                caption { (caption) }
                thead {
                    tr {
                        th scope="col" { "change" }
                        th scope="col" { "criterion" }
                        @for &metric in Metric::ALL {
                            th scope="col" { abbr title=(metric.answers()) { (labels::metric(metric, &evaluation.setup)) } }
                        }
                    }
                }
                tbody {
                    @for curve in curves {
                        tr {
                            th scope="row" { (curve.kind.name()) }
                            td.formula { (criterion(curve.kind)) }
                            @for &metric in Metric::ALL { (verdict(curve, metric)) }
                        }
                    }
                }
            }
        }
    }
}

fn verdict(curve: &Curve, metric: Metric) -> Markup {
    let sensitivity = curve.sensitivity(metric);
    let name = labels::sensitivity(sensitivity);
    html! {
        td class=(name) {
            (format!("{:.3}", curve.mean_deviation(metric)))
            span { (sign(sensitivity)) " " (name) }
        }
    }
}

fn legend() -> Markup {
    let meanings = [
        (Sensitivity::Effective, format!("never off by more than {EFFECTIVE_WITHIN}")),
        (Sensitivity::Over, "oversensitive: never lower than the criterion".to_owned()),
        (Sensitivity::Under, "undersensitive: never higher".to_owned()),
        (Sensitivity::Irregular, "sometimes higher, sometimes lower".to_owned()),
    ];
    html! {
        ul.legend {
            @for (sensitivity, meaning) in meanings {
                li {
                    b class=(labels::sensitivity(sensitivity)) { (sign(sensitivity)) " " (labels::sensitivity(sensitivity)) }
                    " " (meaning)
                }
            }
        }
    }
}

fn sign(sensitivity: Sensitivity) -> char {
    match sensitivity {
        Sensitivity::Effective => '✓',
        Sensitivity::Over => '▲',
        Sensitivity::Under => '▼',
        Sensitivity::Irregular => '◆',
    }
}

/// Section 3 of the papers.
fn criterion(kind: EditKind) -> &'static str {
    match kind {
        EditKind::Add => "x / (n + x)",
        EditKind::Copy => "αx / (n + x)",
        EditKind::Drop | EditKind::Replace => "x / n",
        EditKind::Shrink => "αx / n",
        EditKind::Move => "βx / n",
    }
}
