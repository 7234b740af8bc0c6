//! Sitemaps and lists of feeds: which pages are new, and which have left.

use driftline::event::Kind;
use driftline::span::Span;
use driftline_watch::check::{Checked, Outcome, State};
use driftline_watch::watches::{self, Settings, Watch};

use super::stage::{Reply, Stage, kinds, watch};

const URL: &str = "http://example.org/sitemap.xml";

fn sitemap() -> Watch {
    watch("map", URL, Settings { kind: watches::Kind::Sitemap, ..Settings::default() })
}

fn urls(pages: impl IntoIterator<Item = usize>) -> String {
    let urls: String =
        pages.into_iter().map(|page| format!("<url><loc>http://example.org/{page}</loc></url>")).collect();
    format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>")
}

fn serve(stage: &mut Stage, xml: String) -> Checked {
    stage.script.set(URL, Reply::File(xml.into_bytes(), "application/xml"));
    stage.check(&sitemap())
}

fn members(stage: &Stage) -> usize {
    stage.context.archive.catalog().members("map", None, 10_000).unwrap().len()
}

#[test]
fn a_new_page_of_a_sitemap_is_told_and_watched() {
    let mut stage = Stage::new();
    let first = serve(&mut stage, urls(0..3));
    assert_eq!((first.outcome, first.events.len(), first.has_new_members), (Outcome::First, 0, true));
    assert_eq!(members(&stage), 3);
    let same = stage.check(&sitemap());
    assert_eq!((same.outcome, same.has_new_members), (Outcome::Unchanged, false));
    let told = serve(&mut stage, urls(0..4));
    assert_eq!((kinds(&told.events), told.has_new_members), (vec![Kind::NewPage], true));
    assert_eq!((told.events[0].url.as_str(), members(&stage)), ("http://example.org/3", 4));
}

#[test]
fn many_new_pages_are_one_event() {
    let mut stage = Stage::new();
    serve(&mut stage, urls(0..3));
    let told = serve(&mut stage, urls(0..100));
    assert_eq!((told.events.len(), told.events[0].pages.len()), (1, 97));
    assert_eq!(told.events[0].summary, "97 new pages");
}

#[test]
fn a_page_that_left_the_list_is_watched_for_a_day_more() {
    let mut stage = Stage::new();
    serve(&mut stage, urls(0..3));
    assert_eq!(serve(&mut stage, urls(0..2)).events.len(), 0);
    assert_eq!(members(&stage), 3);
    // It comes back before the day is over, and goes again: the day begins anew.
    stage.pass(23 * 60);
    serve(&mut stage, urls(0..3));
    assert_eq!(serve(&mut stage, urls(0..2)).events.len(), 0);
    stage.pass(2 * 60);
    assert_eq!(stage.check(&sitemap()).events.len(), 0);
    stage.pass(24 * 60);
    let left = stage.check(&sitemap());
    assert_eq!((kinds(&left.events), left.events[0].url.as_str()), (vec![Kind::PageGone], "http://example.org/2"));
    assert_eq!(members(&stage), 2);
}

/// It was new before, so nobody was told the second time, although everybody had been told that it was gone.
#[test]
fn a_page_that_left_before_it_was_checked_and_came_back_is_told() {
    let mut stage = Stage::new();
    serve(&mut stage, urls(0..2));
    assert_eq!(kinds(&serve(&mut stage, urls(0..3)).events), [Kind::NewPage]);
    serve(&mut stage, urls(0..2));
    stage.pass(24 * 60);
    assert_eq!(kinds(&stage.check(&sitemap()).events), [Kind::PageGone]);
    let back = serve(&mut stage, urls(0..3));
    assert_eq!((kinds(&back.events), back.events[0].url.as_str()), (vec![Kind::PageBack], "http://example.org/2"));
}

