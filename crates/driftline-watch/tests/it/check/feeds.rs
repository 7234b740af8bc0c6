//! Feeds, item by item.

use driftline::event::Kind;
use driftline::span::Span;
use driftline_fetch::{How, With};
use driftline_watch::check::{FirstLook, Outcome};
use driftline_watch::watches::{self, Counts, Keep, Settings, Watch};

use super::stage::{Reply, Stage, kinds, watch};

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
fn the_first_check_of_a_feed_that_is_watched_as_a_page_says_that_it_is_a_feed() {
    let mut stage = Stage::new();
    let told = serve(&mut stage, &watch("feed", URL, Settings::default()), &items(0..5));
    assert_eq!((told.outcome, told.first), (Outcome::First, Some(FirstLook::FeedAsPage(5))));
    let mut stage = Stage::new();
    let told = serve(&mut stage, &feed_watch(Settings::default()), &items(0..5));
    assert_eq!(told.first, Some(FirstLook::Feed(5)));
}

#[test]
fn a_feed_whose_date_alone_differs_is_not_archived_again() {
    let rss = |date: &str, items: &[String]| {
        format!(
            "<rss version='2.0'><channel><title>The island</title><pubDate>{date}</pubDate>\
             <lastBuildDate>{date}</lastBuildDate>{}</channel></rss>",
            items.concat()
        )
    };
    let atom = |date: &str, items: &[String]| {
        let entry = format!(
            "<entry><id>urn:1</id><title>Story</title><updated>2026-01-01</updated><summary>{}</summary></entry>",
            items.len()
        );
        format!("<feed xmlns='http://www.w3.org/2005/Atom'><title>I</title><updated>{date}</updated>{entry}</feed>")
    };
    let feed = |is_atom, date: &str, items: &[String]| if is_atom { atom(date, items) } else { rss(date, items) };
    for (keep, kept) in [(Keep::Changes, 1), (Keep::Versions, 3)] {
        for is_atom in [false, true] {
            let mut stage = Stage::new();
            let watch = feed_watch(Settings { keep, ..Settings::default() });
            let mut serve = |date: &str, items: &[String]| {
                stage.script.set(URL, Reply::File(feed(is_atom, date, items).into_bytes(), "application/rss+xml"));
                let checked = stage.check(&watch);
                (checked.events.len(), stage.context.archive.captures_of(URL).unwrap().len())
            };
            assert_eq!(serve("Thu, 01 Jan 2026 10:00:00 GMT", &items(0..5)), (0, 1));
            assert_eq!(serve("Thu, 01 Jan 2026 11:00:00 GMT", &items(0..5)).0, 0);
            assert_eq!(serve("Thu, 01 Jan 2026 12:00:00 GMT", &items(0..5)), (0, kept), "{keep:?}");
            let changed = serve("Thu, 01 Jan 2026 12:00:00 GMT", &items(0..6));
            assert_eq!(changed, (1, kept + 1), "{keep:?}");
        }
    }
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
fn a_changed_item_says_what_changed() {
    let item = |title: &str, link: &str, text: &str| {
        format!(
            "<item><guid>urn:1</guid><title>{title}</title><link>http://example.org/{link}</link>\
             <description>{text}</description></item>"
        )
    };
    let (friday, saturday) = ("Songs of the sea, on Friday at eight.", "Songs of the sea, on Saturday at eight.");
    let many = format!("{friday} {}", "More songs are sung. ".repeat(5));
    let long = "Songs and stories of the sea, told by those who sailed it for all of their lives";
    let cut = "Songs and stories of the sea, told by those who sailed it f…";
    for (newer, summary) in [
        (item("Concert", "a", saturday), "Concert: the sea, on Friday → Saturday at eight"),
        (item("Concert", "b", saturday), "Concert: the sea, on Friday → Saturday at eight; link changed"),
        (item("Concert", "a", &many), "Concert: 4 words added, 16 copied"),
        (item("Concert", "b", friday), "Concert: link changed"),
        (item("Concert", "a", &friday.replace("sea", "&lt;b&gt;sea&lt;/b&gt;")), "Concert: only markup changed"),
        (item("Late concert", "a", friday), "Late concert: Concert → Late concert"),
        (
            item("Party", "a", &saturday.replace("Songs", "Dances")),
            "Party: Concert → Party, Songs → Dances, on Friday → Saturday",
        ),
        (item("", "a", friday), "urn:1: “Concert” removed"),
        (item(long, "a", friday), &format!("{cut}: 12 words added, 1 dropped, 5 copied")),
    ] {
        let mut stage = Stage::new();
        let watch = feed_watch(Settings::default());
        serve(&mut stage, &watch, &[item("Concert", "a", friday)]);
        let told = serve(&mut stage, &watch, &[newer]);
        let summaries: Vec<&str> = told.events.iter().map(|event| event.summary.as_str()).collect();
        assert_eq!(summaries, [format!("changed item: {summary}")]);
    }
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

/// Each item that was gone was held against all others, each time with all patterns compiled anew: hours of work.
#[test]
fn a_feed_of_ten_thousand_other_items_is_judged_once_and_for_all() {
    let mut stage = Stage::new();
    // Each takes some milliseconds to compile.
    let trigger = (0..20).map(|number| format!(r"zebra{number}\w{{15}}")).collect();
    let counts = Counts { trigger, ..Counts::default() };
    let watch = feed_watch(Settings { counts, ..Settings::default() });
    let item =
        |at: usize| format!("<item><guid>urn:{at}</guid><title>t{at}</title><description>d{at}</description></item>");
    let all = |numbers: std::ops::Range<usize>| -> Vec<String> { numbers.map(item).collect() };
    serve(&mut stage, &watch, &all(0..10_000));
    // One stays at the end, so that all others were taken back.
    let mut now = all(10_000..19_999);
    now.push(item(9_999));
    assert_eq!(serve(&mut stage, &watch, &now).outcome, Outcome::Ignored);
    let mut now = all(20_000..29_999);
    now.push(item(9_999));
    let everything = feed_watch(Settings::default());
    let told = serve(&mut stage, &everything, &now);
    assert_eq!(kinds(&told.events), [Kind::ItemAdded, Kind::ItemRemoved]);
    assert!(told.events.iter().all(|event| event.pages.len() == 1_000 && event.limits == ["pages"]));
    assert!(told.events.iter().all(|event| event.summary.starts_with("9,999 items")), "{:?}", told.events[0].summary);
}

fn story(number: usize) -> String {
    format!("http://example.org/story/{number}")
}

#[test]
fn a_busy_host_is_not_asked_for_more_items_and_is_left_alone() {
    let mut stage = Stage::new();
    let watch = feed_watch(Settings { follow: true, ..Settings::default() });
    (0..5).for_each(|number| stage.page(&story(number), "<p>Story"));
    stage.script.set(&story(3), Reply::Busy(429, 1_500));
    let busy = serve(&mut stage, &watch, &items(0..5));
    assert_eq!(stage.script.asked(), [URL, &story(4), &story(3)]);
    assert_eq!((busy.outcome, busy.is_overloaded), (Outcome::First, true));
    assert_eq!(busy.retry_after, Some(Span::from_seconds(1_500)));
    // Twice ten minutes are less than it asks for.
    stage.page(&story(3), "<p>Story");
    for _ in 0..2 {
        assert!(!stage.check(&watch).is_overloaded);
        assert_eq!(stage.script.asked(), [URL]);
    }
    // All that wait come in the end, the one that was refused behind the others.
    stage.check(&watch);
    stage.check(&watch);
    assert_eq!(stage.script.asked(), [URL, &story(2), &story(1), &story(0), URL, &story(3)]);
}

#[test]
fn a_busy_host_of_items_says_nothing_against_the_host_of_the_feed() {
    let mut stage = Stage::new();
    let watch = feed_watch(Settings { follow: true, ..Settings::default() });
    stage.script.set("http://other.example/1", Reply::Busy(503, 1_500));
    let elsewhere = item(0, "All").replace("http://example.org/story/0", "http://other.example/1");
    let busy = serve(&mut stage, &watch, &[elsewhere]);
    assert_eq!((busy.is_overloaded, busy.retry_after), (false, None));
    stage.check(&watch);
    assert_eq!(stage.script.asked(), [URL, "http://other.example/1", URL]);
}

#[test]
fn an_item_whose_host_is_never_reached_is_given_up() {
    let mut stage = Stage::new();
    let watch = feed_watch(Settings { follow: true, ..Settings::default() });
    stage.script.set(&story(0), Reply::Timeout);
    serve(&mut stage, &watch, &items(0..1));
    (0..5).for_each(|_| drop(stage.check(&watch)));
    assert_eq!(stage.script.asked().iter().filter(|asked| **asked == story(0)).count(), 3);
}

const PAGE: &str = "http://example.org/";

/// A page that announces the feed in two formats, and the items of both.
fn serve_page(
    stage: &mut Stage,
    watch: &Watch,
    words: &str,
    numbers: std::ops::Range<usize>,
) -> driftline_watch::check::Checked {
    serve_both(stage, watch, words, numbers, "urn")
}

/// The same, with ids of the second format that begin like this.
fn serve_both(
    stage: &mut Stage,
    watch: &Watch,
    words: &str,
    numbers: std::ops::Range<usize>,
    scheme: &str,
) -> driftline_watch::check::Checked {
    let page = format!(
        "<title>The island</title><link rel=alternate type=application/rss+xml href=/feed>\
         <link rel=alternate type=application/atom+xml href=/atom><p>{words}"
    );
    stage.script.set(PAGE, Reply::Page(page));
    let entry = |number: usize| {
        format!(
            "<entry><id>{scheme}:{number}</id><title>Story {number}</title><link href='http://example.org/story/{number}'/></entry>"
        )
    };
    let atom: String = numbers.clone().rev().map(entry).collect();
    let atom = format!("<feed xmlns='http://www.w3.org/2005/Atom'><title>The island</title>{atom}</feed>");
    stage.script.set("http://example.org/atom", Reply::File(atom.into_bytes(), "application/atom+xml"));
    serve(stage, watch, &items(numbers))
}

#[test]
fn feeds_that_a_page_announces_are_compared_under_its_watch() {
    let mut stage = Stage::new();
    let watch = watch("page", PAGE, Settings { feeds: true, ..Settings::default() });
    assert_eq!(serve_page(&mut stage, &watch, "Quiet words.", 0..5).outcome, Outcome::First);
    let told = serve_page(&mut stage, &watch, "Quiet words.", 0..6);
    assert_eq!(
        (told.outcome, kinds(&told.events)),
        (Outcome::Changed, vec![Kind::ItemAdded]),
        "one item, in two formats"
    );
    let event = &told.events[0];
    assert_eq!((event.watch.as_deref(), event.name.as_str()), (Some("page"), "The island"));
    assert_eq!((event.summary.as_str(), event.url.as_str()), ("new item: Story 5", "http://example.org/story/5"));
    assert_eq!(stage.check(&watch).outcome, Outcome::Unchanged);
    let told = serve_page(&mut stage, &watch, "Loud words.", 0..7);
    assert_eq!(kinds(&told.events), [Kind::Changed, Kind::ItemAdded], "the page and its feed");
    stage.script.asked();
    let plain = super::stage::watch("plain", PAGE, Settings::default());
    stage.check(&plain);
    assert!(stage.script.asked().iter().all(|url| url == PAGE), "nobody asked for the feeds of this one");
}

#[test]
fn a_feed_of_a_page_that_fails_for_long_is_told_once_and_so_is_its_end() {
    let mut stage = Stage::new();
    let watch = watch("page", PAGE, Settings { feeds: true, ..Settings::default() });
    serve_page(&mut stage, &watch, "Quiet words.", 0..5);
    stage.script.set(URL, Reply::Status(500));
    let mut told = Vec::new();
    for _ in 0..5 {
        stage.pass(60);
        let checked = stage.check(&watch);
        assert_eq!(checked.outcome, Outcome::Unchanged, "the page itself is well");
        told.extend(checked.events);
    }
    assert_eq!(kinds(&told), [Kind::CheckFailing]);
    assert!(told[0].summary.starts_with("checks of the feed `http://example.org/feed` fail: "), "{}", told[0].summary);
    let told = serve_page(&mut stage, &watch, "Quiet words.", 0..6);
    assert_eq!(kinds(&told.events), [Kind::CheckRecovered, Kind::ItemAdded]);
}

const ELSEWHERE: &str = "http://feeds.example.net/atom";

/// A page that announces one feed, somewhere else, and an entry of that.
fn serve_elsewhere(stage: &mut Stage, watch: &Watch, link: &str, last: usize) -> driftline_watch::check::Checked {
    stage.page(PAGE, &format!("<title>The island</title>{link}<p>Quiet words."));
    let entries: String = (0..=last)
        .rev()
        .map(|number| format!("<entry><id>tag:{number}</id><title>Story {number}</title></entry>"))
        .collect();
    let atom = format!("<feed xmlns='http://www.w3.org/2005/Atom'><title>The island</title>{entries}</feed>");
    stage.script.set(ELSEWHERE, Reply::File(atom.into_bytes(), "application/atom+xml"));
    stage.check(watch)
}

const LINK: &str = "<link rel=alternate type=application/atom+xml href='http://feeds.example.net/atom'>";

#[test]
fn secrets_of_a_page_stay_with_it_and_a_browser_fetches_no_feed() {
    let mut stage = Stage::new();
    let fetch = How { with: With::Browser, ..How::default() };
    let watch = watch("page", PAGE, Settings { feeds: true, fetch, ..Settings::default() });
    serve_elsewhere(&mut stage, &watch, LINK, 3);
    let told = serve_elsewhere(&mut stage, &watch, LINK, 4);
    assert_eq!(kinds(&told.events), [Kind::ItemAdded]);
    assert_eq!(stage.script.way(ELSEWHERE), (Some(PAGE.to_owned()), With::Http));
    assert_eq!(stage.script.way(PAGE), (Some(PAGE.to_owned()), With::Browser));
}

#[test]
fn a_feed_that_a_maintenance_page_does_not_announce_goes_on_where_it_was() {
    let mut stage = Stage::new();
    let watch = watch("page", PAGE, Settings { feeds: true, learn: Some(false), ..Settings::default() });
    serve_elsewhere(&mut stage, &watch, LINK, 3);
    let told = serve_elsewhere(&mut stage, &watch, "<h1>We will be back soon</h1>", 4);
    assert_eq!(kinds(&told.events), [Kind::Changed]);
    let told = serve_elsewhere(&mut stage, &watch, LINK, 4);
    assert_eq!(kinds(&told.events), [Kind::Changed, Kind::ItemAdded], "published during the maintenance");
    serve_elsewhere(&mut stage, &watch, "<h1>Moved</h1>", 4);
    stage.pass(25 * 60);
    serve_elsewhere(&mut stage, &watch, "<h1>Moved for good</h1>", 4);
    let told = serve_elsewhere(&mut stage, &watch, LINK, 6);
    assert_eq!(kinds(&told.events), [Kind::Changed], "a feed that was away for a day begins anew");
}

#[test]
fn an_item_of_two_feeds_with_other_ids_is_one_event() {
    let mut stage = Stage::new();
    let watch = watch("page", PAGE, Settings { feeds: true, ..Settings::default() });
    serve_both(&mut stage, &watch, "Quiet words.", 0..5, "tag");
    let told = serve_both(&mut stage, &watch, "Quiet words.", 0..6, "tag");
    assert_eq!(kinds(&told.events), [Kind::ItemAdded]);
}

#[test]
fn a_busy_host_of_announced_feeds_is_left_alone() {
    let mut stage = Stage::new();
    let watch = watch("page", PAGE, Settings { feeds: true, ..Settings::default() });
    serve_page(&mut stage, &watch, "Quiet words.", 0..5);
    stage.script.set(URL, Reply::Busy(429, 600));
    stage.script.asked();
    let told = stage.check(&watch);
    assert_eq!((told.is_overloaded, told.retry_after), (true, Some(Span::from_seconds(600))));
    assert_eq!(stage.script.asked(), [PAGE, URL], "the other feed of the host is not requested");
}
