//! Retention while captures are appended: what goes, what stays, and when segments are written again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::json;

use super::super::super::retention::Retention;
use super::super::super::sample::{PAGE, append, archive, capture, day, of_day, texts};
use super::super::super::verify::{Depth, verify};
use super::super::PageRules;
use super::*;
use crate::capture::{Capture, Content};
use driftline_catalog::{CaptureKind, NewEvent, Record, Watch, WatchState};

const NEVER: &dyn Fn() -> bool = &|| false;

fn rules(retention: Retention) -> Compact {
    let page = PageRules { urls: vec![PAGE.into()], rules: vec![retention], watch: "w".into(), judged: None };
    Compact { pages: vec![page], now: day(100), mode: Mode::Real, ..Compact::default() }
}

fn keep(count: u64) -> Retention {
    Retention { keep: Some(count), ..Retention::default() }
}

fn says(archive: &Archive) -> Vec<String> {
    texts(archive, PAGE).into_iter().map(|(_, text)| text).collect()
}

fn assert_well(archive: &Archive) {
    let verified = verify(archive, Depth::Records, &|_| ()).unwrap();
    assert_eq!(verified.problems, [], "{verified:?}");
}

/// An event of a check that compared the captures of two days.
fn event(older: i64, newer: i64) -> Record {
    let body = json!({ "url": PAGE, "versions": { "old": day(older).to_string(), "new": day(newer).to_string() } });
    let event = NewEvent {
        key: format!("{older}-{newer}"),
        at: day(newer),
        kind: "changed".into(),
        url: PAGE.into(),
        site: "example.org".into(),
        watch: Some("w".into()),
        tags: Vec::new(),
        capture: None,
        older: None,
        reading: String::new(),
        importance: 0.5,
        release: None,
        body,
    };
    let (uuid, url, title) = ("w".into(), PAGE.into(), String::new());
    let watch = Watch { uuid, url, title, tags: Vec::new(), settings: json!({}), created: day(0), ..Watch::default() };
    let state = WatchState::default();
    Record { watch, state, change: None, events: vec![event], stream: None, members: None }
}

#[test]
fn captures_go_while_the_archive_is_open_and_once_is_enough() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(folder.path()).unwrap();
    append(&archive, PAGE, &["one", "two", "three", "four"]);
    append(&archive, "http://example.org/other", &["one", "two"]);
    let before = of_day(&archive, 3);
    let step = retain(&archive, &rules(keep(2)), &Limits::default(), NEVER).unwrap();
    assert_eq!((step.gone.len(), step.waiting, step.is_more), (2, 0, false));
    assert!(step.gone.iter().all(|gone| gone.watch.as_deref() == Some("w")) && step.freed > 0, "{step:?}");
    assert_eq!(says(&archive), ["three", "four"]);
    assert_eq!(texts(&archive, "http://example.org/other").len(), 2);
    let found = archive.read(&before, 1 << 20).unwrap();
    assert!(String::from_utf8_lossy(found.body()).contains("four"), "its row was read before it was moved");
    let again = retain(&archive, &rules(keep(2)), &Limits::default(), NEVER).unwrap();
    assert_eq!(again, Step::default());
    append(&archive, PAGE, &["five"]);
    assert_well(&archive);
}

#[test]
fn versions_that_an_event_shows_and_those_that_are_needed_stay() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one", "two", "three", "four", "five", "six"]);
    archive.catalog().record(&[event(0, 1)]).unwrap();
    let needed = vec![of_day(&archive, 3).id];
    let what = Compact { needed, ..rules(keep(1)) };
    assert_eq!(preview(&archive, &what).unwrap().len(), 2);
    retain(&archive, &what, &Limits::default(), NEVER).unwrap();
    assert_eq!(says(&archive), ["one", "two", "four", "six"]);
    let too = Compact { needed: what.needed, ..rules(Retention { reported_too: true, ..keep(1) }) };
    retain(&archive, &too, &Limits::default(), NEVER).unwrap();
    assert_eq!(says(&archive), ["four", "six"]);
    assert_eq!(
        archive
            .catalog()
            .events(&driftline_catalog::EventFilter { all: true, ..Default::default() })
            .unwrap()
            .items
            .len(),
        1
    );
    assert_well(&archive);
}

#[test]
fn what_was_not_judged_yet_stays() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one", "two", "three", "four"]);
    let mut what = rules(keep(1));
    what.pages[0].judged = Some(day(1));
    retain(&archive, &what, &Limits::default(), NEVER).unwrap();
    assert_eq!(says(&archive), ["three", "four"]);
}

