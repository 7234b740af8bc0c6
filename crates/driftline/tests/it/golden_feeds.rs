//! The mapping of Artail and Fawaz (rules F1 to F5) against an independent implementation, from
//! items and from whole feeds.

use driftline::feed::artail::{self, Mapping};
use driftline::feed::{Feed, Item};
use driftline::page::ReadOptions;
use serde_json::{Value, json};

fn items(feed: &Value) -> Vec<Item> {
    let field = |item: &Value, name: &str| item[name].as_str().unwrap().to_owned();
    feed.as_array().unwrap().iter().map(|item| Item::new(field(item, "title"), field(item, "description"))).collect()
}

/// The mapping as the golden cases have it, numbers rounded to 12 decimals.
fn rounded(mapping: &Mapping) -> Value {
    let rows = mapping.map.iter().map(|row| {
        let similarity = row.similarity.map(|cs| (cs * 1e12).round() / 1e12);
        json!({ "i": row.older, "j": row.newer, "cs": similarity, "cls": row.class })
    });
    json!({ "map": rows.collect::<Vec<_>>(), "added": mapping.added })
}

#[test]
fn the_mapping_of_items_is_that_of_artail_and_fawaz() {
    let golden: Value = serde_json::from_str(include_str!("../golden/feeds.json")).unwrap();
    let (mut cases, mut feeds) = (0, 0);
    for case in golden["cases"].as_array().unwrap() {
        let (older, newer) = (items(&case["feed1"]), items(&case["feed2"]));
        assert_eq!(rounded(&artail::map_items(&older, &newer)), case["expect"], "{}", case["id"]);
        cases += 1;
        if let (Some(older), Some(newer)) = (case["xml1"].as_str(), case["xml2"].as_str()) {
            let [older, newer] = [older, newer].map(|xml| Feed::read(xml, &ReadOptions::default()));
            assert!(!older.is_broken && !newer.is_broken, "{}", case["id"]);
            assert_eq!(rounded(&artail::map(&older, &newer)), case["expect"], "{} as XML", case["id"]);
            feeds += 1;
        }
    }
    assert!(cases >= 32 && feeds >= 8, "only {cases} cases, {feeds} of them with XML");
}

#[test]
fn a_mapping_is_written_as_documented() {
    let older = [Item::new("a b", "x"), Item::new("gone", "away")];
    let newer = [Item::new("new", "thing"), Item::new("a c", "x")];
    let mapping = serde_json::to_value(artail::map_items(&older, &newer)).unwrap();
    let kept = json!({ "old": 0, "new": 1, "similarity": -1.0 + 2.0 * (0.3 / 3.0 + 0.7), "class": "modified" });
    let gone = json!({ "old": 1, "new": 0, "similarity": -1.0, "class": "removed" });
    assert_eq!(mapping, json!({ "map": [kept, gone], "added": [0] }));
}

#[test]
fn a_similarity_of_exactly_zero_is_modified() {
    // Same title, two of seven words: 0.3 + 0.7 * 2/7 = 1/2. Another title, five of seven: the same.
    for (newer, older) in [
        (Item::new("t", "a b c d"), Item::new("t", "a b x y z")),
        (Item::new("t", "a b c d e f"), Item::new("u", "a b c d e g")),
    ] {
        let mapping = artail::map_items(&[older], &[newer]);
        assert_eq!(rounded(&mapping)["map"][0], json!({ "i": 0, "j": 0, "cs": 0.0, "cls": "modified" }));
    }
}
