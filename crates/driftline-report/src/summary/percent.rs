//! Shares for people.

/// A share in percent that never claims nothing or everything falsely: `0.9 %`, `14 %`, `less than 0.1 %`.
///
/// ```
/// use driftline_report::summary::percent;
///
/// assert_eq!([0.0, 0.0004, 0.009, 0.14, 0.999].map(percent), ["0 %", "less than 0.1 %", "0.9 %", "14 %", "more than 99 %"]);
/// ```
#[must_use]
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0 %".to_owned(),
        100.0 => "100 %".to_owned(),
        percent if percent < 0.05 => "less than 0.1 %".to_owned(),
        percent if percent < 9.95 => format!("{percent:.1} %"),
        percent if percent < 99.5 => format!("{percent:.0} %"),
        _ => "more than 99 %".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_share_never_claims_nothing_or_everything_falsely() {
        let shares = [0.0, 0.0004, 0.0005, 0.0994, 0.0996, 0.5, 0.994, 0.9999, 1.0].map(percent);
        assert_eq!(
            shares,
            ["0 %", "less than 0.1 %", "0.1 %", "9.9 %", "10 %", "50 %", "99 %", "more than 99 %", "100 %"]
        );
    }
}
