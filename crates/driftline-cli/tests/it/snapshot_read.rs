//! Do `driftline snapshot list`, `links`, `export` and `remove` say what was put in?

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use serde_json::Value;
use tempfile::TempDir;

const PAGES: &str = "url\tcrawled\tfetch_time\tlast_modified\n\
    https://www.a.org/\t1\t2020-01-01T00:00:01Z\t\n\
    https://www.a.org/b?x=1&y=2\t1\t2020-01-01T00:00:02Z\t2019-12-24T00:00:00Z\n\
    https://d.org/\t0\t\t\n";
const LINKS: &str = "source\ttarget\n\
    https://www.a.org/\thttps://www.a.org/b?x=1&y=2\n\
    https://www.a.org/\thttps://c.org/\n\
    https://www.a.org/b?x=1&y=2\thttps://www.a.org/\n\
    https://www.a.org/b?x=1&y=2\thttps://c.org/\n";
/// All links, as they are written out: in the order of keys, reversed hosts first.
const EDGES: [(&str, &str); 4] = [
    ("https://www.a.org/", "https://www.a.org/b?x=1&y=2"),
    ("https://www.a.org/", "https://c.org/"),
    ("https://www.a.org/b?x=1&y=2", "https://www.a.org/"),
    ("https://www.a.org/b?x=1&y=2", "https://c.org/"),
];

/// A folder with a data directory of two snapshots, the second without links.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        std::fs::write(place.path("pages.tsv"), PAGES).unwrap();
        std::fs::write(place.path("links.tsv"), LINKS).unwrap();
        place.done(&["snapshot", "add", "news", "--at", "2020-01", "--pages", "pages.tsv", "--links", "links.tsv"]);
        place.done(&["snapshot", "add", "news", "--at", "2020-02", "--pages", "pages.tsv"]);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Exit code, stdout and stderr.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(cargo_bin("driftline"));
        let output =
            command.args(arguments).current_dir(self.0.path()).env("DRIFTLINE_DATA", self.path("data")).output();
        let output = output.unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    fn done(&self, arguments: &[&str]) -> String {
        let (code, out, err) = self.run(arguments);
        assert_eq!(code, 0, "{err}");
        out
    }

    fn failed(&self, arguments: &[&str]) -> String {
        let (code, out, err) = self.run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        err
    }
}

