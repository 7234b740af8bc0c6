//! Zones that survive on real pages: found where they are now, and not found where they were deleted.

use std::collections::HashSet;

use driftline::change::Sides;
use driftline::page::zone::{Selector, Zones};
use driftline::page::{NodeId, Page, ReadOptions, Selectors};
use driftline::region::zone::{Fate, find_again, follow};
use driftline_testkit::data;
use driftline_testkit::pages::{RealPair, real_pairs};

/// A site that got a new layout: the pair, a selector of the old one, and what the same part begins with in the new.
type Redesigned = (&'static str, &'static str, &'static str);

const REDESIGNED: [Redesigned; 7] = [
    ("iwootten/2003", ".posts", "Project - again..."),
    ("iwootten/2005-06-19-wine-and-beaches", ".post", "Sunday’s morning events"),
    ("futurecreator/tags-security", ".main-body-content", "Posted\u{a0}2018/07/13Cloud"),
    ("sankame/blog-2013-09-23-php-debug-bar-install", "#content", "0.環境\n[CentOS]"),
    ("ota-lecab/privacy-policy", ".elementor-col-100 .elementor-widget-wrap", "Résumé\nLeCab ne recueille"),
    ("flink-apache-org/content", ".navbar-main", "About\nArchitecture"),
    ("numpy-org/index", "#getting-started", ""), // Its text was written anew: lost.
];

#[test]
fn zones_of_redesigned_sites_are_found_again() {
    let pairs = real_pairs(&data::subset());
    let is_there = |site: &&Redesigned| pairs.iter().any(|pair| pair.name == site.0);
    let there: Vec<Redesigned> = REDESIGNED.iter().filter(is_there).copied().collect();
    assert_eq!(there.len(), 1);
    assert_found_again(&pairs, &there);
}

#[test]
#[ignore = "needs the shared data"]
fn zones_of_redesigned_sites_are_found_again_on_the_shared_data() {
    assert_found_again(&real_pairs(&data::shared()), &REDESIGNED);
}

fn assert_found_again(pairs: &[RealPair], redesigned: &[Redesigned]) {
    for (name, selector, start) in redesigned {
        let selector = Selector::parse(selector).unwrap();
        let options =
            ReadOptions { zones: Zones { include: vec![selector], ignore: Vec::new() }, ..ReadOptions::default() };
        let matches = |bytes: &[u8]| Page::read(bytes, &options).zone_matches() == Some(1);
        let is_rebuilt = |pair: &&RealPair| pair.name == *name && matches(&pair.older) && !matches(&pair.newer);
        let pair = pairs.iter().find(is_rebuilt).unwrap_or_else(|| panic!("{name}"));
        let sources = Sides { older: (&pair.older[..]).into(), newer: (&pair.newer[..]).into() };
        let followed = follow(sources, Sides { older: &options, newer: &options });
        match &followed.zones[0].fate {
            Fate::Moved { certainty, .. } if !start.is_empty() => assert!((0.3..1.0).contains(certainty), "{name}"),
            Fate::Lost if start.is_empty() => continue,
            other => panic!("{name}: {other:?}"),
        }
        assert!(followed.newer.text().starts_with(start), "{name}: {}", followed.newer.text());
    }
}

/// The page with its ids and classes renamed and a wrapper around each `div`.
fn rebuilt(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.replace("class=\"", "class=\"new-").replace("id=\"", "id=\"new-");
    text.replace("<div", "<section><div").replace("</div>", "</div></section>").into_bytes()
}

/// Blocks of a page that somebody might watch.
fn blocks(page: &Page) -> Vec<NodeId> {
    let is_block = |node: &NodeId| {
        let words = page.nodes()[node.index()].words.range().len();
        let is_place = matches!(page.tag(*node), "div" | "ul" | "table" | "article" | "main" | "section" | "nav");
        is_place && words >= 15 && words * 2 < page.word_count()
    };
    let blocks: Vec<_> = page.node_ids().filter(is_block).collect();
    blocks.iter().copied().step_by(1 + blocks.len() / 3).collect()
}

fn likeness(older: &str, newer: &str) -> f64 {
    let [older, newer] = [older, newer].map(|text| text.split_whitespace().collect::<HashSet<_>>());
    older.intersection(&newer).count() as f64 / older.union(&newer).count().max(1) as f64
}

#[test]
fn rebuilt_pages_keep_their_zones_and_deleted_zones_are_not_found() {
    assert_eq!(rebuilt_zones(&real_pairs(&data::subset())), (52, 52));
}

#[test]
#[ignore = "needs the shared data"]
fn rebuilt_pages_keep_their_zones_and_deleted_zones_are_not_found_on_the_shared_data() {
    let (right, all) = rebuilt_zones(real_pairs(&data::shared()).iter().step_by(11));
    assert!(right * 10 >= all * 9, "{right} of {all}");
}

/// The number of zones that were found again on rebuilt pages, and of all zones; none that was deleted is found.
fn rebuilt_zones<'a>(pairs: impl IntoIterator<Item = &'a RealPair>) -> (usize, usize) {
    let options = ReadOptions::default();
    let (mut right, mut all) = (0, 0);
    for pair in pairs {
        let older = Page::read(&pair.older[..], &options);
        let selectors = Selectors::of(&older);
        for node in blocks(&older) {
            let selector = Selector::parse(&selectors.selector(node)).unwrap();
            let (newer, found) = Page::read_and_find(&pair.newer[..], &options, std::slice::from_ref(&selector));
            let [truth] = found[0][..] else { continue };
            if likeness(older.text_of(node), newer.text_of(truth)) < 0.3 {
                continue;
            }
            all += 1;
            let built = Page::read(&rebuilt(&pair.newer)[..], &options);
            let found = find_again(&older, node, &built);
            let is_right = |node: NodeId| built.text_of(node).trim() == newer.text_of(truth).trim();
            right += usize::from(found.is_some_and(|found| is_right(found.node)));
            let zones = Zones { include: Vec::new(), ignore: vec![selector.clone()] };
            let without = Page::read(&pair.newer[..], &ReadOptions { zones, ..ReadOptions::default() });
            // The same item may stand elsewhere in a list: then its selector was of another one.
            let is_other = |found: &NodeId| without.text_of(*found).trim() != older.text_of(node).trim();
            let found = find_again(&older, node, &without).map(|found| found.node).filter(is_other);
            assert!(found.is_none(), "{}: `{selector}` was deleted, and found as {found:?}", pair.name);
        }
    }
    (right, all)
}
