//! What does the exact degree cost beside other people's common subsequences, on the same integers?
//!
//! `cargo bench -p driftline --bench ied_against_peers`. driftline computes the canonical common
//! subsequence and all six operation counts; rapidfuzz only the length of a longest common
//! subsequence; imara-diff and similar an edit script that may not be the shortest: the last line
//! says how many common words each one found. "all metrics from text" numbers the words first.

#![expect(clippy::disallowed_macros, clippy::disallowed_methods, reason = "a bench prints and reads its arguments")]

use std::hint::black_box;

use driftline::compare::Comparer;
use driftline::degree::ied::{Costs, Phases, Variant};
use driftline::degree::lcs::Aligner;
use driftline::degree::vocabulary::WordId;
use driftline::page::{BodyKind, Page, ReadOptions, WordRule};
use driftline_testkit::text::{edited, zipf_words};
use driftline_testkit::timing::Race;
use rapidfuzz::distance::lcs_seq;

fn page(words: &[u32]) -> Page {
    let text = words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let options = ReadOptions { kind: Some(BodyKind::Text), words: WordRule::Whitespace, ..ReadOptions::default() };
    Page::read(text.as_str(), &options)
}

fn imara(older: &[u32], newer: &[u32], algorithm: imara_diff::Algorithm) -> usize {
    let mut input = imara_diff::InternedInput::default();
    input.update_before(older.iter().copied());
    input.update_after(newer.iter().copied());
    let diff = imara_diff::Diff::compute(algorithm, &input);
    older.len() - diff.count_removals() as usize
}

fn similar(older: &[u32], newer: &[u32]) -> usize {
    let operations = similar::capture_diff_slices(similar::Algorithm::Myers, older, newer);
    operations
        .iter()
        .filter(|operation| operation.tag() == similar::DiffTag::Equal)
        .map(|operation| operation.old_range().len())
        .sum()
}

fn race(length: usize, share: f64) {
    let vocabulary = length.max(4_000);
    let mut rng = fastrand::Rng::with_seed(length as u64);
    let older = zipf_words(&mut rng, length, vocabulary);
    let newer = edited(&mut rng, &older, share, vocabulary);
    let (older_page, newer_page) = (page(&older), page(&newer));
    let mut comparer = Comparer::default();
    let mut phases = Phases::default();
    let ids = [&older, &newer].map(|words| words.iter().copied().map(WordId::new).collect::<Vec<_>>());
    let mut operations = |variant| phases.operations(&ids[0], &ids[1], variant, Costs::PAPER);
    let quadratic = length <= 8_192;
    let rounds = if quadratic { 15 } else { 3 };
    let mut race = Race::new()
        .with("driftline, IED with its operations", || _ = black_box(operations(Variant::Phases)))
        .with("driftline, all metrics from text", || drop(black_box(comparer.measure(&older_page, &newer_page))))
        .with("imara-diff histogram", || _ = black_box(imara(&older, &newer, imara_diff::Algorithm::Histogram)))
        .with("imara-diff Myers", || _ = black_box(imara(&older, &newer, imara_diff::Algorithm::Myers)));
    if quadratic {
        race = race
            .with("rapidfuzz LCS", || _ = black_box(lcs_seq::similarity(older.iter(), newer.iter())))
            .with("similar Myers", || _ = black_box(similar(&older, &newer)));
    }
    println!("\n{length} words, {:.0} % changed", share * 100.0);
    let results = race.run(rounds);
    let ours = results[0].1.as_secs_f64();
    for (name, best) in results {
        println!("  {name:<36} {:>10.3} ms   {:>6.2} x ours", best.as_secs_f64() * 1e3, best.as_secs_f64() / ours);
    }
    let found = [
        ("driftline", Aligner::new().align(&ids[0], &ids[1]).length),
        ("histogram", imara(&older, &newer, imara_diff::Algorithm::Histogram)),
        ("Myers", imara(&older, &newer, imara_diff::Algorithm::Myers)),
    ];
    println!("  common words found: {}", found.map(|(name, length)| format!("{name} {length}")).join(", "));
}

fn main() {
    // `-- 8192` runs one length only.
    let only: Option<usize> = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    for length in [1_000, 8_192, 100_000].into_iter().filter(|&length| only.is_none_or(|only| only == length)) {
        for share in [0.01, 0.25, 1.0] {
            race(length, share);
        }
    }
}
