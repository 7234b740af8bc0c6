//! What becomes of an add that was interrupted? The same command goes on with it, and nobody else throws it away.

use std::fs;
use std::path::{Path, PathBuf};

use driftline_graph::Series;
use driftline_graph::add::{Crawled, SkipReason, SnapshotBuilder, Source};
use driftline_graph::series::SeriesError;

fn begin(folder: &Path, at: &str) -> SnapshotBuilder {
    Series::open_or_make(folder).unwrap().add(at.parse().unwrap(), 1 << 20).unwrap()
}

fn source(number: usize) -> Source {
    Source { name: format!("source {number}"), size: 1, changed: 2 }
}

fn page(builder: &SnapshotBuilder, number: usize, url: &str, links: &[&str]) {
    let mut reader = builder.reader(&source(number)).unwrap().expect("it is new");
    let page = Crawled { url, fetched: None, last_modified: None, sketch: None };
    reader.page(&page, links).unwrap();
    reader.skip(SkipReason::lack("torn records"), 3);
    reader.finish().unwrap();
}

fn keys(folder: &Path, at: &str) -> Vec<String> {
    let series = Series::open(folder).unwrap();
    let snapshot = series.at(Some(at.parse().unwrap())).unwrap();
    snapshot.urls(&series).map(|url| url.unwrap().into_key()).collect()
}

/// What is in the folder of the series but the lock.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = entries.filter(|name| name != "lock").collect();
    names.sort();
    names
}

#[test]
fn what_was_harvested_before_is_kept_with_its_counts_and_nothing_else_gets_in() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("series");
    let first = begin(&folder, "2019");
    page(&first, 0, "https://kept.example/", &["mailto:nobody", "https://linked.example/"]);
    page(&first, 1, "https://not-asked-for-again.example/", &[]);
    let mut unfinished = first.reader(&source(2)).unwrap().unwrap();
    unfinished.fringe("https://unfinished.example/").unwrap();
    drop((first, unfinished));
    let again = begin(&folder, "2019");
    assert!(again.left_behind().is_empty());
    assert!(again.reader(&source(0)).unwrap().is_none());
    assert!(again.reader(&source(0)).unwrap().is_none(), "asked for twice");
    assert_eq!(again.kept(), 1);
    page(&again, 2, "https://new.example/", &[]);
    // The same name, but another file.
    let changed = Source { changed: 3, ..source(1) };
    assert!(again.reader(&changed).unwrap().is_some());
    let about = again.build(&|_| ()).unwrap();
    assert_eq!(keys(&folder, "2019"), ["example.kept/", "example.linked/", "example.new/"]);
    let skipped: Vec<_> =
        about.left_out.iter().chain(&about.skipped).map(|(reason, count)| (reason.as_str(), *count)).collect();
    assert_eq!(skipped, [("links to other than web addresses", 1), ("torn records", 6)]);
    assert_eq!(about.sources.len(), 2);
    assert_eq!(names(&folder), ["20190101000000"]);
}

#[test]
fn what_an_add_of_another_time_left_stays_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("series");
    page(&begin(&folder, "2019"), 0, "https://one.example/", &[]);
    // Nothing to go on with, and nothing of an add's.
    drop(begin(&folder, "2018"));
    fs::create_dir(folder.join(".adding-2017")).unwrap();
    let builder = begin(&folder, "2020");
    let left: Vec<_> = builder.left_behind().iter().map(|left| (left.at.as_str(), left.sources)).collect();
    assert_eq!(left, [("20190101000000", 1)]);
    page(&builder, 0, "https://two.example/", &[]);
    builder.build(&|_| ()).unwrap();
    assert_eq!(names(&folder), [".adding-2017", ".adding-20190101000000", "20200101000000"]);
    let again = begin(&folder, "2019");
    assert!(again.reader(&source(0)).unwrap().is_none(), "it was harvested before");
    again.build(&|_| ()).unwrap();
    assert_eq!(keys(&folder, "2019"), ["example.one/"]);
}

#[test]
fn what_was_left_is_removed_as_a_snapshot_of_its_time_is() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("series");
    page(&begin(&folder, "2019"), 0, "https://one.example/", &[]);
    drop(begin(&folder, "2020"));
    let mut series = Series::open(&folder).unwrap();
    assert_eq!(series.unfinished(), ["20190101000000", "20200101000000"]);
    series.remove("2020".parse().unwrap()).unwrap();
    assert_eq!(series.unfinished(), ["20190101000000"]);
    series.remove("2019".parse().unwrap()).unwrap();
    assert!(series.unfinished().is_empty() && names(&folder).is_empty());
    assert!(series.remove("2019".parse().unwrap()).is_err(), "there is nothing any more");
}

#[test]
fn killed_when_all_was_done_it_is_a_snapshot_and_the_rest_goes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("series");
    let builder = begin(&folder, "2019");
    page(&builder, 0, "https://one.example/", &[]);
    let staging = folder.join(".adding-20190101000000");
    let aside = folder.join("aside");
    copy(&staging, &aside);
    builder.build(&|_| ()).unwrap();
    fs::rename(&aside, &staging).unwrap();
    let series = Series::open(&folder).unwrap();
    assert!(series.unfinished().is_empty(), "there is nothing to go on with");
    let again = series.add("2019".parse().unwrap(), 0).unwrap_err();
    assert!(matches!(again, SeriesError::Exists(_)), "{again}");
    assert!(again.to_string().contains("hint: "), "{again}");
    assert_eq!(names(&folder), ["20190101000000"]);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for path in fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// The only harvest of a staging folder.
fn harvest(folder: &Path) -> PathBuf {
    let all: Vec<_> = fs::read_dir(folder.join(".adding-20190101000000/harvests")).unwrap().collect();
    assert_eq!(all.len(), 1);
    all[0].as_ref().unwrap().path()
}

#[test]
fn what_another_version_harvested_is_harvested_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("series");
    page(&begin(&folder, "2019"), 0, "https://old.example/", &[]);
    let path = harvest(&folder);
    let mut bytes = fs::read(&path).unwrap();
    let version = b"\"version\":\"";
    let place = bytes.windows(version.len()).rposition(|window| window == version).unwrap();
    bytes[place + version.len()] = b'x';
    fs::write(&path, bytes).unwrap();
    let again = begin(&folder, "2019");
    // If it fails now, what is not of this version does not get in.
    drop(again.reader(&source(0)).unwrap().expect("it has to be read again"));
    assert!(!path.exists());
    drop(again);
    let again = begin(&folder, "2019");
    page(&again, 0, "https://new.example/", &[]);
    assert_eq!(again.kept(), 0);
    again.build(&|_| ()).unwrap();
    assert_eq!(keys(&folder, "2019"), ["example.new/"]);
}

#[test]
fn a_crawl_is_being_added_while_a_process_is_at_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("series");
    page(&begin(&folder, "2019"), 0, "https://one.example/", &[]);
    let builder = begin(&folder, "2020");
    let series = Series::open(&folder).unwrap();
    let being_added = || ["20190101000000", "20200101000000"].map(|at| series.is_being_added(at));
    assert_eq!(being_added(), [false, true]);
    drop(builder);
    assert_eq!(being_added(), [false, false]);
}

#[test]
fn two_adds_at_once_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("series");
    let _adding = begin(&folder, "2019");
    let second = Series::open(&folder).unwrap().add("2020".parse().unwrap(), 0);
    assert!(matches!(second, Err(SeriesError::Locked(_))), "{second:?}");
}
