//! What becomes of files of other monitors?

use super::*;
use crate::fetch::{Auth, How, With};
use crate::watches::Only;

fn told(imported: &Imported) -> String {
    imported.notes.iter().map(|note| format!("{}: {}\n", note.entry, note.what)).collect()
}

const JOBS: &str = r##"
name: "News"
url: "https://me:p%40ss@example.org/news"
filter:
  - css:
      selector: "main, #news"
      exclude: ".ad"
  - html2text
  - grepi: "Updated .*"
  - xpath: //p
headers:
  X-Token: s3cr3t
timeout: 20
tags: [a, "b/c"]
---
name: "App"
navigate: "https://example.org/app"
wait_for_selector: "#content"
additions_only: true
---
name: "Disk"
command: "df -h"
---
kind: shell
name: "More"
command: date
---
url: "https://example.org/news"
filter: "element-by-id:top,strip"
ssl_no_verify: true
data: {a: b}
enabled: false
---
url: "file:///etc/passwd"
"##;

#[test]
fn jobs_become_watches_and_the_rest_is_told() {
    let imported = Imported::parse(JOBS.as_bytes(), Format::Urlwatch).unwrap();
    let [news, app, again] = imported.watches.as_slice() else { panic!("{imported:?}") };
    assert_eq!((news.url.as_ref(), news.name.as_deref()), ("https://example.org/news", Some("News")));
    assert_eq!(
        (news.settings.zone.as_slice(), news.settings.ignore.as_slice()),
        (["main, #news".to_owned()].as_slice(), [".ad".to_owned()].as_slice())
    );
    assert_eq!(news.settings.counts.ignore_text, ["Updated .*"]);
    assert_eq!(news.settings.tags, ["a", "b c"]);
    let Some(Auth::Basic { user, password }) = &news.settings.fetch.auth else { panic!("no password") };
    assert_eq!((user.as_str(), password.reveal().unwrap().as_str()), ("me", "p@ss"));
    assert_eq!(app.settings.fetch.with, With::Browser);
    assert_eq!(
        (app.settings.fetch.wait.selector.as_deref(), app.settings.counts.only),
        (Some("#content"), Some(Only::Added))
    );
    assert_eq!(again.id.as_ref(), format!("{}-2", id::made_of(Kind::Page, "https://example.org/news")));
    assert_eq!((again.settings.zone.as_slice(), again.settings.paused), (["[id=\"top\"]".to_owned()].as_slice(), true));
    let told = told(&imported);
    for expected in [
        "the filter `xpath`",
        "`Disk` runs a command",
        "`More` runs a command",
        "`ssl_no_verify`",
        "`data`",
        "it is not watched: `file:`",
    ] {
        assert!(told.contains(expected), "{expected} in {told}");
    }
    assert!(!told.contains("s3cr3t") && !told.contains("p@ss"), "{told}");
}

#[test]
fn headers_cookies_and_proxies_of_strangers_name_no_files_and_variables() {
    let jobs = "url: https://evil.example/\n\
        headers: {X-A: 'file:/etc/passwd', X-B: harmless}\n\
        cookies: {c: 'env:AWS_SECRET_ACCESS_KEY'}\n\
        http_proxy: 'file:/etc/shadow'\n\
        user_agent: 'env:HOME'\n";
    let imported = Imported::parse(jobs.as_bytes(), Format::Urlwatch).unwrap();
    let [watch] = imported.watches.as_slice() else { panic!("{imported:?}") };
    let How { headers, cookies, proxy, .. } = &watch.settings.fetch;
    assert_eq!(headers.keys().collect::<Vec<_>>(), ["X-B"]);
    assert!(cookies.is_empty() && proxy.is_none());
    let told = told(&imported);
    for expected in ["the header `X-A`", "the header `User-Agent`", "the cookie `c`", "the proxy"] {
        assert!(told.contains(expected), "{expected} in {told}");
    }
    assert!(!told.contains("passwd") && !told.contains("AWS"), "{told}");
}

#[test]
fn a_password_in_a_strangers_address_names_no_file() {
    for password in ["file%3A%2Fetc%2Fpasswd", "file:%2Fetc%2Fpasswd", "env%3AHOME"] {
        let job = format!("url: 'https://u:{password}@evil.example/'\n");
        let imported = Imported::parse(job.as_bytes(), Format::Urlwatch).unwrap();
        let [watch] = imported.watches.as_slice() else { panic!("{imported:?}") };
        assert_eq!((watch.url.as_ref(), &watch.settings.fetch.auth), ("https://evil.example/", &None), "{password}");
        assert!(told(&imported).contains("the password"), "{password}");
    }
}

