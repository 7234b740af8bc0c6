//! The tables of the page.

use maud::{Markup, html};

use super::super::{Evaluation, cells, paper};
use crate::novelty::{Judge, Outcome, Ranking};
use crate::report::labels;

/// A table that a narrow screen shows a part of at a time; the first cell of a row names it.
fn table(caption: &str, heading: &[String], rows: &[Vec<String>]) -> Markup {
    beside_the_paper(caption, heading, rows, &[])
}

/// The same with the paper's rows apart, below.
fn beside_the_paper(caption: &str, heading: &[String], rows: &[Vec<String>], printed: &[Vec<String>]) -> Markup {
    html! {
        @if heading.len() > 4 { p.narrow.sideways { "Scroll the table sideways to see all of it." } }
        div.scroll tabindex="0" role="group" aria-label=(caption) {
            table {
                caption { (caption) }
                thead {
                    tr {
                        @for (place, name) in heading.iter().enumerate() {
                            th.number[place > 0] scope="col" { (name) }
                        }
                    }
                }
                tbody { @for row in rows { (line(row)) } }
                @if !printed.is_empty() {
                    tbody.printed {
                        tr { th scope="rowgroup" colspan=(heading.len()) { "In the paper" } }
                        @for row in printed { (line(row)) }
                    }
                }
            }
        }
    }
}

fn line(row: &[String]) -> Markup {
    html! {
        tr {
            @for (place, cell) in row.iter().enumerate() {
                @if place == 0 { th scope="row" { (cell) } } @else { td.number { (cell) } }
            }
        }
    }
}

fn heading<const N: usize>(names: [&str; N]) -> Vec<String> {
    std::iter::once("snapshot").chain(names).map(str::to_owned).collect()
}

fn named<const N: usize>(name: String, cells: [String; N]) -> Vec<String> {
    std::iter::once(name).chain(cells).collect()
}

fn rows<const N: usize>(evaluation: &Evaluation, cells: fn(&Outcome) -> [String; N]) -> Vec<Vec<String>> {
    evaluation.outcomes.iter().map(|outcome| named(cells::time(outcome.at), cells(outcome))).collect()
}

/// Table 2, with the paper's below.
pub(super) fn sizes(evaluation: &Evaluation) -> Markup {
    let printed = paper::SNAPSHOTS.iter().map(|printed| {
        let [crawled, .., unidentified] = printed.sizes;
        let share = labels::percent(f64::from(unidentified) / f64::from(crawled));
        let [crawled, seen_twice, old, unidentified] = printed.sizes.map(|millions| format!("{millions} M"));
        named(printed.at.to_owned(), [crawled, seen_twice, old, unidentified, share, "–".to_owned()])
    });
    let (rows, printed) = (rows(evaluation, cells::sizes), printed.collect::<Vec<_>>());
    beside_the_paper("Table 2. Old and unidentified pages", &heading(cells::SIZES), &rows, &printed)
}

/// What the rules on Last-Modified did.
pub(super) fn rules(evaluation: &Evaluation) -> Markup {
    html! {
        p {
            "Pages that no earlier snapshot has seen are old all the same if they were last modified before the previous crawl "
            "(rule 2), or if a page links to them that was (rule 3)."
            @if evaluation.truth.is_some() {
                " Wrongly old are pages that any rule calls old although they were born after the previous crawl."
            }
        }
        (table("Old by Last-Modified, and never seen before", &heading(cells::RULES), &rows(evaluation, cells::rules)))
    }
}

/// Table 3, with the paper's below.
pub(super) fn ages(evaluation: &Evaluation) -> Markup {
    let printed = paper::SNAPSHOTS.iter().map(|printed| {
        let total: usize = printed.ages.iter().sum();
        let share = |count: usize| labels::percent(count as f64 / total as f64);
        let [old, new, future] = printed.ages.map(|count| format!("{} ({})", labels::grouped(count), share(count)));
        named(printed.at.to_owned(), [old, new, future, labels::grouped(total), "–".to_owned()])
    });
    let (rows, printed) = (rows(evaluation, cells::ages), printed.collect::<Vec<_>>());
    html! {
        (beside_the_paper("Table 3. Addresses of U with time strings", &heading(cells::AGES), &rows, &printed))
        @if evaluation.truth.is_some() {
            p { "“Right” is the share of these addresses about which births and months agree whether the page is new." }
        }
    }
}

