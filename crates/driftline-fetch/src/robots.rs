//! robots.txt (RFC 9309) of all origins: read once a day per origin, through the same guard and with limits of its own.
//!
//! A server without one (any 4xx) allows everything. One that fails (5xx) or asks for patience (429) allows nothing
//! until it can be read, unless an earlier copy is at hand.

mod file;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use driftline::span::Span;
use driftline::time::Time;
use url::Url;

use super::arrival::Decoded;
use super::hop::Answer;
use super::{FetchError, arrival, retry};

pub use file::RobotsTxt;

/// The most bytes that are read: the least that RFC 9309 requires.
pub(super) const MOST_BYTES: usize = 500 << 10;

/// The most redirects that are followed: the least that RFC 9309 requires.
pub(super) const MOST_REDIRECTS: usize = 5;

/// How long what was read counts.
const FRESH: Span = Span::from_seconds(86_400);

/// At most so much is kept of all origins together, by an estimate; the oldest goes first.
const MOST_WEIGHT: usize = 64 << 20;

/// What an origin with nothing to say weighs.
const LEAST_WEIGHT: usize = 512;

/// A longer delay that a host asks for is cut to this.
const MOST_DELAY: Span = Span::from_seconds(3_600);

/// What is known of the origins that were asked.
#[derive(Debug, Default)]
pub(super) struct Robots(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    rules: HashMap<String, Rules>,
    delays: HashMap<String, Span>,
    /// Origins, the oldest first.
    order: VecDeque<String>,
    weight: usize,
}

/// What an origin says, since when, and how much memory that takes.
#[derive(Debug, Clone)]
struct Rules {
    since: Time,
    /// Everything is allowed if there is none.
    file: Option<Arc<RobotsTxt>>,
    weight: usize,
}

/// What an origin says about an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It may be asked for.
    Allowed,
    /// It may not.
    Refused,
    /// The file has to be read first.
    Unknown,
}

impl Robots {
    /// What is known about an address at a time.
    pub(super) fn verdict(&self, url: &Url, at: Time) -> Verdict {
        match self.rules(url) {
            Some(rules) if rules.since.distance(at) < FRESH.microseconds().cast_unsigned() => rules.verdict(url),
            _ => Verdict::Unknown,
        }
    }

    /// Keeps what the origin of an address answered.
    pub(super) fn learn(&self, url: &Url, at: Time, answer: &Answer) -> Result<Verdict, FetchError> {
        let origin = origin(url);
        let file = match answer.status {
            200..=299 => Some(read(answer)),
            429 | 500.. => {
                let (why, retry_after) = (format!("status {}", answer.status), retry::after(&answer.headers, at));
                return self.fall_back(url, FetchError::RobotsUnknown { origin, why, retry_after });
            }
            _ => None,
        };
        let delay = file.as_ref().and_then(RobotsTxt::crawl_delay).filter(|delay| !delay.is_zero());
        let weight = LEAST_WEIGHT + file.as_ref().map_or(0, RobotsTxt::weight);
        let rules = Rules { since: at, file: file.map(Arc::new), weight };
        let verdict = rules.verdict(url);
        self.kept().put(origin, url.host_str().unwrap_or_default(), rules, delay.map(span));
        Ok(verdict)
    }

    /// What an earlier copy says, now that there is no newer one; or why there is none.
    pub(super) fn fall_back(&self, url: &Url, error: FetchError) -> Result<Verdict, FetchError> {
        self.rules(url).map(|rules| rules.verdict(url)).ok_or(error)
    }

    /// How long a host wants to be left alone between two questions.
    pub(super) fn delay(&self, host: &str) -> Option<Span> {
        self.kept().delays.get(host).copied()
    }

    /// The rules of an origin. A copy, so that no other host waits while they are matched.
    fn rules(&self, url: &Url) -> Option<Rules> {
        self.kept().rules.get(&origin(url)).cloned()
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rules {
    fn verdict(&self, url: &Url) -> Verdict {
        let is_allowed = self.file.as_ref().is_none_or(|file| file.allows(url));
        if is_allowed { Verdict::Allowed } else { Verdict::Refused }
    }
}

impl Kept {
    fn put(&mut self, origin: String, host: &str, rules: Rules, delay: Option<Span>) {
        match delay {
            Some(delay) => _ = self.delays.insert(host.to_owned(), delay),
            None => _ = self.delays.remove(host),
        }
        self.weight += rules.weight;
        if let Some(before) = self.rules.insert(origin.clone(), rules) {
            self.weight -= before.weight;
            self.order.retain(|other| *other != origin);
        }
        self.order.push_back(origin);
        while self.weight > MOST_WEIGHT {
            let Some(oldest) = self.order.pop_front() else { break };
            self.weight -= self.rules.remove(&oldest).map_or(0, |rules| rules.weight);
            if let Some(host) = Url::parse(&oldest).ok().as_ref().and_then(Url::host_str) {
                self.delays.remove(host);
            }
        }
    }
}

/// Who answers: scheme, host and port.
pub(super) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// A delay in whole seconds, rounded up.
fn span(delay: Duration) -> Span {
    let whole = delay.as_secs().saturating_add(u64::from(delay.subsec_nanos() > 0));
    Span::from_seconds(whole.min(MOST_DELAY.milliseconds() / 1_000))
}

/// The file in an answer. If it was cut, so is its last line, which then would be another rule: it is left out.
fn read(answer: &Answer) -> RobotsTxt {
    let Decoded { body, is_cut } = arrival::decode(answer, MOST_BYTES);
    let is_cut = is_cut || answer.is_cut;
    let whole =
        if is_cut { body.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(0) } else { body.len() };
    RobotsTxt::parse(&body[..whole])
}
