//! Numbers and lists as people write them.

pub(super) use driftline::number::grouped;

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

/// `1 pair`, `2 pairs`.
pub(super) fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// The form of a verb: `is` for one, `are` for others.
pub(super) fn agreeing<'a>(number: usize, one: &'a str, others: &'a str) -> &'a str {
    if number == 1 { one } else { others }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_share_is_not_shown_as_none() {
        assert_eq!([0.0, 0.001, 0.126, 1.0].map(percent).map(|text| plain(&text)), ["0 %", "< 1 %", "13 %", "100 %"]);
    }

    #[test]
    fn lists_read_as_prose() {
        assert_eq!(list(&[] as &[&str]), "nothing");
        assert_eq!(list(&["one", "other"]), "one and other");
    }
}
