//! Are files read as they are meant, and is what is wrong told with its place?

use std::collections::BTreeSet;
use std::path::Path;

use driftline_fetch::With;

use super::Watches;
use crate::watches::Kind;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    std::fs::create_dir(data.path().join("watches")).unwrap();
    for (name, text) in files {
        std::fs::write(data.path().join("watches").join(name), text).unwrap();
    }
    data
}

fn read(data: &Path) -> Result<Watches, String> {
    Watches::read(data, &BTreeSet::from(["me".to_owned()])).map_err(|error| error.to_string())
}

#[test]
fn a_data_directory_without_watches_has_none() {
    let data = tempfile::tempdir().unwrap();
    let watches = read(data.path()).unwrap();
    assert!(watches.is_empty() && !watches.is_changed());
}

#[test]
fn watches_share_settings_across_files_and_defaults_hold_in_one() {
    let one = "[defaults]\nschedule = '1h'\nfetch = { timeout = '5s' }\n[[watch]]\nurl = 'https://A.example'\n\
               [[watch]]\nurl = 'https://b.example/x'\nfetch = 'browser'\n";
    let two =
        "[[watch]]\nid = 'c'\nurl = 'https://c.example/'\nname = 'C'\nschedule = '1h'\nfetch = { timeout = '5s' }\n";
    let data = folder(&[("one.toml", one), ("two.toml", two), ("notes.txt", "not a watch"), (".hidden.toml", "=")]);
    let watches = read(data.path()).unwrap();
    let all: Vec<_> = watches.iter().collect();
    assert_eq!(
        all.iter().map(|watch| watch.url.as_ref()).collect::<Vec<_>>(),
        ["https://a.example/", "https://b.example/x", "https://c.example/"]
    );
    assert!(std::sync::Arc::ptr_eq(&all[0].settings, &all[2].settings), "the same settings are kept once");
    assert_eq!(
        (all[1].settings.fetch.with, all[1].settings.fetch.timeout),
        (With::Browser, all[0].settings.fetch.timeout)
    );
    assert_eq!(watches.get("c").unwrap().title(), "C");
    assert_eq!(watches.place("c").unwrap().1, 1);
    assert_eq!(watches.place(&all[1].id).unwrap().1, 6);
}

#[test]
fn what_is_wrong_is_told_with_file_line_and_cure() {
    let url = "url = 'https://a.example/'\n";
    for (text, line, told) in [
        ("[[watch]]\nname = 'x'\n", 1, "a watch has no `url`"),
        ("[watch]\nurl = 'x'\n", 1, "`[[watch]]`, in two pairs of brackets"),
        ("[[watch]]\nurl = 'example.org'\n", 2, "did you mean `https://example.org/`?"),
        ("[[watch]]\nurl = 'file:///etc/passwd'\n", 2, "only `http:` and `https:` are"),
        ("[[watch]]\nurl = ' FILE:..'\n", 2, "only `http:`"),
        ("[[watch]]\nurl = 'https://me:s3cr3t@a.example/'\n", 2, "do not belong in an address"),
        (
            "[[watch]]\nurl = 'https://me:s3cr3t@a.example:99999/'\n",
            2,
            "`https://a.example:99999/` is not a valid address",
        ),
        (
            &format!("[[watch]]\n{url}colour = 'red'\n"),
            3,
            "unknown key `colour`; known keys: `url`, `id`, `name`, `kind`",
        ),
        (&format!("[[watch]]\n{url}nname = 'x'\n"), 3, "hint: did you mean `name`?"),
        (&format!("[[watch]]\n{url}counts = {{ name = 'x' }}\n"), 3, "unknown key `name`; known keys: `degree`"),
        ("[defaults]\ncolour = 'red'\n", 2, "unknown key `colour`; known keys: `kind`"),
        (&format!("[[watch]]\n{url}zone = ['main', 'a:hover']\n"), 3, "cannot read the selector"),
        (&format!("[[watch]]\n{url}normalise = ['noise']\n"), 3, "there is no normaliser"),
        (&format!("[[watch]]\n{url}schedule = 'often'\n"), 3, "`often` is no schedule\nhint: write"),
        (&format!("[[watch]]\n{url}targets = ['you']\n"), 3, "there are `me`"),
        (&format!("[[watch]]\n{url}\n[watch.counts]\ndegree = 2\n"), 5, "from 0 to 1, not 2"),
        (&format!("[[watch]]\n{url}counts = {{ trigger = ['('] }}\n"), 3, "unclosed group"),
        (&format!("[[watch]]\n{url}id = '../x'\n"), 3, "an `id` is 1 to 64 letters"),
        (&format!("[[watch]]\n{url}paused = 's3cr3t'\n"), 3, "`paused`: expected true or false"),
        (&format!("[[watch]]\n{url}fetch = {{ headers = {{ A = ['s3cr3t'] }} }}\n"), 3, "expected a string"),
        ("[defaults]\nname = 'x'\n", 2, "a watch's own"),
        ("[defaults]\nzone = 7\n", 2, "expected a list"),
        ("\n[targets]\n", 2, "has `[defaults]` and `[[watch]]`"),
        ("[[watch]]\nurl = 'https://a.example/\n", 2, "cannot use"),
        ("[[watch]]\nkind = 'list'\nurl = '../secret.txt'\n", 3, "the name of a file in the folder"),
    ] {
        let data = folder(&[("mine.toml", text)]);
        let error = read(data.path()).unwrap_err();
        assert!(error.contains(&format!("mine.toml`, line {line}: ")) && error.contains(told), "{text}: {error}");
        assert!(!error.contains("s3cr3t"), "{error}");
    }
}

