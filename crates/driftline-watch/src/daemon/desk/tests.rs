//! Do errands go by the clock, and on, whatever stands in the catalog?

use std::collections::BTreeSet;
use std::path::Path;

use driftline_catalog::{NewEvent, Settlement};
use driftline_report::message::sample;
use driftline_testkit::receiver::Receiver;
use driftline_testkit::server::{Response, Server};
use serde_json::{Value, json};

use super::super::Files;
use super::super::tests::Nobody;
use super::*;
use crate::clock::ManualClock;
use crate::tell::Targets;

/// So many minutes after 17:59.
fn at(minutes: i64) -> Time {
    let start: Time = "2026-03-02T17:59:00Z".parse().unwrap();
    Time::from_microseconds(start.microseconds() + minutes * 60_000_000)
}

/// A desk with one target, on a clock that stands at 17:59.
fn desk(data: &Path, clock: &ManualClock, url: &str, settings: &str) -> Desk {
    let targets = format!("[hook]\ntype = 'webhook'\nurl = '{url}'\n{settings}\n");
    let targets = Targets::read(&targets.parse().unwrap()).unwrap();
    Desk {
        handle: Handle::default(),
        announced: Mutex::default(),
        archive: Arc::new(Archive::open_at(data).unwrap()),
        teller: Arc::new(Teller::new(targets, Arc::new(Nobody), data).unwrap()),
        roster: Arc::default(),
        source: Mutex::new(Box::new(Files::new(data.to_owned(), BTreeSet::new()))),
        clock: Arc::new(clock.clone()),
        status: Arc::default(),
    }
}

/// A target that takes so many minutes for each message, and then answers this.
fn slow(clock: &ManualClock, status: u16) -> Server {
    let clock = clock.clone();
    Server::start(move |_| {
        clock.set(Time::from_microseconds(clock.now().microseconds() + 5 * 60_000_000));
        Response::new(status, "well")
    })
}

/// An event of a site that waits until 17:59, with what it says.
fn held(key: &str, site: &str) -> NewEvent {
    let event = Event {
        key: key.to_owned(),
        site: site.to_owned(),
        watch: Some(key.to_owned()),
        tags: Vec::new(),
        ..sample(driftline::event::Kind::ZoneLost)
    };
    NewEvent {
        key: event.key.clone(),
        at: event.at,
        kind: event.kind.name().to_owned(),
        url: event.url.clone(),
        site: event.site.clone(),
        watch: None,
        tags: Vec::new(),
        capture: None,
        older: None,
        reading: String::new(),
        importance: event.importance,
        release: Some(at(0)),
        body: serde_json::to_value(&event).unwrap(),
    }
}

impl Desk {
    fn hold(&self, new: Vec<NewEvent>) {
        self.catalog().settle(&Settlement { new, ..Settlement::default() }).unwrap();
    }

    /// The keys of the events that are released.
    fn released(&self) -> Vec<String> {
        let Outcome::Released(Ok((events, _))) = self.run(Errand::Release { until: at(0) }) else {
            panic!("the catalog failed")
        };
        events.into_iter().map(|event| event.key).collect()
    }

    /// When the next message is due, once all have been sent that are.
    fn told(&self) -> Option<Time> {
        let Outcome::Told(Ok((_, next))) = self.run(Errand::Tell) else { panic!("the catalog failed") };
        next
    }
}

