//! Does the cost grow with the page, or with the change? Twenty words change on ever longer pages.
//!
//! `cargo bench -p driftline --bench degree_by_page_size`. Linear growth shows as a constant number
//! of nanoseconds a word. Allocations are counted too: a reused comparer needs next to none.

#![expect(clippy::disallowed_macros, reason = "a bench prints; the library does not")]

use std::hint::black_box;

use driftline::compare::Comparer;
use driftline::page::{BodyKind, Page, ReadOptions, WordRule};
use driftline_testkit::allocations::{Counting, count};
use driftline_testkit::text::zipf_words;
use driftline_testkit::timing::Race;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const CHANGED: usize = 20;

fn page(words: &[u32]) -> Page {
    let text = words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let options = ReadOptions { kind: Some(BodyKind::Text), words: WordRule::Whitespace, ..ReadOptions::default() };
    Page::read(text.as_str(), &options)
}

fn main() {
    println!("{CHANGED} changed words on a page of n words, all metrics; best of 10 rounds");
    println!("{:>8} {:>10} {:>12} {:>12}", "words", "ms", "ns a word", "allocations");
    for power in 10..=17 {
        let length = 1_usize << power;
        let mut rng = fastrand::Rng::with_seed(1);
        // Heaps' law: a text four times as long has twice as many different words.
        let vocabulary = 50 * length.isqrt();
        let older = zipf_words(&mut rng, length, vocabulary);
        let mut newer = older.clone();
        for _ in 0..CHANGED {
            let at = rng.usize(0..length);
            newer[at] = (vocabulary + at) as u32;
        }
        let (older, newer) = (page(&older), page(&newer));
        let mut comparer = Comparer::default();
        let results = Race::new().with("driftline", || drop(black_box(comparer.measure(&older, &newer)))).run(10);
        let seconds = results[0].1.as_secs_f64();
        let allocations = count(|| drop(black_box(comparer.measure(&older, &newer))));
        println!("{length:>8} {:>10.3} {:>12.1} {allocations:>12}", seconds * 1e3, seconds * 1e9 / length as f64);
    }
}
