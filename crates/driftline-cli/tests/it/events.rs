//! Does `events` list what happened, and who was told?

use std::path::Path;

use assert_cmd::Command;
use driftline::event::{Event, Kind};
use driftline_archive::{Archive, Time};
use driftline_catalog::{NewDelivery, NewEvent, Record, Settlement, Watch, WatchState};
use driftline_report::message::sample;
use serde_json::{Value, json};

fn driftline(data: &Path, arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::cargo_bin("driftline").unwrap();
    command.env_remove("DRIFTLINE_DATA").env_remove("DRIFTLINE_CATALOG");
    let output = command.arg("events").args(arguments).arg("--data").arg(data).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn at(hour: u32) -> Time {
    format!("2026-11-16T{hour:02}:00:00Z").parse().unwrap()
}

fn new(event: &Event, release: Option<Time>) -> NewEvent {
    NewEvent {
        key: event.key.clone(),
        at: event.at,
        kind: event.kind.name().to_owned(),
        url: event.url.clone(),
        site: event.site.clone(),
        watch: event.watch.clone(),
        tags: event.tags.clone(),
        capture: None,
        older: None,
        reading: String::new(),
        importance: event.importance,
        release,
        body: serde_json::to_value(event).unwrap(),
    }
}

/// A page that changed (told to `chat`, not to `mail`), one that was gone an hour before, and a change that is still held.
fn filled() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(data.path()).unwrap();
    let changed = Event { at: at(8), key: "aa".repeat(16), ..sample(Kind::Changed) };
    let gone = Event { at: at(7), key: "ab".repeat(16), tags: Vec::new(), ..sample(Kind::PageGone) };
    let gone = Event { name: "Evil \u{1b}[2J\nerror".to_owned(), ..gone };
    let held = Event { at: at(9), key: "cc".repeat(16), ..sample(Kind::Changed) };
    let (uuid, url) = ("opening-hours".to_owned(), changed.url.clone());
    let watch = Watch {
        uuid,
        url,
        title: String::new(),
        tags: Vec::new(),
        settings: json!({}),
        created: at(0),
        ..Watch::default()
    };
    let events = vec![new(&changed, None), new(&gone, None), new(&held, Some(at(10)))];
    let state = WatchState::default();
    archive.catalog().record(&[Record { watch, state, change: None, events, stream: None, members: None }]).unwrap();
    let delivery = |target: &str| NewDelivery {
        event: changed.key.clone(),
        target: target.to_owned(),
        key: format!("{target}-1"),
        due: at(8),
        batch: String::new(),
    };
    let deliveries = vec![delivery("chat"), delivery("mail")];
    archive.catalog().settle(&Settlement { deliveries, ..Settlement::default() }).unwrap();
    let ids: Vec<i64> =
        archive.catalog().due_deliveries(at(8), 9).unwrap().iter().map(|delivery| delivery.id).collect();
    archive.catalog().begin(&ids, at(8), at(9)).unwrap();
    archive.catalog().acknowledge(&ids[..1], at(8)).unwrap();
    archive.catalog().bury(&ids[1..], at(9), "550 no such mailbox").unwrap();
    archive.close().unwrap();
    data
}

fn keys(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.split_whitespace().next()).collect()
}

const CHANGED: &str = "aaaaaaaaaaaa";
const GONE: &str = "abababababab";
const HELD: &str = "cccccccccccc";

#[test]
fn events_are_listed_with_what_happened() {
    let data = filled();
    let (out, err, code) = driftline(data.path(), &[]);
    assert_eq!((keys(&out), err.as_str(), code), (vec![CHANGED, GONE], "", 1));
    let line = out.lines().next().unwrap();
    assert!(line.contains("2026-11-16T08:00:00Z") && line.contains("  changed  "), "{line}");
    assert!(line.contains("Opening hours: ") && line.contains("five → six"), "{line}");
    assert!(out.contains("Evil \u{fffd}[2J\u{fffd}error"), "text of pages never commands the terminal: {out}");
    let (out, _, _) = driftline(data.path(), &["--all"]);
    assert_eq!(keys(&out), [HELD, CHANGED, GONE]);
    assert!(out.contains("(held until 2026-11-16T10:00:00Z)"), "{out}");
}

