//! Does retention remove what it may, and nothing else, on SQLite and on a real PostgreSQL alike?

use std::sync::Arc;

use driftline_archive::archive::Options;
use driftline_archive::capture::{Capture, Content};
use driftline_archive::care::compact::{Compact, Limits, Mode, PageRules, preview, retain};
use driftline_archive::care::retention::Retention;
use driftline_archive::care::verify::{Depth, verify};
use driftline_archive::{Archive, Time};
use driftline_catalog::{Change, NewEvent, Place, Record, Watch, WatchState};
use serde_json::json;

const PAGE: &str = "http://example.org/";

fn day(number: i64) -> Time {
    Time::from_microseconds(1_700_000_000_000_000 + number * 86_400_000_000)
}

fn capture(number: i64) -> Capture {
    let content = Content::Resource { content_type: "text/plain".to_owned(), body: number.to_string().into() };
    Capture { url: PAGE.to_owned(), at: day(number), content, metadata: Vec::new() }
}

/// A check that compared two captures; its event names the newer one by its number, and two others by their times.
fn record(older: i64, newer: i64, shown: [i64; 2]) -> Record {
    let (uuid, url, title) = ("w".to_owned(), PAGE.to_owned(), String::new());
    let watch = Watch { uuid, url, title, tags: Vec::new(), settings: json!({}), created: day(0), ..Watch::default() };
    let [first, second] = shown.map(|number| day(number).to_string());
    let event = NewEvent {
        key: "k".to_owned(),
        at: day(9),
        kind: "changed".to_owned(),
        url: "http://example.org/elsewhere".to_owned(),
        site: "example.org".to_owned(),
        watch: Some("w".to_owned()),
        tags: Vec::new(),
        capture: Some(newer),
        older: None,
        reading: String::new(),
        importance: 0.5,
        release: None,
        body: json!({ "url": "http://example.org/elsewhere", "versions": { "old": first, "new": second } }),
    };
    let change =
        Change { older, newer, recipe: 1, degree: 0.5, importance: None, body: json!({}), ..Change::default() };
    let state = WatchState { next: None, checked: Some(day(9)), body: json!({ "format": 1 }), ..WatchState::default() };
    Record { watch, state, change: Some(change), events: vec![event], stream: None, members: None }
}

fn keeps_what_events_show(catalog: Place) {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(&Options { catalog, ..Options::at(folder.path()) }).unwrap();
    let ids: Vec<i64> = (0..10).map(|number| archive.append(&capture(number)).unwrap().id).collect();
    archive.catalog().record(&[record(ids[1], ids[2], [4, 5])]).unwrap();
    assert_eq!(archive.catalog().newest().unwrap(), ids[9]);
    let states = archive.catalog().watch_states(0, 9).unwrap();
    assert_eq!(states.len(), 1);
    assert_eq!((states[0].1.as_str(), &states[0].2.body["format"]), ("w", &json!(1)));
    assert!(archive.catalog().watch_states(states[0].0, 9).unwrap().is_empty());
    let page = |reported_too| PageRules {
        urls: vec![Arc::from(PAGE)],
        rules: vec![Retention { keep: Some(1), reported_too, ..Retention::default() }],
        watch: "w".into(),
        judged: Some(day(9)),
    };
    let what = |too| Compact {
        pages: vec![page(too)],
        needed: vec![ids[7]],
        now: day(10),
        mode: Mode::Real,
        ..Compact::default()
    };
    let left = || -> Vec<i64> { archive.captures_of(PAGE).unwrap().into_iter().map(|own| own.id).collect() };
    assert_eq!(preview(&archive, &what(false)).unwrap().len(), 4);
    assert_eq!(left().len(), 10);
    retain(&archive, &what(false), &Limits::default(), &|| false).unwrap();
    assert_eq!(left(), [1, 2, 4, 5, 7, 9].map(|number: usize| ids[number]));
    retain(&archive, &what(true), &Limits::default(), &|| false).unwrap();
    assert_eq!(left(), [7, 9].map(|number: usize| ids[number]));
    assert!(archive.catalog().event("k").unwrap().is_some());
    assert_eq!(verify(&archive, Depth::Records, &|_| ()).unwrap().problems, []);
}

#[test]
fn retention_keeps_what_events_show_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    keeps_what_events_show(Place::File(folder.path().join("catalog.db")));
}

#[test]
fn retention_keeps_what_events_show_on_postgresql() {
    keeps_what_events_show(Place::parse(&driftline_testkit::postgres::database()).unwrap());
}
