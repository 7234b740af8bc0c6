//! Does exactly what should go, go, and does all that is kept come back as it was?

use super::super::choice::Reason;
use super::super::retention::Age;
use super::super::sample::{PAGE, append, archive, capture, day, of_day, texts};
use super::super::verify::{Depth, verify};
use super::*;
use crate::capture::{CREDENTIALS, Content, Credentials};
use driftline_catalog::{CaptureKind, Watch};

const DAY: i64 = 86_400_000_000;

fn keep(count: u64) -> Compact {
    Compact {
        retention: Retention { keep: Some(count), ..Retention::default() },
        now: day(100),
        mode: Mode::Real,
        ..Compact::default()
    }
}

fn run(archive: &mut Archive, what: &Compact) -> Outcome {
    compact(archive, what, &|_| ()).unwrap()
}

fn says(archive: &Archive) -> Vec<String> {
    texts(archive, PAGE).into_iter().map(|(_, text)| text).collect()
}

fn assert_well(archive: &Archive) {
    let verified = verify(archive, Depth::Records, &|_| ()).unwrap();
    assert_eq!(verified.problems, [], "{verified:?}");
}

/// Everything in the folder that is a segment, under whichever name.
fn segments(archive: &Archive) -> Vec<String> {
    let names = archive.folder().names().unwrap().into_iter().map(|(name, _)| name);
    names.filter(|name| name.contains(".warc.gz")).collect()
}

#[test]
fn the_oldest_versions_go_with_all_that_belongs_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = archive(folder.path(), &["one", "two", "two", "three", "four"]);
    let outcome = run(&mut archive, &keep(2));
    assert_eq!(says(&archive), ["three", "four"]);
    let reasons: Vec<_> = outcome.gone.iter().map(|gone| (gone.is_version, gone.reason)).collect();
    assert_eq!(reasons, [(true, Reason::TooMany), (true, Reason::TooMany), (false, Reason::TooMany)]);
    assert_eq!((outcome.kept, outcome.turned), (2, 0));
    assert!(outcome.freed() > 0);
    assert_well(&archive);
    let verified = verify(&archive, Depth::Records, &|_| ()).unwrap();
    // A `warcinfo` of the segment and one of the old one; and of each capture the answer, the question and the rest.
    assert_eq!((verified.segments, verified.records, verified.captures), (1, 2 + 2 * 3, 2));
    assert_eq!(segments(&archive).len(), 1);
}

#[test]
fn a_dry_run_changes_nothing_and_tells_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = archive(folder.path(), &["one", "two", "three"]);
    let before = segments(&archive);
    let dry = run(&mut archive, &Compact { mode: Mode::DryRun, ..keep(1) });
    assert_eq!((says(&archive).len(), segments(&archive)), (3, before));
    let real = run(&mut archive, &keep(1));
    assert_eq!((dry.gone, &dry.replaced, dry.kept), (real.gone.clone(), &real.replaced, real.kept));
    // All but the one record that says which program wrote the new segment.
    assert!(real.bytes_after - dry.bytes_after < 500, "{} {}", real.bytes_after, dry.bytes_after);
}

#[test]
fn an_unchanged_capture_takes_the_body_of_its_original_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = archive(folder.path(), &["same", "same", "same", "same"]);
    assert_eq!(of_day(&archive, 2).capture.kind, CaptureKind::Revisit);
    let (id, name) = (of_day(&archive, 2).id, of_day(&archive, 2).capture.record_id);
    let old = Retention { older_than: Some(Age(98 * DAY)), ..Retention::default() };
    let outcome = run(&mut archive, &Compact { retention: old, now: day(100), mode: Mode::Real, ..Compact::default() });
    assert_eq!((outcome.gone.len(), outcome.turned), (2, 2));
    assert_eq!(says(&archive), ["same", "same"]);
    let [heir, other] = [2, 3].map(|number| of_day(&archive, number));
    assert_eq!((heir.capture.kind, heir.id, &heir.capture.record_id), (CaptureKind::Response, id, &name));
    assert_eq!(heir.capture.payload_length, Some(50));
    assert_eq!(other.capture.refers_to.map(|original| original.at), Some(heir.capture.at));
    // Its own head, not that of its original.
    let record = archive.record(&of_day(&archive, 2), 1 << 20).unwrap();
    assert!(String::from_utf8_lossy(&record.block).contains("X-Day: 2\r\n\r\n<html>"));
    assert_well(&archive);
}

