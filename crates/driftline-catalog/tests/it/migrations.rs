//! Is a catalog of every earlier format brought up to date with all that is in it?
//!
//! `tests/fixtures/catalog-N.db` is a catalog in format N, written by the driftline that had it as its newest; it
//! stays here permanently. A new one, once, before a release: `UPDATE_FIXTURE=1 cargo test -p driftline-catalog --test it catalog`.

use std::path::{Path, PathBuf};

use driftline_catalog::{
    Address, Catalog, Change, Derived, EventFilter, FORMAT, Filter, Finding, Place, Progress, Watch,
};
use serde_json::json;

use super::opening::{behind_its_back, sqlite};
use super::{batch, capture, time};

fn fixture(format: i64) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/catalog-{format}.db"))
}

/// Everything that the first format could hold.
fn fill(catalog: &Catalog) {
    let versions = [("2019", "A"), ("2020", "B"), ("2021", "B")].map(|(at, body)| capture("http://a/ä", at, body));
    let mut batch = batch("a.warc.gz", 0, versions.to_vec());
    batch.imported = Some(Progress { source: "old.warc".into(), size: 9, modified: None, offset: 5, done: false });
    let ids = catalog.add(&[batch]).unwrap();
    let watch = Watch {
        uuid: "5d0f".to_owned(),
        url: "http://a/ä".to_owned(),
        title: "A".to_owned(),
        tags: vec!["news".to_owned()],
        settings: json!({"every": 60}),
        created: time("2018"),
    };
    catalog.put_watch(&watch).unwrap();
    let body = json!({"operations": {"add": 2}});
    let change = Change { older: ids[0], newer: ids[1], recipe: 1, degree: 0.25, importance: None, body: body.clone() };
    catalog.put_changes(&[change]).unwrap();
}

/// An event as the first format had it; today's statements write what came later, too.
const EVENT: &str = "INSERT INTO event (at, kind, url, watch_id, capture_id, body) \
     SELECT capture.at, 'changed', watch.url, watch.id, capture.id, '{}' FROM watch, capture WHERE capture.start = 100";

/// All of it is there, and what is new can be used.
fn check(catalog: &Catalog) {
    let captures = catalog.captures_of("http://a/ä").unwrap();
    let wanted = [("2019", "A", 0), ("2020", "B", 100), ("2021", "B", 200)];
    for (stored, (at, body, offset)) in captures.iter().zip(wanted) {
        assert_eq!((stored.segment.as_str(), stored.capture.offset), ("a.warc.gz", offset));
        assert_eq!(stored.capture, driftline_catalog::NewCapture { offset, ..capture("http://a/ä", at, body) });
    }
    assert_eq!(captures.len(), 3);
    assert_eq!(catalog.versions_of("http://a/ä").unwrap().len(), 2);
    let found = catalog.find(&Address::parse("http://a/ä@2020-02").unwrap()).unwrap().unwrap();
    assert_eq!(found, captures[1]);
    assert_eq!(catalog.segment("a.warc.gz").unwrap().unwrap().bytes, 300);
    assert_eq!(catalog.progress("old.warc").unwrap().unwrap().offset, 5);
    assert_eq!(catalog.watch("5d0f").unwrap().unwrap().tags, ["news"]);
    assert_eq!(catalog.changes_of("http://a/ä").unwrap()[0].degree, 0.25);
    let event = &catalog.events(&EventFilter::default()).unwrap()[0];
    assert_eq!((event.watch.as_deref(), event.capture), (Some("5d0f"), Some(captures[1].id)));
    assert_eq!((event.held_until, event.folded_into.as_deref(), event.importance), (None, None, 0.0));
    assert_eq!(catalog.state("5d0f").unwrap(), None);
    assert_eq!(catalog.next_delivery().unwrap(), None);
    let value = Derived { capture: captures[0].id, kind: "text".to_owned(), recipe: 1, body: b"x".to_vec() };
    catalog.put_derived(std::slice::from_ref(&value)).unwrap();
    assert_eq!(catalog.derived(captures[0].id, "text").unwrap(), Some(value));
    let (kind, url) = ("redesign".to_owned(), "a".to_owned());
    catalog.put_finding(&Finding { at: time("2022"), kind, url, recipe: 1, body: json!({}) }).unwrap();
    assert_eq!(catalog.findings(&Filter::default()).unwrap().len(), 1);
}

#[test]
fn a_file_in_every_format_is_brought_up_to_date() {
    for format in 1..=FORMAT {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catalog.db");
        if std::env::var_os("UPDATE_FIXTURE").is_some() && !fixture(format).exists() {
            fill(&Catalog::open_at(&Place::File(fixture(format)), format).unwrap());
            behind_its_back(&sqlite(&fixture(format)), EVENT);
        }
        std::fs::copy(fixture(format), &path).unwrap();
        check(&Catalog::open(path.clone()).unwrap());
        // The second time there is nothing to do.
        assert_eq!(Catalog::open(path).unwrap().captures_of("http://a/ä").unwrap().len(), 3, "format {format}");
    }
}

#[test]
fn a_server_in_every_format_is_brought_up_to_date() {
    for format in 1..=FORMAT {
        let url = driftline_testkit::postgres::database();
        let place = Place::parse(&url).unwrap();
        fill(&Catalog::open_at(&place, format).unwrap());
        behind_its_back(&url, EVENT);
        check(&Catalog::open(place).unwrap());
    }
}

#[test]
fn an_older_driftline_refuses_a_newer_format() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::File(folder.path().join("catalog.db"));
    drop(Catalog::open(place.clone()).unwrap());
    let error = Catalog::open_at(&place, FORMAT - 1).unwrap_err().to_string();
    assert!(error.contains(&format!("has format {FORMAT}, and this driftline knows formats up to")), "{error}");
}
