//! May this host be asked now? Not while it is asked already, and not again at once.
//!
//! Politeness is scheduling: nothing sleeps but a check that fetches its page again. A watch whose host is not free waits in a line of that host's own, and
//! the [queue](super::queue) looks at the host again when it is.

use std::collections::{HashMap, VecDeque};

use driftline::time::Time;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use driftline::span::Span;

use crate::clock::Step;

/// How hosts are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manners {
    /// From the end of one check to the beginning of the next.
    pub delay: Span,
    /// So many checks at once.
    pub per_host: u16,
}

impl Default for Manners {
    fn default() -> Self {
        Self { delay: Span::from_seconds(1), per_host: 1 }
    }
}

/// How a host took a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Courtesy {
    /// It was too busy to answer, or not to be reached: 429, 503, no connection.
    pub is_overloaded: bool,
    /// It asks to be left alone so long.
    pub retry_after: Option<Span>,
    /// It asks for so long between two questions, in robots.txt.
    pub crawl_delay: Option<Span>,
}

/// The first pause after an overload; it doubles from there.
const BACK_OFF: Span = Span::from_seconds(10);
/// No pause is longer, unless the host itself asks for it.
const MOST_BACK_OFF: Span = Span::from_seconds(3_600);
/// Nobody asks for longer between two questions.
const MOST_DELAY: Span = Span::from_seconds(3_600);

/// The hosts of all watches.
#[derive(Debug)]
pub(super) struct Hosts {
    manners: Manners,
    /// By the hash of the name: two that share one would be asked in turn, which hurts neither.
    numbers: HashMap<u64, u32>,
    all: Vec<Host>,
}

#[derive(Debug, Default)]
struct Host {
    /// It may be asked from then on, in microseconds.
    free: i64,
    /// What it asks for between two questions, in milliseconds.
    delay: u32,
    running: u16,
    /// How many overloads in a row.
    overloads: u8,
    /// Boxed: few hosts have a queue, and there may be a million hosts.
    #[expect(clippy::box_collection, reason = "8 bytes instead of 32 for each host")]
    waiting: Option<Box<VecDeque<u32>>>,
}

impl Hosts {
    pub(super) fn new(manners: Manners) -> Self {
        Self {
            manners: Manners { per_host: manners.per_host.max(1), ..manners },
            numbers: HashMap::new(),
            all: Vec::new(),
        }
    }

    /// The number of the host of an address.
    pub(super) fn number(&mut self, url: &str) -> u32 {
        let parsed = Url::parse(url).ok();
        let port = parsed.as_ref().and_then(Url::port_or_known_default).unwrap_or_default();
        let name = parsed.as_ref().and_then(Url::host_str).unwrap_or(url);
        let key = xxh3_64(name.as_bytes()) ^ u64::from(port);
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.all.push(Host::default());
        }
        number
    }

    /// Is it free, and nobody before us?
    pub(super) fn is_free(&self, host: u32, now: Time) -> bool {
        let host = &self.all[host as usize];
        host.free <= now.microseconds() && host.running < self.manners.per_host && host.waiting.is_none()
    }

    /// The clock was set: each host is left alone for as long as before.
    pub(super) fn shift(&mut self, step: Step) {
        for host in &mut self.all {
            host.free = step.of(Time::from_microseconds(host.free)).microseconds();
        }
    }

    /// It is asked.
    pub(super) fn begin(&mut self, host: u32) {
        self.all[host as usize].running += 1;
    }

    /// It was asked. Says when it may be asked again, if somebody waits for that.
    pub(super) fn end(&mut self, host: u32, now: Time, courtesy: &Courtesy) -> Option<Time> {
        let Manners { delay, .. } = self.manners;
        let host = &mut self.all[host as usize];
        host.running = host.running.saturating_sub(1);
        if let Some(asked) = courtesy.crawl_delay {
            host.delay = asked.min(MOST_DELAY).milliseconds() as u32;
        }
        host.overloads = if courtesy.is_overloaded { host.overloads.saturating_add(1) } else { 0 };
        let back_off = match host.overloads {
            0 => 0,
            count => (BACK_OFF.milliseconds() << (count - 1).min(20)).min(MOST_BACK_OFF.milliseconds()),
        };
        let asked = courtesy.retry_after.unwrap_or_default().milliseconds();
        let pause = delay.milliseconds().max(u64::from(host.delay)).max(back_off).max(asked);
        let free = now.microseconds().saturating_add(Span::from_milliseconds(pause).microseconds());
        host.free = host.free.max(free);
        host.waiting.is_some().then(|| Time::from_microseconds(host.free))
    }

    /// Somebody waits for it. Says when to look again, if nobody waited before and nobody who runs will look.
    pub(super) fn wait(&mut self, host: u32, slot: u32) -> Option<Time> {
        let most = self.manners.per_host;
        let host = &mut self.all[host as usize];
        let is_first = host.waiting.is_none();
        host.waiting.get_or_insert_default().push_back(slot);
        (is_first && host.running < most).then(|| Time::from_microseconds(host.free))
    }

    /// Who has waited longest, if it is free. It is to be looked at again while somebody waits: says when.
    pub(super) fn next(&mut self, host: u32, now: Time) -> (Option<u32>, Option<Time>) {
        let most = self.manners.per_host;
        let host = &mut self.all[host as usize];
        if host.running >= most {
            return (None, None);
        }
        if host.free > now.microseconds() {
            return (None, host.waiting.is_some().then(|| Time::from_microseconds(host.free)));
        }
        let slot = host.waiting.as_mut().and_then(|waiting| waiting.pop_front());
        if host.waiting.as_ref().is_some_and(|waiting| waiting.is_empty()) {
            host.waiting = None;
        }
        (slot, host.waiting.is_some().then(|| Time::from_microseconds(host.free)))
    }
}
