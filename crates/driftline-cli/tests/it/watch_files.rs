//! Do `watch add`, `list`, `show`, `edit`, `remove`, `import` and `export` keep a person's files, and their secrets?

use std::path::Path;

use assert_cmd::Command;
use driftline_archive::{Archive, Time};
use driftline_catalog::{Record, Watch, WatchState};

fn driftline(data: &Path, arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::cargo_bin("driftline").unwrap();
    command.env_remove("DRIFTLINE_DATA").env_remove("DRIFTLINE_CATALOG").env_remove("VISUAL").env_remove("EDITOR");
    // These tests are about files; `serve` has the ones that fetch.
    let no_fetch = (arguments[0] == "add").then_some("--no-fetch");
    let output = command.arg("watch").args(arguments).args(no_fetch).arg("--data").arg(data).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn done(data: &Path, arguments: &[&str]) -> String {
    let (out, told, code) = driftline(data, arguments);
    assert_eq!((told.as_str(), code), ("", 0), "{arguments:?}");
    out
}

fn refused(data: &Path, arguments: &[&str]) -> String {
    let (out, told, code) = driftline(data, arguments);
    assert_eq!((out.as_str(), code), ("", 2), "{arguments:?}: {told}");
    told
}

fn file(data: &Path) -> String {
    std::fs::read_to_string(data.join("watches/watches.toml")).unwrap()
}

#[expect(clippy::too_many_lines, reason = "all that can be said is long")]
#[test]
fn everything_that_can_be_said_is_written() {
    let data = tempfile::tempdir().unwrap();
    let out = done(
        data.path(),
        &[
            "add",
            "https://example.org",
            "--name",
            "Example",
            "--tag",
            "a",
            "--tag",
            "b",
            "--schedule",
            "30m",
            "--window",
            "mon-fri 08:00-18:00",
            "--time-zone",
            "Europe/Paris",
            "--zone",
            "main",
            "--ignore",
            ".ad",
            "--normalise",
            "case,dates",
            "--paused",
            "--note",
            "a shop",
            "--hold",
            "1m",
            "--keep",
            "checks",
            "--degree",
            "0.1",
            "--importance",
            "0.2",
            "--operation",
            "add,drop",
            "--trigger",
            "sold",
            "--contains",
            "stock",
            "--not-contains",
            "error",
            "--ignore-text",
            "(?i)ad",
            "--ignore-lines",
            "visitor",
            "--only-text",
            "[0-9]+",
            "--only-lines",
            "price",
            "--only",
            "added",
            "--fetch",
            "browser",
            "--header",
            "X-A: b: c",
            "--cookie",
            "k=v",
            "--proxy",
            "none",
            "--basic",
            "me:env:PASSWORD",
            "--ignore-robots",
            "--timeout",
            "20s",
            "--most-bytes",
            "1000",
            "--wait-for",
            "#content",
            "--wait",
            "2s",
            "--wait-idle",
        ],
    );
    assert_eq!(out, "mb2nfa325uh4\n");
    insta::assert_snapshot!(file(data.path()), @r##"
    # What is watched. `driftline watch add` writes here; edit it as you like.

    [[watch]]
    url = "https://example.org"
    name = "Example"
    tags = ["a", "b"]
    schedule = { every = "30m", windows = ["mon-fri 08:00-18:00"], zone = "Europe/Paris" }
    zone = ["main"]
    ignore = [".ad"]
    normalise = ["case", "dates"]
    paused = true
    note = "a shop"
    hold = "1m"
    keep = "checks"
    counts = { degree = 0.1, importance = 0.2, operations = ["add", "drop"], trigger = ["sold"], contains = ["stock"], not-contains = ["error"], ignore-text = ["(?i)ad"], ignore-lines = ["visitor"], only-text = ["[0-9]+"], only-lines = ["price"], only = "added" }
    fetch = { headers = { X-A = "b: c" }, cookies = { k = "v" }, proxy = "none", auth = { basic = { password = "env:PASSWORD", user = "me" } }, ignore-robots = true, timeout = "20s", most-bytes = 1000, wait = { selector = "#content", extra = "2s", idle = true }, with = "browser" }
    "##);
}

#[test]
fn what_is_wrong_adds_nothing() {
    let data = tempfile::tempdir().unwrap();
    for (arguments, told) in [
        (&["add", "nonsense"][..], "an address begins with"),
        (&["add", "https://a.example", "--target", "me"], "there is no target `me`"),
        (&["add", "https://a.example", "--degree", "3"], "from 0 to 1"),
        (&["add", "https://a.example", "--trigger", "("], "unclosed group"),
        (&["add", "https://a.example", "--header", "s3cr3t"], "headers are `Name: value`"),
        (&["add", "https://a.example", "https://a.example/"], "there are two watches"),
        (&["add", "https://a.example", "https://b.example", "--id", "x"], "`--id` names one watch"),
        (&["add", "https://a.example", "--only", "both"], "expected `added` or `removed`"),
        (&["add", "missing.txt", "--list"], "cannot read"),
        (&["remove", "nothing"], "there is no watch `nothing`"),
        (&["edit", "nothing", "--paused"], "there is no watch"),
        (&["show", "nothing"], "there is no watch"),
    ] {
        let error = refused(data.path(), arguments);
        assert!(error.contains(told) && !error.contains("s3cr3t"), "{error}");
    }
    assert!(!data.path().join("watches/watches.toml").exists());
}

#[test]
fn a_bare_domain_is_watched_over_https() {
    let data = tempfile::tempdir().unwrap();
    done(data.path(), &["add", "example.org/prices", "--id", "a"]);
    done(data.path(), &["add", "localhost:8000", "--id", "b", "--json"]);
    done(data.path(), &["edit", "b", "--url", "example.com:8443"]);
    let file = file(data.path());
    assert!(file.contains("url = \"https://example.org/prices\"\n"), "{file}");
    assert!(file.contains("url = \"https://example.com:8443\"\n"), "{file}");
    let error = refused(data.path(), &["add", "Cargo.toml"]);
    assert!(error.contains("`Cargo.toml` is a file") && error.contains("watch import Cargo.toml"), "{error}");
}

#[test]
fn a_wrong_address_is_told_as_it_was_typed_and_not_as_a_line_of_a_file() {
    let data = tempfile::tempdir().unwrap();
    for (arguments, told) in [
        (
            &["add", "file:///x"][..],
            "error: cannot watch `file:///x`: `file:` is not watched\nhint: only `http:` and `https:` are\n",
        ),
        (&["add", "https://b.example", "nonsense"], "error: cannot watch `nonsense`: "),
        (
            &["add", "https://b.example", "--target", "me"],
            "error: cannot watch `https://b.example`: `targets`: there is no target `me`",
        ),
        (
            &["add", "https://me:s3cr3t@b.example"],
            "error: cannot watch `https://b.example`: a name and a password do not belong",
        ),
        (
            &["add", "https://me:s3cr3t@b.example:99999/"],
            "error: cannot watch `https://b.example:99999/`: `https://b.example:99999/` is not a valid address: ",
        ),
        (&["add", "https://b.example", "https://b.example/"], "error: there are two watches `"),
    ] {
        let error = refused(data.path(), arguments);
        assert!(error.starts_with(told) && !error.contains("watches.toml") && !error.contains("s3cr3t"), "{error}");
    }
    done(data.path(), &["add", "https://b.example", "--id", "b"]);
    let error = refused(data.path(), &["add", "https://c.example", "--id", "b"]);
    assert!(
        error.starts_with("error: `b` is watched already: `") && error.contains("watches.toml`, line 3\n"),
        "{error}"
    );
}

#[test]
fn whoever_asks_for_browser_is_told_of_fetch_browser() {
    let data = tempfile::tempdir().unwrap();
    for arguments in [&["add", "--browser", "https://a.example"][..], &["edit", "a", "--browser"]] {
        let error = refused(data.path(), arguments);
        assert!(error.contains("'--fetch browser'") && !error.contains("--bearer"), "{error}");
    }
}

#[test]
fn columns_of_a_list_stand_below_each_other_with_long_ids_too() {
    let data = tempfile::tempdir().unwrap();
    std::fs::create_dir(data.path().join("watches")).unwrap();
    let entries = "[[watch]]\nid = '00000000-0000-4000-8000-000000000001'\nurl = 'https://a.example/'\nschedule = '2h'\n\
                   [[watch]]\nid = 'short'\nurl = 'https://b.example/'\nschedule = '2h'\n";
    std::fs::write(data.path().join("watches/watches.toml"), entries).unwrap();
    let list = done(data.path(), &["list"]);
    let column = list.lines().next().unwrap().find("schedule").unwrap();
    assert!(list.lines().skip(1).all(|line| line[column..].starts_with("2h")), "{list}");
    assert_eq!(list.lines().count(), 3);
}

#[test]
fn a_watch_is_listed_with_how_it_is() {
    let data = tempfile::tempdir().unwrap();
    done(data.path(), &["add", "https://a.example", "--tag", "x", "--name", "\u{1b}[2JA"]);
    done(data.path(), &["add", "https://b.example", "--schedule", "1h"]);
    let id = done(data.path(), &["list", "--json", "--site", "b.example"]);
    let id: serde_json::Value = serde_json::from_str(&id).unwrap();
    let id = id["id"].as_str().unwrap().to_owned();
    let archive = Archive::open_at(data.path()).unwrap();
    let state = serde_json::json!({"format": 1, "failures": {"count": 3, "since": "2024-01-31T10:00:00Z", "why": "no answer in time", "told": true},
        "rate": {"checks": 12, "changes": 3, "bins": [[3600.0, 12.0, 3.0]]}});
    let (url, at) = ("https://b.example/".to_owned(), |text: &str| text.parse::<Time>().ok());
    let (title, tags, settings) = (String::new(), Vec::new(), serde_json::Value::Null);
    let watch = Watch { uuid: id.clone(), url, title, tags, settings, created: Time::default(), ..Watch::default() };
    let state = WatchState {
        next: at("2024-01-31T13:00:00Z"),
        checked: at("2024-01-31T12:00:00.5Z"),
        body: state,
        ..WatchState::default()
    };
    let record = Record { watch, state, change: None, events: Vec::new(), stream: None, members: None };
    archive.catalog().record(&[record]).unwrap();
    archive.close().unwrap();
    let list = done(data.path(), &["list"]);
    assert!(!list.contains('\u{1b}') && list.lines().count() == 3, "{list}");
    let failing = done(data.path(), &["list", "--failing"]);
    let line: Vec<&str> = failing.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(line, [&id, "1h", "2024-01-31T12:00:00Z", "2024-01-31T13:00:00Z", "-", "https://b.example/", "failing"]);
    assert_eq!(done(data.path(), &["list", "--tag", "x"]).lines().count(), 2);
    let shown = done(data.path(), &["show", "https://b.example/"]);
    for expected in [
        "changes every 3h39m (from 1h9m to 11h36m; 3 of 12 checks found a change)",
        "the last check failed; it is repeated after 1h",
        "failing    no answer in time",
        "watches.toml:",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    let shown: serde_json::Value = serde_json::from_str(&done(data.path(), &["show", &id[..5], "--json"])).unwrap();
    assert_eq!((&shown["settings"]["schedule"], &shown["rate"]["checks"]), (&"1h".into(), &12.into()));
}

#[test]
fn a_page_that_is_not_there_and_a_refusal_are_shown_before_they_are_events() {
    let data = tempfile::tempdir().unwrap();
    done(data.path(), &["add", "https://a.example", "--id", "a"]);
    let archive = Archive::open_at(data.path()).unwrap();
    let body = serde_json::json!({"format": 1, "limits": ["files"], "absence": {"count": 1, "since": "2024-01-31T10:00:00Z", "told": false},
        "failures": {"count": 1, "since": "2024-01-31T10:00:00Z", "why": "robots.txt of `a.example` does not allow it", "told": true},
        "rate": {"checks": 1, "changes": 1, "bins": [[1.0, 1.0, 1.0]]}});
    let (title, tags, settings) = (String::new(), Vec::new(), serde_json::Value::Null);
    let (uuid, url) = ("a".to_owned(), "https://a.example/".to_owned());
    let watch = Watch { uuid, url, title, tags, settings, created: Time::default(), ..Watch::default() };
    let state = WatchState { body, ..WatchState::default() };
    let record = Record { watch, state, change: None, events: Vec::new(), stream: None, members: None };
    archive.catalog().record(&[record]).unwrap();
    archive.close().unwrap();
    let list = done(data.path(), &["list"]);
    assert!(list.ends_with("  failing  absent since 2024-01-31T10:00:00Z\n"), "{list}");
    let shown = done(data.path(), &["show", "a"]);
    assert!(shown.contains("  absent     since 2024-01-31T10:00:00Z\n") && !shown.contains("inf"), "{shown}");
    assert!(shown.contains("hint: `ignore-robots = true`") && shown.contains("every minute or more often"), "{shown}");
    assert!(shown.contains("  limits     the list is not read completely: files\n"), "{shown}");
    let shown: serde_json::Value = serde_json::from_str(&done(data.path(), &["show", "a", "--json"])).unwrap();
    assert_eq!((&shown["absent"], &shown["limits"][0]), (&"2024-01-31T10:00:00Z".into(), &"files".into()));
}

#[test]
fn a_watch_that_was_never_checked_shows_its_schedule_and_its_next_time() {
    let data = tempfile::tempdir().unwrap();
    let shown = |id: &str, options: &[&str], expected: &[&str]| {
        done(data.path(), &[&["add", &format!("https://{id}.example"), "--id", id][..], options].concat());
        let shown = done(data.path(), &["show", id]);
        for text in expected.iter().chain(&["never checked\n"]) {
            assert!(shown.contains(text), "{text}: {shown}");
        }
        shown
    };
    let at_once = "next at once, as soon as `driftline serve` runs\n";
    let auto =
        "schedule `auto`: checked every 2h24m, when a change is 9.5 % likely: more often would find little more\n";
    shown("a", &[], &[at_once, "nothing is known yet; taken to change every 1d\n", auto]);
    shown("b", &["--schedule", "1h"], &[at_once, "checked every 1h, as its schedule says\n"]);
    let cron = "checked by its schedule, `*/5 * * * *`\n";
    shown("c", &["--schedule", "*/5 * * * *"], &[at_once, cron]);
    let paused = shown("d", &["--paused"], &[]);
    assert!(!paused.contains("next "), "{paused}");
}

#[test]
fn what_is_not_set_cannot_be_unset() {
    let data = tempfile::tempdir().unwrap();
    done(data.path(), &["add", "https://a.example", "--id", "a", "--degree", "0.1", "--tag", "x"]);
    let before = file(data.path());
    for key in ["nokey", "zone", "counts.importance", "counts.degree.more"] {
        let told = refused(data.path(), &["edit", "a", "--unset", key, "--unset", "tags"]);
        assert!(told.contains(&format!("does not set `{key}`\nhint: it sets `")), "{told}");
    }
    assert_eq!(file(data.path()), before);
    done(data.path(), &["edit", "a", "--unset", "counts.degree", "--unset", "tags"]);
    assert!(!file(data.path()).contains("degree"));
}

#[test]
fn secrets_are_neither_shown_nor_exported() {
    let data = tempfile::tempdir().unwrap();
    done(
        data.path(),
        &[
            "add",
            "https://a.example",
            "--header",
            "X-Token: s3cr3t",
            "--bearer",
            "s3cr3t",
            "--proxy",
            "http://u:s3cr3t@p:1",
        ],
    );
    for arguments in
        [&["list"][..], &["list", "--json"], &["show", "https://a.example"], &["show", "https://a.example", "--json"]]
    {
        assert!(!done(data.path(), arguments).contains("s3cr3t"), "{arguments:?}");
    }
    for format in ["toml", "json", "list", "urlwatch"] {
        let (out, told, code) = driftline(data.path(), &["export", "--format", format]);
        assert!(!out.contains("s3cr3t") && told.contains("of 1 watch were left out") && code == 0, "{out}{told}");
        assert_eq!(told.contains("hint: `--secrets`"), format != "list", "a list has no place for them: {told}");
    }
    assert!(driftline(data.path(), &["export", "--secrets"]).0.contains("s3cr3t"));
}

#[test]
fn what_is_sent_is_shown_by_its_name_and_never_by_its_value() {
    let data = tempfile::tempdir().unwrap();
    let secrets = ["--header", "X-Token: s3cr3t", "--cookie", "sid=s3cr3t", "--basic", "me:s3cr3t"];
    done(data.path(), &[&["add", "https://a.example", "--id", "a", "--proxy", "env:PROXY"], &secrets[..]].concat());
    let shown = done(data.path(), &["show", "a"]);
    for expected in [
        "X-Token = \"(not shown)\"",
        "sid = \"(not shown)\"",
        "password = \"(not shown)\"",
        "user = \"me\"",
        "proxy = \"env:PROXY\"",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    let json = done(data.path(), &["show", "a", "--json"]);
    let fetch = &serde_json::from_str::<serde_json::Value>(&json).unwrap()["settings"]["fetch"];
    assert_eq!(
        (&fetch["headers"]["X-Token"], &fetch["cookies"]["sid"]),
        (&"(not shown)".into(), &"(not shown)".into())
    );
    assert!(!shown.contains("s3cr3t") && !json.contains("s3cr3t"), "{shown}{json}");
}

#[cfg(unix)]
#[test]
fn an_editor_may_change_an_entry_but_not_break_it() {
    let data = tempfile::tempdir().unwrap();
    done(data.path(), &["add", "https://a.example", "--id", "a"]);
    let edit = |program: &str| {
        let mut command = Command::cargo_bin("driftline").unwrap();
        command.env("EDITOR", program).env_remove("VISUAL").args(["watch", "edit", "a", "--data"]).arg(data.path());
        command.output().unwrap()
    };
    assert_eq!(edit("sed -i s/a.example/b.example/").status.code(), Some(0));
    assert!(file(data.path()).contains("https://b.example"));
    let before = file(data.path());
    let broken = edit("sed -i s/url/uri/");
    let told = String::from_utf8(broken.stderr).unwrap();
    assert!(told.contains("a watch has no `url`") && told.contains("what was edited is in"), "{told}");
    assert_eq!((broken.status.code(), file(data.path())), (Some(2), before));
    assert!(String::from_utf8(edit("true").stderr).unwrap().contains("nothing was changed"));
    assert_eq!(edit("false").status.code(), Some(2));
    assert!(refused(data.path(), &["edit", "a"]).contains("set $EDITOR"));
    let kept = told.split('`').find(|part| Path::new(part).is_file()).unwrap();
    std::fs::remove_file(kept).unwrap();
}

#[test]
fn an_import_may_be_repeated_and_tried() {
    let data = tempfile::tempdir().unwrap();
    let list = data.path().join("mine.txt");
    std::fs::write(&list, "https://a.example/ #x A\nhttps://b.example/\nnonsense\n").unwrap();
    let list = list.to_str().unwrap();
    let (out, told, code) = driftline(data.path(), &["import", list, "--dry-run"]);
    assert!(
        out.contains("new                  2") && told.contains("`nonsense`: it is no address") && code == 0,
        "{out}{told}"
    );
    assert!(!data.path().join("watches").exists());
    driftline(data.path(), &["import", list, "--tag", "y"]);
    assert_eq!(done(data.path(), &["list", "--tag", "y", "--json"]).lines().count(), 2);
    let (out, ..) = driftline(data.path(), &["import", list, "--json"]);
    assert_eq!(out.matches("\"new\":false").count(), 2, "{out}");
    let out = done(data.path(), &["export", "--format", "list"]);
    assert_eq!(out, "https://a.example/ #x #y A\nhttps://b.example/ #y\n");
}

#[test]
fn an_import_of_which_nothing_can_be_used_fails() {
    let data = tempfile::tempdir().unwrap();
    let good = data.path().join("good.txt");
    std::fs::write(&good, "https://a.example/\n").unwrap();
    for (name, text, told) in [
        ("bad.yaml", "url: http://a.example/\n---\nurl: [x\n---\n", "bad.yaml`: it is no YAML at line "),
        (
            "shell.yaml",
            "name: Disk\ncommand: df\n",
            "`job 1`: `Disk` runs a command, which driftline never does\nerror: nothing in `",
        ),
        ("empty.yaml", "", "empty.yaml` can be watched, so nothing was imported\nhint: say by `--format`"),
        ("bad.opml", "<opml><body><outline", "bad.opml`: it is no "),
        ("none.opml", "<opml><body></body></opml>", "none.opml` can be watched"),
    ] {
        let path = data.path().join(name);
        std::fs::write(&path, text).unwrap();
        let error = refused(data.path(), &["import", good.to_str().unwrap(), path.to_str().unwrap()]);
        assert!(error.contains(told) && error.matches("hint: ").count() == 1, "{name}: {error}");
    }
    assert!(!data.path().join("watches").exists(), "the good file waits too");
}

#[test]
fn an_import_of_which_some_can_be_used_is_done_and_tells_the_rest() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("some.yaml");
    std::fs::write(&path, "name: Disk\ncommand: df\n---\nurl: https://a.example/\n").unwrap();
    let (out, told, code) = driftline(data.path(), &["import", path.to_str().unwrap()]);
    assert!(code == 0 && out.contains("new                  1") && told.contains("runs a command"), "{out}{told}");
}

#[test]
fn a_watch_whose_filter_cannot_be_imported_is_paused_and_shows_why() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("urls.yaml");
    std::fs::write(&path, "url: https://a.example/\nfilter:\n- jq: .price\n").unwrap();
    let (_, told, code) = driftline(data.path(), &["import", path.to_str().unwrap()]);
    assert!(code == 0 && told.contains("it is paused: the filter `jq`: JSON is not filtered here"), "{told}");
    let id = "https://a.example/";
    let shown = done(data.path(), &["show", id]);
    assert!(shown.contains("note       \"paused by the import: the filter `jq`: JSON is not"), "{shown}");
    assert!(shown.contains("paused     true"), "{shown}");
    done(data.path(), &["edit", id, "--paused", "false", "--unset", "note"]);
    assert!(!done(data.path(), &["show", id]).contains("paused"));
}

#[test]
fn an_export_as_opml_says_what_is_not_in_it() {
    let data = tempfile::tempdir().unwrap();
    done(data.path(), &["add", "https://a.example/", "--name", "Page"]);
    done(data.path(), &["add", "https://a.example/feed", "--feed", "--name", "Feed", "--schedule", "1h"]);
    let (out, told, code) = driftline(data.path(), &["export", "--format", "opml"]);
    assert!(code == 0 && out.contains("xmlUrl=\"https://a.example/feed\"") && !out.contains("Page"), "{out}");
    let expected =
        "warning: `Page`: it is a page and left out: OPML has feeds only\nwarning: `Feed`: OPML cannot say: schedule\n";
    assert_eq!(told, expected);
}

#[test]
fn an_export_tells_every_note_and_not_only_the_first_fifty() {
    let data = tempfile::tempdir().unwrap();
    let urls: Vec<String> = (0..60).map(|number| format!("https://a.example/{number}")).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    done(data.path(), &[&["add"], &urls[..]].concat());
    let (_, told, code) = driftline(data.path(), &["export", "--format", "opml"]);
    assert_eq!((told.matches("left out: OPML has feeds only\n").count(), code), (60, 0), "{told}");
    assert!(told.contains("`https://a.example/59`") && !told.contains(" more"), "{told}");
}

#[test]
fn whoever_stops_reading_the_notes_of_an_export_does_not_stop_it() {
    let data = tempfile::tempdir().unwrap();
    done(data.path(), &["add", "https://a.example/"]);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_driftline"));
    command.args(["watch", "export", "--format", "opml", "--data"]).arg(data.path());
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command.stderr(writer).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stdout).unwrap().ends_with("</opml>\n"));
}

