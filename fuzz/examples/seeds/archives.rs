//! Seeds that are files: archives, indexes, zips, addresses of a snapshot.

use std::io::{Cursor, Write};

use driftline_archive::wacz::{About, Writer};
use driftline_graph::Series;
use driftline_graph::add::{Crawled, Source};
use zip::write::{SimpleFileOptions, ZipWriter};

use super::{Seeds, file};

const ARCHIVES: &str = "crates/driftline-testkit/data/warc/files";
const FIXTURES: &str = "crates/driftline-archive/tests/fixtures/monitors";
const MONITORS: &str = "crates/driftline-watch/tests/data/monitors";

fn archive(name: &str) -> Vec<u8> {
    file(&format!("{ARCHIVES}/{name}"))
}

pub(super) fn warc(seeds: &Seeds) {
    for name in [
        "cdxj-indexer__missing-http.warc.gz",
        "chatnoir-resiliparse__block-sized-records.warc.gz",
        "chatnoir-resiliparse__block-sized-records.warc.lz4",
        "ipwb__1memento.warc",
        "ipwb__HTTP404.warc",
        "jwarc__cc.warc.gz",
        "jwat__invalid-arcfile-record-then-garbage.arc",
        "jwat__invalid-warcfile-duplicate-fields.warc",
        "jwat__invalid-warcfile-fields-invalidformat.warc",
        "jwat__invalid-warcfile-record-then-garbage.warc",
        "jwat__test-arc-1.0-invalid-fields.arc",
        "jwat__test-utf8.warc",
        "warcio-js__example-bad-length.warc",
        "warcio-js__redirect.warc",
        "warcio__example-bad-non-chunked.warc.gz",
        "warcio__example-space-in-url.arc",
        "warcio__example-wrong-chunks.warc.gz",
        "warcio__example.warc.gz",
        "webarchive-commons__mutliple-headers.warc",
    ] {
        // The highest bit of the choice: where the record ends is asked too.
        seeds.add(name, [b"\x80", archive(name).as_slice()].concat());
    }
}

pub(super) fn index(seeds: &Seeds) {
    for name in [
        "derived__zipnum.cdx.gz",
        "derived__zipnum.idx",
        "ipwb__salam-home.cdxj",
        "ipwb__sample-1.cdxj",
        "ipwb__sample-2.cdxj",
        "ipwb__sample-encrypted.cdxj",
        "js-wacz__valid.cdxj",
        "js-wacz__valid2.cdx",
        "py-wacz__valid_example_2.wacz",
        "warcio__example.warc",
    ] {
        seeds.add(name, archive(name));
    }
    seeds.add(
        "cdx-nine",
        " CDX N b a m s k r V g\ncom,example)/ 20140101000000 http://example.com/ text/html 200 B2LT - 334 a.arc.gz\n\
         com,example)/a?b=c 20140101000001 http://www.example.com/a?c=d&b=c warc/revisit - B2LT - 99999999999999999999 a.arc.gz\n",
    );
    seeds.add("cdx-eleven", "- 20171003092402 http://a.com/ unknown 200 null http://a.com/ - 10 0 b.warc.gz\n");
    for (name, url) in [
        (
            "url",
            "https://www.Example.com:443/a/../b/index.html;jsessionid=0123456789ABCDEF0123456789ABCDEF?b=2&a=1&PHPSESSID=x#f",
        ),
        ("url-idn", "http://user:pw@müller.example:8080/%7eé?sid=%C3%A9"),
        ("url-digits", "http://0x7f.1/ftp://[::1]:80/"),
        ("url-other", "dns:example.com"),
    ] {
        seeds.add(name, url);
    }
}

pub(super) fn wacz(seeds: &Seeds) {
    for name in ["py-wacz__valid_example_2.wacz", "py-wacz__valid_signed_example_1.wacz"] {
        seeds.add(name, archive(name));
    }
    let about = About {
        title: Some("Seeds".to_owned()),
        software: "driftline".to_owned(),
        created: "2024".parse().expect("a time"),
    };
    let mut own = Cursor::new(Vec::new());
    let mut writer = Writer::new(&mut own, about);
    writer.add_archive("a.warc", archive("ipwb__HTTP404.warc").as_slice()).expect("memory");
    writer.finish().expect("memory");
    seeds.add("own", own.into_inner());
    seeds.add("deflated", zip(&[("archive/a.warc", &[b'a'; 5_000]), ("indexes/index.cdxj", b"com,a)/ 2024 {}")]));
    // Both entries of the directory lead to the first member.
    let mut overlap = zip(&[("archive/a.warc", b"one one one"), ("archive/b.warc", b"two two two")]);
    let directory = overlap.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").expect("the last entry");
    overlap[directory + 42..directory + 46].fill(0);
    seeds.add("overlap", overlap);
    seeds.add("empty", zip(&[]));
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).and_then(|()| Ok(zip.write_all(bytes)?)).expect("memory");
    }
    zip.finish().expect("memory").into_inner()
}

