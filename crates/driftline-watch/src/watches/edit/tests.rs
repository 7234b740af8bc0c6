//! Does a person's file stay a person's file?

use std::collections::BTreeSet;
use std::path::Path;

use toml::Value;

use super::{Assignment, Editor, NewWatch, Watches};

const BEFORE: &str = "# my watches\n\n[defaults]\nschedule = \"1h\" # not too often\n\n[[watch]]\nurl = \"https://a.example\" # the first\n\
                      fetch = \"browser\"\n\n# two is a feed\n[[watch]]\nkind='feed'\nurl   = 'https://b.example/feed'\nid = \"b\"\n";

fn folder(text: &str) -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    std::fs::create_dir(data.path().join("watches")).unwrap();
    std::fs::write(data.path().join("watches/mine.toml"), text).unwrap();
    data
}

fn text(data: &Path, file: &str) -> String {
    std::fs::read_to_string(data.join("watches").join(file)).unwrap()
}

fn set(key: &str, value: impl Into<Value>) -> Assignment {
    Assignment { key: key.to_owned(), value: Some(value.into()) }
}

fn new(url: &str, said: &[Assignment]) -> NewWatch {
    NewWatch { url: url.to_owned(), said: said.to_vec() }
}

fn unset(key: &str) -> Assignment {
    Assignment { key: key.to_owned(), value: None }
}

#[test]
fn comments_and_order_stay() {
    let (data, none) = (folder(BEFORE), BTreeSet::new());
    let editor = Editor::open(data.path(), &none).unwrap();
    editor.set("b", &[set("paused", true), set("counts.degree", 0.25)]).unwrap();
    let expected = format!("{BEFORE}paused = true\ncounts = {{ degree = 0.25 }}\n");
    assert_eq!(text(data.path(), "mine.toml"), expected);
    editor.set("b", &[unset("paused"), unset("counts"), unset("fetch.timeout")]).unwrap();
    assert_eq!(text(data.path(), "mine.toml"), BEFORE);
}

#[test]
fn a_watch_keeps_its_id_when_its_address_changes() {
    let (data, none) = (folder(BEFORE), BTreeSet::new());
    let first = Watches::read(data.path(), &none).unwrap().iter().next().unwrap().id.to_string();
    let editor = Editor::open(data.path(), &none).unwrap();
    editor.set(&first, &[set("url", "https://c.example/"), set("fetch.ignore-robots", true)]).unwrap();
    let now = text(data.path(), "mine.toml");
    assert!(now.contains("url = \"https://c.example/\" # the first"), "{now}");
    assert!(now.contains("fetch = { with = \"browser\", ignore-robots = true }"), "{now}");
    assert_eq!(Watches::read(data.path(), &none).unwrap().get(&first).unwrap().url.as_ref(), "https://c.example/");
}

