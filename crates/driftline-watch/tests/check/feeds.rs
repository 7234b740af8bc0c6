//! Feeds, item by item.

use driftline::event::Kind;
use driftline_watch::check::Outcome;
use driftline_watch::watches::{self, Counts, Settings, Watch};

use crate::stage::{Reply, Stage, kinds, watch};

const URL: &str = "http://example.org/feed";

fn feed_watch(settings: Settings) -> Watch {
    watch("feed", URL, Settings { kind: watches::Kind::Feed, ..settings })
}

fn item(number: usize, text: &str) -> String {
    format!(
        "<item><guid>urn:{number}</guid><title>Story {number}</title><link>http://example.org/story/{number}</link>\
         <description>{text} of story {number}</description></item>"
    )
}

fn serve(stage: &mut Stage, watch: &Watch, items: &[String]) -> driftline_watch::check::Checked {
    let feed = format!("<rss version='2.0'><channel><title>The island</title>{}</channel></rss>", items.concat());
    stage.script.set(URL, Reply::File(feed.into_bytes(), "application/rss+xml"));
    stage.check(watch)
}

fn items(numbers: impl DoubleEndedIterator<Item = usize>) -> Vec<String> {
    numbers.rev().map(|number| item(number, "All")).collect()
}

#[test]
fn each_new_item_is_an_event_and_old_ones_expire_in_silence() {
    let mut stage = Stage::new();
    let watch = feed_watch(Settings::default());
    assert_eq!(serve(&mut stage, &watch, &items(0..5)).outcome, Outcome::First);
    let told = serve(&mut stage, &watch, &items(2..7));
    assert_eq!(kinds(&told.events), [Kind::ItemAdded, Kind::ItemAdded]);
    assert_eq!(told.events[0].summary, "new item: Story 6");
    assert_eq!(
        (told.events[0].url.as_str(), told.events[0].name.as_str()),
        ("http://example.org/story/6", "The island")
    );
    assert!(!told.events[0].excerpts.is_empty());
    assert_eq!(stage.check(&watch).outcome, Outcome::Unchanged);
}

#[test]
fn items_that_are_altered_or_taken_back_are_told() {
    let mut stage = Stage::new();
    let watch = feed_watch(Settings::default());
    serve(&mut stage, &watch, &items(0..5));
    let mut now = items(0..5);
    now[1] = item(3, "Nothing");
    now.remove(2);
    let told = serve(&mut stage, &watch, &now);
    assert_eq!(kinds(&told.events), [Kind::ItemModified, Kind::ItemRemoved]);
    assert_eq!(told.events[1].summary, "item taken back: Story 2");
    assert!(told.events[0].degree.unwrap() > 0.0);
}

#[test]
fn more_than_twenty_items_are_one_event_with_a_list() {
    let mut stage = Stage::new();
    let watch = feed_watch(Settings::default());
    serve(&mut stage, &watch, &items(0..5));
    let told = serve(&mut stage, &watch, &items(0..30));
    assert_eq!(kinds(&told.events), [Kind::ItemAdded]);
    assert_eq!((told.events[0].summary.as_str(), told.events[0].pages.len()), ("25 items new", 25));
    assert_eq!(told.events[0].pages[0].title, "Story 29");
}

#[test]
fn items_count_by_what_they_say() {
    let mut stage = Stage::new();
    let counts = Counts { trigger: vec!["ferry".to_owned()], ..Counts::default() };
    let watch = feed_watch(Settings { counts, ..Settings::default() });
    serve(&mut stage, &watch, &items(0..2));
    let mut now = items(0..3);
    assert_eq!(serve(&mut stage, &watch, &now).outcome, Outcome::Ignored);
    now.insert(0, item(3, "The ferry"));
    assert_eq!(serve(&mut stage, &watch, &now).events.len(), 1);
}

#[test]
fn two_servers_that_do_not_agree_tell_each_item_once() {
    let mut stage = Stage::new();
    let watch = feed_watch(Settings::default());
    for at in 0..6 {
        serve(&mut stage, &watch, &items(0..5 + at % 2));
    }
    // Added once, taken back once.
    assert_eq!(stage.keys().len(), 2);
}

#[test]
fn what_is_no_feed_is_a_failure_and_the_feed_goes_on_from_where_it_was() {
    let mut stage = Stage::new();
    let watch = feed_watch(Settings::default());
    serve(&mut stage, &watch, &items(0..5));
    let broken = stage.serve(&watch, "<p>We are down for maintenance");
    assert_eq!((broken.outcome, broken.events.len()), (Outcome::Failed, 0));
    assert_eq!(serve(&mut stage, &watch, &items(0..6)).events.len(), 1);
}

#[test]
fn new_items_are_fetched_a_few_at_a_time() {
    let mut stage = Stage::new();
    let watch = feed_watch(Settings { follow: true, ..Settings::default() });
    (0..12).for_each(|number| stage.page(&format!("http://example.org/story/{number}"), &format!("<p>Story {number}")));
    serve(&mut stage, &watch, &items(0..5));
    assert_eq!(stage.script.asked().len(), 1 + 3);
    stage.check(&watch);
    assert_eq!(stage.script.asked().len(), 1 + 2);
    serve(&mut stage, &watch, &items(0..6));
    assert_eq!(stage.script.asked(), [URL, "http://example.org/story/5"]);
    assert_eq!(stage.context.archive.captures_of("http://example.org/story/5").unwrap().len(), 1);
    assert!(stage.context.archive.catalog().stream("example.org").unwrap().is_some());
}
