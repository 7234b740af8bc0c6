//! Do captures come back as they went in, in every order?

use driftline_catalog::{
    Batch, CaptureKind, Catalog, Cursor, Moved, NewCapture, Original, Progress, Relocation, Segment, SegmentState,
};

use super::{add, batch, capture, on_both, time};

on_both!(
    a_capture_comes_back_as_it_went_in,
    a_batch_goes_in_whole_or_not_at_all,
    numbers_come_in_the_order_of_the_captures,
    pages_follow_key_and_time,
    a_segment_lists_its_captures,
    addresses_are_listed_below_a_prefix,
    a_relocation_moves_and_drops_at_once,
    what_a_relocation_misses_is_told,
    threads_add_beside_each_other,
    what_is_there_already_is_known,
    a_key_with_many_captures_is_paged,
);

fn a_capture_comes_back_as_it_went_in(catalog: &Catalog) {
    let full = NewCapture {
        kind: CaptureKind::Revisit,
        status: Some(304),
        redirect: Some("https://example.org/next".to_owned()),
        record_id: Some("urn:uuid:0a4b".to_owned()),
        refers_to: Some(Original { url: "http://example.org/ä?x".to_owned(), at: time("2019") }),
        payload_length: Some(1 << 40),
        offset: 1 << 41,
        length: 1 << 33,
        ..capture("http://example.org/ä?x", "2020-01-02T03:04:05.678901Z", "A")
    };
    let bare = NewCapture {
        status: None,
        mime: None,
        digest: None,
        payload_length: None,
        kind: CaptureKind::Resource,
        ..capture("urn:something odd", "1996", "")
    };
    // Longer than any index of PostgreSQL takes, and with a character that it cannot keep.
    let long_url = format!("http://example.org/{}", "lang/".repeat(5_000));
    let long = NewCapture { offset: 300, ..capture(&long_url, "2021", "B") };
    let odd = NewCapture { offset: 400, ..capture("http://example.org/a\0b", "2021", "C") };
    let captures = vec![full, bare, long, odd];
    let batch = Batch { segment: "a.warc.gz".into(), segment_end: 1 << 42, captures: captures.clone(), imported: None };
    let ids = catalog.add(&[batch]).unwrap();
    for (id, wanted) in ids.iter().zip(&captures).take(3) {
        let found = catalog.capture(*id).unwrap().unwrap();
        assert_eq!((&found.capture, found.segment.as_str()), (wanted, "a.warc.gz"));
    }
    assert_eq!(catalog.capture(ids[3]).unwrap().unwrap().capture.url, "http://example.org/a\u{FFFD}b");
    assert_eq!(catalog.captures_of(&long_url).unwrap().len(), 1);
    assert_eq!(catalog.captures_of("http://example.org/a\0b").unwrap().len(), 1);
    assert_eq!(catalog.capture(0).unwrap(), None);
}

fn a_batch_goes_in_whole_or_not_at_all(catalog: &Catalog) {
    let progress = |offset| Progress { source: "b.warc".into(), size: 9, modified: None, offset, done: false };
    let first = Batch { imported: Some(progress(1)), ..batch("a", 0, vec![capture("http://a/", "2020", "A")]) };
    catalog.add(&[first]).unwrap();
    let good = batch("b", 0, vec![capture("http://b/", "2020", "B")]);
    // The place in the segment is taken.
    let bad = Batch { imported: Some(progress(2)), ..batch("a", 0, vec![capture("http://c/", "2020", "C")]) };
    assert!(catalog.add(&[good, bad]).is_err());
    assert_eq!(catalog.all(0, 10).unwrap().len(), 1);
    assert_eq!(catalog.segment("b").unwrap(), None);
    assert_eq!(catalog.segment("a").unwrap().unwrap().bytes, 100);
    assert_eq!(catalog.progress("b.warc").unwrap().unwrap().offset, 1);
    assert!(catalog.urls("", None, 10).unwrap().iter().all(|url| url.url == "http://a/"));
}

