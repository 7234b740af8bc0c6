//! Who is checked next? A million watches, each with the time when it is due, and hosts that want to be left alone.
//!
//! A heap of times, and beside it the time that counts for each watch: an entry of the heap that says otherwise is
//! out of date and is passed over, so that a time can be changed without looking for the old one. That is 28 bytes a
//! watch. Who is due but whose host is not free leaves the heap for the line of that host, so a slow host with a
//! thousand watches costs the others nothing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use driftline::time::Time;

use super::hosts::{Courtesy, Hosts, Manners};
use crate::clock::Step;

/// When each watch is due. Watches are numbered by whoever has them.
#[derive(Debug)]
pub struct Queue {
    /// When each watch is due, in microseconds; or what it is doing.
    due: Vec<i64>,
    host: Vec<u32>,
    heap: BinaryHeap<Reverse<(i64, u32)>>,
    hosts: Hosts,
    /// Hosts for which somebody waits, by when they are free.
    ready: BinaryHeap<Reverse<(i64, u32)>>,
    /// How many are due at some time.
    scheduled: usize,
    running: usize,
    waiting: usize,
}

/// It is not due at any time.
const NEVER: i64 = i64::MAX;
/// It is being checked.
const RUNNING: i64 = i64::MAX - 1;
/// A heap is tidied when more than this, and more than half of it, is out of date.
const MOST_STALE: usize = 1_024;

impl Queue {
    /// An empty queue.
    #[must_use]
    pub fn new(manners: Manners) -> Self {
        Self {
            due: Vec::new(),
            host: Vec::new(),
            heap: BinaryHeap::new(),
            hosts: Hosts::new(manners),
            ready: BinaryHeap::new(),
            scheduled: 0,
            running: 0,
            waiting: 0,
        }
    }

    /// A watch of this address has this number; it is due at no time yet. One that is running stays so.
    pub fn place(&mut self, slot: u32, url: &str) {
        let place = slot as usize;
        if self.due.len() <= place {
            self.due.resize(place + 1, NEVER);
            self.host.resize(place + 1, 0);
        }
        if self.due[place] != RUNNING {
            self.host[place] = self.hosts.number(url);
        }
    }

    /// The watch is due then. One that is running is not altered: it is due when it says so.
    pub fn set(&mut self, slot: u32, at: Time) {
        let at = at.microseconds().min(RUNNING - 1);
        let Some(due) = self.due.get_mut(slot as usize).filter(|due| **due != RUNNING && **due != at) else { return };
        self.scheduled += usize::from(*due == NEVER);
        *due = at;
        self.heap.push(Reverse((at, slot)));
        if self.heap.len() > MOST_STALE + 2 * self.scheduled {
            let due = &self.due;
            self.heap.retain(|Reverse((at, slot))| due[*slot as usize] == *at);
        }
    }

    /// The watch is due at no time.
    pub fn cancel(&mut self, slot: u32) {
        if let Some(due) = self.due.get_mut(slot as usize).filter(|due| **due < RUNNING) {
            *due = NEVER;
            self.scheduled -= 1;
        }
    }

    /// When the watch is due; none if it is at no time, or is running.
    #[must_use]
    pub fn due(&self, slot: u32) -> Option<Time> {
        self.due.get(slot as usize).filter(|due| **due < RUNNING).map(|due| Time::from_microseconds(*due))
    }

    /// Is it being checked?
    #[must_use]
    pub fn is_running(&self, slot: u32) -> bool {
        self.due.get(slot as usize) == Some(&RUNNING)
    }

    /// A watch that is due and whose host is free, and since when both were so. It is running from now on.
    pub fn take(&mut self, now: Time) -> Option<(u32, Time)> {
        self.take_waiting(now).or_else(|| self.take_due(now))
    }

    fn take_waiting(&mut self, now: Time) -> Option<(u32, Time)> {
        while let Some(Reverse((free, host))) = self.ready.peek().copied() {
            if free > now.microseconds() {
                return None;
            }
            self.ready.pop();
            let (slot, again) = self.hosts.next(host, now);
            self.ready.extend(again.map(|again| Reverse((again.microseconds(), host))));
            let Some(slot) = slot else { continue };
            self.waiting -= 1;
            // Meanwhile it may have been cancelled, put off, or begun by another way.
            if self.due[slot as usize] <= now.microseconds() && self.host[slot as usize] == host {
                let (slot, due) = self.begin(slot, host);
                return Some((slot, due.max(Time::from_microseconds(free))));
            }
        }
        None
    }

