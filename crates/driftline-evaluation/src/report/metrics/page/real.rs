//! The section on real pages: kinds of change, figures 5 and 6.

use driftline::degree::Metric;
use driftline::degree::edit::EditKind;
use driftline_report::plot::PlotError;
use maud::{Markup, html};

use super::super::{Collection, Evaluation, figures, labels, text};
use crate::metrics::collection::{Distance, Shares};
use crate::report::page::figure;

/// The part of the page about the collection; nothing without one.
pub(super) fn section(evaluation: &Evaluation) -> Result<Markup, PlotError> {
    let Some(collection) = &evaluation.collection else {
        return Ok(html! {});
    };
    Ok(html! {
        section aria-labelledby="collection" {
            h2 id="collection" { "The collection" }
            p { code { (collection.name) } ": " (text::headline(collection)) "." }
            @if let Some(shares) = &collection.summary.shares { (kinds(shares)) }
            (figure(5, &figures::figure_5(evaluation), &caption_5(evaluation, collection), "pairs.csv")?)
            (figure(6, &figures::figure_6(evaluation), &caption_6(evaluation, collection), "pairs.csv")?)
            (metrics(evaluation, collection))
        }
    })
}

fn kinds(shares: &Shares) -> Markup {
    let largest = EditKind::ALL.map(|kind| shares.of(kind)).into_iter().fold(0.0, f64::max);
    html! {
        table.shares {
            caption { "Kinds of change, as shares of all change" }
            tbody {
                @for kind in EditKind::ALL {
                    tr {
                        th scope="row" { (kind.name()) }
                        td.number { (labels::percent(shares.of(kind))) }
                        td.bar aria-hidden="true" {
                            span style=(format!("width:{:.1}%", 100.0 * shares.of(kind) / largest)) {}
                        }
                        td { (meaning(kind)) }
                    }
                }
            }
        }
    }
}

fn meaning(kind: EditKind) -> &'static str {
    match kind {
        EditKind::Add => "new words inserted",
        EditKind::Drop => "words removed that stand nowhere else",
        EditKind::Copy => "more of words that the page already had",
        EditKind::Shrink => "fewer of words that the page still has",
        EditKind::Replace => "words in the place of others",
        EditKind::Move => "words that stand elsewhere now",
    }
}

fn caption_5(evaluation: &Evaluation, collection: &Collection) -> Markup {
    let degree = |metric: &Metric| collection.summary.mean.by(*metric).get();
    let tell = |metric: Metric| {
        format!("{:.1}\u{a0}% ({})", 100.0 * degree(&metric), labels::metric(metric, &evaluation.setup))
    };
    let mut words = Metric::ALL[1..].to_vec();
    words.sort_by(|one, other| degree(one).total_cmp(&degree(other)));
    html! {
        "The mean degree of change over all " (labels::counted(collection.summary.pairs, "pair")) ", changed or not. BW "
        "counts a page fully as soon as one byte differs. "
        @if let (Some(&lowest), Some(&highest)) = (words.first(), words.last()) {
            "The metrics that look at words put the same changes anywhere from " (tell(lowest)) " to " (tell(highest)) "."
        }
    }
}

fn caption_6(evaluation: &Evaluation, collection: &Collection) -> Markup {
    let [shingling, cos, ied] =
        [Metric::Shingle, Metric::Cos, Metric::Ied].map(|metric| labels::metric(metric, &evaluation.setup));
    let apart = |metric| Distance::between(Metric::Shingle, metric, &collection.samples);
    let (from_cos, from_ied) = (apart(Metric::Cos), apart(Metric::Ied));
    html! {
        "From left to right the " (labels::counted(collection.summary.changed, "pair")) " of which a byte differs, in "
        "ascending order of " (shingling) ", the line. Points that would cover each other are drawn once. The further a point is from the line, the more the two metrics disagree: "
        (cos) " and " (shingling) " by " (format!("{:.2}", from_cos.mean)) " on average and "
        (format!("{:.2}", from_cos.largest)) " at most, " (ied) " and " (shingling) " by "
        (format!("{:.2}", from_ied.mean)) " and " (format!("{:.2}", from_ied.largest)) "."
    }
}

fn metrics(evaluation: &Evaluation, collection: &Collection) -> Markup {
    let caption = "The metrics on this collection, the best fit first";
    let weighed = collection.summary.shares.is_some();
    html! {
        div.scroll tabindex="0" role="group" aria-label=(caption) {
            table.ranking {
                caption { (caption) }
                thead {
                    tr {
                        th scope="col" { "metric" }
                        @if weighed { th scope="col" { "weighed deviation" } }
                        th scope="col" { "mean degree" }
                        th scope="col" { "from IED, mean" }
                        th scope="col" { "from IED, largest" }
                        th scope="col" { "effective for" }
                    }
                }
                tbody {
                    @for ranked in &evaluation.advice.ranking {
                        @let apart = Distance::between(ranked.metric, Metric::Ied, &collection.samples);
                        @let mean = collection.summary.mean.by(ranked.metric).get();
                        tr {
                            th scope="row" { (labels::metric(ranked.metric, &evaluation.setup)) }
                            @if weighed { td.number { (format!("{:.3}", ranked.expected)) } }
                            td.number { (format!("{:.1}\u{a0}%", 100.0 * mean)) }
                            td.number { (format!("{:.3}", apart.mean)) }
                            td.number { (format!("{:.3}", apart.largest)) }
                            td {
                                @if ranked.effective.len() == EditKind::ALL.len() { "all kinds" }
                                @else if ranked.effective.is_empty() { "none" }
                                @else { (labels::kinds(&ranked.effective)) }
                            }
                        }
                    }
                }
            }
        }
    }
}
