//! Lists of watches, events, captures and versions: filtered, in order, page by page.

use std::collections::BTreeSet;

use driftline_catalog::{
    Catalog, EventFilter, ListedWatch, NewEvent, Record, Settlement, Watch, WatchFilter, WatchSort, WatchState,
    WatchStatus, every,
};
use serde_json::json;

use super::ledger::{event, put, record};
use super::{add, capture, on_both, time};

on_both!(
    a_watch_is_a_row_as_soon_as_it_is_loaded,
    a_watch_that_is_no_longer_in_a_file_is_in_no_list,
    watches_are_found_by_tag_site_kind_state_and_text,
    a_list_of_watches_says_what_changed_last,
    pages_of_watches_have_every_watch_once,
    events_are_found_by_text_and_by_what_was_read,
    pages_of_events_have_every_event_once,
    captures_and_versions_of_an_address_are_paged,
);

fn row(uuid: &str, url: &str, title: &str, tags: &[&str]) -> Watch {
    Watch {
        uuid: uuid.to_owned(),
        url: url.to_owned(),
        title: title.to_owned(),
        tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
        settings: json!({ "kind": "page" }),
        created: time("2024"),
        kind: "page".to_owned(),
        site: url.trim_start_matches("http://").split('/').next().unwrap_or_default().to_owned(),
        ..Watch::default()
    }
}

fn listed(catalog: &Catalog, filter: &WatchFilter, sort: WatchSort) -> Vec<ListedWatch> {
    every(|after| catalog.watches_page(filter, sort, after, 2)).unwrap()
}

fn names(catalog: &Catalog, filter: &WatchFilter) -> Vec<String> {
    listed(catalog, filter, WatchSort::Name).into_iter().map(|listed| listed.watch.uuid).collect()
}

fn a_watch_is_a_row_as_soon_as_it_is_loaded(catalog: &Catalog) {
    let own = [row("a", "http://x/a", "News", &["t"]), row("b", "http://x/b", "", &[])];
    catalog.sync_watches(own.clone(), time("2024")).unwrap();
    let [a, b] = listed(catalog, &WatchFilter::default(), WatchSort::Name).try_into().unwrap();
    assert_eq!((&b.watch, b.status, b.checked), (&own[0], WatchStatus::New, None));
    assert_eq!(
        (a.watch.title.as_str(), a.change),
        ("http://x/b", None),
        "a watch without a name is called by its address"
    );
    // What a check finds stays when the files are read again, as long as they say nothing else.
    let checked = Watch { title: "The page".to_owned(), ..own[1].clone() };
    catalog.record(&[Record { watch: checked.clone(), ..record("b", "2025") }]).unwrap();
    catalog.sync_watches(own.clone(), time("2026")).unwrap();
    assert_eq!(catalog.watch("b").unwrap(), Some(checked));
    let renamed = Watch { title: "Mine".to_owned(), is_paused: true, ..own[1].clone() };
    catalog.sync_watches([own[0].clone(), renamed.clone()], time("2026")).unwrap();
    assert_eq!(catalog.watch("b").unwrap(), Some(renamed));
    let moved = Watch { url: "http://x/c".to_owned(), ..own[1].clone() };
    catalog.sync_watches([own[0].clone(), moved], time("2026")).unwrap();
    assert_eq!(catalog.watch("b").unwrap().unwrap().title, "http://x/c", "the title was that of another page");
}

fn a_watch_that_is_no_longer_in_a_file_is_in_no_list(catalog: &Catalog) {
    let own: Vec<Watch> = (0..50).map(|number| row(&format!("{number:02}"), "http://x/", "News", &["t"])).collect();
    catalog.sync_watches(own.clone(), time("2024")).unwrap();
    put(catalog, vec![event("k", "2025", Some("07"))]);
    catalog.sync_watches(own.iter().filter(|own| own.uuid != "07").cloned(), time("2026")).unwrap();
    let tagged = WatchFilter { tag: Some("t".to_owned()), ..WatchFilter::default() };
    let found = WatchFilter { text: Some("news".to_owned()), ..WatchFilter::default() };
    for filter in [WatchFilter::default(), tagged.clone(), found] {
        let names = names(catalog, &filter);
        assert_eq!((names.len(), names.contains(&"07".to_owned())), (49, false));
    }
    assert_eq!(catalog.events(&EventFilter::default()).unwrap().items.len(), 1, "what happened stays");
    catalog.sync_watches(own, time("2027")).unwrap();
    assert_eq!(names(catalog, &tagged).len(), 50);
    assert_eq!(catalog.stats().unwrap().watches, 50);
}

