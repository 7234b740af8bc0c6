//! Are the versions of a page that a browser fetched compared as the browser made them?

use std::path::Path;
use std::process::Command;

use driftline_archive::capture::{Capture, Content, Exchange};
use driftline_archive::{Archive, Time};

const PAGE: &str = "http://example.org/";

fn run(data: &Path, arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("driftline"));
    command.env_remove("DRIFTLINE_DATA").env_remove("DRIFTLINE_CATALOG");
    let output = command.args(arguments).arg("--data").arg(data).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// The captures of a check: the page as it came, and what the browser made of it.
fn captures(number: usize, says: &str, made: Option<&str>) -> Vec<Capture> {
    let at: Time = format!("2024-01-{:02}T12:00:00Z", number + 1).parse().unwrap();
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec();
    let body = format!("<html><body><p>{says}</p></body></html>").into_bytes();
    let page = Content::Http(Exchange { head, body, ..Exchange::default() });
    let made = made.map(|made| {
        let body = format!("<html><body><p>{made}</p></body></html>").into_bytes();
        (format!("urn:dom:{PAGE}"), Content::Resource { content_type: "text/html".to_owned(), body })
    });
    let captures = [Some((PAGE.to_owned(), page)), made].into_iter().flatten();
    captures.map(|(url, content)| Capture { url, at, content, metadata: Vec::new() }).collect()
}

/// An archive with two versions of a page in which the visitors differ, and the price too if it is `other`.
fn of_visitors(other: u32) -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(data.path()).unwrap();
    for (number, (price, visitors)) in [(5, 31), (other, 72)].into_iter().enumerate() {
        let made = format!("<b id=price>{price} euros</b> after <i>{visitors} visitors</i>");
        archive.append_all(&captures(number, "loading", Some(&made))).unwrap();
    }
    archive.close().unwrap();
    data
}

#[test]
fn issue_16_versions_of_a_watched_page_are_compared_in_the_zone_of_its_watch() {
    let [first, latest] = ["first", "latest"].map(|when| format!("{PAGE}@{when}"));
    for (other, expected) in [(5, 0), (7, 1)] {
        let data = of_visitors(other);
        let diff = |more: &[&str]| run(data.path(), &[&["diff", first.as_str(), latest.as_str()], more].concat());
        assert_eq!(diff(&[]).2, 1, "no watch says what counts");
        let watch = ["watch", "add", PAGE, "--id", "shop", "--fetch", "browser", "--zone", "#price", "--no-fetch"];
        assert_eq!(run(data.path(), &watch).2, 0);
        let (out, err, code) = diff(&[]);
        assert!(code == expected && !out.contains("visitors"), "{out}");
        assert!(
            err.contains(
                "compared in the zone of the watch `shop`, without what it ignores; `--received` compares all"
            ),
            "{err}"
        );
        assert_eq!(diff(&["--zone", "i"]).2, 1, "what is typed decides");
        let (out, err, code) = diff(&["--received"]);
        assert!(code == 0 && !err.contains("the watch"), "{out}{err}");
        let other = ["watch", "add", PAGE, "--id", "more", "--zone", "i", "--no-fetch"];
        assert_eq!(run(data.path(), &other).2, 0);
        let (out, err, code) = diff(&[]);
        assert!(code == 1 && err.contains("watches of `http://example.org/` compare different parts"), "{out}{err}");
    }
}

#[test]
fn watches_that_cannot_be_read_are_a_warning_of_a_diff_of_their_page() {
    let [first, latest] = ["first", "latest"].map(|when| format!("{PAGE}@{when}"));
    let data = of_visitors(7);
    let watch = ["watch", "add", PAGE, "--id", "shop", "--fetch", "browser", "--zone", "#price", "--no-fetch"];
    assert_eq!(run(data.path(), &watch).2, 0);
    std::fs::write(data.path().join("watches/watches.toml"), "[[watch]]\nurls = 5\n").unwrap();
    let (out, err, code) = run(data.path(), &["diff", &first, &latest]);
    assert!(code == 1 && out.contains("visitors"), "{out}{err}");
    assert!(err.contains("warning: it is not known what the watches of `http://example.org/` compare"), "{err}");
}

#[test]
fn issue_16_the_versions_of_a_browser_watch_are_compared_as_the_browser_made_them() {
    let data = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(data.path()).unwrap();
    for (number, made) in ["the price is 5", "the price is 7"].into_iter().enumerate() {
        archive.append_all(&captures(number, "loading", Some(made))).unwrap();
    }
    archive.append_all(&captures(2, "no scripts any more", None)).unwrap();
    archive.close().unwrap();
    let [first, second, latest] = ["first", "=20240102120000", "latest"].map(|when| format!("{PAGE}@{when}"));
    let (out, _, code) = run(data.path(), &["diff", &first, &second]);
    assert!(code == 1 && out.contains('5') && out.contains('7'), "{out}");
    let (out, _, code) = run(data.path(), &["diff", &first, &second, "--received"]);
    assert_eq!(code, 0, "{out}");
    let (out, err, code) = run(data.path(), &["diff", &first, &latest]);
    assert!(code == 1 && out.contains("loading"), "{out}");
    assert!(err.contains("warning: only one of the versions was kept as a browser made it"), "{err}");
}
