//! Every key, filter and option of urlwatch 2.29 and webchanges 3.37.0, each in a job that the program itself reads: what
//! becomes of it is what its table says.

use std::collections::BTreeSet;
use std::fs;

use super::outcome::{Outcome, data};
use super::*;
use crate::watches::import::fate::Fate::{self, Kept, Needless, Paused, Told};
use crate::watches::import::urlwatch::filters::{FILTERS, OPTIONS};
use crate::watches::import::urlwatch::keys::KEYS;

const FILES: [&str; 2] = ["urlwatch-2.29.yaml", "webchanges-3.37.0.yaml"];
/// Keys of older files, and those that the programs set themselves.
const OTHER_KEYS: [&str; 5] = ["guid", "loop", "stealth", "tz", "user_agent"];
const OTHER_FILTERS: [&str; 2] = ["remove_duplicate_lines", "strip_each_line"];

/// The jobs of a file, each with the path of its address.
fn jobs(file: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(data(file)).unwrap();
    let jobs = text.split("---\n").skip(1).map(|job| {
        let path = job.split_once("example.org/").map(|(_, rest)| rest.split('"').next().unwrap().to_owned());
        (path.unwrap_or_default(), job.to_owned())
    });
    jobs.collect()
}

fn import(job: &str) -> Imported {
    Imported::parse(job.as_bytes(), Format::Urlwatch).unwrap()
}

