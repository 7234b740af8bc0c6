//! Did an item leave a feed because its time was over? Then it stood at the old end, behind all that are still there.
//!
//! Feeds come from strangers and have up to 10,000 items, all of which may be gone: what is still there is looked up
//! once for all of them.

use std::collections::HashSet;

use driftline::feed::Item;

/// Where the old end of a feed begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Expiry {
    /// The oldest item that is still there, by its place in the older feed.
    oldest: Option<usize>,
    /// Do the oldest items come first?
    is_upside_down: bool,
}

impl Expiry {
    /// Looks at both versions.
    pub(super) fn of(before: &[Item], now: &[Item]) -> Self {
        let there: HashSet<&str> = now.iter().map(name).collect();
        let is_there = |item: &Item| there.contains(name(item));
        let is_upside_down = is_upside_down(before);
        let oldest = if is_upside_down { before.iter().position(is_there) } else { before.iter().rposition(is_there) };
        Self { oldest, is_upside_down }
    }

    /// Is the time over of an item that is gone, by its place in the older feed?
    pub(super) fn is_over(&self, at: usize) -> bool {
        self.oldest.is_none_or(|oldest| if self.is_upside_down { at <= oldest } else { at >= oldest })
    }
}

/// By what an item is known again.
pub(super) fn name(item: &Item) -> &str {
    item.guid.as_deref().or(item.link.as_deref()).unwrap_or(&item.title)
}

/// The oldest items come last, unless dates say otherwise.
fn is_upside_down(items: &[Item]) -> bool {
    let [first, last] = [items.first(), items.last()].map(|item| item.and_then(|item| item.published.as_ref()));
    first.zip(last).is_some_and(|(first, last)| first < last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn items(names: &[u8], days: Option<[u8; 2]>) -> Vec<Item> {
        let mut items: Vec<Item> = names.iter().map(|name| Item::new(name.to_string(), "")).collect();
        let date = |day: u8| Some(format!("2026-01-{day:02}"));
        if let (Some([_, day]), Some(item)) = (days, items.last_mut()) {
            item.published = date(day);
        }
        if let (Some([day, _]), Some(item)) = (days, items.first_mut()) {
            item.published = date(day);
        }
        items
    }

    #[test]
    fn what_stood_behind_all_that_stay_has_expired() {
        let (before, now) = (items(&[5, 4, 3, 2, 1], None), items(&[6, 5, 3], None));
        let expiry = Expiry::of(&before, &now);
        assert_eq!([1, 3, 4].map(|at| expiry.is_over(at)), [false, true, true]);
        assert!(Expiry::of(&before, &[]).is_over(0));
    }

    #[test]
    fn the_old_end_is_the_first_one_if_dates_say_so() {
        let (before, now) = (items(&[1, 2, 3, 4, 5], Some([1, 5])), items(&[3, 5, 6], None));
        let expiry = Expiry::of(&before, &now);
        assert_eq!([0, 1, 3].map(|at| expiry.is_over(at)), [true, true, false]);
    }

    proptest! {
        /// Item by item, as the words say it: no older one is still there.
        #[test]
        fn an_item_has_expired_if_no_older_one_is_still_there(
            before in prop::collection::vec(0_u8..12, 0..12),
            now in prop::collection::vec(0_u8..12, 0..6),
            days in prop::option::of([1_u8..3, 1_u8..3]),
        ) {
            let (before, now) = (items(&before, days), items(&now, None));
            let expiry = Expiry::of(&before, &now);
            for at in 0..before.len() {
                let older = if is_upside_down(&before) { &before[..at] } else { &before[at + 1..] };
                let is_over = !older.iter().any(|item| now.iter().any(|other| other.title == item.title));
                prop_assert_eq!(expiry.is_over(at), is_over);
            }
        }
    }
}
