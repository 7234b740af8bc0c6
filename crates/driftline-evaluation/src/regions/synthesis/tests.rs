//! Tests that it is known of synthetic pages what changed.

use driftline::page::{Page, ReadOptions};
use driftline_testkit::truth::{Truth, truth};
use fastrand::Rng;
use proptest::prelude::*;

use super::*;

fn made(layout: Layout, elements: usize) -> (MadePage, Rng) {
    let mut rng = Rng::with_seed(7);
    (MadePage::new(layout, elements, &mut rng), rng)
}

fn changed(older: &MadePage, newer: &MadePage) -> Truth {
    truth(older.html().as_bytes(), newer.html().as_bytes())
}

#[test]
fn a_page_has_as_many_elements_as_asked_for() {
    for layout in Layout::ALL {
        for elements in [100, 281, 1_000, 3_000] {
            let page = made(layout, elements).0;
            let read = Page::read(page.html().as_str(), &ReadOptions::default());
            assert_eq!((page.elements(), read.nodes().len()), (elements, elements), "{layout:?}");
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_page() {
    for layout in Layout::ALL {
        assert_eq!(made(layout, 500).0.html(), made(layout, 500).0.html());
    }
}

#[test]
fn a_fixed_number_of_words_is_replaced_whatever_the_size_of_the_page() {
    for elements in [100, 3_000] {
        let (older, mut rng) = made(Layout::Tables, elements);
        let mut newer = older.clone();
        newer.edit_some_words(20, &mut rng);
        let differing =
            |older: &str, newer: &str| older.split(' ').zip(newer.split(' ')).filter(|(a, b)| a != b).count();
        assert_eq!(differing(&older.html(), &newer.html()), 20);
    }
}

#[test]
fn an_element_put_into_another_changes_the_structure_only() {
    for layout in Layout::ALL {
        let (older, mut rng) = made(layout, 100);
        let mut newer = older.clone();
        newer.wrap(3, &mut rng);
        let Truth { content, structure, attributes, .. } = changed(&older, &newer);
        assert_eq!((content, structure, attributes), (false, true, false), "{layout:?}");
        assert_eq!(newer.elements(), older.elements() + 1);
    }
}

#[test]
fn all_blocks_or_none_are_new() {
    let (older, mut rng) = made(Layout::Tables, 94);
    let mut newer = older.clone();
    newer.renew(0.0, &mut rng);
    assert_eq!(newer.html(), older.html());
    newer.renew(1.0, &mut rng);
    assert_eq!(newer.elements(), older.elements());
    assert!(older.blocks.iter().zip(&newer.blocks).all(|(older, newer)| {
        let html = |block: &Block| {
            let mut html = String::new();
            block.write(0, &mut html);
            html
        };
        html(older) != html(newer)
    }));
}

#[test]
fn a_share_of_the_words_is_drawn_anew() {
    let (older, mut rng) = made(Layout::Articles, 1_000);
    let mut newer = older.clone();
    newer.edit_words(0.05, &mut rng);
    assert_eq!(changed(&older, &newer), Truth { content: true, ..Truth::default() });
}

#[test]
fn a_rewrite_leaves_only_the_tags() {
    let (older, mut rng) = made(Layout::Tables, 1_000);
    let mut newer = older.clone();
    newer.rewrite(&mut rng);
    assert_eq!(changed(&older, &newer), Truth { content: true, attributes: true, ..Truth::default() });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// However often a block is edited, only the aspect in question changes.
    #[test]
    fn an_injected_change_is_of_its_aspect_only(seed: u64, times in 1..4_usize) {
        let mut rng = Rng::with_seed(seed);
        for layout in Layout::ALL {
            let older = MadePage::new(layout, 60, &mut rng);
            for aspect in Aspect::ALL {
                let mut newer = older.clone();
                let block = rng.usize(0..newer.blocks());
                newer.inject(aspect, block, &mut rng);
                let only = Truth {
                    content: aspect == Aspect::Content,
                    structure: aspect == Aspect::Structure,
                    attributes: aspect == Aspect::Attributes,
                    placement: false,
                };
                prop_assert_eq!(changed(&older, &newer), only);
                for _ in 0..times {
                    newer.inject(aspect, block, &mut rng);
                }
                let untouched = changed(&older, &newer);
                prop_assert!(!untouched.content || only.content);
                prop_assert!(!untouched.structure || only.structure);
                prop_assert!(!untouched.attributes || only.attributes);
            }
        }
    }
}
