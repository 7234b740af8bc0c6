//! `driftline diff` on feeds.

use std::fs;

use assert_cmd::Command;

fn rss(items: &[(&str, &str)]) -> String {
    let item = |(title, text): &(&str, &str)| {
        format!("<item><guid>{title}</guid><title>{title}</title><description>{text}</description></item>")
    };
    let items = items.iter().map(item).collect::<Vec<_>>().concat();
    format!("<?xml version='1.0'?><rss version='2.0'><channel><title>c</title>{items}</channel></rss>")
}

struct Feeds {
    folder: tempfile::TempDir,
}

impl Feeds {
    fn new(older: &str, newer: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("old.xml"), older).unwrap();
        fs::write(folder.path().join("new.xml"), newer).unwrap();
        Self { folder }
    }

    fn diff(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("driftline").expect("the binary is built with its tests");
        command.current_dir(self.folder.path()).arg("diff").args(arguments).args(["old.xml", "new.xml"]);
        command
    }

    /// What goes to stdout and to stderr.
    fn output(&self, arguments: &[&str]) -> (String, String) {
        let output = self.diff(arguments).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    }
}

#[test]
fn feeds_are_compared_item_by_item() {
    let older = rss(&[("b", "Open to five."), ("a", "Old.")]);
    let newer = rss(&[("c", "New."), ("b", "Open to six.")]);
    let feeds = Feeds::new(&older, &newer);
    feeds.diff(&[]).assert().code(1);
    insta::assert_snapshot!(feeds.output(&["--width", "80"]).0, @"
    old.xml → new.xml
    1 item added, 1 modified, 1 removed

    [~replaced~]{~by~}

    + c

    ~ b
        25 % changed: 1 word replaced
          b
        ~ Open to [~five~]{~six~}.

    - a
    ");
    let rebuilt = older.replace("<title>c</title>", "<lastBuildDate>now</lastBuildDate>");
    Feeds::new(&older, &rebuilt).diff(&[]).assert().code(0);
}

#[test]
fn the_type_decides_how_feeds_are_compared() {
    let feeds = Feeds::new(&rss(&[("a", "one")]), &rss(&[("a", "two")]));
    let json = |arguments: &[&str]| -> serde_json::Value { serde_json::from_str(&feeds.output(arguments).0).unwrap() };
    assert_eq!(json(&["--json"])["type"], "feed");
    assert_eq!(json(&["--json", "--type", "feed"])["counts"]["modified"], 1);
    assert!(json(&["--json", "--type", "xml"])["edits"].is_array());
    assert!(feeds.output(&["--format", "html"]).0.contains("1 item modified"));
}

#[test]
fn broken_feeds_and_pages_are_read_with_a_warning() {
    let whole = rss(&[("a", "one"), ("b", "two")]);
    let (_, warning) = Feeds::new(&whole, &whole[..whole.len() - 40]).output(&[]);
    assert!(warning.contains("warning: `new.xml` is broken or unusual"), "{warning}");
    let (shown, warning) = Feeds::new(&whole, "<!doctype html><p>Sorry").output(&["--type", "feed"]);
    assert!(shown.contains("2 items removed") && warning.contains("`new.xml` is not a feed"), "{shown}{warning}");
}

#[test]
fn what_does_not_work_on_feeds_is_refused_with_a_cure() {
    let feed = rss(&[("a", "one")]);
    for arguments in [&["--side-by-side"][..], &["--metrics"], &["--format", "unified"], &["--zone", "p"]] {
        let feeds = Feeds::new(&feed, &feed);
        let (_, complaint) = feeds.output(arguments);
        assert!(complaint.contains("does not work on feeds\nhint: `--type xml`"), "{complaint}");
        feeds.diff(arguments).assert().code(2);
    }
}
