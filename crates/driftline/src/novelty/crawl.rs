//! The rows of a crawl, as archives and tables give them to a link database, and why some of it does not count.

use std::fmt;

use super::sketch::Sketch;
use crate::time::Time;

/// What one record of an archive or one row of a table says. Addresses are as they are written there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row<'a> {
    /// A page that was crawled, and the absolute addresses that it links to.
    Crawled(Crawled<'a>, &'a [String]),
    /// An address that was not crawled, but is known.
    Fringe(&'a str),
    /// A link.
    Link {
        /// The page that it is on.
        source: &'a str,
        /// Where it leads.
        target: &'a str,
    },
    /// A redirect.
    Redirect {
        /// The address that was requested.
        from: &'a str,
        /// Where it leads.
        to: &'a str,
    },
    /// Something that does not count.
    Skipped(SkipReason),
}

/// A page that was crawled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crawled<'a> {
    /// Its address as it was crawled.
    pub url: &'a str,
    /// When it was fetched.
    pub fetched: Option<Time>,
    /// Its `Last-Modified`.
    pub last_modified: Option<Time>,
    /// A summary of its text, if that is known.
    pub sketch: Option<&'a Sketch>,
}

/// Why something of a crawl does not count, as reports have it before a number: `damaged records: 3`.
///
/// There are two kinds. A crawl holds pictures, answers 404 and links to `mailto:`; such reasons are
/// [ordinary](Self::is_ordinary). After any other reason, such as a record that cannot be read, the snapshot is
/// incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SkipReason {
    text: &'static str,
    is_ordinary: bool,
}

impl SkipReason {
    /// An answer that is not a page: a picture, a script, data.
    pub const NOT_A_PAGE: Self = Self::ordinary("answers that are no page (type)");
    /// An answer 4xx or 5xx, or one whose status ends no request.
    pub const ERROR: Self = Self::ordinary("answers without a page (status)");
    /// A redirect whose target is missing or is not an address.
    pub const NOWHERE: Self = Self::lack("redirects that lead nowhere");

    /// A reason that every crawl has.
    #[must_use]
    pub const fn ordinary(text: &'static str) -> Self {
        Self { text, is_ordinary: true }
    }

    /// A reason after which a snapshot is incomplete.
    #[must_use]
    pub const fn lack(text: &'static str) -> Self {
        Self { text, is_ordinary: false }
    }

    /// The reason in words, in the plural.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.text
    }

    /// Whether every crawl has it, so that nothing is lacking.
    #[must_use]
    pub const fn is_ordinary(self) -> bool {
        self.is_ordinary
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text)
    }
}
