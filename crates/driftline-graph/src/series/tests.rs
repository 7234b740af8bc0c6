//! Do addresses keep their numbers, whatever is added and removed?

mod damaged;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::snapshot::Status;
use crate::snapshot::made::{crawled, put};

const TIMES: [&str; 4] = ["20190101000000", "20190201000000", "20190301000000", "20190401000000"];

fn empty() -> (tempfile::TempDir, PathBuf) {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("series");
    (temporary, folder)
}

fn add(folder: &Path, at: &str, urls: &[&str]) {
    let pages: Vec<(&str, Status)> = urls.iter().map(|url| (*url, crawled(at))).collect();
    put(folder, at, &pages, &[]);
}

fn time(at: &str) -> Time {
    at.parse().unwrap()
}

/// The addresses of each snapshot, by time.
fn contents(series: &Series) -> BTreeMap<String, Vec<String>> {
    let urls = |snapshot: &Snapshot| snapshot.urls(series).map(|url| url.unwrap().url()).collect();
    series.snapshots().iter().map(|snapshot| (snapshot.about().at.clone(), urls(snapshot))).collect()
}

#[test]
fn snapshots_are_in_the_order_of_their_times_and_numbers_in_that_of_adding() {
    let (_temporary, folder) = empty();
    add(&folder, TIMES[1], &["https://b.example/", "https://c.example/"]);
    add(&folder, TIMES[0], &["https://a.example/", "https://b.example/"]);
    let series = Series::open(&folder).unwrap();
    assert_eq!(series.snapshots().iter().map(|own| own.about().at.as_str()).collect::<Vec<_>>(), &TIMES[..2]);
    let numbers = ["example.b/", "example.c/", "example.a/", "example.d/"].map(|key| series.number_of(key).unwrap());
    assert_eq!(numbers, [Some(0), Some(1), Some(2), None].map(|number| number.map(Number::new)));
    assert_eq!(series.snapshots()[0].numbers(), [2, 0].map(Number::new));
    assert_eq!(series.key_of(Number::new(2)).unwrap(), "example.a/");
    assert!(series.key_of(Number::new(3)).is_err());
    assert_eq!((series.next_number().get(), series.next_added()), (3, 2));
    assert_eq!(series.at(Some(time(TIMES[0]))).unwrap().about().added, 1);
    assert_eq!(series.at(None).unwrap().about().at, TIMES[1]);
    assert_eq!(series.before(time(TIMES[1])).len(), 1);
    let error = series.at(Some(time(TIMES[2]))).unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no snapshot of 2019-03-01T00:00:00Z\nhint: there are 2019-01-01T00:00:00Z, 2019-02-01T00:00:00Z"
    );
}

#[test]
fn addresses_of_a_removed_snapshot_go_on_naming_those_of_others() {
    let (_temporary, folder) = empty();
    add(&folder, TIMES[0], &["https://a.example/", "https://b.example/"]);
    add(&folder, TIMES[1], &["https://b.example/", "https://c.example/"]);
    add(&folder, TIMES[2], &["https://a.example/", "https://c.example/"]);
    let mut series = Series::open(&folder).unwrap();
    let mut expected = contents(&series);
    let before = size(&folder);
    series.remove(time(TIMES[0])).unwrap();
    expected.remove(TIMES[0]);
    assert_eq!(contents(&series), expected);
    assert!(size(&folder) < before);
    assert_eq!(series.number_of("example.a/").unwrap(), Some(Number::new(0)));
    assert!(series.remove(time(TIMES[0])).is_err());
    add(&folder, TIMES[0], &["https://d.example/"]);
    assert_eq!(Series::open(&folder).unwrap().number_of("example.d/").unwrap(), Some(Number::new(3)));
}

#[test]
fn when_the_last_are_removed_nothing_stays() {
    let (_temporary, folder) = empty();
    for (at, url) in TIMES.iter().zip(["https://a.example/", "https://b.example/", "https://c.example/"]) {
        add(&folder, at, &[url]);
    }
    let mut series = Series::open(&folder).unwrap();
    series.remove(time(TIMES[1])).unwrap();
    assert_eq!(series.next_number(), Number::new(3));
    series.remove(time(TIMES[2])).unwrap();
    assert_eq!((series.next_number().get(), series.next_added()), (1, 1));
    assert_eq!(list::folders(&folder).unwrap(), [TIMES[0]]);
}

fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { size(&path) } else { path.metadata().unwrap().len() }).sum()
}

#[test]
fn what_others_left_in_the_folder_is_left_alone() {
    let (_temporary, folder) = empty();
    add(&folder, TIMES[0], &["https://a.example/"]);
    for name in ["notes", ".adding-20190301000000", ".adding-never", ".removed-7", "2019"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    std::fs::write(folder.join("20190401000000"), "a file").unwrap();
    let series = Series::open(&folder).unwrap();
    assert_eq!((series.snapshots().len(), series.unfinished()), (1, &["20190301000000".to_owned()][..]));
    assert_eq!(Series::names(folder.parent().unwrap()).unwrap(), ["series"]);
    assert_eq!(Series::names(&folder.join("nowhere")).unwrap(), Vec::<String>::new());
}

#[test]
fn one_process_at_a_time_adds_or_removes() {
    let (_temporary, folder) = empty();
    let mut series = Series::open_or_make(&folder).unwrap();
    let lock = series.lock().unwrap();
    let mut other = Series::open(&folder).unwrap();
    assert!(matches!(other.lock(), Err(SeriesError::Locked(_))));
    assert!(matches!(other.remove(time(TIMES[0])), Err(SeriesError::Locked(_))));
    drop(lock);
    other.lock().unwrap();
}

#[test]
fn a_series_has_to_be_there_and_have_a_name() {
    let (_temporary, folder) = empty();
    assert!(matches!(Series::open(&folder), Err(SeriesError::Missing(_))));
    assert!(matches!(Series::open_or_make(&folder.join(".hidden")), Err(SeriesError::Name(_))));
    assert!(matches!(Series::open_or_make(&folder).unwrap().at(None), Err(SeriesError::Empty(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn numbers_are_kept_through_any_adding_and_removing(
        steps in proptest::collection::vec((0..4_usize, proptest::collection::btree_set(0..40_u32, 0..12)), 1..8),
    ) {
        let (_temporary, folder) = empty();
        let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
        Series::open_or_make(&folder).unwrap();
        for (place, pages) in steps {
            let mut series = Series::open(&folder).unwrap();
            if expected.remove(TIMES[place]).is_some() {
                series.remove(time(TIMES[place])).unwrap();
            } else {
                let urls: Vec<_> = pages.iter().map(|page| format!("https://example.org/{page:02}")).collect();
                add(&folder, TIMES[place], &urls.iter().map(String::as_str).collect::<Vec<_>>());
                expected.insert(TIMES[place].to_owned(), urls);
            }
            let series = Series::open(&folder).unwrap();
            prop_assert_eq!(contents(&series), expected.clone());
            for number in (0..series.next_number().get()).map(Number::new) {
                prop_assert_eq!(series.number_of(&series.key_of(number).unwrap()).unwrap(), Some(number));
            }
        }
    }
}
