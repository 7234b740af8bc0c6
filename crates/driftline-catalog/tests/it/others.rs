//! Are watches, changes, derived values, findings and imports kept, and counted right?

use driftline_catalog::digest::{Digest, Mismatch};
use driftline_catalog::{Catalog, Change, Derived, Facet, NewCapture, Progress, Relocation, Tally, Watch};
use serde_json::json;

use super::{add, capture, on_both, time};

on_both!(
    a_watch_is_kept_replaced_and_removed,
    watches_are_found_by_addresses_of_any_length,
    changes_are_kept_by_pair,
    changes_of_one_pair_are_kept_by_how_it_was_read,
    pairs_to_measure_are_those_of_another_recipe,
    derived_values_are_kept_by_kind,
    an_import_says_how_far_it_came,
    digests_that_were_imported_wrong_are_told_from_others,
    everything_is_counted,
);

pub(crate) fn watch(uuid: &str, url: &str) -> Watch {
    let (title, tags) = ("News\0 ☃".replace('\0', ""), vec!["a".to_owned(), "\"b\"".to_owned()]);
    let settings = json!({"every": 3600.25, "zone": "main > p", "odd": "\u{0}"});
    Watch {
        uuid: uuid.to_owned(),
        url: url.to_owned(),
        title,
        tags,
        settings,
        created: time("2024"),
        ..Watch::default()
    }
}

fn digests_that_were_imported_wrong_are_told_from_others(catalog: &Catalog) {
    let digest = |text: &str| Digest::sha1(text.as_bytes());
    let mismatch = |found: &str| Mismatch { stated: digest(""), found: digest(found) };
    let many: Vec<Mismatch> = (0..50).map(|number| mismatch(&number.to_string())).collect();
    catalog.put_imported_digests(&many.iter().collect::<Vec<_>>()).unwrap();
    catalog.put_imported_digests(&[&many[7], &mismatch("more")]).unwrap();
    assert!(many.iter().chain([&mismatch("more")]).all(|own| catalog.was_imported_so(own).unwrap()));
    assert!(!catalog.was_imported_so(&mismatch("rotten")).unwrap());
    assert!(!catalog.was_imported_so(&Mismatch { stated: digest("7"), found: digest("") }).unwrap());
}

fn a_watch_is_kept_replaced_and_removed(catalog: &Catalog) {
    let (first, second) = (watch("1", "http://a/"), watch("2", "http://b/"));
    catalog.put_watch(&first).unwrap();
    catalog.put_watch(&second).unwrap();
    let renamed = Watch { title: "Newer".to_owned(), ..first };
    catalog.put_watch(&renamed).unwrap();
    assert_eq!(catalog.watches().unwrap(), [renamed.clone(), second.clone()]);
    assert_eq!(catalog.watch("1").unwrap(), Some(renamed));
    assert_eq!(catalog.watches_of("http://b/").unwrap(), [second]);
    assert!(catalog.remove_watch("1").unwrap());
    assert!(!catalog.remove_watch("1").unwrap());
    assert_eq!(catalog.watch("1").unwrap(), None);
}

fn watches_are_found_by_addresses_of_any_length(catalog: &Catalog) {
    // Letters in no order: what repeats itself, PostgreSQL makes small before it is indexed.
    let mut seed = 1_u64;
    let mut letter = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from_u32(0x4e00 + (seed >> 50) as u32).unwrap()
    };
    let long: String = (0..3_000).map(|_| letter()).collect();
    let urls = [format!("http://a/{long}"), format!("http://a/{long}x"), "http://a/".to_owned()];
    for (url, uuid) in urls.iter().zip(["1", "2", "3"]) {
        catalog.put_watch(&watch(uuid, url)).unwrap();
    }
    for (url, uuid) in urls.iter().zip(["1", "2", "3"]) {
        assert_eq!(catalog.watches_of(url).unwrap(), [watch(uuid, url)]);
    }
    let beginning: String = urls[0].chars().take(600).collect();
    assert!(catalog.watches_of(&beginning).unwrap().is_empty());
}

