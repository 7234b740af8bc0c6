//! The node table (rules S1 to S3) and the tag sequence (rule T1) of an independent implementation.

use std::collections::BTreeSet;

use driftline::page::{BodyKind, NodeId, Page, ReadOptions, Tag, WordRule};
use serde_json::{Value, json};

fn page(html: &Value) -> Page {
    let options = ReadOptions { kind: Some(BodyKind::Html), words: WordRule::Whitespace, ..ReadOptions::default() };
    Page::read(html.as_str().unwrap(), &options)
}

/// `[id, tag, type, attributes, words, last]` as the golden cases have it.
fn row(page: &Page, id: NodeId) -> Value {
    let node = page.nodes()[id.index()];
    let words: BTreeSet<_> = page.words().skip(node.words.start as usize).take(node.words.range().len()).collect();
    let attributes = page.attributes(id).count();
    json!([id.0 + 1, page.tag(id), page.path(id), attributes, words.len(), node.last.0 + 1])
}

#[test]
fn the_node_table_is_the_one_of_artail_and_fawaz() {
    let golden: Value = serde_json::from_str(include_str!("../golden/structure.json")).unwrap();
    let mut nodes = 0;
    for case in golden["cases"].as_array().unwrap() {
        let page = page(&case["page1"]);
        let expected = case["expect"]["nodes1"].as_array().map(Vec::as_slice).unwrap_or_default();
        let count = case["expect"]["n1"].as_u64().unwrap() as usize;
        assert_eq!(page.nodes().len(), count, "{}", case["id"]);
        for (id, expected) in page.node_ids().zip(expected) {
            let (mut actual, mut expected) = (row(&page, id), expected.clone());
            if !page.path(id).starts_with("html;body;") {
                // The papers' words are those of the body; the oracle counts the title's at the root.
                actual[4] = Value::Null;
                expected[4] = Value::Null;
            }
            assert_eq!(actual, expected, "{}", case["id"]);
            nodes += 1;
        }
    }
    assert!(nodes > 500, "only {nodes} nodes were compared");
}

#[test]
fn the_tag_sequence_is_gottrons() {
    let golden: Value = serde_json::from_str(include_str!("../golden/ctss.json")).unwrap();
    for case in golden["cases"].as_array().unwrap() {
        for (html, count, first) in [("page1", "tags1", "first_tags1"), ("page2", "tags2", "first_tags2")] {
            let page = page(&case[html]);
            let tags: Vec<String> = page
                .tags()
                .map(|tag| match tag {
                    Tag::Start(name) => page.name(name).to_owned(),
                    Tag::End(name) => format!("/{}", page.name(name)),
                })
                .collect();
            assert_eq!(json!(tags.len()), case["expect"][count], "{}", case["id"]);
            if let Some(first) = case["expect"][first].as_array() {
                assert_eq!(json!(tags[..first.len()]), json!(first), "{}", case["id"]);
            }
        }
    }
}
