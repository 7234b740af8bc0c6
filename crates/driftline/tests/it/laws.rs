//! What holds for any two pages.

use driftline::compare::{CompareOptions, Comparer};
use driftline::degree::Measurement;
use driftline::degree::Metric;
use driftline::degree::cosine::Idf;
use driftline::degree::ied::{Costs, Operations, Variant};
use driftline::degree::lcs::Aligner;
use driftline::degree::vocabulary::WordId;
use driftline::page::{BodyKind, Page, ReadOptions, WordRule};
use driftline_testkit::oracle;
use driftline_testkit::text::{edited, zipf_words};
use proptest::prelude::*;

/// Pages of few different words, so that words repeat, move and are copied; now and then long ones.
fn page_words() -> impl Strategy<Value = Vec<String>> {
    let short = prop::collection::vec("[a-f]", 0..12);
    let long = prop::collection::vec("[a-z]{1,2}", 0..300);
    prop_oneof![3 => short, 1 => long]
}

/// A page and another, made from it by cutting, repeating and swapping parts, or unrelated.
fn page_pair() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let related =
        (page_words(), prop::collection::vec((0..400_usize, 0..40_usize, 0..3_u8), 0..5)).prop_map(|(older, edits)| {
            let mut newer = older.clone();
            for (at, len, what) in edits {
                let start = at.min(newer.len());
                let end = (start + len).min(newer.len());
                let part: Vec<String> = newer[start..end].to_vec();
                match what {
                    0 => drop(newer.drain(start..end)),
                    1 => drop(newer.splice(start..start, part)),
                    _ => newer[start..end].reverse(),
                }
            }
            (older, newer)
        });
    prop_oneof![related, (page_words(), page_words())]
}

fn costs() -> impl Strategy<Value = Costs> {
    (0..=20_u32, 0..=20_u32).prop_map(|(a, b)| Costs::new(f64::from(a) / 20.0, f64::from(b) / 20.0).unwrap())
}

fn page(words: &[String]) -> Page {
    let read_options =
        ReadOptions { kind: Some(BodyKind::Text), words: WordRule::Whitespace, ..ReadOptions::default() };
    Page::read(words.join(" ").as_str(), &read_options)
}

fn measure(older: &[String], newer: &[String], options: CompareOptions) -> Measurement {
    Comparer::new(options).measure(&page(older), &page(newer))
}

fn strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn counts(operations: &Operations) -> oracle::Counts {
    let Operations { add, drop, copy, shrink, replace, moved } = *operations;
    [add, drop, copy, shrink, replace, moved]
}

