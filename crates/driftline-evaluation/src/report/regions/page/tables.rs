//! The numbers of the figures, summed up.

use maud::{Markup, html};

use super::super::buckets::Bucket;
use super::super::figures::{KINDS, approach_name, kind_name};
use super::super::{Evaluation, Timing, prose};
use crate::regions::Group;
use crate::regions::effort::Effort;
use crate::regions::reliability::{Approach, curve};
use crate::report::labels;

/// Figure 8 in numbers.
pub(super) fn reliability(evaluation: &Evaluation) -> Markup {
    let groups = evaluation.trials.iter().filter(|group| prose::has_changes(group));
    let mut rows = Vec::new();
    for group in groups {
        for approach in Approach::ALL {
            for kind in KINDS {
                let points = curve(&group.items, approach, kind);
                if points[0].1.actual == 0 {
                    continue;
                }
                let names = [group.name.clone(), approach_name(approach).to_owned(), kind_name(kind).to_owned()];
                let cells = points.iter().map(|(_, ratio)| format!("{:.2}", ratio.share()));
                rows.push(names.into_iter().chain(cells).collect());
            }
        }
    }
    let heading = ["pages", "approach", "change", "0", "0.2", "0.4", "0.6", "0.8", "1"];
    html! {
        details {
            summary { "The figure in numbers" }
            (table("Detected among actual changes, by the weight that varies", &heading, 3, &rows))
        }
    }
}

/// Figure 6 in numbers.
pub(super) fn effort(evaluation: &Evaluation) -> Markup {
    let buckets = |group: &'_ Group<Effort>| {
        let buckets = Bucket::of(&group.items, |effort| effort.nodes);
        buckets.iter().map(|bucket| row(&group.name, bucket.items.len(), &bucket.cells())).collect::<Vec<_>>()
    };
    let rows: Vec<_> = evaluation.efforts.iter().flat_map(buckets).collect();
    table("Similarities computed, mean of a pair", &heading(&Bucket::<Effort>::COLUMNS), 1, &rows)
}

/// Figure 7 in numbers.
pub(super) fn time(evaluation: &Evaluation) -> Markup {
    let buckets = |group: &'_ Group<Timing>| {
        let buckets = Bucket::of(&group.items, |timing| timing.nodes);
        buckets.iter().map(|bucket| row(&group.name, bucket.items.len(), &bucket.cells())).collect::<Vec<_>>()
    };
    let rows: Vec<_> = evaluation.timings.iter().flat_map(buckets).collect();
    table("Detection time, mean of a pair", &heading(&Bucket::<Timing>::COLUMNS), 1, &rows)
}

fn heading(columns: &[&'static str]) -> Vec<&'static str> {
    [&["pages", "pairs"], columns].concat()
}

fn row(name: &str, pairs: usize, cells: &[String]) -> Vec<String> {
    [&[name.to_owned(), labels::grouped(pairs)], cells].concat()
}

/// A table of which the first columns are names and the others numbers.
fn table(caption: &str, heading: &[&str], names: usize, rows: &[Vec<String>]) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label=(caption) {
            table {
                caption { (caption) }
                thead {
                    tr {
                        @for (place, name) in heading.iter().enumerate() {
                            th scope="col" class=[(place >= names).then_some("number")] { (name) }
                        }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (place, cell) in row.iter().enumerate() {
                                @if place < names { th scope="row" { (cell) } } @else { td.number { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
