//! What does the reader see first? How much changed, in which ways, and what every metric says.

use driftline::change::{Change, Sides};
use driftline::degree::Metric;
use driftline::degree::edit::EditKind;
use maud::{Markup, html as markup};

use super::super::Comparison;
use crate::summary::numbers::{counted, grouped};
use crate::summary::{safe, sentence};

/// The head of the page.
pub(super) fn front(comparison: &Comparison) -> Markup {
    let change = comparison.change;
    let words = change.measurement.words;
    markup! {
        header {
            (names(comparison.names))
            h1 { (sentence::capitalised(&sentence::page(change))) }
            @for limit in sentence::limits(&change.measurement.limits) {
                p.limit { strong { "Note: " } (limit) "." }
            }
            p.count { (counted(words.older, "word")) " before, " (counted(words.newer, "word")) " now." }
            (kinds(change))
            (degrees(change))
        }
    }
}

/// What was compared.
pub(in super::super) fn names(names: Sides<&str>) -> Markup {
    markup! {
        p.names {
            span.unseen { "From " }
            bdi { (safe::for_html(names.older)) }
            span.arrow aria-hidden="true" { " → " }
            span.unseen { " to " }
            bdi { (safe::for_html(names.newer)) }
        }
    }
}

/// How many words changed in which way, and how that is marked.
fn kinds(change: &Change) -> Markup {
    let operations = &change.measurement.operations;
    let counts = EditKind::ALL.map(|kind| (kind, operations.of(kind)));
    markup! {
        @if !change.is_empty() {
            ul.kinds aria-label="Kinds of change" {
                @for (kind, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
                    li { (mark(kind)) " " b { (grouped(count)) } span.meaning { " " (meaning(kind)) } }
                }
            }
        }
    }
}

fn mark(kind: EditKind) -> Markup {
    let class = kind.name();
    markup! {
        @match kind {
            EditKind::Add | EditKind::Copy => ins class=(class) { (kind.participle()) },
            EditKind::Drop | EditKind::Shrink => del class=(class) { (kind.participle()) },
            EditKind::Replace => { del class=(class) { "replaced" } ins class=(class) { "by" } },
            EditKind::Move => { del class=(class) { "moved" } ins class=(class) { "here" } },
        }
    }
}

fn meaning(kind: EditKind) -> &'static str {
    match kind {
        EditKind::Add => "new to the page",
        EditKind::Drop => "gone from it",
        EditKind::Copy => "more of what it had",
        EditKind::Shrink => "fewer of what it has",
        EditKind::Replace => "in the place of others",
        EditKind::Move => "elsewhere now",
    }
}

/// What every metric says.
fn degrees(change: &Change) -> Markup {
    markup! {
        details.degrees {
            summary { "What every metric says" }
            table {
                thead { tr { th scope="col" { "Metric" } th scope="col" { "Degree" } th scope="col" { "Looks at" } } }
                tbody { @for &metric in Metric::ALL { (degree(change, metric)) } }
            }
        }
    }
}

fn degree(change: &Change, metric: Metric) -> Markup {
    let degree = change.measurement.degree.by(metric).get();
    let number = format!("{degree:.4}");
    let raw = change.measurement.raw.by(metric).filter(|raw| *raw > 1.0);
    markup! {
        tr {
            th scope="row" { (metric.name()) }
            td.degree { (number) " " meter aria-hidden="true" min="0" max="1" value=(number) {} }
            td { (metric.looks_at()) @if let Some(raw) = raw { (format!(" ({raw:.4} before it is held to 1)")) } }
        }
    }
}
