//! The evidence that something of an element changes by itself, for each kind of difference on its own.
//!
//! A clock or a counter shows a new value in each of several fetches that are close in time. An edit shows one new value,
//! which stays. A page that is served in several variants goes back and forth between fetches of one check, in several
//! checks; so does one edit while it reaches all servers of a site, but only for a while.

use driftline::time::Time;
use serde::{Deserialize, Serialize};

use super::super::state::is_default;
use super::Flicker;

const MINUTE: i64 = 60_000_000;
const HOUR: i64 = 60 * MINUTE;
/// Dates that differ between two answers at most this far apart are those of a clock.
pub(super) const CLOSE: i64 = 15 * MINUTE;
/// Dates that stay the same this long are not those of a clock.
pub(super) const LOOK: i64 = MINUTE;
/// Different values in answers close in time that make a clock or a counter.
const LEAST_RUN: usize = 3;
/// Changes in answers at most an hour apart that make one, if there are changes in two answers of three.
const LEAST_SLOW: [(Flicker, u32); 2] = [(Flicker::Dates, 4), (Flicker::Numbers, 5)];
/// Checks in which something differs between fetches until it is learned.
const LEAST_FLIPS: u32 = 3;
/// Two such checks are at least this far apart, and the first and the last one.
const FLIP: i64 = 10 * MINUTE;
const FLIPS: i64 = HOUR;
/// Values that are remembered.
const MOST_VALUES: usize = 16;
/// Answers without a change after which evidence is forgotten: of a candidate, of words, of the rest.
const STILL_CANDIDATE: u32 = 20;
const STILL_WORDS: u32 = 20;
const STILL: u32 = 50;
/// A variant that is in this many answers one after the other may be an edit.
const STILL_VARIANT: u32 = 6;

/// The evidence for one kind of difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Evidence {
    pub(super) flicker: Flicker,
    /// Whether it is learned.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) is_learned: bool,
    /// Different values that it had, the newest last. Of words, only those that were gone in the next fetch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<u64>,
    /// Different values in answers that are close in time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    run: Vec<u64>,
    /// Checks in which it differed between fetches.
    #[serde(default, skip_serializing_if = "is_default")]
    flips: u32,
    /// The first and the last of these checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    flipped: Option<(Time, Time)>,
    /// Answers at most an hour after the one before, and those of them in which it had changed.
    #[serde(default, skip_serializing_if = "is_default")]
    answers: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    changes: u32,
    /// Changes to new values in a row, however far apart.
    #[serde(default, skip_serializing_if = "is_default")]
    streak: u32,
    /// The time of the first answer with its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<Time>,
    /// Answers since the last change.
    #[serde(default, skip_serializing_if = "is_default")]
    still: u32,
    /// Whether a close look showed that it is not a clock.
    #[serde(default, skip_serializing_if = "is_default")]
    is_settled: bool,
    /// The event that names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) named: Option<String>,
    /// Whether it differs between fetches of this check.
    #[serde(skip)]
    pub(super) is_unstable: bool,
    /// Whether it then shows words that it never showed before.
    #[serde(skip)]
    pub(super) is_new: bool,
    /// Whether the first answer of this check has one of its values.
    #[serde(skip)]
    is_known: bool,
}

/// A change from one answer to the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    /// The time of the newer answer.
    pub(super) now: Time,
    /// The time since the older one, in microseconds.
    pub(super) gap: i64,
    /// Whether both are of one check.
    pub(super) is_same_check: bool,
}

impl Moment {
    /// The time of the older answer.
    fn before(self) -> Time {
        Time::from_microseconds(self.now.microseconds().saturating_sub(self.gap))
    }
}

impl Evidence {
    pub(super) fn new(flicker: Flicker) -> Self {
        Self {
            flicker,
            is_learned: false,
            values: Vec::new(),
            run: Vec::new(),
            flips: 0,
            flipped: None,
            answers: 0,
            changes: 0,
            streak: 0,
            since: None,
            still: 0,
            is_settled: false,
            named: None,
            is_unstable: false,
            is_new: false,
            is_known: false,
        }
    }

    /// Whether it had this value.
    pub(super) fn has(&self, value: u64) -> bool {
        self.values.contains(&value)
    }

    /// A check begins, with an answer that has this value.
    pub(super) fn begin(&mut self, value: u64) {
        self.is_known = self.values.contains(&value);
    }

    /// It changed from one value to another.
    pub(super) fn change(&mut self, older: u64, newer: u64, moment: Moment) {
        let is_new = !self.values.contains(&newer);
        self.still = 0;
        self.streak = if is_new && !moment.is_same_check { self.streak + 1 } else { self.streak * u32::from(is_new) };
        self.follow(older, newer, moment);
        if moment.is_same_check {
            self.flip(older, newer, moment.now);
        } else {
            self.count(moment.gap, true);
        }
        if self.flicker != Flicker::Words {
            self.note(older);
            self.note(newer);
        }
        self.learn();
    }

    /// It has the same value as in the answer before.
    pub(super) fn stay(&mut self, value: u64, moment: Moment) {
        self.still = self.still.saturating_add(1);
        if moment.is_same_check {
            return;
        }
        self.streak = 0;
        let since = *self.since.get_or_insert(moment.before());
        if self.flicker != Flicker::Dates {
            self.run = vec![value];
        } else if since.distance(moment.now) >= LOOK.cast_unsigned() {
            self.run.clear();
            self.is_settled = true;
        }
        self.count(moment.gap, false);
    }