pub(crate) fn change(older: i64, newer: i64, recipe: u32, degree: f64) -> Change {
    Change {
        older,
        newer,
        recipe,
        degree,
        importance: None,
        body: json!({"degree": degree, "words": [1, "ä"]}),
        ..Change::default()
    }
}

pub(crate) fn three_versions(catalog: &Catalog) -> Vec<i64> {
    add(
        catalog,
        "a",
        [("2019", "A"), ("2020", "B"), ("2021", "C")].map(|(at, body)| capture("http://a/", at, body)).to_vec(),
    )
}

fn changes_are_kept_by_pair(catalog: &Catalog) {
    let ids = three_versions(catalog);
    let (early, late) = (change(ids[0], ids[1], 1, 0.1), change(ids[1], ids[2], 1, 1.0 / 3.0));
    catalog.put_changes(&[late.clone(), early.clone()]).unwrap();
    assert_eq!(catalog.changes_of("http://a/").unwrap(), [early.clone(), late.clone()]);
    let better = Change { importance: Some(0.7), ..change(ids[1], ids[2], 2, 0.5) };
    catalog.put_changes(std::slice::from_ref(&better)).unwrap();
    assert_eq!(catalog.change(ids[1], ids[2]).unwrap(), Some(better.clone()));
    assert_eq!(catalog.change(ids[2], ids[1]).unwrap(), None);
    assert_eq!(catalog.changes((0, 0), 1).unwrap(), std::slice::from_ref(&early));
    assert_eq!(catalog.changes((early.newer, early.older), 9).unwrap(), [better]);
    assert!(catalog.put_changes(&[change(ids[0], ids[2] + 9, 1, 0.0)]).is_err(), "there is no such capture");
    // What is given up takes its changes along.
    catalog.relocate(&Relocation { dropped: vec![ids[0]], ..Relocation::default() }).unwrap();
    assert_eq!(catalog.changes_of("http://a/").unwrap().len(), 1);
}

fn changes_of_one_pair_are_kept_by_how_it_was_read(catalog: &Catalog) {
    let ids = three_versions(catalog);
    let read = |reading: &str, degree| Change { reading: reading.to_owned(), ..change(ids[0], ids[1], 1, degree) };
    let all = [read("", 0.1), read("{\"zone\":[\"main\"]}", 0.2), read(&"long ".repeat(9_000), 0.3)];
    catalog.put_changes(&all).unwrap();
    for change in &all {
        assert_eq!(catalog.change_read(ids[0], ids[1], &change.reading).unwrap().as_ref(), Some(change));
    }
    assert_eq!(catalog.change_read(ids[0], ids[1], "other").unwrap(), None);
    assert_eq!((catalog.changes_of("http://a/").unwrap().len(), catalog.changes((0, 0), 9).unwrap().len()), (1, 1));
    assert_eq!(catalog.unmeasured(1, 0, 9).unwrap().unwrap().items, [(ids[1], ids[2])]);
    catalog.put_changes(&[read(&all[1].reading, 0.5)]).unwrap();
    assert_eq!(catalog.change_read(ids[0], ids[1], &all[1].reading).unwrap().unwrap().degree, 0.5);
    assert_eq!(catalog.change(ids[0], ids[1]).unwrap().unwrap().degree, 0.1);
}

fn pairs_to_measure_are_those_of_another_recipe(catalog: &Catalog) {
    let ids = three_versions(catalog);
    add(catalog, "b", vec![capture("http://b/", "2020", "A"), capture("http://b/", "2021", "A")]);
    let pairs = || catalog.unmeasured(2, 0, 100).unwrap().unwrap();
    assert_eq!(pairs().items, [(ids[0], ids[1]), (ids[1], ids[2])]);
    catalog.put_changes(&[change(ids[0], ids[1], 2, 0.1), change(ids[1], ids[2], 1, 0.1)]).unwrap();
    assert_eq!(pairs().items, [(ids[1], ids[2])]);
    assert_eq!(catalog.unmeasured(2, pairs().next, 100).unwrap(), None);
}

