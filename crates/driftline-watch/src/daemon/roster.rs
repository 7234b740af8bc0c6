//! Who is watched? Each watch has a number for as long as it is there; files that changed move nobody.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use xxhash_rust::xxh3::xxh3_64;

use crate::watches::{Watch, site};

/// All watches by number and by id.
#[derive(Debug, Default)]
pub(super) struct Roster {
    slots: Vec<Option<Watch>>,
    by_id: HashMap<Arc<str>, u32>,
    /// Numbers that are to be had again.
    free: Vec<u32>,
    company: Company,
}

/// What a new list of watches altered.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    /// Those that are new, or checked otherwise than before.
    pub(super) altered: Vec<u32>,
    /// Those that are not there any more. Their numbers are free once [`Roster::forget`] is called.
    pub(super) gone: Vec<u32>,
}

/// How many watches each site has, for whoever asks from another thread.
#[derive(Debug, Clone, Default)]
pub(super) struct Company(Arc<RwLock<HashMap<u64, u32>>>);

impl Roster {
    /// These are the watches from now on.
    pub(super) fn replace(&mut self, watches: impl Iterator<Item = Watch>) -> Difference {
        let mut difference = Difference::default();
        let mut is_here = vec![false; self.slots.len()];
        for watch in watches {
            let slot = match self.by_id.get(&watch.id) {
                Some(slot) => *slot,
                None => self.enter(&watch),
            };
            let place = slot as usize;
            is_here.resize(is_here.len().max(place + 1), false);
            is_here[place] = true;
            let before = self.slots[place].replace(watch);
            let after = self.slots[place].as_ref();
            if before.as_ref() != after {
                difference.altered.push(slot);
            }
            self.company.count(before.as_ref(), after);
        }
        let is_gone = |slot: &u32| !is_here[*slot as usize] && self.slots[*slot as usize].is_some();
        difference.gone = (0..self.slots.len() as u32).filter(is_gone).collect();
        difference
    }

    fn enter(&mut self, watch: &Watch) -> u32 {
        let slot = self.free.pop().unwrap_or(self.slots.len() as u32);
        if slot as usize == self.slots.len() {
            self.slots.push(None);
        }
        self.by_id.insert(Arc::clone(&watch.id), slot);
        slot
    }

    /// The watch is not there any more, and nobody works on it: its number may be given to another.
    pub(super) fn forget(&mut self, slot: u32) {
        if let Some(watch) = self.slots[slot as usize].take() {
            self.by_id.remove(&watch.id);
            self.company.count(Some(&watch), None);
            self.free.push(slot);
        }
    }

    pub(super) fn get(&self, slot: u32) -> Option<&Watch> {
        self.slots.get(slot as usize)?.as_ref()
    }

    pub(super) fn find(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    /// All watches with their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Watch)> {
        (0..).zip(&self.slots).filter_map(|(slot, watch)| Some((slot, watch.as_ref()?)))
    }

    pub(super) fn len(&self) -> usize {
        self.by_id.len()
    }

    pub(super) fn company(&self) -> &Company {
        &self.company
    }
}

impl Company {
    fn count(&self, before: Option<&Watch>, after: Option<&Watch>) {
        let key = |watch: &Watch| xxh3_64(site(&watch.url).as_bytes());
        let (before, after) = (before.map(key), after.map(key));
        if before == after {
            return;
        }
        let mut sites = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(after) = after {
            *sites.entry(after).or_default() += 1;
        }
        if let Some(before) = before
            && let Some(count) = sites.get_mut(&before)
        {
            *count -= 1;
            if *count == 0 {
                sites.remove(&before);
            }
        }
    }

    /// Does a site have more than one watch?
    pub(super) fn is_several(&self, site: &str) -> bool {
        let sites = self.0.read().unwrap_or_else(PoisonError::into_inner);
        sites.get(&xxh3_64(site.as_bytes())).is_some_and(|count| *count > 1)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Roster, Watch};
    use crate::watches::Settings;

    fn watch(id: &str, url: &str) -> Watch {
        Watch { id: id.into(), url: url.into(), name: None, settings: Arc::new(Settings::default()) }
    }

    #[test]
    fn who_stays_keeps_the_number_and_who_alters_is_told() {
        let mut roster = Roster::default();
        let first = roster.replace(["a", "b", "c"].map(|id| watch(id, "http://x.example/")).into_iter());
        assert_eq!((first.altered, first.gone), (vec![0, 1, 2], vec![]));
        let second =
            [watch("c", "http://x.example/"), watch("d", "http://y.example/"), watch("a", "http://z.example/")];
        let second = roster.replace(second.into_iter());
        assert_eq!((second.altered, second.gone), (vec![3, 0], vec![1]));
        assert_eq!((roster.find("c"), roster.find("b"), roster.len()), (Some(2), Some(1), 4));
        roster.forget(1);
        assert_eq!((roster.find("b"), roster.get(1)), (None, None));
        let third = roster.replace([watch("e", "http://y.example/")].into_iter());
        assert_eq!((third.altered, third.gone), (vec![1], vec![0, 2, 3]));
    }

    #[test]
    fn a_site_with_one_watch_is_alone() {
        let mut roster = Roster::default();
        let company = roster.company().clone();
        roster.replace([watch("a", "http://www.x.example/"), watch("b", "http://x.example:8080/b")].into_iter());
        assert!(company.is_several("x.example") && !company.is_several("y.example"));
        roster.replace([watch("a", "http://www.x.example/")].into_iter());
        roster.forget(1);
        assert!(!company.is_several("x.example"));
    }
}
