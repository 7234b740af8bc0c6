//! What could not be read, and where: the first of it in full, all of it counted.

use std::fmt;
use std::path::PathBuf;

/// How many are kept; a damaged file may have millions.
const MOST_KEPT: usize = 1_000;

/// What was passed over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Skips {
    first: Vec<Skipped>,
    count: u64,
}

/// Something that was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The file that it is in.
    pub file: PathBuf,
    /// What it is, where, and why it was passed over.
    pub reason: String,
}

impl Skips {
    /// Notes something.
    pub fn push(&mut self, file: impl Into<PathBuf>, reason: impl fmt::Display) {
        self.count += 1;
        if self.first.len() < MOST_KEPT {
            self.first.push(Skipped { file: file.into(), reason: reason.to_string() });
        }
    }

    /// Notes all of these.
    pub fn append(&mut self, other: Self) {
        self.count += other.count;
        let room = MOST_KEPT.saturating_sub(self.first.len());
        self.first.extend(other.first.into_iter().take(room));
    }

    /// The first of them.
    #[must_use]
    pub fn first(&self) -> &[Skipped] {
        &self.first
    }

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// In the order of files, whichever was read first.
    pub(super) fn sort(&mut self) {
        self.first.sort_by(|one, other| one.file.cmp(&other.file));
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`: {}", self.file.display(), self.reason)
    }
}