fn derived_values_are_kept_by_kind(catalog: &Catalog) {
    let ids = three_versions(catalog);
    let value =
        |capture, kind: &str, recipe, body: &[u8]| Derived { capture, kind: kind.into(), recipe, body: body.into() };
    let (text, links) = (value(ids[0], "text", 1, b"\x00\xff"), value(ids[0], "links", 1, b""));
    catalog.put_derived(&[text.clone(), links.clone(), value(ids[1], "text", 2, b"x")]).unwrap();
    assert_eq!(catalog.derived(ids[0], "text").unwrap(), Some(text));
    assert_eq!(catalog.derived(ids[0], "links").unwrap(), Some(links));
    assert_eq!(catalog.derived(ids[2], "text").unwrap(), None);
    catalog.put_derived(&[value(ids[0], "text", 2, b"new")]).unwrap();
    assert_eq!(catalog.derived(ids[0], "text").unwrap().unwrap().body, b"new");
    assert!(catalog.put_derived(&[value(ids[2] + 9, "text", 1, b"")]).is_err(), "there is no such capture");
}

fn an_import_says_how_far_it_came(catalog: &Catalog) {
    let source = format!("/archives/{}.warc.gz", "long/".repeat(900));
    let begun = Progress { source, size: 1 << 40, modified: Some(time("2024")), offset: 77, done: false };
    let other = Progress { source: "other".to_owned(), modified: None, ..begun.clone() };
    catalog.put_progress(&begun).unwrap();
    catalog.put_progress(&other).unwrap();
    let done = Progress { offset: 1 << 40, done: true, ..begun };
    catalog.put_progress(&done).unwrap();
    assert_eq!(catalog.progress(&done.source).unwrap(), Some(done.clone()));
    assert_eq!(catalog.imports().unwrap(), [done, other]);
    assert_eq!(catalog.progress("none").unwrap(), None);
}

fn everything_is_counted(catalog: &Catalog) {
    assert_eq!(catalog.stats().unwrap(), driftline_catalog::Stats::default());
    let ids = three_versions(catalog);
    let picture = NewCapture {
        mime: Some("image/png".to_owned()),
        status: None,
        length: 900,
        ..capture("http://www.b.example:8080/x)y", "2021-12-31T23:59:59Z", "P")
    };
    add(catalog, "b", vec![picture]);
    catalog.put_changes(&[change(ids[0], ids[1], 1, 0.5)]).unwrap();
    let stats = catalog.stats().unwrap();
    assert_eq!(stats.captures, Tally { count: 4, bytes: 1200 });
    assert_eq!((stats.versions, stats.urls, stats.changes), (4, 2, 1));
    assert_eq!(stats.segments, Tally { count: 2, bytes: 400 });
    assert_eq!((stats.first, stats.latest), (Some(time("2019")), Some(time("2021-12-31T23:59:59Z"))));
    let tally = |facet| -> Vec<(String, u64, u64)> {
        catalog.tally(facet).unwrap().into_iter().map(|(name, tally)| (name, tally.count, tally.bytes)).collect()
    };
    let row = |name: &str, count, bytes| (name.to_owned(), count, bytes);
    assert_eq!(tally(Facet::Mime), [row("image/png", 1, 900), row("text/html", 3, 300)]);
    assert_eq!(tally(Facet::Status), [row("", 1, 900), row("200", 3, 300)]);
    assert_eq!(tally(Facet::Year), [row("2021", 2, 1000), row("2019", 1, 100), row("2020", 1, 100)]);
    assert_eq!(tally(Facet::Kind), [row("response", 4, 1200)]);
    assert_eq!(tally(Facet::Host), [row("example,b:8080", 1, 900), row("a", 3, 300)]);
}
