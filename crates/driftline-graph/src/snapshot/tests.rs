//! Is a snapshot what was crawled, and is a damaged one an error?

use super::made::{crawled, put};
use driftline::novelty::url::Canonical;

use super::*;
use crate::Series;

const AT: &str = "20190115000000";
const HOME: &str = "https://www.example.org/";
const NEWS: &str = "https://www.example.org/news/?page=2";
const OTHER: &str = "https://other.example/";

fn made() -> (tempfile::TempDir, PathBuf) {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("series");
    let links = [(HOME, NEWS), (HOME, OTHER), (NEWS, OTHER), (NEWS, HOME)];
    put(&folder, AT, &[(HOME, crawled("20190114120000")), (NEWS, crawled("20190114120100"))], &links);
    (temporary, folder)
}

fn canonical(url: &str) -> Canonical {
    Canonical::of(url).unwrap()
}

#[test]
fn pages_are_found_by_address_with_their_links_in_both_directions() {
    let (_temporary, folder) = made();
    let series = Series::open(&folder).unwrap();
    let snapshot = series.at(None).unwrap();
    let node = |url: &str| snapshot.node(&canonical(url), &series).unwrap();
    // By key: example.other before org.example.
    let [other, home, news] = [0, 1, 2].map(Node::new);
    assert_eq!([OTHER, HOME, NEWS].map(node), [other, home, news].map(Some));
    assert_eq!(node("https://example.org/missing"), None);
    assert_eq!(node("http://example.org/index.html"), Some(home));
    assert_eq!(snapshot.out_links(home).unwrap(), [other, news]);
    assert_eq!(snapshot.in_links(other).unwrap(), [home, news]);
    assert_eq!(snapshot.in_links(news).unwrap(), [home]);
    let urls: Vec<_> = snapshot.urls(&series).map(|url| url.unwrap().url()).collect();
    assert_eq!(urls, [OTHER, HOME, NEWS]);
    assert_eq!(snapshot.url(news, &series).unwrap().url(), NEWS);
    assert_eq!([other, home, news].map(|node| snapshot.is_crawled(node)), [false, true, true]);
    assert_eq!(snapshot.fetched(home), Some("20190114120000".parse().unwrap()));
    assert_eq!((snapshot.fetched(other), snapshot.last_modified(home)), (None, None));
    assert_eq!((snapshot.nodes(), snapshot.about().links, snapshot.about().crawled), (3, 4, 2));
    assert!(snapshot.sketches().is_none() && snapshot.sketch(home).is_none());
    snapshot.check(&|_| ()).unwrap();
}

#[test]
fn a_file_that_was_cut_is_an_error_when_the_snapshot_is_opened() {
    let (_temporary, folder) = made();
    let folder = folder.join(AT);
    let names: Vec<_> = Snapshot::open(&folder).unwrap().about().files.keys().cloned().collect();
    assert_eq!(names.len(), 11, "{names:?}");
    for name in names {
        let path = folder.join(&name);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(matches!(Snapshot::open(&folder), Err(SnapshotError::Damaged { .. })), "{name}");
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(Snapshot::open(&folder), Err(SnapshotError::Damaged { .. })), "{name}");
        std::fs::write(&path, &bytes).unwrap();
    }
    Snapshot::open(&folder).unwrap();
}

#[test]
fn a_changed_byte_of_links_is_an_error_before_they_are_followed() {
    let (_temporary, folder) = made();
    let folder = folder.join(AT);
    for name in [Direction::Out, Direction::In].map(Direction::files).concat() {
        let path = folder.join(&name);
        let bytes = std::fs::read(&path).unwrap();
        let mut changed = bytes.clone();
        changed[bytes.len() / 2] ^= 0x55;
        std::fs::write(&path, changed).unwrap();
        let snapshot = Snapshot::open(&folder).unwrap();
        let direction = if name.starts_with("out") { Direction::Out } else { Direction::In };
        assert!(matches!(snapshot.links(direction), Err(SnapshotError::Damaged { .. })), "{name}");
        assert!(snapshot.check(&|_| ()).is_err());
        std::fs::write(&path, &bytes).unwrap();
    }
}

#[test]
fn what_another_version_wrote_is_refused_with_a_hint() {
    let (_temporary, folder) = made();
    let path = folder.join(AT).join(about::FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"format\": 1", "\"format\": 2")).unwrap();
    let error = Snapshot::open(&folder.join(AT)).unwrap_err().to_string();
    assert!(error.contains("format 2") && error.contains("hint:"), "{error}");
    for broken in ["", "{}", "{\"format\": 1}", "\u{0}", &text[..text.len() / 2], &text.replace(AT, "once")] {
        std::fs::write(&path, broken).unwrap();
        assert!(matches!(Snapshot::open(&folder.join(AT)), Err(SnapshotError::Damaged { .. })), "{broken}");
    }
}

#[test]
fn numbers_that_were_not_given_out_are_an_error() {
    let (_temporary, folder) = made();
    let path = folder.join(AT).join(numbers::FILE);
    std::fs::write(&path, [7, 0, 0, 0, 255, 255, 255, 255, 3, 0, 0, 0]).unwrap();
    let series = Series::open(&folder).unwrap();
    assert!(series.at(None).is_err());
    let snapshot = &series.snapshots()[0];
    assert!(Node::first(3).all(|node| snapshot.url(node, &series).is_err()));
    assert!(snapshot.node(&canonical(HOME), &series).is_err());
    assert!(matches!(snapshot.check(&|_| ()), Err(SnapshotError::Damaged { .. })));
}

#[test]
fn a_crawl_of_nothing_is_a_snapshot() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("empty");
    put(&folder, AT, &[], &[]);
    let series = Series::open(&folder).unwrap();
    let snapshot = series.at(None).unwrap();
    assert_eq!((snapshot.nodes(), snapshot.links(Direction::In).unwrap().links()), (0, 0));
    assert_eq!(snapshot.node(&canonical(HOME), &series).unwrap(), None);
}
