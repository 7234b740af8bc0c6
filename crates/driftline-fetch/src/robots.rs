//! Does the server want to be asked at all? robots.txt says so (RFC 9309). It is read once a day for each origin,
//! through the same guard and with limits of its own.
//!
//! A server without one (any 4xx) allows everything. One that fails (5xx) or asks for patience (429) allows nothing
//! until it can be read, unless an earlier copy is at hand.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use driftline::span::Span;
use driftline::time::Time;
use texting_robots::Robot;
use url::Url;

use super::hop::Answer;
use super::{FetchError, agent, arrival, retry};

/// At most so many bytes are read, as the standard asks for at least.
pub(super) const MOST_BYTES: usize = 500 << 10;

/// At most so many redirects are followed, as the standard asks for at least.
pub(super) const MOST_REDIRECTS: usize = 5;

/// How long what was read counts.
const FRESH: Span = Span::from_seconds(86_400);

/// At most so much is kept of all origins together, by an estimate; the oldest goes first.
const MOST_WEIGHT: usize = 64 << 20;

/// What an origin with nothing to say weighs.
const LEAST_WEIGHT: usize = 512;

/// What a rule takes beside its text.
const RULE_WEIGHT: usize = 160;

/// A rule with a `$` becomes a compiled pattern of up to so many bytes.
const PATTERN_WEIGHT: usize = 42 << 10;

/// More such rules are not read: a file full of them would fill the memory.
const MOST_PATTERNS: usize = 100;

