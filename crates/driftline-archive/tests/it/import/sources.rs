//! Every kind of input, real ones first.

use std::path::Path;

use driftline_archive::cdxj::{Digests, Index};
use driftline_archive::import::versions::Naming;
use driftline_archive::import::{Format, Options, Reason};
use driftline_archive::warc::{Kind, Reader};
use driftline_catalog::{Address, CaptureKind};
use driftline_testkit::data::{shared, subset};

use super::{Place, import, import_as, kept};
use crate::support::monitor;

#[test]
fn every_real_archive_comes_in() {
    import_each(&subset(), 75);
}

#[test]
#[ignore = "needs the shared data"]
fn every_real_archive_comes_in_on_the_shared_data() {
    import_each(&shared(), 100);
}

fn import_each(data: &Path, least: usize) {
    let mut files: Vec<_> =
        std::fs::read_dir(data.join("warc/files")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > least, "{}", files.len());
    for file in files {
        let Ok(format) = Format::recognise(&file) else { continue };
        let place = Place::new();
        let archive = place.archive();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let summary = import_as(&archive, &file, &Options::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let captures = archive.catalog().all(0, 1_000_000).unwrap();
        assert_eq!(captures.len() as u64, summary.captures, "{name}");
        // Whatever came in can be read.
        for stored in &captures {
            let found = archive.record(stored, 1 << 20);
            assert!(found.is_ok(), "{name}: {:?}", found.err());
        }
        if format == Format::Warc {
            // What is missing was told, or was there twice.
            let (expected, told) = (indexable(&file), summary.duplicates + summary.skipped_in_all());
            assert!((summary.captures..=summary.captures + told).contains(&expected), "{name}: {expected} {summary:?}");
        }
        // Once more, by the same name and by another: nothing changes.
        let again = import(&archive, &file);
        assert_eq!(again.captures, 0, "{name}: {again:?}");
        let copy = place.folder.path().join(format!("copy-{name}"));
        std::fs::copy(&file, &copy).unwrap();
        if format == Format::Warc {
            assert_eq!(import(&archive, &copy).captures, 0, "{name}");
        }
    }
}

/// How many records a reader of the file finds that hold captures.
fn indexable(file: &Path) -> u64 {
    let is_capture = |kind| matches!(kind, Kind::Response | Kind::Revisit | Kind::Resource | Kind::Conversion);
    let records = Reader::new(std::fs::File::open(file).unwrap());
    records.flatten().filter(|record| is_capture(record.kind)).count() as u64
}

#[test]
fn arc_becomes_warc() {
    let place = Place::new();
    let archive = place.archive();
    let description = "1 0 test\nURL IP-address Archive-date Content-type Archive-length\n\n";
    let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>old";
    let dns = "20010203040506\nexample.org. 1 IN A 1.2.3.4\n";
    let arc = format!(
        "filedesc://test.arc 0.0.0.0 20010203040506 text/plain {}\n{description}\n\
         http://example.org/a b 1.2.3.4 20010203040507 text/html {}\n{answer}\n\
         dns:example.org 1.2.3.4 20010203040506 text/dns {}\n{dns}\n",
        description.len(),
        answer.len(),
        dns.len()
    );
    let summary = import(&archive, &place.write("test.arc", arc.as_bytes()));
    assert_eq!((summary.records, summary.captures, summary.skipped_in_all()), (3, 2, 0), "{summary:?}");
    let address = Address::parse("http://example.org/a%20b@2001").unwrap();
    let found = archive.find(&address).unwrap().unwrap();
    assert_eq!((found.capture.status, found.capture.kind), (Some(200), CaptureKind::Response));
    assert_eq!(archive.read(&found, 1_000).unwrap().body(), b"<p>old");
    archive.close().unwrap();
    let kinds: Vec<Kind> = kept(&place).into_iter().map(|(kind, ..)| kind).collect();
    assert_eq!(kinds, [Kind::Metadata, Kind::Response, Kind::Resource]);
}

#[test]
fn an_index_brings_the_records_that_it_names() {
    import_by_index(&subset().join("warc/files/warcio__example.warc.gz"));
}

#[test]
#[ignore = "needs the shared data"]
fn an_index_brings_the_records_that_it_names_on_the_shared_data() {
    import_by_index(&shared().join("warc/files/warcio__example.warc.gz"));
}

/// The lines of an archive, which they call by this name.
fn index_of(file: &Path, name: &str) -> (String, u64) {
    let reader = Reader::new(std::fs::File::open(file).unwrap());
    let lines: Vec<_> = Index::new(reader, name, Digests::Computed).flatten().map(|line| line.line).collect();
    (lines.iter().map(|line| format!("{line}\n")).collect(), lines.len() as u64)
}

#[test]
fn a_folder_that_holds_only_indexes_is_not_imported_as_a_page() {
    let archived = std::fs::read(subset().join("warc/files/warcio__example.warc.gz")).unwrap();
    let place = Place::new();
    let archive = place.archive();
    let file = place.write("pywb/archive/example.warc.gz", &archived);
    let (lines, count) = index_of(&file, "example.warc.gz");
    place.write("pywb/indexes/index.cdxj", lines.as_bytes());
    // As pywb keeps its collections: `indexes` beside `archive`.
    let summary = import(&archive, &place.folder.path().join("pywb/indexes"));
    assert_eq!((summary.captures, summary.skipped_in_all()), (count, 0), "{summary:?}");
    assert_eq!(archive.captures_of("http://indexes/").unwrap(), []);
    // From the whole collection the same comes in, once.
    let whole = place.folder.path().join("pywb");
    assert_eq!(Format::recognise(&whole).unwrap(), Format::Collection);
    assert_eq!(import(&archive, &whole).captures, 0);
    // Indexes whose archives are nowhere are told, as if they were named one by one.
    for name in ["only/one.cdx", "only/two.cdxj"] {
        place.write(name, format!(" CDX N b a m s k r M S V g\n{}", legacy_line("gone.warc.gz")).as_bytes());
    }
    let summary = import(&archive, &place.folder.path().join("only"));
    assert_eq!((summary.files, summary.captures), (2, 0), "{summary:?}");
    assert_eq!(summary.skipped.get(&Reason::Missing), Some(&2), "{summary:?}");
    assert_eq!(archive.captures_of("http://only/").unwrap(), []);
}

fn legacy_line(file: &str) -> String {
    let digest = "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A";
    format!("org,example)/ 20140103030321 http://example.org/ text/html 200 {digest} - - 1043 333 {file}\n")
}

fn import_by_index(archived: &Path) {
    let place = Place::new();
    let archive = place.archive();
    let file = place.write("example.warc.gz", &std::fs::read(archived).unwrap());
    let (mut lines, count) = index_of(&file, "somewhere/else/example.warc.gz");
    lines += "org,example)/none 20240101000000 {\"filename\": \"../../none.warc\", \"offset\": \"0\"}\n";
    // Places that no file has: one of them is more than the system can look for.
    for offset in [1 << 40, i64::MAX as u64 + 1, u64::MAX] {
        lines += &format!(
            "org,example)/far 20240101000000 {{\"filename\": \"example.warc.gz\", \"offset\": \"{offset}\"}}\n"
        );
    }
    let summary = import(&archive, &place.write("index.cdxj", lines.as_bytes()));
    assert!(count > 0);
    assert_eq!(summary.captures, count, "{summary:?}");
    assert_eq!(summary.skipped.get(&Reason::Missing), Some(&4));
    assert!(summary.skips.iter().any(|skip| skip.detail.contains("none.warc")), "{summary:?}");
    let far: Vec<_> = summary.skips.iter().filter_map(|skip| skip.offset).collect();
    assert_eq!(far, [1 << 40, i64::MAX as u64 + 1, u64::MAX]);
}

#[test]
fn monitors_come_in_with_their_watches_and_without_their_secrets() {
    let place = Place::new();
    let archive = place.archive();
    let summary = import(&archive, &monitor("changedetection-0.60.10.zip"));
    assert_eq!((summary.captures, summary.watches, summary.skipped_in_all()), (11, 4, 0));
    let news = archive.captures_of("http://127.0.0.1:8765/news").unwrap();
    assert_eq!(news.len(), 4);
    assert_eq!(
        news.iter().map(|stored| stored.capture.mime.as_deref().unwrap()).collect::<Vec<_>>()[1..3],
        ["text/plain", "text/html"]
    );
    let text = archive.read(&news[0], 1_000).unwrap().body().to_vec();
    assert!(String::from_utf8_lossy(&text).contains("Edition 1 of the news"));
    assert_eq!(archive.catalog().versions_of("http://127.0.0.1:8765/news").unwrap().len(), 4);
    let watches = archive.catalog().watches().unwrap();
    assert!(watches.iter().any(|watch| watch.title == "The news" && watch.tags == ["daily"]));
    assert!(!format!("{watches:?}").contains("made-up"));
    // Once more, and from the unpacked folder.
    let again = import(&archive, &monitor("changedetection-0.60.10.zip"));
    assert_eq!((again.captures, archive.catalog().watches().unwrap().len()), (0, 4));

    for name in ["urlwatch-2.29.db", "webchanges-3.37.0.db"] {
        let place = Place::new();
        let archive = place.archive();
        // The jobs stand beside it.
        let summary = import(&archive, &monitor(name));
        assert_eq!((summary.captures, summary.watches), (9, 4), "{name}: {summary:?}");
    }
}

#[test]
fn a_folder_of_versions_comes_in() {
    let place = Place::new();
    let archive = place.archive();
    for (name, body) in
        [("2023-01-01.html", "<p>a"), ("2024-01-01T12:00:00Z.html", "<p>b"), ("sub/20240101000000", "text")]
    {
        place.write(&format!("site/{name}"), body.as_bytes());
    }
    let options = Options { naming: Naming::Prefix("http://example.org/x".to_owned()), ..Options::default() };
    let summary = import_as(&archive, &place.folder.path().join("site"), &options).unwrap();
    assert_eq!((summary.captures, summary.skipped_in_all()), (3, 0));
    assert_eq!(archive.captures_of("http://example.org/x").unwrap().len(), 2);
    let sub = &archive.captures_of("http://example.org/x/sub").unwrap()[0];
    assert_eq!((sub.capture.at.digits().as_str(), sub.capture.mime.as_deref()), ("20240101000000", Some("text/plain")));
}
