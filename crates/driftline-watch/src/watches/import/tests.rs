//! What becomes of files of other monitors?

use driftline_fetch::{Auth, How, With};

use super::*;
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
    assert_eq!(news.settings.counts.ignore_lines, ["Updated .*"]);
    assert!(news.settings.paused, "its XPath filter cannot be brought over");
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
        https_proxy: 'file:/etc/shadow'\n\
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
        let imported = Imported::parse(text.as_bytes(), Format::Urlwatch).unwrap_or_default();
        assert!(imported.watches.len() <= 1, "{text:.40}");
    }
}

#[test]
fn jobs_that_break_off_are_refused_with_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.yaml");
    std::fs::write(&path, "url: http://a.example/\n---\nurl: [http://b.example/\n---\nurl: http://c.example/\n")
        .unwrap();
    let error = Imported::read(&path, None).unwrap_err().to_string();
    assert!(error.contains("bad.yaml`: it is no YAML at line ") && error.contains("\nhint: "), "{error}");
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
    assert_eq!(settings.counts.ignore_lines, ["(?i)ad \\d+", "(?i)cookie banner"]);
    assert_eq!(settings.counts.contains, ["(?i)50% off"]);
    assert_eq!(settings.schedule.to_string(), "1d2h, mon 22:00-02:30, sun, Europe/Paris");
    assert_eq!((settings.fetch.with, settings.paused, settings.counts.only), (With::Browser, true, Some(Only::Added)));
    assert_eq!(settings.fetch.headers["X-Token"].written(), "s3cr3t");
    let told = told(&imported);
    for expected in ["`xpath:…`", "`a:hover`", "`notification_urls`", "`proxy`", "`browser_steps`", "`method`"] {
        assert!(told.contains(expected), "{expected} in {told}");
    }
    assert!(!told.contains("s3cr3t"), "{told}");
}

/// A folder of changedetection.io with these settings of all, tags and watches; ids are made of numbers.
fn backup(general: &str, tags: &[&str], watches: &[&str]) -> Imported {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("changedetection.json"), general).unwrap();
    let write = |number: usize, name: &str, text: &str| {
        let own = folder.path().join(format!("00000000-0000-4000-8000-{number:012}"));
        std::fs::create_dir(&own).unwrap();
        std::fs::write(own.join(name), text).unwrap();
    };
    watches.iter().enumerate().for_each(|(number, text)| write(number, "watch.json", text));
    tags.iter().enumerate().for_each(|(number, text)| write(number + 100, "tag.json", text));
    Imported::read(folder.path(), None).unwrap()
}

#[test]
fn the_file_that_names_the_watches_stands_for_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("url-watches.json");
    std::fs::write(&index, format!(r#"{{"watching": {{"{UUID}": {{"url": "https://a.example/"}}}}}}"#)).unwrap();
    let imported = Imported::read(&index, None).unwrap();
    assert_eq!(&*imported.watches[0].url, "https://a.example/");
    assert_eq!(imported, Imported::read(folder.path(), None).unwrap());
}

#[test]
fn the_interval_of_all_is_that_of_watches_without_their_own() {
    let general = r#"{"settings": {"application": {"scheduler_timezone_default": "Europe/Paris"},
        "requests": {"time_between_check": {"hours": 3, "minutes": 30, "days": null},
        "time_schedule_limit": {"enabled": true, "monday": {"enabled": true, "start_time": "08:00", "duration": {"hours": "2", "minutes": "00"}}}}}}"#;
    let own = r#""time_between_check": {"days": 2}"#;
    let imported = backup(
        general,
        &[],
        &[
            &format!(r#"{{"url": "https://a.example/", "time_between_check_use_default": true, {own}}}"#),
            &format!(r#"{{"url": "https://b.example/", "time_between_check_use_default": false, {own}}}"#),
            r#"{"url": "https://c.example/"}"#,
        ],
    );
    let schedules: Vec<String> = imported.watches.iter().map(|watch| watch.settings.schedule.to_string()).collect();
    assert_eq!(schedules, ["3h30m, mon 08:00-10:00, Europe/Paris", "2d", "3h30m"]);
    assert_eq!(told(&imported), "");
}

const NEWS: &str = r#"{"title": "news", "include_filters": ["main", "xpath://p"], "subtractive_selectors": [".ad"],
    "ignore_text": ["/v\\d+/"], "trigger_text": ["sold"], "notification_urls": ["json://s3cr3t@x/"], "extract_text": ["s3cr3t"],
    "time_between_check": {"hours": 1}, "overrides_watch": true}"#;

