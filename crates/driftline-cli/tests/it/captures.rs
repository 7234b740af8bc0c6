//! `driftline diff URL@TIME URL@TIME` and `driftline archive cdxj` as people use them.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use driftline_testkit::data::{shared, subset};

struct Crawl {
    folder: tempfile::TempDir,
}

fn response(url: &str, date: &str, status: u16, text: &str) -> String {
    let body = format!("HTTP/1.1 {status} X\r\nContent-Type: text/html; charset=windows-1252\r\n\r\n<p>{text}</p>");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
}

impl Crawl {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let first = response("http://example.org/", "2019-02-01T00:00:00Z", 200, "Open from nine to five")
            + &response("http://example.org/@home", "2019-02-01T00:00:00Z", 200, "At home");
        let second = response("https://example.org/", "2024-02-01T00:00:00Z", 200, "Open from nine to six")
            + &response("http://example.org/gone", "2024-02-01T00:00:00Z", 404, "Gone");
        fs::write(folder.path().join("2019.warc"), first).unwrap();
        fs::write(folder.path().join("2024.warc"), second + "WARC/1.0\r\nnonsense\r\n").unwrap();
        Self { folder }
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::cargo_bin("driftline").expect("the binary is built with its tests");
        let output = command.current_dir(self.folder.path()).args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn diff(&self, old: &str, new: &str) -> (i32, String, String) {
        self.run(&["diff", old, new, "--warc", "2019.warc", "2024.warc"])
    }
}

