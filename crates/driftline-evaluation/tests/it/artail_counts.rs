//! Artail and Fawaz's numbers of comparisons (rule S9) against an independent implementation, exact.

use driftline::page::{BodyKind, Page, ReadOptions, WordRule};
use driftline_evaluation::regions::counts::Counts;
use serde_json::{Value, json};

fn golden() -> Value {
    serde_json::from_str(include_str!("../../../driftline/tests/golden/structure.json")).unwrap()
}

fn page(html: &Value) -> Page {
    let options = ReadOptions { kind: Some(BodyKind::Html), words: WordRule::Whitespace, ..ReadOptions::default() };
    Page::read(html.as_str().unwrap(), &options)
}

#[test]
fn artail_counts() {
    for case in golden()["cases"].as_array().unwrap() {
        let (older, newer, expect) = (page(&case["page1"]), page(&case["page2"]), &case["expect"]);
        let (id, counts) = (&case["id"], Counts::of(&older, &newer));
        assert_eq!(json!(counts), expect["counts"], "{id}");
        assert_eq!(json!(counts.enhanced_rows), expect["rows_allocated"], "{id}");
        assert_eq!(json!(counts.enhanced_same_tag), expect["same_tag_comparisons"], "{id}");
    }
}