    fn take_due(&mut self, now: Time) -> Option<(u32, Time)> {
        while let Some(Reverse((at, slot))) = self.heap.peek().copied() {
            if at > now.microseconds() {
                return None;
            }
            self.heap.pop();
            if self.due[slot as usize] != at {
                continue;
            }
            let host = self.host[slot as usize];
            if self.hosts.is_free(host, now) {
                return Some(self.begin(slot, host));
            }
            let again = self.hosts.wait(host, slot);
            self.waiting += 1;
            self.ready.extend(again.map(|again| Reverse((again.microseconds(), host))));
        }
        None
    }

    fn begin(&mut self, slot: u32, host: u32) -> (u32, Time) {
        self.hosts.begin(host);
        let due = std::mem::replace(&mut self.due[slot as usize], RUNNING);
        self.scheduled -= 1;
        self.running += 1;
        (slot, Time::from_microseconds(due))
    }

    /// The check of the watch is over. It is due at no time until [`set`](Self::set) says when.
    pub fn done(&mut self, slot: u32, now: Time, courtesy: &Courtesy) {
        let Some(due) = self.due.get_mut(slot as usize).filter(|due| **due == RUNNING) else { return };
        *due = NEVER;
        self.running -= 1;
        let host = self.host[slot as usize];
        let again = self.hosts.end(host, now, courtesy);
        self.ready.extend(again.map(|again| Reverse((again.microseconds(), host))));
    }

    /// The clock was set, and showed `before` until then: hosts are left alone for as long as before, who is due stays
    /// due, and of all others `plan` says when they are due now.
    pub fn shift(&mut self, step: Step, before: Time, mut plan: impl FnMut(u32, Time) -> Time) {
        let is_current = |Reverse((at, slot)): &Reverse<(i64, u32)>| self.due[*slot as usize] == *at;
        let current: Vec<u32> = self.heap.drain().filter(is_current).map(|Reverse((_, slot))| slot).collect();
        for (slot, due) in (0..).zip(&mut self.due).filter(|(_, due)| **due < RUNNING) {
            let time = Time::from_microseconds(*due);
            let shifted = if time <= before { step.of(time) } else { plan(slot, time) };
            *due = shifted.microseconds().min(RUNNING - 1);
        }
        self.heap = current.into_iter().map(|slot| Reverse((self.due[slot as usize], slot))).collect();
        let shifted = |at: i64| step.of(Time::from_microseconds(at)).microseconds();
        self.ready = self.ready.drain().map(|Reverse((free, host))| Reverse((shifted(free), host))).collect();
        self.hosts.shift(step);
    }

    /// When something may be taken next; none if nothing will without a [`done`](Self::done) or a [`set`](Self::set).
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "a time, not an element")]
    pub fn next(&mut self) -> Option<Time> {
        while let Some(Reverse((at, slot))) = self.heap.peek()
            && self.due[*slot as usize] != *at
        {
            self.heap.pop();
        }
        let times = [self.heap.peek(), self.ready.peek()].into_iter().flatten();
        times.map(|Reverse((at, _))| Time::from_microseconds(*at)).min()
    }

    /// Those that were due before a time and were not begun; who waits for a host is not among them.
    #[must_use]
    pub fn overdue(&self, before: Time) -> Vec<u32> {
        let is_overdue = |at: i64, slot: u32| at < before.microseconds() && self.due[slot as usize] == at;
        let overdue = self.heap.iter().filter(|Reverse((at, slot))| is_overdue(*at, *slot));
        overdue.map(|Reverse((_, slot))| *slot).collect()
    }

    /// How many are due at some time.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scheduled
    }

    /// Is none due at any time?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scheduled == 0
    }

    /// How many are being checked.
    #[must_use]
    pub fn running(&self) -> usize {
        self.running
    }

    /// How many are due and wait for their hosts.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting
    }
}

#[cfg(test)]
mod tests;
