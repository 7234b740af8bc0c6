//! The most that is read of one page. What was cut short says so: [`Limit`](crate::Limit).

use serde::{Deserialize, Serialize};

/// The most that is read of one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of the body; what follows is not read.
    pub bytes: usize,
    /// Elements; after the last one allowed the rest of the page is not read.
    pub nodes: usize,
    /// Levels of nesting; deeper elements are left out and their text belongs to the deepest one kept.
    pub depth: usize,
}

impl Limits {
    /// What driftline uses unless told otherwise.
    ///
    /// 64 MiB: the largest single-page standards of the web have 15 MB. 1,000,000 elements: the
    /// same page has 400,000. 512 levels: where Chromium stops too; below it the time of the HTML
    /// tree construction, which walks the open elements for each tag, stays linear in the page.
    pub const DEFAULT: Self = Self { bytes: 64 << 20, nodes: 1_000_000, depth: 512 };

    /// The largest `bytes` that is honoured: offsets into a page, and into the words of two pages,
    /// are 32 bits wide, and a byte of an old charset becomes up to three.
    pub const MOST_BYTES: usize = 1 << 29;
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
