//! What each recipe makes. A result that differs here needs a recipe with a higher number, or old values stay as they
//! are in every archive.

use driftline::change::Sides;
use serde_json::{Value, json};

use super::*;

const OLDER: &str = "<html><head><title>News</title></head><body><nav><a href='/about'>About us</a></nav>\
    <main><h1>Spring</h1><p>The river rose by two metres.</p></main></body></html>";
const NEWER: &str = "<html><head><title>News</title></head><body><nav><a href='/about'>About us</a></nav>\
    <main><h1>Spring</h1><p>The river fell by three metres.</p><p><a href='more?a=b'>Read on</a></p></main></body></html>";

fn source(html: &str) -> Source<'_> {
    Source { bytes: html.as_bytes(), content_type: Some("text/html"), url: Some("http://example.org/news/") }
}

fn made(kind: Kind, html: &str) -> Vec<u8> {
    let deriver = Deriver::default();
    unpack(&deriver.value(kind, &deriver.read(source(html))).unwrap()).unwrap()
}

fn hash(bytes: &[u8]) -> u64 {
    // FNV-1a: the same on every machine and for ever.
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn text_is_what_recipe_1_makes() {
    assert_eq!(Recipe::TEXT, 1);
    let text = String::from_utf8(made(Kind::Text, NEWER)).unwrap();
    assert_eq!(text, "About us\nSpring\nThe river fell by three metres.\nRead on\n");
}

#[test]
fn links_are_what_recipe_1_makes() {
    assert_eq!(Recipe::LINKS, 1);
    let links: Value = serde_json::from_slice(&made(Kind::Links, NEWER)).unwrap();
    let about = json!({ "url": "http://example.org/about", "kind": "anchor", "text": "About us" });
    let more = json!({ "url": "http://example.org/news/more?a=b", "kind": "anchor", "text": "Read on" });
    assert_eq!(links, json!([about, more]));
}

#[test]
fn the_template_is_what_recipe_1_makes() {
    assert_eq!(Recipe::TEMPLATE, 1);
    let template = made(Kind::Template, NEWER);
    let parsed: Value = serde_json::from_slice(&template).unwrap();
    assert_eq!(parsed["shingles"].as_array().map(Vec::len), Some(17));
    assert_eq!(hash(&template), 15_762_031_012_296_726_166);
}

#[test]
fn a_change_is_what_recipe_3_makes() {
    assert_eq!(Recipe::CHANGE, 3);
    let mut deriver = Deriver::default();
    let [older, newer] = [OLDER, NEWER].map(|html| deriver.read(source(html)));
    let found = deriver.change(&older, &newer);
    let change = row(Sides { older: 1, newer: 2 }, found.as_ref());
    assert_eq!(change.body["operations"]["replace"], 2);
    assert_eq!(change.body["degree"]["ied"], json!(change.degree));
    assert_eq!(change.body["importance"], json!(change.importance));
    // The golden value: all of it, and its two numbers in plain sight.
    assert_eq!((change.degree, change.importance), (4.0 / 11.0, Some(0.55)));
    assert_eq!(hash(change.body.to_string().as_bytes()), 9_541_387_805_231_716_120, "{:#}", change.body);
}

#[test]
fn what_is_no_text_has_empty_values_and_changes_wholly() {
    let mut deriver = Deriver::default();
    let picture = Source { bytes: b"\x89PNG\r\n\x1a\n", content_type: Some("image/png"), url: None };
    let unknown = Source { bytes: b"GIF89a\0\0", content_type: Some("application/octet-stream"), url: None };
    let page = Source { bytes: b"<p>plain", content_type: None, url: None };
    let [picture, unknown, page] = [picture, unknown, page].map(|source| deriver.read(source));
    assert!(matches!(picture, Reading::Opaque) && matches!(unknown, Reading::Opaque));
    assert!(matches!(page, Reading::Page(_)));
    for kind in Kind::OF_ONE {
        assert_eq!(unpack(&deriver.value(kind, &picture).unwrap()).unwrap(), b"");
    }
    assert_eq!(deriver.value(Kind::Change, &page), None);
    assert_eq!(deriver.change(&picture, &page), None);
}

#[test]
fn a_damaged_value_is_told() {
    assert!(unpack(b"nonsense").is_err());
    let packed = Deriver::default().value(Kind::Text, &Deriver::default().read(source(NEWER))).unwrap();
    assert!(unpack(&packed[..packed.len() - 3]).is_err());
}
