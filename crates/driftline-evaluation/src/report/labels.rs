//! Numbers and lists as people write them.

use driftline_report::summary;
pub(super) use driftline_report::summary::numbers::{counted, grouped};

/// A share in percent, never broken between lines.
pub(super) fn percent(share: f64) -> String {
    summary::percent(share).replace(' ', "\u{a0}")
}

/// Text whose lines are broken already, or never are.
pub(super) fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
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
    fn a_share_is_not_broken_between_lines() {
        assert_eq!(percent(0.126), "13\u{a0}%");
        assert_eq!(plain(&percent(0.001)), "0.1 %");
    }

    #[test]
    fn lists_read_as_prose() {
        assert_eq!(list(&[] as &[&str]), "nothing");
        assert_eq!(list(&["one", "other"]), "one and other");
    }
}
