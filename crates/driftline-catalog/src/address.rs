//! Which capture is meant? `URL@TIME`: the one nearest to that time, or with `URL@=TIME` that one and no other.
//!
//! The rule is one for the archive and for files of others. Addresses that differ in `http`, `https` or `www` count as
//! one. `@TIME`, `@first` and `@latest` mean pages: answers that succeeded, files, and what was unchanged since; only
//! where there is no page, any answer. `@=TIME` takes whatever was captured then. Times are told apart by whole seconds:
//! within one, the address that was asked for goes first, since a redirect from `http` to `https` is captured in the
//! same second as its target; then the nearer one, then the earlier one.

use std::fmt;

use crate::time::{NotATime, Time};

/// A capture, by its address and a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The address of the page.
    pub url: String,
    /// Which of its captures.
    pub when: When,
}

/// Which capture of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// `@first`.
    First,
    /// `@latest`.
    Latest,
    /// `@TIME`: the one nearest to it; of two that are equally near, the earlier one.
    Nearest(Time),
    /// `@=TIME`: the one of that second, and of that fraction if it says one.
    Exactly(Time),
}

/// Why something is no address of a capture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAnAddress {
    /// There is no `@` behind it.
    #[error("`{0}` does not say when\nhint: write URL@TIME, for example {0}@2024, {0}@=20240131120000 or {0}@latest")]
    NoTime(String),
    /// What stands behind the `@` is no time.
    #[error(transparent)]
    Time(#[from] NotATime),
}

impl Address {
    /// Does this look like an address of a capture rather than a file? It does if it begins with a scheme; before that
    /// may stand `urn:dom:` or `urn:view:`, for what a browser made of the page.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        let text = ["urn:dom:", "urn:view:"].iter().find_map(|made| text.strip_prefix(made)).unwrap_or(text);
        text.split_once("://").is_some_and(|(scheme, _)| {
            !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        })
    }

    /// Reads `URL@TIME`.
    ///
    /// # Errors
    /// If it names no time, or none that can be read.
    pub fn parse(text: &str) -> Result<Self, NotAnAddress> {
        let no_time = || NotAnAddress::NoTime(text.to_owned());
        let (url, time) = text.rsplit_once('@').ok_or_else(no_time)?;
        // In `https://user@host/` the sign belongs to the address.
        if url.ends_with("//") || time.contains('/') {
            return Err(no_time());
        }
        let when = match time {
            "first" => When::First,
            "latest" => When::Latest,
            _ => match time.strip_prefix('=') {
                Some(time) => When::Exactly(time.parse()?),
                None => When::Nearest(time.parse()?),
            },
        };
        Ok(Self { url: url.to_owned(), when })
    }
}

/// Whether a capture with this status is a page, and may be a version of one. A redirect and an error are not. "Not
/// modified" is one only as a revisit of the page before it. The catalog's view `version` has the same rule in SQL.
#[must_use]
pub fn is_page(status: Option<u16>, is_revisit: bool) -> bool {
    match status {
        None | Some(200..=299) => true,
        Some(304) => is_revisit,
        Some(_) => false,
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = &self.url;
        match self.when {
            When::First => write!(formatter, "{url}@first"),
            When::Latest => write!(formatter, "{url}@latest"),
            When::Nearest(time) => write!(formatter, "{url}@{time}"),
            When::Exactly(time) => write!(formatter, "{url}@={time}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, NotAnAddress, When};

    #[test]
    fn a_time_stands_behind_the_last_sign() {
        let parsed = Address::parse("https://user@example.org/@home@2024").unwrap();
        assert_eq!(parsed.url, "https://user@example.org/@home");
        assert_eq!(parsed.when, When::Nearest("2024".parse().unwrap()));
        let exact = Address::parse("http://example.org/@=20240131120000").unwrap();
        assert_eq!(exact.when, When::Exactly("20240131120000".parse().unwrap()));
        assert_eq!(Address::parse("http://example.org/@latest").unwrap().when, When::Latest);
    }

    #[test]
    fn what_a_browser_made_of_a_page_has_an_address_too() {
        for text in
            ["https://example.org/@2024", "urn:dom:https://example.org/@2024", "urn:view:http://example.org/@2024"]
        {
            assert!(Address::is_meant(text), "{text}");
            assert_eq!(Address::parse(text).unwrap().url, text.strip_suffix("@2024").unwrap());
        }
        for text in ["old.html", "urn:dom:old.html", "a:b://c"] {
            assert!(!Address::is_meant(text), "{text}");
        }
    }

    #[test]
    fn an_address_without_a_time_is_told() {
        for text in ["http://example.org/", "http://user@example.org/", "http://user@example.org/a"] {
            assert!(matches!(Address::parse(text), Err(NotAnAddress::NoTime(_))), "{text}");
        }
        assert!(matches!(Address::parse("http://example.org/@home"), Err(NotAnAddress::Time(_))));
    }
}