fn idf() -> impl Strategy<Value = Idf> {
    prop_oneof![Just(Idf::None), Just(Idf::Pair)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_page_has_not_changed_from_itself(words in page_words(), costs in costs(), idf in idf()) {
        let measured = measure(&words, &words, CompareOptions { costs, idf, ..CompareOptions::default() });
        for &metric in Metric::ALL {
            prop_assert_eq!(measured.degree.by(metric).get(), 0.0);
        }
        prop_assert_eq!(measured.operations, Operations::default());
    }

    #[test]
    fn every_degree_is_symmetric_and_the_operations_mirror((older, newer) in page_pair(), costs in costs(), idf in idf(), k in 1..12_usize) {
        for variant in Variant::ALL {
            let options = CompareOptions { costs, variant, shingle_length: k, idf: idf.clone(), ..CompareOptions::default() };
            let there = measure(&older, &newer, options.clone());
            let back = measure(&newer, &older, options);
            prop_assert_eq!(there.degree, back.degree);
            prop_assert_eq!(there.raw, back.raw);
            prop_assert_eq!(there.operations, back.operations.mirrored());
        }
    }

    #[test]
    fn every_degree_is_from_0_to_1((older, newer) in page_pair(), costs in costs(), idf in idf()) {
        let measured = measure(&older, &newer, CompareOptions { costs, idf, ..CompareOptions::default() });
        for &metric in Metric::ALL {
            prop_assert!((0.0..=1.0).contains(&measured.degree.by(metric).get()));
        }
        prop_assert!(measured.raw.ied_refined <= measured.raw.ied + 1e-12, "rule R10: never dearer");
        if measured.operations.moved == 0 {
            prop_assert!(measured.raw.ied_refined <= 1.0 + 1e-12, "rule R10: at most 1 when nothing moves");
        }
    }

    #[test]
    fn a_degree_of_0_by_ied_means_the_same_words((older, newer) in page_pair()) {
        let measured = measure(&older, &newer, CompareOptions::default());
        prop_assert_eq!(measured.degree.ied.get() == 0.0, older == newer);
        prop_assert_eq!(measured.degree.ed.get() == 0.0, older == newer);
        prop_assert_eq!(measured.degree.bw.get() == 0.0, older == newer);
    }

    #[test]
    fn the_operations_are_those_of_the_literal_phases((older, newer) in page_pair(), costs in costs()) {
        use oracle::Joining;
        for (variant, joining) in Variant::ALL.into_iter().zip([Joining::Phases, Joining::Refined, Joining::Gap]) {
            let measured = measure(&older, &newer, CompareOptions { costs, variant, ..CompareOptions::default() });
            let expected = oracle::kwon_phases(&strs(&older), &strs(&newer), costs.copy(), costs.moving(), joining);
            prop_assert_eq!(counts(&measured.operations), expected);
        }
    }

    #[test]
    fn shingles_are_those_of_lists_of_words((older, newer) in page_pair(), k in 1..12_usize) {
        let measured = measure(&older, &newer, CompareOptions { shingle_length: k, ..CompareOptions::default() });
        let expected = oracle::shingle_distance(&strs(&older), &strs(&newer), k);
        prop_assert!((measured.degree.shingle.get() - expected).abs() < 1e-12);
    }

    #[test]
    fn the_edits_turn_one_page_into_the_other((older, newer) in page_pair()) {
        for variant in Variant::ALL {
            let change = Comparer::new(CompareOptions { variant, ..CompareOptions::default() }).compare(&page(&older), &page(&newer));
            let covered = |len: usize, side: &dyn Fn(&driftline::degree::edit::Edit) -> Option<std::ops::Range<u32>>| {
                let mut times = vec![0; len];
                change.edits.iter().filter_map(side).flatten().for_each(|index| times[index as usize] += 1);
                times
            };
            let on_older = covered(older.len(), &|edit| edit.older());
            let on_newer = covered(newer.len(), &|edit| edit.newer());
            prop_assert!(on_older.iter().chain(&on_newer).all(|&times| times <= 1), "no word changes twice");
            let common = |words: &[String], times: &[i32]| words.iter().zip(times).filter(|(_, times)| **times == 0).map(|(word, _)| word.clone()).collect::<Vec<_>>();
            prop_assert_eq!(common(&older, &on_older), common(&newer, &on_newer));
            let total: usize = change.edits.iter().map(driftline::degree::edit::Edit::len).sum();
            prop_assert_eq!(total, change.measurement.operations.total());
        }
    }

    #[test]
    fn a_held_page_measures_as_a_fresh_one((older, first) in page_pair(), (second, third) in page_pair()) {
        let mut comparer = Comparer::default();
        let older_page = page(&older);
        let mut held = comparer.hold(&older_page);
        for newer in [first, second, third] {
            prop_assert_eq!(held.measure(&page(&newer)), measure(&older, &newer, CompareOptions::default()));
            let fresh = Comparer::default().compare(&older_page, &page(&newer));
            prop_assert_eq!(held.compare(&page(&newer)), fresh);
        }
    }

    #[test]
    fn the_band_finds_the_canonical_subsequence((older, newer) in page_pair()) {
        let mut vocabulary = driftline::degree::vocabulary::Vocabulary::new();
        let (x, y) = if (older.len(), &older) <= (newer.len(), &newer) { (&older, &newer) } else { (&newer, &older) };
        let [x_ids, y_ids] = [x, y].map(|page| page.iter().map(|word| vocabulary.intern(word)).collect::<Vec<_>>());
        let found = Aligner::new().align(&x_ids, &y_ids);
        let pairs = oracle::canonical_lcs(&strs(x), &strs(y));
        let leftover = |len: usize, matched: Vec<usize>| (0..len as u32).filter(|&i| !matched.contains(&(i as usize))).collect::<Vec<_>>();
        prop_assert!(!found.bounded);
        prop_assert_eq!(found.first.iter().map(|l| l.index).collect::<Vec<_>>(), leftover(x.len(), pairs.iter().map(|p| p.0).collect()));
        prop_assert_eq!(found.second.iter().map(|l| l.index).collect::<Vec<_>>(), leftover(y.len(), pairs.iter().map(|p| p.1).collect()));
        for (side, matched) in [(&found.first, pairs.iter().map(|p| p.0).collect::<Vec<_>>()), (&found.second, pairs.iter().map(|p| p.1).collect())] {
            for leftover in side {
                prop_assert_eq!(leftover.gap as usize, matched.iter().filter(|&&index| index < leftover.index as usize).count());
            }
        }
    }

    #[test]
    fn a_bounded_search_still_finds_a_common_subsequence((older, newer) in page_pair(), steps in 1..400_u64) {
        let (x, y) = if older.len() <= newer.len() { (&older, &newer) } else { (&newer, &older) };
        let mut vocabulary = driftline::degree::vocabulary::Vocabulary::new();
        let [x_ids, y_ids] = [x, y].map(|page| page.iter().map(|word| vocabulary.intern(word)).collect::<Vec<_>>());
        let found = Aligner::new().align_within(&x_ids, &y_ids, steps);
        let common = |ids: &[WordId], left: &[driftline::degree::lcs::Leftover]| {
            let left: std::collections::BTreeSet<_> = left.iter().map(|l| l.index as usize).collect();
            ids.iter().enumerate().filter(|(i, _)| !left.contains(i)).map(|(_, id)| *id).collect::<Vec<_>>()
        };
        prop_assert_eq!(common(&x_ids, &found.first), common(&y_ids, &found.second));
        let longest = Aligner::new().align(&x_ids, &y_ids).length;
        prop_assert!(found.length <= longest);
        prop_assert!(found.bounded || found.length == longest);
    }
}

/// Pages of thousands of words, so that the band is many blocks wide and is widened.
#[test]
fn long_pages_align_as_the_textbook_does() {
    let mut rng = fastrand::Rng::with_seed(3);
    for (length, share, moved) in [(3_000, 0.02, 0), (3_000, 0.02, 400), (2_000, 0.3, 200), (1_500, 1.0, 0)] {
        let older = zipf_words(&mut rng, length, 900);
        let mut newer = edited(&mut rng, &older, share, 900);
        newer.rotate_left(moved);
        newer.drain(10..10 + moved / 4);
        let words = |page: &[u32]| page.iter().map(|word| format!("{word:04}")).collect::<Vec<_>>();
        let (older, newer) = (words(&older), words(&newer));
        let measured = measure(&older, &newer, CompareOptions::default());
        let expected = oracle::kwon_phases(&strs(&older), &strs(&newer), 0.75, 0.75, oracle::Joining::Phases);
        assert_eq!(counts(&measured.operations), expected, "{length} words, {share} changed, {moved} moved");
    }
}

#[test]
fn pages_of_very_unequal_length_stay_within_the_budget() {
    let mut rng = fastrand::Rng::with_seed(4);
    let mut words = |length| zipf_words(&mut rng, length, 2).into_iter().map(WordId::new).collect::<Vec<_>>();
    let (short, long) = (words(5_000), words(100_000));
    let found = Aligner::new().align_within(&short, &long, 300_000);
    assert!(found.bounded && found.length > 2_500, "{} of 5,000 words are common", found.length);
}
