//! Does the loop check what is due, and nothing else? With a clock that is set, real pages on loopback, a real archive.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use driftline::event::Event;
use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::Archive;
use driftline_catalog::Catalog;
use driftline_fetch::{Fetch, FetchDefaults, FetchError, Fetched, HttpFetcher, Request};
use driftline_report::summary::{Markup, Message};
use driftline_testkit::server::{Response, Server};
use proptest::prelude::*;

use super::{Daemon, DaemonError, Files, Handle, Options, Parts, Status};
use crate::check::Outcome;
use crate::clock::{Clock, ManualClock};
use crate::schedule::hosts::Manners;
use crate::settings::WatchDefaults;
use crate::tell::{Compose, Own, Targets, Teller};

const START: &str = "2026-03-02T06:00:00Z";

/// Writes messages that say nothing.
pub(super) struct Nobody;

impl Compose for Nobody {
    fn compose(&self, _: &[Event], _: &Markup, _: &Own) -> Result<Message, String> {
        Ok(Message::default())
    }
}

/// Pages over HTTP; notes when each was asked for, by both measures of the clock, and panics where it is told to.
struct Noting {
    http: HttpFetcher,
    clock: ManualClock,
    /// The times of checks, and how often the page was fetched in each.
    asked: Mutex<BTreeMap<String, Vec<(Time, u32)>>>,
    passed: Mutex<BTreeMap<String, Vec<Duration>>>,
}

impl Fetch for Noting {
    fn fetch(&self, request: &Request<'_>) -> Result<Fetched, FetchError> {
        let mut asked = self.asked.lock().unwrap();
        let times = asked.entry(request.url.to_owned()).or_default();
        match times.last_mut() {
            Some((at, count)) if *at == request.at => *count += 1,
            _ => times.push((request.at, 1)),
        }
        drop(asked);
        let passed = self.clock.read().passed;
        let mut all = self.passed.lock().unwrap();
        let times = all.entry(request.url.to_owned()).or_default();
        if times.last() != Some(&passed) {
            times.push(passed);
        }
        drop(all);
        assert!(!request.url.ends_with("/panic"), "a page that nobody can read");
        self.http.fetch(request)
    }
}

/// A data directory, a server with a page that counts its visitors, and a clock.
pub(super) struct Stage {
    data: tempfile::TempDir,
    server: Server,
    pub(super) clock: ManualClock,
    fetch: Arc<Noting>,
    pub(super) options: Options,
}

/// When stages begin.
pub(super) fn start() -> Time {
    START.parse().unwrap()
}

struct Running {
    handle: Handle,
    status: Arc<Status>,
    thread: JoinHandle<Result<(), DaemonError>>,
}

impl Stage {
    pub(super) fn new(watches: &str) -> Self {
        let visits = AtomicU64::new(0);
        let server = Server::start(move |request| match request.path.as_str() {
            "/robots.txt" => Response::new(404, ""),
            "/busy" => Response::new(503, "").with("Retry-After", "600"),
            "/lively" => Response::html(format!("<p>{} visits", visits.fetch_add(1, Ordering::SeqCst))),
            path => Response::html(format!("<p>the page {path}")),
        });
        let defaults = FetchDefaults { allow: vec!["127.0.0.1".to_owned()], ..FetchDefaults::default() };
        let clock = ManualClock::new(start());
        let fetch = Noting {
            http: HttpFetcher::new(&defaults).unwrap(),
            clock: clock.clone(),
            asked: Mutex::default(),
            passed: Mutex::default(),
        };
        let stage = Self {
            data: tempfile::tempdir().unwrap(),
            clock,
            fetch: Arc::new(fetch),
            options: Options {
                look: None,
                manners: Manners { delay: Span::from_milliseconds(0), per_host: 1 },
                ..Options::of(&WatchDefaults::default(), &defaults)
            },
            server,
        };
        stage.write(watches);
        stage
    }

    fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// `PATH SCHEDULE` a line.
    fn write(&self, watches: &str) {
        let entry = |line: &str| {
            let (path, schedule) = line.trim().split_once(' ').unwrap();
            let id = path.trim_start_matches('/');
            format!("[[watch]]\nid = \"{id}\"\nurl = \"http://{}{path}\"\nschedule = \"{schedule}\"\n", self.address())
        };
        let text: String = watches.lines().filter(|line| !line.trim().is_empty()).map(entry).collect();
        std::fs::create_dir_all(self.data.path().join("watches")).unwrap();
        std::fs::write(self.data.path().join("watches/watches.toml"), text).unwrap();
    }

    pub(super) fn daemon(&self) -> Daemon {
        let data: &Path = self.data.path();
        Daemon::new(Parts {
            archive: Arc::new(Archive::open_at(data).unwrap()),
            fetch: Arc::clone(&self.fetch) as Arc<dyn Fetch>,
            teller: Arc::new(Teller::new(Targets::default(), Arc::new(Nobody), data).unwrap()),
            clock: Arc::new(self.clock.clone()),
            source: Box::new(Files::new(data.to_owned(), std::collections::BTreeSet::new())),
            options: self.options,
        })
        .unwrap()
    }

    fn start(&self) -> Running {
        let daemon = self.daemon();
        let (handle, status) = (daemon.handle(), daemon.status());
        let thread = thread::spawn(move || {
            let ended = daemon.run(|| {});
            daemon.close();
            ended
        });
        Running { handle, status, thread }
    }

    pub(super) fn later(&self, minutes: i64) -> Time {
        Time::from_microseconds(self.clock.now().microseconds() + minutes * 60_000_000)
    }

    /// When a page was asked for, in minutes since the beginning.
    fn asked(&self, path: &str) -> Vec<i64> {
        let start = start();
        let url = format!("http://{}{path}", self.address());
        let asked = self.fetch.asked.lock().unwrap();
        let minutes = |(time, _): &(Time, u32)| (time.microseconds() - start.microseconds()) / 60_000_000;
        asked.get(&url).map(|times| times.iter().map(minutes).collect()).unwrap_or_default()
    }
}

impl Stage {
    /// When a page was asked for, in minutes that have passed, whatever the clock showed.
    fn passed(&self, path: &str) -> Vec<u64> {
        let url = format!("http://{}{path}", self.address());
        let passed = self.fetch.passed.lock().unwrap();
        passed.get(&url).map(|all| all.iter().map(|passed| passed.as_secs() / 60).collect()).unwrap_or_default()
    }

    /// Sets the clock so many minutes from the beginning, although no time passes.
    fn step(&self, minutes: i64) {
        self.clock.rest();
        self.clock.step(Time::from_microseconds(start().microseconds() + minutes * 60_000_000));
    }

    /// How often a page was fetched in each of its checks.
    fn fetches(&self, path: &str) -> Vec<u32> {
        let asked = self.fetch.asked.lock().unwrap();
        let times = asked.get(&format!("http://{}{path}", self.address()));
        times.map(|times| times.iter().map(|(_, count)| *count).collect()).unwrap_or_default()
    }
}

impl Running {
    fn stop(self) {
        self.handle.stop();
        self.thread.join().unwrap().unwrap();
    }
}

