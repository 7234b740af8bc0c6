//! Are the events found that were asked for, and no others?

use driftline_catalog::{Catalog, EventFilter, NewEvent, Settlement};

use super::ledger::{event, put};
use super::others::watch;
use super::{on_both, time};

on_both!(events_are_filtered, a_watch_keeps_what_its_events_were_folded_into, an_odd_filter_finds_nothing);

fn found(catalog: &Catalog, filter: &EventFilter) -> Vec<String> {
    catalog.events(filter).unwrap().items.into_iter().map(|event| event.key).collect()
}

fn events_are_filtered(catalog: &Catalog) {
    let gone = NewEvent { kind: "page-gone".to_owned(), importance: 0.9, ..event("gone", "2020", None) };
    let elsewhere = NewEvent { site: "b".to_owned(), url: "http://b/".to_owned(), ..event("b", "2021", Some("w")) };
    let untagged = NewEvent { tags: Vec::new(), importance: 0.0, ..event("plain", "2022", Some("w")) };
    put(catalog, vec![event("first", "2019", Some("w")), gone, elsewhere, untagged]);
    let all = EventFilter::default;
    assert_eq!(found(catalog, &all()), ["plain", "b", "gone", "first"]);
    assert_eq!(found(catalog, &EventFilter { kinds: vec!["page-gone".into()], ..all() }), ["gone"]);
    let kinds = vec!["page-gone".into(), "changed".into()];
    assert_eq!(found(catalog, &EventFilter { kinds, limit: 3, ..all() }), ["plain", "b", "gone"]);
    assert_eq!(found(catalog, &EventFilter { watch: Some("w".into()), ..all() }), ["plain", "b", "first"]);
    assert_eq!(found(catalog, &EventFilter { site: Some("b".into()), ..all() }), ["b"]);
    assert_eq!(found(catalog, &EventFilter { url: Some("http://b/".into()), ..all() }), ["b"]);
    assert_eq!(found(catalog, &EventFilter { tag: Some("news".into()), ..all() }), ["b", "gone", "first"]);
    assert_eq!(found(catalog, &EventFilter { importance: Some(0.6), ..all() }), ["gone"]);
    let times = EventFilter { from: Some(time("2020")), to: Some(time("2022")), ..all() };
    assert_eq!(found(catalog, &times), ["b", "gone"]);
    let both = EventFilter { site: Some("a".into()), tag: Some("news".into()), watch: Some("w".into()), ..all() };
    assert_eq!(found(catalog, &both), ["first"]);
    catalog.remove_watch("w").unwrap();
    assert_eq!(found(catalog, &all()), ["gone"], "a watch takes its events along");
}

fn a_watch_keeps_what_its_events_were_folded_into(catalog: &Catalog) {
    let held = |key: &str, watch| NewEvent { release: Some(time("2023")), ..event(key, "2020", Some(watch)) };
    catalog.put_watch(&watch("v", "http://a/v")).unwrap();
    put(catalog, vec![held("one", "w"), held("two", "v"), event("own", "2019", Some("v"))]);
    let numbers: Vec<i64> = catalog.held_of("a", 9).unwrap().into_iter().map(|event| event.id).collect();
    let settlement = Settlement {
        new: vec![event("both", "2021", None), event("other", "2022", None)],
        folded: numbers.into_iter().map(|id| (id, "both".to_owned())).collect(),
        ..Settlement::default()
    };
    catalog.settle(&settlement).unwrap();
    let of = |watch: &str, all| EventFilter { watch: Some(watch.to_owned()), all, ..EventFilter::default() };
    assert_eq!(found(catalog, &of("w", false)), ["both"]);
    assert_eq!(found(catalog, &of("v", false)), ["both", "own"]);
    assert_eq!(found(catalog, &of("v", true)), ["both", "two", "own"]);
    assert_eq!(found(catalog, &EventFilter { to: Some(time("2021")), ..of("v", false) }), ["own"]);
    assert!(found(catalog, &of("u", false)).is_empty());
}

fn an_odd_filter_finds_nothing(catalog: &Catalog) {
    put(catalog, vec![event("k", "2020", Some("w"))]);
    for odd in ["", "\0", "' OR 1 = 1 --", "%", &"x".repeat(100_000)] {
        let odd = || Some(odd.to_owned());
        for filter in [
            EventFilter { watch: odd(), ..EventFilter::default() },
            EventFilter { site: odd(), ..EventFilter::default() },
            EventFilter { tag: odd(), ..EventFilter::default() },
            EventFilter { url: odd(), ..EventFilter::default() },
            EventFilter { kinds: odd().into_iter().collect(), ..EventFilter::default() },
        ] {
            assert!(found(catalog, &filter).is_empty(), "{filter:?}");
        }
    }
}
