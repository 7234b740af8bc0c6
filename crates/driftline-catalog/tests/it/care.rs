//! Does the catalog say what is to be derived, and follow a compaction?

use driftline_catalog::{CaptureKind, Catalog, Change, Derived, NewCapture, Original, Relocation, Turned};
use serde_json::json;

use super::{add, capture, on_both, time};

on_both!(
    versions_that_lack_a_value_are_named,
    values_are_counted_by_recipe,
    bytes_of_bodies_are_counted_kept_and_saved,
    a_revisit_turns_into_what_it_is_said_to_be,
);

const PAGE: &str = "http://a/";

fn revisit(at: &str, body: &str) -> NewCapture {
    let refers_to = Some(Original { url: PAGE.to_owned(), at: time("2019") });
    NewCapture { kind: CaptureKind::Revisit, payload_length: None, refers_to, ..capture(PAGE, at, body) }
}

/// Two versions of a page, the first of them seen twice; and another page.
fn filled(catalog: &Catalog) -> Vec<i64> {
    let page = vec![capture(PAGE, "2019", "AAA"), revisit("2020", "AAA"), capture(PAGE, "2021", "B")];
    let mut ids = add(catalog, "one", page);
    ids.extend(add(catalog, "two", vec![capture("http://b/", "2019", "C")]));
    ids
}

fn derived(capture: i64, recipe: u32) -> Derived {
    Derived { capture, kind: "text".to_owned(), recipe, body: b"text".to_vec() }
}

fn versions_that_lack_a_value_are_named(catalog: &Catalog) {
    let ids = filled(catalog);
    catalog.put_derived(&[derived(ids[0], 2), derived(ids[2], 1)]).unwrap();
    let mut lacking = catalog.underived_versions("text", 2, 0, 10).unwrap();
    lacking.sort_unstable();
    assert_eq!(lacking, [ids[2], ids[3]]);
    assert_eq!(catalog.underived_versions("text", 2, 0, 1).unwrap(), [ids[2]]);
    assert_eq!(catalog.underived_versions("links", 2, 0, 1).unwrap().len(), 2);
    assert!(catalog.underived_versions("text", 2, 1_000, 10).unwrap().is_empty());
}

fn values_are_counted_by_recipe(catalog: &Catalog) {
    let ids = filled(catalog);
    catalog.put_derived(&[derived(ids[0], 2), derived(ids[2], 1), derived(ids[3], 2)]).unwrap();
    let change = Change {
        older: ids[1],
        newer: ids[2],
        recipe: 7,
        degree: 0.5,
        importance: None,
        body: json!({}),
        ..Change::default()
    };
    catalog.put_changes(&[change]).unwrap();
    let count = |kind: &str, recipe, count| (kind.to_owned(), recipe, count);
    assert_eq!(catalog.recipes().unwrap(), [count("change", 7, 1), count("text", 1, 1), count("text", 2, 2)]);
}

fn bytes_of_bodies_are_counted_kept_and_saved(catalog: &Catalog) {
    assert_eq!(catalog.bodies().unwrap(), (0, 0));
    filled(catalog);
    assert_eq!(catalog.bodies().unwrap(), (5, 3));
}

fn a_revisit_turns_into_what_it_is_said_to_be(catalog: &Catalog) {
    let ids = filled(catalog);
    let turned = Turned {
        capture: ids[1],
        kind: CaptureKind::Response,
        status: Some(203),
        mime: Some("text/plain".to_owned()),
        payload_length: Some(3),
        refers_to: None,
    };
    let relocation = Relocation { turned: vec![turned], dropped: vec![ids[0]], ..Relocation::default() };
    catalog.relocate(&relocation).unwrap();
    let found = catalog.capture(ids[1]).unwrap().unwrap().capture;
    assert_eq!((found.kind, found.status, found.refers_to), (CaptureKind::Response, Some(203), None));
    assert_eq!((found.mime.as_deref(), found.payload_length), (Some("text/plain"), Some(3)));
    assert_eq!(catalog.capture(ids[0]).unwrap(), None);
    let refers_to = Some(Original { url: PAGE.to_owned(), at: time("2021") });
    let back = Turned {
        capture: ids[1],
        kind: CaptureKind::Revisit,
        status: None,
        mime: None,
        payload_length: None,
        refers_to: refers_to.clone(),
    };
    catalog.relocate(&Relocation { turned: vec![back], ..Relocation::default() }).unwrap();
    let found = catalog.capture(ids[1]).unwrap().unwrap().capture;
    assert_eq!((found.kind, found.status, found.refers_to), (CaptureKind::Revisit, None, refers_to));
}
