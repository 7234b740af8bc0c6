//! Fuzz targets: laws that hold for any bytes, one module per reader of bytes from outside.
//!
//! A target panics if a law does not hold. `fuzz_targets` has a program for each, which libFuzzer drives (`scripts/fuzz`);
//! `tests/replay.rs` runs each on its seeds in `corpus`, without libFuzzer.
#![expect(clippy::missing_panics_doc, reason = "a panic is what a target finds")]

pub mod backup;
pub mod compare;
pub mod feed;
pub mod heads;
pub mod highlighted;
pub mod index;
pub mod json;
pub mod messages;
pub mod robots;
pub mod selectors;
pub mod settings;
pub mod template;
pub mod urls;
pub mod wacz;
pub mod warc;
pub mod watches;

/// A target: panics if a law does not hold for these bytes.
pub type Target = fn(&[u8]);

macro_rules! targets {
    ($($name:ident)*) => {
        /// All targets, by name.
        pub const TARGETS: &[(&str, Target)] = &[$((stringify!($name), $name::run)),*];
    };
}

targets! {
    backup compare feed heads highlighted index json messages robots selectors settings template urls wacz warc watches
}

/// What parts two pages in one input; it is in no text.
const PARTING: u8 = 0xff;

/// The bytes before the first [`PARTING`] and those after it; without one, halves.
fn halves(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|&byte| byte == PARTING) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => bytes.split_at(bytes.len() / 2),
    }
}
