//! Is the right capture found, and are versions told from mere captures?

use driftline_catalog::address::is_page;
use driftline_catalog::{Address, CaptureKind, Catalog, NewCapture};
use fastrand::Rng;

use super::{add, capture, on_both, time};
use driftline_testkit::addresses::{CAPTURES, CASES};

on_both!(
    the_nearest_capture_is_found,
    an_exact_time_means_its_second_or_its_fraction,
    the_address_asked_for_goes_first,
    an_address_means_what_it_means_everywhere,
    what_was_asked_is_what_a_scan_finds,
    versions_differ_from_the_capture_before,
    an_error_between_two_pages_is_neither_a_version_nor_the_one_before,
    every_status_is_a_version_as_is_page_says,
    versions_are_right_whatever_came_in_when,
    what_stands_for_the_capture_before_is_no_version,
    a_digest_is_kept_in_one_spelling,
    the_latest_captures_between_two_times_are_listed,
    the_page_and_the_answer_before_are_found,
    an_original_is_found_by_digest_or_time,
);

fn find(catalog: &Catalog, address: &str) -> Option<String> {
    let found = catalog.find(&Address::parse(address).unwrap()).unwrap();
    found.map(|stored| stored.capture.digest.unwrap_or_default())
}

fn sha1(digest: &str) -> String {
    format!("sha1:{digest}")
}

fn the_nearest_capture_is_found(catalog: &Catalog) {
    let url = "http://example.org/";
    let times = [("2019", "A"), ("2020", "B"), ("2022", "C")];
    add(catalog, "a", times.map(|(at, body)| capture(url, at, body)).to_vec());
    add(catalog, "b", vec![capture("http://example.org/other", "2021", "X")]);
    for (when, wanted) in
        [("1990", "A"), ("2019-06", "A"), ("2019-08", "B"), ("2020", "B"), ("2021-06", "C"), ("2099", "C")]
    {
        assert_eq!(find(catalog, &format!("{url}@{when}")), Some(sha1(wanted)), "{when}");
    }
    assert_eq!(find(catalog, &format!("{url}@first")), Some(sha1("A")));
    assert_eq!(find(catalog, &format!("{url}@latest")), Some(sha1("C")));
    // Equally near: the earlier one. 2020-01-01 and 2022-01-01 are 731 days apart.
    assert_eq!(find(catalog, &format!("{url}@2020-12-31T12:00:00Z")), Some(sha1("B")));
    assert_eq!(find(catalog, "http://example.org/none@2020"), None);
    assert_eq!(find(catalog, "http://example.org/none@first"), None);
}

fn an_exact_time_means_its_second_or_its_fraction(catalog: &Catalog) {
    let times = [("2020-01-01T00:00:00.25Z", "A"), ("2020-01-01T00:00:00.75Z", "B"), ("2020-01-01T00:00:01Z", "C")];
    add(catalog, "a", times.map(|(at, body)| capture("http://a/", at, body)).to_vec());
    assert_eq!(find(catalog, "http://a/@=20200101000000"), Some(sha1("A")));
    assert_eq!(find(catalog, "http://a/@=2020-01-01T00:00:00.75Z"), Some(sha1("B")));
    assert_eq!(find(catalog, "http://a/@=20200101000001"), Some(sha1("C")));
    assert_eq!(find(catalog, "http://a/@=20200101000002"), None);
    assert_eq!(find(catalog, "http://a/@=2020-01-01T00:00:00.5Z"), None);
}