#[test]
fn a_strangers_backup_names_no_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(UUID)).unwrap();
    let watch = r#"{"url": "https://evil.example/", "headers": {"X-A": "file:/etc/passwd", "X-B": "harmless"}}"#;
    std::fs::write(folder.path().join(UUID).join("watch.json"), watch).unwrap();
    std::fs::write(folder.path().join("changedetection.json"), "{}").unwrap();
    let imported = Imported::read(folder.path(), Some(Format::Changedetection)).unwrap();
    let [watch] = imported.watches.as_slice() else { panic!("{imported:?}") };
    assert_eq!(watch.settings.fetch.headers.keys().collect::<Vec<_>>(), ["X-B"]);
    assert!(told(&imported).contains("the header `X-A`"));
}

#[test]
fn hostile_yaml_ends() {
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n\
                e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\nurl: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n";
    for text in [
        bomb,
        "url: [",
        "- - - -",
        "!tag x",
        "url: {a: b}",
        "---\n---\n",
        "\u{0}",
        "? [a]\n: b\nurl: http://a.example\n",
        &"[".repeat(100_000),
    ] {
        let imported = Imported::parse(text.as_bytes(), Format::Urlwatch).unwrap();
        assert!(imported.watches.len() <= 1, "{text:.40}");
    }
}

const UUID: &str = "bc4bd629-5213-4131-af89-99b45a19f8cd";

#[test]
fn a_folder_of_changedetection_becomes_watches() {
    let folder = tempfile::tempdir().unwrap();
    let general = r#"{"settings": {"application": {"fetch_backend": "html_webdriver", "global_ignore_text": ["cookie banner"]}}}"#;
    std::fs::write(folder.path().join("changedetection.json"), general).unwrap();
    std::fs::create_dir(folder.path().join(UUID)).unwrap();
    let watch = r##"{"url": "https://example.org/", "title": "T", "fetch_backend": "system", "paused": true,
        "include_filters": ["main", "xpath://p", "a:hover"], "subtractive_selectors": ["nav"], "ignore_text": ["/ad \\d+/i"],
        "trigger_text": ["50% off"], "time_between_check": {"hours": 2, "minutes": null, "days": 1},
        "time_schedule_limit": {"enabled": true, "timezone": "Europe/Paris", "monday": {"enabled": true, "start_time": "22:00",
        "duration": {"hours": "4", "minutes": "30"}}, "sunday": {"enabled": true, "start_time": "00:00", "duration": {"hours": "24"}}},
        "headers": {"X-Token": "s3cr3t"}, "notification_urls": ["json://s3cr3t@x/"], "proxy": "s3cr3t",
        "filter_text_removed": false, "browser_steps": [{"operation": "Click element", "selector": "#s3cr3t"}], "method": "POST"}"##;
    std::fs::write(folder.path().join(UUID).join("watch.json"), watch).unwrap();
    let imported = Imported::read(folder.path(), None).unwrap();
    let [watch] = imported.watches.as_slice() else { panic!("{imported:?}") };
    let settings = &watch.settings;
    assert_eq!((watch.id.as_ref(), watch.name.as_deref()), (UUID, Some("T")));
    assert_eq!((settings.zone.join("|"), settings.ignore.join("|")), ("main".to_owned(), "nav".to_owned()));
    assert_eq!(settings.counts.ignore_text, ["(?i)ad \\d+", "(?i)cookie banner"]);
    assert_eq!(settings.counts.trigger, ["(?i)50% off"]);
    assert_eq!(settings.schedule.to_string(), "1d2h, mon 22:00-02:30, sun, Europe/Paris");
    assert_eq!((settings.fetch.with, settings.paused, settings.counts.only), (With::Browser, true, Some(Only::Added)));
    assert_eq!(settings.fetch.headers["X-Token"].written(), "s3cr3t");
    let told = told(&imported);
    for expected in ["`xpath:…`", "`a:hover`", "`notification_urls`", "`proxy`", "`browser_steps`", "`method`"] {
        assert!(told.contains(expected), "{expected} in {told}");
    }
    assert!(!told.contains("s3cr3t"), "{told}");
}

#[test]
fn files_are_told_apart_by_what_stands_in_them() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, count) in [
        ("a.xml", "<opml><body><outline xmlUrl='http://a.example/f'/></body></opml>", 1),
        ("b.xml", "<urlset><url><loc>http://a.example/</loc></url></urlset>", 1),
        ("c.yaml", "url: http://a.example/\n---\nurl: http://b.example/\n", 2),
        ("d.txt", "# mine\nhttp://a.example/ #x\nhttp://b.example/\n", 2),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        assert_eq!(Imported::read(&path, None).unwrap().watches.len(), count, "{name}");
    }
    let path = folder.path().join("e.bin");
    std::fs::write(&path, "nothing").unwrap();
    assert!(Imported::read(&path, None).unwrap_err().to_string().contains("cannot tell what"));
}
