//! The integration tests of the catalog, each on SQLite and on a real PostgreSQL.

mod captures;
mod care;
mod daemon_lease_on_postgres;
mod events;
mod leases;
mod ledger;
mod lists;
mod look_up;
mod migrations;
mod opening;
mod others;
mod outbox;
mod people;
mod provenance;
mod surt_keys;

use driftline_catalog::{Batch, CaptureKind, Catalog, NewCapture, Place, Time, surt};

/// Runs each function, which takes a catalog, on both databases.
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[test]
            fn $name() {
                let folder = tempfile::tempdir().unwrap();
                super::$name(&driftline_catalog::Catalog::open(folder.path().join("catalog.db")).unwrap());
            })+
        }

        mod postgres {
            $(#[test]
            fn $name() {
                super::$name(&driftline_catalog::Catalog::open(crate::server()).unwrap());
            })+
        }
    };
}
pub(crate) use on_both;

/// A new, empty database of PostgreSQL.
fn server() -> Place {
    Place::parse(&driftline_testkit::postgres::database()).unwrap()
}

fn time(text: &str) -> Time {
    text.parse().unwrap()
}

/// A capture whose body is `body`, at the beginning of its segment.
fn capture(url: &str, at: &str, body: &str) -> NewCapture {
    NewCapture {
        url: url.to_owned(),
        key: surt::key(url),
        at: time(at),
        kind: CaptureKind::Response,
        status: Some(200),
        mime: Some("text/html".to_owned()),
        digest: Some(format!("sha1:{body}")),
        payload_length: Some(body.len() as u64),
        redirect: None,
        record_id: None,
        refers_to: None,
        origin: None,
        body_digest: None,
        offset: 0,
        length: 100,
    }
}

/// A batch of captures, one behind the other from `start` on.
fn batch(segment: &str, start: u64, captures: Vec<NewCapture>) -> Batch {
    let place = |(position, capture): (u64, NewCapture)| NewCapture { offset: start + position * 100, ..capture };
    let captures: Vec<NewCapture> = (0..).zip(captures).map(place).collect();
    let segment_end = start + captures.len() as u64 * 100;
    Batch { segment: segment.to_owned(), segment_end, captures, imported: None }
}

/// Adds captures to a segment of their own and returns their numbers.
fn add(catalog: &Catalog, segment: &str, captures: Vec<NewCapture>) -> Vec<i64> {
    catalog.add(&[batch(segment, 0, captures)]).unwrap()
}
