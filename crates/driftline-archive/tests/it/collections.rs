//! Do captures come out of files of others as they went in?

use std::fs;
use std::io::Write;
use std::ops::{Range, RangeFrom};
use std::path::{Path, PathBuf};

use driftline_archive::Collection;
use driftline_archive::cdxj::{Digests, Index, Line};
use driftline_archive::collection::{Kind, NotFound, ReadError, Skips, sources};
use driftline_archive::wacz::{About, Page, Wacz, Writer};
use driftline_archive::warc::Reader;
use driftline_catalog::Address;
use driftline_testkit::data::{shared, subset};

use crate::support::gzip;
use driftline_testkit::addresses::{CAPTURES, CASES};

const URL: &str = "http://example.org/";

fn record(kind: &str, url: &str, date: &str, more: &str, body: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n{more}Content-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
}

fn response(url: &str, date: &str, status: u16, text: &str) -> String {
    let body = format!("HTTP/1.1 {status} X\r\nContent-Type: text/html\r\n\r\n{text}");
    record("response", url, date, &format!("WARC-Payload-Digest: sha1:{text}\r\n"), &body)
}

fn revisit(url: &str, date: &str, text: &str) -> String {
    let body = "HTTP/1.1 200 X\r\nContent-Type: text/html\r\n\r\n";
    record("revisit", url, date, &format!("WARC-Payload-Digest: sha1:{text}\r\n"), body)
}

/// Five captures of a page, of which three are pages, and one of another.
fn records() -> Vec<String> {
    vec![
        response("https://www.example.org", "2020-01-01T00:00:00Z", 200, "TWO"),
        response(URL, "2010-01-01T00:00:00Z", 200, "ONE"),
        response(URL, "2015-01-01T00:00:00Z", 301, "GONE"),
        record("metadata", URL, "2015-01-01T00:00:00Z", "Content-Type: text/plain\r\n", "about"),
        revisit(URL, "2021-01-01T00:00:00Z", "TWO"),
        revisit(URL, "2023-01-01T00:00:00Z", "NOWHERE"),
        response("http://example.org/other", "2010-01-01T00:00:00Z", 200, "OTHER"),
    ]
}

fn open(paths: &[PathBuf]) -> Collection {
    let (collection, skips) = Collection::open(paths, &|_| {}).unwrap();
    assert_eq!(skips.count(), 0, "{:?}", skips.first());
    collection
}

fn text(collection: &Collection, address: &str) -> String {
    let entry = collection.find(&Address::parse(address).unwrap()).unwrap();
    String::from_utf8(collection.read(entry, 1_000).unwrap().body).unwrap()
}

/// What every collection of these records says.
fn check(collection: &Collection) {
    assert_eq!((collection.len(), collection.page_count(), collection.captures_of(URL).len()), (6, 2, 5));
    for (address, expected) in [
        ("http://example.org/@2011", "ONE"),
        ("http://example.org/@2016", "TWO"),
        ("http://example.org/@first", "ONE"),
        ("http://example.org/@20210101", "TWO"),
        ("http://example.org/@=20150101000000", "GONE"),
        ("https://example.org/OTHER@latest", "OTHER"),
    ] {
        assert_eq!(text(collection, address), expected, "{address}");
    }
    let times: Vec<_> =
        collection.pages().map(|page| page.iter().map(|entry| entry.at.digits()).collect::<Vec<_>>()).collect();
    assert!(times.iter().all(|times| times.is_sorted()), "{times:?}");
    let lost = collection.find(&Address::parse("http://example.org/@latest").unwrap()).unwrap();
    assert_eq!(lost.kind(), Kind::Revisit);
    assert!(matches!(collection.read(lost, 9), Err(ReadError::NoOriginal { .. })));
}

#[test]
fn all_ways_to_pack_an_archive_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let whole = records().concat().into_bytes();
    let members: Vec<_> = records().iter().flat_map(|record| gzip(record.as_bytes())).collect();
    for (name, bytes) in [
        ("plain.warc", whole.clone()),
        ("members.warc.gz", members),
        ("whole.warc.gz", gzip(&whole)),
        ("whole.warc.zst", zstd::encode_all(whole.as_slice(), 1).unwrap()),
        ("nameless", whole),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        check(&open(&[path]));
    }
}

