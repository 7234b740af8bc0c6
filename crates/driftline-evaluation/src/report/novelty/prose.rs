//! What came out, in sentences, for the terminal and for the browser alike.

use super::{Evaluation, cells};
use crate::novelty::{Copies, Curve, Judge, MissRate, Outcome, Ranking, Threshold};
use crate::report::labels;

/// What an asterisk behind an average precision says.
pub(super) const NOT_INDEPENDENT: &str = "* No fair judgement: the month in an address is among the signs of the \
     probability, and among the labels that it is learned from.";

/// Brier's score of a coin.
const COIN: f64 = 0.25;

/// `` Series `dev`: 4 snapshots that have an earlier one, 20 rounds ``.
pub(super) fn headline(evaluation: &Evaluation) -> String {
    let snapshots = match evaluation.outcomes.len() {
        1 => "1 snapshot that has an earlier one".to_owned(),
        count => format!("{} snapshots that have an earlier one", labels::grouped(count)),
    };
    let births = evaluation.truth.as_ref().map_or(String::new(), |file| format!(", births from `{file}`"));
    format!(
        "Series `{}`: {snapshots}, {}{births}",
        evaluation.series,
        labels::counted(evaluation.rounds as usize, "round")
    )
}

/// The findings, most important first.
pub(super) fn short(evaluation: &Evaluation) -> Vec<String> {
    let told = [
        Some(sizes(evaluation)),
        precision(evaluation),
        ranking(evaluation),
        worse_than_a_coin(evaluation),
        Some(misses(evaluation)),
        copies(evaluation),
    ];
    told.into_iter().flatten().collect()
}

fn sum(evaluation: &Evaluation, count: impl Fn(&Outcome) -> usize) -> usize {
    evaluation.outcomes.iter().map(count).sum()
}

fn sizes(evaluation: &Evaluation) -> String {
    let crawled = sum(evaluation, |outcome| outcome.sizes.crawled);
    let unidentified = sum(evaluation, |outcome| outcome.sizes.unidentified);
    let by_rules = sum(evaluation, |outcome| {
        outcome.sizes.old_only_by_last_modified + outcome.sizes.old_only_by_link + outcome.sizes.old_by_both
    });
    let zero = sum(evaluation, |outcome| {
        let course = outcome.courses.last().map(|course| course.distribution.cells()[0].pages);
        course.unwrap_or_default()
    });
    let share = |part: usize, whole: usize| labels::percent(part as f64 / whole.max(1) as f64);
    format!(
        "Of {} crawled, {} {} never seen before. Last-Modified shows that {} of them {} old; {} ({} of all) {} \
         unidentified. For {} of these N is 0: nothing is known of their age.",
        labels::counted(crawled, "page"),
        labels::grouped(unidentified + by_rules),
        labels::agreeing(unidentified + by_rules, "was", "were"),
        labels::grouped(by_rules),
        labels::agreeing(by_rules, "is", "are"),
        labels::grouped(unidentified),
        share(unidentified, crawled),
        labels::agreeing(unidentified, "remains", "remain"),
        share(zero, unidentified),
    )
}

/// Pooled over all snapshots, with the paper's own δ if it is there.
fn precision(evaluation: &Evaluation) -> Option<String> {
    let judge = evaluation.best_judge();
    let mut counts = [0; 4];
    let mut by = None;
    for (_, judgement) in evaluation.judged(judge) {
        let curve = paper_s_own(&judgement.curves)?;
        let positive = curve.points.iter().find(|point| point.threshold == Threshold::Positive)?;
        for (sum, count) in counts.iter_mut().zip([judgement.known, judgement.novel, positive.called, positive.right]) {
            *sum += count;
        }
        by = Some(curve.by);
    }
    let [known, novel, called, right] = counts;
    let share = |part: usize, whole: usize| cells::percent((whole > 0).then(|| part as f64 / whole as f64));
    Some(format!(
        "{} of {} {} new by {}, so “not seen before” is right in {}. N\u{a0}>\u{a0}0 ({}) is right in {} of the {} that \
         it calls new, and finds {} of the new ones.",
        labels::grouped(novel),
        labels::counted(known, "unidentified page"),
        labels::agreeing(novel, "is", "are"),
        match judge {
            Judge::Dates => "the dates in their addresses",
            Judge::Truth => "their true births",
        },
        share(novel, known),
        cells::ranking(by?),
        share(right, called),
        labels::grouped(called),
        share(right, novel),
    ))
}

fn paper_s_own(curves: &[Curve]) -> Option<&Curve> {
    curves.iter().find(|curve| curve.by == Ranking::Novelty(0.1)).or(curves.first())
}