/// The times between one check and the next.
fn gaps(minutes: &[i64]) -> Vec<i64> {
    minutes.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn each_watch_is_checked_as_often_as_it_says() {
    let stage = Stage::new("/a 10m\n/b 1h\n/c 0 9 * * *");
    let running = stage.start();
    stage.clock.go_to(stage.later(24 * 60));
    running.stop();
    let (tens, hours) = (stage.asked("/a"), stage.asked("/b"));
    assert!((143..=146).contains(&tens.len()) && (24..=26).contains(&hours.len()), "{tens:?} {hours:?}");
    assert!(gaps(&tens)[1..].iter().all(|gap| (9..=11).contains(gap)), "{tens:?}");
    assert_eq!(stage.asked("/c").len(), 2, "when it is new, and at nine");
}

#[test]
fn a_page_is_fetched_again_in_its_first_check_and_once_it_is_known_only_once() {
    let stage = Stage::new("/a 10m\n/lively 10m");
    let running = stage.start();
    stage.clock.go_to(stage.later(3 * 60));
    running.stop();
    let (still, lively) = (stage.fetches("/a"), stage.fetches("/lively"));
    assert!(still[0] == 2 && still[1..].iter().all(|count| *count == 1), "{still:?}");
    assert!(lively[0] >= 2 && lively[1..].iter().all(|count| *count <= 4), "{lively:?}");
}

#[test]
fn a_restart_asks_nobody_before_it_is_time() {
    let stage = Stage::new("/a 10m\n/b 1h");
    for _ in 0..12 {
        let running = stage.start();
        stage.clock.go_to(stage.later(5));
        running.stop();
    }
    let (tens, hours) = (stage.asked("/a").len(), stage.asked("/b").len());
    assert!((6..=8).contains(&tens) && (1..=2).contains(&hours), "{tens} {hours}");
}

#[test]
fn a_machine_that_slept_checks_everything_once() {
    let stage = Stage::new("/a 10m\n/b 10m\n/c 10m");
    let running = stage.start();
    stage.clock.go_to(stage.later(60));
    let before = ["/a", "/b", "/c"].map(|path| stage.asked(path).len());
    stage.clock.set(stage.later(7 * 24 * 60));
    stage.clock.go_to(stage.later(4));
    running.stop();
    let after = ["/a", "/b", "/c"].map(|path| stage.asked(path).len());
    assert_eq!(after, before.map(|count| count + 1));
}

#[test]
fn after_a_sleep_checks_are_spread_again() {
    let watches: String = (0..200).map(|number| format!("/p{number} 1h\n")).collect();
    let stage = Stage::new(&watches);
    let running = stage.start();
    stage.clock.go_to(stage.later(90));
    stage.clock.set(stage.later(24 * 60));
    let woken = stage.clock.now();
    stage.clock.go_to(stage.later(10));
    running.stop();
    let asked = stage.fetch.asked.lock().unwrap();
    let mut since: Vec<_> = asked.values().flatten().map(|(time, _)| *time).filter(|time| *time >= woken).collect();
    since.sort_unstable();
    let at_once = since.iter().filter(|time| time.distance(woken) < 1_000_000).count();
    // Two hundred of them, ten in a second.
    assert!(since.len() >= 200 && at_once < 50, "{at_once} of {}", since.len());
}

#[test]
fn versions_that_need_not_be_kept_are_removed_while_checks_go_on() {
    let stage = Stage::new("/lively 10m");
    let place = stage.data.path().join("watches/watches.toml");
    let rules = "keep = \"versions\"\nlearn = false\nretention = { keep = 5, reported-too = true }\n";
    std::fs::write(&place, std::fs::read_to_string(&place).unwrap() + rules).unwrap();
    let running = stage.start();
    // Captures are removed ten minutes after the start, and every six hours.
    stage.clock.go_to(stage.later(13 * 60));
    let metrics = running.status.metrics();
    let (removed, freed) = (metrics.removed.get(), metrics.freed_bytes.get());
    let (troubles, checks) = (running.status.troubles(), stage.asked("/lively").len() as u64);
    running.stop();
    assert!(troubles.is_empty() && checks > 70, "{checks}: {troubles:?}");
    assert!(removed > 60 && freed > 0, "{removed} captures, {freed} bytes");
    let archive = Archive::open_at(stage.data.path()).unwrap();
    let captures = archive.captures_of(&format!("http://{}/lively", stage.address())).unwrap();
    assert!((5..=12).contains(&captures.len()), "the last five, and those of an hour: {}", captures.len());
    assert!(captures.iter().all(|stored| archive.read(stored, 1 << 20).is_ok()));
}

#[test]
fn what_a_rule_would_remove_is_said_before_anything_is_removed() {
    let stage = Stage::new("/lively 10m");
    let place = stage.data.path().join("watches/watches.toml");
    let rules = "keep = \"versions\"\nlearn = false\nretention = { keep = 5, reported-too = true }\n";
    let running = stage.start();
    stage.clock.go_to(stage.later(3 * 60));
    running.stop();
    std::fs::write(&place, std::fs::read_to_string(&place).unwrap() + rules).unwrap();
    let archive = Archive::open_at(stage.data.path()).unwrap();
    let read = || crate::watches::Watches::read(stage.data.path(), &std::collections::BTreeSet::new()).unwrap();
    let mut announced = super::retain::Announced::default();
    let mut step = |watches: &[crate::watches::Watch]| {
        let done = super::retain::retain(&archive, watches, stage.clock.now(), &mut announced, &|| false).unwrap();
        (done.announced > 0, done.captures > 0)
    };
    let watches: Vec<_> = read().iter().cloned().collect();
    assert_eq!(step(&watches), (true, false), "only said");
    assert_eq!(step(&watches), (false, true), "done");
    // Another rule is said first too.
    let text = std::fs::read_to_string(&place).unwrap();
    std::fs::write(&place, text.replace("keep = 5,", "keep = 2,")).unwrap();
    let watches: Vec<_> = read().iter().cloned().collect();
    assert_eq!(step(&watches), (true, false), "only said");
    assert_eq!(step(&watches), (false, true), "done");
}

#[test]
fn a_rule_that_was_taken_back_and_comes_again_is_said_again() {
    let stage = Stage::new("/lively 10m");
    let place = stage.data.path().join("watches/watches.toml");
    let running = stage.start();
    stage.clock.go_to(stage.later(60));
    running.stop();
    let text = std::fs::read_to_string(&place).unwrap();
    let archive = Archive::open_at(stage.data.path()).unwrap();
    let mut announced = super::retain::Announced::default();
    let mut step = |rules: &str| {
        std::fs::write(&place, format!("{text}{rules}")).unwrap();
        let watches = crate::watches::Watches::read(stage.data.path(), &std::collections::BTreeSet::new()).unwrap();
        let watches: Vec<_> = watches.iter().cloned().collect();
        let done = super::retain::retain(&archive, &watches, stage.clock.now(), &mut announced, &|| false).unwrap();
        (done.announced > 0, done.captures > 0)
    };
    let rules = "retention = { keep = 2, reported-too = true }\n";
    assert_eq!(step(rules), (true, false), "only said");
    assert_eq!(step(""), (false, false));
    assert_eq!(step(rules), (true, false), "only said");
    assert_eq!(step(rules), (false, true), "done");
}

#[test]
fn a_version_that_an_event_shows_is_not_removed() {
    let stage = Stage::new("/lively 10m");
    let place = stage.data.path().join("watches/watches.toml");
    let rules = "keep = \"versions\"\nlearn = false\nretention = { keep = 5 }\n";
    std::fs::write(&place, std::fs::read_to_string(&place).unwrap() + rules).unwrap();
    let running = stage.start();
    stage.clock.go_to(stage.later(7 * 60));
    let (removed, events) =
        (running.status.metrics().removed.get(), running.status.metrics().events.with_label_values(&["changed"]).get());
    running.stop();
    assert!(events > 30, "{events}");
    assert_eq!(removed, 0, "each version is shown by an event");
}

#[test]
fn a_check_that_panics_costs_that_check() {
    let stage = Stage::new("/panic 10m\n/a 10m");
    let running = stage.start();
    stage.clock.go_to(stage.later(60));
    let errors = running.status.metrics().checks.with_label_values(&["error"]).get();
    running.stop();
    assert!(stage.asked("/a").len() >= 6 && errors >= 6, "{errors}");
}

#[test]
fn a_host_that_asks_to_be_left_alone_is() {
    let stage = Stage::new("/busy 5m\n/a 5m\n/b 5m");
    let running = stage.start();
    stage.clock.go_to(stage.later(120));
    running.stop();
    // Whenever the busy page was asked for, nobody asked the host for ten minutes.
    let busy = stage.asked("/busy");
    let others: Vec<i64> = [stage.asked("/a"), stage.asked("/b")].concat();
    let is_alone = |at: &i64| others.iter().all(|other| !(*at + 1..*at + 9).contains(other));
    assert!(busy.len() >= 2 && busy.iter().all(is_alone), "{busy:?} {others:?}");
    assert!(!others.is_empty());
}

#[test]
fn a_file_that_changes_is_read_and_a_wrong_one_changes_nothing() {
    let mut stage = Stage::new("/a 10m");
    stage.options.look = Some(Span::from_seconds(10));
    let running = stage.start();
    stage.clock.go_to(stage.later(30));
    stage.write("/a 10m\n/b 10m");
    stage.clock.go_to(stage.later(30));
    assert!(stage.asked("/b").len() >= 2);
    let place = stage.data.path().join("watches/watches.toml");
    std::fs::write(&place, "[[watch]]\nurls = 'http://x.example/'\n").unwrap();
    stage.clock.go_to(stage.later(30));
    let troubles = running.status.troubles();
    assert!(troubles.len() == 1 && troubles[0].contains("a watch has no `url`"), "{troubles:?}");
    assert!(stage.asked("/b").len() >= 5, "what was watched before still is");
    stage.write("/b 10m");
    stage.clock.go_to(stage.later(30));
    let before = stage.asked("/a").len();
    stage.clock.go_to(stage.later(60));
    assert!(running.status.troubles().is_empty());
    assert_eq!(stage.asked("/a").len(), before, "it is not watched any more");
    running.stop();
}

#[test]
fn a_watch_that_is_removed_with_its_history_and_added_again_begins_anew() {
    let mut stage = Stage::new("/lively 10m");
    stage.options.look = Some(Span::from_seconds(10));
    let running = stage.start();
    stage.clock.go_to(stage.later(30));
    let made = |outcome: &str| running.status.metrics().checks.with_label_values(&[outcome]).get();
    assert_eq!((made("first"), made("changed") > 0), (1, true));
    // `watch remove --forget` and `watch add`, before the daemon looks at the files again.
    let catalog = Catalog::open(stage.data.path().join("catalog.db")).unwrap();
    assert!(catalog.remove_watch("lively").unwrap());
    stage.write("/lively 10m");
    stage.clock.go_to(stage.later(30));
    assert_eq!(made("first"), 2, "what was remembered of it is not used");
    running.stop();
}

#[test]
fn auto_checks_a_lively_page_more_often_than_a_quiet_one() {
    let mut stage = Stage::new("/lively auto\n/quiet auto");
    stage.options.pacing.budget = 4.0;
    let running = stage.start();
    stage.clock.go_to(stage.later(5 * 24 * 60));
    running.stop();
    let (lively, quiet) = (stage.asked("/lively"), stage.asked("/quiet"));
    assert!(lively.len() > 5 * quiet.len(), "{} beside {}", lively.len(), quiet.len());
    let budget = 4 * 5 * 24;
    assert!(lively.len() + quiet.len() <= budget * 11 / 10, "{} checks", lively.len() + quiet.len());
    assert!(*gaps(&quiet).last().unwrap() >= 12 * 60, "{quiet:?}");
}

#[test]
fn once_is_once_and_says_what_was_found() {
    let stage = Stage::new("/lively 10m\n/a 10m\n/panic 10m");
    let check = || {
        let mut found = BTreeMap::new();
        let daemon = stage.daemon();
        let tally = daemon
            .check(&|_| true, &mut |(watch, result)| {
                found.insert(watch.id.to_string(), result.as_ref().ok().map(|checked| checked.outcome));
            })
            .unwrap();
        daemon.close();
        (tally, found)
    };
    let (first, found) = check();
    assert_eq!((first.checked, first.failed, first.events.len()), (3, 1, 0));
    assert_eq!((found["lively"], found["panic"]), (Some(Outcome::First), None));
    stage.clock.set(stage.later(1));
    let (second, found) = check();
    assert_eq!((second.checked, second.events.len()), (3, 1), "{second:?}");
    assert_eq!((found["lively"], found["a"]), (Some(Outcome::Changed), Some(Outcome::Unchanged)));
}

const DAY: i64 = 24 * 60;

#[test]
fn a_clock_that_is_set_back_or_forward_stops_no_checks() {
    let mut stage = Stage::new("/a 10m\n/b 1h");
    stage.options.look = Some(Span::from_seconds(10));
    let running = stage.start();
    stage.clock.go_to(stage.later(120));
    for (set, added) in [(-120, "/c"), (-400 * DAY, "/d"), (3_650 * DAY, "/e"), (0, "/f")] {
        let before = (stage.passed("/a").len(), stage.passed("/b").len());
        stage.step(set);
        stage.write(&format!("/a 10m\n/b 1h\n{added} 10m"));
        stage.clock.go_to(stage.later(120));
        let (tens, hours) = (stage.passed("/a").len() - before.0, stage.passed("/b").len() - before.1);
        assert!((11..=13).contains(&tens) && (2..=3).contains(&hours), "{set}: {tens} {hours}");
        assert!(stage.passed(added).len() >= 11, "{set}: the files are read: {:?}", stage.passed(added));
    }
    running.stop();
    let gaps: Vec<u64> = stage.passed("/a").windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps.iter().all(|gap| (4..=16).contains(gap)), "{gaps:?}");
}