#[test]
fn captures_are_compared_without_an_import() {
    let crawl = Crawl::new();
    let (code, shown, _) = crawl.diff("http://example.org/@2019", "http://example.org/@2024");
    assert_eq!(code, 1);
    for part in ["http://example.org/@20190201000000", "https://example.org/@20240201000000", "[~five~]{~six~}"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let (code, ..) = crawl.diff("http://example.org/@=20190201000000", "http://www.example.org@first");
    assert_eq!(code, 0);
}

#[test]
fn warc_before_the_two_urls_does_not_swallow_them() {
    let crawl = Crawl::new();
    fs::write(crawl.folder.path().join("now.html"), "<p>Open from nine to six</p>").unwrap();
    let (old, new) = ("http://example.org/@2019", "http://example.org/@2024");
    for arguments in [
        &["--warc", "2019.warc", "--warc", "2024.warc", old, new][..],
        &["--warc", "2019.warc", "2024.warc", old, new],
        &["--warc", "2019.warc", old, "--warc=2024.warc", new],
        &[old, "--warc", "2019.warc", "2024.warc", new],
        &[old, new, "--warc", "2019.warc", "2024.warc", "--regions", "0"],
        &["--warc", ".", old, "now.html"],
        &[old, "now.html", "--warc", "2019.warc", "2024.warc"],
    ] {
        let (code, shown, said) = crawl.run(&[&["diff"], arguments].concat());
        let expected = "http://example.org/@20190201000000 → ";
        assert!(code == 1 && shown.starts_with(expected) && shown.contains("[~five~]{~six~}"), "{arguments:?} {said}");
    }
    for (arguments, expected) in [
        (&["--warc", "2019.warc", "2024.warc", "now.html", old][..], "hint: write `--warc` before each of its files"),
        (&["now.html", "now.html", "now.html"], "`now.html` is one operand too many: two versions are compared"),
    ] {
        let (code, _, said) = crawl.run(&[&["diff"], arguments].concat());
        assert!(code == 2 && said.contains(expected), "{arguments:?} {said}");
    }
}

#[test]
fn captures_that_were_imported_are_compared() {
    compare_imported(&subset());
}

#[test]
#[ignore = "needs the shared data"]
fn captures_that_were_imported_are_compared_on_the_shared_data() {
    compare_imported(&shared());
}

fn compare_imported(data: &Path) {
    let crawl = Crawl::new();
    let real = data.join("warc/files/webarchive-commons__IAH-urls-wget.warc.gz");
    let (code, _, said) =
        crawl.run(&["archive", "import", "--data", "data", real.to_str().unwrap(), "2019.warc", "2024.warc"]);
    assert_eq!(code, 0, "{said}");
    let diff = |old, new| crawl.run(&["diff", "--json", old, new, "--data", "data"]);
    let of_files = |old, new| crawl.run(&["diff", "--json", old, new, "--warc", real.to_str().unwrap()]);
    let (old, new) = ("https://archive.org/@=20131021215309", "http://www.archive.org/@latest");
    let (code, shown, said) = diff(old, new);
    assert!(code < 2 && shown.contains("20131021215312"), "{shown} {said}");
    let expected = of_files(old, new);
    assert_eq!((code, shown), (expected.0, expected.1), "the archive and the file say the same");
    assert_eq!(diff("http://archive.org/@latest", new).0, 0);
    let (code, shown, said) =
        crawl.run(&["diff", "http://example.org/@2019", "http://example.org/@latest", "--data", "data"]);
    assert!(code == 1 && shown.contains("[~five~]{~six~}"), "{shown} {said}");
    let (code, _, said) = diff("http://example.org/nothing@2019", new);
    assert!(code == 2 && said.contains("http://example.org/nothing"), "{said}");
}

#[test]
fn a_capture_and_a_file_are_compared() {
    let crawl = Crawl::new();
    fs::write(crawl.folder.path().join("now.html"), "<p>Open from nine to six</p>").unwrap();
    assert_eq!(crawl.diff("http://example.org/@latest", "now.html").0, 0);
    let (code, _, said) = crawl.diff("now.html", "now.html");
    assert_eq!((code, said.contains("hint: write OLD or NEW as URL@TIME")), (2, true), "{said}");
}

#[test]
fn a_sign_in_the_address_belongs_to_it() {
    let crawl = Crawl::new();
    assert_eq!(crawl.diff("http://example.org/@home@2019", "http://user@example.org/@home@latest").0, 0);
    let (code, _, said) = crawl.diff("http://example.org/@home", "http://example.org/@first");
    assert_eq!((code, said.contains("`home` is no time")), (2, true), "{said}");
    let (code, _, said) = crawl.diff("http://user@example.org/", "http://example.org/@first");
    assert_eq!((code, said.contains("does not say when")), (2, true), "{said}");
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let crawl = Crawl::new();
    for (address, expected) in [
        (
            "http://example.org/nothing@2019",
            "there is no capture of `http://example.org/nothing`\nhint: there are captures of `http://",
        ),
        (
            "http://example.org/@=2020",
            "the nearest is of 20190201000000\nhint: write `http://example.org/@=20190201000000`",
        ),
    ] {
        let (code, _, said) = crawl.diff(address, "http://example.org/@latest");
        assert!(code == 2 && said.contains(expected), "{said}");
    }
    let (code, _, said) = crawl.diff("http://example.org/gone@2024", "http://example.org/@latest");
    let told = "warning: no capture of `http://example.org/gone` is a page; the one of 20240201000000 is an error";
    assert!(code == 1 && said.contains(told), "{said}");
    let (code, _, said) = crawl.run(&["diff", "http://a.org/@2019", "http://a.org/@2020", "--data", "nowhere"]);
    assert!(code == 2 && said.contains("there is no archive") && said.contains("hint: `--warc FILE`"), "{said}");
}

#[test]
fn lines_are_printed_in_the_order_of_the_files_or_sorted() {
    let crawl = Crawl::new();
    let (code, lines, said) = crawl.run(&["archive", "cdxj", "2024.warc", "2019.warc"]);
    let keys = |lines: &str| lines.lines().map(|line| line.split(" {").next().unwrap().to_owned()).collect::<Vec<_>>();
    let expected = [
        "org,example)/ 20240201000000",
        "org,example)/gone 20240201000000",
        "org,example)/ 20190201000000",
        "org,example)/@home 20190201000000",
    ];
    assert_eq!((code, keys(&lines)), (0, expected.map(str::to_owned).to_vec()));
    assert!(said.contains("warning: `2024.warc`: ") && said.contains("skipped; 4 lines printed"), "{said}");
    let (_, sorted, _) = crawl.run(&["archive", "cdxj", "--sort", "."]);
    assert!(sorted.lines().is_sorted() && sorted.lines().count() == 4, "{sorted}");
    let (code, shown, _) = crawl.run(&["archive", "cdxj", "--sort", "-o", "index.cdxj", "2019.warc"]);
    let written = fs::read_to_string(crawl.folder.path().join("index.cdxj")).unwrap();
    assert_eq!((code, shown.as_str(), written.lines().count()), (0, "", 2));
    // Now the index tells where the captures of 2019 are.
    assert_eq!(
        crawl.run(&["diff", "http://example.org/@2019", "http://example.org/@latest", "--warc", "index.cdxj"]).0,
        0
    );
}

#[test]
fn what_is_no_archive_is_told() {
    let crawl = Crawl::new();
    fs::write(crawl.folder.path().join("a.cdx"), " CDX N b a\n").unwrap();
    let (code, _, said) = crawl.run(&["archive", "cdxj", "a.cdx"]);
    assert_eq!((code, said.contains("hint: an index (CDX, CDXJ) has lines already")), (2, true), "{said}");
    let (code, _, said) = crawl.run(&["archive", "cdxj", "nothing.warc"]);
    assert_eq!((code, said.contains("cannot open `nothing.warc`")), (2, true), "{said}");
}

#[test]
fn names_in_archives_do_not_command_the_terminal() {
    let crawl = Crawl::new();
    let line = r#"org,example)/ 20190201000000 {"url": "http://example.org/\u001b[2J", "status": "200", "offset": "0", "length": "9", "filename": "\u001b]0;gone\u0007.warc\nerror: all is lost"}"#;
    fs::write(crawl.folder.path().join("bad.cdxj"), format!("{line}\n")).unwrap();
    let hostile = ["http://example.org/\u{1b}[31m@2019", "http://example.org/@2019"];
    for [old, new] in [hostile, [hostile[1], hostile[1]]] {
        let (code, shown, said) = crawl.run(&["diff", old, new, "--warc", "bad.cdxj"]);
        assert_eq!(code, 2, "{shown}{said}");
        let is_harmless = |char: char| char == '\n' || !char.is_control();
        assert!(said.contains('\u{fffd}') && said.chars().all(is_harmless), "{said:?}");
        assert!(!said.contains("\nerror: all"), "{said}");
    }
    let (_, _, said) = crawl.run(&["archive", "import", "bad.cdxj", "--data", "data"]);
    assert!(!said.contains('\u{1b}'), "{said:?}");
}
