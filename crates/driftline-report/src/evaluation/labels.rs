//! What are metrics, kinds and numbers called, for people?

use driftline::degree::Metric;
use driftline::degree::criteria::Sensitivity;
use driftline::degree::criteria::experiment::Setup;
use driftline::degree::edit::EditKind;

/// A metric's name in the papers: `10SH`.
pub(super) fn metric(metric: Metric, setup: &Setup) -> String {
    match metric {
        Metric::Shingle => format!("{}SH", setup.parameters.shingle_length),
        Metric::IedRefined => "IED refined".to_owned(),
        Metric::IedGap => "IED gap".to_owned(),
        other => other.name().to_uppercase(),
    }
}

/// What a metric is, in a few words.
pub(super) fn meaning(metric: Metric) -> &'static str {
    match metric {
        Metric::Bw => "byte-wise comparison: does any byte differ?",
        Metric::Cos => "TF-IDF cosine distance: which words, how often?",
        Metric::Wd => "word distance: how many words are not on both pages?",
        Metric::Ed => "edit distance: how many words must be inserted and deleted?",
        Metric::Shingle => "shingling: how many runs of words are not on both pages?",
        Metric::Ied => "improved edit distance: what do the six kinds of change cost?",
        Metric::IedRefined => "IED that takes a replacement wherever it is cheaper",
        Metric::IedGap => "IED refined, with replacements looked for between the same common words",
    }
}

/// One letter, as in tables of 80 columns.
pub(super) fn letter(sensitivity: Sensitivity) -> char {
    match sensitivity {
        Sensitivity::Effective => 'e',
        Sensitivity::Over => 'o',
        Sensitivity::Under => 'u',
        Sensitivity::Irregular => 'i',
    }
}

/// One word, as in files.
pub(super) fn sensitivity(sensitivity: Sensitivity) -> &'static str {
    match sensitivity {
        Sensitivity::Effective => "effective",
        Sensitivity::Over => "over",
        Sensitivity::Under => "under",
        Sensitivity::Irregular => "irregular",
    }
}

/// `12 %`, never broken between lines; what is not zero is not shown as zero.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0\u{a0}%".to_owned(),
        percent if percent < 0.5 => "<\u{a0}1\u{a0}%".to_owned(),
        percent => format!("{percent:.0}\u{a0}%"),
    }
}

/// Text whose lines are broken already, or never are.
pub(super) fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

/// `12,345`.
pub(super) fn count(count: usize) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 pair`, `2 pairs`.
pub(super) fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// `add, drop and copy`.
pub(super) fn list(items: &[impl AsRef<str>]) -> String {
    match items {
        [] => "nothing".to_owned(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// `add and drop`.
pub(super) fn kinds(kinds: &[EditKind]) -> String {
    list(&kinds.iter().map(|&one| one.name()).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_small_share_is_not_shown_as_none() {
        assert_eq!([0.0, 0.001, 0.126, 1.0].map(percent).map(|text| plain(&text)), ["0 %", "< 1 %", "13 %", "100 %"]);
    }

    #[test]
    fn lists_read_as_prose() {
        assert_eq!(list(&[] as &[&str]), "nothing");
        assert_eq!(kinds(&[EditKind::Add]), "add");
        assert_eq!(kinds(&EditKind::ALL[..3]), "add, drop and copy");
    }

    #[test]
    fn a_metric_is_called_as_in_the_papers() {
        let setup = Setup::default();
        let names = Metric::ALL.map(|one| metric(one, &setup));
        assert_eq!(names, ["BW", "COS", "WD", "ED", "10SH", "IED", "IED refined", "IED gap"]);
    }
}
