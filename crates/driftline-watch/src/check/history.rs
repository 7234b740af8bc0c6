//! Was the page like this before? The last states that it was in, and how often it came back to one.
//!
//! Pages go back and forth: an A/B test, two servers that do not agree, an advertisement. A page that returns to a
//! state says so. One that does nothing but return is flapping: that is told once, and then nothing until it shows
//! something really new, or has kept still for a while.

use std::collections::VecDeque;

use driftline::time::Time;
use serde::{Deserialize, Serialize};

/// So many states are remembered.
const MOST_STATES: usize = 16;
/// A page flaps if so many …
const MANY_RETURNS: usize = 3;
/// … of its last so many changes were returns.
const LAST_CHANGES: usize = 6;
/// A page that flapped has settled after so many checks without a change.
const SETTLED: u32 = 12;

/// The states in which a page was.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct History {
    /// When each began the last time, and its fingerprint; the newest last.
    states: VecDeque<(Time, String)>,
    /// Of the last changes, the newest last: was it a return? `0` or `1` each.
    #[serde(skip_serializing_if = "String::is_empty")]
    returns: String,
    /// Since when it flaps.
    #[serde(skip_serializing_if = "Option::is_none")]
    flapping: Option<Time>,
    /// Checks since the last change.
    #[serde(skip_serializing_if = "is_zero")]
    quiet: u32,
}

/// What a new state means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// It was never seen, as far as is remembered.
    New,
    /// The page was so before, at this time.
    Return(Time),
    /// It goes back and forth, since this time: to be told now.
    Flapping(Time),
    /// It still goes back and forth, which was told.
    StillFlapping,
}

impl History {
    /// The state in which the page is, from this time on.
    pub(super) fn begin(&mut self, at: Time, fingerprint: String) {
        self.states.retain(|(_, known)| *known != fingerprint);
        if self.states.len() == MOST_STATES {
            self.states.pop_front();
        }
        self.states.push_back((at, fingerprint));
    }

    /// The page is in another state than the newest. If that has the same fingerprint, what changed is nothing that
    /// fingerprints tell apart: it may be new.
    pub(super) fn step(&mut self, at: Time, fingerprint: String) -> Step {
        let before = self.states.iter().rev().skip(1).find(|(_, known)| *known == fingerprint).map(|(at, _)| *at);
        self.quiet = 0;
        self.returns.push(if before.is_some() { '1' } else { '0' });
        let surplus = self.returns.len().saturating_sub(LAST_CHANGES);
        self.returns.drain(..surplus);
        self.begin(at, fingerprint);
        let Some(before) = before else { return Step::New };
        if self.flapping.is_some() {
            return Step::StillFlapping;
        }
        if self.returns.bytes().filter(|&mark| mark == b'1').count() >= MANY_RETURNS {
            self.flapping = Some(before);
            return Step::Flapping(before);
        }
        Step::Return(before)
    }

    /// The page is as it was at the last check, or differs in nothing that counts.
    pub(super) fn rest(&mut self) {
        // Nobody asks for more than the limit, and a number that stands still is not written again.
        self.quiet = (self.quiet + 1).min(SETTLED);
        if self.quiet == SETTLED {
            self.flapping = None;
            self.returns.clear();
        }
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(history: &mut History, states: &str) -> Vec<Step> {
        let times = (1..).map(Time::from_microseconds);
        states.chars().zip(times).map(|(state, at)| history.step(at, state.to_string())).collect()
    }

    fn at(time: i64) -> Time {
        Time::from_microseconds(time)
    }

    #[test]
    fn a_page_that_comes_back_says_to_when() {
        let mut history = History::default();
        history.begin(at(0), "a".to_owned());
        assert_eq!(steps(&mut history, "bca"), [Step::New, Step::New, Step::Return(at(0))]);
    }

    #[test]
    fn flapping_is_told_once() {
        let mut history = History::default();
        history.begin(at(0), "a".to_owned());
        let steps = steps(&mut history, "babababab");
        assert_eq!(steps[..3], [Step::New, Step::Return(at(0)), Step::Return(at(1))]);
        assert_eq!(steps[3], Step::Flapping(at(2)));
        assert!(steps[4..].iter().all(|step| *step == Step::StillFlapping));
    }

    #[test]
    fn something_really_new_is_told_while_it_flaps() {
        let mut history = History::default();
        history.begin(at(0), "a".to_owned());
        assert_eq!(steps(&mut history, "babababcab").last_chunk::<3>().unwrap()[0], Step::New);
    }

    #[test]
    fn a_page_that_keeps_still_has_settled() {
        let mut history = History::default();
        history.begin(at(0), "a".to_owned());
        steps(&mut history, "bababa");
        (0..SETTLED).for_each(|_| history.rest());
        assert_eq!(history.step(at(99), "b".to_owned()), Step::Return(at(5)));
    }

    #[test]
    fn a_change_that_fingerprints_do_not_tell_apart_is_no_return() {
        let mut history = History::default();
        history.begin(at(0), "a".to_owned());
        assert!(steps(&mut history, "aaaaaaaa").iter().all(|step| *step == Step::New));
    }

    #[test]
    fn no_more_than_sixteen_states_are_kept() {
        let mut history = History::default();
        for state in 0..100 {
            history.step(at(state), state.to_string());
        }
        assert_eq!((history.states.len(), history.returns.len()), (MOST_STATES, LAST_CHANGES));
    }
}
