//! Which watches cannot be checked at all? Each is counted for itself: the checks of all others, which succeed, must not hide it.

use std::collections::BTreeMap;
use std::sync::Arc;

use driftline::span::Span;

/// Watches whose last checks could not be made: how many in a row, and why. One that succeeds is not here.
#[derive(Debug, Default)]
pub(super) struct Erring(BTreeMap<Arc<str>, (u32, String)>);

/// A watch that could not be checked so often in a row is told: by then it has been tried for a quarter of an hour.
const MANY: u32 = 5;
/// So many watches are named; if the disk is full, it is all of them.
const MOST_NAMED: usize = 3;
/// How long a watch waits after the first time. What was wrong may pass soon.
const FIRST_PAUSE: Span = Span::from_seconds(60);
/// How often that doubles: up to an hour.
const MOST_DOUBLINGS: u32 = 6;
const LONGEST_PAUSE: Span = Span::from_seconds(3_600);

impl Erring {
    /// A check could not be made.
    pub(super) fn add(&mut self, watch: &Arc<str>, why: &str) {
        let (count, last) = self.0.entry(Arc::clone(watch)).or_default();
        *count = count.saturating_add(1);
        why.clone_into(last);
    }

    /// A check was made, or the watch is no more.
    pub(super) fn forget(&mut self, watch: &str) {
        self.0.remove(watch);
    }

    /// How long the watch waits now: a minute, two, four, up to an hour.
    pub(super) fn pause(&self, watch: &str) -> Span {
        let count = self.0.get(watch).map_or(0, |(count, _)| *count);
        let doublings = count.saturating_sub(1).min(MOST_DOUBLINGS);
        Span::from_milliseconds(FIRST_PAUSE.milliseconds() << doublings).min(LONGEST_PAUSE)
    }

    /// Which watches are in trouble, a sentence each; of many, some.
    pub(super) fn troubles(&self) -> Vec<String> {
        let mut many = self.0.iter().filter(|(_, (count, _))| *count >= MANY);
        let sentence = |(watch, (count, why)): (&Arc<str>, &(u32, String))| {
            format!("the watch `{watch}` could not be checked {count} times in a row: {why}")
        };
        let mut told: Vec<String> = many.by_ref().take(MOST_NAMED).map(sentence).collect();
        let others = many.count();
        told.extend((others > 0).then(|| format!("nor could {others} other watches be checked")));
        told
    }
}

#[cfg(test)]
mod tests {
    use super::Erring;

    #[test]
    fn a_watch_waits_longer_each_time_up_to_an_hour() {
        let mut erring = Erring::default();
        let mut minutes = Vec::new();
        for _ in 0..9 {
            erring.add(&"a".into(), "the disk is full");
            minutes.push(erring.pause("a").milliseconds() / 60_000);
        }
        assert_eq!(minutes, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        erring.forget("a");
        erring.add(&"a".into(), "the disk is full");
        assert_eq!(erring.pause("a").milliseconds(), 60_000);
    }

    #[test]
    fn of_many_watches_some_are_named() {
        let mut erring = Erring::default();
        for at in 0..50 {
            (0..5).for_each(|_| erring.add(&format!("watch{at:02}").into(), "the disk is full"));
        }
        let told = erring.troubles();
        assert_eq!((told.len(), told[3].as_str()), (4, "nor could 47 other watches be checked"));
        assert!(told[0].starts_with("the watch `watch00` could not be checked 5 times"), "{}", told[0]);
    }
}
