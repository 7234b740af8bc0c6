//! What need not be asked again? Where watches stood after their last checks, and the versions that the next ones are
//! compared with, as far as there is room: that saves a check most of its look-ups, which take longer than comparing.
//!
//! Whoever watches holds the [lock](crate::daemon::lock) of the data directory, so nobody else writes where a watch
//! stands. A check that fails leaves nothing here: the next one asks the catalog.

use std::sync::Arc;

use driftline::time::Time;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::State;
use super::versions::Version;

/// So many bytes are remembered.
const ROOM: u64 = 32 << 20;
/// So many watches, at a guess, fit there.
const WATCHES: usize = 4_000;
/// A longer version is read from the archive each time.
const LONGEST: usize = 256 << 10;
/// What a state takes, at a guess, besides what is counted.
const STATE: usize = 1_000;

/// What is remembered of watches between checks.
#[derive(Debug)]
pub struct Memory(Cache<Arc<str>, Arc<Known>, Weight>);

/// What is known of a watch.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// When it was checked last.
    pub(super) checked: Option<Time>,
    pub(super) state: State,
    /// What the next version is compared with.
    pub(super) version: Option<Version>,
}

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<Arc<str>, Arc<Known>> for Weight {
    fn weight(&self, _: &Arc<str>, known: &Arc<Known>) -> u64 {
        let lists = known.state.waiting.iter().chain(known.state.missing.iter().map(|(url, _)| url));
        let lists: usize = lists.map(|url| url.len() + size_of::<String>()).sum();
        let body = known.version.as_ref().map_or(0, |version| version.body.len());
        (STATE + lists + body) as u64
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self(Cache::with_weighter(WATCHES, ROOM, Weight))
    }
}

impl Memory {
    pub(super) fn recall(&self, watch: &str) -> Option<Arc<Known>> {
        self.0.get(watch)
    }

    pub(super) fn keep(&self, watch: &Arc<str>, known: Known) {
        let version = known.version.filter(|version| version.body.len() <= LONGEST);
        self.0.insert(Arc::clone(watch), Arc::new(Known { version, ..known }));
    }

    /// The watch is no more, or what is known of it may be wrong.
    pub fn forget(&self, watch: &str) {
        self.0.remove(watch);
    }
}

#[cfg(test)]
mod tests {
    use driftline::time::Time;

    use super::super::Seen;
    use super::*;

    fn known(bytes: usize) -> Known {
        let seen = Seen { capture: 1, url: String::new(), at: Time::from_microseconds(0), digest: String::new() };
        let version = Version { seen, body: vec![0; bytes].into(), content_type: None, is_cut: false };
        Known { version: Some(version), ..Known::default() }
    }

    #[test]
    fn no_more_is_remembered_than_there_is_room_for() {
        let memory = Memory::default();
        (0..1_000).for_each(|watch| memory.keep(&watch.to_string().into(), known(100_000)));
        let kept: Vec<_> = (0..1_000).filter_map(|watch| memory.recall(&watch.to_string())).collect();
        let bytes: u64 = kept.iter().map(|known| Weight.weight(&"".into(), known)).sum();
        assert!((ROOM / 2..=ROOM).contains(&bytes), "{bytes}");
    }

    #[test]
    fn a_long_version_is_left_to_the_archive() {
        let memory = Memory::default();
        memory.keep(&"a".into(), known(LONGEST + 1));
        assert!(memory.recall("a").unwrap().version.is_none());
        memory.forget("a");
        assert!(memory.recall("a").is_none());
    }
}