fn objects(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn list_has_a_line_for_each_snapshot_with_its_sizes() {
    let place = Place::new();
    let out = place.done(&["snapshot", "list"]);
    let rows: Vec<Vec<_>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    let names = ["series", "at", "crawled", "fringe", "links", "new", "size", "bits", "out", "bits", "in", "skipped"];
    assert_eq!(rows[0], names);
    assert_eq!(&rows[1][..6], ["news", "2020-01-01T00:00:00Z", "2", "2", "4", "4"]);
    assert_eq!(&rows[2][..6], ["news", "2020-02-01T00:00:00Z", "2", "1", "0", "0"]);
    let lengths: BTreeSet<_> = out.lines().map(str::len).collect();
    assert_eq!(lengths.len(), 1, "columns stand below each other:\n{out}");
}

#[test]
fn list_as_json_has_counts_bytes_and_bits_per_link() {
    let place = Place::new();
    let objects = objects(&place.done(&["snapshot", "list", "news", "--json"]));
    assert_eq!(objects.len(), 2);
    let first = &objects[0];
    let counts = ["crawled", "fringe", "links", "new_urls", "redirects"].map(|name| first[name].as_u64().unwrap());
    assert_eq!(counts, [2, 2, 4, 4, 0]);
    assert!(first["out_bits_per_link"].as_f64().unwrap() > 0.0 && first["in_bits_per_link"].as_f64().unwrap() > 0.0);
    let folder = place.path("data/graph/news/20200101000000");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let bytes: u64 =
        files.filter(|entry| entry.file_name() != "snapshot.json").map(|entry| entry.metadata().unwrap().len()).sum();
    assert_eq!(first["bytes"].as_u64(), Some(bytes));
    assert_eq!(objects[1]["out_bits_per_link"], 0.0);
}

#[test]
fn list_of_nothing_is_nothing_and_of_a_missing_series_an_error() {
    let place = Place(tempfile::tempdir().unwrap());
    let (code, out, err) = place.run(&["snapshot", "list"]);
    assert!((code, out.as_str()) == (0, "") && err.contains("hint: put a crawl into one"), "{err}");
    assert!(place.failed(&["snapshot", "list", "news"]).contains("hint: put a crawl into it"));
    let folder = place.0.path();
    for name in ["../news", "a/b", ".", "", "/news", &"a".repeat(101)] {
        let builder: &[&str] = &["snapshot", "add", name, "--at", "2020", "--pages", "pages.tsv"];
        std::fs::write(folder.join("pages.tsv"), PAGES).unwrap();
        for arguments in [builder, &["snapshot", "list", name], &["novelty", name], &["snapshot", "check", name]] {
            let error = place.failed(arguments);
            assert!(error.contains("is no name for a series\nhint: a name has 1 to 100 letters"), "{error}");
        }
    }
    assert!(!place.path("data/graph").exists() && !place.path("data/news").exists());
}

#[test]
fn list_tells_of_a_crawl_that_was_not_added_to_its_end() {
    let place = Place::new();
    std::fs::create_dir(place.path("data/graph/news/.adding-20200301000000")).unwrap();
    let (code, _, err) = place.run(&["snapshot", "list"]);
    assert!(code == 0 && err.contains("the crawl of 20200301000000 was not added to `news` to its end"), "{err}");
    place.done(&["snapshot", "remove", "news", "--at", "20200301000000"]);
    assert_eq!(place.run(&["snapshot", "list"]).2, "");
}

#[test]
fn list_tells_of_a_crawl_that_is_being_added() {
    let place = Place::new();
    let series = driftline_graph::Series::open(&place.path("data/graph/news")).unwrap();
    let builder = series.add("2020-03".parse().unwrap(), 1 << 20).unwrap();
    let (code, _, err) = place.run(&["snapshot", "list"]);
    assert_eq!((code, err.as_str()), (0, "the crawl of 20200301000000 is being added to `news` now\n"));
    drop(builder);
    assert!(place.run(&["snapshot", "list"]).2.contains("was not added"));
}

#[test]
fn links_are_told_in_both_directions_or_one() {
    let place = Place::new();
    let of = |rest: &[&str]| place.done(&[&["snapshot", "links"], rest, &["--at", "2020-01"]].concat());
    let home = "https://www.a.org/\tcrawled\t2020-01-01T00:00:01Z\tin\n";
    let page = "https://www.a.org/b?x=1&y=2\tcrawled\t2020-01-01T00:00:02Z\tin\n";
    assert_eq!(of(&["https://c.org/", "--in"]), [home, page].concat());
    assert_eq!(of(&["https://c.org/", "--out"]), "");
    // Whatever spelling.
    let out = "https://www.a.org/b?x=1&y=2\tcrawled\t2020-01-01T00:00:02Z\tout\nhttps://c.org/\tfringe\t\tout\n";
    assert_eq!(of(&["http://a.org/index.html", "--series", "news"]), [page, out].concat());
    let objects = objects(&of(&["https://www.a.org/", "--in", "--json"]));
    let expected = serde_json::json!({
        "url": "https://www.a.org/b?x=1&y=2", "class": "crawled", "direction": "in",
        "fetched": "2020-01-01T00:00:02Z", "last_modified": "2019-12-24T00:00:00Z",
    });
    assert_eq!(objects, [expected]);
}

#[test]
fn links_of_what_is_not_there_are_an_error_that_says_what_is() {
    let place = Place::new();
    let error = place.failed(&["snapshot", "links", "https://c.org/"]);
    let expected = "error: `https://c.org/` was neither crawled nor linked to at 2020-02-01T00:00:00Z\n\
        hint: it was at 2020-01-01T00:00:00Z\n";
    assert_eq!(error, expected);
    assert!(place.failed(&["snapshot", "links", "https://e.org/"]).contains("nor at any other time"));
    assert!(place.failed(&["snapshot", "links", "mailto:a@a.org"]).contains("is no address of a page"));
    let error = place.failed(&["snapshot", "links", "https://c.org/", "--at", "2019"]);
    assert!(error.contains("hint: there are 2020-01-01T00:00:00Z, 2020-02-01T00:00:00Z"), "{error}");
    place.done(&["snapshot", "add", "other", "--at", "2020-01", "--pages", "pages.tsv"]);
    let error = place.failed(&["snapshot", "links", "https://c.org/"]);
    assert!(error.contains("hint: name one with `--series`: news, other"), "{error}");
}

#[test]
fn tables_of_links_have_every_link_once() {
    let place = Place::new();
    let export = |rest: &[&str]| place.done(&[&["snapshot", "export", "news", "--at", "2020-01"], rest].concat());
    let lines = |sign: &str| -> String {
        EDGES.iter().map(|(source, target)| format!("{source}{sign}{target}\n")).collect::<Vec<_>>().concat()
    };
    assert_eq!(export(&[]), format!("source,target\n{}", lines(",")));
    assert_eq!(export(&["--format", "tsv"]), format!("source\ttarget\n{}", lines("\t")));
    let dated = export(&["--format", "tsv", "--crawl-date", "--crawled"]);
    let expected = "source\ttarget\tcrawl_date\n\
        https://www.a.org/\thttps://www.a.org/b?x=1&y=2\t2020-01-01T00:00:01Z\n\
        https://www.a.org/b?x=1&y=2\thttps://www.a.org/\t2020-01-01T00:00:02Z\n";
    assert_eq!(dated, expected);
    assert_eq!(export(&["--output", "links.parquet"]), "");
    let reader = SerializedFileReader::new(std::fs::File::open(place.path("links.parquet")).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
    let edges: Vec<_> =
        rows.map(|row| (row.get_string(0).unwrap().clone(), row.get_string(1).unwrap().clone())).collect();
    assert_eq!(edges, EDGES.map(|(source, target)| (source.to_owned(), target.to_owned())));
}

#[test]
fn graphml_is_written_for_gephi() {
    let place = Place::new();
    let out = place.done(&["snapshot", "export", "news", "--at", "2020-01", "--format", "graphml"]);
    insta::assert_snapshot!(out);
}

#[test]
fn an_export_of_no_known_format_is_an_error() {
    let place = Place::new();
    let error = place.failed(&["snapshot", "export", "news", "--output", "links.xlsx"]);
    assert!(error.contains("hint: add `--format`: graphml, csv, tsv, parquet"), "{error}");
    assert!(!place.path("links.xlsx").exists());
    let error = place.failed(&["snapshot", "export", "news", "--format", "graphml", "--crawl-date"]);
    assert!(error.contains("`--crawl-date` is for tables"), "{error}");
}

#[test]
fn a_removed_snapshot_is_gone_and_the_others_are_as_they_were() {
    let place = Place::new();
    let before = place.done(&["snapshot", "list", "--json"]);
    let error = place.failed(&["snapshot", "remove", "news", "--at", "2020"]);
    assert!(error.contains("several snapshots of 2020\nhint: name one of 2020-01-01T00:00:00Z, 2020-02"), "{error}");
    let (code, out, err) = place.run(&["snapshot", "remove", "news", "--at", "2020-01"]);
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (0, "", "removed the snapshot of 2020-01-01T00:00:00Z from `news`\n")
    );
    let after = place.done(&["snapshot", "list", "--json"]);
    assert_eq!(after, before.lines().nth(1).unwrap().to_owned() + "\n");
    assert_eq!(place.done(&["snapshot", "links", "https://a.org/"]), "");
    assert!(place.failed(&["snapshot", "remove", "news", "--at", "2020-01"]).contains("there is no snapshot"));
}

#[test]
fn a_damaged_snapshot_is_listed_with_its_cure_and_can_be_removed() {
    let place = Place::new();
    place.done(&["snapshot", "add", "other", "--at", "2020-01", "--pages", "pages.tsv"]);
    std::fs::write(place.path("data/graph/news/20200201000000/snapshot.json"), "").unwrap();
    let (code, out, err) = place.run(&["snapshot", "list"]);
    assert!(code == 0 && err.contains("hint: remove the snapshot and add it again"), "{err}");
    let of = |line: &str| line.split_whitespace().take(3).map(str::to_owned).collect::<Vec<_>>().join(" ");
    let rows: Vec<_> = out.lines().skip(1).map(of).collect();
    let expected = ["news 2020-01-01T00:00:00Z 2", "news 2020-02-01T00:00:00Z damaged", "other 2020-01-01T00:00:00Z 2"];
    assert_eq!(rows, expected);
    assert!(place.failed(&["novelty", "news"]).contains("snapshot of 2020-02-01T00:00:00Z cannot be used"));
    place.done(&["snapshot", "links", "https://a.org/", "--series", "news", "--at", "2020-01"]);
    place.done(&["snapshot", "remove", "news", "--at", "2020-02"]);
    assert_eq!(objects(&place.done(&["snapshot", "list", "news", "--json"])).len(), 1);
}

#[test]
fn check_finds_a_changed_byte_and_fails() {
    let place = Place::new();
    assert_eq!(place.done(&["snapshot", "check", "--quiet"]), "2 sound, 0 damaged\n");
    let file = place.path("data/graph/news/20200101000000/status");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[0] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let (code, out, _) = place.run(&["snapshot", "check", "news", "--json", "--quiet"]);
    let found = objects(&out);
    assert!(code == 2 && found.len() == 1 && found[0]["what"].as_str().unwrap().contains("status"), "{out}");
    assert_eq!(found[0]["at"], "2020-01-01T00:00:00Z");
    // Novelty needs all earlier snapshots.
    assert!(place.failed(&["novelty", "news"]).contains("snapshot of 2020-01-01T00:00:00Z cannot be used"));
    place.done(&["snapshot", "links", "https://a.org/"]);
}

#[test]
fn a_reader_who_goes_away_is_no_error_and_a_dash_is_stdout() {
    let place = Place::new();
    for format in ["csv", "tsv", "parquet", "graphml"] {
        let mut command = Command::new(cargo_bin("driftline"));
        command.args(["snapshot", "export", "news", "--at", "2020-01", "--format", format, "--output", "-", "--quiet"]);
        command.env("DRIFTLINE_DATA", place.path("data")).current_dir(place.0.path());
        let whole = command.output().unwrap();
        assert!(whole.status.success() && !whole.stdout.is_empty());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let cut = command.stdout(writer).stderr(std::process::Stdio::piped()).spawn().unwrap();
        let output = cut.wait_with_output().unwrap();
        assert!(output.status.success(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(!place.path("-").exists());
}