#[test]
fn a_cron_line_follows_the_clock_that_is_set() {
    let stage = Stage::new("/c 0 9 * * *");
    let running = stage.start();
    // New, and at nine.
    stage.clock.go_to(stage.later(6 * 60));
    assert_eq!(stage.passed("/c").len(), 2);
    stage.step(2 * 60);
    stage.clock.go_to(stage.later(2 * 60));
    assert_eq!(stage.passed("/c").len(), 3, "it is nine again");
    stage.step(DAY + 6 * 60);
    stage.clock.go_to(stage.later(60));
    running.stop();
    assert_eq!(stage.passed("/c").len(), 4, "nine was left out");
}

#[test]
fn a_host_is_left_alone_for_the_time_that_it_asks_for_whatever_the_clock_shows() {
    let stage = Stage::new("/busy 5m\n/a 5m");
    let running = stage.start();
    for set in [-120, 300, -300 * DAY, 20, 0] {
        stage.clock.go_to(stage.later(7));
        stage.step(set);
    }
    stage.clock.go_to(stage.later(60));
    running.stop();
    let (busy, other) = (stage.passed("/busy"), stage.passed("/a"));
    let is_alone = |at: &u64| !busy.iter().chain(&other).any(|time| (*at + 1..*at + 9).contains(time));
    assert!(busy.len() >= 3 && busy.iter().all(is_alone), "{busy:?} {other:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn no_sequence_of_steps_stops_the_daemon_or_makes_it_hurry(
        steps in prop::collection::vec((1_i64..40, -600 * DAY..4_000 * DAY), 1..6),
    ) {
        let stage = Stage::new("/a 10m\n/b 13m");
        let running = stage.start();
        for (minutes, set) in steps {
            stage.clock.go_to(stage.later(minutes));
            stage.step(set);
        }
        stage.clock.go_to(stage.later(60));
        let end = stage.clock.read().passed.as_secs() / 60;
        running.stop();
        for (path, interval) in [("/a", 10), ("/b", 13)] {
            let times = stage.passed(path);
            let gaps: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            prop_assert!(gaps.iter().all(|gap| (interval / 2 - 1..=interval * 3 / 2 + 1).contains(gap)), "{:?}", times);
            prop_assert!(end - times.last().unwrap() <= interval * 3 / 2 + 1, "{:?} until {}", times, end);
        }
    }
}