#[test]
fn of_very_many_pages_that_left_all_leave_in_the_end() {
    let mut stage = Stage::new();
    serve(&mut stage, urls(0..1_501));
    serve(&mut stage, urls(0..1));
    let mut left = || {
        stage.pass(24 * 60);
        stage.check(&sitemap());
        stage.check(&sitemap());
        members(&stage)
    };
    assert_eq!((left(), left()), (501, 1));
}

#[test]
fn an_index_is_followed_and_an_incomplete_one_drops_nothing() {
    let mut stage = Stage::new();
    let index = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
                 <sitemap><loc>http://example.org/one.xml</loc></sitemap><sitemap><loc>http://example.org/two.xml</loc></sitemap>\
                 <sitemap><loc>http://example.org/sitemap.xml</loc></sitemap></sitemapindex>";
    let part = |stage: &Stage, name: &str, pages: std::ops::Range<usize>| {
        stage.script.set(name, Reply::File(urls(pages).into_bytes(), "application/xml"));
    };
    part(&stage, "http://example.org/one.xml", 0..3);
    part(&stage, "http://example.org/two.xml", 3..5);
    assert_eq!(serve(&mut stage, index.to_owned()).outcome, Outcome::First);
    assert_eq!(members(&stage), 5);
    stage.script.set("http://example.org/two.xml", Reply::Timeout);
    stage.check(&sitemap());
    stage.pass(48 * 60);
    stage.check(&sitemap());
    assert_eq!(members(&stage), 5);
    part(&stage, "http://example.org/two.xml", 3..6);
    assert_eq!(kinds(&stage.check(&sitemap()).events), [Kind::NewPage]);
}

#[test]
fn what_is_no_sitemap_is_a_failure() {
    let mut stage = Stage::new();
    serve(&mut stage, urls(0..3));
    assert_eq!(serve(&mut stage, "<p>Oh no".to_owned()).outcome, Outcome::Failed);
    assert_eq!(serve(&mut stage, urls(0..3)).outcome, Outcome::Unchanged);
}

#[test]
fn a_list_of_feeds_names_feeds() {
    let mut stage = Stage::new();
    let opml = watch("feeds", URL, Settings { kind: watches::Kind::Opml, ..Settings::default() });
    let body = "<opml version='2.0'><body><outline text='A' type='rss' xmlUrl='http://a.example/feed'/></body></opml>";
    stage.script.set(URL, Reply::File(body.as_bytes().to_vec(), "text/x-opml"));
    assert_eq!(stage.check(&opml).outcome, Outcome::First);
    let members = stage.context.archive.catalog().members("feeds", None, 10).unwrap();
    assert_eq!((members[0].url.as_str(), members[0].title.as_str()), ("http://a.example/feed", "A"));
}

fn part(stage: &Stage, file: &str, pages: impl IntoIterator<Item = usize>) {
    stage.script.set(file, Reply::File(urls(pages).into_bytes(), "application/xml"));
}

fn index(files: impl IntoIterator<Item = String>) -> String {
    let files: String = files.into_iter().map(|file| format!("<sitemap><loc>{file}</loc></sitemap>")).collect();
    format!("<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{files}</sitemapindex>")
}

fn file(number: usize) -> String {
    format!("http://example.org/{number}.xml")
}

fn limits(stage: &Stage) -> Vec<String> {
    State::read(&stage.context.archive.catalog().state("map").unwrap().unwrap().body).unwrap().limits
}

