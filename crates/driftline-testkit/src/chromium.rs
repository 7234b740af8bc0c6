//! May a test do without Chromium? Only if a person says so: a test that passes because it did nothing tells a lie.

use std::ffi::OsStr;

/// Who sets this to anything goes without the tests that need Chromium.
pub const WITHOUT: &str = "DRIFTLINE_WITHOUT_CHROMIUM";

/// A test has found no Chromium, and will do nothing; `why` is what driftline said.
///
/// # Panics
/// Unless [`WITHOUT`] is set, or if something else is wrong.
pub fn skip(why: &str) {
    match refusal(why, std::env::var_os(WITHOUT).as_deref()) {
        Some(refusal) => panic!("{refusal}"),
        None => println!("skipped: {why}"),
    }
}

/// Why a test may not be skipped.
fn refusal(why: &str, without: Option<&OsStr>) -> Option<String> {
    let is_missing = why.contains("there is no Chromium");
    let cure =
        format!("install Chromium (Debian: `apt install chromium`), or set {WITHOUT}=1 to go without these tests");
    match without {
        Some(_) if is_missing => None,
        _ if is_missing => Some(format!("{why}\n{cure}")),
        _ => Some(why.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::refusal;

    #[test]
    fn a_test_that_needs_chromium_fails_without_unless_a_person_goes_without() {
        let (missing, other) = ("there is no Chromium, which it needs", "the header `x` cannot be set");
        assert!(refusal(missing, None).is_some_and(|said| said.contains("install Chromium")));
        assert_eq!(refusal(missing, Some("1".as_ref())), None);
        assert_eq!(refusal(other, Some("1".as_ref())).as_deref(), Some(other));
    }
}
