//! Cells of tables: how the numbers of an evaluation are written.

use driftline::time::Time;

use super::is_independent;
use crate::novelty::{Curve, Judge, Outcome, Ranking};
use crate::report::labels;

/// `2019-07-15`, or with the time of the day if it has one.
pub(super) fn time(time: Time) -> String {
    let text = time.to_string();
    text.strip_suffix("T00:00:00Z").map_or(text.clone(), str::to_owned)
}

/// `δ = 0.1`, never broken between lines, or `probability`.
pub(super) fn ranking(by: Ranking) -> String {
    match by {
        Ranking::Novelty(delta) => format!("δ\u{a0}=\u{a0}{delta}"),
        Ranking::Probability => "probability".to_owned(),
    }
}

/// The same for columns of data: `0.1` or `probability`.
pub(super) fn ranking_name(by: Ranking) -> String {
    match by {
        Ranking::Novelty(delta) => delta.to_string(),
        Ranking::Probability => "probability".to_owned(),
    }
}

/// As columns of data name a judge.
pub(super) fn judge_name(judge: Judge) -> &'static str {
    match judge {
        Judge::Dates => "dates",
        Judge::Truth => "truth",
    }
}

/// Three decimals, or a dash.
pub(super) fn share(share: Option<f64>) -> String {
    share.map_or_else(none, |share| format!("{share:.3}"))
}

/// An average precision, with an asterisk where its judge is not independent.
pub(super) fn average(judge: Judge, curve: &Curve) -> String {
    let mark = if is_independent(judge, curve.by) { "" } else { "*" };
    share(curve.average_precision) + mark
}

/// In percent, or a dash.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(none, labels::percent)
}

/// A summed change, from hundreds down to almost nothing.
pub(super) fn change(change: Option<&f64>) -> String {
    match change {
        None => none(),
        Some(0.0) => "0".to_owned(),
        Some(&small) if small < 0.001 => format!("{small:.1e}"),
        Some(large) => format!("{large:.3}"),
    }
}

fn none() -> String {
    "–".to_owned()
}

/// The columns of [`sizes`].
pub(super) const SIZES: [&str; 6] = ["W", "L2", "O\u{a0}\\\u{a0}L2", "U", "U of W", "no in-link"];

/// Table 2.
pub(super) fn sizes(outcome: &Outcome) -> [String; 6] {
    let sizes = &outcome.sizes;
    let [crawled, seen_twice, old, unidentified, lonely] =
        [sizes.crawled, sizes.seen_twice, sizes.old, sizes.unidentified, sizes.unidentified_without_in_links]
            .map(labels::grouped);
    let part = (sizes.crawled > 0).then(|| sizes.unidentified as f64 / sizes.crawled as f64);
    [crawled, seen_twice, old, unidentified, percent(part), lonely]
}

/// The columns of [`rules`].
pub(super) const RULES: [&str; 4] = ["rule 2 alone", "rule 3 alone", "rules 2 and 3", "wrongly old"];

/// What the rules on Last-Modified did, and how many pages all rules called old although they were born later.
pub(super) fn rules(outcome: &Outcome) -> [String; 4] {
    let sizes = &outcome.sizes;
    let wrongly = outcome.births.map_or_else(none, |births| labels::grouped(births.wrongly_old));
    let [second, third, both] =
        [sizes.old_only_by_last_modified, sizes.old_only_by_link, sizes.old_by_both].map(labels::grouped);
    [second, third, both, wrongly]
}

/// The columns of [`ages`].
pub(super) const AGES: [&str; 5] = ["old", "new", "future", "all", "right"];

/// Table 3; whether time strings are right can be told where births are known.
pub(super) fn ages(outcome: &Outcome) -> [String; 5] {
    let ages = &outcome.ages;
    let part = |count: usize| format!("{} ({})", labels::grouped(count), percent(ages.share(count)));
    let right = outcome.births.and_then(|births| births.dates_agree);
    [part(ages.old), part(ages.new), part(ages.future), labels::grouped(ages.total()), percent(right)]
}

/// The columns of [`miss`].
pub(super) const MISS: [&str; 5] = ["U", "known old", "N\u{a0}>\u{a0}0", "N\u{a0}≥\u{a0}0.1", "N\u{a0}≥\u{a0}0.5"];

/// The paper's figures 8 to 10 in numbers: by Last-Modified, and by birth if that is known.
pub(super) fn miss(outcome: &Outcome) -> Vec<(&'static str, [String; 5])> {
    let miss = &outcome.miss;
    let rates =
        [("Last-Modified", Some(miss.by_last_modified)), ("births", miss.by_birth.as_ref().map(|births| births.0))];
    let row = |(by, rate): (&'static str, Option<crate::novelty::MissRate>)| {
        let rate = rate?;
        let part = |count: usize| percent(rate.share(count));
        let cells = [
            labels::grouped(miss.unidentified),
            labels::grouped(rate.old),
            part(rate.positive),
            part(rate.at_least_0_1),
            part(rate.at_least_0_5),
        ];
        Some((by, cells))
    };
    rates.into_iter().filter_map(row).collect()
}