#[test]
fn events_are_filtered() {
    let data = filled();
    let listed = |arguments: &[&str]| {
        let (out, err, code) = driftline(data.path(), arguments);
        assert_eq!(code, i32::from(!out.is_empty()), "{err}");
        keys(&out).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(listed(&["--kind", "page-gone", "--kind", "flapping"]), [GONE]);
    assert_eq!(listed(&["--tag", "museums"]), [CHANGED]);
    assert_eq!(listed(&["--site", "museum.example", "--watch", "opening-hours"]), [CHANGED, GONE]);
    assert_eq!(listed(&["--since", "2026-11-16T08:00:00Z"]), [CHANGED]);
    assert_eq!(listed(&["--until", "2026-11-16T08:00:00Z"]), [GONE]);
    assert!(listed(&["--importance", "1"]).is_empty());
    let (out, err, _) = driftline(data.path(), &["--limit", "1"]);
    assert_eq!(keys(&out), [CHANGED]);
    assert!(err.contains("only the latest 1") && err.contains("hint: "), "{err}");
}

#[test]
fn a_watch_is_named_as_elsewhere_even_if_it_is_watched_no_more() {
    let data = filled();
    let listed = |asked: &str| {
        let (out, err, code) = driftline(data.path(), &["--watch", asked]);
        (keys(&out).into_iter().map(str::to_owned).collect::<Vec<_>>(), err, code)
    };
    let both = (vec![CHANGED.to_owned(), GONE.to_owned()], String::new(), 1);
    assert_eq!(listed("opening-hours"), both, "no file has it any more");
    assert_eq!(listed("opening").2, 2, "only what is watched may be cut short");
    std::fs::create_dir(data.path().join("watches")).unwrap();
    let watches = "[[watch]]\nid = 'opening-hours'\nurl = 'https://museum.example/hours'\n\
                   [[watch]]\nid = 'quiet'\nurl = 'https://quiet.example/'\n";
    std::fs::write(data.path().join("watches/watches.toml"), watches).unwrap();
    for asked in ["opening-hours", "opening", "https://museum.example/hours"] {
        assert_eq!(listed(asked), both, "{asked}");
    }
    assert_eq!(listed("quiet"), (Vec::new(), String::new(), 0), "nothing happened to it");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let data = filled();
    for (arguments, told) in [
        (&["--kind", "odd"][..], "page-gone"),
        (&["--importance", "2"], "from 0 to 1"),
        (&["--since", "soon"], "such as 2h"),
        (&["--since", "yesterday"], "hint: write how long ago"),
        (&["--watch", "none"], "there is no watch `none`"),
        (&["show", "ff"], "there is no event `ff`"),
        (&["show", "a"], "more than one event begins with `a`"),
        (&["retry"], "KEY"),
    ] {
        let (out, err, code) = driftline(data.path(), arguments);
        assert_eq!((out.as_str(), code), ("", 2), "{arguments:?}");
        assert!(err.contains(told), "{err}");
    }
    let (_, err, code) = driftline(&data.path().join("none"), &[]);
    assert!(code == 2 && err.contains("hint: "), "{err}");
}

#[test]
fn before_the_first_check_nothing_has_happened() {
    let data = tempfile::tempdir().unwrap();
    for arguments in [&[][..], &["deliveries"]] {
        let (out, err, code) = driftline(data.path(), arguments);
        assert_eq!((out.as_str(), code), ("", 0), "{err}");
        assert!(err.starts_with("nothing has been checked yet\nhint: `driftline watch check --all`"), "{err}");
    }
}

#[test]
fn after_watch_add_nobody_is_sent_to_archive_import() {
    let data = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("driftline").unwrap();
        command.env_remove("DRIFTLINE_DATA").env_remove("DRIFTLINE_CATALOG");
        let output = command.args(arguments).arg("--data").arg(data.path()).output().unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
    };
    let url = "http://example.invalid/";
    assert_eq!(run(&["watch", "add", url, "--no-fetch"]).1, 0);
    for reads in [&["events"][..], &["archive", "list"], &["archive", "list", url], &["archive", "stats"]] {
        let (err, code) = run(reads);
        assert!(code == 0 && err.starts_with("nothing has been checked yet\nhint: "), "{reads:?}: {err}");
    }
    for reads in [&["watch", "list"][..], &["watch", "show", url], &["events", "--watch", url]] {
        let (err, code) = run(reads);
        assert!(code == 0 && !err.contains("archive import"), "{reads:?}: {err}");
    }
    let address = format!("{url}@first");
    for reads in [&["archive", "verify"][..], &["archive", "get", &address], &["diff", &address, &address]] {
        let (err, code) = run(reads);
        assert!(code == 2 && err.contains("watch check --all") && !err.contains("archive import"), "{reads:?}: {err}");
    }
}

#[test]
fn an_event_is_shown_with_its_words_and_deliveries() {
    let data = filled();
    let (out, _, code) = driftline(data.path(), &["show", CHANGED]);
    assert_eq!(code, 0);
    assert!(out.contains("Open from nine to [-five-] {+six, also on Sundays+}."), "{out}");
    assert!(out.contains("acknowledged  1 attempt    chat") && out.contains("550 no such mailbox"), "{out}");
    let (out, _, _) = driftline(data.path(), &["show", CHANGED, "--json"]);
    let event: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&event["kind"], &event["deliveries"][0]["state"]), (&json!("changed"), &json!("dead")));
}

#[test]
fn json_is_the_event_as_it_is_sent() {
    let data = filled();
    let (out, _, _) = driftline(data.path(), &["--json", "--all"]);
    let events: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[0]["held_until"], json!("2026-11-16T10:00:00Z"));
    let event: Event = serde_json::from_value(events[1].clone()).unwrap();
    assert_eq!(event, Event { at: at(8), key: "aa".repeat(16), ..sample(Kind::Changed) });
}

#[test]
fn dead_letters_are_listed_and_sent_again() {
    let data = filled();
    let (out, _, code) = driftline(data.path(), &["deliveries"]);
    assert_eq!((out.lines().count(), code), (3, 1), "two, and why one of them failed: {out}");
    let (out, _, _) = driftline(data.path(), &["deliveries", "--dead", "--event", CHANGED, "--json"]);
    let dead: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&dead["target"], &dead["error"]), (&json!("mail"), &json!("550 no such mailbox")));
    let (_, err, code) = driftline(data.path(), &["retry", GONE]);
    assert_eq!((err.as_str(), code), ("nothing of it failed\n", 0));
    let (_, err, code) = driftline(data.path(), &["retry", "--dead"]);
    assert_eq!((err.as_str(), code), ("1 delivery will be tried again\n", 0));
    let (out, _, code) = driftline(data.path(), &["deliveries", "--dead"]);
    assert_eq!((out.as_str(), code), ("", 0));
}