fn watches_are_found_by_tag_site_kind_state_and_text(catalog: &Catalog) {
    let feed = Watch { kind: "feed".to_owned(), ..row("feed", "http://y/feed", "All news", &["b"]) };
    let paused = Watch { is_paused: true, ..row("paused", "http://y/p", "Öffnungszeiten", &["a", "b"]) };
    let own =
        [row("gone", "http://x/a", "News of the zoo", &["a"]), row("new", "http://x/b", "Zoo", &["a"]), feed, paused];
    catalog.sync_watches(own.clone(), time("2024")).unwrap();
    let state = |failing: Option<&str>, absent: Option<&str>| WatchState {
        checked: Some(time("2025")),
        failing_since: failing.map(time),
        absent_since: absent.map(time),
        ..WatchState::default()
    };
    let of = |number: usize, state| Record { watch: own[number].clone(), state, ..record("", "2025") };
    let states = [of(0, state(None, Some("2025"))), of(2, state(Some("2025"), None)), of(3, state(Some("2025"), None))];
    catalog.record(&states).unwrap();
    let all = WatchFilter::default;
    let text = |text: &str| names(catalog, &WatchFilter { text: Some(text.to_owned()), ..all() });
    let status = |status| names(catalog, &WatchFilter { status: Some(status), ..all() });
    assert_eq!(names(catalog, &all()), ["feed", "gone", "new", "paused"]);
    assert_eq!(names(catalog, &WatchFilter { tag: Some("a".to_owned()), ..all() }), ["gone", "new", "paused"]);
    assert_eq!(names(catalog, &WatchFilter { site: Some("y".to_owned()), ..all() }), ["feed", "paused"]);
    assert_eq!(names(catalog, &WatchFilter { kind: Some("feed".to_owned()), ..all() }), ["feed"]);
    assert_eq!(
        (status(WatchStatus::New), status(WatchStatus::Failing)),
        (vec!["new".to_owned()], vec!["feed".to_owned()])
    );
    assert_eq!(
        (status(WatchStatus::Absent), status(WatchStatus::Paused)),
        (vec!["gone".to_owned()], vec!["paused".to_owned()])
    );
    assert_eq!(status(WatchStatus::Working), Vec::<String>::new());
    assert_eq!(
        (text("zoo"), text("NEWS zo"), text("öff")),
        (vec!["gone".into(), "new".into()], vec!["gone".into()], vec!["paused".into()])
    );
    assert_eq!((text("oo"), text("?!"), text("' OR 1")), (Vec::new(), Vec::new(), Vec::new()));
    let both = WatchFilter { tag: Some("b".to_owned()), text: Some("http".to_owned()), ..all() };
    assert_eq!(names(catalog, &both), ["feed", "paused"]);
}

fn a_list_of_watches_says_what_changed_last(catalog: &Catalog) {
    let own = ["one", "two", "still"].map(|uuid| row(uuid, "http://x/", uuid, &["t"]));
    catalog.sync_watches(own, time("2024")).unwrap();
    let said = |key: &str, at: &str, watch| NewEvent { body: json!({ "summary": key }), ..event(key, at, Some(watch)) };
    let failing = NewEvent { kind: "check-failing".to_owned(), ..said("fails", "2028", "one") };
    put(catalog, vec![said("old", "2025", "one"), said("new", "2027", "two"), said("later", "2026", "one"), failing]);
    put(catalog, vec![said("earlier", "2025", "two")]);
    // What is recorded besides is of a watch of no site.
    for (tag, site) in [(None, Some("x".to_owned())), (Some("t".to_owned()), None)] {
        let filter = WatchFilter { tag, site, ..WatchFilter::default() };
        let changes = listed(catalog, &filter, WatchSort::LastChange).into_iter().map(|listed| listed.change);
        let said: Vec<_> =
            changes.map(|change| change.map(|change| (change.summary, change.at, change.importance))).collect();
        let wanted = |text: &str, at| Some((text.to_owned(), time(at), 0.5));
        assert_eq!(said, [wanted("new", "2027"), wanted("later", "2026"), None]);
    }
    // A release may say more.
    let held = |key: &str| NewEvent { release: Some(time("2029")), ..said(key, "2028", "still") };
    put(catalog, vec![held("held")]);
    let id = catalog.held_of("a", 9).unwrap()[0].id;
    let updated = vec![(id, json!({ "summary": "twice", "importance": 0.9 }))];
    catalog.settle(&Settlement { updated, ..Settlement::default() }).unwrap();
    let first = listed(catalog, &WatchFilter::default(), WatchSort::LastChange)[0].change.clone().unwrap();
    assert_eq!((first.event, first.summary.as_str(), first.importance), (id, "twice", 0.9));
}

