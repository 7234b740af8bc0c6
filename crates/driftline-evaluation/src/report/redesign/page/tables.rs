//! The tables of the page.

use driftline::redesign::Detector;
use driftline_report::plot::PlotError;
use driftline_report::redesign::Figure;
use maud::{Markup, PreEscaped, html};

use super::super::paper::TABLE_2;
use super::super::prose::{Said, some};
use super::super::{Evaluation, Listened, cells};
use crate::redesign::calibration::bins;
use crate::redesign::{Outcome, Row, Trial};
use crate::report::labels;

/// A table that a narrow screen shows a part of at a time.
fn wide(name: &str, table: &Markup) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label=(name) { (table) }
        p.narrow.hint { "Scroll the table sideways to see all of it." }
    }
}

/// Ours, with the paper's beside it.
pub(super) fn table_2(evaluation: &Evaluation) -> Markup {
    let printed = |row: &Row| {
        let same = TABLE_2.iter().find(|printed| (printed.detector, printed.history) == (row.detector, row.history));
        same.map_or(["–"; 4].map(str::to_owned), |printed| printed.cells.map(|count| count.to_string()))
    };
    let rows = evaluation.table_2();
    html! {
        (wide("Table 2", &html! {
            table {
                caption { "Table 2. All streams" }
                thead {
                    tr {
                        th rowspan="2" scope="col" { "detector" }
                        th.number rowspan="2" scope="col" { "h" }
                        th colspan="7" scope="colgroup" { "here" }
                        th colspan="4" scope="colgroup" { "delay in documents" }
                        th colspan="4" scope="colgroup" { "the paper" }
                    }
                    tr {
                        @for name in cells::COLUMNS.iter().skip(1).chain([&cells::OF_ALL, &"TP", &"TN", &"FP", &"FN"]) {
                            th.number scope="col" { (name) }
                        }
                    }
                }
                tbody {
                    @for row in &rows {
                        tr {
                            th scope="row" { (row.detector.name()) }
                            @for cell in cells::of(row).iter().chain(&printed(row)) { td.number { (cell) } }
                        }
                    }
                }
            }
        }))
    }
}

/// F1 and false alarms by kind of stream.
pub(super) fn kinds(evaluation: &Evaluation) -> Markup {
    let groups = evaluation.groups();
    let history = evaluation.longest();
    html! {
        @if groups.len() > 1 {
            (wide("By kind of stream", &html! {
                table {
                    caption { "By kind of stream, h = " (history) ": F1, false alarms, of these on small changes of the template" }
                    thead {
                        tr {
                            th scope="col" { "kind" }
                            th.number scope="col" { "streams" }
                            th.number scope="col" { "redesigns" }
                            @for &detector in Detector::ALL { th.number scope="col" { (detector.name()) } }
                        }
                    }
                    tbody {
                        @for group in &groups {
                            tr {
                                th scope="row" { (group.kind) }
                                td.number { (group.streams.len()) }
                                td.number { (group.streams.iter().map(|outcome| outcome.truth.redesigns.len()).sum::<usize>()) }
                                @for &detector in Detector::ALL {
                                    td.number { (kind_cell(&Row::of(detector, history, group.streams.iter().copied()))) }
                                }
                            }
                        }
                    }
                }
            }))
        }
    }
}

fn kind_cell(row: &Row) -> String {
    let minor = match row.minor_changes {
        0 => String::new(),
        count => format!(", {count} small"),
    };
    format!("{:.2}, {} false{minor}", row.confusion.f1(), row.confusion.false_positives)
}

/// The similarity stripe of a stream, and what each detector said about it.
pub(super) fn stream(stream: &Listened, is_open: bool) -> Result<Markup, PlotError> {
    let Listened { outcome, course } = stream;
    let (picture, size) = driftline_report::redesign::figure(course, Figure::Stripe)?;
    let svg = picture.to_svg(size)?;
    Ok(html! {
        details.stream open[is_open] {
            summary { (summary(outcome)) }
            div.card tabindex="0" role="group" aria-label=(format!("Similarity stripe of {}", outcome.truth.name)) {
                (PreEscaped(svg))
            }
            @if let Some(trial) = outcome.trials.last() { (said(outcome, trial)) }
        }
    })
}

fn said(outcome: &Outcome, trial: &Trial) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label=(outcome.truth.name) {
            table.said {
                thead {
                    tr { @for name in ["detector", "found", "missed", "false alarms"] { th scope="col" { (name) } } }
                }
                tbody {
                    @for &detector in Detector::ALL {
                        @let said = Said::of(outcome, trial, detector);
                        tr {
                            th scope="row" { (detector.name()) }
                            td data-name="found" { (some(&said.found, MOST)) }
                            td data-name="missed" { (some(&said.missed, MOST)) }
                            td data-name="false alarms" { (some(&said.false_alarms, MOST)) }
                        }
                    }
                }
            }
        }
    }
}

/// The most documents that a cell lists; `reports.csv` has all.
const MOST: usize = 12;

/// `flink-posts (homogeneous): 225 documents, redesigns at 9 and 35`.
fn summary(outcome: &Outcome) -> String {
    let truth = &outcome.truth;
    let places = |what: &str, documents: &[usize]| match documents {
        [] => String::new(),
        _ => format!(", {what} at {}", labels::list(&documents.iter().map(usize::to_string).collect::<Vec<_>>())),
    };
    let redesigns =
        if truth.redesigns.is_empty() { ", no redesign".to_owned() } else { places("redesigned", &truth.redesigns) };
    let minor = places("small changes", &truth.minor_changes);
    format!("{} ({}): {}{redesigns}{minor}", truth.name, truth.kind, labels::counted(truth.documents, "document"))
}

/// What became of suspicions, by their certainty.
pub(super) fn calibration(evaluation: &Evaluation) -> Markup {
    let history = evaluation.longest();
    html! {
        div.scroll tabindex="0" role="group" aria-label="Suspicions by certainty" {
            table {
                caption { "Suspicions of driftline by certainty, h = " (history) }
                thead {
                    tr {
                        th scope="col" { "certainty" }
                        @for name in ["suspected", "redesigns", "share"] { th.number scope="col" { (name) } }
                    }
                }
                tbody {
                    @for bin in bins(evaluation.outcomes(), history) {
                        tr {
                            th scope="row" { (format!("{:.1} to {:.1}", bin.from, bin.from + 0.1)) }
                            td.number { (bin.suspected) }
                            td.number { (bin.redesigns) }
                            td.number { (bin.share().map_or("–".to_owned(), labels::percent)) }
                        }
                    }
                }
            }
        }
    }
}
