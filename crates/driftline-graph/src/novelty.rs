//! Which pages of a crawl are new? Toyoda and Kitsuregawa's measure (section 3), at the size of a crawl.
//!
//! Three steps, each of which can be used by itself:
//!
//! 1. [`classify`] says of each page crawled at `t_k` whether it is old (O, and L2 if its links can be dated) or
//!    unidentified (U), by the paper's three rules.
//! 2. [`Measure::prepare`] passes over the links once. What does not change from round to round is folded into two
//!    counts a page: all in-links, and those from L2. Links among unidentified pages remain, and are kept compressed.
//! 3. [`Measure::solve`] iterates over those alone, for any δ.
//!
//! [`score`] does all three; [`evidence`] says for one page why it got what it got.
//!
//! What the paper's closing section asks for comes after: [`calibration`] says how likely a page is new, [`copies`]
//! which page only says what an older one said, [`missed`] why an old page was not crawled last time.

pub mod calibration;
mod classes;
mod classify;
mod codes;
pub mod copies;
mod evidence;
mod fold;
mod hosts;
mod in_links;
mod jacobi;
mod measure;
mod members;
pub mod missed;
mod relax;
mod scores;
mod store;

use std::io;

use driftline::novelty::{Delta, Rounds};

use crate::Series;
use crate::series::Damage;
use crate::snapshot::{Direction, SnapshotError};

pub use classes::{Before, Classes, Counts, Facts, Reasons};
pub use classify::{Rules, classify};
pub use evidence::{Evidence, InLink, Sighting, evidence};
pub use in_links::InLinks;
pub use measure::Measure;
pub use scores::Scores;

/// How the measure is to be computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// δ.
    pub delta: Delta,
    /// When to stop.
    pub rounds: Rounds,
    /// What makes a page old.
    pub rules: Rules,
    /// Bytes that the links among unidentified pages may take in memory; beyond, they go to a temporary file.
    pub memory: usize,
}

/// Below this no score moves any more in the last round, if not said otherwise.
pub const TOLERANCE: f64 = 1e-10;

/// Bytes for links among unidentified pages, if not said otherwise: 1 GiB.
pub const MEMORY: usize = 1 << 30;

impl Default for Parameters {
    fn default() -> Self {
        Self { delta: Delta::PAPER, rounds: Rounds::Until(TOLERANCE), rules: Rules::default(), memory: MEMORY }
    }
}

/// Why there is no measure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoveltyError {
    /// No crawl came before this one.
    #[error(
        "`{at}` is the first snapshot of the series: nothing is known of the age of its pages\nhint: novelty is measured from the second snapshot on"
    )]
    First {
        /// Its time.
        at: String,
    },
    /// There are not so many snapshots.
    #[error("there is no snapshot {place}: the series has {count}, counted from 0")]
    Missing {
        /// What was asked for.
        place: usize,
        /// How many there are.
        count: usize,
    },
    /// A snapshot that is needed is damaged: all earlier ones are.
    #[error(transparent)]
    Damage(#[from] Damage),
    /// A snapshot cannot be read.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// Addresses of the series cannot be read.
    #[error(
        "cannot read the addresses of the series: {0}\nhint: remove the damaged snapshot and add it again from its crawl"
    )]
    Addresses(#[from] io::Error),
    /// The links among unidentified pages did not fit memory, and a temporary file cannot hold them either.
    #[error("cannot keep links in a temporary file\nhint: `TMPDIR` says where it is made; or allow more memory")]
    Aside(#[source] io::Error),
}

/// The novelty of every page of the `place`-th snapshot of a series (from 0, in the order of time).
///
/// # Errors
/// If it is the first, or there is none, or its files cannot be read.
pub fn score(series: &Series, place: usize, parameters: &Parameters) -> Result<Scores, NoveltyError> {
    let classes = classify(series, place, parameters.rules)?;
    let links = series.snapshots()[place].links(Direction::In)?;
    Measure::prepare(links, classes, parameters.memory)?.solve(parameters.delta, parameters.rounds)
}
