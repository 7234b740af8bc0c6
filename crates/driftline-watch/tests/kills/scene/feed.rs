//! A feed with items that come, are altered, and go: most at its end, when their time is over, some before it.

use super::{Chance, Version, marked, plain, words};

/// So many items it has at most.
const MOST_ITEMS: usize = 6;

/// An item: its number, and how often it was altered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) number: u64,
    pub(crate) altered: u64,
}

pub(crate) struct Feed {
    /// How many items there were so far.
    items: u64,
    /// What each version has, the newest item first. A version is known by its place.
    pub(crate) versions: Vec<Vec<Item>>,
}

impl Default for Feed {
    fn default() -> Self {
        let first = (0..3).rev().map(|number| Item { number, altered: 0 }).collect();
        Self { items: 3, versions: vec![first] }
    }
}

impl Feed {
    /// Every other time something has changed. `host` is where its items are.
    pub(crate) fn ask(&mut self, host: &str, chance: &mut Chance) -> Version {
        if chance.one_in(2) {
            let mut items = self.newest().clone();
            match chance.below(6) {
                0 => drop(items.remove(chance.below(items.len()))),
                1 => {
                    let at = chance.below(items.len());
                    items[at].altered += 1;
                }
                _ => {
                    items.insert(0, Item { number: self.items, altered: 0 });
                    self.items += 1;
                    items.truncate(MOST_ITEMS);
                }
            }
            // A feed is never empty.
            if !items.is_empty() {
                self.versions.push(items);
            }
        }
        let number = self.versions.len() as u64 - 1;
        let entries: String = self.newest().iter().map(|item| entry(item, host)).collect();
        let body = format!(
            "<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><title>News</title><id>urn:news</id>\
             <updated>2026-01-01T00:00:00Z</updated>{}{entries}</feed>",
            marked(number)
        );
        Version { number, body }
    }

    fn newest(&self) -> &Vec<Item> {
        self.versions.last().expect("there is a first version")
    }
}

/// The page of an item. It does not change.
pub(crate) fn page(number: u64) -> Version {
    plain(&format!("item {number}"), 0)
}

fn entry(item: &Item, host: &str) -> String {
    let Item { number, altered } = item;
    format!(
        "<entry><id>urn:item:{number}</id><title>Item {number} in state {altered}</title>\
         <link href='{host}/item/{number}'/><summary>{} {}</summary></entry>",
        words("item", *number, 12),
        words("item", number + altered * 1_000, 3)
    )
}