fn the_address_asked_for_goes_first(catalog: &Catalog) {
    let redirect = capture("http://a.example/", "2020-01-01T00:00:00.1Z", "R");
    let target = capture("https://www.a.example/", "2020-01-01T00:00:00.9Z", "T");
    let before = capture("http://a.example/", "2010", "O");
    add(catalog, "a", vec![redirect, target, before]);
    for when in ["2020", "latest", "=20200101000000"] {
        assert_eq!(find(catalog, &format!("https://www.a.example/@{when}")), Some(sha1("T")), "{when}");
        assert_eq!(find(catalog, &format!("http://a.example/@{when}")), Some(sha1("R")), "{when}");
    }
    // Another spelling is better than another year.
    assert_eq!(find(catalog, "https://www.a.example/@2011"), Some(sha1("O")));
    assert_eq!(find(catalog, "https://a.example/@first"), Some(sha1("O")));
    assert_eq!(catalog.captures_of("https://a.example/").unwrap().len(), 3);
}

fn the_latest_captures_between_two_times_are_listed(catalog: &Catalog) {
    let times = [("2019", "A"), ("2020", "B"), ("2021", "C"), ("2022", "D")];
    add(catalog, "a", times.map(|(at, body)| capture("http://a.example/", at, body)).to_vec());
    add(catalog, "b", vec![capture("https://www.a.example/", "2021", "E"), capture("http://a.example/b", "2021", "F")]);
    let between = |after, until, limit| -> Vec<String> {
        let found = catalog.captures_between("http://a.example/", time(after), time(until), limit).unwrap();
        found.into_iter().map(|stored| stored.capture.digest.unwrap_or_default()).collect()
    };
    assert_eq!(between("2019", "2021", 9), ["B", "C", "E"].map(sha1), "not the first, and every spelling");
    assert_eq!(between("2019", "2021", 2), ["C", "E"].map(sha1));
    assert!(between("2022", "2022", 9).is_empty() && between("2022", "2019", 9).is_empty());
}

fn an_address_means_what_it_means_everywhere(catalog: &Catalog) {
    let made = CAPTURES.iter().map(|&(url, at, status, is_revisit)| NewCapture {
        status: Some(status),
        kind: if is_revisit { CaptureKind::Revisit } else { CaptureKind::Response },
        ..capture(url, at, "A")
    });
    let ids = add(catalog, "a", made.collect());
    for (address, wanted) in CASES {
        let found = catalog.find(&Address::parse(address).unwrap()).unwrap();
        let found = found.map(|found| ids.iter().position(|id| *id == found.id).unwrap());
        assert_eq!(found, wanted, "{address}");
    }
}

fn what_was_asked_is_what_a_scan_finds(catalog: &Catalog) {
    let mut random = Rng::with_seed(5);
    let at = |random: &mut Rng| format!("20{:02}-0{}-01T00:00:00Z", random.u8(10..40), random.u8(1..10));
    let captures: Vec<NewCapture> =
        (0..300).map(|n| capture(&format!("http://a/{}", n % 7), &at(&mut random), &n.to_string())).collect();
    add(catalog, "a", captures.clone());
    for _ in 0..200 {
        let (url, when) = (format!("http://a/{}", random.u8(0..8)), at(&mut random));
        let nearest = captures.iter().filter(|capture| capture.url == url);
        let nearest = nearest.min_by_key(|capture| (capture.at.distance(time(&when)), capture.at));
        let found = catalog.find(&Address::parse(&format!("{url}@{when}")).unwrap()).unwrap();
        assert_eq!(found.map(|stored| stored.capture.at), nearest.map(|capture| capture.at), "{url}@{when}");
    }
}

/// The bodies of the versions of `http://a/`, and whether each has a capture before it.
fn versions(catalog: &Catalog) -> Vec<(String, bool)> {
    let versions = catalog.versions_of("http://a/").unwrap();
    let told = |version: &driftline_catalog::Version| {
        let capture = &version.capture.capture;
        let digest = capture.digest.as_deref().unwrap_or("none").trim_start_matches("sha1:").to_owned();
        (
            format!("{digest}{}", capture.status.map_or(String::new(), |status| status.to_string())),
            version.previous.is_some(),
        )
    };
    versions.iter().map(told).collect()
}

