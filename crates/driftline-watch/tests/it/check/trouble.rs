//! Servers that do not answer, pages that are gone, and how both end.

use std::sync::Arc;

use driftline::event::Kind;
use driftline::span::Span;
use driftline_watch::check::Outcome;
use driftline_watch::schedule::Schedule;
use driftline_watch::watches::{Settings, Watch};

use super::stage::{Reply, Stage, kinds, plain};

const URL: &str = "http://example.org/news";

#[test]
fn a_short_outage_is_retried_and_told_to_nobody() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.serve(&watch, "<p>a");
    stage.script.set(URL, Reply::Timeout);
    let failed = stage.check(&watch);
    assert_eq!((failed.outcome, failed.events.len()), (Outcome::Failed, 0));
    assert_eq!(failed.failure.as_deref(), Some("no answer in time: no first byte in 30s"));
    assert_eq!(failed.next.unwrap().distance(stage.now), 300_000_000);
    let back = stage.serve(&watch, "<p>a");
    assert_eq!((back.outcome, back.events.len(), back.failure), (Outcome::Unchanged, 0, None));
}

#[test]
fn an_outage_that_lasts_is_told_once_and_so_is_its_end() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.serve(&watch, "<p>a");
    stage.script.set(URL, Reply::Status(503));
    let told: Vec<_> = (0..8).flat_map(|_| stage.check(&watch).events).collect();
    assert_eq!(kinds(&told), [Kind::CheckFailing]);
    assert!(told[0].summary.contains("503"), "{}", told[0].summary);
    let back = stage.serve(&watch, "<p>b");
    assert_eq!(kinds(&back.events), [Kind::CheckRecovered, Kind::Changed]);
    assert_eq!(back.events[0].since, told[0].since);
    assert_eq!(stage.check(&watch).events.len(), 0);
}

#[test]
fn a_check_that_failed_is_not_repeated_outside_of_the_windows() {
    let mut stage = Stage::new();
    // It is midnight on a Thursday.
    let schedule = Schedule {
        windows: vec!["thu 00:00-00:22".parse().unwrap()],
        zone: "UTC".parse().unwrap(),
        ..Schedule::every(Span::from_seconds(600))
    };
    let settings = Arc::new(Settings { schedule, ..Settings::default() });
    let watch = Watch { settings, ..plain(URL) };
    stage.script.set(URL, Reply::Timeout);
    let retry = stage.check(&watch).next.unwrap();
    assert_eq!(retry.distance(stage.now), 300_000_000, "within the window");
    let next = stage.check(&watch).next.unwrap();
    assert!(next.distance(stage.now) > 6 * 86_400_000_000, "a week later, not at half past twelve: {next}");
}

#[test]
fn what_only_people_can_mend_is_told_at_once() {
    let lasting = [
        (Reply::Refused, "the address is private"),
        (Reply::Robots, "robots.txt"),
        (Reply::Unsendable, "the header `x`"),
    ];
    for (reply, said) in lasting {
        let mut stage = Stage::new();
        stage.script.set(URL, reply);
        let told = stage.check(&plain(URL));
        assert_eq!(kinds(&told.events), [Kind::CheckFailing]);
        assert!(told.events[0].summary.contains(said) && !told.events[0].summary.contains('\n'));
        assert_eq!(stage.check(&plain(URL)).events.len(), 0);
    }
}

#[test]
fn a_host_is_left_alone_only_if_it_is_too_busy_or_not_to_be_reached() {
    let mut stage = Stage::new();
    let mut is_overloaded = |reply: Reply| {
        stage.script.set(URL, reply);
        stage.check(&plain(URL)).is_overloaded
    };
    assert!([Reply::Timeout, Reply::Status(429), Reply::Status(503)].into_iter().all(&mut is_overloaded));
    let others = [Reply::Unsendable, Reply::Circle, Reply::Refused, Reply::Robots, Reply::Status(500)];
    assert!(!others.into_iter().any(is_overloaded));
}

#[test]
fn a_page_is_gone_after_a_day_and_back_when_it_answers() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.serve(&watch, "<p>a");
    stage.script.set(URL, Reply::Status(404));
    assert_eq!(stage.check(&watch).outcome, Outcome::Absent);
    stage.check(&watch);
    stage.check(&watch);
    stage.pass(24 * 60);
    let gone = stage.check(&watch);
    assert_eq!(kinds(&gone.events), [Kind::PageGone]);
    assert_eq!(stage.check(&watch).events.len(), 0);
    // An outage meanwhile is no recovery.
    stage.script.set(URL, Reply::Timeout);
    stage.check(&watch);
    let back = stage.serve(&watch, "<p>a");
    assert_eq!(kinds(&back.events), [Kind::PageBack]);
}

#[test]
fn a_short_404_is_told_to_nobody() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.serve(&watch, "<p>a");
    stage.script.set(URL, Reply::Status(410));
    let told: usize = (0..20).map(|_| stage.check(&watch).events.len()).sum();
    assert_eq!(told + stage.serve(&watch, "<p>a").events.len(), 0);
}

#[test]
fn the_first_answer_of_a_failure_is_archived() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.serve(&watch, "<p>a");
    stage.script.set(URL, Reply::Status(404));
    (0..4).for_each(|_| drop(stage.check(&watch)));
    let statuses: Vec<_> =
        stage.context.archive.captures_of(URL).unwrap().into_iter().map(|stored| stored.capture.status).collect();
    assert_eq!(statuses, [Some(200), Some(404)]);
}