fn numbers_come_in_the_order_of_the_captures(catalog: &Catalog) {
    // More than one statement's worth, with addresses that come again.
    let captures = |count: usize| (0..count).map(|n| capture(&format!("http://a/{}", n % 60), "2020", "A")).collect();
    let batches = [batch("a", 0, captures(75)), batch("b", 0, captures(42)), batch("a", 7_500, captures(1))];
    let ids = catalog.add(&batches).unwrap();
    let wanted = batches.iter().flat_map(|batch| batch.captures.iter().map(|capture| (&batch.segment, capture)));
    assert_eq!(ids.len(), 118);
    for (id, (segment, wanted)) in ids.iter().zip(wanted) {
        let found = catalog.capture(*id).unwrap().unwrap();
        assert_eq!((&found.segment, &found.capture), (segment, wanted));
    }
    assert_eq!(catalog.segment("a").unwrap().unwrap().bytes, 7_600);
    assert_eq!(catalog.stats().unwrap().urls, 60);
}

fn pages_follow_key_and_time(catalog: &Catalog) {
    let urls = ["http://b.example/", "http://a.example/Z", "https://www.a.example/z", "http://a.example/é", "urn:x"];
    let captures = urls.iter().flat_map(|url| ["2021", "2019", "2020"].map(|at| capture(url, at, "A"))).collect();
    let ids = add(catalog, "a", captures);
    let (mut found, mut position) = (Vec::new(), None);
    loop {
        let page = catalog.by_key(position.as_ref(), 4).unwrap();
        if page.is_empty() {
            break;
        }
        position = page.last().map(Cursor::of);
        found.extend(page.into_iter().map(|stored| (stored.capture.key, stored.capture.at, stored.id)));
    }
    let mut sorted = found.clone();
    sorted.sort();
    assert_eq!(found, sorted);
    assert_eq!(found.len(), ids.len());
    let (first, rest) = (catalog.all(0, 7).unwrap(), catalog.all(ids[6], 100).unwrap());
    assert_eq!((first.len(), rest.len()), (7, 8));
    assert!(rest.iter().all(|stored| stored.id > ids[6]));
}

fn a_segment_lists_its_captures(catalog: &Catalog) {
    add(catalog, "b", vec![capture("http://b/", "2020", "A")]);
    let ids = add(catalog, "a", (0..5).map(|_| capture("http://a/", "2020", "A")).collect());
    let found = |from, limit| -> Vec<i64> {
        catalog.captures_in("a", from, limit).unwrap().iter().map(|stored| stored.id).collect()
    };
    assert_eq!(found(0, 10), ids);
    assert_eq!(found(101, 2), ids[2..4]);
    assert!(catalog.captures_in("none", 0, 10).unwrap().is_empty());
    catalog.set_segment_state("a", SegmentState::Closed).unwrap();
    let names: Vec<_> = catalog.segments().unwrap().into_iter().map(|segment| (segment.name, segment.state)).collect();
    assert_eq!(names, [("a".to_owned(), SegmentState::Closed), ("b".to_owned(), SegmentState::Open)]);
    let error = catalog.set_segment_state("none", SegmentState::Closed).unwrap_err().to_string();
    assert!(error.contains("has no segment `none`"), "{error}");
}

fn addresses_are_listed_below_a_prefix(catalog: &Catalog) {
    let long = format!("http://a.example/x/{}", "y".repeat(3_000));
    let urls = ["http://a.example/x", "http://a.example/x/1", "http://a.example/y", &long, "http://b.example/x"];
    add(catalog, "a", urls.iter().flat_map(|url| ["2019", "2020"].map(|at| capture(url, at, "A"))).collect());
    let found = |prefix: &str, after, limit| -> Vec<String> {
        catalog.urls(prefix, after, limit).unwrap().into_iter().map(|summary| summary.url).collect()
    };
    assert_eq!(found("example,a)/x", None, 10), [urls[0], urls[1], &long]);
    assert_eq!(found("example,a)/x", Some(("example,a)/x", urls[0])), 1), [urls[1]]);
    assert_eq!(found(&format!("example,a)/x/{}", "y".repeat(2_900)), None, 10), [long.as_str()]);
    assert_eq!(found("", None, 10).len(), 5);
    let summary = &catalog.urls("example,b", None, 10).unwrap()[0];
    assert_eq!((summary.captures, summary.first, summary.latest), (2, time("2019"), time("2020")));
}