fn versions_differ_from_the_capture_before(catalog: &Catalog) {
    let a = |at: &str, body: &str| capture("http://a/", at, body);
    let revisit = NewCapture { kind: CaptureKind::Revisit, status: None, ..a("2013", "A") };
    let gone = NewCapture { status: Some(404), ..a("2016", "B") };
    let unknown = NewCapture { digest: None, ..a("2018", "") };
    let captures = vec![a("2011", "A"), a("2012", "A"), revisit, a("2014", "A"), a("2015", "B"), gone, a("2017", "A")];
    let mut ids = add(catalog, "a", captures);
    ids.extend(add(catalog, "b", vec![unknown, capture("http://b/", "2012", "X"), capture("http://b/", "2013", "X")]));
    let wanted = [("A200", false), ("B200", true), ("A200", true), ("none200", true)];
    assert_eq!(versions(catalog), wanted.map(|(name, previous)| (name.to_owned(), previous)));
    assert_eq!(catalog.versions_of("http://a/").unwrap()[1].previous, Some(ids[3]));
    assert_eq!(catalog.stats().unwrap().versions, 5);
    let (first, second) = (catalog.versions(0, 1).unwrap().unwrap(), catalog.versions(0, 2).unwrap().unwrap());
    assert_eq!((first.items.len(), second.items.len()), (4, 5));
    assert_eq!(catalog.versions(first.next, 9).unwrap().unwrap().items.len(), 1);
    assert_eq!(catalog.versions(second.next, 9).unwrap(), None);
}

fn an_error_between_two_pages_is_neither_a_version_nor_the_one_before(catalog: &Catalog) {
    let a = |at: &str, body: &str| capture("http://a/", at, body);
    let failed = |at: &str, status| NewCapture { status: Some(status), ..a(at, "F") };
    let captures = vec![failed("2010", 503), a("2011", "A"), failed("2012", 503), a("2013", "A"), failed("2014", 404)];
    let ids = add(catalog, "a", captures);
    assert_eq!(versions(catalog), [("A200".to_owned(), false)]);
    add(catalog, "b", vec![failed("2015", 301), a("2016", "B")]);
    assert_eq!(catalog.versions_of("http://a/").unwrap()[1].previous, Some(ids[3]));
}

fn every_status_is_a_version_as_is_page_says(catalog: &Catalog) {
    let status = |number: u16| NewCapture {
        status: Some(number),
        ..capture(&format!("http://a/{number}"), "2011", &number.to_string())
    };
    add(catalog, "a", (100..600).map(status).collect());
    for number in 100..600 {
        let url = format!("http://a/{number}");
        assert_eq!(catalog.versions_of(&url).unwrap().len() == 1, is_page(Some(number), false), "{number}");
        let is_found = catalog.page_before(&url, time("2012")).unwrap().is_some();
        assert_eq!(is_found, is_page(Some(number), false), "{number}");
    }
}

fn versions_are_right_whatever_came_in_when(catalog: &Catalog) {
    for (segment, at, body) in [("1", "2019", "A"), ("2", "2017", "A"), ("3", "2018", "B"), ("4", "2016", "A")] {
        add(catalog, segment, vec![capture("http://a/", at, body)]);
    }
    let names: Vec<String> = versions(catalog).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["A200", "B200", "A200"]);
}

fn the_page_and_the_answer_before_are_found(catalog: &Catalog) {
    let revisit = NewCapture { kind: CaptureKind::Revisit, ..capture("http://a/", "2021", "A") };
    let other = capture("https://a/", "2022", "A");
    let ids =
        add(catalog, "a", vec![capture("http://a/", "2020", "A"), capture("http://a/", "2019", "A"), revisit, other]);
    let id = |stored: Option<driftline_catalog::StoredCapture>| stored.map(|stored| stored.id);
    let page_before = |at: &str| id(catalog.page_before("http://a/", at.parse().unwrap()).unwrap());
    assert_eq!((page_before("2022"), page_before("2021"), page_before("2019")), (Some(ids[2]), Some(ids[0]), None));
    let response_before = |at: &str| id(catalog.response_before("http://a/", "sha1:A", at.parse().unwrap()).unwrap());
    assert_eq!((response_before("2022"), response_before("2020")), (Some(ids[0]), Some(ids[1])));
}

