//! What became of an import? Counts, and whatever was passed over, with its place.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};

/// The most places that are told one by one; those behind them are only counted.
const MOST_TOLD: usize = 1_000;

/// What became of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// How many files were read, of all formats.
    pub files: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// How many records or versions were found in them.
    pub records: u64,
    /// How many captures are new in the archive.
    pub captures: u64,
    /// How many records were there already.
    pub duplicates: u64,
    /// How many records state a digest that their bytes do not have. They are kept as they are, and noted in the catalog.
    pub wrong_digests: u64,
    /// How many watches are in the catalog.
    pub watches: u64,
    /// How many files were imported before and have not changed since; they were not read.
    pub unchanged: u64,
    /// How many were passed over, by reason.
    pub skipped: BTreeMap<Reason, u64>,
    /// Where they were: the first of them.
    pub skips: Vec<Skip>,
}

/// Something that was passed over.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skip {
    /// The file, and the file within it if it is an archive.
    pub file: String,
    /// The byte at which it begins, or the line in an index, if there is one.
    pub offset: Option<u64>,
    /// Why it was passed over.
    pub reason: Reason,
    /// What exactly is wrong.
    pub detail: String,
}

/// Why something was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// It is not what its format asks for.
    Malformed,
    /// Its bytes are damaged.
    Damaged,
    /// The file ends within it.
    Truncated,
    /// It is named but is not there.
    Missing,
    /// It is longer than the limit.
    TooLarge,
    /// It reaches out of the place that it may be in.
    Unsafe,
    /// It does not say which page it is of, or the page has no address of the web.
    NoAddress,
    /// It does not say when it was captured.
    NoTime,
    /// It cannot be read for another reason.
    Unreadable,
}

impl Summary {
    /// Counts something that was passed over.
    pub fn skip(&mut self, skip: Skip) {
        *self.skipped.entry(skip.reason).or_default() += 1;
        if self.skips.len() < MOST_TOLD {
            self.skips.push(skip);
        }
    }

    /// How many were passed over.
    #[must_use]
    pub fn skipped_in_all(&self) -> u64 {
        self.skipped.values().sum()
    }

    /// Adds what became of another part.
    pub fn add(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.records += other.records;
        self.captures += other.captures;
        self.duplicates += other.duplicates;
        self.wrong_digests += other.wrong_digests;
        self.watches += other.watches;
        self.unchanged += other.unchanged;
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        self.skips.extend(other.skips);
        self.skips.sort();
        self.skips.truncate(MOST_TOLD);
    }
}

impl Skip {
    /// Something in a file that was passed over.
    pub fn new(file: impl Into<String>, reason: Reason, detail: impl Into<String>) -> Self {
        Self { file: file.into(), offset: None, reason, detail: detail.into() }
    }

    /// The same, at a byte of the file.
    #[must_use]
    pub fn at(self, offset: u64) -> Self {
        Self { offset: Some(offset), ..self }
    }
}

/// `file, byte 120: what is wrong`.
impl fmt::Display for Skip {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, offset, detail, .. } = self;
        match offset {
            Some(offset) => write!(formatter, "{file}, byte {offset}: {detail}"),
            None => write!(formatter, "{file}: {detail}"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Malformed => "malformed",
            Self::Damaged => "damaged",
            Self::Truncated => "truncated",
            Self::Missing => "missing",
            Self::TooLarge => "too large",
            Self::Unsafe => "unsafe",
            Self::NoAddress => "no address",
            Self::NoTime => "no time",
            Self::Unreadable => "unreadable",
        })
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_TOLD, Reason, Skip, Summary};

    #[test]
    fn all_are_counted_and_the_first_are_told() {
        let mut summary = Summary::default();
        let mut other = Summary::default();
        for count in 0..MOST_TOLD as u64 {
            summary.skip(Skip::new("b", Reason::Damaged, "bits").at(count));
            other.skip(Skip::new("a", Reason::Malformed, "no record").at(count));
        }
        summary.add(other);
        assert_eq!(summary.skipped_in_all(), 2 * MOST_TOLD as u64);
        assert_eq!(summary.skips.len(), MOST_TOLD);
        assert_eq!(summary.skips[3].to_string(), "a, byte 3: no record");
        let json = serde_json::to_value(&summary).unwrap();
        assert_eq!(json["skipped"]["damaged"], MOST_TOLD as u64);
    }
}
