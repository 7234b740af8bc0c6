//! Tables 2 and 3 and what the figures show, for a terminal.

use driftline_report::summary::safe::for_terminal;

use super::{Evaluation, cells, prose};
use crate::novelty::{Judge, Outcome, Point, Threshold};
use crate::report::labels;
use crate::report::text::{columns, item, wrap};

/// Tables, then findings.
pub(super) fn write(evaluation: &Evaluation) -> String {
    let mut parts = vec![
        wrap(&for_terminal(&prose::headline(evaluation))),
        format!("Old and unidentified pages (the paper's table 2)\n{}", rows(evaluation, cells::SIZES, cells::sizes)),
        format!("Old by Last-Modified, and never seen before\n{}", rows(evaluation, cells::RULES, cells::rules)),
        format!(
            "Addresses of U with time strings (the paper's table 3)\n{}",
            rows(evaluation, cells::AGES, cells::ages)
        ),
        format!("Summed change in the first and the last round (the paper's figure 1)\n{}", convergence(evaluation)),
        format!("Where N lies (the paper's figures 2 to 4)\n{}", distribution(evaluation)),
    ];
    for (judge, name) in [(Judge::Dates, "dated addresses (the paper's figures 5 to 7)"), (Judge::Truth, "true births")]
    {
        if evaluation.judged(judge).next().is_some() {
            parts.push(format!("Precision / recall against {name}\n{}", precision(evaluation, judge)));
            if judge == Judge::Dates && evaluation.has_probability() {
                parts.push(wrap(prose::NOT_INDEPENDENT));
            }
        }
    }
    parts.push(format!("Miss rate (the paper's figures 8 to 10)\n{}", miss(evaluation)));
    parts.extend(missed(evaluation));
    parts.push("What came out".to_owned());
    parts.push(prose::short(evaluation).iter().map(|sentence| item(sentence)).collect::<Vec<_>>().join("\n"));
    labels::plain(&(parts.join("\n\n") + "\n"))
}

/// A line a snapshot.
fn rows<const N: usize>(evaluation: &Evaluation, names: [&str; N], cells: fn(&Outcome) -> [String; N]) -> String {
    named("snapshot", names, evaluation.outcomes.iter().map(|outcome| (cells::time(outcome.at), cells(outcome))))
}

/// Lines with a name before their cells.
fn named<const N: usize>(
    heading: &str,
    names: [&str; N],
    lines: impl Iterator<Item = (String, [String; N])>,
) -> String {
    let heading = (heading.to_owned(), names.map(str::to_owned));
    let line = |(name, cells): (String, [String; N])| std::iter::once(name).chain(cells).collect::<Vec<_>>();
    columns(&std::iter::once(heading).chain(lines).map(line).collect::<Vec<_>>())
}

fn convergence(evaluation: &Evaluation) -> String {
    let lines = evaluation.outcomes.iter().flat_map(|outcome| {
        outcome.courses.iter().map(|course| {
            let [first, last] = [course.changes.first(), course.changes.last()].map(cells::change);
            (cells::time(outcome.at), [course.delta.to_string(), first, last])
        })
    });
    named("snapshot", ["δ", "first", "last"], lines)
}

fn distribution(evaluation: &Evaluation) -> String {
    let lines = evaluation.outcomes.iter().flat_map(|outcome| {
        outcome.courses.iter().map(|course| {
            let (cells_of, total) = (course.distribution.cells(), course.distribution.total());
            let share = |pages: usize| cells::percent((total > 0).then(|| pages as f64 / total as f64));
            let between = |from: usize, to: usize| cells_of[from..to].iter().map(|cell| cell.pages).sum::<usize>();
            let shares = [between(0, 1), between(1, 6), between(6, 11), between(11, 16), between(16, 21)].map(share);
            let [zero, quarter, half, three, one] = shares;
            (cells::time(outcome.at), [course.delta.to_string(), zero, quarter, half, three, one])
        })
    });
    named("snapshot", ["δ", "0", "< 0.25", "< 0.5", "< 0.75", "≤ 1"], lines)
}

/// At a few thresholds.
fn precision(evaluation: &Evaluation, judge: Judge) -> String {
    let shown = [Threshold::AtLeast(0.0), Threshold::Positive, Threshold::AtLeast(0.5), Threshold::AtLeast(0.8)];
    let lines = evaluation.judged(judge).flat_map(|(outcome, judgement)| {
        judgement.curves.iter().map(move |curve| {
            let at = |threshold: Threshold| {
                let point = curve.points.iter().find(|point| point.threshold == threshold);
                point.map_or_else(String::new, both)
            };
            let [all, positive, half, most] = shown.map(at);
            let name = format!("{} {}", cells::time(outcome.at), cells::ranking(curve.by));
            (name, [all, positive, half, most, cells::average(judge, curve)])
        })
    });
    named("snapshot", ["baseline", "> 0", "≥ 0.5", "≥ 0.8", "average"], lines)
}

fn both(point: &Point) -> String {
    let two = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{share:.2}"));
    format!("{}/{}", two(point.precision()), two(point.recall()))
}

fn miss(evaluation: &Evaluation) -> String {
    let lines = evaluation.outcomes.iter().flat_map(|outcome| {
        let name = cells::time(outcome.at);
        cells::miss(outcome).into_iter().map(move |(by, cells)| (format!("{name} by {by}"), cells))
    });
    named("snapshot", cells::MISS, lines)
}

fn missed(evaluation: &Evaluation) -> Option<String> {
    let lines: Vec<(String, [String; 2])> = evaluation
        .outcomes
        .iter()
        .flat_map(|outcome| {
            let row = |(reason, pages): &(String, usize)| {
                (cells::time(outcome.at), [for_terminal(reason).into_owned(), labels::grouped(*pages)])
            };
            outcome.missed.iter().map(row)
        })
        .collect();
    let table = || named("snapshot", ["reason", "pages"], lines.iter().cloned());
    (!lines.is_empty()).then(|| format!("Old pages that the previous crawl missed\n{}", table()))
}
