//! What driftline wrote itself, in parts, in unusual wrappings, and on the other database.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use driftline_archive::archive;
use driftline_archive::capture::{Content, Exchange};
use driftline_archive::cdxj::{Digests, Index};
use driftline_archive::export::{self, Secrets, Selection};
use driftline_archive::import::{Options, Plan};
use driftline_archive::wacz::About;
use driftline_archive::warc::Reader;
use driftline_archive::{Archive, Capture};

use super::{Place, captures, crawl, import, import_as, kept};
use crate::support::gzip;

/// Two versions of a page, and between them a capture in which nothing had changed.
fn own(place: &Place) -> Archive {
    let archive = place.archive();
    for (day, body) in ["one", "one", "two"].into_iter().enumerate() {
        let exchange = Exchange {
            request: Some(b"GET / HTTP/1.1\r\n\r\n".to_vec()),
            head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec(),
            body: format!("<p>{body}").into_bytes(),
            ..Exchange::default()
        };
        let at = format!("2024010{}", day + 1).parse().unwrap();
        let content = Content::Http(exchange);
        let metadata = vec![("via".to_owned(), "http://example.org/".to_owned())];
        archive.append(&Capture { url: "http://example.org/".to_owned(), at, content, metadata }).unwrap();
    }
    archive.seal().unwrap();
    archive
}

#[test]
fn an_export_is_imported_as_it_was() {
    let first = Place::new();
    let archive = own(&first);
    let warc = first.folder.path().join("all.warc.gz");
    export::warc(&archive, &Selection::default(), Secrets::Masked, &mut File::create(&warc).unwrap()).unwrap();
    let wacz = first.folder.path().join("all.wacz");
    export::wacz(&archive, &Selection::default(), Secrets::Masked, About::default(), File::create(&wacz).unwrap())
        .unwrap();
    // Where it came from, nothing is new.
    assert_eq!((import(&archive, &warc).captures, import(&archive, &wacz).captures), (0, 0));
    let expected = captures(&archive);
    let versions = archive.catalog().versions_of("http://example.org/").unwrap().len();
    archive.close().unwrap();
    let records = kept(&first);
    assert_eq!((expected.len(), versions), (3, 2));
    for file in [warc, wacz] {
        let second = Place::new();
        let archive = second.archive();
        let summary = import(&archive, &file);
        assert_eq!((summary.captures, summary.skipped_in_all()), (3, 0), "{file:?}: {summary:?}");
        assert_eq!(captures(&archive), expected, "{file:?}");
        let all = archive.captures_of("http://example.org/").unwrap();
        let bodies = all.iter().map(|stored| archive.read(stored, 100).unwrap().body().to_vec());
        assert_eq!(bodies.collect::<Vec<_>>(), [b"<p>one", b"<p>one", b"<p>two"]);
        archive.close().unwrap();
        assert_eq!(kept(&second).into_iter().filter(|record| !records.contains(record)).count(), 0, "{file:?}");
    }
}

#[test]
fn a_file_in_parts_goes_on_where_each_part_was() {
    let records = crawl(3_000);
    let place = Place::new();
    let bytes: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    let file = place.write("crawl.warc.gz", &bytes);
    let options = Options { part_bytes: bytes.len() as u64 / 5, ..Options::default() };
    let archive = place.archive();
    let read = AtomicU64::new(0);
    let advance = |bytes| {
        // Stops in the middle, as a crash of this process would.
        assert!(read.fetch_add(bytes, Ordering::Relaxed) < options.part_bytes * 3, "stopped on the way");
    };
    let run = || Plan::new(std::slice::from_ref(&file), &options).unwrap().run(Some(&archive), &advance);
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("it was to be stopped");
    // Unlike after a crash, the writer is still there: what it was handed is written before the import goes on.
    archive.seal().unwrap();
    let before = captures(&archive).len();
    assert!((1..3_000).contains(&before), "{before} captures when it was stopped");
    let rest = import_as(&archive, &file, &options).unwrap();
    assert_eq!((rest.captures, rest.skipped_in_all()), (3_000 - before as u64, 0), "{rest:?}");
    assert!(rest.records < 6_001, "it began anew: {rest:?}");
    let again = import_as(&archive, &file, &options).unwrap();
    assert_eq!((again.records, again.captures, again.unchanged, again.files), (0, 0, 1, 1), "{again:?}");
    let anew = import_as(&archive, &file, &Options { is_again: true, ..options.clone() }).unwrap();
    assert_eq!((anew.records, anew.captures, anew.unchanged), (6_001, 0, 0), "{anew:?}");
    let all: BTreeSet<_> = captures(&archive).into_iter().map(|(url, ..)| url).collect();
    assert_eq!((all.len(), captures(&archive).len()), (3_000, 3_000));
}

