//! Do the field's tools read what driftline writes? warcio checks it, cdxj-indexer indexes it alike, pywb replays it.
//!
//! The tools come from PyPI, into an environment under `target/` that is used again.

mod sample;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use data_encoding::BASE64;
use driftline_archive::Archive;
use driftline_archive::cdxj::{Digests, Index};
use driftline_archive::export::{self, Secrets, Selection};
use driftline_archive::import::{self, Format, Plan};
use driftline_archive::wacz::About;
use driftline_archive::warc::Reader;
use driftline_catalog::{Address, CaptureKind};
use driftline_testkit::data::{shared, subset};
use driftline_testkit::python::{Venv, tools};
use serde_json::Value;

/// A file whose header `WARC-Type` goes on in the next line, as the standard allows; warcio takes the tab for a part of it.
const FOLDED: &str = "jwat__valid-warcfile-fields-metainfo.warc";

/// All that a tool says on stdout; it has to succeed.
fn said(tools: &Venv, tool: &str, arguments: &[&str], files: &[PathBuf]) -> String {
    let output = tools.command(tool).args(arguments).args(files).output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{tool} {arguments:?} failed:\n{out}\n{err}");
    out
}

/// Every record is read, and each digest that stands there is right.
fn assert_checked(tools: &Venv, files: &[PathBuf]) {
    let said = said(tools, "warcio", &["check", "-v"], files);
    assert!(said.matches("digest pass").count() >= files.len(), "{said}");
    assert!(!said.contains("fail") && !said.contains("error"), "{said}");
}

fn export_to(archive: &Archive, selection: &Selection, path: &Path) -> PathBuf {
    let mut file = fs::File::create(path).unwrap();
    export::warc(archive, selection, Secrets::Masked, &mut file).unwrap();
    path.to_owned()
}

fn cdxj(archive: &Archive, selection: &Selection) -> String {
    let mut lines = Vec::new();
    export::cdxj(archive.catalog(), selection, &mut lines).unwrap();
    String::from_utf8(lines).unwrap()
}

fn selection(url: &str) -> Selection {
    Selection { urls: vec![url.to_owned()], ..Selection::default() }
}

#[test]
fn warcio_finds_no_fault_in_segments_and_exports() {
    let (tools, folder) = (tools(), tempfile::tempdir().unwrap());
    let archive = sample::archive(folder.path());
    assert_checked(&tools, &sample::segments(folder.path()));
    let all = export_to(&archive, &Selection::default(), &folder.path().join("all.warc.gz"));
    let some = export_to(&archive, &selection(sample::PAGE), &folder.path().join("some.warc.gz"));
    assert_checked(&tools, &[all, some]);
}

/// What servers answered to requests with secrets is masked in exports, and these are as sound as any.
#[test]
fn warcio_and_wacz_find_no_fault_in_masked_exports() {
    let (tools, folder) = (tools(), tempfile::tempdir().unwrap());
    let archive = sample::with_secrets(folder.path());
    let warc = folder.path().join("all.warc.gz");
    let exported =
        export::warc(&archive, &Selection::default(), Secrets::Masked, &mut fs::File::create(&warc).unwrap());
    assert_eq!(exported.unwrap().masked, 3);
    assert_checked(&tools, std::slice::from_ref(&warc));
    let wacz = folder.path().join("all.wacz");
    let file = fs::File::create(&wacz).unwrap();
    export::wacz(&archive, &Selection::default(), Secrets::Masked, About::default(), file).unwrap();
    said(&tools, "wacz", &["validate", "-f"], std::slice::from_ref(&wacz));
    // Payloads are what they were, and so is the index but for the places.
    let indexed = said(&tools, "cdxj-indexer", &["-s"], std::slice::from_ref(&warc));
    let digests = |lines: &str| -> Vec<String> {
        let fields = lines.lines().map(|line| serde_json::from_str::<Value>(&line[line.find('{').unwrap()..]).unwrap());
        fields.map(|fields| fields["digest"].to_string()).collect()
    };
    assert_eq!(digests(&indexed), digests(&cdxj(&archive, &Selection::default())));
}

