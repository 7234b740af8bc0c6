//! Any two pages, highlighted: what is shown of them holds nothing that runs, and nothing that would be fetched.
//!
//! The first byte chooses how they are read; the rest is parted at the first `0xff`. The result is read by a parser that is
//! not driftline's, once as browsers with scripts do and once as the sandboxed frames of the page are.

use std::collections::HashMap;

use cssparser::{ParseError, Parser, Token};
use driftline::change::Sides;
use driftline::compare::Comparer;
use driftline::page::{BodyKind, Limits, Page, ReadOptions, Source};
use driftline_report::view::{self, Comparison, Original};
use scraper::node::Element;
use scraper::{Html, Node};

use crate::halves;

/// Elements that run or load something, or lead all links elsewhere.
const ACTING: [&str; 12] = [
    "script",
    "iframe",
    "frame",
    "object",
    "embed",
    "applet",
    "link",
    "animate",
    "set",
    "animatetransform",
    "animatemotion",
    "template",
];
/// Attributes that hold an address.
const ADDRESSES: [&str; 12] = [
    "href",
    "src",
    "srcset",
    "action",
    "formaction",
    "background",
    "poster",
    "data",
    "cite",
    "longdesc",
    "manifest",
    "ping",
];
/// Rules deeper than those that are shown are not looked at.
const MOST_NESTING: usize = 60;
/// Policies, and what else the frame itself has in its head.
const METAS: usize = 4;

/// One run.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    let (older, newer) = halves(rest);
    let limits = if choice & 1 == 0 { Limits::DEFAULT } else { Limits { bytes: 200, nodes: 20, depth: 5 } };
    let kind = [None, Some(BodyKind::Html), Some(BodyKind::Xml), Some(BodyKind::Text)][usize::from(choice >> 1) % 4];
    let options = ReadOptions { limits, kind, ..ReadOptions::default() };
    let pages = Sides { older: Page::read(older, &options), newer: Page::read(newer, &options) };
    let change = Comparer::default().compare(&pages.older, &pages.newer);
    let names = Sides { older: "old", newer: "new" };
    let comparison = Comparison { names, pages: Sides { older: &pages.older, newer: &pages.newer }, change: &change };
    // A style sheet beside the page, which is as strange as the page is.
    let sheets = HashMap::from([("a.css".to_owned(), String::from_utf8_lossy(newer).into_owned())]);
    let original = |bytes| Original { source: Source::from(bytes), options: &options, sheets: &sheets };
    let shown = view::html(&comparison, Sides { older: original(older), newer: original(newer) });
    let page = Html::parse_document(&shown);
    let frames: Vec<&str> = elements(&page).filter_map(|element| element.attr("srcdoc")).collect();
    let scripts = elements(&page).filter(|element| element.name() == "script").count();
    assert_eq!(scripts, 1, "the page around the versions has its own script");
    let all = elements(&page).filter(|element| element.name() == "iframe");
    assert!(all.clone().all(|frame| frame.attr("sandbox") == Some("allow-same-origin")));
    assert!(all.count() == frames.len() && (frames.is_empty() || frames.len() == 2));
    elements(&page).flat_map(Element::attrs).for_each(|(name, value)| attribute(name, value));
    for frame in frames {
        dead(&Html::parse_document(frame), frame);
        // Without scripts `noscript` is an element like others.
        dead(&Html::parse_document(&frame.replace("noscript", "span")), frame);
        no_scripts_in(&Page::read(frame, &ReadOptions { kind: Some(BodyKind::Html), ..ReadOptions::default() }), frame);
    }
}

fn elements(page: &Html) -> impl Iterator<Item = &Element> + Clone {
    page.tree.nodes().filter_map(|node| node.value().as_element())
}

/// Nothing of a version runs, loads anything or leads anywhere.
fn dead(page: &Html, source: &str) {
    for element in elements(page) {
        assert!(!ACTING.contains(&element.name().to_ascii_lowercase().as_str()), "{} in {source}", element.name());
        element.attrs().for_each(|(name, value)| attribute(name, value));
    }
    for (name, most) in [("meta", METAS), ("base", 1)] {
        assert!(elements(page).filter(|element| element.name() == name).count() <= most, "{name} in {source}");
    }
    for node in page.tree.nodes().filter(|node| matches!(node.value(), Node::Element(own) if own.name() == "style")) {
        let rules: String = node.children().filter_map(|child| child.value().as_text().map(|text| &**text)).collect();
        no_address(&rules);
    }
}

/// The same by driftline's parser, which reads as a browser without scripts does.
fn no_scripts_in(page: &Page, source: &str) {
    for node in page.node_ids() {
        assert!(!ACTING.contains(&page.tag(node)), "{} in {source}", page.tag(node));
        page.attributes(node).for_each(|(name, value)| attribute(name, value));
    }
}

/// An attribute neither runs nor loads.
fn attribute(name: &str, value: &str) {
    let name = name.strip_prefix("xlink:").unwrap_or(name).to_ascii_lowercase();
    assert!(!name.starts_with("on"), "{name}={value:?}");
    if name == "style" {
        no_address(value);
    }
    let address = value.trim_start().to_ascii_lowercase();
    let is_here = ["#", "about:srcdoc", "data:image/", "data:font/"].iter().any(|start| address.starts_with(start));
    assert!(!ADDRESSES.contains(&name.as_str()) || is_here, "{name}={value:?}");
}

/// No rule has an address of something to be fetched.
fn no_address(rules: &str) {
    walk(&mut Parser::new(rules), 0);
}

fn walk(input: &mut Parser<'_>, depth: usize) {
    while let Ok(token) = input.next().cloned() {
        match token {
            Token::UnquotedUrl(address) => harmless(&address),
            Token::AtKeyword(name) => assert!(!name.eq_ignore_ascii_case("import"), "an import"),
            Token::Function(name) if name.eq_ignore_ascii_case("url") => {
                let _: Result<(), ParseError<()>> = input.parse_nested_block(|input| {
                    if let Ok(Token::QuotedString(address)) = input.next().cloned() {
                        harmless(&address);
                    }
                    Ok(())
                });
            }
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock
                if depth < MOST_NESTING =>
            {
                let _: Result<(), ParseError<()>> = input.parse_nested_block(|input| {
                    walk(input, depth + 1);
                    Ok(())
                });
            }
            _ => {}
        }
    }
}

fn harmless(address: &str) {
    let address = address.trim_start().to_ascii_lowercase();
    assert!(address.starts_with('#') || address.starts_with("data:"), "{address}");
}
