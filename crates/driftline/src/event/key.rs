//! The key of an event, made of its cause and of nothing else.
//!
//! A check that is repeated after a crash finds the same cause and makes the same key, so no notification is sent twice.

use std::fmt;

use xxhash_rust::xxh3::Xxh3;

use super::Kind;
use crate::time::Time;

/// The cause of an event, part by part.
#[derive(Clone)]
pub struct Cause(Xxh3);

impl Cause {
    /// A cause of this kind at a watch or a site.
    #[must_use]
    pub fn new(kind: Kind, subject: &str) -> Self {
        Self(Xxh3::new()).and(kind.name()).and(subject)
    }

    /// The cause with one more part. The lengths of parts count: `a`, `bc` is not `ab`, `c`.
    #[must_use]
    pub fn and(mut self, part: &str) -> Self {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part.as_bytes());
        self
    }

    /// The cause with a time.
    #[must_use]
    pub fn at(mut self, time: Time) -> Self {
        self.0.update(&time.microseconds().to_le_bytes());
        self
    }

    /// The key: 32 hexadecimal digits.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{:032x}", self.0.digest128())
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Cause").field(&self.key()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Cause, Kind, Time};

    #[test]
    fn a_key_is_the_same_for_ever() {
        let time = Time::from_microseconds(1_700_000_000_000_000);
        let key = Cause::new(Kind::Changed, "news").and("http://example.org/").at(time).key();
        assert_eq!(key, "4066ade289d8375474777fd946175678");
    }

    #[test]
    fn parts_are_told_apart() {
        let key = |one: &str, other: &str| Cause::new(Kind::Changed, one).and(other).key();
        assert_ne!(key("a", "bc"), key("ab", "c"));
        assert_ne!(key("a", ""), key("", "a"));
        assert_ne!(Cause::new(Kind::PageGone, "a").key(), Cause::new(Kind::PageBack, "a").key());
    }
}
