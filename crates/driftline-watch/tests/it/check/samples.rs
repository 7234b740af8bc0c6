//! The sample events of `driftline watch preview`, the documents and the tests of messages: found by real checks.
//!
//! `UPDATE_DOCS=1 cargo test -p driftline-watch --test it samples` writes them anew.

use std::path::Path;

use driftline::event::{Event, Kind};
use driftline_watch::watches::{self, Settings, Watch};

use super::stage::{Reply, Stage, watch};
use super::streams;

const VISIT: &str = "https://museum.example/visit";
const FEED: &str = "https://museum.example/news.atom";
const FLOOR: &str = "shop &amp; café, cloakroom";
const MAP: &str = "https://museum.example/sitemap.xml";
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../driftline-report/src/message/samples.json");

fn named(id: &str, name: &str, url: &str, settings: Settings) -> Watch {
    let settings = Settings { tags: vec!["museums".to_owned()], ..settings };
    Watch { name: Some(name.into()), ..watch(id, url, settings) }
}

fn visit(hours: &str, floor: &str) -> String {
    format!(
        "<title>Visit</title><main><h1>Visit</h1><div id=hours><p>{hours}.</p></div><p>Ground floor with {floor}</p></main>"
    )
}

/// What happens to a page: words change and move, it goes back and forth, fails, goes and comes back.
fn page(stage: &mut Stage) -> Vec<Event> {
    let watch = named("opening-hours", "Opening hours", VISIT, Settings::default());
    let older = visit("Open from nine to five", FLOOR);
    let newer = visit("Open from nine to six, also on Sundays", "cloakroom, shop &amp; café");
    let mut found = Vec::new();
    for page in [&older, &newer, &older, &newer, &older, &newer] {
        found.extend(stage.serve(&watch, page).events);
    }
    for (reply, minutes) in [(Reply::Timeout, 60), (Reply::Status(404), 720)] {
        stage.script.set(VISIT, reply);
        for _ in 0..4 {
            stage.pass(minutes);
            found.extend(stage.check(&watch).events);
        }
        found.extend(stage.serve(&watch, &newer).events);
    }
    found
}

/// What happens to a zone: it is lost and found again.
fn zone(stage: &mut Stage) -> Vec<Event> {
    let zone = vec!["#hours".to_owned()];
    let watch = named("hours-zone", "Opening hours", VISIT, Settings { zone, ..Settings::default() });
    let there = visit("Open from nine to five, on Sundays from ten to four", FLOOR);
    [&there, "<p>We are moving.</p>", &there].into_iter().flat_map(|page| stage.serve(&watch, page).events).collect()
}

/// What happens to the items of a feed.
fn feed(stage: &mut Stage) -> Vec<Event> {
    let watch = named("news", "News", FEED, Settings { kind: watches::Kind::Feed, ..Settings::default() });
    let item = |id: &str, title: &str, text: &str| {
        format!(
            "<item><guid>urn:{id}</guid><title>{title}</title><link>https://museum.example/{id}</link><description>{text}</description></item>"
        )
    };
    let night = item("night", "Night of the museums", "All houses are open until two.");
    let concert = |day: &str| item("concert", "Concert", &format!("Songs of the sea, on {day} at eight."));
    let [moon, tour] =
        [("moon", "The moon in ink", "Forty prints, from Saturday."), ("tour", "Tour", "Each Sunday at ten.")]
            .map(|(id, title, text)| item(id, title, text));
    let versions = [
        [night.as_str(), &concert("Friday"), &tour].concat(),
        [&moon, night.as_str(), &concert("Friday"), &tour].concat(),
        [&moon, night.as_str(), &concert("Saturday"), &tour].concat(),
        [&moon, concert("Saturday").as_str(), &tour].concat(),
    ];
    let mut found = Vec::new();
    for items in versions {
        let feed = format!("<rss version='2.0'><channel><title>News</title>{items}</channel></rss>");
        stage.script.set(FEED, Reply::File(feed.into_bytes(), "application/rss+xml"));
        found.extend(stage.check(&watch).events);
    }
    found
}

/// A new page in a sitemap.
fn map(stage: &mut Stage) -> Vec<Event> {
    let watch = named("map", "Museum", MAP, Settings { kind: watches::Kind::Sitemap, ..Settings::default() });
    let mut found = Vec::new();
    for pages in [&["visit"][..], &["visit", "moon"]] {
        let urls: String =
            pages.iter().map(|page| format!("<url><loc>https://museum.example/{page}</loc></url>")).collect();
        let xml = format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>");
        stage.script.set(MAP, Reply::File(xml.into_bytes(), "application/xml"));
        found.extend(stage.check(&watch).events);
    }
    found
}

/// A new design of a site, and the earlier one again.
fn site(stage: &mut Stage) -> Vec<Event> {
    let watches = streams::watches(12);
    let earlier = |at: usize| streams::page(at, "Open daily.", "Call 555 1234");
    streams::serve_all(stage, &watches, earlier);
    let mut found = streams::serve_all(stage, &watches, |at| streams::redesigned(at, "Open daily."));
    found.extend(streams::serve_all(stage, &watches, earlier));
    found
}

#[test]
fn the_samples_of_previews_are_events_of_real_checks() {
    let found: Vec<Event> =
        [page, zone, feed, map, site].into_iter().flat_map(|story| story(&mut Stage::new())).collect();
    let sample = |kind: Kind| {
        let event = found.iter().find(|event| event.kind == kind);
        event.unwrap_or_else(|| panic!("no check finds an event of the kind `{}`", kind.name()))
    };
    let samples: Vec<&Event> = Kind::ALL.into_iter().map(sample).collect();
    let text = serde_json::to_string_pretty(&samples).unwrap() + "\n";
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(Path::new(FILE), &text).unwrap();
    }
    let update = "UPDATE_DOCS=1 cargo test -p driftline-watch --test it samples";
    assert!(std::fs::read_to_string(FILE).unwrap_or_default() == text, "samples.json is out of date: {update}");
}