#[test]
fn an_index_is_believed() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("a.warc");
    fs::write(&archive, records().concat()).unwrap();
    let index: Vec<_> =
        lines(&archive).iter().filter(|line| line.mime.as_deref() != Some("text/plain")).map(Line::to_string).collect();
    let path = folder.path().join("a.cdxj");
    fs::write(&path, index.join("\n")).unwrap();
    check(&open(std::slice::from_ref(&path)));
    check(&open(&[folder.path().to_owned()]));
    fs::write(&path, index[1].clone() + "\nnonsense\n" + &index[0].replace("a.warc", "b.warc")).unwrap();
    let (collection, skips) = Collection::open(&[folder.path().to_owned()], &|_| {}).unwrap();
    let reasons: Vec<_> = skips.first().iter().map(|skipped| skipped.reason.as_str()).collect();
    assert_eq!((collection.len(), reasons), (1, vec!["line 2 is no line of an index", "`b.warc` is not beside it"]));
    fs::write(&path, index[1].replace("\"offset\": \"", "\"offset\": \"1")).unwrap();
    let wrong = open(&[path]);
    assert!(matches!(wrong.read(&wrong.page(0)[0], 9), Err(ReadError::Elsewhere { .. } | ReadError::Record { .. })));
}

#[test]
fn an_index_of_records_with_a_dictionary_is_told_to_be_of_no_use() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("a.warc.zst");
    let dictionary = records().concat().into_bytes();
    let mut file =
        [&[0x5d, 0x2a, 0x4d, 0x18], (dictionary.len() as u32).to_le_bytes().as_slice(), &dictionary].concat();
    for record in records() {
        let mut frame = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
        file.extend(frame.compress(record.as_bytes()).unwrap());
    }
    fs::write(&archive, file).unwrap();
    check(&open(std::slice::from_ref(&archive)));
    let index = lines(&archive).iter().map(Line::to_string).collect::<Vec<_>>().join("\n");
    fs::write(folder.path().join("a.cdxj"), index).unwrap();
    let collection = open(&[folder.path().to_owned()]);
    let entry = collection.find(&Address::parse("http://example.org/@2011").unwrap()).unwrap();
    let error = collection.read(entry, 9).unwrap_err();
    assert!(matches!(error, ReadError::Dictionary { .. }) && error.to_string().contains("hint: "), "{error}");
}

fn lines(archive: &Path) -> Vec<Line> {
    let name = archive.file_name().unwrap().to_str().unwrap();
    let index = Index::new(Reader::new(fs::File::open(archive).unwrap()), name, Digests::Computed);
    index.map(|indexed| indexed.unwrap().line).collect()
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    fs::write(&path, records().concat()).unwrap();
    let collection = open(&[path]);
    let find = |address: &str| collection.find(&Address::parse(address).unwrap()).unwrap_err();
    assert!(
        matches!(find("http://example.org/nothing@2010"), NotFound::Url { near, .. } if near.contains(&URL.to_owned()))
    );
    assert!(matches!(find("http://example.net/@2010"), NotFound::Url { near, .. } if near.is_empty()));
    let time = find("http://example.org/@=2016");
    assert!(
        matches!(&time, NotFound::Time { nearest, count: 5, .. } if nearest.digits() == "20150101000000"),
        "{time}"
    );
}

/// A WACZ file of these records, and of those deflated if asked.
fn wacz(folder: &Path) -> PathBuf {
    let archive = folder.join("a.warc.gz");
    fs::write(&archive, records().iter().flat_map(|record| gzip(record.as_bytes())).collect::<Vec<_>>()).unwrap();
    let path = folder.join("all.wacz");
    let about =
        About { title: Some("All".into()), created: "2024-01-01T00:00:00Z".parse().unwrap(), ..About::default() };
    let mut writer = Writer::new(fs::File::create(&path).unwrap(), about);
    writer.add_archive("a.warc.gz", fs::File::open(&archive).unwrap()).unwrap();
    lines(&archive).iter().for_each(|line| writer.add_line(line).unwrap());
    writer.add_page(&Page { url: URL.into(), at: "2010-01-01T00:00:00Z".parse().unwrap(), title: Some("One".into()) });
    writer.finish().unwrap();
    path
}

#[test]
fn a_wacz_file_that_was_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = wacz(folder.path());
    let names: Vec<_> = Wacz::open(&path).unwrap().members().iter().map(|member| member.name.clone()).collect();
    let expected = [
        "archive/a.warc.gz",
        "indexes/index.cdx.gz",
        "indexes/index.idx",
        "pages/pages.jsonl",
        "datapackage.json",
        "datapackage-digest.json",
    ];
    assert_eq!(names, expected);
    check(&open(std::slice::from_ref(&path)));
    let mut zip = zip::ZipWriter::new(fs::File::create(folder.path().join("deflated.wacz")).unwrap());
    zip.start_file("archive/../../a.warc", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(records().concat().as_bytes()).unwrap();
    zip.finish().unwrap();
    check(&open(&[folder.path().join("deflated.wacz")]));
}

