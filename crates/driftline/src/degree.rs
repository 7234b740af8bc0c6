//! How much did the page change? One number from 0 (same) to 1 (all of it), by eight
//! metrics: the papers' six, and two variants of IED.
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
mod metric;
pub mod shingle;
pub mod vocabulary;

use std::fmt;

pub use measurement::{Measurement, Raw};
pub use metric::{Degrees, Metric};
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
