//! What is really new? The words of Toyoda and Kitsuregawa's novelty measure (section 3).
//!
//! A page that the last crawl missed is not therefore new. What is known of a page of the newest snapshot is a
//! [`Class`]; what is known of its age is a [`Novelty`]. The measure itself runs over whole crawls and lives in
//! `driftline-graph`; here is what it says, what it reads off an address or a text, and the [rows](crawl) that it gets.
//!
//! The paper's evaluation is in `driftline-evaluation`.
//!
//! Rules N1 to N6: `docs/reference/rules.md`.

pub mod answer;
pub mod crawl;
pub mod dated;
pub mod sketch;
pub mod url;

/// What the snapshots so far say of a page that was crawled now (rules of section 3; `N2`, `N3`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Class {
    /// O without L2: it is old, but was not crawled both last time and now; its links are of unknown age.
    Old,
    /// L2: it is old and was crawled both last time and now; its links to pages never seen before are new.
    SeenTwice,
    /// U: never seen before, by address, by Last-Modified, or by a link of a page that has not changed.
    Unidentified,
}

impl Class {
    /// As tables have it: `O`, `L2` or `U`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Old => "O",
            Self::SeenTwice => "L2",
            Self::Unidentified => "U",
        }
    }
}

/// What the snapshots tell us about a page's age.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Novelty {
    /// Seen, or linked to, before the previous crawl.
    Old,
    /// First seen now, with the certainty that it is new. Zero is "no evidence", never "old".
    Unidentified(f64),
}

/// `δ`: the probability that a page was linked to before the previous crawl from outside of the snapshots.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Delta(f64);

/// A `δ` that is no probability.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("delta is {0}, not a number from 0 to 1\nhint: the paper uses 0, 0.1 and 0.2")]
pub struct NotADelta(f64);

impl Delta {
    /// 0.1, with which the paper measures the miss rate.
    pub const PAPER: Self = Self(0.1);

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Delta {
    type Error = NotADelta;

    fn try_from(delta: f64) -> Result<Self, NotADelta> {
        if (0.0..=1.0).contains(&delta) { Ok(Self(delta)) } else { Err(NotADelta(delta)) }
    }
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rounds {
    /// So many rounds of Jacobi's iteration, as in the paper (20 there), whether it converged or not.
    Exactly(u32),
    /// Until no score moves by more than this in a round; in whatever order converges fastest.
    Until(f64),
}
