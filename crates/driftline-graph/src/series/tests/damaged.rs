//! Does a damaged snapshot leave the others alone, and can it be removed?

use super::*;

const URLS: [&str; 3] = ["https://a.example/", "https://b.example/", "https://c.example/"];

/// Three snapshots, each with an address more.
fn three() -> (tempfile::TempDir, PathBuf) {
    let (temporary, folder) = empty();
    for (place, at) in TIMES.iter().take(3).enumerate() {
        add(&folder, at, &URLS[..=place]);
    }
    (temporary, folder)
}

fn flip(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[0] ^= 0x41;
    std::fs::write(path, bytes).unwrap();
}

fn damaged(series: &Series) -> Vec<String> {
    series.damaged().iter().map(|damage| damage.at.digits()).collect()
}

#[test]
fn without_its_links_or_statuses_a_snapshot_is_damaged_and_the_others_are_not() {
    for name in ["status", "numbers", "out.graph", "in.ef"] {
        let (_temporary, folder) = three();
        std::fs::remove_file(folder.join(TIMES[1]).join(name)).unwrap();
        let mut series = Series::open(&folder).unwrap();
        assert_eq!(damaged(&series), [TIMES[1]], "{name}");
        let error = series.at(Some(time(TIMES[1]))).unwrap_err().to_string();
        assert!(error.contains(name) && error.ends_with("hint: remove the snapshot and add it again from its crawl"));
        let latest: Vec<_> = series.at(None).unwrap().urls(&series).map(|url| url.unwrap().url()).collect();
        assert_eq!(latest, URLS);
        series.remove(time(TIMES[1])).unwrap();
        assert_eq!((damaged(&series).len(), series.snapshots().len(), series.next_number().get()), (0, 2, 3));
        add(&folder, TIMES[1], &URLS[..2]);
        assert_eq!(Series::open(&folder).unwrap().check(&|_| ()), []);
    }
}

#[test]
fn with_its_addresses_go_those_that_share_them_and_all_can_be_removed() {
    for (name, bytes) in [("snapshot.json", ""), ("snapshot.json", "{}"), ("urls", "short")] {
        let (_temporary, folder) = three();
        std::fs::write(folder.join(TIMES[1]).join(name), bytes).unwrap();
        let mut series = Series::open(&folder).unwrap();
        assert_eq!(damaged(&series), &TIMES[1..3], "{name}");
        let cure = &series.damaged()[0].cure;
        assert!(cure.contains("remove it and those of 2019-03-01T00:00:00Z, and add them all again"), "{cure}");
        assert_eq!(series.at(Some(time(TIMES[0]))).unwrap().nodes(), 1);
        assert!(matches!(series.at(None), Err(SeriesError::Damage(_))));
        assert!(matches!(Series::open(&folder).unwrap().add(time(TIMES[3]), 0), Err(SeriesError::Damage(_))));
        assert!(matches!(Series::open(&folder).unwrap().add(time(TIMES[1]), 0), Err(SeriesError::Exists(_))));
        series.remove(time(TIMES[1])).unwrap();
        assert_eq!(damaged(&series), [TIMES[2]]);
        series.remove(time(TIMES[2])).unwrap();
        assert_eq!((damaged(&series).len(), series.snapshots().len(), series.next_number().get()), (0, 1, 1));
        assert_eq!(list::folders(&folder).unwrap(), [TIMES[0]]);
        add(&folder, TIMES[1], &URLS[..2]);
        add(&folder, TIMES[2], &URLS);
        assert_eq!(contents(&Series::open(&folder).unwrap())[TIMES[2]], URLS);
    }
}

#[test]
fn a_changed_byte_is_found_before_it_says_anything() {
    for name in ["status", "numbers"] {
        let (_temporary, folder) = three();
        flip(&folder.join(TIMES[0]).join(name));
        let series = Series::open(&folder).unwrap();
        let error = series.at(Some(time(TIMES[0]))).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("its bytes are not those that were written"), "{error}");
        assert!(series.at(None).is_ok());
        assert_eq!(series.check(&|_| ()).len(), 1);
    }
}

#[test]
fn a_changed_byte_of_addresses_is_found_in_all_that_share_them() {
    let (_temporary, folder) = three();
    flip(&folder.join(TIMES[0]).join("urls"));
    let series = Series::open(&folder).unwrap();
    for at in &TIMES[..3] {
        let error = series.at(Some(time(at))).unwrap_err().to_string();
        assert!(error.contains("snapshot of 2019-01-01T00:00:00Z"), "{error}");
        assert!(error.contains("those of 2019-02-01T00:00:00Z, 2019-03-01T00:00:00Z"), "{error}");
    }
    assert!(matches!(Series::open(&folder).unwrap().add(time(TIMES[3]), 0), Err(SeriesError::Damage(_))));
}

#[test]
fn shared_addresses_of_a_removed_snapshot_are_checked_too() {
    let (_temporary, folder) = three();
    Series::open(&folder).unwrap().remove(time(TIMES[0])).unwrap();
    flip(&folder.join(".removed-0/urls"));
    let error = Series::open(&folder).unwrap().at(None).unwrap_err().to_string();
    assert!(error.contains("it was removed") && error.contains("remove the snapshots of 2019-02-01"), "{error}");
    std::fs::write(folder.join(".removed-0/snapshot.json"), "").unwrap();
    assert_eq!(damaged(&Series::open(&folder).unwrap()), &TIMES[1..3]);
}

#[test]
fn a_renamed_a_copied_and_a_vanished_snapshot_are_damage() {
    let (_temporary, folder) = three();
    std::fs::rename(folder.join(TIMES[2]), folder.join(TIMES[3])).unwrap();
    let mut series = Series::open(&folder).unwrap();
    assert_eq!(damaged(&series), [TIMES[3]]);
    assert!(series.damaged()[0].what.contains("it says that it is of 20190301000000"));
    std::fs::rename(folder.join(TIMES[3]), folder.join(TIMES[2])).unwrap();
    series = Series::open(&folder).unwrap();
    assert_eq!(damaged(&series).len(), 0);
    std::fs::remove_dir_all(folder.join(TIMES[0])).unwrap();
    assert_eq!(damaged(&Series::open(&folder).unwrap()), &TIMES[1..3]);
}

#[test]
fn what_a_newer_version_wrote_is_not_removed() {
    let (_temporary, folder) = three();
    std::fs::write(folder.join(TIMES[2]).join("snapshot.json"), "{\"format\": 99}").unwrap();
    let mut series = Series::open(&folder).unwrap();
    assert!(series.damaged()[0].what.contains("format 99"));
    assert!(series.remove(time(TIMES[2])).unwrap_err().to_string().contains("use the driftline that wrote it"));
    assert!(folder.join(TIMES[2]).exists());
}

#[test]
fn the_beginning_of_a_time_names_one_snapshot_or_none() {
    let (_temporary, folder) = three();
    let series = Series::open(&folder).unwrap();
    assert_eq!(series.time_of("201902", "2019-02").unwrap(), time(TIMES[1]));
    let several = series.time_of("2019", "2019").unwrap_err().to_string();
    let all = "2019-01-01T00:00:00Z, 2019-02-01T00:00:00Z, 2019-03-01T00:00:00Z";
    assert_eq!(several, format!("there are several snapshots of 2019\nhint: name one of {all}"));
    let none = series.time_of("2020", "2020").unwrap_err().to_string();
    assert_eq!(none, format!("there is no snapshot of 2020\nhint: there are {all}"));
}
