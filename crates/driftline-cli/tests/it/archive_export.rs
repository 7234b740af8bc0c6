//! `driftline archive export`: what leaves an archive, and that it can be read again.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use driftline_archive::archive::Options;
use driftline_archive::capture::{Content, Credentials, Exchange};
use driftline_archive::warc::write::Packing;
use driftline_archive::warc::{Kind, Reader};
use driftline_archive::{Archive, Capture, Collection};
use driftline_catalog::Change;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::json;

use crate::support::gzip;

/// Exit code, stdout and stderr of an export from the archive in `data`.
fn export(data: &Path, arguments: &[&str]) -> (i32, Vec<u8>, String) {
    let mut command = Command::cargo_bin("driftline").expect("the binary is built with its tests");
    let command = command.args(["archive", "export"]).args(arguments).current_dir(data).env("DRIFTLINE_DATA", data);
    let output = command.output().unwrap();
    (output.status.code().unwrap(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

fn text(data: &Path, arguments: &[&str]) -> String {
    let (code, out, err) = export(data, arguments);
    assert_eq!(code, 0, "{err}");
    String::from_utf8(out).unwrap()
}

const HOME: &str = "https://example.org/";
const NEWS: &str = "https://example.org/news/today";

/// Three captures of a page, of which the second is unchanged, and one of another.
fn archive() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let archive = Archive::open(&Options::at(data.path())).unwrap();
    for (url, at, body) in [
        (HOME, "20200101", "<p>one"),
        (HOME, "20210101", "<p>one"),
        (HOME, "20220101", "<p>two"),
        (NEWS, "20200101", "<p>news"),
    ] {
        let exchange = Exchange {
            request: Some(b"GET / HTTP/1.1\r\n\r\n".to_vec()),
            head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec(),
            body: body.into(),
            ..Exchange::default()
        };
        let metadata = vec![("via".to_owned(), HOME.to_owned())];
        let content = Content::Http(exchange);
        archive.append(&Capture { url: url.to_owned(), at: at.parse().unwrap(), content, metadata }).unwrap();
    }
    let captures = archive.captures_of(HOME).unwrap();
    let (older, newer) = (captures[1].id, captures[2].id);
    let change = Change {
        older,
        newer,
        recipe: 1,
        degree: 0.5,
        importance: Some(0.25),
        body: json!({ "words": 1 }),
        ..Change::default()
    };
    archive.catalog().put_changes(&[change]).unwrap();
    archive.close().unwrap();
    data
}

/// What records a WARC file has, and of what.
fn records(bytes: &[u8]) -> Vec<(Kind, String)> {
    let records = Reader::new(bytes).map(Result::unwrap);
    records.filter_map(|record| Some((record.kind, record.target_uri?))).collect()
}

#[test]
fn the_whole_archive_leaves_as_it_is() {
    let data = archive();
    let (code, out, err) = export(data.path(), &["--format", "warc"]);
    assert_eq!((code, err.as_str()), (0, "4 captures\n"));
    let segment = fs::read_dir(data.path().join("warc")).unwrap().map(|entry| entry.unwrap().path());
    let segment = segment.filter(|path| path.extension().is_some_and(|own| own == "gz")).collect::<Vec<_>>();
    assert_eq!(out, fs::read(&segment[0]).unwrap());
}

#[test]
fn a_capture_brings_its_request_its_metadata_and_its_original_along() {
    let data = archive();
    let (code, out, err) = export(data.path(), &["--format", "warc", "--url", HOME, "--from", "2021", "--to", "2022"]);
    assert_eq!((code, err.as_str()), (0, "1 capture, and 1 that holds the body of an unchanged one\n"));
    let mut kinds: Vec<_> = records(&out).into_iter().map(|(kind, url)| (format!("{kind:?}"), url)).collect();
    kinds.sort();
    let expected = ["Metadata", "Metadata", "Request", "Request", "Response", "Revisit"];
    assert_eq!(kinds, expected.map(|kind| (kind.to_owned(), HOME.to_owned())));
    let (_, out, _) = export(data.path(), &["--format", "warc", "--prefix", "http://example.org/news/"]);
    let urls: Vec<_> = records(&out).into_iter().map(|(_, url)| url).collect();
    assert_eq!(urls, [NEWS; 3]);
}

#[test]
fn a_wacz_file_is_a_collection_again() {
    let data = archive();
    let (code, _, err) = export(data.path(), &["--output", "all.wacz"]);
    assert_eq!(code, 0, "{err}");
    let (collection, skips) = Collection::open(&[data.path().join("all.wacz")], &|_| {}).unwrap();
    assert_eq!((collection.len(), skips.count()), (4, 0));
    let unchanged = &collection.captures_of(HOME)[1];
    assert_eq!(collection.read(unchanged, 100).unwrap().body, b"<p>one");
    let (code, _, err) = export(data.path(), &["--format", "wacz"]);
    assert!(code == 2 && err.contains("cannot be written to a pipe"), "{err}");
}

#[test]
fn the_index_is_sorted_and_says_where_each_capture_is() {
    let data = archive();
    let lines = text(data.path(), &["--format", "cdxj"]);
    let keys: Vec<_> = lines.lines().map(|line| line.split(" {").next().unwrap()).collect();
    let expected = [
        "org,example)/ 20200101000000",
        "org,example)/ 20210101000000",
        "org,example)/ 20220101000000",
        "org,example)/news/today 20200101000000",
    ];
    assert_eq!(keys, expected);
    assert!(lines.contains(r#""mime": "warc/revisit", "status": "200", "digest": "sha1:"#), "{lines}");
}

#[test]
fn tables_have_a_row_for_each_capture_version_or_change() {
    let data = archive();
    let rows = |table: &str| text(data.path(), &["--format", "csv", "--table", table, "--url", HOME]);
    assert_eq!(rows("captures").lines().count(), 1 + 3);
    let versions = rows("versions");
    let rows_of_versions = csv::Reader::from_reader(versions.as_bytes()).into_records();
    let times: Vec<_> = rows_of_versions.map(|row| row.unwrap()[3].to_owned()).collect();
    assert_eq!(times, ["2020-01-01T00:00:00Z", "2022-01-01T00:00:00Z"]);
    let changes = rows("changes");
    let change = changes.lines().nth(1).unwrap();
    assert!(change.starts_with("https://example.org/,2021-01-01T00:00:00Z,2022-01-01T00:00:00Z,"), "{change}");
    assert!(change.contains(",1,0.5,0.25,"), "{change}");
}

/// The columns that the reference names for a table, in the order of the table.
fn documented(table: &str) -> Vec<String> {
    let reference = include_str!("../../../../docs/reference/tables.md");
    let (_, section) = reference.split_once(&format!("\n## {table}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let names = section.lines().filter(|line| line.starts_with("| `")).map(|line| line.split('|').nth(1).unwrap());
    names.flat_map(|names| names.split(',')).map(|name| name.trim().trim_matches('`').to_owned()).collect()
}

#[test]
fn parquet_has_the_documented_columns_and_the_values_of_csv() {
    let data = archive();
    let (captures, previous) = (documented("Captures"), documented("Versions"));
    assert_eq!((captures.len(), previous.len()), (17, 1));
    for (table, expected) in [
        ("captures", captures.clone()),
        ("versions", [captures, previous].concat()),
        ("changes", documented("Changes")),
    ] {
        let (code, _, err) = export(data.path(), &["--table", table, "--output", "table.parquet"]);
        assert_eq!(code, 0, "{err}");
        let reader = SerializedFileReader::new(fs::File::open(data.path().join("table.parquet")).unwrap()).unwrap();
        let fields = reader.metadata().file_metadata().schema().get_fields().to_vec();
        assert_eq!(fields.iter().map(|field| field.name()).collect::<Vec<_>>(), expected, "{table}");
        let csv = text(data.path(), &["--table", table, "--format", "csv"]);
        let mut rows = csv::Reader::from_reader(csv.as_bytes()).into_records();
        let mut count = 0;
        for row in reader.get_row_iter(None).unwrap() {
            let (row, beside) = (row.unwrap(), rows.next().unwrap().unwrap());
            let values: Vec<String> = row.get_column_iter().map(|(_, field)| value(field)).collect();
            assert_eq!(values, beside.iter().collect::<Vec<_>>(), "{table}");
            count += 1;
        }
        assert!(count > 0 && rows.next().is_none(), "{table}: {count} rows");
    }
}

fn value(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        other => other.to_string(),
    }
}

#[test]
fn what_was_asked_wrongly_is_told_and_leaves_nothing_behind() {
    let data = archive();
    let (code, _, err) = export(data.path(), &[]);
    assert!(code == 2 && err.contains("hint: `--format warc`"), "{err}");
    let (code, _, err) = export(data.path(), &["--output", "all.txt"]);
    assert!(code == 2 && err.contains("does not say what to write"), "{err}");
    let (code, _, err) = export(data.path(), &["--data", "nowhere", "--output", "all.warc.gz"]);
    assert!(code == 2 && err.contains("there is no archive"), "{err}");
    let (code, _, err) = export(data.path(), &["--table", "versions", "--output", "all.warc.gz"]);
    assert!(code == 2 && err.contains("`--table` is for CSV, TSV and Parquet"), "{err}");
    let (code, _, err) = export(data.path(), &["--url", "http://nowhere.example/", "--format", "cdxj"]);
    assert!(code == 0 && err.contains("warning: nothing was found"), "{err}");
    let left = fs::read_dir(data.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(!left.into_iter().any(|name| name.starts_with("all.")));
}

#[test]
fn a_reader_who_goes_away_ends_it_quietly() {
    use std::process::{Command, Stdio};
    let data = archive();
    for format in ["csv", "cdxj", "warc"] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("driftline"));
        command.args(["archive", "export", "--quiet", "--format", format, "--data"]).arg(data.path());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()),
            (Some(0), ""),
            "{format}"
        );
    }
}

/// A capture with cookies and tokens in its answer, fetched so.
fn fetched(url: &str, credentials: Credentials) -> Capture {
    let exchange = Exchange {
        request: Some(
            b"GET / HTTP/1.1\r\nHost: example.org\r\nreferer: https://intranet.example/hush\r\n\r\n".to_vec(),
        ),
        head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: sid=hush\r\nX-Auth-Token: hush\r\n\r\n"
            .to_vec(),
        body: b"<p>one".to_vec(),
        credentials,
        ..Exchange::default()
    };
    let at = "2024-01-01T00:00:00Z".parse().unwrap();
    Capture { url: url.to_owned(), at, content: Content::Http(exchange), metadata: Vec::new() }
}

/// An archive with these captures, in one closed segment.
fn kept(data: &Path, captures: &[Capture], packing: Packing) {
    let archive = Archive::open(&Options { packing, ..Options::at(data) }).unwrap();
    captures.iter().for_each(|capture| drop(archive.append(capture).unwrap()));
    archive.close().unwrap();
}

/// All records of a WARC file as text.
fn plain_text(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    let mut reader = Reader::new(bytes);
    while let Some(record) = reader.next() {
        record.unwrap();
        text.extend_from_slice(reader.head_bytes());
        text.extend_from_slice(&reader.body(1 << 20).unwrap().bytes);
    }
    String::from_utf8(text).unwrap()
}

#[test]
fn what_servers_gave_to_requests_with_secrets_is_masked_unless_it_is_asked_for() {
    for packing in [Packing::Gzip, Packing::Zstd] {
        let data = tempfile::tempdir().unwrap();
        // One that says nothing was written by an older driftline: its Referer may have been set by the watch.
        let sent = fetched("https://example.org/sent", Credentials::Sent);
        kept(data.path(), &[sent, fetched("https://example.org/old", Credentials::Unknown)], packing);
        for choice in [&[][..], &["--prefix", "https://example.org/"]] {
            let (code, masked, err) = export(data.path(), &[&["--format", "warc"], choice].concat());
            assert_eq!(code, 0, "{err}");
            let told = "cookies and tokens are masked in 4 records of pages that were fetched with secrets\nhint: `--with-secrets`";
            assert!(err.starts_with("2 captures\n") && err.contains(told), "{err}");
            let text = plain_text(&masked);
            assert!(!text.contains("hush") && text.matches("Set-Cookie: masked\r\n").count() == 2, "{text}");
            assert!(text.matches("Driftline-Masked: set-cookie, x-auth-token\r\n").count() == 2, "{text}");
            assert!(text.matches("referer: masked\r\n").count() == 2 && text.contains("<p>one"), "{text}");

            let (code, raw, err) = export(data.path(), &[&["--format", "warc", "--with-secrets"], choice].concat());
            assert_eq!((code, err.as_str()), (0, "2 captures\n"));
            let text = plain_text(&raw);
            assert!(text.matches("sid=hush").count() == 2 && !text.contains("Masked"), "{text}");
        }
        let (code, _, err) = export(data.path(), &["--output", "all.wacz"]);
        assert_eq!(code, 0, "{err}");
        let (collection, _) = Collection::open(&[data.path().join("all.wacz")], &|_| {}).unwrap();
        for url in ["https://example.org/sent", "https://example.org/old"] {
            let response = collection.read(&collection.captures_of(url)[0], 100).unwrap();
            assert_eq!(response.body, b"<p>one", "the index of the file knows where its records are");
        }
    }
}

#[test]
fn what_is_fetched_without_secrets_or_imported_leaves_byte_for_byte() {
    let data = tempfile::tempdir().unwrap();
    kept(data.path(), &[fetched("https://example.org/", Credentials::None)], Packing::Gzip);
    // As warcio writes it.
    let body = "HTTP/1.1 200 OK\r\nSet-Cookie: theirs=1\r\n\r\n<p>theirs";
    let theirs = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n\
         WARC-Target-URI: https://theirs.example/\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    );
    let file = data.path().join("theirs.warc.gz");
    fs::write(&file, gzip(theirs.as_bytes())).unwrap();
    let mut import = Command::cargo_bin("driftline").unwrap();
    import.args(["archive", "import"]).arg(&file).env("DRIFTLINE_DATA", data.path()).assert().success();
    let (code, out, err) = export(data.path(), &["--format", "warc"]);
    assert_eq!((code, err.as_str()), (0, "2 captures\n"));
    let mut segments: Vec<_> =
        fs::read_dir(data.path().join("warc")).unwrap().map(|entry| entry.unwrap().path()).collect();
    segments.retain(|path| path.extension().is_some_and(|own| own == "gz"));
    segments.sort();
    let kept: Vec<u8> = segments.iter().flat_map(|path| fs::read(path).unwrap()).collect();
    assert_eq!(out.len(), kept.len());
    assert!(segments.iter().all(|path| contains(&out, &fs::read(path).unwrap())), "segments leave as they are");
    let text = plain_text(&out);
    assert!(text.contains("Set-Cookie: theirs=1") && text.contains("sid=hush"), "{text}");
}

#[test]
fn a_damaged_record_with_secrets_is_left_out_and_counted() {
    let data = tempfile::tempdir().unwrap();
    let captures = ["a", "b", "c"].map(|path| fetched(&format!("https://example.org/{path}"), Credentials::Sent));
    kept(data.path(), &captures, Packing::Gzip);
    let archive = Archive::open_to_read(&Options::at(data.path())).unwrap();
    let stored = archive.captures_of("https://example.org/b").unwrap().remove(0);
    let path = data.path().join("warc").join(&stored.segment);
    let mut bytes = fs::read(&path).unwrap();
    // The checksum of its member.
    let end = usize::try_from(stored.capture.offset + stored.capture.length).unwrap();
    bytes[end - 6] ^= 0xff;
    fs::write(&path, bytes).unwrap();
    let (code, out, err) = export(data.path(), &["--format", "warc"]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("damaged records that may hold secrets were left out: 1\nhint: "), "{err}");
    let text = plain_text(&out);
    let pages = |path: &str| text.contains(&format!("example.org/{path}\r\n"));
    assert!(pages("a") && pages("c") && !text.contains("hush"), "{text}");
    assert_eq!(text.matches("<p>one").count(), 2);
}

fn contains(whole: &[u8], part: &[u8]) -> bool {
    whole.windows(part.len()).any(|window| window == part)
}