#[test]
fn what_a_browser_made_of_a_page_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(folder.path()).unwrap();
    let target = "http://example.org/target";
    for number in 0..3 {
        let made = |url: &str, body: String| Capture {
            url: url.to_owned(),
            at: day(number),
            content: Content::Resource { content_type: "text/html".into(), body: body.into_bytes() },
            metadata: Vec::new(),
        };
        // The page itself never changes: scripts fill it.
        archive
            .append_all(&[
                capture(PAGE, number, "loading"),
                capture(target, number, "loading"),
                made(&format!("urn:dom:{target}"), format!("<p>{number}")),
                made(&format!("urn:view:{target}"), format!("picture {number}")),
            ])
            .unwrap();
    }
    let mut what = rules(keep(2));
    what.pages[0].urls.push(target.into());
    let step = retain(&archive, &what, &Limits::default(), NEVER).unwrap();
    // The first answers hold the body of all later ones.
    let mut gone: Vec<&str> = step.gone.iter().map(|gone| &*gone.url).collect();
    gone.sort_unstable();
    assert_eq!(gone, ["urn:dom:http://example.org/target", "urn:view:http://example.org/target"]);
    assert!(step.gone.iter().all(|gone| gone.at == day(0) && gone.is_version));
    assert_eq!(step.waiting, 0);
    assert_eq!(retain(&archive, &what, &Limits::default(), NEVER).unwrap(), Step::default());
    assert_eq!(of_day(&archive, 1).capture.kind, CaptureKind::Revisit);
    assert_eq!(texts(&archive, target).len(), 3);
    assert_well(&archive);
}

#[test]
fn a_large_segment_is_written_again_only_if_much_of_it_goes_or_it_is_old() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(folder.path()).unwrap();
    append(&archive, PAGE, &["one", "two"]);
    let mut random = fastrand::Rng::with_seed(1);
    let noise: String = (0..60_000).map(|_| random.alphanumeric()).collect();
    append(&archive, "http://example.org/large", &[&noise]);
    let limits = Limits { small: 0, ..Limits::default() };
    let what = |now| Compact { now, ..rules(keep(1)) };
    let step = retain(&archive, &what(day(20)), &limits, NEVER).unwrap();
    assert_eq!((step.gone.len(), step.waiting), (0, 1));
    assert_eq!(preview(&archive, &what(day(20))).unwrap().len(), 1);
    let step = retain(&archive, &what(day(40)), &limits, NEVER).unwrap();
    assert_eq!((step.gone.len(), step.waiting), (1, 0));
    append(&archive, PAGE, &["three"]);
    let all = Limits { share: 1_000_000, small: 0, ..Limits::default() };
    assert_eq!(retain(&archive, &what(day(41)), &all, NEVER).unwrap().gone.len(), 1);
    assert_well(&archive);
}

#[test]
fn a_step_reads_no_more_than_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let options = crate::archive::Options { segment_bytes: 1, ..crate::archive::Options::at(folder.path()) };
    let archive = Archive::open(&options).unwrap();
    append(&archive, PAGE, &["one", "two", "three", "four"]);
    let limits = Limits { most_bytes: 1, ..Limits::default() };
    let step = retain(&archive, &rules(keep(1)), &limits, NEVER).unwrap();
    assert_eq!((step.gone.len(), step.waiting, step.is_more), (1, 2, true));
    while retain(&archive, &rules(keep(1)), &limits, NEVER).unwrap().is_more {}
    assert_eq!(says(&archive), ["four"]);
    assert_well(&archive);
}

#[test]
fn nothing_goes_while_another_process_writes_or_when_it_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one", "two"]);
    let other = Archive::open_at(folder.path()).unwrap();
    let busy = retain(&archive, &rules(keep(1)), &Limits::default(), NEVER);
    assert!(matches!(busy, Err(CompactError::Busy)), "{busy:?}");
    other.append(&capture(PAGE, 2, "three")).unwrap();
    drop(other);
    let stopped = retain(&archive, &rules(keep(1)), &Limits::default(), &|| true);
    assert!(matches!(stopped, Err(CompactError::Stopped)), "{stopped:?}");
    assert_eq!(says(&archive).len(), 3);
    retain(&archive, &rules(keep(1)), &Limits::default(), NEVER).unwrap();
    assert_eq!(says(&archive), ["three"]);
    // And others may write again.
    Archive::open_at(folder.path()).unwrap().append(&capture(PAGE, 3, "four")).unwrap();
    assert_well(&archive);
}

#[test]
fn captures_that_are_appended_meanwhile_are_all_there_with_their_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(folder.path()).unwrap();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..300 {
                // Every other one refers to a body that may be on its way out.
                let text = if number % 2 == 0 { "again".to_owned() } else { number.to_string() };
                archive.append(&capture(PAGE, number, &text)).unwrap();
            }
            is_done.store(true, Ordering::SeqCst);
        });
        let mut gone = 0;
        while !is_done.load(Ordering::SeqCst) {
            gone += retain(&archive, &rules(keep(3)), &Limits::default(), NEVER).unwrap().gone.len();
        }
        assert!(gone > 0);
    });
    retain(&archive, &rules(keep(3)), &Limits::default(), NEVER).unwrap();
    let says = says(&archive);
    assert_eq!(says.last().unwrap(), "299");
    assert_well(&archive);
}