fn pages_of_watches_have_every_watch_once(catalog: &Catalog) {
    let own = (0..100).map(|number| row(&number.to_string(), "http://x/", ["Same", "Other"][number % 2], &["t"]));
    catalog.sync_watches(own, time("2024")).unwrap();
    let changed: Vec<NewEvent> = (0..30_u32)
        .map(|number| event(&number.to_string(), ["2025", "2026"][(number % 2) as usize], Some(&number.to_string())))
        .collect();
    put(catalog, changed);
    for (tag, site) in [(None, Some("x".to_owned())), (Some("t".to_owned()), None)] {
        for sort in [WatchSort::Name, WatchSort::LastChange] {
            let filter = WatchFilter { tag: tag.clone(), site: site.clone(), ..WatchFilter::default() };
            for limit in [1, 7, 100] {
                let all = every(|after| {
                    let after = after.map(|after| after.to_string().parse().unwrap());
                    let page = catalog.watches_page(&filter, sort, after.as_ref(), limit);
                    assert!(page.as_ref().unwrap().items.len() <= limit as usize);
                    page
                });
                let once: BTreeSet<i64> = all.as_ref().unwrap().iter().map(|listed| listed.id).collect();
                assert_eq!((all.unwrap().len(), once.len()), (100, 100));
            }
        }
    }
    assert_eq!(catalog.watches_page(&WatchFilter::default(), WatchSort::Name, None, 0).unwrap().items.len(), 1);
}

fn events_are_found_by_text_and_by_what_was_read(catalog: &Catalog) {
    let said = |key: &str, at: &str, text: &str| NewEvent { body: json!({ "summary": text }), ..event(key, at, None) };
    put(
        catalog,
        vec![
            said("one", "2025", "Price 24 → 21 EUR"),
            said("two", "2026", "100 % new_text"),
            said("three", "2027", ""),
        ],
    );
    let found = |filter: EventFilter| -> Vec<String> {
        catalog.events(&filter).unwrap().items.into_iter().map(|event| event.key).collect()
    };
    let text = |text: &str| found(EventFilter { text: Some(text.to_owned()), ..EventFilter::default() });
    assert_eq!(
        (text("price 24"), text("0 %"), text("w_t")),
        (vec!["one".into()], vec!["two".into()], vec!["two".into()])
    );
    assert_eq!(
        (text("%%"), text("http://a"), text("!")),
        (Vec::new(), vec!["three".into(), "two".into(), "one".into()], Vec::new())
    );
    let unread = || found(EventFilter { unread: true, ..EventFilter::default() });
    let ids: Vec<i64> = catalog.events(&EventFilter::default()).unwrap().items.iter().map(|event| event.id).collect();
    catalog.mark_read(&ids[..2], Some(time("2028"))).unwrap();
    catalog.keep_events(&ids[1..2], true).unwrap();
    assert_eq!(unread(), ["one"]);
    let two = catalog.event("two").unwrap().unwrap();
    assert_eq!((two.read_at, two.is_kept, two.summary.as_str()), (Some(time("2028")), true, "100 % new_text"));
    catalog.mark_read(&ids, None).unwrap();
    assert_eq!(unread(), ["three", "two", "one"]);
}

fn pages_of_events_have_every_event_once(catalog: &Catalog) {
    let own = |number: usize| event(&number.to_string(), ["2025", "2026", "2027"][number % 3], Some("w"));
    put(catalog, (0..100).map(own).collect());
    let all = EventFilter::default;
    let filters = [
        all(),
        EventFilter { tag: Some("news".to_owned()), ..all() },
        EventFilter { watch: Some("w".to_owned()), ..all() },
        EventFilter { kinds: vec!["changed".to_owned()], ..all() },
    ];
    for filter in filters {
        for limit in [1, 7, 100] {
            let events = every(|after| catalog.events(&EventFilter { after: after.cloned(), limit, ..filter.clone() }));
            let events = events.unwrap();
            let once: BTreeSet<i64> = events.iter().map(|event| event.id).collect();
            assert_eq!((events.len(), once.len()), (100, 100), "{filter:?}");
            assert!(events.is_sorted_by_key(|event| std::cmp::Reverse((event.at, event.id))));
        }
    }
}

fn captures_and_versions_of_an_address_are_paged(catalog: &Catalog) {
    let urls = ["http://a.example/", "https://www.a.example/"];
    let own = (0..50).map(|number: usize| {
        capture(urls[number % 2], &format!("20{:02}", 10 + number / 4), ["A", "B"][number / 2 % 2])
    });
    add(catalog, "a", own.collect());
    for limit in [1, 7, 50, 100] {
        let captures = every(|after| catalog.captures_page(urls[0], after, limit)).unwrap();
        let mut wanted = catalog.captures_of(urls[0]).unwrap();
        wanted.reverse();
        assert_eq!(captures, wanted);
        let versions = every(|after| catalog.versions_page(urls[0], after, limit)).unwrap();
        let mut wanted = catalog.versions_of(urls[0]).unwrap();
        wanted.reverse();
        assert_eq!((&versions, versions.len()), (&wanted, 50));
    }
}