pub(super) fn backup(seeds: &Seeds) {
    for (folder, name) in [
        (FIXTURES, "changedetection-0.50.24.zip"),
        (FIXTURES, "changedetection-0.60.10.zip"),
        (MONITORS, "changedetection-0.60.10-defaults.zip"),
        (MONITORS, "changedetection-0.60.10-every-field.zip"),
    ] {
        seeds.add(name, [b"\0", file(&format!("{folder}/{name}")).as_slice()].concat());
    }
    seeds.add(
        "watch",
        "\u{1}{\"url\": \"http://a.example/\", \"title\": \"A\", \"history\": {}, \"last_checked\": 1700000000}",
    );
    seeds.add(
        "history",
        "\u{2}1700000000,a.txt.br\n1700000001,/datastore/x/a.txt.br\n,\nx,y\n99999999999999,a.txt.br\n",
    );
    seeds.add("brotli", b"\x03\x0b\x02\x80hello\x03");
    // A version of webchanges is a map of msgpack: data and its type.
    seeds.add("version", b"\x04\x82\xa1d\xa5hello\xa1m\xa9text/html");
    seeds.add("jobs", [b"\x04", file(&format!("{FIXTURES}/urls.yaml")).as_slice()].concat());
}

pub(super) fn urls(seeds: &Seeds) {
    seeds.add("one", snapshot(&["https://a.example/".to_owned()]));
    let many: Vec<String> = (0..100).map(|number| format!("https://a.example/news/{number:03}")).collect();
    seeds.add("blocks", snapshot(&many));
    let hosts: Vec<String> = (0..40)
        .map(|number| format!("http://site-{}.example/%C3%A9?q={}", number * 7919, "x".repeat(number)))
        .collect();
    seeds.add("hosts", snapshot(&hosts));
    // Blocks that are full, and those that have one address more.
    for count in [15, 16, 17, 32, 33] {
        let numbers: Vec<String> = (0..count).map(|number| format!("https://b.example/?page={number}")).collect();
        seeds.add(&format!("full-{count}"), snapshot(&numbers));
    }
    // Each begins with all of the one before it, so that little of it is stored.
    let prefixes: Vec<String> = (1..60).map(|length| format!("https://c.example/{}", "ab/".repeat(length))).collect();
    seeds.add("prefixes", snapshot(&prefixes));
    let others: Vec<String> =
        (b'a'..=b'z').map(|letter| format!("https://{}.example/", char::from(letter).to_string().repeat(20))).collect();
    seeds.add("nothing-in-common", snapshot(&others));
    seeds.add("long", snapshot(&["x", "y"].map(|end| format!("https://d.example/{}{end}", "long/".repeat(1_200)))));
    let marks = ["https://müller.example/straße", "http://e.example:8080/%7Eé?ü=%F0%9F%98%80", "http://[2001:db8::1]/"];
    seeds.add("marks", snapshot(&marks.map(str::to_owned)));
    let mut torn = snapshot(&many);
    torn.truncate(torn.len() / 2);
    seeds.add("torn", torn);
    let mut flipped = snapshot(&many);
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x80;
    seeds.add("flipped", flipped);
}

/// The file of addresses in a snapshot of a crawl of these.
fn snapshot(urls: &[String]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let series = folder.path().join("series");
    let builder = Series::open_or_make(&series)
        .and_then(|series| series.add("2024".parse().expect("a time"), 1 << 20))
        .expect("a series");
    let source = Source { name: "seeds".to_owned(), size: 1, changed: 2 };
    let mut reader = builder.reader(&source).expect("a reader").expect("it is new");
    for url in urls {
        let page = Crawled { url, fetched: None, last_modified: None, sketch: None };
        reader.page(&page, [""; 0]).expect("a page");
    }
    reader.finish().expect("a harvest");
    builder.build(&|_| ()).expect("a snapshot");
    find(&series).expect("the file of addresses")
}

/// The file `urls` in a folder, or in a folder in it.
fn find(folder: &std::path::Path) -> Option<Vec<u8>> {
    std::fs::read_dir(folder).ok()?.flatten().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() { find(&path) } else { std::fs::read(&path).ok().filter(|_| path.ends_with("urls")) }
    })
}
