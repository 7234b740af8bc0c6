//! The law: the selector of an element matches it and nothing else.

use driftline_testkit::pages::real_pairs;
use driftline_testkit::{data, zoo};
use proptest::prelude::*;

use super::*;
use crate::page::tree::Tree;
use crate::page::{BodyKind, Limits, ReadOptions, charset, html, zone};

fn parsed(kind: BodyKind, body: &[u8]) -> Option<Tree> {
    let text = charset::decode(body, None).text;
    match kind {
        BodyKind::Html => Some(html::parse(&text, &Limits::default())),
        BodyKind::Xml => Some(html::parse_xml(&text, &Limits::default())),
        BodyKind::Json | BodyKind::Text => None,
    }
}

/// Holds the law for about `most` elements; deeper than a selector reaches, its ancestor is meant.
fn round_trips(name: &str, kind: Option<BodyKind>, body: &[u8], most: usize) {
    let page = Page::read(body, &ReadOptions { kind, ..ReadOptions::default() });
    let Some(tree) = parsed(page.kind(), body) else { return };
    let selectors = Selectors::of(&page);
    if page.nodes().len() > 3_000 {
        // A debug build of the matcher counts siblings anew for each of them.
        page.node_ids().step_by(100).for_each(|node| drop(selectors.selector(node)));
        return;
    }
    for node in page.node_ids().step_by(1 + page.nodes().len() / most) {
        let text = selectors.selector(node);
        let selector = Selector::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = zone::find(&tree, std::slice::from_ref(&selector)).found.remove(0);
        let is_far = text.matches(" > ").count() >= Selector::MOST_STEPS - 1 || text.len() > Selector::MOST_BYTES - 300;
        let is_right = match found[..] {
            [found] if is_far => selectors.climb(node).any(|around| around == found),
            [found] => found == node,
            _ => false,
        };
        assert!(is_right, "{name}: `{text}` matches {found:?}, not {node:?} at {}", page.path(node));
    }
}

fn written(body: &str) -> Vec<String> {
    let page = Page::read(body, &ReadOptions::default());
    let selectors = Selectors::of(&page);
    page.node_ids().map(|node| selectors.selector(node)).collect()
}

#[test]
fn selectors_read_like_those_of_a_careful_person() {
    let page = "<div id=ember12><nav><a>1</a><a>2</a></nav><main><h1>3</h1><div class='mt-4 x1f9a2'><p>4<p class=intro>5</div>\
        <div><div><ul><li>6<li>7</ul></div></div></main></div><table><tr><td>8</table>";
    let expected = [
        "html",
        "head",
        "body",
        "body > div",
        "nav",
        "nav > a:nth-of-type(1)",
        "nav > a:nth-of-type(2)",
        "main",
        "main > h1",
        "main > div:nth-of-type(1)",
        "main > div:nth-of-type(1) > p:nth-of-type(1)",
        ".intro",
        "main > div:nth-of-type(2)",
        "main > div:nth-of-type(2) > div",
        "main ul",
        "main ul > li:nth-of-type(1)",
        "main ul > li:nth-of-type(2)",
        "table",
        "table > tbody",
        "table > tbody > tr",
        "table > tbody > tr > td",
    ];
    assert_eq!(written(page), expected);
}

#[test]
fn xml_gets_paths_and_names_that_differ_in_case_are_counted() {
    let feed = "<?xml version='1.0'?><rss><channel><item><title>1</title></item><item/><Item/></channel></rss>";
    let expected =
        ["rss", "channel", "channel > :nth-child(1)", "title", "channel > :nth-child(2)", "channel > :nth-child(3)"];
    assert_eq!(written(feed), expected);
}

#[test]
fn the_zoo_round_trips() {
    for (name, body) in zoo::bodies() {
        round_trips(name, Some(BodyKind::Html), &body, 5);
        round_trips(name, Some(BodyKind::Xml), &body, 5);
    }
}

#[test]
fn real_pages_round_trip() {
    for pair in &real_pairs(&data::subset()) {
        round_trips(&pair.name, None, &pair.newer, 12);
    }
}

#[test]
#[ignore = "needs the shared data"]
fn real_pages_round_trip_on_the_shared_data() {
    for pair in real_pairs(&data::shared()).iter().step_by(10) {
        round_trips(&pair.name, None, &pair.newer, 12);
    }
}

/// Markup with few names, so that they repeat, nest and differ in case.
fn markup() -> impl Strategy<Value = String> {
    let start = "<(div|p|main|Item|item|ul|li|h1|table|svg|x:y|a\"b|é)\
        ( id=(news|Top|'a b'|9|x1)| class='(news|price|mt-4)( news| ad)?'| role=main| ID=news){0,2}>";
    let piece = prop_oneof![4 => start, 3 => "</(div|p|main|Item|item|ul|li|svg)>", 1 => "[a-z ]{0,3}"];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_page_round_trips(markup in markup()) {
        round_trips("random", Some(BodyKind::Html), markup.as_bytes(), usize::MAX);
        round_trips("random", Some(BodyKind::Xml), markup.as_bytes(), usize::MAX);
    }
}
