//! Is a catalog of every earlier format brought up to date with all that is in it?
//!
//! `tests/fixtures/catalog-N.db` is a catalog in format N, written by the driftline that had it as its newest; it
//! stays here permanently. A new one, once, before a release: `UPDATE_FIXTURE=1 cargo test -p driftline-catalog --test it catalog`.

use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use driftline_catalog::{
    Address, Catalog, Derived, EventFilter, FORMAT, NewCapture, Place, WatchFilter, WatchSort, surt,
};
use sha2::{Digest, Sha256};

use super::capture;
use super::opening::{behind_its_back, sqlite};

fn fixture(format: i64) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/catalog-{format}.db"))
}

/// Everything that the first format could hold, in its own words: today's statements write what came later, too.
const FIRST: &str = "
    INSERT INTO segment (id, name, state, bytes) VALUES (1, 'a.warc.gz', 0, 300);
    INSERT INTO capture (url_id, at, kind, status, mime, digest, payload_length, segment_id, start, length) VALUES
        (1, 1546300800000000, 0, 200, 'text/html', 'sha1:A', 1, 1, 0, 100),
        (1, 1577836800000000, 0, 200, 'text/html', 'sha1:B', 1, 1, 100, 100),
        (1, 1609459200000000, 0, 200, 'text/html', 'sha1:B', 1, 1, 200, 100);
    INSERT INTO watch (uuid, url, title, tags, settings, created)
        VALUES ('5d0f', 'http://a/ä', 'A', '[\"news\"]', '{\"every\":60}', 1514764800000000);
    INSERT INTO change (older_id, newer_id, recipe, degree, body)
        SELECT older.id, newer.id, 1, 0.25, '{\"operations\":{\"add\":2}}' FROM capture AS older, capture AS newer
        WHERE older.start = 0 AND newer.start = 100;
    INSERT INTO event (at, kind, url, watch_id, capture_id, body) SELECT capture.at, 'changed', watch.url, watch.id,
        capture.id, '{\"summary\":\"one word\"}' FROM watch, capture WHERE capture.start = 100;
";

/// Addresses and imports are found by digests, which are bytes: each database writes them in its own way.
const BYTES: [&str; 2] = [
    "INSERT INTO url (id, fingerprint, key, key_rest, url) VALUES (1, x'FINGERPRINT', 'KEY', '', 'http://a/ä');
     INSERT INTO import (fingerprint, source, size, reached, done) VALUES (x'IMPORTED', 'old.warc', 9, 5, 0);",
    "INSERT INTO url (id, fingerprint, key, key_rest, url) VALUES (1, '\\xFINGERPRINT', 'KEY', '', 'http://a/ä');
     INSERT INTO import (fingerprint, source, size, reached, done) VALUES ('\\xIMPORTED', 'old.warc', 9, 5, 0);",
];

/// Fills a catalog in any format with what the first one could hold.
fn fill(url: &str) {
    let hex = |text: &str| HEXLOWER.encode(&Sha256::digest(text)[..16]);
    let bytes = BYTES[usize::from(url.starts_with("postgres"))];
    let bytes = bytes.replace("FINGERPRINT", &hex("http://a/ä")).replace("IMPORTED", &hex("old.warc"));
    behind_its_back(url, bytes.replace("KEY", &surt::key("http://a/ä")) + FIRST);
}

/// All of it is there, and what is new can be used.
fn check(catalog: &Catalog, format: i64) {
    let captures = catalog.captures_of("http://a/ä").unwrap();
    let wanted = [("2019", "A", 0), ("2020", "B", 100), ("2021", "B", 200)];
    for (stored, (at, body, offset)) in captures.iter().zip(wanted) {
        assert_eq!((stored.segment.as_str(), stored.capture.offset), ("a.warc.gz", offset));
        assert_eq!(stored.capture, NewCapture { offset, ..capture("http://a/ä", at, body) });
    }
    assert_eq!(captures.len(), 3);
    assert_eq!(catalog.versions_of("http://a/ä").unwrap().len(), 2);
    let found = catalog.find(&Address::parse("http://a/ä@2020-02").unwrap()).unwrap().unwrap();
    assert_eq!(found, captures[1]);
    assert_eq!(catalog.segment("a.warc.gz").unwrap().unwrap().bytes, 300);
    assert_eq!(catalog.progress("old.warc").unwrap().unwrap().offset, 5);
    assert_eq!(catalog.watch("5d0f").unwrap().unwrap().tags, ["news"]);
    assert_eq!(catalog.changes_of("http://a/ä").unwrap()[0].degree, 0.25);
    let event = &catalog.events(&EventFilter::default()).unwrap().items[0];
    assert_eq!((event.watch.as_deref(), event.capture), (Some("5d0f"), Some(captures[1].id)));
    assert_eq!((event.held_until, event.folded_into.as_deref(), event.importance), (None, None, 0.0));
    assert_eq!(catalog.state("5d0f").unwrap(), None);
    assert_eq!(catalog.next_delivery().unwrap(), None);
    let value = Derived { capture: captures[0].id, kind: "text".to_owned(), recipe: 1, body: b"x".to_vec() };
    catalog.put_derived(std::slice::from_ref(&value)).unwrap();
    assert_eq!(catalog.derived(captures[0].id, "text").unwrap(), Some(value));
    let page = catalog.watches_page(&WatchFilter::default(), WatchSort::LastChange, None, 9).unwrap();
    assert_eq!((page.items[0].watch.uuid.as_str(), page.items.len()), ("5d0f", 1));
    // Until format 6 no row said what changed last.
    let change = page.items[0].change.as_ref().map(|change| change.at);
    assert_eq!(change, (format < 6).then_some(captures[1].capture.at));
}

#[test]
fn a_file_in_every_format_is_brought_up_to_date() {
    for format in 1..=FORMAT {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catalog.db");
        if std::env::var_os("UPDATE_FIXTURE").is_some() && !fixture(format).exists() {
            drop(Catalog::open_at(&Place::File(fixture(format)), format).unwrap());
            fill(&sqlite(&fixture(format)));
        }
        std::fs::copy(fixture(format), &path).unwrap();
        check(&Catalog::open(path.clone()).unwrap(), format);
        // The second time there is nothing to do.
        assert_eq!(Catalog::open(path).unwrap().captures_of("http://a/ä").unwrap().len(), 3, "format {format}");
    }
}

#[test]
fn a_server_in_every_format_is_brought_up_to_date() {
    for format in 1..=FORMAT {
        let url = driftline_testkit::postgres::database();
        let place = Place::parse(&url).unwrap();
        drop(Catalog::open_at(&place, format).unwrap());
        fill(&url);
        check(&Catalog::open(place).unwrap(), format);
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
