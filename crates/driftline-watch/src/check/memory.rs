//! What need not be asked again? Where watches stood after their last checks, and the versions that the next ones are
//! compared with, as far as there is room: that saves a check most of its look-ups, which take longer than comparing.
//!
//! Whoever watches holds the lock of the data directory, so nobody else checks its watches. They can be taken away and
//! put back meanwhile, which begins them anew: with the files, what is remembered of states is dropped. A check that
//! fails leaves nothing here, and the next one asks the catalog.

use std::sync::Arc;

use driftline::time::Time;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::State;
use super::versions::Version;

/// So many bytes of states are remembered, and of versions.
const STATES: u64 = 16 << 20;
const VERSIONS: u64 = 32 << 20;
/// So many of each, at a guess, fit there.
const MANY_STATES: usize = 16_000;
const MANY_VERSIONS: usize = 2_000;
/// A longer version is read from the archive each time.
const LONGEST: usize = 256 << 10;
/// What a state or a version takes, at a guess, besides what is counted.
const LEAST: usize = 1_000;

/// What is remembered between checks.
#[derive(Debug)]
pub struct Memory {
    /// By watch.
    states: Cache<Arc<str>, Arc<Known>, Weight>,
    /// By capture.
    versions: Cache<i64, Version, Weight>,
}

/// Where a watch stands.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// When it was checked last.
    pub(super) checked: Option<Time>,
    pub(super) state: State,
}

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<Arc<str>, Arc<Known>> for Weight {
    fn weight(&self, _: &Arc<str>, known: &Arc<Known>) -> u64 {
        let lists = known.state.waiting.iter().chain(known.state.missing.iter().map(|(url, _)| url));
        let lists: usize = lists.map(|url| url.len() + size_of::<String>()).sum();
        (LEAST + lists) as u64
    }
}

impl Weighter<i64, Version> for Weight {
    fn weight(&self, _: &i64, version: &Version) -> u64 {
        (LEAST + version.body.len()) as u64
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            states: Cache::with_weighter(MANY_STATES, STATES, Weight),
            versions: Cache::with_weighter(MANY_VERSIONS, VERSIONS, Weight),
        }
    }
}

impl Memory {
    /// Where a watch stands, if that is remembered.
    pub(super) fn state(&self, watch: &str) -> Option<Arc<Known>> {
        self.states.get(watch)
    }

    pub(super) fn keep_state(&self, watch: &Arc<str>, known: Known) {
        self.states.insert(Arc::clone(watch), Arc::new(known));
    }

    /// The version of a capture, if it is remembered.
    pub(super) fn version(&self, capture: i64) -> Option<Version> {
        self.versions.get(&capture)
    }

    pub(super) fn keep_version(&self, version: &Version) {
        if version.body.len() <= LONGEST {
            self.versions.insert(version.seen.capture, version.clone());
        }
    }

    /// Nothing will be compared with the version of this capture any more.
    pub(super) fn forget_version(&self, capture: i64) {
        self.versions.remove(&capture);
    }

    /// What is known of the watch may be wrong.
    pub(super) fn forget(&self, watch: &str) {
        self.states.remove(watch);
    }

    /// Where watches stand may have been altered by somebody else.
    pub fn forget_states(&self) {
        self.states.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Seen;
    use super::*;

    fn version(capture: i64, bytes: usize) -> Version {
        let seen = Seen { capture, url: String::new(), at: Time::from_microseconds(0), digest: String::new() };
        Version { seen, body: Arc::new(vec![0; bytes]), content_type: None, is_cut: false }
    }

    #[test]
    fn no_more_is_remembered_than_there_is_room_for() {
        let memory = Memory::default();
        (0..1_000).for_each(|capture| memory.keep_version(&version(capture, 100_000)));
        let kept: usize = (0..1_000).filter_map(|capture| memory.version(capture)).map(|it| it.body.len()).sum();
        assert!((VERSIONS / 2..=VERSIONS).contains(&(kept as u64)), "{kept}");
        (0..100_000).for_each(|watch| memory.keep_state(&watch.to_string().into(), Known::default()));
        let kept = (0..100_000).filter(|watch| memory.state(&watch.to_string()).is_some()).count();
        assert!((8_000..=17_000).contains(&kept), "{kept}");
    }

    #[test]
    fn a_state_with_long_lists_weighs_more() {
        let missing = vec![("http://a.example/".to_owned(), Time::from_microseconds(0)); 1_000];
        let known = Arc::new(Known { state: State { missing, ..State::default() }, ..Known::default() });
        assert!(Weight.weight(&"".into(), &known) > 17_000);
    }

    #[test]
    fn a_long_version_is_left_to_the_archive() {
        let memory = Memory::default();
        memory.keep_version(&version(1, LONGEST + 1));
        memory.keep_version(&version(2, LONGEST));
        assert!(memory.version(1).is_none() && memory.version(2).is_some());
        memory.forget_version(2);
        assert!(memory.version(2).is_none());
    }
}