/// A job without what a line of it says.
fn without(job: &str, key: &str) -> String {
    job.lines()
        .filter(|line| !line.starts_with(&format!("{key}:")))
        .fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn every_key_of_a_job_becomes_what_its_table_says() {
    let (mut wrong, mut lines, mut seen) = (Vec::new(), String::new(), BTreeSet::new());
    for (path, job) in FILES.iter().flat_map(|file| jobs(file)) {
        let Some(key) = path.strip_prefix("key/") else { continue };
        let fate = KEYS.iter().find(|(known, _)| *known == key).map(|(_, fate)| *fate);
        let fate = fate.unwrap_or_else(|| panic!("`{key}` is in no table"));
        seen.insert(key.to_owned());
        // Without these two it is no job; `filter` is the next test; `kind` is what every job says.
        if matches!(key, "url" | "navigate" | "filter" | "filters" | "kind") {
            assert_eq!(import(&job).watches[0].url.as_ref(), format!("https://example.org/key/{key}"));
            continue;
        }
        let outcome = Outcome::of(&import(&without(&job, key)), &import(&job));
        wrong.extend(outcome.contradiction(key, fate));
        lines += &outcome.line(key, job.lines().find(|line| line.starts_with(key)).unwrap());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Jobs that run a command have no address.
    let unseen: BTreeSet<_> = KEYS.iter().map(|(key, _)| *key).filter(|key| !seen.contains(*key)).collect();
    let expected: BTreeSet<_> = OTHER_KEYS.into_iter().chain(["command", "stderr"]).collect();
    assert_eq!(unseen, expected);
    insta::assert_snapshot!("urlwatch_keys", lines);
}

#[test]
fn every_filter_and_its_options_become_what_their_tables_say() {
    let (mut wrong, mut lines, mut seen) = (Vec::new(), String::new(), BTreeSet::new());
    for (path, job) in FILES.iter().flat_map(|file| jobs(file)) {
        let Some(path) = path.strip_prefix("filter/") else { continue };
        let (name, option) = path.split_once('/').map_or((path, None), |(name, option)| (name, Some(option)));
        let fate = FILTERS.iter().find(|(known, _)| *known == name).map(|(_, fate)| *fate);
        let fate = fate.unwrap_or_else(|| panic!("`{name}` is in no table"));
        let bare = without(&without(&job, "filter"), "filters");
        let outcome = Outcome::of(&import(&bare), &import(&job));
        match option {
            None => wrong.extend(outcome.contradiction(name, with_notes(name, fate, &outcome))),
            Some(option) => wrong.extend(contradiction_of(name, option, fate, &outcome)),
        }
        seen.insert(name.to_owned());
        lines += &outcome.line(path, job.lines().find(|line| line.starts_with("filter")).unwrap());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unseen: Vec<_> = FILTERS.iter().map(|(name, _)| *name).filter(|name| !seen.contains(*name)).collect();
    assert_eq!(unseen, OTHER_FILTERS);
    insta::assert_snapshot!("urlwatch_filters", lines);
}

/// Some filters cannot be without an option that has a note, as `csv2text` without its form.
fn with_notes(name: &str, fate: Fate, outcome: &Outcome) -> Fate {
    let first = OPTIONS.iter().find(|(filter, ..)| *filter == name).map(|(.., fate)| *fate);
    match (fate, first) {
        (Needless(_), Some(Told(why))) if !outcome.notes.is_empty() => Told(why),
        (fate, _) => fate,
    }
}

/// What is wrong with an option: those of a filter that pauses the watch do not matter.
fn contradiction_of(name: &str, option: &str, of_filter: Fate, outcome: &Outcome) -> Option<String> {
    if let Paused(_) = of_filter {
        return outcome.contradiction(name, of_filter);
    }
    let fate = OPTIONS.iter().find(|(filter, known, _)| (*filter, *known) == (name, option)).map(|(.., fate)| *fate);
    let is_told =
        |why: &str| outcome.notes.iter().any(|note| note.contains(&format!("`{option}`")) && note.ends_with(why));
    let is_right = match fate {
        Some(Told(why)) => is_told(why),
        Some(Kept(_) | Needless(_)) => !outcome.notes.iter().any(|note| note.contains("not known here")),
        _ => name == "html2text" && outcome.notes.is_empty(),
    };
    (!is_right).then(|| format!("{name}/{option}: {fate:?}, but {outcome:?}"))
}

#[test]
fn the_jobs_of_the_example_that_urlwatch_brings_along_are_watched_paused_or_told() {
    let imported = Imported::read(&data("urlwatch-2.29-example/urls.yaml.example"), Some(Format::Urlwatch)).unwrap();
    let became: Vec<(&str, Option<&str>)> =
        imported.watches.iter().map(|watch| (&*watch.url, watch.settings.note.as_deref())).collect();
    assert_eq!(
        became,
        [
            ("https://thp.io/2008/urlwatch/", None),
            ("http://example.org/With%20Spaces/", None),
            ("http://example.com/search.cgi", Some("paused by the import: `data`: only GET requests are made")),
            ("http://example.com/foo", Some("paused by the import: `method`: only GET requests are made")),
            (
                "http://example.com/search.cgi#alternative",
                Some("paused by the import: `data`: only GET requests are made")
            ),
        ]
    );
    let paused: Vec<bool> = imported.watches.iter().map(|watch| watch.settings.paused).collect();
    assert_eq!(paused, [false, false, true, true, true]);
    let first = &imported.watches[0];
    assert_eq!(first.name.as_deref(), Some("urlwatch webpage"));
    assert_eq!(
        (&first.settings.counts.only_lines, first.settings.zone.len()),
        (&vec!["Current.*version".to_owned()], 0)
    );
    let told = told(&imported);
    assert_eq!((told.lines().count(), told.contains("`Home Listing` runs a command")), (4, true), "{told}");
}

#[test]
fn a_key_or_an_option_that_no_table_names_is_told() {
    let told =
        told(&import("url: https://a.example/\nbrand_new: s3cr3t\nfilter:\n- css: {selector: main, newer: s3cr3t}\n"));
    assert!(
        told.contains("`brand_new` is not known here")
            && told.contains("`newer` of the filter `css` is not known here"),
        "{told}"
    );
    assert!(!told.contains("s3cr3t") && told.lines().count() == 2, "{told}");
}

#[test]
fn a_proxy_for_another_scheme_is_not_that_of_a_job() {
    for (scheme, expected) in [("http", "http://one:1"), ("https", "http://two:2")] {
        let job = format!("url: {scheme}://a.example/\nhttp_proxy: http://one:1\nhttps_proxy: http://two:2\n");
        let imported = import(&job);
        assert_eq!(
            imported.watches[0].settings.fetch.proxy.as_ref().map(driftline_fetch::Secret::written),
            Some(expected)
        );
    }
    let imported = import("url: https://a.example/\nhttp_proxy: http://one:1\n");
    assert!(imported.watches[0].settings.fetch.proxy.is_none() && imported.notes.is_empty());
}

#[test]
fn only_additions_with_a_share_is_only_additions_and_a_named_browser_is_a_browser() {
    let imported = import("url: https://a.example/\nadditions_only: 0.75\nuse_browser: chrome\n");
    let settings = &imported.watches[0].settings;
    assert_eq!((settings.counts.only, settings.fetch.with), (Some(Only::Added), With::Browser));
    assert!(told(&imported).contains("`additions_only`: what is added counts here"), "{imported:?}");
}

#[test]
fn a_note_of_a_job_stays_beside_the_reason_of_a_pause() {
    let imported = import("url: https://a.example/\nnote: mine\nfilter: ['xpath://p']\n");
    let note = imported.watches[0].settings.note.clone().unwrap();
    assert!(note.starts_with("mine (paused by the import: the filter `xpath`"), "{note}");
}

#[test]
fn an_expression_over_several_lines_of_a_job_is_told() {
    for (filter, is_told) in [("re.sub: '(?s)a.*b'", true), (r"re.findall: 'a\n+b'", true), ("re.sub: '(?i)a'", false)]
    {
        let told = told(&import(&format!("url: https://a.example/\nfilter:\n- html2text\n- {filter}\n")));
        assert_eq!(told.contains("an expression over several lines"), is_told, "{filter}: {told}");
    }
}

#[test]
fn the_default_of_a_filter_of_lines_is_a_text_as_there() {
    let imported =
        import("url: https://a.example/\nfilter:\n- html2text\n- keep_lines_containing: {text: a.b, re: c}\n");
    assert_eq!(imported.watches[0].settings.counts.only_lines, [r"a\.b"]);
}
