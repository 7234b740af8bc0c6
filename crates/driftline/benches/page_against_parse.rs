//! What does a page cost beside parsing it, and what do all metrics cost beside the page?
//!
//! `cargo bench -p driftline --bench page_against_parse`. The floor is html5ever building nothing:
//! it answers what the parser asks of a tree and keeps no text and no attributes.

#![expect(clippy::disallowed_macros, reason = "a bench prints; the library does not")]

use std::hint::black_box;

use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions, WordRule};
use driftline_testkit::data;
use driftline_testkit::floor::parse_only;
use driftline_testkit::pages::{RealPair, real_pairs};
use driftline_testkit::timing::Race;

fn race(title: &str, pairs: &[RealPair], rounds: usize) {
    let megabytes = pairs.iter().map(|pair| pair.older.len() + pair.newer.len()).sum::<usize>() as f64 / 1e6;
    let whitespace = ReadOptions { words: WordRule::Whitespace, ..ReadOptions::default() };
    let unicode = ReadOptions::default();
    let pages = |options: &ReadOptions| {
        for pair in pairs {
            black_box((Page::read(&*pair.older, options), Page::read(&*pair.newer, options)));
        }
    };
    let measured = |options: &ReadOptions| {
        let mut comparer = Comparer::default();
        for pair in pairs {
            let (older, newer) = (Page::read(&*pair.older, options), Page::read(&*pair.newer, options));
            black_box(comparer.measure(&older, &newer));
        }
    };
    let results = Race::new()
        .with("html5ever into nothing", || {
            for pair in pairs {
                black_box(parse_only(&pair.older) + parse_only(&pair.newer));
            }
        })
        .with("Page, white-space words", || pages(&whitespace))
        .with("Page, Unicode words", || pages(&unicode))
        .with("Page + all metrics, white-space words", || measured(&whitespace))
        .with("Page + all metrics, Unicode words", || measured(&unicode))
        .run(rounds);
    println!("\n{title}: {} pairs, {megabytes:.1} MB, best of {rounds} rounds", pairs.len());
    let floor = results[0].1.as_secs_f64();
    for (name, best) in results {
        let seconds = best.as_secs_f64();
        println!(
            "  {name:<40} {:>8.0} pairs/s {:>7.3} ms/pair {:>6.1} MB/s  {:.2} x the floor",
            pairs.len() as f64 / seconds,
            seconds * 1e3 / pairs.len() as f64,
            megabytes / seconds,
            seconds / floor
        );
    }
}

fn main() {
    race("all real pairs", &real_pairs(&data::largest()), 5);
}
