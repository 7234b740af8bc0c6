//! Captures that are in the input more than once: of the same URL, second, status and digest.
//!
//! The same file named twice, a crawl as ARC and as WARC, an archive in which both were imported. A pair of them would be
//! a change of degree 0 that nobody observed.

use std::collections::HashMap;

use driftline_archive::Time;
use driftline_catalog::seconds::{is_whole, may_be_same, second};

/// By what a capture is known among those of the same second.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    pub(crate) url: String,
    pub(crate) status: Option<u16>,
    /// A hash of the digest of its payload.
    pub(crate) payload: u64,
    pub(crate) is_revisit: bool,
}

/// The captures of one second of a page, which come in the order of time.
#[derive(Debug, Default)]
pub(super) struct Second {
    second: Option<i64>,
    seen: HashMap<Identity, Time>,
}

impl Second {
    /// Begins a page.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether a capture was there already. What has no digest is taken for a capture of its own.
    pub(super) fn has(&mut self, at: Time, identity: Option<Identity>) -> bool {
        if self.second != Some(second(at)) {
            self.clear();
            self.second = Some(second(at));
        }
        let Some(identity) = identity else { return false };
        let before = self.seen.get(&identity).copied();
        // A time without a fraction is the first of its second, and stands for all of them.
        if before.is_none_or(|before| !is_whole(before)) {
            self.seen.insert(identity, at);
        }
        before.is_some_and(|before| may_be_same(before, at))
    }
}

#[cfg(test)]
mod tests {
    use super::{Identity, Second};

    fn identity(status: u16) -> Identity {
        Identity { url: "http://a/".to_owned(), status: Some(status), payload: 1, is_revisit: false }
    }

    #[test]
    fn a_capture_is_the_same_within_its_second_only() {
        let mut second = Second::default();
        let mut has = |at: &str, own| second.has(at.parse().unwrap(), own);
        assert!(!has("2024-01-31T12:00:00Z", Some(identity(200))));
        assert!(!has("2024-01-31T12:00:00Z", Some(identity(203))));
        assert!(!has("2024-01-31T12:00:00Z", None) && !has("2024-01-31T12:00:00Z", None));
        assert!(
            has("2024-01-31T12:00:00.5Z", Some(identity(200))) && has("2024-01-31T12:00:00.7Z", Some(identity(200)))
        );
        assert!(
            !has("2024-01-31T12:00:01.2Z", Some(identity(200))) && !has("2024-01-31T12:00:01.5Z", Some(identity(200)))
        );
        assert!(has("2024-01-31T12:00:01.5Z", Some(identity(200))));
    }
}