#[test]
fn what_cannot_be_used_changes_nothing() {
    let (data, none) = (folder(BEFORE), BTreeSet::new());
    let editor = Editor::open(data.path(), &none).unwrap();
    for (assignment, told) in [
        (set("zone", vec!["a:hover"]), "cannot read the selector"),
        (set("targets", vec!["me"]), "there is no target `me`"),
        (set("zone.x", true), "expected a list"),
        (set("url.x", true), "`url` is no table"),
        (set("colour", "red"), "unknown key `colour`"),
        (unset("url"), "no `url`"),
    ] {
        let error = editor.set("b", &[assignment]).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
    let error = editor.add_said(&[new("https://b.example/feed", &[set("id", "b")])]).unwrap_err();
    assert!(error.to_string().starts_with("`b` is watched already: "), "{error}");
    assert!(error.to_string().contains("mine.toml`, line 11\n"), "where it stands, not where it would: {error}");
    assert_eq!(text(data.path(), "mine.toml"), BEFORE);
    assert!(!data.path().join("watches/watches.toml").exists());
}

#[test]
fn watches_are_added_and_removed() {
    let (data, none) = (folder(BEFORE), BTreeSet::new());
    let editor = Editor::open(data.path(), &none).unwrap();
    let both = ["https://x.example", "https://y.example"].map(|url| new(url, &[set("tags", vec!["new"])]));
    assert_eq!(editor.preview(&both).unwrap()[1].settings.tags, ["new"]);
    assert!(!data.path().join("watches/watches.toml").exists(), "nothing is written yet");
    let ids = editor.add_said(&both).unwrap();
    let watches = Watches::read(data.path(), &none).unwrap();
    assert_eq!(watches.len(), 4);
    assert!(text(data.path(), "watches.toml").starts_with(super::add::OPENING));
    assert_eq!(watches.of_tag("new").map(|watch| watch.id.to_string()).collect::<Vec<_>>(), ids);
    for id in &ids {
        editor.remove(id).unwrap();
    }
    assert_eq!(text(data.path(), "watches.toml").trim(), super::add::OPENING.trim());
    editor.remove("b").unwrap();
    let left = text(data.path(), "mine.toml");
    assert!(left.contains("# the first") && !left.contains("b.example") && !left.contains("# two"), "{left}");
    editor.remove(&Watches::read(data.path(), &none).unwrap().iter().next().unwrap().id).unwrap();
    let left = text(data.path(), "mine.toml");
    assert!(left.contains("# my watches") && left.contains("schedule = \"1h\" # not too often"), "{left}");
}

#[test]
fn what_is_added_has_the_defaults_of_its_file() {
    let (data, none) = (folder(BEFORE), BTreeSet::new());
    let editor = Editor::open(data.path(), &none).unwrap();
    std::fs::write(data.path().join("watches/pages.txt"), "https://x.example/\n").unwrap();
    for defaults in ["[defaults]\nkind = \"list\"\n", "defaults = { kind = \"list\" }\n", "defaults.kind = \"list\"\n"]
    {
        std::fs::write(data.path().join("watches/watches.toml"), defaults).unwrap();
        let error = editor.add_said(&[new("https://y.example/", &[])]).unwrap_err().to_string();
        assert!(error.starts_with("cannot watch `https://y.example/`: the `url` of a list is the name"), "{error}");
        let ids = editor.add_said(&[new("pages.txt", &[set("id", "pages")])]).unwrap();
        assert_eq!(ids, ["pages"], "{defaults}");
        let watches = Watches::read(data.path(), &none).unwrap();
        assert!(watches.iter().any(|watch| watch.url.as_ref() == "https://x.example/"), "{defaults}");
    }
}

#[test]
fn defaults_that_are_wrong_are_told_by_their_line_and_not_by_the_address_to_be_added() {
    let (data, none) = (folder(BEFORE), BTreeSet::new());
    std::fs::write(data.path().join("watches/watches.toml"), "# mine\n[defaults]\ncolour = \"red\"\n").unwrap();
    let editor = Editor::open(data.path(), &none).unwrap();
    let error = editor.add_said(&[new("https://y.example/", &[])]).unwrap_err().to_string();
    assert!(error.contains("watches.toml`, line 3: ") && error.contains("`colour`"), "{error}");
}

#[test]
fn a_password_in_an_address_that_cannot_be_added_is_not_told() {
    let (data, none) = (folder(BEFORE), BTreeSet::new());
    let editor = Editor::open(data.path(), &none).unwrap();
    for (url, shown) in [
        ("https://me:s3cr3t@a.example/", "https://a.example/"),
        ("https://me:s3cr3t@a.example:99999/", "https://a.example:99999/"),
        ("me:s3cr3t@a.example", "a.example"),
    ] {
        let error = editor.add_said(&[new(url, &[])]).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot watch `{shown}`: ")) && !error.contains("s3cr3t"), "{error}");
    }
}

#[test]
fn an_entry_can_be_written_anew() {
    let (data, none) = (folder(BEFORE), BTreeSet::new());
    let editor = Editor::open(data.path(), &none).unwrap();
    let entry = editor.entry("b").unwrap();
    assert_eq!(entry, "# two is a feed\n[[watch]]\nkind='feed'\nurl   = 'https://b.example/feed'\nid = \"b\"\n");
    editor.rewrite("b", &entry.replace("id = \"b\"", "tags = ['x']")).unwrap();
    let now = text(data.path(), "mine.toml");
    assert!(now.contains("# two is a feed\n[[watch]]") && now.contains("tags = ['x']\nid = \"b\""), "{now}");
    for wrong in
        ["", "[[watch]]\nurl='https://a.example'\n[[watch]]\nurl='https://z.example'", "a = 1\n[[watch]]\nurl=''"]
    {
        assert!(editor.rewrite("b", wrong).is_err(), "{wrong}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_and_its_permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let (data, none) = (folder(""), BTreeSet::new());
    let real = data.path().join("kept-in-git.toml");
    std::fs::write(&real, BEFORE).unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&real, data.path().join("watches/linked.toml")).unwrap();
    Editor::open(data.path(), &none).unwrap().set("b", &[set("paused", true)]).unwrap();
    assert!(std::fs::read_to_string(&real).unwrap().contains("paused = true"));
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    assert!(data.path().join("watches/linked.toml").is_symlink());
}