/// The keys of the events that somebody was told.
fn keys(messages: &[Value]) -> BTreeSet<String> {
    let events = messages.iter().flat_map(|message| message["events"].as_array().unwrap());
    events.map(|event| event["key"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn each_message_of_a_long_round_has_its_own_time() {
    let (data, clock) = (tempfile::tempdir().unwrap(), ManualClock::new(at(0)));
    let target = slow(&clock, 200);
    let desk = desk(data.path(), &clock, &target.url("/"), "");
    desk.hold(vec![held("one", "a.example"), held("two", "a.example")]);
    assert_eq!(desk.released(), ["one", "two"]);
    assert_eq!(desk.told(), None);
    let sent = |request: &driftline_testkit::server::Request| -> Time {
        let message: Value = serde_json::from_slice(&request.body).unwrap();
        message["sent"].as_str().unwrap().parse().unwrap()
    };
    assert_eq!(target.requests().iter().map(sent).collect::<Vec<_>>(), [at(0), at(5)]);
    let mut settled: Vec<_> = desk
        .catalog()
        .deliveries(None, None, None, 9)
        .unwrap()
        .items
        .iter()
        .map(|told| told.settled.unwrap())
        .collect();
    settled.sort_unstable();
    assert_eq!(settled, [at(5), at(10)]);
}

#[test]
fn a_message_that_failed_slowly_is_not_tried_again_at_once() {
    let (data, clock) = (tempfile::tempdir().unwrap(), ManualClock::new(at(0)));
    let target = slow(&clock, 503);
    let desk = desk(data.path(), &clock, &target.url("/"), "");
    desk.hold(vec![held("one", "a.example")]);
    desk.released();
    let again = desk.told().unwrap();
    // A minute after it failed, a quarter more or less.
    assert!(at(5) < again && again < at(7), "{again}");
}

#[test]
fn a_digest_is_the_next_one_by_the_clock() {
    let (data, clock) = (tempfile::tempdir().unwrap(), ManualClock::new(at(0)));
    let desk = desk(data.path(), &clock, "http://127.0.0.1:9/", "digest = 'daily 18:00'");
    desk.hold(vec![held("one", "a.example")]);
    // The errand waited for its turn until the digest of today was out.
    clock.set(at(2));
    assert_eq!(desk.released(), ["one"]);
    assert_eq!(desk.catalog().next_delivery().unwrap(), Some(at(24 * 60 + 1)));
}

#[test]
fn an_event_that_cannot_be_read_is_reported_and_holds_up_nothing() {
    let (data, clock, receiver) = (tempfile::tempdir().unwrap(), ManualClock::new(at(0)), Receiver::start());
    let desk = desk(data.path(), &clock, &receiver.url(), "");
    let strange = NewEvent { body: json!({"format": 99}), ..held("strange", "a.example") };
    desk.hold(vec![strange, held("broken", "b.example"), held("one", "a.example"), held("two", "b.example")]);
    driftline_testkit::sqlite::execute(
        &data.path().join("catalog.db"),
        "UPDATE event SET body = '{\"format\": 1, \"ke' WHERE key = 'broken'",
    );
    assert_eq!(desk.released(), ["one", "two"]);
    assert_eq!(desk.told(), None);
    assert_eq!(keys(&receiver.take_json()), ["one", "two"].map(str::to_owned).into());
    assert_eq!(desk.catalog().next_release().unwrap(), None, "it does not come up again");
    let [trouble] = desk.status.troubles().try_into().unwrap();
    assert!(trouble.contains("could not be read") && trouble.contains("2, the last one `broken`"), "{trouble}");
    assert!(desk.released().is_empty());
    assert_eq!(desk.status.troubles(), [trouble], "what was not told stays untold");
}

#[test]
fn a_site_that_cannot_be_settled_holds_up_no_other_and_is_told_when_it_can() {
    let (data, clock, receiver) = (tempfile::tempdir().unwrap(), ManualClock::new(at(0)), Receiver::start());
    let desk = desk(data.path(), &clock, &receiver.url(), "");
    desk.hold(vec![held("one", "a.example"), held("two", "b.example")]);
    driftline_testkit::sqlite::execute(
        &data.path().join("catalog.db"),
        "UPDATE event SET importance = 'very' WHERE key = 'one'",
    );
    assert_eq!(desk.released(), ["two"]);
    assert_eq!(desk.told(), None);
    assert_eq!(keys(&receiver.take_json()), ["two".to_owned()].into());
    let [trouble] = desk.status.troubles().try_into().unwrap();
    assert!(trouble.starts_with("the events of a site cannot be released: `a.example`: "), "{trouble}");
    assert!(desk.released().is_empty());
    assert_eq!(desk.status.troubles(), [trouble], "nothing else is released, and it is still wrong");
    driftline_testkit::sqlite::execute(
        &data.path().join("catalog.db"),
        "UPDATE event SET importance = 0.5 WHERE key = 'one'",
    );
    assert_eq!(desk.released(), ["one"]);
    desk.told();
    assert_eq!(keys(&receiver.take_json()), ["one".to_owned()].into());
    assert_eq!(desk.status.troubles(), Vec::<String>::new());
}

#[test]
fn a_clock_that_is_set_back_holds_no_event_and_no_digest_longer() {
    let (data, clock) = (tempfile::tempdir().unwrap(), ManualClock::new(at(0)));
    let desk = desk(data.path(), &clock, "http://127.0.0.1:9/", "digest = 'daily 18:00'");
    let waiting = NewEvent { at: at(0), release: Some(at(10)), ..held("waiting", "a.example") };
    desk.hold(vec![waiting, held("found", "b.example")]);
    assert_eq!(desk.released(), ["found"]);
    assert_eq!(desk.catalog().next_delivery().unwrap(), Some(at(1)));
    // It was a day ahead.
    clock.step(at(-24 * 60));
    desk.rebase(Change { step: Step::by(-24 * 3_600_000_000), before: at(0) }).unwrap();
    assert_eq!(desk.catalog().next_delivery().unwrap(), Some(at(1 - 24 * 60)), "today at six");
    assert_eq!(desk.catalog().next_release().unwrap(), Some(at(-24 * 60)), "found tomorrow, so the wait means nothing");
}
