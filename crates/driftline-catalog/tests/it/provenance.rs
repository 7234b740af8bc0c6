//! What captures say without their codings, where they came from, which may not come back, and which belong together.

use driftline_catalog::{CaptureKind, Catalog, Collection, Moved, NewCapture, Origin, Relocation, every};

use super::{add, capture, on_both, time};

on_both!(
    a_version_is_another_content_and_not_another_packing,
    a_capture_says_where_it_was_imported_from,
    a_tombstone_keeps_a_capture_from_coming_back,
    a_collection_has_the_captures_that_were_put_into_it,
);

fn packed(at: &str, payload: &str, body: Option<&str>) -> NewCapture {
    packed_of("http://a/", at, payload, body)
}

fn packed_of(url: &str, at: &str, payload: &str, body: Option<&str>) -> NewCapture {
    NewCapture { body_digest: body.map(|body| format!("sha1:{body}")), ..capture(url, at, payload) }
}

fn a_version_is_another_content_and_not_another_packing(catalog: &Catalog) {
    let revisit = NewCapture { kind: CaptureKind::Revisit, ..packed("2023", "P1", None) };
    let captures = vec![
        packed("2018", "P0", None),
        // What an older driftline noted is compared by its payload.
        packed("2019", "P1", Some("X")),
        packed("2020", "P2", Some("X")),
        packed("2021", "P2", None),
        packed("2022", "P3", Some("X")),
        // It has the body of the capture of 2019.
        revisit,
        packed("2024", "P3", Some("Y")),
    ];
    let ids = add(catalog, "a", captures);
    let others = (0..40).map(|number| packed_of(&format!("http://b/{number}"), "2020", "P1", Some("X")));
    let revisit = NewCapture { kind: CaptureKind::Revisit, ..packed_of("http://b/0", "2021", "P1", None) };
    let together = add(catalog, "b", others.chain([revisit]).collect());
    let content = catalog.capture(together[40]).unwrap().unwrap().capture.body_digest;
    assert_eq!(content.as_deref(), Some("sha1:X"), "its original comes with it");
    let versions = catalog.versions_of("http://a/").unwrap();
    let times: Vec<i64> = versions.iter().map(|version| version.capture.id).collect();
    assert_eq!(times, [ids[0], ids[1], ids[4], ids[6]]);
    let revisited = catalog.capture(ids[5]).unwrap().unwrap().capture;
    assert_eq!(revisited.body_digest.as_deref(), Some("sha1:X"));
    assert_eq!(versions[1].previous, Some(ids[0]));
}

fn a_capture_says_where_it_was_imported_from(catalog: &Catalog) {
    let origin = |offset, added: Option<&str>, operator: &str| Origin {
        source: "/archives/old.warc.gz".to_owned(),
        offset,
        added: added.map(time),
        operator: operator.to_owned(),
    };
    let origins = [Some(origin(0, Some("2024"), "Ärna")), None, Some(origin(1 << 40, None, ""))];
    let captures =
        origins.iter().map(|origin| NewCapture { origin: origin.clone(), ..capture("http://a/", "2020", "A") });
    let ids = add(catalog, "a", captures.collect());
    for (id, origin) in ids.iter().zip(origins) {
        assert_eq!(catalog.origin(*id).unwrap(), origin);
    }
    catalog.relocate(&Relocation { dropped: vec![ids[0]], ..Relocation::default() }).unwrap();
    assert_eq!(catalog.origin(ids[0]).unwrap(), None);
}

fn a_tombstone_keeps_a_capture_from_coming_back(catalog: &Catalog) {
    let own = [capture("http://a/", "2020", "A"), capture("http://a/", "2021", "B"), capture("http://b/", "2020", "A")];
    let ids = add(catalog, "a", own.to_vec());
    let dropped = |id| Relocation { dropped: vec![id], ..Relocation::default() };
    catalog.bury_captures(&dropped(ids[0]), "take-down", "Ärna", time("2024")).unwrap();
    catalog.relocate(&dropped(ids[1])).unwrap();
    let other = capture("http://a/", "2020", "B");
    let unsaid = NewCapture { digest: None, ..own[0].clone() };
    let asked = [&own[0], &unsaid, &other, &own[1], &own[2]];
    assert_eq!(catalog.known(&asked).unwrap(), [true, true, false, false, true]);
    let [tombstone] = catalog.tombstones(None, 9).unwrap().items.try_into().unwrap();
    assert_eq!((tombstone.url.as_str(), tombstone.at, tombstone.removed), ("http://a/", time("2020"), time("2024")));
    assert_eq!((tombstone.reason.as_str(), tombstone.operator.as_str()), ("take-down", "Ärna"));
    let gone = Moved { capture: ids[1], segment: "a".to_owned(), offset: 0, length: 1 };
    let missing = Relocation { dropped: vec![ids[2]], moved: vec![gone], ..Relocation::default() };
    assert!(catalog.bury_captures(&missing, "take-down", "", time("2025")).is_err());
    assert_eq!(every(|after| catalog.tombstones(after, 1)).unwrap().len(), 1, "nothing has happened");
}

fn a_collection_has_the_captures_that_were_put_into_it(catalog: &Catalog) {
    let ids =
        add(catalog, "a", (0..20).map(|year| capture("http://a/", &format!("20{:02}", year + 10), "A")).collect());
    let collection =
        |name: &str, title: &str| Collection { name: name.into(), title: title.into(), created: time("2024") };
    for name in ["election", "flood", "art"] {
        catalog.put_collection(&collection(name, "Old")).unwrap();
    }
    catalog.put_collection(&collection("flood", "The flood")).unwrap();
    let listed = every(|after| catalog.collections(after, 2)).unwrap();
    assert_eq!(listed, [collection("art", "Old"), collection("election", "Old"), collection("flood", "The flood")]);
    catalog.add_to_collection("flood", &ids[..10]).unwrap();
    catalog.add_to_collection("flood", &ids[5..12]).unwrap();
    catalog.add_to_collection("art", &ids[..1]).unwrap();
    catalog.remove_from_collection("flood", &ids[1..2]).unwrap();
    catalog.relocate(&Relocation { dropped: vec![ids[2]], ..Relocation::default() }).unwrap();
    let collected = every(|after| catalog.collected("flood", after, 3)).unwrap();
    let numbers: Vec<i64> = collected.iter().map(|stored| stored.id).collect();
    assert_eq!(numbers, [&ids[..1], &ids[3..12]].concat());
    let error = catalog.add_to_collection("none", &ids).unwrap_err().to_string();
    assert!(error.contains("has no collection `none`"), "{error}");
    assert!(catalog.remove_collection("flood").unwrap() && !catalog.remove_collection("flood").unwrap());
    assert_eq!(catalog.stats().unwrap().captures.count, 19, "captures stay");
}