fn what_stands_for_the_capture_before_is_no_version(catalog: &Catalog) {
    let a = |at: &str| capture("http://a/", at, "A");
    let unmodified = |at: &str, digest: Option<&str>| NewCapture {
        kind: CaptureKind::Revisit,
        status: Some(304),
        digest: digest.map(sha1),
        ..a(at)
    };
    let silent = NewCapture { kind: CaptureKind::Revisit, digest: None, ..a("2015") };
    let captures = vec![
        a("2011"),
        unmodified("2012", None),
        NewCapture { kind: CaptureKind::Response, ..unmodified("2013", Some("EMPTY")) },
        a("2014"),
        silent,
        a("2016"),
    ];
    let ids = add(catalog, "a", captures);
    assert_eq!(versions(catalog), [("A200".to_owned(), false)]);
    add(catalog, "b", vec![unmodified("2017", None), capture("http://a/", "2018", "B")]);
    let versions = catalog.versions_of("http://a/").unwrap();
    assert_eq!((versions.len(), versions[1].previous), (2, Some(ids[5])));
}

fn a_digest_is_kept_in_one_spelling(catalog: &Catalog) {
    let spellings = [
        "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "SHA1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj",
    ];
    let captures = spellings.iter().zip(["2011", "2012", "2013"]);
    let captures = captures.map(|(own, at)| NewCapture { digest: Some((*own).into()), ..capture("http://a/", at, "") });
    let ids = add(catalog, "a", captures.collect());
    assert_eq!(versions(catalog).len(), 1);
    let stored = catalog.captures_of("http://a/").unwrap();
    assert!(stored.iter().all(|stored| stored.capture.digest.as_deref() == Some(spellings[0])), "{stored:?}");
    for spelling in spellings {
        assert_eq!(
            catalog.original_near("http://a/", spelling, time("2099")).unwrap().unwrap().id,
            ids[2],
            "{spelling}"
        );
    }
}

fn an_original_is_found_by_digest_or_time(catalog: &Catalog) {
    let revisit = NewCapture { kind: CaptureKind::Revisit, ..capture("http://a/", "2021", "A") };
    let near = capture("http://a/", "2020-01-01T00:00:00.9Z", "B");
    let captures = vec![
        capture("http://a/", "2015", "A"),
        capture("http://a/", "2020", "A"),
        near,
        revisit,
        capture("https://www.a/", "2021", "A"),
        capture("https://www.a/", "2021", "C"),
    ];
    let ids = add(catalog, "a", captures);
    let by_digest = |digest: &str, at: &str| {
        let found = catalog.original_near("http://a/", &sha1(digest), time(at)).unwrap();
        found.and_then(|found| ids.iter().position(|id| *id == found.id))
    };
    assert_eq!(by_digest("A", "2016"), Some(0));
    assert_eq!(by_digest("A", "2021"), Some(1), "a revisit holds no body; the address itself goes first");
    assert_eq!(by_digest("C", "2012"), Some(5), "another spelling is better than none");
    assert_eq!(by_digest("D", "2012"), None);
    let by_time = |at: &str| -> Vec<_> {
        let found = catalog.originals_at("http://a/", time(at)).unwrap();
        found.iter().map(|found| ids.iter().position(|id| *id == found.id).unwrap()).collect()
    };
    assert_eq!(by_time("2020-01-01T00:00:00.8Z"), [2, 1]);
    assert_eq!(by_time("2020"), [1, 2]);
    assert_eq!(by_time("2021"), [4, 5]);
    assert!(by_time("2022").is_empty());
}
