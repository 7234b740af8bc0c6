//! How much did the page change? One number from 0 (same) to 1 (all of it), by six metrics.
//!
//! Why not plain edit distance: a copied block is not twice as new, and a moved block is not a
//! rewrite. IED prices six operations instead of three (Kwon, Lee, Kim, section 4); the other five
//! metrics stand beside it because each is right for some question (the criteria of `driftline-evaluation` say which).
//!
//! | metric | what it sees | module |
//! |---|---|---|
//! | BW | any byte | [`Page::fingerprint`](crate::page::Page::fingerprint) |
//! | COS, WD | which words, how often | [`cosine`], [`bag`] |
//! | ED | words in order | [`lcs`] |
//! | 10SH | runs of ten words | [`shingle`] |
//! | IED, refined, gap | six kinds of change | [`ied`] |
//!
//! Rules R1 to R11: `docs/reference/rules.md`.

pub mod bag;
pub mod cosine;
pub mod edit;
pub mod ied;
pub mod lcs;
mod measurement;
pub mod shingle;
pub mod vocabulary;

use std::fmt;

pub use measurement::{Measurement, Raw};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A share of the page, from 0 (nothing) to 1 (everything).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Degree(f64);

impl Degree {
    /// Nothing changed.
    pub const NONE: Self = Self(0.0);
    /// Everything changed.
    pub const FULL: Self = Self(1.0);

    /// The nearest degree to `share`.
    #[must_use]
    pub fn clamped(share: f64) -> Self {
        Self(share.clamp(0.0, 1.0))
    }

    /// The share as a number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Degree {
    /// As a number from 0 to 1, with the precision asked for.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, out)
    }
}

impl Serialize for Degree {
    /// As a number; whole ones without a fraction, as JSON writers elsewhere do.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0.0 => serializer.serialize_u64(0),
            1.0 => serializer.serialize_u64(1),
            share => serializer.serialize_f64(share),
        }
    }
}

impl<'de> Deserialize<'de> for Degree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let share = f64::deserialize(deserializer)?;
        let is_share = (0.0..=1.0).contains(&share);
        let wrong = || serde::de::Error::custom(format_args!("a degree is from 0 to 1, not {share}"));
        is_share.then_some(Self(share)).ok_or_else(wrong)
    }
}

/// A way to measure change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// Byte-wise comparison: 0 or 1.
    Bw,
    /// TF-IDF cosine distance.
    Cos,
    /// Word distance.
    Wd,
    /// Edit distance with insertions and deletions.
    Ed,
    /// k-shingling.
    Shingle,
    /// Improved edit distance, by the papers' phases.
    Ied,
    /// IED that takes a replacement wherever it is cheaper (rule R10).
    IedRefined,
    /// [`IedRefined`](Self::IedRefined) that looks for replacements between the same common words (rule R11).
    IedGap,
}

impl Metric {
    /// All metrics, the papers' six first.
    pub const ALL: &[Self] =
        &[Self::Bw, Self::Cos, Self::Wd, Self::Ed, Self::Shingle, Self::Ied, Self::IedRefined, Self::IedGap];

    /// The six of the papers.
    pub const PAPER: [Self; 6] = [Self::Bw, Self::Cos, Self::Wd, Self::Ed, Self::Shingle, Self::Ied];

    /// Its name in files: `ied_refined`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bw => "bw",
            Self::Cos => "cos",
            Self::Wd => "wd",
            Self::Ed => "ed",
            Self::Shingle => "shingle",
            Self::Ied => "ied",
            Self::IedRefined => "ied_refined",
            Self::IedGap => "ied_gap",
        }
    }

    /// What it looks at, in a few words.
    #[must_use]
    pub fn looks_at(self) -> &'static str {
        match self {
            Self::Bw => "any byte at all",
            Self::Cos => "which words, in which proportion",
            Self::Wd => "which words, how often",
            Self::Ed => "words in order, added or dropped",
            Self::Shingle => "runs of words",
            Self::Ied => "words in order, six kinds of change",
            Self::IedRefined => "the same, a replacement where it is cheaper",
            Self::IedGap => "the same, replacements between the same common words",
        }
    }
}

/// The degree by every metric.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Degrees {
    /// Byte-wise comparison.
    pub bw: Degree,
    /// TF-IDF cosine distance.
    pub cos: Degree,
    /// Word distance.
    pub wd: Degree,
    /// Edit distance.
    pub ed: Degree,
    /// k-shingling.
    pub shingle: Degree,
    /// Improved edit distance.
    pub ied: Degree,
    /// Improved edit distance, refined.
    pub ied_refined: Degree,
    /// Improved edit distance, refined, with gap pairing.
    pub ied_gap: Degree,
}

impl Degrees {
    /// The degrees that a function gives for each metric.
    pub fn from_fn(degree: impl Fn(Metric) -> Degree) -> Self {
        Self {
            bw: degree(Metric::Bw),
            cos: degree(Metric::Cos),
            wd: degree(Metric::Wd),
            ed: degree(Metric::Ed),
            shingle: degree(Metric::Shingle),
            ied: degree(Metric::Ied),
            ied_refined: degree(Metric::IedRefined),
            ied_gap: degree(Metric::IedGap),
        }
    }

    /// The degree by one metric.
    #[must_use]
    pub fn by(&self, metric: Metric) -> Degree {
        match metric {
            Metric::Bw => self.bw,
            Metric::Cos => self.cos,
            Metric::Wd => self.wd,
            Metric::Ed => self.ed,
            Metric::Shingle => self.shingle,
            Metric::Ied => self.ied,
            Metric::IedRefined => self.ied_refined,
            Metric::IedGap => self.ied_gap,
        }
    }
}
