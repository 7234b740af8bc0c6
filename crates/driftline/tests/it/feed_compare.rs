//! What happened to items, on small feeds and on real ones.

use std::collections::HashSet;

use driftline::compare::Comparer;
use driftline::feed::compare::{Counts, FeedChange, ItemChange, ItemKind, MatchedBy, Part, compare};
use driftline::feed::{Feed, Item};
use driftline::page::{Normaliser, ReadOptions};
use driftline_testkit::data;
use driftline_testkit::pages::{RealPair, real_feed_pairs};

fn feed(items: &[Item]) -> Feed {
    Feed { items: items.to_vec(), ..Feed::default() }
}

fn compared(older: &[Item], newer: &[Item]) -> FeedChange {
    compare(&feed(older), &feed(newer), &ReadOptions::default(), &mut Comparer::default())
}

/// An item with a guid and a link of its own.
fn item(name: &str, text: &str) -> Item {
    let link = Some(format!("https://x.example/{name}"));
    Item { guid: Some(name.to_owned()), link, ..Item::new(format!("Title of {name}"), text) }
}

fn told(change: &FeedChange) -> Vec<(ItemKind, Option<usize>, Option<usize>)> {
    change.items.iter().map(|item| (item.kind, item.older, item.newer)).collect()
}

#[test]
fn a_feed_that_rolls_on_has_nothing_reordered() {
    let older = [item("c", "3"), item("b", "2"), item("a", "1")];
    let newer = [item("d", "4"), item("c", "3"), item("b", "2")];
    let change = compared(&older, &newer);
    assert_eq!(told(&change), [(ItemKind::Added, None, Some(0)), (ItemKind::Removed, Some(2), None)]);
    assert_eq!(change.counts, Counts { added: 1, removed: 1, unmodified: 2, ..Counts::default() });
}

#[test]
fn a_modified_item_tells_its_words() {
    let change = compared(&[item("a", "Open from nine to five.")], &[item("a", "Open from nine to six.")]);
    let [modified] = change.items.as_slice() else { panic!("{change:?}") };
    assert_eq!((modified.kind, modified.matched), (ItemKind::Modified, Some(MatchedBy::Guid)));
    assert_eq!(modified.differs, [Part::Text]);
    let words = modified.words.as_ref().unwrap();
    assert_eq!((words.operations.replace, words.degree.get()), (1, 1.0 / 8.0));
    assert!((words.similarity - (-1.0 + 2.0 * (0.3 + 0.7 * 4.0 / 6.0))).abs() < 1e-12);
    let json = serde_json::to_value(modified).unwrap();
    assert_eq!(
        (&json["kind"], &json["old"], &json["operations"]["replace"]),
        (&"modified".into(), &0.into(), &1.into())
    );
}

#[test]
fn a_guid_that_is_given_to_something_else_is_a_modified_item() {
    let change =
        compared(&[item("a", "All about whales")], &[Item { guid: Some("a".into()), ..Item::new("Tax", "forms") }]);
    assert_eq!(told(&change), [(ItemKind::Modified, Some(0), Some(0))]);
}

#[test]
fn a_link_is_enough_unless_all_items_have_it() {
    let linked = |link: &str, text: &str| Item { link: Some(link.into()), ..Item::new("", text) };
    let change = compared(&[linked("/1", "one")], &[linked("/1", "quite another")]);
    assert_eq!(change.items[0].matched, Some(MatchedBy::Link));
    let older = [linked("/", "one apple a day"), linked("/", "two pears at night")];
    let newer = [linked("/", "three figs"), linked("/", "one apple a day"), linked("/", "two pears a night")];
    let change = compared(&older, &newer);
    assert_eq!(told(&change), [(ItemKind::Added, None, Some(0)), (ItemKind::Modified, Some(1), Some(2))]);
    assert_eq!(change.items[1].matched, Some(MatchedBy::Similarity));
}

#[test]
fn items_without_descriptions_are_not_alike_for_that() {
    let change = compared(&[Item::new("Whales return", "")], &[Item::new("New tax forms", "")]);
    assert_eq!(told(&change), [(ItemKind::Added, None, Some(0)), (ItemKind::Removed, Some(0), None)]);
    let change = compared(&[Item::new("The whales return", "")], &[Item::new("The whales return early", "")]);
    assert_eq!(told(&change), [(ItemKind::Modified, Some(0), Some(0))]);
}

#[test]
fn an_item_that_jumps_is_the_only_one_reordered() {
    let older = [item("a", "1"), item("b", "2"), item("c", "3"), item("d", "4")];
    let newer = [item("d", "4"), item("a", "1"), item("b", "2"), item("c", "5")];
    let change = compared(&older, &newer);
    assert_eq!(told(&change), [(ItemKind::Reordered, Some(3), Some(0)), (ItemKind::Modified, Some(2), Some(3))]);
    assert_eq!(change.counts, Counts { modified: 1, reordered: 1, unmodified: 2, ..Counts::default() });
}