#[test]
fn a_wacz_file_whose_members_share_bytes_is_refused() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in ["archive/a.warc", "archive/b.warc"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(records().concat().as_bytes()).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    let read = |bytes: &[u8]| Wacz::read(std::io::Cursor::new(bytes), Path::new("made.wacz"));
    assert_eq!(read(&bytes).unwrap().archives().count(), 2);
    // The second entry of the list gets the offset of the first.
    let second = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    bytes[second + 42..second + 46].fill(0);
    let error = read(&bytes).unwrap_err().to_string();
    assert!(error.contains("`archive/a.warc` and `archive/b.warc` overlap"), "{error}");
}

#[test]
fn a_wacz_file_that_unpacks_to_far_too_much_is_refused() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("archive/a.warc", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(records().concat().as_bytes()).unwrap();
    let mut bytes = zip.finish().unwrap().into_inner();
    let entry = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    bytes[entry + 24..entry + 28].copy_from_slice(&(1_u32 << 30).to_le_bytes());
    let error = Wacz::read(std::io::Cursor::new(bytes), Path::new("made.wacz")).unwrap_err().to_string();
    assert!(error.contains("unpacks to 1073741824 bytes, more than 200 times its size"), "{error}");
}

#[test]
fn py_wacz_finds_a_wacz_file_valid() {
    let tools = driftline_testkit::python::tools();
    let folder = tempfile::tempdir().unwrap();
    let run = tools.command("wacz").args(["validate", "-f"]).arg(wacz(folder.path())).output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.contains("valid"), "{said}");
}

/// The numbers of archives, captures, parts that were passed over, and pages that were read and not read.
struct Counts {
    archives: RangeFrom<usize>,
    captures: RangeFrom<usize>,
    skips: Range<u64>,
    read: RangeFrom<usize>,
    failed: Range<usize>,
}

#[test]
fn real_files_are_opened_and_their_pages_read() {
    open_and_read(&subset(), &Counts { archives: 70.., captures: 200.., skips: 100..200, read: 170.., failed: 0..5 });
}

#[test]
#[ignore = "needs the shared data"]
fn real_files_are_opened_and_their_pages_read_on_the_shared_data() {
    let counts = Counts { archives: 191.., captures: 1_501.., skips: 21..500, read: 1_301.., failed: 0..30 };
    open_and_read(&shared(), &counts);
}

fn open_and_read(data: &Path, expected: &Counts) {
    let folder = data.join("warc/files");
    let archives = sources(std::slice::from_ref(&folder), &mut Skips::default()).unwrap().len();
    let (collection, skips) = Collection::open(&[folder], &|_| {}).unwrap();
    assert!(expected.archives.contains(&archives), "{archives}");
    assert!(expected.captures.contains(&collection.len()), "{}", collection.len());
    assert!(expected.skips.contains(&skips.count()), "{}", skips.count());
    let (mut read, mut failed) = (0, 0);
    for entry in collection.pages().flatten().filter(|entry| entry.is_page()) {
        match collection.read(entry, 1 << 16) {
            Ok(_) => read += 1,
            Err(_) => failed += 1,
        }
    }
    eprintln!("{read} pages read, {failed} not");
    // Revisits whose originals are elsewhere, and answers that are none.
    assert!(expected.read.contains(&read) && expected.failed.contains(&failed), "{read} {failed}");
}

#[test]
fn an_address_means_what_it_means_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    let records = CAPTURES.iter().map(|&(url, at, status, is_revisit)| {
        let head = format!("HTTP/1.1 {status} X\r\nContent-Type: text/html\r\n\r\n");
        record(if is_revisit { "revisit" } else { "response" }, url, at, "", &head)
    });
    fs::write(&path, records.collect::<String>()).unwrap();
    let collection = open(&[path]);
    for (address, wanted) in CASES {
        let found = collection.find(&Address::parse(address).unwrap()).ok();
        let found = found.map(|found| (collection.url(found), found.at));
        assert_eq!(found, wanted.map(|place| (CAPTURES[place].0, CAPTURES[place].1.parse().unwrap())), "{address}");
    }
}