/// Who ranks best, by average precision.
fn ranking(evaluation: &Evaluation) -> Option<String> {
    let judged: Vec<_> = evaluation.judged(evaluation.best_judge()).map(|(_, judgement)| judgement).collect();
    let first = judged.first()?;
    let mean = |values: Vec<Option<f64>>| {
        let values: Vec<f64> = values.into_iter().flatten().collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let mut told = vec![format!(
        "{} for “not seen before”",
        cells::share(mean(judged.iter().map(|judgement| judgement.baseline()).collect()))
    )];
    for (place, curve) in first.curves.iter().enumerate() {
        let values = judged.iter().map(|judgement| judgement.curves.get(place)?.average_precision).collect();
        told.push(format!("{} for {}", cells::share(mean(values)), cells::ranking(curve.by)));
    }
    Some(format!("Mean average precision: {}.{}", labels::list(&told), ahead(evaluation)))
}

/// Where the probability is ahead of N, and by whose judgement.
fn ahead(evaluation: &Evaluation) -> String {
    let wins = |judge: Judge| {
        let judged = evaluation.judged(judge);
        judged.fold((0, 0), |(wins, all), (_, judgement)| {
            (wins + usize::from(probability_wins(&judgement.curves)), all + 1)
        })
    };
    if !evaluation.has_probability() {
        return String::new();
    }
    let dates = wins(Judge::Dates);
    match wins(Judge::Truth) {
        (_, 0) => format!(
            " By dates the probability is ahead of N on {} of {}; that is no fair judgement, for it has read them.",
            dates.0,
            labels::counted(dates.1, "snapshot")
        ),
        (first, all) => {
            let by_dates = match dates {
                (_, 0) => String::new(),
                (wins, all) => format!("; by dates, which it has read, on {wins} of {all}"),
            };
            format!(
                " By true births the probability is ahead of N on {first} of {}{by_dates}.",
                labels::counted(all, "snapshot")
            )
        }
    }
}

/// Where the probability is worse than no knowledge at all, and who says so.
fn worse_than_a_coin(evaluation: &Evaluation) -> Option<String> {
    let bad = |judge: Judge| {
        let bad = evaluation.judged(judge).filter_map(|(outcome, judgement)| {
            let brier = judgement.reliability.as_ref()?.brier.filter(|&brier| brier > COIN)?;
            Some(format!("{} ({brier:.3})", cells::time(outcome.at)))
        });
        bad.collect::<Vec<String>>()
    };
    let [births, dates] = [Judge::Truth, Judge::Dates].map(bad);
    let mut told = Vec::new();
    if !births.is_empty() {
        told.push(format!("by true births on {}", labels::list(&births)));
    }
    if !dates.is_empty() {
        told.push(format!("by dates on {}", labels::list(&dates)));
    }
    let advice = if births.is_empty() && evaluation.best_judge() == Judge::Truth {
        "By true births it is better than that on all."
    } else {
        "Take it for an order there, not for a probability."
    };
    let worse =
        || format!("Brier’s score of the probability is worse than a coin’s ({COIN}) {}. {advice}", told.join(", "));
    (!told.is_empty()).then(worse)
}

/// Is the probability ahead of N for every δ?
fn probability_wins(curves: &[Curve]) -> bool {
    let Some(last) = curves.last().filter(|curve| curve.by == Ranking::Probability) else { return false };
    curves
        .iter()
        .filter(|curve| curve.by != Ranking::Probability)
        .all(|curve| last.average_precision > curve.average_precision)
}

fn misses(evaluation: &Evaluation) -> String {
    let rates = evaluation.outcomes.iter().map(|outcome| outcome.miss.by_last_modified);
    let all = rates.fold(MissRate::default(), |sum, rate| MissRate {
        old: sum.old + rate.old,
        positive: sum.positive + rate.positive,
        at_least_0_1: sum.at_least_0_1 + rate.at_least_0_1,
        at_least_0_5: sum.at_least_0_5 + rate.at_least_0_5,
    });
    if all.old == 0 {
        return "No page was last modified before the previous crawl and never seen: there is no miss rate.".to_owned();
    }
    if all.positive == 0 {
        let none = match all.old {
            1 => "the only page that it shows to be old would not".to_owned(),
            old => format!("none of {} that it shows to be old would", labels::counted(old, "page")),
        };
        return format!("Without the rules on Last-Modified, {none} have got a score: the miss rate is 0.");
    }
    if all.old == 1 {
        let score = if all.at_least_0_5 == 1 {
            "of at least 0.5"
        } else if all.at_least_0_1 == 1 {
            "of at least 0.1"
        } else {
            "above 0"
        };
        return format!(
            "Without the rules on Last-Modified, the only page that it shows to be old would have got a score {score}: one \
             page is too few for a miss rate."
        );
    }
    let old = labels::counted(all.old, "page");
    format!(
        "Without the rules on Last-Modified, {} of {old} that it shows to be old would have got a score above 0, {} one of \
         at least 0.1, {} one of at least 0.5 (miss rate).",
        cells::percent(all.share(all.positive)),
        cells::percent(all.share(all.at_least_0_1)),
        cells::percent(all.share(all.at_least_0_5)),
    )
}

/// What driftline says beyond the paper: how many copies there are, where content is known.
fn copies(evaluation: &Evaluation) -> Option<String> {
    let known = evaluation.outcomes.iter().filter_map(|outcome| outcome.copies);
    let all =
        known.reduce(|sum, more| Copies { compared: sum.compared + more.compared, found: sum.found + more.found })?;
    Some(format!(
        "Of {} whose content is known, {} {} what an older page said: copies, moves or mirrors.",
        labels::counted(all.compared, "unidentified page"),
        labels::grouped(all.found),
        labels::agreeing(all.found, "says", "say"),
    ))
}
