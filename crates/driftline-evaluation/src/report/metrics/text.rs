//! The table of deviations and the advice, for a terminal.

use std::fmt::Write;

use driftline::degree::Metric;

use super::{Collection, Evaluation, labels, prose};
use crate::metrics::EFFECTIVE_WITHIN;
use crate::metrics::collection::Distance;
use crate::metrics::experiment::Curve;
use crate::report::text::wrap;

/// Table, collection, advice.
pub(super) fn write(evaluation: &Evaluation) -> String {
    let mut parts = vec![caption(evaluation), deviations(evaluation), legend()];
    parts.extend(evaluation.collection.as_ref().map(|collection| real_pages(evaluation, collection)));
    parts.push(String::from("Advice"));
    parts.extend(prose::advice(evaluation).iter().map(|paragraph| wrap(paragraph)));
    labels::plain(&(parts.join("\n\n") + "\n"))
}

fn caption(evaluation: &Evaluation) -> String {
    let weights = evaluation.setup.weights;
    let (alpha, beta) = (weights.copy(), weights.moving());
    format!("Mean deviation, 50 to 950 of 1,000 words changed, α = {alpha}, β = {beta}")
}

fn deviations(evaluation: &Evaluation) -> String {
    let cell = |curve: &Curve, metric| {
        format!("{:.3} {}", curve.mean_deviation(metric), labels::letter(curve.sensitivity(metric)))
    };
    let row = |curve: &Curve| line(curve.kind.name(), |metric| cell(curve, metric));
    let rows = evaluation.figure_7.iter().map(row);
    std::iter::once(heading("change", evaluation)).chain(rows).collect::<Vec<_>>().join("\n")
}

fn legend() -> String {
    format!(
        "e effective: never off by more than {EFFECTIVE_WITHIN}   o oversensitive: always higher\n\
         u undersensitive: always lower             i irregular: higher and lower\n\
         IED-r: IED refined   IED-g: IED refined, with gap pairing"
    )
}

fn real_pages(evaluation: &Evaluation, collection: &Collection) -> String {
    let summary = &collection.summary;
    let expected = |metric: Metric| evaluation.advice.ranking.iter().find(|ranked| ranked.metric == metric);
    let mean = |metric: Metric| format!("{:.1} %", 100.0 * summary.mean.by(metric).get());
    let apart = |metric: Metric| format!("{:.3}", Distance::between(metric, Metric::Ied, &collection.samples).mean);
    let weighed = |metric: Metric| expected(metric).map_or(String::new(), |ranked| format!("{:.3}", ranked.expected));
    let mut lines = vec![
        wrap(&format!("Collection `{}`: {}", collection.name, headline(collection))),
        String::new(),
        heading("", evaluation),
    ];
    lines.push(line("mean", mean));
    lines.push(line("to IED", apart));
    lines.extend(summary.shares.map(|_| line("weighed", weighed)));
    lines.extend([String::new(), "mean: change degree of the collection (figure 5)".to_owned()]);
    lines.push("to IED: mean distance from IED on the changed pairs".to_owned());
    lines.extend(summary.shares.map(|_| "weighed: deviation, weighed by the collection's kinds of change".to_owned()));
    lines.join("\n")
}

/// `618 pairs of versions, 603 of them changed; the median page has 753 words`.
pub(super) fn headline(collection: &Collection) -> String {
    let summary = &collection.summary;
    let (pairs, words) = (labels::counted(summary.pairs, "pair"), labels::counted(summary.median_words, "word"));
    let failed = match collection.failed {
        0 => String::new(),
        failed => format!(" ({} left out: not readable)", labels::grouped(failed)),
    };
    let changed = labels::grouped(summary.changed);
    format!("{pairs} of versions{failed}, {changed} of them changed; the median page has {words}")
}

fn heading(first: &str, evaluation: &Evaluation) -> String {
    let name =
        |metric: Metric| labels::metric(metric, &evaluation.setup).replace(" refined", "-r").replace(" gap", "-g");
    line(first, name)
}

/// A row of the table: 7 columns, and 72 for all metrics together, as a terminal has.
fn line(first: &str, cell: impl Fn(Metric) -> String) -> String {
    let width = 72 / Metric::ALL.len();
    Metric::ALL.iter().fold(format!("{first:<7}"), |mut line, &metric| {
        // Writing to a string cannot fail.
        let _ = write!(line, "{:>width$}", cell(metric));
        line
    })
}
