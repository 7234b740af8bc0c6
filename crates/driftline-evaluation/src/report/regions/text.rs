//! The tables of figures 6 to 8 and what they say, for a terminal.

use super::buckets::Bucket;
use super::figures::{KINDS, kind_name};
use super::{Collection, Evaluation, Timing, prose};
use crate::regions::Group;
use crate::regions::effort::Effort;
use crate::regions::reliability::{Approach, Kind, Trial, curve};
use crate::report::labels;
use crate::report::text::{table, wrap};

/// Tables, then findings.
pub(super) fn write(evaluation: &Evaluation) -> String {
    let mut parts: Vec<String> = evaluation.collection.iter().map(|collection| wrap(&headline(collection))).collect();
    parts.push("Similarities of elements computed, mean of a pair (figure 6)".to_owned());
    parts.extend(evaluation.efforts.iter().map(effort));
    parts.push(format!("Detection time, mean of up to {} (figure 7)", labels::counted(evaluation.runs, "run")));
    parts.extend(evaluation.timings.iter().map(timing));
    parts.push("Detected among actual changes, as a weight goes from 0 to 1 (figure 8)".to_owned());
    parts.extend(evaluation.trials.iter().filter(|group| prose::has_changes(group)).map(reliability));
    parts.push("What came out".to_owned());
    parts.extend(prose::findings(evaluation).iter().map(|paragraph| wrap(paragraph)));
    labels::plain(&(parts.join("\n\n") + "\n"))
}

/// `` Folder `versions`: 3 pairs of versions of 2 pages ``.
pub(super) fn headline(collection: &Collection) -> String {
    let failed = match collection.failed {
        0 => String::new(),
        failed => format!(" ({} left out: not readable)", labels::grouped(failed)),
    };
    let (pairs, pages) = (labels::counted(collection.pairs, "pair"), labels::counted(collection.pages, "page"));
    format!("Folder `{}`: {pairs} of versions of {pages}{failed}", collection.name)
}

fn effort(group: &Group<Effort>) -> String {
    let buckets = Bucket::of(&group.items, |effort| effort.nodes);
    format!("{}\n{}", group.name, table(Bucket::<Effort>::COLUMNS, buckets.iter().map(Bucket::<Effort>::cells)))
}

fn timing(group: &Group<Timing>) -> String {
    let buckets = Bucket::of(&group.items, |timing| timing.nodes);
    format!("{}\n{}", group.name, table(Bucket::<Timing>::COLUMNS, buckets.iter().map(Bucket::<Timing>::cells)))
}

fn reliability(group: &Group<Trial>) -> String {
    let cells = |name: String, approach: Approach, kind: Option<Kind>| -> Option<[String; 7]> {
        let shares: Vec<f64> = curve(&group.items, approach, kind).iter().map(|(_, ratio)| ratio.share()).collect();
        let cell = |at: usize| format!("{:.2}", shares[at]);
        shares[0].is_finite().then(|| [name, cell(0), cell(1), cell(2), cell(3), cell(4), cell(5)])
    };
    let mut rows = Vec::new();
    for approach in [Approach::Product, Approach::Sum] {
        let name = |kind| format!("{}: {}", form(approach), kind_name(kind));
        rows.extend(KINDS.into_iter().filter_map(|kind| cells(name(kind), approach, kind)));
    }
    rows.extend(cells("driftline: overall".to_owned(), Approach::Driftline, None));
    table([&group.name, "0", "0.2", "0.4", "0.6", "0.8", "1"], rows.into_iter())
}

fn form(approach: Approach) -> &'static str {
    match approach {
        Approach::Product => "product",
        Approach::Sum => "sum",
        Approach::Driftline => "driftline",
    }
}
