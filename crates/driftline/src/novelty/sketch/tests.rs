//! Estimates beside exact coefficients, and what must never change.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use super::{Sketch, WORDS};
use crate::page::{Page, ReadOptions};

fn page(text: &str) -> Page {
    Page::read(text, &ReadOptions::default())
}

fn sketch(text: &str) -> Sketch {
    Sketch::of(&page(text))
}

/// Jaccard's coefficient of the sets of shingles.
fn exact(older: &str, newer: &str) -> f64 {
    let shingles = |text: &str| {
        let page = page(text);
        let words: Vec<String> = page.words().map(str::to_owned).collect();
        words.windows(WORDS).map(<[String]>::to_vec).collect::<HashSet<_>>()
    };
    let (older, newer) = (shingles(older), shingles(newer));
    older.intersection(&newer).count() as f64 / older.union(&newer).count() as f64
}

/// Prose with frequent and rare words.
fn prose(random: &mut fastrand::Rng, length: usize) -> Vec<String> {
    let word = |random: &mut fastrand::Rng| format!("w{:.0}", random.f64().powi(3) * 4000.0);
    (0..length).map(|_| word(random)).collect()
}

#[test]
fn estimates_are_near_the_exact_likeness() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut errors = Vec::new();
    for round in 0..200 {
        let length = [300, 1000, 3000][round % 3];
        let older = prose(&mut random, length);
        let mut newer = older.clone();
        let changes = random.usize(0..length / 4);
        for _ in 0..changes {
            let place = random.usize(0..length);
            newer[place] = "other".to_owned() + &random.u32(..).to_string();
        }
        let (older, newer) = (older.join(" "), newer.join(" "));
        let (exact, estimate) = (exact(&older, &newer), sketch(&older).words_likeness(&sketch(&newer)));
        // Five standard errors and a little, in each of 200 rounds.
        let error = (exact * (1.0 - exact) / 112.0 + 0.0005).sqrt();
        assert!((exact - estimate).abs() < 5.0 * error, "round {round}: {estimate} is not near {exact}");
        errors.push(estimate - exact);
    }
    let bias: f64 = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(bias.abs() < 0.012, "estimates are too far off on average: {bias}");
}

#[test]
fn short_pages_that_differ_are_told_apart() {
    let mut random = fastrand::Rng::with_seed(8);
    for _ in 0..200 {
        let (one, other) = (prose(&mut random, 20).join(" "), prose(&mut random, 20).join(" "));
        let likeness = sketch(&one).words_likeness(&sketch(&other));
        assert!(likeness < 0.5, "{one} / {other}: {likeness}");
    }
}

#[test]
fn pages_that_say_the_same_are_alike_however_they_are_built() {
    let one = sketch("<p>Open from nine to five on all days of the week.</p>");
    let other = sketch("<div><i>Open</i> from nine<br>to five on all days of the week.</div>");
    assert_eq!((one.text, one.words, one.length), (other.text, other.words, other.length));
    assert_eq!(one.words_likeness(&other), 1.0);
    assert!(one.tags_likeness(&other) < 0.9);
    assert_eq!(one, sketch("<p>Open from nine to five on all days of the week.</p>"));
}

#[test]
fn the_order_of_words_counts() {
    let (one, other) = (sketch("<p>to be or not to be</p>"), sketch("<p>not to be or to be</p>"));
    assert_ne!(one.text, other.text);
    assert!(one.words_likeness(&other) < 1.0);
    assert_ne!(sketch("a b").text, sketch("ab").text);
}

#[test]
fn a_page_without_words_is_like_no_other() {
    let (empty, blank, short) = (sketch(""), sketch("<p> </p>"), sketch("<p>word</p>"));
    assert_eq!(empty.words, [0; super::BYTES]);
    assert_eq!(empty.words_likeness(&blank), 1.0);
    assert_eq!(empty.words_likeness(&short), 0.0);
    assert_eq!(short.words_likeness(&empty), 0.0);
    assert_eq!(short.words_likeness(&short), 1.0);
    assert_ne!(short.words, empty.words);
    let plain = |text: &str| {
        Page::read(text.as_bytes(), &ReadOptions { kind: Some(crate::page::BodyKind::Text), ..ReadOptions::default() })
    };
    let text = Sketch::of(&plain("only text"));
    assert_eq!((text.tag_count, text.tags_likeness(&short)), (0, 0.0));
}

#[test]
fn a_sketch_is_kept_and_read_again() {
    let sketch = sketch("<h1>News</h1><p>Open from nine to five.</p>");
    assert_eq!(Sketch::from_bytes(&sketch.to_bytes()), sketch);
    let odd = std::array::from_fn(|place| place as u8);
    assert_eq!(Sketch::from_bytes(&odd).to_bytes(), odd);
}

/// Series hold sketches of years ago. If this fails, either the change must go or the format gets a new number.
#[test]
fn a_sketch_never_changes() {
    let sketch = sketch("<!doctype html><title>News</title><h1>News</h1><p>Open from nine to five.</p>");
    assert_eq!(xxh3_64(&sketch.to_bytes()), 4_427_738_660_186_710_915, "{sketch:?}");
}