#[test]
fn a_turned_capture_says_whether_secrets_were_sent_for_its_head() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = Archive::open_at(folder.path()).unwrap();
    let sent = [Credentials::Sent, Credentials::None, Credentials::Sent, Credentials::None];
    // The second is "not modified": if it takes the body over, it takes the head of the first over, too.
    for (number, credentials) in (0..).zip(sent) {
        let mut capture = capture(PAGE, number, "same");
        if let Content::Http(exchange) = &mut capture.content {
            exchange.credentials = credentials;
            if number == 1 {
                exchange.head = b"HTTP/1.1 304 Not Modified\r\n\r\n".to_vec();
                exchange.body.clear();
            }
        }
        archive.append(&capture).unwrap();
    }
    archive.seal().unwrap();
    let old = Retention { older_than: Some(Age(99 * DAY)), ..Retention::default() };
    let outcome = run(&mut archive, &Compact { retention: old, now: day(100), mode: Mode::Real, ..Compact::default() });
    assert_eq!((outcome.gone.len(), outcome.turned), (1, 3));
    let said = [1, 2, 3].map(|number| {
        let record = archive.record(&of_day(&archive, number), 1 << 20).unwrap().record;
        let said: Vec<_> =
            record.headers.iter().filter(|(name, _)| *name == CREDENTIALS).map(|(_, said)| said.to_owned()).collect();
        said
    });
    assert_eq!(said, [["sent"], ["sent"], ["none"]]);
    assert_well(&archive);
}

#[test]
fn thinning_keeps_the_first_the_latest_and_the_largest_change() {
    let folder = tempfile::tempdir().unwrap();
    let page = |words: &str| format!("{words} and a long text that stays as it is all the time, day after day");
    let texts = [page("a"), page("b"), "all of it is new here".to_owned(), page("c"), page("d"), page("e")];
    let mut archive = archive(folder.path(), &texts.each_ref().map(String::as_str));
    let thin = Retention { thin: true, keep: Some(4), ..Retention::default() };
    run(&mut archive, &Compact { retention: thin, now: day(100), mode: Mode::Real, ..Compact::default() });
    let kept: Vec<String> = says(&archive);
    assert_eq!(kept, [&texts[0], &texts[2], &texts[3], &texts[5]].map(Clone::clone));
    assert_well(&archive);
}

#[test]
fn a_watch_may_have_a_rule_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = archive(folder.path(), &["one", "two", "three"]);
    let other = "http://example.org/other";
    append(&archive, other, &["one", "two", "three"]);
    let settings = serde_json::json!({ "retention": { "keep": 2 } });
    let mut watch = Watch {
        uuid: "1".into(),
        url: other.into(),
        title: String::new(),
        tags: Vec::new(),
        settings,
        created: day(0),
        ..Watch::default()
    };
    archive.catalog().put_watch(&watch).unwrap();
    let general = Compact { retention: Retention::default(), ..keep(1) };
    run(&mut archive, &general);
    assert_eq!((says(&archive).len(), texts(&archive, other).len()), (3, 2));
    watch.settings = serde_json::json!({ "retention": { "kepp": 2 } });
    archive.catalog().put_watch(&watch).unwrap();
    let refused = compact(&mut archive, &general, &|_| ()).unwrap_err().to_string();
    assert!(refused.contains(other) && refused.contains("kepp"), "{refused}");
}

#[test]
fn nobody_else_may_write_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = archive(folder.path(), &["one", "two"]);
    let other = Archive::open_at(folder.path()).unwrap();
    assert!(matches!(compact(&mut archive, &keep(1), &|_| ()), Err(CompactError::Busy)));
    assert_eq!(says(&archive).len(), 2);
    drop(other);
    run(&mut archive, &keep(1));
    assert_eq!(says(&archive), ["two"]);
    // And others may again.
    let other = Archive::open_at(folder.path()).unwrap();
    other.append(&capture(PAGE, 9, "three")).unwrap();
}

#[test]
fn what_was_interrupted_before_the_switch_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one", "two"]);
    let (copier, outcome) = work(&archive, &keep(1), &|_| ()).unwrap();
    drop(copier);
    assert_eq!(outcome.gone.len(), 1);
    assert!(segments(&archive).iter().any(|name| name.ends_with(".compacted")));
    drop(archive);
    let archive = Archive::open_at(folder.path()).unwrap();
    assert_eq!(archive.recovery().swept.len(), 1);
    assert_eq!((says(&archive).len(), segments(&archive).len()), (2, 1));
    assert_well(&archive);
}

