//! Every worked number of Kwon, Lee and Kim, in English (2006) and in Korean (2007).

use driftline::compare::{CompareOptions, Comparer};
use driftline::degree::Measurement;
use driftline::degree::ied::{Costs, Operations};
use driftline::page::{BodyKind, Page, ReadOptions, WordRule};

fn page(text: &str) -> Page {
    let read_options =
        ReadOptions { kind: Some(BodyKind::Text), words: WordRule::Whitespace, ..ReadOptions::default() };
    Page::read(text, &read_options)
}

fn measure(older: &str, newer: &str, options: CompareOptions) -> Measurement {
    Comparer::new(options).measure(&page(older), &page(newer))
}

fn shingles_of(length: usize) -> CompareOptions {
    CompareOptions { shingle_length: length, ..CompareOptions::default() }
}

fn assert_near(actual: f64, expected: f64) {
    assert!((actual - expected).abs() < 1e-12, "{actual}, not {expected}");
}

#[test]
fn kwon_example_1_costs_5_7() {
    let costs = Costs::new(0.4, 0.9).unwrap();
    let measured = measure(
        "w1 w2 w2 w2 w3 w3 w4 w5 w2",
        "w3 w1 w4 w2 w3 w5 w5 w6 w6 w7",
        CompareOptions { costs, ..CompareOptions::default() },
    );
    let expected = Operations { add: 2, drop: 0, copy: 3, shrink: 4, replace: 0, moved: 1 };
    assert_eq!(measured.operations, expected);
    assert_near(measured.operations.cost(costs), 5.7);
    assert_near(measured.degree.ied.get(), 5.7 / 10.0);
}

#[test]
fn kwon_section_2_the_edit_distance_of_agbaa_and_abata_is_2() {
    let measured = measure("A G B A A", "A B A T A", CompareOptions::default());
    assert_near(measured.degree.ed.get() * 10.0, 2.0);
}

#[test]
fn kwon_section_2_copied_and_new_words_are_alike_to_wd_and_ed_but_not_to_ied() {
    let copied = measure("w1 w2 w3 w4", "w1 w2 w3 w4 w2 w3", CompareOptions::default());
    let added = measure("w1 w2 w3 w4", "w1 w2 w3 w4 w5 w6", CompareOptions::default());
    for measured in [&copied, &added] {
        assert_near(measured.degree.wd.get(), 0.2);
        assert_near(measured.degree.ed.get(), 0.2);
    }
    assert_near(copied.degree.ied.get(), 0.75 * 2.0 / 6.0);
    assert_near(added.degree.ied.get(), 2.0 / 6.0);
}

#[test]
fn kwon_section_2_one_replaced_word_of_five_is_0_75_to_3_shingling() {
    let measured = measure("w1 w2 w3 w4 w5", "w1 w2 w3 w6 w5", shingles_of(3));
    assert_near(measured.degree.shingle.get(), 0.75);
}

#[test]
fn kwon_section_2_one_moved_word_of_five_is_1_to_3_shingling() {
    let measured = measure("w1 w2 w3 w4 w5", "w2 w3 w1 w4 w5", shingles_of(3));
    assert_near(measured.degree.shingle.get(), 1.0);
}

/// The Korean paper prints 1; the shingle (w3, w4, w5) is common, so it is 8/9.
#[test]
fn kwon_korean_section_2_the_swap_of_two_words_is_8_9_to_3_shingling() {
    let measured = measure("w1 w2 w3 w4 w5", "w2 w1 w3 w4 w5", shingles_of(3));
    assert_near(measured.degree.shingle.get(), 8.0 / 9.0);
}

#[test]
fn kwon_property_1_holds_only_with_a_clamp() {
    let measured = measure("w w w w", "w x y z", CompareOptions::default());
    assert_near(measured.raw.ied, 1.3125);
    assert_near(measured.degree.ied.get(), 1.0);
    let measured = measure("a a", "b c", CompareOptions::default());
    assert_near(measured.raw.ied, 1.375);
    let measured = measure("w1 w2 c y1 y2", "x1 x2 c w2 w1", CompareOptions::default());
    assert_near(measured.raw.ied, 1.1);
}

#[test]
fn kwon_byte_wise_comparison_sees_one_blank() {
    let measured = measure("a b", "a  b", CompareOptions::default());
    assert_near(measured.degree.bw.get(), 1.0);
    assert_near(measured.degree.ied.get(), 0.0);
}
