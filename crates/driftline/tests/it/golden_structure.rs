//! Artail and Fawaz, against an independent implementation: their similarities, tables and mapping,
//! exact; and what their detector does not see.

use std::collections::BTreeMap;

use driftline::page::{BodyKind, Page, ReadOptions, WordRule};
use driftline::region::comparison::Options;
use driftline::region::similarity::{Typedist, Weights, attdist, intersect, typedist};
use driftline::region::{AttributeWeights, Subtrees, artail};
use serde_json::{Value, json};

fn golden() -> Value {
    serde_json::from_str(include_str!("../golden/structure.json")).unwrap()
}

/// The numbers of the golden file are rounded to twelve decimals.
#[track_caller]
fn assert_near(actual: f64, expected: &Value, what: &Value) {
    let expected = expected.as_f64().unwrap();
    assert!((actual - expected).abs() < 1e-9, "{actual} is not {expected}: {what}");
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

#[test]
fn artail_typedist_in_both_forms() {
    for unit in golden()["units"]["typedist"].as_array().unwrap() {
        let (older, newer) = (strings(&unit["p"]), strings(&unit["q"]));
        assert_near(typedist(Typedist::Product, &older, &newer), &unit["product_prefix"], unit);
        assert_near(typedist(Typedist::Sum, &older, &newer), &unit["sum_suffix"], unit);
    }
}

#[test]
fn artail_attdist_with_the_default_table() {
    let golden = golden();
    let weights = AttributeWeights::default();
    for (name, weight) in golden["attribute_weights"].as_object().unwrap() {
        assert_eq!(u64::from(weights.of(name)), weight.as_u64().unwrap(), "{name}");
    }
    assert_eq!(u64::from(weights.of("unheard-of")), golden["default_weight"].as_u64().unwrap());
    for unit in golden["units"]["attdist"].as_array().unwrap() {
        let list = |side: &str| -> Vec<(&str, &str)> {
            let map = unit[side].as_object().unwrap();
            map.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap())).collect()
        };
        assert_near(attdist(&list("x"), &list("y"), &weights), &unit["value"], unit);
    }
}

#[test]
fn artail_intersect() {
    for unit in golden()["units"]["intersect"].as_array().unwrap() {
        let mut numbers = BTreeMap::new();
        let mut set = |side: &str| {
            let mut set: Vec<u32> = strings(&unit[side])
                .into_iter()
                .map(|word| {
                    let next = numbers.len() as u32;
                    *numbers.entry(word.to_owned()).or_insert(next)
                })
                .collect();
            set.sort_unstable();
            set.dedup();
            set
        };
        let (older, newer) = (set("x"), set("y"));
        assert_near(intersect(&older, &newer), &unit["value"], unit);
    }
}

fn page(html: &Value) -> Page {
    let read_options =
        ReadOptions { kind: Some(BodyKind::Html), words: WordRule::Whitespace, ..ReadOptions::default() };
    Page::read(html.as_str().unwrap(), &read_options)
}

fn options(case: &Value, typedist: Typedist) -> Options {
    let weight = |name: &str| case[name].as_str().unwrap().parse().unwrap();
    let weights = Weights::new(weight("alpha"), weight("beta"), weight("gamma")).unwrap();
    Options { weights, typedist, ..Options::default() }
}

fn table(page: &Page) -> Value {
    Subtrees::of(page).rows.iter().map(|row| json!([row.mark, row.start.0 + 1, row.end.0 + 1])).collect()
}

#[test]
fn artail_subtree_tables_and_look_up_tables() {
    for case in golden()["cases"].as_array().unwrap() {
        let (older, newer, expect) = (page(&case["page1"]), page(&case["page2"]), &case["expect"]);
        let id = &case["id"];
        assert_eq!(
            (json!(older.nodes().len()), json!(newer.nodes().len())),
            (expect["n1"].clone(), expect["n2"].clone())
        );
        assert_eq!((&table(&older), &table(&newer)), (&expect["subtrees1"], &expect["subtrees2"]), "{id}");
        assert_eq!(json!(Subtrees::of(&newer).by_mark()), expect["lut2"], "{id}");
    }
}

#[test]
fn artail_maps_and_classifies_every_subtree() {
    for case in golden()["cases"].as_array().unwrap() {
        let (older, newer) = (page(&case["page1"]), page(&case["page2"]));
        for (form, typedist) in [("product_prefix", Typedist::Product), ("sum_suffix", Typedist::Sum)] {
            let (id, expect) = (&case["id"], &case["expect"][form]);
            let detection = artail::detect(&older, &newer, &options(case, typedist));
            assert_eq!(json!(detection.changed), expect["paper_changed"], "{id} {form}");
            assert_eq!(json!(detection.unmapped), expect["unmapped2"], "{id} {form}");
            let rows = expect["result"].as_array().unwrap();
            assert_eq!(detection.subtrees.len(), rows.len(), "{id} {form}");
            for (row, expected) in detection.subtrees.iter().zip(rows) {
                let actual = json!([row.row, row.mark, row.matched, row.class]);
                assert_eq!(
                    actual,
                    json!([expected["row"], expected["mark"], expected["match"], expected["cls"]]),
                    "{id} {form}"
                );
                match row.similarity {
                    Some(similarity) => assert_near(similarity, &expected["sim"], id),
                    None => assert_eq!(expected["sim"], Value::Null, "{id}"),
                }
            }
        }
    }
}

/// Section 6: "Other than the above situations, the algorithm will always detect the changes." It
/// does not: these minimal changes are missed with the paper's weights and the form as printed.
#[test]
fn artail_misses_32_of_39_minimal_changes() {
    let golden = golden();
    let blind = |case: &&Value| case["id"].as_str().unwrap().starts_with("blind-");
    let changed = |case: &&Value| case["expect"]["truth"]["any"] == true;
    let cases: Vec<_> = golden["cases"].as_array().unwrap().iter().filter(blind).filter(changed).collect();
    let detects = |case: &Value| {
        artail::detect(&page(&case["page1"]), &page(&case["page2"]), &options(case, Typedist::Product)).changed
    };
    let seen: Vec<_> = cases.iter().filter(|case| detects(case)).map(|case| case["id"].as_str().unwrap()).collect();
    assert_eq!((cases.len(), cases.len() - seen.len()), (39, 32), "it saw only {seen:#?}");
}

/// Section 6 again: three situations are said to be missed, each a root tag that changed. Words in
/// another order are none of them.
#[test]
fn artail_sees_no_order() {
    for (older, newer) in [
        ("<p>from nine to five</p>", "<p>from five to nine</p>"),
        ("<p>one</p><p>two</p>", "<p>two</p><p>one</p>"),
        ("<ul><li>a</li><li>b</li></ul>", "<ul><li>b</li><li>a</li></ul>"),
        ("<p>again</p>", "<p>again again</p>"),
    ] {
        let (older, newer) = (page(&json!(older)), page(&json!(newer)));
        assert!(!artail::detect(&older, &newer, &Options::default()).changed);
    }
}

/// Equation 3 as printed cannot see the last name of a path; its sum can.
#[test]
fn artail_product_form_is_blind_to_the_last_name() {
    let (older, newer) = (["html", "body", "ul"], ["html", "body", "ol"]);
    assert_eq!(typedist(Typedist::Product, &older, &newer), 1.0);
    assert!(typedist(Typedist::Sum, &older, &newer) < 1.0);
}