fn a_relocation_moves_and_drops_at_once(catalog: &Catalog) {
    let captures = ["2019", "2020", "2021"].map(|at| capture("http://a/", at, at));
    let ids = add(catalog, "old", captures.to_vec());
    let segment = |name: &str, state, bytes| Segment { name: name.to_owned(), state, bytes };
    let relocation = Relocation {
        moved: vec![Moved { capture: ids[2], segment: "new".to_owned(), offset: 7, length: 8 }],
        dropped: vec![ids[0], ids[1]],
        segments: vec![segment("new", SegmentState::Closed, 15), segment("old", SegmentState::Dropped, 0)],
        ..Relocation::default()
    };
    catalog.relocate(&relocation).unwrap();
    let left = catalog.captures_of("http://a/").unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].segment.as_str(), left[0].capture.offset, left[0].capture.length), ("new", 7, 8));
    assert_eq!(catalog.segments().unwrap(), relocation.segments);
    // A number that was given up is not given again.
    assert!(add(catalog, "more", vec![capture("http://a/", "2022", "")])[0] > ids[2]);
}

fn what_a_relocation_misses_is_told(catalog: &Catalog) {
    let ids = add(catalog, "old", vec![capture("http://a/", "2019", "A"), capture("http://a/", "2020", "B")]);
    let moved = |capture, segment: &str| Moved { capture, segment: segment.to_owned(), offset: 500, length: 1 };
    for lost in [moved(ids[1] + 9, "old"), moved(ids[1], "nowhere")] {
        let relocation = Relocation { moved: vec![moved(ids[0], "old"), lost], ..Relocation::default() };
        let error = catalog.relocate(&relocation).unwrap_err().to_string();
        assert!(error.contains("has no capture or segment"), "{error}");
    }
    assert_eq!(catalog.capture(ids[0]).unwrap().unwrap().capture.offset, 0);
}

fn threads_add_beside_each_other(catalog: &Catalog) {
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for round in 0..10 {
                    let captures = (0..5).map(|n| capture(&format!("http://a/{n}"), "2020", "A")).collect();
                    catalog.add(&[batch(&format!("{thread}-{round}"), 0, captures)]).unwrap();
                    assert!(!catalog.captures_of("http://a/0").unwrap().is_empty());
                }
            });
        }
    });
    let stats = catalog.stats().unwrap();
    assert_eq!((stats.captures.count, stats.urls, stats.segments.count), (200, 5, 40));
}

fn what_is_there_already_is_known(catalog: &Catalog) {
    let with = |record: Option<&str>, status| NewCapture {
        record_id: record.map(str::to_owned),
        status: Some(status),
        ..capture("http://a/", "2020", "A")
    };
    add(catalog, "a", vec![with(Some("urn:1"), 302), with(None, 404)]);
    let other_body = NewCapture { digest: Some("sha1:B".to_owned()), ..with(None, 404) };
    let later = NewCapture { at: time("2021"), ..with(Some("urn:1"), 302) };
    let revisit = NewCapture { kind: CaptureKind::Revisit, ..with(Some("urn:1"), 302) };
    let asked = [
        (with(Some("urn:1"), 302), true),
        (with(Some("urn:2"), 302), true),
        (NewCapture { redirect: Some("http://b/".to_owned()), ..with(Some("urn:2"), 302) }, false),
        (NewCapture { at: time("2020-01-01T00:00:00.5Z"), ..with(Some("urn:2"), 302) }, true),
        (with(None, 302), true),
        (with(None, 301), false),
        (with(Some("urn:3"), 404), true),
        (other_body, false),
        (later, false),
        (revisit, false),
    ];
    let (captures, wanted): (Vec<_>, Vec<_>) = asked.iter().map(|(capture, is_known)| (capture, *is_known)).unzip();
    assert_eq!(catalog.known(&captures).unwrap(), wanted);
}

fn a_key_with_many_captures_is_paged(catalog: &Catalog) {
    let spellings = ["http://a.example/", "https://www.a.example/"];
    let many = (0..50).map(|n| capture(spellings[n % 2], &format!("20{:02}", 10 + n / 4), "A"));
    let others = ["http://0.example/", "http://b.example/"].map(|url| capture(url, "2020", "A"));
    add(catalog, "a", many.chain(others).collect());
    for limit in [1, 3, 7, 52, 100] {
        let (mut found, mut position) = (Vec::new(), None);
        for _ in 0..60 {
            let page = catalog.by_key(position.as_ref(), limit).unwrap();
            assert!(page.len() <= limit as usize);
            position = page.last().map(Cursor::of).or(position);
            found.extend(page.into_iter().map(|stored| (stored.capture.key, stored.capture.at, stored.id)));
        }
        assert_eq!(found.len(), 52, "{limit}");
        assert!(found.is_sorted(), "{limit}");
    }
}
