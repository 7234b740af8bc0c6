//! The form in which a change is stored and sent: what is read back is the change.

use driftline::Limit;
use driftline::change::{Change, Sides};
use driftline::compare::{CompareOptions, Comparer};
use driftline::degree::ied::Variant;
use driftline::page::{Page, ReadOptions};
use driftline_testkit::pages::{RealPair, real_pairs};
use driftline_testkit::{data, zoo};
use proptest::prelude::*;
use serde_json::{Value, json};

fn change(older: &[u8], newer: &[u8], variant: Variant) -> Change {
    let options = ReadOptions::default();
    let mut comparer = Comparer::new(CompareOptions { variant, ..CompareOptions::default() });
    comparer.compare(&Page::read(older, &options), &Page::read(newer, &options))
}

pub(crate) fn assert_read_back(change: &Change) {
    let text = serde_json::to_string(change).unwrap();
    assert_eq!(&serde_json::from_str::<Change>(&text).unwrap(), change, "{text}");
    assert_eq!(&serde_json::from_value::<Change>(serde_json::to_value(change).unwrap()).unwrap(), change);
}

fn assert_all_read_back(pairs: &[RealPair], variants: &[Variant]) {
    for RealPair { older, newer, .. } in pairs {
        variants.iter().for_each(|variant| assert_read_back(&change(older, newer, *variant)));
    }
}

#[test]
fn changes_of_real_pages_are_read_back() {
    assert_all_read_back(&real_pairs(&data::subset()), &Variant::ALL);
}

#[test]
#[ignore = "needs the shared data"]
fn changes_of_all_real_pages_are_read_back() {
    assert_all_read_back(&real_pairs(&data::shared()), &[Variant::Phases]);
}

#[test]
fn changes_of_broken_pages_are_read_back() {
    for pair in zoo::bodies().windows(2) {
        assert_read_back(&change(&pair[0].1, &pair[1].1, Variant::Phases));
    }
}

pub(crate) fn html() -> impl Strategy<Value = String> {
    let text = prop::collection::vec("[a-e0-9]{1,3}", 0..4).prop_map(|words| words.join(" "));
    let part = (prop::sample::select(vec!["p", "main", "footer", "title", "nav"]), text, "[a-c]");
    let part = part
        .prop_map(|(tag, text, link)| format!("<{tag}>{text} <a href=/{link}.csv>{link}</a><img src={link}></{tag}>"));
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_change_is_read_back(older in html(), newer in html()) {
        assert_read_back(&change(older.as_bytes(), newer.as_bytes(), Variant::Phases));
    }
}

fn stored() -> (Change, Value) {
    let change = change(b"<title>a</title><p>one two", b"<title>b</title><p>one three", Variant::Phases);
    let value = serde_json::to_value(&change).unwrap();
    (change, value)
}

/// The pair of real pages of which `formats` has the change in older formats.
fn pair_of_formats() -> Change {
    let pairs = real_pairs(&data::subset());
    let pair = pairs.iter().find(|pair| pair.name == "rustsec/packages-truetype").unwrap();
    change(&pair.older, &pair.newer, Variant::Phases)
}

#[test]
fn a_change_of_format_3_is_read_and_says_nothing_of_its_options() {
    let stored: Change = serde_json::from_str(include_str!("../formats/change-3.json")).unwrap();
    let mut change = pair_of_formats();
    assert_ne!(stored.read, change.read);
    change.read = Sides::default();
    assert_eq!(stored, change);
    assert_read_back(&stored);
}

#[test]
fn a_change_of_format_2_is_read_without_edits_and_reasons_and_says_so() {
    let stored: Change = serde_json::from_str(include_str!("../formats/change-2.json")).unwrap();
    let change = pair_of_formats();
    assert_eq!((stored.measurement.limits.as_slice(), stored.edits.len()), ([Limit::Edits].as_slice(), 0));
    assert_eq!((stored.importance.why(), &stored.title), (change.importance.why(), &change.title));
    let selectors = |change: &Change| change.regions.iter().map(|it| it.shown().selector.clone()).collect::<Vec<_>>();
    assert_eq!((selectors(&stored), stored.changed), (selectors(&change), change.changed));
    assert_read_back(&stored);
}

#[test]
fn a_change_that_diff_printed_in_format_2_is_read_without_its_edits() {
    let mut printed: Value = serde_json::from_str(include_str!("../formats/change-2.json")).unwrap();
    let stored: Change = serde_json::from_value(printed.clone()).unwrap();
    printed["edits"] = json!([{ "kind": "add", "new": { "words": [0, 1], "span": [0, 3], "text": "one" } }]);
    assert_eq!(serde_json::from_value::<Change>(printed).unwrap(), stored);
}

#[test]
fn a_change_of_a_newer_driftline_is_refused_with_the_cure() {
    let (_, mut newer) = stored();
    newer["format"] = json!(99);
    let of_other_shape = json!({ "format": 99, "changes": [] });
    for newer in [newer, of_other_shape] {
        let error = serde_json::from_value::<Change>(newer).unwrap_err().to_string();
        assert!(error.contains("format 99") && error.contains("use the newer driftline"), "{error}");
    }
    assert!(
        serde_json::from_value::<Change>(json!({ "format": 1 })).unwrap_err().to_string().contains("compare the pages")
    );
}

#[test]
fn what_is_no_change_is_refused() {
    let refused = |alter: fn(&mut Value)| {
        let (_, mut value) = stored();
        alter(&mut value);
        serde_json::from_value::<Change>(value).unwrap_err().to_string()
    };
    assert!(refused(|it| it["degree"]["ied"] = json!(1.5)).contains("a degree is from 0 to 1"));
    assert!(refused(|it| it["limits"] = json!(["moon"])).contains("`moon`"));
    assert!(refused(|it| it["edits"][0]["new"] = json!([9, 3])).contains("end before they begin"));
    let no_place = refused(|it| (it["regions"][0]["old"], it["regions"][0]["new"]) = (Value::Null, Value::Null));
    assert!(no_place.contains("neither an old place nor a new one"), "{no_place}");
    let half_replacement = refused(|it| it["edits"][0]["old"] = Value::Null);
    assert!(half_replacement.contains("an edit `replace`"), "{half_replacement}");
    let added_with_old_place = refused(|it| it["regions"][0]["kind"] = json!("added"));
    assert!(added_with_old_place.contains("a region that is added"), "{added_with_old_place}");
    let selector = refused(|it| it["read"] = json!({ "old": { "zone": ["li..x"] }, "new": {} }));
    assert!(selector.contains("cannot read the selector `li..`"), "{selector}");
    assert!(refused(|it| it["compared"] = json!({ "copy_cost": 7 })).contains("the cost of a copy"));
    assert!(refused(|it| it["compared"] = json!({ "weights": [1, 1, 1] })).contains("must sum to 1"));
}
