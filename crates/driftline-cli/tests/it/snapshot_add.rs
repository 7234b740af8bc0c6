//! Does `driftline snapshot add` do what its help says? Also with input that nobody should send.

use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::gzip;

const PAGES: &str = "url\tcrawled\tfetch_time\tlast_modified\nhttps://a.org/\t1\t\t\nhttps://a.org/b\t1\t\t\n";
const LINKS: &str = "source\ttarget\nhttps://a.org/\thttps://a.org/b\nhttps://a.org/b\thttps://c.org/old\n";
const REDIRECTS: &str = "from\tto\nhttps://c.org/old\thttps://c.org/new\n";

/// A folder with a data directory and files.
struct Place(TempDir);

impl Place {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        files.iter().for_each(|(name, bytes)| place.write(name, bytes));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), bytes).unwrap();
    }

    /// Exit code, stdout and stderr.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(cargo_bin("driftline"));
        // On one thread files are read in order: which of them were read before a failure is known then.
        command.args(arguments).current_dir(self.0.path()).env("DRIFTLINE_DATA", self.path("data"));
        let output = command.env("RAYON_NUM_THREADS", "1").output();
        let output = output.unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    fn add(&self, arguments: &[&str]) -> (i32, String, String) {
        self.run(&[&["snapshot", "add", "s", "--at", "2020-01"], arguments].concat())
    }

    /// What the snapshot says of itself, and what was told.
    fn added(&self, arguments: &[&str]) -> (Value, String) {
        let (code, out, err) = self.add(&[arguments, &["--json"]].concat());
        assert_eq!(code, 0, "{err}");
        (serde_json::from_str(&out).unwrap(), err)
    }

    /// What was told of a failure; nothing has to be there then.
    fn failed(&self, arguments: &[&str]) -> String {
        let (code, out, err) = self.add(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.starts_with("error: "), "{err}");
        assert!(!self.has_snapshot(), "{err}");
        err
    }

    fn has_snapshot(&self) -> bool {
        self.path("data/graph/s/20200101000000").exists()
    }
}

fn tables() -> Place {
    Place::new(&[
        ("crawl/pages.tsv", PAGES.as_bytes()),
        ("crawl/links.tsv", LINKS.as_bytes()),
        ("crawl/redirects.tsv", REDIRECTS.as_bytes()),
    ])
}

#[test]
fn a_folder_of_tables_becomes_a_snapshot() {
    let place = tables();
    let (about, _) = place.added(&["crawl"]);
    // The redirect's target is linked to; the redirecting address is not in the snapshot.
    let counts = ["crawled", "urls", "links", "redirects", "new_urls"].map(|name| about[name].as_u64().unwrap());
    assert_eq!(counts, [2, 3, 2, 1, 3]);
    let (code, out, err) = place.run(&["snapshot", "add", "s", "--at", "2020-02", "crawl"]);
    assert_eq!(code, 0, "{err}");
    let count = |name: &str| {
        let line = out.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name} in {out}"));
        line.split_whitespace().last().unwrap().to_owned()
    };
    assert_eq!(["files", "crawled", "addresses", "first seen", "skipped"].map(count), ["3", "2", "3", "0", "0"]);
}

#[test]
fn tables_are_named_one_by_one_in_any_form_and_columns_of_others() {
    let aut_pages = "crawl_date,last_modified_date,url,mime_type_web_server\n20200101,,https://a.org/,text/html\n\
        20200101,,https://a.org/b,text/html\n20200101,,https://a.org/c.png,image/png\n";
    let aut_links = "crawl_date,src,dest,anchor\n20200101,https://a.org/,https://a.org/b,\"b, of course\"\n";
    let place = Place::new(&[
        ("parts/part-0.csv.gz", &gzip(aut_pages.as_bytes())),
        ("parts/_SUCCESS", b""),
        ("graph.csv", aut_links.as_bytes()),
    ]);
    let (about, err) = place.added(&["--pages", "parts", "--links", "graph.csv"]);
    assert_eq!((&about["crawled"], &about["links"]), (&2.into(), &1.into()));
    assert_eq!(about["left_out"]["answers that are no page (type)"], 1, "{err}");
}

