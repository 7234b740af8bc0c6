//! Which pages have which rules, and what is needed of them.

use driftline_catalog::{Record, WatchState};
use serde_json::{Value, json};

use super::*;
use crate::watches::Settings;

fn seen(capture: i64, url: &str) -> Value {
    json!({ "capture": capture, "url": url, "at": "2024-01-31T12:00:00Z", "digest": "" })
}

/// Writes that a watch was checked, and what it saw.
fn checked(catalog: &Catalog, id: &str, url: &str, at: i64, body: Value) {
    let (uuid, url, title) = (id.to_owned(), url.to_owned(), String::new());
    let created = Time::from_microseconds(0);
    let watch = driftline_catalog::Watch {
        uuid,
        url,
        title,
        tags: Vec::new(),
        settings: json!({}),
        created,
        ..driftline_catalog::Watch::default()
    };
    let state = WatchState { next: None, checked: Some(Time::from_microseconds(at)), body, ..WatchState::default() };
    let record = Record { watch, state, change: None, events: Vec::new(), stream: None, members: None };
    catalog.record(&[record]).unwrap();
}

fn watch(id: &str, url: &str, rules: &str) -> Watch {
    let retention = rules.parse().unwrap();
    Watch {
        id: id.into(),
        url: url.into(),
        name: None,
        settings: Arc::new(Settings { retention, ..Settings::default() }),
    }
}

fn catalog() -> (tempfile::TempDir, Catalog) {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(folder.path().join("catalog.db")).unwrap();
    (folder, catalog)
}

#[test]
fn a_page_has_all_addresses_that_its_watch_compared() {
    let (_folder, catalog) = catalog();
    let state = json!({
        "format": 1,
        "seen": seen(7, "urn:dom:http://a.example/new"),
        "base": seen(5, "http://a.example/old"),
        "feeds": [{ "url": "http://a.example/feed", "seen": seen(8, "http://a.example/feed.xml") },
            { "url": "http://a.example/never" }],
    });
    checked(&catalog, "a", "http://a.example/", 3, state);
    checked(&catalog, "b", "http://b.example/", 3, json!({ "format": 1, "seen": seen(9, "http://b.example/") }));
    let never = watch("c", "http://c.example/", "keep=1");
    let watches = [watch("a", "http://a.example/", "keep=2"), watch("b", "http://b.example/", "all"), never];
    let rules = rules(&catalog, &watches, &Retention::default()).unwrap();
    let urls: Vec<Vec<&str>> = rules.pages.iter().map(|page| page.urls.iter().map(|url| &**url).collect()).collect();
    let page = ["http://a.example/", "http://a.example/new", "http://a.example/old"];
    let feed = ["http://a.example/feed", "http://a.example/feed.xml"];
    assert_eq!(urls, [page.to_vec(), feed.to_vec(), vec!["http://c.example/"]]);
    assert_eq!(rules.needed, [5, 7, 8, 9], "what watches without rules compare with stays too");
    let [of_a @ .., never] = rules.pages.as_slice() else { panic!("{rules:?}") };
    assert!(of_a.iter().all(|page| page.judged == Some(Time::from_microseconds(3))));
    assert!(of_a.iter().all(|page| page.rules == ["keep=2".parse().unwrap()] && &*page.watch == "a"));
    assert_eq!(never.judged, Some(Time::from_microseconds(i64::MIN)), "nothing of it was judged");
}

#[test]
fn watches_that_share_an_address_share_a_page_and_a_watch_without_rules_keeps_all_of_it() {
    let (_folder, catalog) = catalog();
    let state = |capture, url| json!({ "format": 1, "seen": seen(capture, url) });
    checked(&catalog, "a", "http://a.example/", 3, state(1, "http://x.example/"));
    checked(&catalog, "b", "http://x.example/", 9, state(2, "http://x.example/"));
    checked(&catalog, "c", "http://c.example/", 3, state(3, "http://c.example/"));
    checked(&catalog, "d", "http://d.example/", 3, state(4, "http://c.example/"));
    let ruled = |id, url| watch(id, url, "keep=2");
    let watches = [
        ruled("a", "http://a.example/"),
        watch("b", "http://x.example/", "keep=5"),
        ruled("c", "http://c.example/"),
        watch("d", "http://d.example/", "all"),
    ];
    let rules = rules(&catalog, &watches, &Retention::default()).unwrap();
    let [one, other] = rules.pages.as_slice() else { panic!("{rules:?}") };
    assert_eq!((&*one.watch, one.rules.len(), one.urls.len()), ("a, b", 2, 2));
    assert_eq!(one.judged, Some(Time::from_microseconds(9)));
    assert_eq!((&*other.watch, &other.rules[1]), ("c, d", &Retention::default()));
}

#[test]
fn of_a_watch_whose_state_cannot_be_read_or_is_of_another_address_everything_stays() {
    let (_folder, catalog) = catalog();
    checked(&catalog, "a", "http://a.example/", 3, json!({ "format": 99 }));
    let moved = json!({ "format": 1, "of": 7, "seen": seen(1, "http://old.example/") });
    checked(&catalog, "b", "http://new.example/", 3, moved);
    let watches = [watch("a", "http://a.example/", "keep=2"), watch("b", "http://new.example/", "keep=2")];
    let rules = rules(&catalog, &watches, &Retention::default()).unwrap();
    assert!(rules.pages.iter().all(|page| page.judged == Some(Time::from_microseconds(i64::MIN))), "{rules:?}");
    assert_eq!((rules.pages.len(), rules.unreadable), (2, vec!["a".to_owned()]));
    assert_eq!(rules.needed, [1]);
}