#[test]
fn an_import_of_which_nothing_can_be_used_names_all_of_it_in_json() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("jobs.yaml");
    let jobs: Vec<String> = (0..60).map(|number| format!("name: N{number}\ncommand: df\n")).collect();
    std::fs::write(&path, jobs.join("---\n")).unwrap();
    let path = path.to_str().unwrap();
    let told = refused(data.path(), &["import", path]);
    assert!(told.matches("runs a command").count() == 50 && told.contains("10 more; `--json` names all\n"), "{told}");
    let (out, told, code) = driftline(data.path(), &["import", path, "--json"]);
    assert!(code == 2 && told.starts_with("error: nothing in `") && told.contains("say why"), "{told}");
    let notes: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((notes.len(), &notes[59]["entry"]), (60, &"job 60".into()), "{out}");
}

#[test]
fn a_password_in_a_list_that_is_imported_is_not_told() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("mine.txt");
    let list = "https://a.example/\nhttps://me:s3cr3t@b.example/{{ x }}\nhttps://me:s3cr3t@c.example/ C\n";
    std::fs::write(&path, list).unwrap();
    for arguments in [&["import", path.to_str().unwrap()][..], &["import", path.to_str().unwrap(), "--json"]] {
        let (out, told, code) = driftline(data.path(), arguments);
        let said = out + &told;
        assert!(code == 0 && !said.contains("s3cr3t"), "{said}");
        assert!(said.contains("https://b.example/{{ x }}") && said.contains("https://c.example/ C"), "{said}");
    }
}