/// Real files in which a record says a digest that is not its own, by what warcio finds in the files themselves.
const WRONG_DIGESTS: [&str; 24] = [
    "cdx-writer__bracket_in_target_uri.warc.gz",
    "cdx-writer__empty-gzips.warc.gz",
    "cdx-writer__space_in_target_uri.warc.gz",
    "cdxj-indexer__example.warc.gz",
    "cdxj-indexer__missing-http.warc.gz",
    "ipwb__1memento.warc",
    "ipwb__1memento_noContentType.warc",
    "ipwb__2mementos_htmlXhtml.warc",
    "ipwb__2mementos_queryString.warc",
    "ipwb__3mementos.warc",
    "ipwb__4mementos.warc",
    "ipwb__5mementos.warc",
    "ipwb__5mementosAndFroggie.warc",
    "ipwb__HTTP404.warc",
    "ipwb__baconIpsum_chunked.warc",
    "ipwb__baconIpsum_chunked_httpTrailors.warc",
    "ipwb__slash.warc",
    "ipwb__variableSizedDates.warc",
    "jhove__invalid-warcrecorddigests-2.warc",
    "jhove__valid-warcrecorddigests-1.warc",
    "jwat__invalid-warcfile-contenttype-recommended.warc",
    "warc-nom-parser__bbc.warc",
    "warcio-js__example-bad-length.warc",
    "warcio__example-digest.warc",
];
/// A file with a chunked body that warcio cannot take apart, in the file or out of it.
const WRONG_CHUNKS: &str = "warcio__example-wrong-chunks.warc.gz";

#[test]
fn warcio_finds_no_fault_in_what_was_imported() {
    check_imported(&subset(), 40);
}

#[test]
#[ignore = "needs the shared data"]
fn warcio_finds_no_fault_in_what_was_imported_on_the_shared_data() {
    check_imported(&shared(), 100);
}

fn check_imported(data: &Path, least: usize) {
    let (tools, folder) = (tools(), tempfile::tempdir().unwrap());
    let mut segments = Vec::new();
    for (number, entry) in fs::read_dir(data.join("warc/files")).unwrap().enumerate() {
        let file = entry.unwrap().path();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let is_archive = matches!(Format::recognise(&file), Ok(Format::Warc | Format::Wacz));
        if !is_archive || name == WRONG_CHUNKS || WRONG_DIGESTS.contains(&name.as_str()) {
            continue;
        }
        let place = folder.path().join(number.to_string());
        let archive = Archive::open_at(&place).unwrap();
        let plan = Plan::new(&[file], &import::Options::default()).unwrap();
        let summary = plan.run(Some(&archive), &|_| {}).unwrap();
        archive.close().unwrap();
        if summary.records > 0 {
            segments.extend(sample::segments(&place));
        }
    }
    assert!(segments.len() > least, "only {} files came in", segments.len());
    assert_checked(&tools, &segments);
}

#[test]
fn cdxj_indexer_makes_the_same_index_of_the_segments() {
    let (tools, folder) = (tools(), tempfile::tempdir().unwrap());
    let archive = sample::archive(folder.path());
    let expected = said(&tools, "cdxj-indexer", &["-s"], &sample::segments(folder.path()));
    let actual = cdxj(&archive, &Selection::default());
    assert!(actual.lines().count() >= sample::COUNT, "{actual}");
    for (actual, expected) in actual.lines().zip(expected.lines()) {
        assert_eq!(actual, expected);
    }
    assert_eq!(actual, expected);
}

#[test]
fn cdxj_indexer_makes_the_same_lines_of_every_real_file() {
    compare_lines(&subset(), 50);
}

#[test]
#[ignore = "needs the shared data"]
fn cdxj_indexer_makes_the_same_lines_of_every_real_file_on_the_shared_data() {
    compare_lines(&shared(), 100);
}