#[test]
fn two_of_the_same_are_told_with_both_places() {
    let data = folder(&[
        ("a.toml", "[[watch]]\nurl = 'https://a.example'\n"),
        ("b.toml", "# more\n\n[[watch]]\nurl = 'HTTPS://A.example/'\n"),
    ]);
    let error = read(data.path()).unwrap_err();
    assert!(
        error.contains("a.toml`, line 1, and")
            && error.contains("b.toml`, line 3")
            && error.contains("an `id` of its own"),
        "{error}"
    );
}

#[test]
fn each_line_of_a_list_is_a_watch() {
    let list = "# pages\nhttps://a.example/ #x First\n\nhttps://b.example/\nhttps://a.example\n";
    let entry = "[[watch]]\nkind = 'list'\nid = 'l'\nurl = 'pages.txt'\nzone = ['main']\ntags = ['all']\n";
    let data = folder(&[("mine.toml", entry), ("pages.txt", list)]);
    let watches = read(data.path()).unwrap();
    assert_eq!(watches.len(), 3, "the list and its two members");
    let members: Vec<_> = watches.iter().filter(|watch| watch.settings.kind == Kind::Page).collect();
    assert_eq!((members[0].title(), members[0].settings.tags.join(" ")), ("First", "all x".to_owned()));
    assert!(members.iter().all(|member| member.id.starts_with("l/") && member.settings.zone == ["main"]));
    assert!(watches.place(&members[1].id).unwrap().0.ends_with("pages.txt"));
    assert_eq!(watches.of_site("a.example").count(), 1);
    assert_eq!(watches.find("l").unwrap().id.as_ref(), "l");
    let data = folder(&[("mine.toml", entry), ("pages.txt", "https://a.example/\nnonsense\n")]);
    assert!(read(data.path()).unwrap_err().contains("pages.txt`, line 2: "));
}

#[cfg(unix)]
#[test]
fn a_list_does_not_lead_out_of_the_folder() {
    let data = folder(&[("mine.toml", "[[watch]]\nkind = 'list'\nurl = 'pages.txt'\n")]);
    let outside = data.path().join("outside.txt");
    std::fs::write(&outside, "https://a.example/\n").unwrap();
    std::os::unix::fs::symlink(&outside, data.path().join("watches/pages.txt")).unwrap();
    let error = Watches::read(data.path(), &BTreeSet::new()).unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("leads out"), "{error:?}");
}

#[test]
fn a_watch_is_found_by_the_beginning_of_its_id_and_by_its_address() {
    let text = "[[watch]]\nid = 'news-a'\nurl = 'https://a.example'\n[[watch]]\nid = 'news-b'\nurl = 'https://b.example'\n\
                [[watch]]\nid = 'news-b2'\nurl = 'https://b.example'\n";
    let data = folder(&[("mine.toml", text)]);
    let watches = read(data.path()).unwrap();
    assert_eq!(watches.find("news-a").unwrap().url.as_ref(), "https://a.example/");
    assert_eq!(watches.find("https://A.example").unwrap().id.as_ref(), "news-a");
    assert_eq!(watches.find("news-b").unwrap().id.as_ref(), "news-b", "a whole id is meant before longer ones");
    for (asked, told) in
        [("news", "may be 3 watches"), ("https://b.example/", "may be 2"), ("x", "no watch"), ("", "no watch")]
    {
        let error = watches.find(asked).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn a_watch_is_found_by_its_name() {
    let watch =
        |id: &str, name: &str| format!("[[watch]]\nid = '{id}'\nname = '{name}'\nurl = 'https://{id}.example/'\n");
    let text =
        watch("a", "Prices") + &watch("b", "News") + &watch("c", "News") + &watch("d", "prices") + &watch("e", "c");
    let data = folder(&[("mine.toml", &text)]);
    let watches = read(data.path()).unwrap();
    assert_eq!(watches.find("Prices").unwrap().id.as_ref(), "a", "as it is written, before other letter case");
    assert_eq!(watches.find("prices").unwrap().id.as_ref(), "d");
    assert_eq!(watches.find("c").unwrap().id.as_ref(), "c", "an id is meant before a name");
    assert_eq!(watches.find("b.example").unwrap().id.as_ref(), "b", "an address may lack its scheme");
    let error = watches.find("news").unwrap_err().to_string();
    assert_eq!(error, "`news` may be 2 watches: `b`, `c`\nhint: write the id of one of them");
}

#[test]
fn a_change_of_the_folder_is_seen() {
    let data = folder(&[("mine.toml", "")]);
    let watches = read(data.path()).unwrap();
    assert!(!watches.is_changed());
    std::fs::write(data.path().join("watches/more.toml"), "").unwrap();
    assert!(watches.is_changed());
    let watches = read(data.path()).unwrap();
    std::fs::write(data.path().join("watches/mine.toml"), "# longer").unwrap();
    assert!(watches.is_changed());
}