    /// Adds a value to those of answers that are close in time. Dates that stayed the same for long are not among them.
    fn follow(&mut self, older: u64, newer: u64, moment: Moment) {
        let is_recent = |time: Time| time.distance(moment.now) <= CLOSE.cast_unsigned();
        let since = self.since.replace(moment.now).unwrap_or_else(|| moment.before());
        let (is_close, has_older) = match (moment.is_same_check, self.flicker) {
            (true, _) => (true, true),
            (false, Flicker::Dates) => (is_recent(moment.before()), is_recent(since)),
            (false, _) => (false, false),
        };
        if !is_close {
            self.run.clear();
        } else if self.run.is_empty() && has_older {
            self.run.push(older);
        }
        if !self.run.contains(&newer) && self.run.len() < LEAST_RUN {
            self.run.push(newer);
        }
    }

    /// It is as it was, in an answer that was not read again.
    pub(super) fn rest(&mut self) {
        self.still = self.still.saturating_add(1);
    }

    /// A check begins: nothing differs between its fetches yet.
    pub(super) fn calm_down(&mut self) {
        (self.is_unstable, self.is_new, self.is_known) = (false, false, false);
    }

    /// It differs between two fetches of one check.
    fn flip(&mut self, older: u64, newer: u64, now: Time) {
        self.is_unstable = true;
        self.is_new |= self.flicker == Flicker::Words && !(self.has(older) && self.has(newer));
        self.note(older);
        self.note(newer);
        let last = self.flipped.map(|(_, last)| last);
        if last.is_none_or(|last| last.distance(now) >= FLIP.cast_unsigned()) {
            self.flips = self.flips.saturating_add(1);
            self.flipped = Some((self.flipped.map_or(now, |(first, _)| first), now));
        }
    }

    fn count(&mut self, gap: i64, is_change: bool) {
        if gap > HOUR {
            (self.answers, self.changes) = (0, 0);
            return;
        }
        self.answers = self.answers.saturating_add(1);
        self.changes = self.changes.saturating_add(u32::from(is_change));
    }

    fn note(&mut self, value: u64) {
        self.values.retain(|known| *known != value);
        if self.values.len() == MOST_VALUES {
            self.values.remove(0);
        }
        self.values.push(value);
    }

    fn learn(&mut self) {
        let has_values = self.values.len() >= LEAST_RUN;
        let is_often = self.flips >= LEAST_FLIPS;
        let is_long = self.flipped.is_some_and(|(first, last)| first.distance(last) >= FLIPS.cast_unsigned());
        let slow =
            LEAST_SLOW.iter().find(|(flicker, _)| *flicker == self.flicker).map_or(u32::MAX, |(_, least)| *least);
        let is_slow = has_values && self.changes >= slow && self.changes * 3 > self.answers * 2;
        self.is_learned |= match self.flicker {
            Flicker::Words => is_often && is_long,
            Flicker::Attributes => self.run.len() >= LEAST_RUN || is_often && is_long,
            Flicker::Dates | Flicker::Numbers => {
                self.run.len() >= LEAST_RUN || is_slow || is_often && is_long && has_values
            }
        };
        if self.is_learned && self.flicker != Flicker::Words {
            self.values.clear();
            self.run.clear();
        }
    }

    /// Whether it has three different contents in the fetches of this check.
    pub(super) fn is_varied(&self) -> bool {
        self.is_unstable && self.run.len() >= LEAST_RUN
    }

    /// Whether changes of it are left out of reports: they are learned, or three fetches of this check have three contents.
    pub(super) fn is_folded(&self) -> bool {
        self.is_learned && (self.flicker != Flicker::Words || self.is_known || self.is_unstable) || self.is_varied()
    }

    /// Whether a change of it waits: it differs between fetches, or is a variant that did.
    pub(super) fn is_deferred(&self) -> bool {
        self.is_folded() || self.is_unstable || self.flips > 0 && self.is_known && self.still < STILL_VARIANT
    }

    /// Whether changes of it are not archived for their own sake: attributes that were new in several answers in a row.
    pub(super) fn is_unkept(&self) -> bool {
        self.flicker == Flicker::Attributes && (self.is_learned || self.streak as usize >= LEAST_RUN - 1)
    }

    /// Whether one fetch more may show that it is another one in each.
    pub(super) fn is_nearly_learned(&self) -> bool {
        self.is_unstable && !self.is_learned && self.run.len() == LEAST_RUN - 1
    }

    /// Whether a look soon would show whether it is a clock.
    pub(super) fn may_be_clock(&self, now: Time) -> bool {
        let is_recent = self.since.is_some_and(|since| since.distance(now) <= CLOSE.cast_unsigned());
        self.flicker == Flicker::Dates && !self.is_learned && !self.is_settled && is_recent
    }

    pub(super) fn is_forgotten(&self) -> bool {
        let most = match self.flicker {
            _ if !self.is_learned && !self.is_unkept() => STILL_CANDIDATE,
            Flicker::Words => STILL_WORDS,
            _ => STILL,
        };
        self.still >= most
    }
}