#[test]
fn a_deflated_member_of_a_wacz_file_comes_in() {
    let place = Place::new();
    let path = place.folder.path().join("deflated.wacz");
    let mut zip = zip::ZipWriter::new(File::create(&path).unwrap());
    let deflated = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    zip.start_file("archive/data.warc.gz", deflated).unwrap();
    zip.write_all(&crawl(20).iter().flat_map(|record| gzip(record)).collect::<Vec<_>>()).unwrap();
    zip.start_file("datapackage.json", deflated).unwrap();
    zip.write_all(br#"{"profile": "data-package", "wacz_version": "1.1.1", "resources": []}"#).unwrap();
    zip.finish().unwrap();
    let archive = place.archive();
    let summary = import(&archive, &path);
    assert_eq!((summary.captures, summary.records, summary.skipped_in_all()), (20, 41, 0), "{summary:?}");
    assert_eq!(import(&archive, &path).captures, 0);
}

#[test]
fn an_index_in_blocks_brings_the_records_that_it_names() {
    let place = Place::new();
    let file = place.write("crawl.warc.gz", &crawl(10).iter().flat_map(|record| gzip(record)).collect::<Vec<_>>());
    let index = Index::new(Reader::new(File::open(&file).unwrap()), "crawl.warc.gz", Digests::Computed);
    let mut lines: Vec<String> = index.map(|indexed| format!("{}\n", indexed.unwrap().line)).collect();
    lines.sort();
    assert_eq!(lines.len(), 10);
    let (mut blocks, mut first_lines) = (Vec::new(), Vec::new());
    for block in lines.chunks(4) {
        let packed = gzip(block.concat().as_bytes());
        let first = block[0].split(" {").next().unwrap();
        writeln!(first_lines, "{first}\tcdx-00000.gz\t{}\t{}\t1", blocks.len(), packed.len()).unwrap();
        blocks.extend(packed);
    }
    place.write("indexes/cdx-00000.gz", &blocks);
    let named = place.write("indexes/cluster.idx", &first_lines);
    place.write("archive/crawl.warc.gz", &std::fs::read(&file).unwrap());
    for input in [named.as_path(), named.parent().unwrap()] {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open_at(folder.path()).unwrap();
        let summary = import(&archive, input);
        assert_eq!((summary.captures, summary.skipped_in_all()), (10, 0), "{input:?}: {summary:?}");
    }
}

#[test]
fn a_catalog_on_postgresql_takes_the_same() {
    let place = Place::new();
    let file = place.write("crawl.warc.gz", &crawl(50).iter().flat_map(|record| gzip(record)).collect::<Vec<_>>());
    let on_sqlite = place.archive();
    import(&on_sqlite, &file);
    let folder = tempfile::tempdir().unwrap();
    let server = driftline_catalog::Place::parse(&driftline_testkit::postgres::database()).unwrap();
    let options = archive::Options { catalog: server, ..archive::Options::at(folder.path()) };
    let on_server = Archive::open(&options).unwrap();
    let summary = import(&on_server, &file);
    assert_eq!((summary.captures, summary.skipped_in_all()), (50, 0), "{summary:?}");
    assert_eq!(captures(&on_server), captures(&on_sqlite));
    let again = import(&on_server, &file);
    assert_eq!((again.unchanged, again.captures), (1, 0), "{again:?}");
    let copy = place.write("copy.warc.gz", &std::fs::read(&file).unwrap());
    assert_eq!(import(&on_server, &copy).captures, 0);
}