#[test]
fn what_a_folder_holds_twice_is_read_once_and_that_is_said() {
    let place = tables();
    place.write("crawl/pages.csv", b"never read");
    place.write("crawl/deeper/pages.tsv", b"nor this");
    let (about, err) = place.added(&["crawl", "crawl/links.tsv"]);
    assert_eq!(about["crawled"], 2);
    assert!(err.contains("left aside in `crawl`: `pages.csv`"), "{err}");
    assert!(err.contains("links.tsv` was named twice"), "{err}");
}

fn answer(url: &str, status: &str, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n{body}");
    let head =
        format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n");
    let kind = "Content-Type: application/http; msgtype=response";
    format!("{head}{kind}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len()).into_bytes()
}

#[test]
fn a_torn_archive_is_told_by_name_and_counts_as_far_as_it_goes() {
    let long: String =
        (0..20_000).map(|number| format!("<a href='/{number}'>{number}</a>")).collect::<Vec<_>>().concat();
    let whole = [answer("http://c.org/1", "200 OK", "one"), answer("http://c.org/2", "200 OK", &long)];
    for (name, bytes) in
        [("plain.warc", whole.concat()), ("packed.warc.gz", whole.map(|record| gzip(&record)).concat())]
    {
        let place = Place::new(&[(name, &bytes[..bytes.len() - 500])]);
        let (about, err) = place.added(&[name]);
        assert!(
            about["crawled"].as_u64() >= Some(1)
                && about["skipped"].as_object().is_some_and(|skipped| !skipped.is_empty()),
            "{about}"
        );
        let told = format!("{name}` ends in the middle of a record: what came after is missing");
        assert_eq!(err.matches(&told).count(), 1, "{err}");
        let place = Place::new(&[(name, &bytes)]);
        let (about, err) = place.added(&[name]);
        assert!(about["crawled"] == 2 && !err.contains("warning"), "{err}");
    }
}

#[test]
fn what_is_ordinary_is_no_damage_and_explains_that_there_are_no_pages() {
    let error = answer("http://c.org/1", "404 Not Found", "");
    let place = Place::new(&[("errors.warc", &error)]);
    let err = place.failed(&["errors.warc"]);
    assert!(err.contains("no page was crawled: 1 file was read; answers without a page (status): 1"), "{err}");
    place.write("both.warc", &[error, answer("http://c.org/2", "200 OK", "<a href='mailto:x'>x</a>")].concat());
    let (about, err) = place.added(&["both.warc"]);
    assert_eq!(
        (&about["left_out"]["answers without a page (status)"], &about["skipped"]),
        (&1.into(), &serde_json::json!({}))
    );
    assert!(err.contains("left out, as in every crawl") && !err.contains("warning"), "{err}");
}

#[test]
fn archives_and_tables_make_one_crawl() {
    let record = answer("http://c.org/", "200 OK", "<html><title>c</title><a href='/d'>d</a></html>");
    let place = tables();
    place.write("c.warc.gz", &gzip(&record));
    place.write("warc-by-content", &gzip(&record));
    let (about, err) = place.added(&["c.warc.gz", "warc-by-content", "crawl"]);
    assert_eq!((&about["crawled"], &about["links"]), (&3.into(), &3.into()), "{err}");
}

#[test]
fn an_add_that_failed_goes_on_where_it_was() {
    let place = tables();
    let links = gzip(LINKS.repeat(1000).as_bytes());
    place.write("links.tsv.gz", &links[..links.len() / 2]);
    let arguments = ["--pages", "crawl/pages.tsv", "--links", "links.tsv.gz"];
    let err = place.failed(&arguments);
    assert!(err.contains("links.tsv.gz` beyond line") && err.contains("hint: is the file whole?"), "{err}");
    place.write("links.tsv.gz", &links);
    let (about, err) = place.added(&arguments);
    assert!(err.contains("went on where this was interrupted: 1 file read before"), "{err}");
    assert_eq!((&about["crawled"], &about["links"]), (&2.into(), &2.into()));
}

#[test]
fn times_that_are_odd_are_told() {
    let place = tables();
    place.added(&["crawl"]);
    let (code, _, err) = place.add(&["crawl"]);
    assert!(code == 2 && err.contains("there is a snapshot of") && err.contains("hint: "), "{err}");
    let (code, _, err) = place.run(&["snapshot", "add", "s", "--at", "2019", "crawl"]);
    assert!(code == 0 && err.contains("the series has later snapshots, up to 2020-01-01T00:00:00Z"), "{err}");
    let (code, _, err) = place.run(&["snapshot", "add", "s", "--at", "2999", "crawl"]);
    assert!(code == 0 && err.contains("warning: 2999-01-01T00:00:00Z is in the future"), "{err}");
    let (code, _, err) = place.run(&["snapshot", "add", "s", "--at", "1960", "crawl"]);
    assert!(code == 0 && err.contains("warning: 1960-01-01T00:00:00Z is before there was a web"), "{err}");
    assert_eq!(place.run(&["snapshot", "add", "s", "--at", "soon", "crawl"]).0, 2);
}

#[test]
fn without_a_crawl_nothing_is_made() {
    let place = tables();
    std::fs::create_dir(place.path("empty")).unwrap();
    assert!(place.failed(&["empty"]).contains("there is no crawl in what was named\nhint: "));
    assert!(place.failed(&["--links", "crawl/links.tsv"]).contains("nothing says which pages were crawled\nhint: "));
    assert!(place.failed(&["missing"]).contains("cannot open `missing`"));
    place.write("none.tsv", b"url\tcrawled\nhttps://a.org/\t0\n");
    assert!(
        place
            .failed(&["--pages", "none.tsv", "--links", "crawl/links.tsv"])
            .contains("no page was crawled: 2 files were read; ")
    );
    assert_eq!(place.add(&[]).0, 2);
    let (code, _, err) = place.run(&["snapshot", "add", "../s", "--at", "2020", "crawl"]);
    assert!(code == 2 && err.contains("no name for a series"), "{err}");
}

#[test]
fn hostile_tables_are_errors_and_leave_nothing() {
    let place = tables();
    let parquet = b"PAR1 and then nothing of the kind PAR1";
    let packed = gzip(&PAGES.repeat(1000).into_bytes());
    let hostile: [(&str, &[u8], &str); 6] = [
        ("columns.tsv", b"address\tage\n", "its columns are `address`, `age`\nhint: "),
        ("hosts.txt", b"0\tcom.example\n", "graph of hosts or domains"),
        ("torn.tsv.gz", &packed[..packed.len() - 9], "hint: is the file whole?"),
        ("torn.parquet", parquet, "as Parquet"),
        ("empty.csv", b"", "it has no row of names"),
        ("nul.tsv", b"\0\0\0\0\0\0\0\0", "its columns are"),
    ];
    for (name, bytes, told) in hostile {
        place.write(name, bytes);
        let err = place.failed(&["--pages", name, "--links", "crawl/links.tsv"]);
        assert!(err.contains(told) && err.contains(name), "{name}: {err}");
    }
}

#[test]
fn hostile_rows_are_counted_by_reason() {
    let long = "x".repeat(1 << 20);
    let pages =
        format!("{PAGES}https://{long}/\t1\t\t\nhttps://a.org/\n\t1\t\t\nmailto:x\t1\t\t\nhttps://d.org/\t7\t\t\n");
    let place = Place::new(&[
        ("pages.tsv", &[pages.as_bytes(), b"https://\xff/\t1\t\t\nhttps://e.org/\t1\tnever\t\n"].concat()),
        ("links.tsv", LINKS.as_bytes()),
    ]);
    let (about, _) = place.added(&["."]);
    assert_eq!(about["crawled"], 3);
    let skipped = about["skipped"].as_object().unwrap();
    assert_eq!(skipped.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 7, "{skipped:?}");
    assert_eq!(skipped.len(), 7, "{skipped:?}");
}

#[test]
fn nothing_but_the_summary_goes_to_stdout() {
    let place = tables();
    let (code, out, err) = place.add(&["crawl", "--quiet"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.lines().all(|line| line.split_whitespace().last().unwrap().parse::<f64>().is_ok()), "{out}");
    assert!(Path::new(&place.path("data/graph/s/20200101000000/snapshot.json")).exists());
}
