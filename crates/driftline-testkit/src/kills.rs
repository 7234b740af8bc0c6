//! How often a program is killed in a run, and from which seed.
//!
//! A plain run kills a share of the times and takes its seed from the day, so that a week covers more than one seed
//! repeated. `DRIFTLINE_KILLS=all` kills as often as the full proof asks, `DRIFTLINE_KILLS=5000` that often, and
//! `DRIFTLINE_SEED=7` repeats a run.

use std::time::{SystemTime, UNIX_EPOCH};

/// The number of kills, and the seed of their moments.
#[derive(Debug, Clone, Copy)]
pub struct Kills {
    /// How many kills.
    pub count: u32,
    /// The seed; the day in days since 1970, unless it was given.
    pub seed: u32,
    /// Whether the full proof was asked for, so that every step is tried and not a sample of them.
    pub is_all: bool,
}

impl Kills {
    /// Reads the environment: `share` kills, or `all` of them on request. Prints what was chosen, so that a failed run
    /// can be repeated.
    ///
    /// # Panics
    /// If a variable is not a number.
    #[must_use]
    pub fn planned(name: &str, share: u32, all: u32) -> Self {
        let number = |text: String| text.parse().expect("DRIFTLINE_KILLS and DRIFTLINE_SEED are numbers");
        let asked = std::env::var("DRIFTLINE_KILLS").ok();
        let is_all = asked.as_deref() == Some("all");
        let count = match &asked {
            Some(_) if is_all => all,
            Some(text) => number(text.clone()),
            None => share,
        };
        let seed = std::env::var("DRIFTLINE_SEED").map_or_else(|_| today(), number);
        let same = asked.map(|text| format!("DRIFTLINE_KILLS={text} ")).unwrap_or_default();
        // Not to stdout, which may be a list of tests that a program reads.
        eprintln!("{name}: {count} kills; repeat with {same}DRIFTLINE_SEED={seed}");
        Self { count, seed, is_all }
    }
}

/// Days since 1970.
fn today() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970");
    u32::try_from(since.as_secs() / 86_400).expect("it is before the year 10,000,000")
}