#[test]
fn duplicate_guids_are_paired_one_to_one() {
    let twin = |text: &str| Item { guid: Some("same".into()), ..Item::new("t", text) };
    let older = [twin("one apple"), twin("two pears"), twin("two pears")];
    let newer = [twin("two pears"), twin("one apple"), twin("three figs")];
    let change = compared(&older, &newer);
    assert_eq!(change.counts, Counts { modified: 1, reordered: 1, unmodified: 1, ..Counts::default() });
    assert!(compared(&older, &older).is_empty());
}

#[test]
fn other_markup_and_another_link_are_told_and_dates_are_not() {
    let base = item("a", "<p>Read <a href='/x'>this</a></p>");
    let other = |change: fn(&mut Item)| {
        let mut item = base.clone();
        change(&mut item);
        compared(std::slice::from_ref(&base), &[item]).items.first().map(|item| item.differs.clone())
    };
    assert_eq!(other(|item| item.summary = item.summary.replace("/x", "/y")), Some(vec![Part::Markup]));
    assert_eq!(other(|item| item.content.push_str("<b>more</b>")), Some(vec![Part::Text, Part::Markup]));
    assert_eq!(other(|item| item.link = Some("/b".into())), Some(vec![Part::Link]));
    assert_eq!(other(|item| item.title.push_str(" today")), Some(vec![Part::Title]));
    assert_eq!(other(|item| item.content.push_str("more")), Some(vec![Part::Text]));
    assert_eq!(other(|item| item.published = Some("2024-01-01".into())), None);
    assert_eq!(other(|item| item.summary = item.summary.replace(' ', "  ").replace("  href", " href")), None);
}

#[test]
fn normalised_noise_is_no_change() {
    let options = ReadOptions { normalisers: [Normaliser::Numbers].into_iter().collect(), ..ReadOptions::default() };
    let (older, newer) = (feed(&[item("a", "12 comments")]), feed(&[item("a", "13 comments")]));
    assert!(compare(&older, &newer, &options, &mut Comparer::default()).is_empty());
    assert!(!compare(&older, &newer, &ReadOptions::default(), &mut Comparer::default()).is_empty());
}

/// What identifies an item for a reader who only knows guids and links.
fn key(item: &Item) -> Option<&str> {
    item.guid.as_deref().or(item.link.as_deref())
}

/// The keys of a feed in which every item has one of its own.
fn keys(feed: &Feed) -> Option<HashSet<&str>> {
    let keys: Option<Vec<&str>> = feed.items.iter().map(key).collect();
    let keys = keys?;
    let distinct: HashSet<&str> = keys.iter().copied().collect();
    (distinct.len() == keys.len()).then_some(distinct)
}

#[test]
fn real_feeds_are_read_whole_and_compared_like_their_guids() {
    assert_eq!(compared_like_their_guids(real_feed_pairs(&data::subset())), (13, 13));
}

#[test]
#[ignore = "needs the shared data"]
fn real_feeds_are_read_whole_and_compared_like_their_guids_on_the_shared_data() {
    let (pairs, counted) = compared_like_their_guids(real_feed_pairs(&data::shared()));
    assert!(pairs >= 80 && counted >= 60, "only {pairs} pairs of feeds, {counted} with names");
}

/// The number of pairs, and of those whose items all have a guid or link of their own.
fn compared_like_their_guids(real: Vec<RealPair>) -> (usize, usize) {
    let (mut pairs, mut counted) = (0, 0);
    for RealPair { name, older, newer } in real {
        let feeds = [older, newer].map(|bytes| {
            let feed = Feed::read(bytes.as_slice(), &ReadOptions::default());
            let text = String::from_utf8_lossy(&bytes);
            let starts = ["<item>", "<item ", "<entry>", "<entry "].map(|tag| text.matches(tag).count());
            assert_eq!(feed.items.len(), starts.iter().sum::<usize>(), "{name}");
            assert!(!feed.is_broken, "{name}");
            feed
        });
        let mut comparer = Comparer::default();
        for feed in &feeds {
            assert!(compare(feed, feed, &ReadOptions::default(), &mut comparer).is_empty(), "{name}");
        }
        let change = compare(&feeds[0], &feeds[1], &ReadOptions::default(), &mut comparer);
        pairs += 1;
        if let (Some(before), Some(now)) = (keys(&feeds[0]), keys(&feeds[1])) {
            let (added, removed) = (now.difference(&before).count(), before.difference(&now).count());
            // Items that changed their name and not their words are found again on both sides.
            let is_renamed = |item: &&ItemChange| match (item.older, item.newer) {
                (Some(older), Some(newer)) => key(&feeds[0].items[older]) != key(&feeds[1].items[newer]),
                _ => false,
            };
            let renamed = change.items.iter().filter(is_renamed).count();
            assert_eq!((change.counts.added + renamed, change.counts.removed + renamed), (added, removed), "{name}");
            counted += 1;
        }
    }
    (pairs, counted)
}