fn compare_lines(data: &Path, least: usize) {
    let (tools, folder) = (tools(), tempfile::tempdir().unwrap());
    let names = [".warc", ".warc.gz", ".arc", ".arc.gz"];
    let files = fs::read_dir(data.join("warc/files")).unwrap().map(|entry| entry.unwrap().path());
    let is_wanted = |path: &str| !path.ends_with(FOLDED) && names.iter().any(|name| path.ends_with(name));
    let mut files: Vec<_> = files.filter(|path| is_wanted(&path.to_string_lossy())).collect();
    files.sort();
    let output = folder.path().join("lines.jsonl");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/peers/index.py");
    said(&tools, "python", &[&script.to_string_lossy(), &output.to_string_lossy()], &files);
    let (mut compared, mut differences) = (0, Vec::new());
    for (line, path) in fs::read_to_string(output).unwrap().lines().zip(&files) {
        let answer: Value = serde_json::from_str(line).unwrap();
        // What the tool gives up on is no measure for others.
        let Some(expected) = answer["lines"].as_str() else { continue };
        let name = path.file_name().unwrap().to_string_lossy();
        let index = Index::new(Reader::new(fs::File::open(path).unwrap()), &*name, Digests::Computed);
        let lines: Vec<_> = index.flatten().map(|indexed| format!("{}\n", indexed.line)).collect();
        let actual = lines.concat();
        compared += 1;
        if actual != expected {
            differences.push(format!("{name}:\n{}", first_difference(&actual, expected)));
        }
    }
    assert!(compared > least, "only {compared} of {} files could be compared", files.len());
    assert!(differences.is_empty(), "{} of {compared} files differ:\n{}", differences.len(), differences.join("\n"));
}

fn first_difference(actual: &str, expected: &str) -> String {
    let longer = actual.lines().count().max(expected.lines().count());
    let line = |text: &str, at| text.lines().nth(at).unwrap_or("(nothing)").to_owned();
    let differs = (0..longer).find(|&at| line(actual, at) != line(expected, at)).unwrap_or(0);
    format!("line {}\n  ours   {}\n  theirs {}", differs + 1, line(actual, differs), line(expected, differs))
}

#[test]
fn pywb_replays_every_capture_as_it_was() {
    let (tools, folder) = (tools(), tempfile::tempdir().unwrap());
    let archive = sample::archive(folder.path());
    let web = folder.path().join("web/collections/coll");
    for part in ["archive", "indexes"] {
        fs::create_dir_all(web.join(part)).unwrap();
    }
    for segment in sample::segments(folder.path()) {
        fs::copy(&segment, web.join("archive").join(segment.file_name().unwrap())).unwrap();
    }
    fs::write(web.join("indexes/index.cdxj"), cdxj(&archive, &Selection::default())).unwrap();
    let captures: Vec<_> = Selection::default().of(archive.catalog()).map(Result::unwrap).collect();
    let asked = captures.iter().map(|stored| format!("{} {}\n", stored.capture.at.digits(), stored.capture.url));
    let answers = replay(&tools, &folder.path().join("web"), &asked.collect::<String>());
    assert_eq!(answers.len(), captures.len());
    let mut kinds = BTreeMap::new();
    for (answer, stored) in answers.iter().zip(&captures) {
        let (capture, address) = (&stored.capture, format!("{}@={}", stored.capture.url, stored.capture.at.digits()));
        assert_eq!(answer["status"], capture.status.unwrap_or(200), "{address}: {answer}");
        if let Some(to) = &capture.redirect {
            assert!(answer["headers"]["location"].as_str().unwrap().ends_with(to.as_str()), "{address}: {answer}");
        }
        let found = archive.find(&Address::parse(&address).unwrap()).unwrap().unwrap();
        let own = archive.read(&found, 1 << 26).unwrap();
        let replayed = BASE64.decode(answer["body"].as_str().unwrap().as_bytes()).unwrap();
        assert!(replayed == own.body(), "{address}: pywb has {} bytes, we {}", replayed.len(), own.body().len());
        *kinds.entry(capture.kind).or_insert(0) += 1;
    }
    let seen =
        [CaptureKind::Response, CaptureKind::Revisit, CaptureKind::Resource].map(|kind| kinds.contains_key(&kind));
    assert_eq!(seen, [true; 3], "{kinds:?}");
}

/// What pywb answers to lines `TIME URL`.
fn replay(tools: &Venv, folder: &Path, asked: &str) -> Vec<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/peers/replay.py");
    let mut python = tools.command("python");
    python.arg(script).arg("answers.jsonl").current_dir(folder);
    let mut child = python.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(asked.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "pywb failed: {}", String::from_utf8_lossy(&output.stderr));
    let answers = fs::read_to_string(folder.join("answers.jsonl")).unwrap();
    answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