#[test]
fn rules_of_tags_are_added_to_their_watches_and_the_rest_is_told_once() {
    let watch = |rest: &str| format!(r#"{{"tags": ["00000000-0000-4000-8000-000000000100"], "url": "https://{rest}}}"#);
    let unused = r#"{"title": "unused", "notification_urls": ["json://s3cr3t@x/"]}"#;
    let first = watch(r##"a.example/", "include_filters": ["#own", "main"], "ignore_text": ["mine"]"##);
    let imported =
        backup("{}", &[NEWS, unused], &[&first, &watch(r#"b.example/""#), r#"{"url": "https://c.example/"}"#]);
    let [one, other, none] = imported.watches.as_slice() else { panic!("{imported:?}") };
    assert_eq!((one.settings.zone.join("|"), other.settings.zone.join("|")), ("#own|main".into(), "main".into()));
    assert_eq!(one.settings.counts.ignore_lines, ["(?i)mine", r"(?i)v\d+"]);
    for watch in [one, other] {
        assert_eq!(
            (&*watch.settings.ignore, &*watch.settings.counts.contains),
            (&[".ad".into()][..], &["(?i)sold".into()][..])
        );
        assert_eq!(
            (&*watch.settings.tags, &*watch.settings.counts.only_text),
            (&["news".into()][..], &["(?i)s3cr3t".into()][..])
        );
        assert!(watch.settings.paused, "the XPath filter of its tag cannot be brought over");
    }
    assert_eq!(*none.settings, Settings::default());
    let told = told(&imported);
    for expected in ["`xpath:…`", "`notification_urls`", "`overrides_watch`"] {
        assert_eq!(
            told.matches(&format!("tag news: {expected}")).count()
                + told.matches(&format!("tag news: a filter {expected}")).count(),
            1,
            "{expected} in {told}"
        );
    }
    assert!(!told.contains("s3cr3t") && !told.contains("unused"), "{told}");
}

#[test]
fn rules_of_tags_of_an_old_file_are_added_too() {
    let id = "00000000-0000-4000-8000-000000000100";
    let general = format!(
        r#"{{"watching": {{"{UUID}": {{"url": "https://a.example/", "tags": ["{id}"]}}}},
        "settings": {{"application": {{"tags": {{"{id}": {{"title": "news", "subtractive_selectors": ["nav"]}}}}}}}}}}"#
    );
    let imported = backup(&general, &[], &[]);
    assert_eq!(imported.watches[0].settings.ignore, ["nav"]);
}

#[test]
fn a_tag_takes_watches_by_their_addresses() {
    let tag = |pattern: &str| {
        format!(r#"{{"title": "t", "url_match_pattern": "{pattern}", "subtractive_selectors": ["nav"]}}"#)
    };
    for (pattern, is_meant) in [
        ("A.example/Ne", true),
        ("*://a.example/*", true),
        ("*://a.example/", false),
        ("https://[!b].example/n?ws", true),
        ("https://[b-d].example/*", false),
        ("https://a.example/[news", false),
        ("[]a]*", false),
        ("a+example", false),
    ] {
        let imported = backup("{}", &[&tag(pattern)], &[r#"{"url": "https://a.example/news"}"#]);
        let settings = &imported.watches[0].settings;
        assert_eq!((settings.ignore.len(), settings.tags.len()), (is_meant.into(), is_meant.into()), "{pattern}");
        assert_eq!(told(&imported).contains("tag t: `url_match_pattern`: the watches of now"), is_meant, "{pattern}");
    }
}

#[test]
fn what_is_set_for_all_watches_is_carried_over_or_told() {
    let general = r#"{"settings": {"headers": {"X-All": "s3cr3t", "X-Now": "{% now 'utc' %}"},
        "requests": {"proxy": "s3cr3t", "default_ua": {"html_requests": "Mozilla/5.0 Chrome/87.0.4280.66 Safari/537.36", "html_webdriver": null}},
        "application": {"webdriver_delay": 5, "all_paused": true, "all_muted": true, "notification_urls": ["json://s3cr3t@x/"]}}}"#;
    let imported =
        backup(general, &[], &[r#"{"url": "https://a.example/", "headers": {"X-All": "own", "X-Own": "1"}}"#]);
    let fetch = &imported.watches[0].settings.fetch;
    assert_eq!((fetch.headers["X-All"].written(), fetch.headers.len()), ("s3cr3t", 2));
    assert_eq!(fetch.wait.extra, Some(driftline::span::Span::from_seconds(5)));
    let told = told(&imported);
    for expected in [
        "settings of all: `notification_urls`",
        "settings of all: `all_paused`",
        "settings of all: `all_muted`",
        "settings of all: `proxy`",
        "the header `X-Now`",
    ] {
        assert_eq!(told.matches(expected).count(), 1, "{expected} in {told}");
    }
    assert!(!told.contains("s3cr3t") && !told.contains("default_ua"), "{told}");
}

#[test]
fn a_source_address_is_watched_as_a_page_and_that_is_told() {
    let imported = backup("{}", &[], &[r#"{"url": "source:https://a.example/x"}"#]);
    assert_eq!(imported.watches[0].url.as_ref(), "https://a.example/x");
    assert!(told(&imported).contains("https://a.example/x: `source:` before its address"), "{}", told(&imported));
}

#[test]
fn an_address_that_is_a_template_is_told_and_not_watched() {
    let urls = [
        "https://a.example/{% now 'utc', '%Y-%m-%d' %}",
        "https://a.example/?at={{ x }}",
        "source:https://a.example/{%- if x %}y{% endif %}",
        "https://me:s3cr3t@a.example/{{x}}",
        "https://{{ host }}/",
    ];
    let watches = urls.map(|url| format!(r#"{{"url": "{url}"}}"#));
    let mut watches: Vec<&str> = watches.iter().map(String::as_str).collect();
    watches.push(r#"{"url": "https://a.example/?q={%22a%22:1}"}"#);
    let imported = backup("{}", &[], &watches);
    let kept: Vec<&str> = imported.watches.iter().map(|watch| watch.url.as_ref()).collect();
    assert_eq!(kept, ["https://a.example/?q={%22a%22:1}"]);
    let said = told(&imported);
    assert_eq!(said.matches("it is not watched: its address is a template").count(), 4, "{said}");
    assert!(said.contains("no address of the web") && !said.contains("s3cr3t"), "{said}");
    let list = "https://a.example/{% now 'utc' %} Title\n# {{ a comment }}\nhttps://b.example/\n";
    let imported = Imported::parse(list.as_bytes(), Format::List).unwrap();
    assert_eq!(imported.watches.len(), 1);
    assert!(told(&imported).starts_with("https://a.example/{% now 'utc' %} Title: it is not watched"), "{imported:?}");
}

#[test]
fn a_tag_that_is_muted_is_told() {
    let tag = |is_muted: bool| format!(r#"{{"title": "t", "notification_muted": {is_muted}}}"#);
    let watch = r#"{"url": "https://a.example/", "tags": ["00000000-0000-4000-8000-000000000100"]}"#;
    for is_muted in [true, false] {
        let told = told(&backup("{}", &[&tag(is_muted)], &[watch]));
        assert_eq!(told.matches("tag t: `notification_muted`: ").count(), usize::from(is_muted), "{told}");
    }
}

#[test]
fn a_password_in_a_line_of_a_list_is_not_told() {
    let list = format!(
        "https://me:s3cr3t@a.example/{{{{ x }}}} Title\nhttps://me:s3cr3t@b.example/ #tag\n\
         https://me:s3cr3t@c.example:99999/\nhttps://me:s3cr3t{}@d.example/\n",
        "s".repeat(300)
    );
    let imported = Imported::parse(list.as_bytes(), Format::List).unwrap();
    let told = told(&imported);
    assert!(imported.watches.is_empty() && imported.notes.len() == 4 && !told.contains("s3cr3t"), "{told}");
    for expected in [
        "https://a.example/{{ x }} Title: it is not watched: its address is a template",
        "https://b.example/ #tag: it is no address of the web, or one with a name and a password in it",
        "https://c.example:99999/: it is no address",
        "https://d.example/: it is no address",
    ] {
        assert!(told.contains(expected), "{expected} in {told}");
    }
}

#[test]
fn a_password_in_a_sitemap_that_an_index_names_is_not_told() {
    let index = "<sitemapindex><sitemap><loc>https://me:s3cr3t@a.example/s.xml</loc></sitemap></sitemapindex>";
    let told = told(&Imported::parse(index.as_bytes(), Format::Sitemap).unwrap());
    assert!(told.starts_with("https://a.example/s.xml: it is another sitemap"), "{told}");
}

#[test]
fn a_password_in_an_address_that_cannot_be_read_is_not_told() {
    let jobs = "url: 'https://me:s3cr3t@a.example:99999/'\n---\nname: N\nurl: 'https://me:s3c/r3t@b.example/'\n";
    let imported = Imported::parse(jobs.as_bytes(), Format::Urlwatch).unwrap();
    let told = told(&imported);
    let expected = "https://a.example:99999/: it is not watched: `https://a.example:99999/` is not a valid address: ";
    assert!(told.starts_with(expected), "{told}");
    assert!(told.contains("\nN: it is not watched: `https://b.example/` is not a valid address: "), "{told}");
    assert!(!told.contains("s3c") && !told.contains("r3t"), "{told}");
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

mod fields;
mod jobs;
mod outcome;
mod rules;
mod table;