#[test]
fn what_was_interrupted_after_the_switch_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one", "two"]);
    let (copier, outcome) = work(&archive, &keep(1), &|_| ()).unwrap();
    let (moved, turned, new) = copier.into_parts();
    let segment = |name: &str, state, bytes| Segment { name: name.to_owned(), state, bytes };
    let segments = vec![
        segment(&new[0].0, SegmentState::Closed, new[0].1),
        segment(&outcome.replaced[0], SegmentState::Dropped, 0),
    ];
    let dropped = vec![outcome.gone[0].id];
    archive.catalog().relocate(&Relocation { moved, turned, dropped, segments }).unwrap();
    // Even before anybody swept up, what is kept can be read.
    assert_eq!(says(&archive), ["two"]);
    drop(archive);
    let archive = Archive::open_at(folder.path()).unwrap();
    assert_eq!((archive.recovery().swept.len(), says(&archive)), (2, vec!["two".to_owned()]));
    assert_eq!(self::segments(&archive), [new[0].0.clone()]);
    assert_well(&archive);
}

#[test]
fn a_damaged_segment_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = archive(folder.path(), &["one", "two", "three"]);
    let record = of_day(&archive, 1);
    let path = archive.folder().closed(&record.segment);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[record.capture.offset as usize + 30] ^= 0xff;
    std::fs::write(&path, &bytes).unwrap();
    let refused = compact(&mut archive, &keep(1), &|_| ());
    assert!(
        matches!(&refused, Err(CompactError::Damaged { offset, .. }) if *offset == record.capture.offset),
        "{refused:?}"
    );
    assert_eq!(archive.captures_of(PAGE).unwrap().len(), 3);
    assert_eq!(segments(&archive).len(), 1);
}

#[test]
fn a_dry_run_that_thins_measures_without_keeping_and_while_others_write() {
    let folder = tempfile::tempdir().unwrap();
    let page = |words: &str| format!("{words} and a long text that stays as it is all the time, day after day");
    let texts = [page("a"), page("b"), "all of it is new here".to_owned(), page("c"), page("d"), page("e")];
    let mut writer = archive(folder.path(), &texts.each_ref().map(String::as_str));
    // In the open segment of somebody who is alive.
    writer.append(&capture(PAGE, 6, &page("f"))).unwrap();
    let settings = serde_json::json!({ "retention": { "keep": 4, "thin": true } });
    let (uuid, url, title) = ("1".into(), PAGE.into(), String::new());
    writer
        .catalog()
        .put_watch(&Watch { uuid, url, title, tags: Vec::new(), settings, created: day(0), ..Watch::default() })
        .unwrap();
    let what = |mode| Compact { retention: Retention::default(), now: day(100), mode, ..Compact::default() };
    let before = segments(&writer);
    let mut reader = Archive::open_to_read(&crate::archive::Options::at(folder.path())).unwrap();
    let dry = run(&mut reader, &what(Mode::DryRun));
    assert_eq!((segments(&writer), says(&writer).len()), (before, 7));
    assert!(writer.catalog().changes_of(PAGE).unwrap().is_empty());
    let real = run(&mut writer, &what(Mode::Real));
    assert_eq!((dry.gone.len(), &dry.gone), (3, &real.gone));
    assert_eq!((dry.replaced, dry.kept, dry.turned), (real.replaced, real.kept, real.turned));
    assert!(says(&writer).contains(&texts[2]));
}

#[test]
fn what_stays_is_written_to_segments_of_the_set_size() {
    let folder = tempfile::tempdir().unwrap();
    let writer = Archive::open_at(folder.path()).unwrap();
    append(&writer, PAGE, &["one", "two"]);
    let mut random = fastrand::Rng::with_seed(1);
    for number in 0..2 {
        // More than is written at once.
        let noise: String = (0..6_000_000).map(|_| random.alphanumeric()).collect();
        append(&writer, &format!("http://example.org/{number}"), &[&noise]);
    }
    let settings = serde_json::json!({ "retention": { "keep": 1 } });
    let (uuid, url, title) = ("1".into(), PAGE.into(), String::new());
    writer
        .catalog()
        .put_watch(&Watch { uuid, url, title, tags: Vec::new(), settings, created: day(0), ..Watch::default() })
        .unwrap();
    assert_eq!(segments(&writer).len(), 1);
    drop(writer);
    let options = crate::archive::Options { segment_bytes: 100, ..crate::archive::Options::at(folder.path()) };
    let mut archive = Archive::open(&options).unwrap();
    run(&mut archive, &Compact { retention: Retention::default(), ..keep(1) });
    assert_eq!((says(&archive), segments(&archive).len()), (vec!["two".to_owned()], 2));
    assert_well(&archive);
}