#[test]
fn a_file_that_comes_late_brings_no_new_pages() {
    let mut stage = Stage::new();
    part(&stage, &file(0), 0..3);
    stage.script.set(&file(1), Reply::Status(500));
    let first = serve(&mut stage, index((0..2).map(file)));
    assert_eq!((first.outcome, first.events.len(), members(&stage)), (Outcome::First, 0, 3));
    assert_eq!(limits(&stage), ["unread"]);
    // What is new in the file that came is told meanwhile.
    part(&stage, &file(0), 0..4);
    let new = stage.check(&sitemap());
    assert_eq!((kinds(&new.events), new.events[0].url.as_str()), (vec![Kind::NewPage], "http://example.org/3"));
    assert_eq!(new.events[0].limits, ["unread"]);
    part(&stage, &file(1), 10..60);
    let late = stage.check(&sitemap());
    assert_eq!((late.outcome, late.events.len()), (Outcome::Unchanged, 0));
    assert!(late.has_new_members && limits(&stage).is_empty());
    assert_eq!(members(&stage), 54);
    // A file that was not named before has new pages, even if it comes at the second attempt.
    stage.script.set(&file(2), Reply::Status(500));
    assert_eq!(serve(&mut stage, index((0..3).map(file))).events.len(), 0);
    part(&stage, &file(2), 100..150);
    assert_eq!(stage.check(&sitemap()).events[0].summary, "50 new pages");
}

#[test]
fn a_busy_host_is_not_asked_for_more_files() {
    let mut stage = Stage::new();
    (0..4).for_each(|number| part(&stage, &file(number), number * 10..number * 10 + 10));
    stage.script.set(&file(1), Reply::Busy(503, 120));
    let busy = serve(&mut stage, index((0..4).map(file)));
    assert_eq!(stage.script.asked(), [URL, &file(0), &file(1)]);
    assert_eq!((busy.outcome, busy.is_overloaded), (Outcome::First, true));
    assert_eq!(busy.retry_after, Some(Span::from_seconds(120)));
    part(&stage, &file(1), 10..20);
    let calm = stage.check(&sitemap());
    assert_eq!((calm.is_overloaded, calm.events.len(), members(&stage)), (false, 0, 40));
}

#[test]
fn what_is_left_out_of_a_list_is_named() {
    let mut stage = Stage::new();
    (0..60).for_each(|number| part(&stage, &file(number), [number]));
    let all = || index((0..60).map(file).chain(["http://other.example/1.xml".to_owned()]));
    assert_eq!(serve(&mut stage, all()).outcome, Outcome::First);
    // The list itself is a file too.
    assert_eq!((stage.script.asked().len(), members(&stage)), (50, 49));
    assert_eq!(limits(&stage), ["files"]);
    part(&stage, &file(0), [0, 100]);
    let told = stage.check(&sitemap());
    assert_eq!(
        (kinds(&told.events), told.events[0].limits.as_slice()),
        (vec![Kind::NewPage], &["files".to_owned()][..])
    );
    // Files that get a place because others went have no new pages.
    let fewer =
        serve(&mut stage, index((0..5).chain(45..60).map(file).chain(["http://other.example/1.xml".to_owned()])));
    assert_eq!((fewer.events.len(), members(&stage), limits(&stage)), (0, 61, vec!["hosts".to_owned()]));
}

fn sitemap_of(most: usize) -> Watch {
    let members = watches::Members { most: Some(most), ..watches::Members::default() };
    watch("map", URL, Settings { kind: watches::Kind::Sitemap, members, ..Settings::default() })
}

#[test]
fn more_members_than_a_list_may_have_are_told() {
    let mut stage = Stage::new();
    part(&stage, URL, 0..5);
    stage.check(&sitemap_of(3));
    assert_eq!((members(&stage), limits(&stage)), (3, vec!["members".to_owned()]));
}

#[test]
fn a_file_that_does_not_come_makes_no_room_for_the_next_one() {
    let mut stage = Stage::new();
    (0..2).for_each(|number| part(&stage, &file(number), number * 10..number * 10 + 3));
    stage.script.set(URL, Reply::File(index((0..2).map(file)).into_bytes(), "application/xml"));
    stage.check(&sitemap_of(3));
    stage.script.set(&file(0), Reply::Status(500));
    let short = stage.check(&sitemap_of(3));
    assert_eq!((short.events.len(), members(&stage)), (0, 3));
}
