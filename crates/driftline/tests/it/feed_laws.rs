//! What holds for any two feeds.

use std::collections::{BTreeSet, HashSet};

use driftline::compare::Comparer;
use driftline::feed::artail::{self, Class};
use driftline::feed::compare::{FeedChange, compare};
use driftline::feed::{Feed, Item};
use driftline::page::ReadOptions;
use proptest::prelude::*;

/// Items of few words, guids and links, so that all of them meet again.
fn item() -> impl Strategy<Value = Item> {
    let name = || prop::option::of("[a-d]");
    (name(), name(), "([a-c] ){0,3}", "([a-e] ){0,6}").prop_map(|(guid, link, title, summary)| Item {
        guid,
        link,
        title,
        summary,
        ..Item::default()
    })
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    prop::collection::vec(item(), 0..9)
}

fn feed(items: &[Item]) -> Feed {
    Feed { items: items.to_vec(), ..Feed::default() }
}

fn compared(older: &[Item], newer: &[Item]) -> FeedChange {
    compare(&feed(older), &feed(newer), &ReadOptions::default(), &mut Comparer::default())
}

/// CS as ten times the product of both unions, to compare without rounding.
fn slow_similarity(older: &Item, newer: &Item) -> (i64, i64) {
    let share = |older: &str, newer: &str| {
        let [older, newer] = [older, newer].map(|text| text.split_whitespace().collect::<BTreeSet<_>>());
        if older.is_empty() && newer.is_empty() {
            return (1, 1);
        }
        [older.intersection(&newer).count(), older.union(&newer).count()]
            .map(|count| i64::try_from(count).unwrap())
            .into()
    };
    let (title, titles) = share(&older.title, &newer.title);
    let (text, texts) = share(&older.summary, &newer.summary);
    (2 * (3 * title * texts + 7 * text * titles) - 10 * titles * texts, 10 * titles * texts)
}

proptest! {
    #[test]
    fn the_fast_mapping_is_the_slow_one(older in items(), newer in items()) {
        let mapping = artail::map_items(&older, &newer);
        prop_assert_eq!(mapping.map.len(), older.len());
        for (mapped, older) in mapping.map.iter().zip(&older) {
            let mut best: Option<(usize, (i64, i64))> = None;
            for (at, newer) in newer.iter().enumerate() {
                let (cs, unit) = slow_similarity(older, newer);
                if best.is_none_or(|(_, (best, best_unit))| cs * best_unit > best * unit) {
                    best = Some((at, (cs, unit)));
                }
            }
            prop_assert_eq!(mapped.newer, best.map(|(at, _)| at));
            let class = match best {
                Some((_, (cs, unit))) if cs == unit => Class::Unmodified,
                Some((_, (cs, _))) if cs >= 0 => Class::Modified,
                _ => Class::Removed,
            };
            prop_assert_eq!(mapped.class, class);
        }
    }

    #[test]
    fn a_feed_has_not_changed_against_itself(items in items()) {
        prop_assert!(compared(&items, &items).is_empty());
    }

    #[test]
    fn every_item_is_told_once(older in items(), newer in items()) {
        let change = compared(&older, &newer);
        let counts = change.counts;
        let listed = |side: fn(&driftline::feed::compare::ItemChange) -> Option<usize>| {
            let places: Vec<usize> = change.items.iter().filter_map(side).collect();
            let distinct: HashSet<usize> = places.iter().copied().collect();
            (places.len(), distinct.len())
        };
        let (in_older, distinct_older) = listed(|item| item.older);
        let (in_newer, distinct_newer) = listed(|item| item.newer);
        prop_assert_eq!((in_older, in_newer), (distinct_older, distinct_newer));
        prop_assert_eq!(in_older + counts.unmodified, older.len());
        prop_assert_eq!(in_newer + counts.unmodified, newer.len());
        prop_assert_eq!(change.items.len() - in_older, counts.added);
        prop_assert_eq!(change.items.len() - in_newer, counts.removed);
    }

    #[test]
    fn going_back_swaps_added_and_removed(older in items(), newer in items()) {
        let (there, back) = (compared(&older, &newer).counts, compared(&newer, &older).counts);
        prop_assert_eq!((there.added, there.removed), (back.removed, back.added));
        prop_assert_eq!((there.modified, there.reordered), (back.modified, back.reordered));
    }

    #[test]
    fn the_order_of_a_feed_is_not_its_content(items in items(), seed in any::<u64>()) {
        let mut shuffled = items.clone();
        let mut state = seed;
        for at in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            shuffled.swap(at, (state >> 33) as usize % (at + 1));
        }
        let counts = compared(&items, &shuffled).counts;
        prop_assert_eq!((counts.added, counts.modified, counts.removed), (0, 0, 0));
    }

    #[test]
    fn any_text_is_some_feed(text in "(<(rss|item|title|feed|entry|/item|link|b)?( version=\"2.0\")?>?|[a-c& ]|<!\\[CDATA\\[|\\]\\]>){0,30}") {
        let text = format!("<rss version='2.0'>{text}");
        let feed = Feed::read(text.as_str(), &ReadOptions::default());
        prop_assert!(feed.items.len() <= text.matches('<').count());
        prop_assert!(compare(&feed, &feed, &ReadOptions::default(), &mut Comparer::default()).is_empty());
    }
}