/// A row for each judge and snapshot, a column for each score.
pub(super) fn average_precision(evaluation: &Evaluation) -> Markup {
    let judges = [(Judge::Dates, "dates"), (Judge::Truth, "births")];
    let rows: Vec<Vec<String>> = judges
        .iter()
        .flat_map(|&(judge, name)| {
            evaluation.judged(judge).map(move |(outcome, judgement)| {
                let averages = judgement.curves.iter().map(|curve| cells::average(judge, curve));
                let first = [
                    format!("{}, {name}", cells::time(outcome.at)),
                    labels::grouped(judgement.known),
                    labels::grouped(judgement.novel),
                    cells::share(judgement.baseline()),
                ];
                first.into_iter().chain(averages).collect()
            })
        })
        .collect();
    let mut heading = heading(["pages", "new", "not seen before"]);
    let first = [Judge::Dates, Judge::Truth].into_iter().find_map(|judge| evaluation.judged(judge).next());
    heading.extend(first.iter().flat_map(|(_, judgement)| &judgement.curves).map(|curve| cells::ranking(curve.by)));
    table("Average precision", &heading, &rows)
}

/// How far the probabilities were from what came true.
pub(super) fn brier(evaluation: &Evaluation) -> Markup {
    let judges = [(Judge::Dates, "dates"), (Judge::Truth, "births")];
    let rows: Vec<Vec<String>> = judges
        .iter()
        .flat_map(|&(judge, name)| {
            evaluation.judged(judge).filter_map(move |(outcome, judgement)| {
                let brier = judgement.reliability.as_ref()?.brier;
                Some(vec![format!("{}, {name}", cells::time(outcome.at)), cells::share(brier)])
            })
        })
        .collect();
    table("Brier’s score", &heading(["score"]), &rows)
}

/// The paper's figures 8 to 10 in numbers.
pub(super) fn miss(evaluation: &Evaluation) -> Markup {
    let rows: Vec<Vec<String>> = evaluation
        .outcomes
        .iter()
        .flat_map(|outcome| {
            let name = cells::time(outcome.at);
            cells::miss(outcome).into_iter().map(move |(by, cells)| named(format!("{name}, {by}"), cells))
        })
        .collect();
    let delta = evaluation.outcomes.first().map_or(0.0, |outcome| outcome.miss.delta);
    let delta = cells::ranking(Ranking::Novelty(delta));
    table(&format!("Miss rate, {delta}, without rules 2 and 3"), &heading(cells::MISS), &rows)
}

/// Why old pages were not crawled last time.
pub(super) fn missed(evaluation: &Evaluation) -> Markup {
    let mut reasons: Vec<&str> = Vec::new();
    for (reason, _) in evaluation.outcomes.iter().flat_map(|outcome| &outcome.missed) {
        if !reasons.contains(&reason.as_str()) {
            reasons.push(reason);
        }
    }
    let row = |outcome: &Outcome| {
        let count = |name: &&str| {
            let pages = outcome.missed.iter().find(|(reason, _)| reason == name).map_or(0, |missed| missed.1);
            labels::grouped(pages)
        };
        std::iter::once(cells::time(outcome.at)).chain(reasons.iter().map(count)).collect()
    };
    let heading: Vec<String> = std::iter::once(&"snapshot").chain(&reasons).map(|&name| name.to_owned()).collect();
    table(
        "Old pages that the previous crawl missed",
        &heading,
        &evaluation.outcomes.iter().map(row).collect::<Vec<_>>(),
    )
}

/// Copies of older pages.
pub(super) fn copies(evaluation: &Evaluation) -> Markup {
    let row = |outcome: &Outcome| {
        let copies = outcome.copies?;
        let share = (copies.compared > 0).then(|| copies.found as f64 / copies.compared as f64);
        let cells = [labels::grouped(copies.compared), labels::grouped(copies.found), cells::percent(share)];
        Some(named(cells::time(outcome.at), cells))
    };
    let rows: Vec<Vec<String>> = evaluation.outcomes.iter().filter_map(row).collect();
    table("Copies among unidentified pages", &heading(["content known", "copies", "share"]), &rows)
}
