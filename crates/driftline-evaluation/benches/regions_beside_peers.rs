//! driftline's part in the race of `scripts/peers/race.py` against other people's structural differs.
//!
//! `write FOLDER ELEMENTS PAIRS` makes pairs of pages with 5 % of the words edited; `repeat TIMES OLD
//! NEW` reads and compares two of them, so that the script can tell the work from the start of the
//! process by its CPU time.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a bench prints, reads its arguments, and here also files"
)]

use std::error::Error;
use std::hint::black_box;
use std::path::Path;

use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};
use driftline_evaluation::regions::synthesis::{Layout, MadePage};
use fastrand::Rng;

fn write(folder: &Path, elements: usize, pairs: u64) -> Result<(), Box<dyn Error>> {
    for seed in 0..pairs {
        let mut rng = Rng::with_seed(seed);
        let older = MadePage::new(Layout::Tables, elements, &mut rng);
        let mut newer = older.clone();
        newer.edit_words(0.05, &mut rng);
        for (version, page) in [("old", older), ("new", newer)] {
            std::fs::write(folder.join(format!("{elements}-{seed}.{version}.html")), page.html())?;
        }
    }
    Ok(())
}

fn repeat(times: usize, older: &str, newer: &str) -> Result<(), Box<dyn Error>> {
    let (older, newer) = (std::fs::read(older)?, std::fs::read(newer)?);
    let options = ReadOptions::default();
    let mut comparer = Comparer::default();
    for _ in 0..times {
        let (older, newer) = (Page::read(&*older, &options), Page::read(&*newer, &options));
        black_box(comparer.compare(&older, &newer));
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["write", folder, elements, pairs] => write(folder.as_ref(), elements.parse()?, pairs.parse()?),
        ["repeat", times, older, newer] => repeat(times.parse()?, older, newer),
        _ => {
            println!("run scripts/peers/race.py, which calls this with what it needs");
            Ok(())
        }
    }
}