/// A host that wants to be left alone for longer is asked after so long all the same.
const MOST_DELAY: f32 = 3_600.0;

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
    robot: Option<Arc<Robot>>,
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
        let kept = self.kept();
        match kept.rules.get(&origin(url)) {
            Some(rules) if rules.since.distance(at) < FRESH.microseconds().cast_unsigned() => rules.verdict(url),
            _ => Verdict::Unknown,
        }
    }

    /// Keeps what the origin of an address answered.
    pub(super) fn learn(&self, url: &Url, at: Time, answer: &Answer) -> Result<Verdict, FetchError> {
        let origin = origin(url);
        let (robot, weight) = match answer.status {
            200..=299 => read(&arrival::decode(answer, MOST_BYTES).body),
            429 | 500.. => {
                let (why, retry_after) = (format!("status {}", answer.status), retry::after(&answer.headers, at));
                return self.fall_back(url, FetchError::RobotsUnknown { origin, why, retry_after });
            }
            _ => (None, LEAST_WEIGHT),
        };
        let delay = robot.as_ref().and_then(|robot| robot.delay).filter(|delay| *delay > 0.0);
        let rules = Rules { since: at, robot: robot.map(Arc::new), weight };
        let verdict = rules.verdict(url);
        self.kept().put(origin, url.host_str().unwrap_or_default(), rules, delay.map(span));
        Ok(verdict)
    }

    /// What an earlier copy says, now that there is no newer one; or why there is none.
    pub(super) fn fall_back(&self, url: &Url, error: FetchError) -> Result<Verdict, FetchError> {
        self.kept().rules.get(&origin(url)).map(|rules| rules.verdict(url)).ok_or(error)
    }

    /// How long a host wants to be left alone between two questions.
    pub(super) fn delay(&self, host: &str) -> Option<Span> {
        self.kept().delays.get(host).copied()
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rules {
    fn verdict(&self, url: &Url) -> Verdict {
        let is_allowed = self.robot.as_ref().is_none_or(|robot| robot.allowed(url.as_str()));
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

fn span(seconds: f32) -> Span {
    let whole = seconds.min(MOST_DELAY).ceil();
    #[expect(clippy::cast_sign_loss, reason = "it is above 0 and at most an hour")]
    Span::from_seconds(whole as u64)
}

/// The rules in a file that are for us, and their weight. A file that cannot be read allows everything.
fn read(body: &[u8]) -> (Option<Robot>, usize) {
    let (mut patterns, mut few, mut none) = (0, Vec::new(), Vec::new());
    for line in body.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_empty()) {
        let is_pattern = line.contains(&b'$');
        patterns += usize::from(is_pattern);
        if !is_pattern {
            none.push(line);
        }
        if !is_pattern || patterns <= MOST_PATTERNS {
            few.push(line);
        }
    }
    let weight = body.len() + few.len() * RULE_WEIGHT + patterns.min(MOST_PATTERNS) * PATTERN_WEIGHT;
    let parse = |lines: &[&[u8]]| Robot::new(agent::TOKEN, &lines.join(&b'\n'));
    // A pattern that is too large spoils the whole file.
    (parse(&few).or_else(|_| parse(&none)).ok(), LEAST_WEIGHT + weight)
}

#[cfg(test)]
mod tests {
    use driftline::time::Time;
    use reqwest::Version;
    use reqwest::header::HeaderMap;
    use url::Url;

    use super::{Answer, Robots, Verdict};

    fn answer(status: u16, body: &[u8]) -> Answer {
        Answer {
            url: url("/robots.txt"),
            sent: HeaderMap::new(),
            status,
            headers: HeaderMap::new(),
            body: body.to_vec(),
            is_cut: false,
            ip: None,
            version: Version::HTTP_11,
        }
    }

    fn at(seconds: i64) -> Time {
        Time::from_microseconds(seconds * 1_000_000)
    }

    fn url(path: &str) -> Url {
        Url::parse("https://a.example").unwrap().join(path).unwrap()
    }

    #[test]
    fn what_robots_txt_says_counts_for_a_day() {
        let robots = Robots::default();
        assert_eq!(robots.verdict(&url("/x"), at(0)), Verdict::Unknown);
        let body =
            b"User-agent: *\nDisallow: /\n\nUser-agent: driftline\nDisallow: /in\nAllow: /in/out$\nCrawl-delay: 2.5";
        assert_eq!(robots.learn(&url("/in/x"), at(0), &answer(200, body)).unwrap(), Verdict::Refused);
        assert_eq!(robots.verdict(&url("/x"), at(86_399)), Verdict::Allowed);
        assert_eq!(robots.verdict(&url("/in/out"), at(1)), Verdict::Allowed);
        assert_eq!(robots.verdict(&url("/x"), at(86_400)), Verdict::Unknown);
        assert_eq!(robots.verdict(&Url::parse("http://a.example/x").unwrap(), at(1)), Verdict::Unknown);
        assert_eq!(robots.delay("a.example").unwrap().to_string(), "3s");
    }

    #[test]
    fn a_server_without_one_allows_everything_and_one_that_fails_nothing() {
        let robots = Robots::default();
        for status in [500, 503, 429] {
            assert!(robots.learn(&url("/"), at(0), &answer(status, b"")).unwrap_err().is_transient(), "{status}");
        }
        assert_eq!(robots.learn(&url("/"), at(0), &answer(404, b"Disallow: /")).unwrap(), Verdict::Allowed);
        assert_eq!(
            robots.learn(&url("/"), at(90_000), &answer(503, b"")).unwrap(),
            Verdict::Allowed,
            "the earlier copy"
        );
    }

    #[test]
    fn a_file_that_is_made_to_hurt_is_read_as_far_as_it_goes() {
        let robots = Robots::default();
        let mut body = format!("User-agent: *\nAllow: /{}$\nDisallow: /end\n", "*a".repeat(4_000)).into_bytes();
        for number in 0..20_000 {
            body.extend_from_slice(format!("Disallow: /*{number}*a*b$\n").as_bytes());
        }
        assert_eq!(robots.learn(&url("/end"), at(0), &answer(200, &body)).unwrap(), Verdict::Refused);
        assert_eq!(robots.learn(&url("/"), at(0), &answer(200, &[0xff; 4_096])).unwrap(), Verdict::Allowed);
        assert!(robots.kept().weight <= super::MOST_WEIGHT);
    }

    #[test]
    fn the_oldest_origins_are_forgotten_first() {
        let robots = Robots::default();
        let body = b"User-agent: *\nCrawl-delay: 9\nDisallow: /in\n#".repeat(10_000);
        for number in 0..40 {
            let page = Url::parse(&format!("https://h{number}.example/")).unwrap();
            robots.learn(&page, at(number), &answer(200, &body)).unwrap();
        }
        assert_eq!(robots.verdict(&Url::parse("https://h0.example/").unwrap(), at(0)), Verdict::Unknown);
        assert_eq!(robots.delay("h0.example"), None);
        assert_eq!(robots.verdict(&Url::parse("https://h39.example/in").unwrap(), at(40)), Verdict::Refused);
        let kept = robots.kept();
        assert!(kept.weight <= super::MOST_WEIGHT && kept.rules.len() == kept.order.len());
    }
}
