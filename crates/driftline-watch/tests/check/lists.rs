//! Sitemaps and lists of feeds: which pages are new, and which have left.

use driftline::event::Kind;
use driftline_watch::check::{Checked, Outcome};
use driftline_watch::watches::{self, Settings, Watch};

use crate::stage::{Reply, Stage, kinds, watch};

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
