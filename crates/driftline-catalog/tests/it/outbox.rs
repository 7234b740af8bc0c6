//! The outbox names every capture that was added or removed, once for each consumer.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use driftline_catalog::{Batch, Catalog, NewCapture, OutboxKind, Place, Relocation};

use super::{add, capture, on_both};

on_both!(
    a_consumer_has_what_is_there_and_what_comes_and_goes,
    what_is_done_is_not_named_again,
    what_is_not_written_is_not_named,
);

#[test]
fn no_capture_is_missed_beside_many_writers_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    no_capture_is_missed(&folder.path().join("catalog.db").into());
}

#[test]
fn no_capture_is_missed_beside_many_writers_on_postgres() {
    no_capture_is_missed(&super::server());
}

fn entries(catalog: &Catalog, consumer: &str) -> Vec<(OutboxKind, i64)> {
    catalog.outbox(consumer, 10_000).unwrap().into_iter().map(|entry| (entry.kind, entry.capture)).collect()
}

fn a_consumer_has_what_is_there_and_what_comes_and_goes(catalog: &Catalog) {
    let first = add(catalog, "a", vec![capture("http://a/", "2020", "A")]);
    catalog.register_consumer("index").unwrap();
    catalog.register_consumer("index").unwrap();
    assert!(entries(catalog, "other").is_empty());
    let second = add(catalog, "b", vec![capture("http://a/", "2021", "B"), capture("http://a/", "2022", "C")]);
    catalog.relocate(&Relocation { dropped: vec![first[0], 99_999], ..Relocation::default() }).unwrap();
    let added = |id| (OutboxKind::Added, id);
    let wanted = [added(first[0]), added(second[0]), added(second[1]), (OutboxKind::Removed, first[0])];
    assert_eq!(entries(catalog, "index"), wanted);
    catalog.register_consumer("late").unwrap();
    assert_eq!(entries(catalog, "late"), [added(second[0]), added(second[1])]);
    catalog.forget_consumer("index").unwrap();
    assert!(entries(catalog, "index").is_empty());
}

fn what_is_done_is_not_named_again(catalog: &Catalog) {
    catalog.register_consumer("one").unwrap();
    catalog.register_consumer("two").unwrap();
    add(catalog, "a", (0..50).map(|number| capture("http://a/", &format!("20{number:02}"), "A")).collect());
    let some = catalog.outbox("one", 20).unwrap();
    let ids: Vec<i64> = some.iter().map(|entry| entry.id).collect();
    catalog.take_outbox("two", &ids).unwrap();
    assert_eq!(entries(catalog, "one").len(), 50, "they are not those of the other one");
    catalog.take_outbox("one", &ids).unwrap();
    assert_eq!((entries(catalog, "one").len(), entries(catalog, "two").len()), (30, 50));
}

fn what_is_not_written_is_not_named(catalog: &Catalog) {
    catalog.register_consumer("one").unwrap();
    let twice = || vec![capture("http://a/", "2020", "A"), capture("http://a/", "2021", "A")];
    let captures = twice().into_iter().map(|capture| NewCapture { offset: 0, ..capture }).collect();
    let batch = Batch { segment: "a".into(), segment_end: 100, captures, imported: None };
    assert!(catalog.add(&[batch]).is_err(), "two captures are not in one place");
    assert!(entries(catalog, "one").is_empty());
}

/// Writers on connections of their own, of which some commit late, beside a reader that deletes what it has seen.
fn no_capture_is_missed(place: &Place) {
    const WRITERS: usize = 6;
    const ROUNDS: usize = 15;
    let catalog = Catalog::open(place.clone()).unwrap();
    let (left, mut seen) = (AtomicUsize::new(WRITERS), BTreeSet::new());
    let write = |writer: usize| {
        let own = Catalog::open(place.clone()).unwrap();
        let mut ids = BTreeSet::new();
        for round in 0..ROUNDS {
            let many = (0..=writer * 7).map(|number| capture("http://a/", &format!("20{:02}", number % 90), "A"));
            ids.extend(add(&own, &format!("{writer}-{round}"), many.collect()));
        }
        left.fetch_sub(1, Ordering::SeqCst);
        ids
    };
    let written: BTreeSet<i64> = thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS).map(|writer| (writer, &write)).collect();
        let writers: Vec<_> = writers.into_iter().map(|(writer, write)| scope.spawn(move || write(writer))).collect();
        // In the middle of it.
        catalog.register_consumer("index").unwrap();
        loop {
            let is_last = left.load(Ordering::SeqCst) == 0;
            let some = catalog.outbox("index", 50).unwrap();
            let ids: Vec<i64> = some.iter().map(|entry| entry.id).collect();
            catalog.take_outbox("index", &ids).unwrap();
            for entry in some {
                assert!(seen.insert(entry.capture), "a capture is named twice");
            }
            if is_last && ids.is_empty() {
                break;
            }
        }
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    assert_eq!(seen, written);
}
