//! Is what is missing or outdated derived, and nothing else, also after a lost catalog?

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::care::sample::{PAGE, answer, append, archive, of_day};
use crate::derive::unpack;

fn all() -> Rebuild {
    Rebuild { kinds: Kind::ALL.to_vec(), url: None, extent: Extent::Stale }
}

fn run(archive: &Archive, what: &Rebuild) -> Rebuilt {
    rebuild(archive, what, &|| ()).unwrap()
}

fn made(rebuilt: &Rebuilt) -> [u64; 4] {
    Kind::ALL.map(|kind| rebuilt.made.get(&kind).copied().unwrap_or_default())
}

#[test]
fn everything_is_derived_once() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one", "one", "two", "three"]);
    let told = AtomicU64::new(0);
    let rebuilt = rebuild(&archive, &all(), &|| _ = told.fetch_add(1, Ordering::Relaxed)).unwrap();
    // Three versions: the second capture did not change.
    assert_eq!((made(&rebuilt), told.into_inner()), ([3, 3, 3, 2], 3));
    assert_eq!(made(&run(&archive, &all())), [0; 4]);
    assert_eq!(made(&run(&archive, &Rebuild { extent: Extent::All, ..all() })), [3, 3, 3, 2]);
    let catalog = archive.catalog();
    let text = catalog.derived(of_day(&archive, 2).id, "text").unwrap().unwrap();
    assert_eq!((unpack(&text.body).unwrap(), text.recipe), (b"two\n".to_vec(), Kind::Text.recipe()));
    let change = catalog.change(of_day(&archive, 1).id, of_day(&archive, 2).id).unwrap().unwrap();
    assert_eq!((change.degree, change.recipe), (1.0, Kind::Change.recipe()));
    // Nobody was alerted.
    assert_eq!(catalog.stats().unwrap().events, 0);
}

#[test]
fn what_another_recipe_made_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one", "two"]);
    run(&archive, &all());
    let id = of_day(&archive, 1).id;
    let old = |kind: &str| Derived { capture: id, kind: kind.into(), recipe: 0, body: b"old".to_vec() };
    archive.catalog().put_derived(&[old("text")]).unwrap();
    let mut change = archive.catalog().change(of_day(&archive, 0).id, id).unwrap().unwrap();
    change.recipe = 0;
    archive.catalog().put_changes(&[change]).unwrap();
    assert_eq!(made(&run(&archive, &Rebuild { kinds: vec![Kind::Text], ..all() })), [1, 0, 0, 0]);
    assert_eq!(made(&run(&archive, &all())), [0, 0, 0, 1]);
    assert_eq!(archive.catalog().derived(id, "text").unwrap().unwrap().recipe, Kind::Text.recipe());
}

#[test]
fn an_outage_between_two_versions_is_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one"]);
    archive.append(&answer(PAGE, 1, "503 Service Unavailable", "an outage")).unwrap();
    archive.append(&answer(PAGE, 2, "200 OK", "one")).unwrap();
    archive.append(&answer(PAGE, 3, "404 Not Found", "not found")).unwrap();
    archive.append(&answer(PAGE, 4, "200 OK", "two")).unwrap();
    assert_eq!(made(&run(&archive, &all())), [2, 2, 2, 1]);
    let changes = archive.catalog().changes_of(PAGE).unwrap();
    let [change] = changes.as_slice() else { panic!("{changes:?}") };
    assert_eq!((change.older, change.newer), (of_day(&archive, 2).id, of_day(&archive, 4).id));
}

#[test]
fn one_address_is_derived_alone() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one", "two"]);
    append(&archive, "http://example.org/other", &["one", "two", "three"]);
    let one = Rebuild { url: Some(PAGE.to_owned()), ..all() };
    assert_eq!(made(&run(&archive, &one)), [2, 2, 2, 1]);
    assert_eq!(made(&run(&archive, &one)), [0; 4]);
    assert_eq!(made(&run(&archive, &all())), [3, 3, 3, 2]);
}

#[test]
fn long_histories_are_cut_into_runs_without_losing_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let texts: Vec<String> = (0..3 * RUN + 5).map(|number| format!("text {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let archive = archive(folder.path(), &texts);
    let count = texts.len() as u64;
    assert_eq!(made(&run(&archive, &all())), [count, count, count, count - 1]);
}

#[test]
fn a_lost_catalog_is_made_anew_from_the_segments() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one", "one", "two"]);
    append(&archive, "http://example.org/other", &["a", "b"]);
    run(&archive, &all());
    archive.seal().unwrap();
    let rows = |archive: &Archive| {
        let mut rows = archive.catalog().all(0, 100).unwrap();
        rows.iter_mut().for_each(|row| row.id = 0);
        rows.sort_by(|one, other| (&one.segment, one.capture.offset).cmp(&(&other.segment, other.capture.offset)));
        rows
    };
    let before = rows(&archive);
    drop(archive);
    for file in ["catalog.db", "catalog.db-wal", "catalog.db-shm"] {
        let _ = std::fs::remove_file(folder.path().join(file));
    }
    let archive = Archive::open_at(folder.path()).unwrap();
    assert_eq!(made(&run(&archive, &all())), [4, 4, 4, 2]);
    assert_eq!(rows(&archive), before);
}

#[test]
fn what_cannot_be_read_is_counted_and_the_rest_is_derived() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one", "two", "three"]);
    let row = of_day(&archive, 1);
    let path = archive.folder().closed(&row.segment);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[row.capture.offset as usize + 30] ^= 0xff;
    std::fs::write(&path, bytes).unwrap();
    let rebuilt = run(&archive, &all());
    assert_eq!(made(&rebuilt), [2, 2, 2, 0]);
    assert!(rebuilt.failed > 0 && rebuilt.failures[0].starts_with(PAGE), "{rebuilt:?}");
}
