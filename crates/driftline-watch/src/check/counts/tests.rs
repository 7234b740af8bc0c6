//! What counts, case by case.

use std::sync::Arc;

use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};

use super::*;
use crate::watches::Settings;

const OLDER: &str = "<title>Shop</title><p>The lamp costs 40 euro.</p><p>Visitors: 17</p><p>In stock</p>";

fn weight(counts: Counts, newer: &str) -> Weight {
    weight_of(counts, OLDER, newer)
}

fn weight_of(counts: Counts, older: &str, newer: &str) -> Weight {
    let settings = Arc::new(Settings { counts, ..Settings::default() });
    let watch = Watch { id: "shop".into(), url: "http://shop.example/".into(), name: None, settings };
    let [older, newer] = [older, newer].map(|html| Page::read(html, &ReadOptions::default()));
    let change = Comparer::default().compare(&older, &newer);
    let pages = Sides { older: &older, newer: &newer };
    let looked = Looked::of(&watch, pages).unwrap();
    weigh(&looked, &change, &looked.within(pages, &change))
}

fn is_enough(counts: Counts, newer: &str) -> bool {
    matches!(weight(counts, newer), Weight::Enough(_))
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

#[test]
fn without_settings_what_a_reader_sees_counts() {
    assert!(is_enough(Counts::default(), &OLDER.replace("40", "35")));
    assert!(is_enough(Counts::default(), &OLDER.replace("Shop", "Store")));
    assert!(is_enough(Counts::default(), &OLDER.replace("In stock", "<a href=/buy>In stock</a>")));
    assert_eq!(weight(Counts::default(), &OLDER.replace("<p>The", "<p class=new>The")), Weight::Nothing);
}

#[test]
fn markup_counts_for_those_who_ask() {
    let counts = Counts { operations: vec![Operation::Markup], ..Counts::default() };
    assert!(is_enough(counts.clone(), &OLDER.replace("<p>The", "<p class=new>The")));
    assert!(!is_enough(counts, &OLDER.replace("40", "35")));
}

#[test]
fn a_change_below_the_degree_is_too_little() {
    let counts = |degree| Counts { degree: Some(degree), ..Counts::default() };
    let newer = OLDER.replace("40", "35");
    assert!(is_enough(counts(0.05), &newer));
    assert_eq!(weight(counts(0.5), &newer), Weight::NotYet);
    let counts = Counts { importance: Some(1.0), ..Counts::default() };
    assert_eq!(weight(counts, &newer), Weight::NotYet);
}

#[test]
fn ignored_text_is_as_if_it_were_not_there() {
    let counts = Counts { ignore_text: texts(&["Visitors: .*"]), ..Counts::default() };
    assert_eq!(weight(counts.clone(), &OLDER.replace("17", "18")), Weight::Nothing);
    let Weight::Enough(both) = weight(counts, &OLDER.replace("17", "18").replace("40", "35")) else { panic!() };
    let Weight::Enough(price) = weight(Counts::default(), &OLDER.replace("40", "35")) else { panic!() };
    assert!((both - price).abs() < 1e-9, "{both} {price}");
}

#[test]
fn a_trigger_must_touch_what_changed() {
    let counts = Counts { trigger: texts(&["(?i)in stock", "sold out"]), ..Counts::default() };
    assert!(is_enough(counts.clone(), &OLDER.replace("In stock", "Sold already")));
    assert!(is_enough(counts.clone(), &OLDER.replace("In stock", "It is sold out")));
    assert_eq!(weight(counts, &OLDER.replace("40", "35")), Weight::Nothing);
}

#[test]
fn a_page_that_contains_the_text_counts_whatever_changed_on_it() {
    let counts = Counts { contains: texts(&["(?i)in STOCK"]), ..Counts::default() };
    assert!(is_enough(counts.clone(), &OLDER.replace("40", "35")), "nothing of the text itself changed");
    assert_eq!(weight(counts, &OLDER.replace("40", "35").replace("In stock", "Sold out")), Weight::NotYet);
}

#[test]
fn a_page_that_contains_a_text_that_it_must_not_does_not_count_yet() {
    let counts = Counts { not_contains: texts(&["(?i)sold out"]), ..Counts::default() };
    assert!(is_enough(counts.clone(), &OLDER.replace("40", "35")));
    assert_eq!(weight(counts, &OLDER.replace("40", "35").replace("In stock", "Sold out")), Weight::NotYet);
}

#[test]
fn an_ignored_line_is_as_if_it_were_not_there_the_counter_in_it_too() {
    let counts = Counts { ignore_lines: texts(&["(?i)visitor"]), ..Counts::default() };
    let alone = Counts { ignore_text: texts(&["(?i)visitors?"]), ..Counts::default() };
    let counter = OLDER.replace("17", "18");
    assert_eq!(weight(counts.clone(), &counter), Weight::Nothing);
    assert!(is_enough(alone, &counter), "ignore-text leaves the rest of the line");
    assert!(is_enough(counts.clone(), &counter.replace("40", "35")));
    assert_eq!(weight(counts.clone(), &OLDER.replace("17", "17!")), Weight::Nothing);
    let linked = OLDER.replace("Visitors: 17", "<a href=/count?18>Visitors: 17</a>");
    assert_eq!(weight(counts.clone(), &linked), Weight::Nothing);
    assert!(is_enough(counts.clone(), &OLDER.replace("In stock", "<a href=/buy>In stock</a>")));
    assert_eq!(weight(counts, &OLDER.replace("<p>Visitors: 17</p>", "")), Weight::Nothing);
}

#[test]
fn an_ignored_line_does_not_say_what_the_page_must_contain() {
    let (contains, ignore_lines) = (texts(&["17"]), texts(&["Visitors"]));
    let counts = Counts { contains, ignore_lines, ..Counts::default() };
    assert_eq!(weight(counts, &OLDER.replace("40", "35")), Weight::NotYet);
}

#[test]
fn only_lines_that_match_count() {
    let counts = Counts { only_lines: texts(&["^The .* euro\\.$", "never there"]), ..Counts::default() };
    assert!(is_enough(counts.clone(), &OLDER.replace("40", "35")));
    for other in [("17", "18"), ("In stock", "Sold"), ("<title>Shop", "<title>Store"), ("In stock", "<img src=a>")] {
        assert_eq!(weight(counts.clone(), &OLDER.replace(other.0, other.1)), Weight::Nothing, "{other:?}");
    }
}

#[test]
fn only_text_that_matches_counts() {
    let counts = Counts { only_text: texts(&[r"costs \d+"]), ..Counts::default() };
    assert!(is_enough(counts.clone(), &OLDER.replace("40", "35")));
    for other in
        [("euro", "pounds"), ("17", "18"), ("<title>Shop", "<title>Store"), ("In stock", "<a href=/>In stock</a>")]
    {
        assert_eq!(weight(counts.clone(), &OLDER.replace(other.0, other.1)), Weight::Nothing, "{other:?}");
    }
}

#[test]
fn the_end_of_a_line_can_be_matched() {
    let counts = Counts { ignore_text: texts(&[r"\d+$"]), ..Counts::default() };
    assert_eq!(weight(counts, &OLDER.replace("17", "18")), Weight::Nothing);
}

#[test]
fn only_one_side_counts_if_the_watch_says_so() {
    let only = |only| Counts { only: Some(only), ..Counts::default() };
    let more = OLDER.replace("In stock", "In stock again today");
    let less = OLDER.replace("<p>In stock</p>", "");
    assert!(is_enough(only(Only::Added), &more) && !is_enough(only(Only::Removed), &more));
    assert!(is_enough(only(Only::Removed), &less) && !is_enough(only(Only::Added), &less));
    // Another title has no side.
    assert!(!is_enough(only(Only::Added), &OLDER.replace("Shop", "Store")));
}

#[test]
fn operations_are_looked_for_by_name() {
    let counts = |operation| Counts { operations: vec![operation], ..Counts::default() };
    let replaced = OLDER.replace("40", "35");
    assert!(is_enough(counts(Operation::Replace), &replaced) && !is_enough(counts(Operation::Add), &replaced));
    let linked = OLDER.replace("In stock", "<a href=/buy>In stock</a>");
    assert!(is_enough(counts(Operation::Links), &linked) && !is_enough(counts(Operation::Drop), &linked));
}

#[test]
fn a_pattern_that_is_none_is_told_with_the_watch() {
    let settings =
        Arc::new(Settings { counts: Counts { trigger: texts(&["("]), ..Counts::default() }, ..Settings::default() });
    let watch = Watch { id: "shop".into(), url: "http://shop.example/".into(), name: None, settings };
    let page = Page::read(OLDER, &ReadOptions::default());
    let error = Looked::of(&watch, Sides { older: &page, newer: &page }).err().unwrap();
    assert!(error.to_string().starts_with("watch `shop`"), "{error}");
}

#[test]
fn an_item_counts_by_what_it_says() {
    let counts = Counts { trigger: texts(&["rust"]), only: Some(Only::Added), ..Counts::default() };
    let settings = Arc::new(Settings { counts, ..Settings::default() });
    let watch = Watch { id: "feed".into(), url: "http://shop.example/".into(), name: None, settings };
    let rule = ItemRule::of(&watch).unwrap();
    let counts = |kind, text| rule.counts(kind, &[text], None, 0.5);
    assert!(counts(Kind::ItemAdded, "news of rust"));
    assert!(!counts(Kind::ItemAdded, "news of wood") && !counts(Kind::ItemRemoved, "news of rust"));
}

#[test]
fn an_item_counts_by_what_it_contains_and_does_not() {
    let counts = Counts {
        contains: texts(&["rust"]),
        not_contains: texts(&["job"]),
        ignore_lines: texts(&["^Sponsored"]),
        ..Counts::default()
    };
    let settings = Arc::new(Settings { counts, ..Settings::default() });
    let watch = Watch { id: "feed".into(), url: "http://shop.example/".into(), name: None, settings };
    let rule = ItemRule::of(&watch).unwrap();
    let counts = |texts: &[&str]| rule.counts(Kind::ItemAdded, texts, None, 0.5);
    assert!(counts(&["news", "of rust"]));
    for texts in [["news", "of wood"], ["a job", "in rust"], ["rust", "all of it\nSponsored by wood"]] {
        assert!(!counts(&texts), "{texts:?}");
    }
}
