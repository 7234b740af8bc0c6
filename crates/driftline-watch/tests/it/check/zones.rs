//! Zones that move, go, and come back.

use driftline::event::Kind;
use driftline::page::{Page, Source};
use driftline_watch::check::{Outcome, State};
use driftline_watch::watches::{Settings, Watch};

use super::stage::{Reply, Stage, kinds, watch};

const URL: &str = "http://example.org/news";
const NEWS: &str = "<h2>Weather</h2><p>Rain, wind and more rain until Friday, then sun over all of the islands.</p>";
const REST: &str = "<nav><a href=/a>About</a><a href=/b>Contact</a></nav><footer>Call 555 1234 for tickets</footer>";

fn zoned(zone: &str) -> Watch {
    watch("news", URL, Settings { zone: vec![zone.to_owned()], ..Settings::default() })
}

fn page(news: &str) -> String {
    format!("{REST}{news}")
}

#[test]
fn only_the_zone_counts() {
    let mut stage = Stage::new();
    let watch = zoned("#news");
    stage.serve(&watch, &page(&format!("<div id=news>{NEWS}</div>")));
    let other = stage.serve(&watch, &page(&format!("<div id=news>{NEWS}</div>")).replace("1234", "9999"));
    assert_eq!((other.outcome, other.events.len()), (Outcome::Ignored, 0));
    let told = stage.serve(&watch, &page(&format!("<div id=news>{}</div>", NEWS.replace("Friday", "Sunday"))));
    assert_eq!((kinds(&told.events), told.events[0].template_similarity), (vec![Kind::Changed], None));
}

#[test]
fn a_change_of_a_zone_is_stored_with_how_it_was_read() {
    let mut stage = Stage::new();
    let (part, all) = (zoned("#news"), watch("all", URL, Settings::default()));
    let texts = [NEWS.to_owned(), NEWS.replace("Friday", "Sunday")];
    let [_, told] = texts.map(|news| stage.serve(&part, &page(&format!("<div id=news>{news}</div>"))));
    let event = stage.context.archive.catalog().event(&told.events[0].key).unwrap().unwrap();
    let (older, newer) = (event.older.unwrap(), event.capture.unwrap());
    assert!(event.reading.contains("\"zone\":[\"#news\"]"), "{}", event.reading);
    let catalog = stage.context.archive.catalog();
    let change = catalog.change_read(older, newer, &event.reading).unwrap().unwrap();
    assert_eq!((change.reading, change.degree > 0.0), (event.reading, true));
    assert_eq!(catalog.change(older, newer).unwrap(), None, "all of the page was not compared");
    assert_eq!(catalog.capture(older).unwrap().unwrap().capture.url, URL);
    // Another watch of the page reads all of it.
    stage.serve(&all, &page(&format!("<div id=news>{NEWS}</div>")));
    let told = stage.serve(&all, &page("<p>gone</p>"));
    let event = stage.context.archive.catalog().event(&told.events[0].key).unwrap().unwrap();
    assert_eq!((event.reading.as_str(), event.older.is_some()), ("", true));
}

#[test]
fn a_zone_follows_its_block_and_says_where_it_is() {
    let mut stage = Stage::new();
    let watch = zoned("#news");
    stage.serve(&watch, &page(&format!("<div id=news>{NEWS}</div>")));
    let moved = stage.serve(&watch, &page(&format!("<main><div class=box>{NEWS}</div></main>")));
    assert_eq!(kinds(&moved.events), [Kind::ZoneFound]);
    assert!(moved.events[0].summary.contains(".box"), "{}", moved.events[0].summary);
    let told =
        stage.serve(&watch, &page(&format!("<main><div class=box>{}</div></main>", NEWS.replace("Friday", "Sunday"))));
    assert_eq!(kinds(&told.events), [Kind::Changed]);
}

#[test]
fn a_page_is_read_in_the_zone_that_its_block_moved_to() {
    let mut stage = Stage::new();
    let watch = zoned("#news");
    stage.serve(&watch, &page(&format!("<div id=news>{NEWS}</div>")));
    let newer = page(&format!("<main><div class=box>{NEWS}</div></main>"));
    stage.serve(&watch, &newer);
    let state = State::read(&stage.context.archive.catalog().state(&watch.id).unwrap().unwrap().body).unwrap();
    let source = Source { bytes: newer.as_bytes(), content_type: Some("text/html"), url: None };
    let matches = |state: &State| Page::read(source, &state.read_options(&watch).unwrap()).zone_matches();
    assert_eq!((matches(&state), matches(&State::default())), (Some(1), Some(0)));
}

#[test]
fn a_zone_that_is_lost_is_told_once_and_when_it_is_found_again() {
    let mut stage = Stage::new();
    let watch = zoned("#news");
    stage.serve(&watch, &page(&format!("<div id=news>{NEWS}</div>")));
    let lost = stage.serve(&watch, &page(""));
    assert_eq!(kinds(&lost.events), [Kind::ZoneLost]);
    assert_eq!(stage.serve(&watch, &(page("") + "<p>Back soon")).events.len(), 0);
    let found = stage.serve(&watch, &page(&format!("<div id=news>{NEWS}</div>")));
    assert_eq!(kinds(&found.events), [Kind::ZoneFound]);
    assert_eq!(found.events[0].since, Some(lost.events[0].at));
    let later = stage.serve(&watch, &page(&format!("<div id=news>{}</div>", NEWS.replace("Friday", "Sunday"))));
    assert_eq!(kinds(&later.events), [Kind::Changed]);
}

#[test]
fn a_zone_that_was_never_there_is_told_at_the_first_check() {
    let mut stage = Stage::new();
    let watch = zoned("#typo");
    let first = stage.serve(&watch, &page(NEWS));
    assert_eq!((first.outcome, kinds(&first.events)), (Outcome::First, vec![Kind::ZoneLost]));
    let found = stage.serve(&watch, &page(&format!("<div id=typo>{NEWS}</div>")));
    assert_eq!(kinds(&found.events), [Kind::ZoneFound]);
}

#[test]
fn another_zone_in_the_watch_alarms_nobody() {
    let mut stage = Stage::new();
    stage.serve(&zoned("#news"), &page(&format!("<div id=news>{NEWS}</div>")));
    assert_eq!(stage.check(&zoned("footer")).events.len(), 0);
    let told = stage.serve(&zoned("footer"), &page(&format!("<div id=news>{NEWS}</div>")).replace("1234", "9999"));
    assert_eq!(kinds(&told.events), [Kind::Changed]);
}

#[test]
fn a_zone_on_json_is_a_failure_and_not_a_zone_that_is_lost() {
    let mut stage = Stage::new();
    let watch = zoned("price");
    stage.script.set(URL, Reply::File(b"{\"price\": 19.5}".to_vec(), "application/json"));
    let told = stage.check(&watch);
    assert_eq!(
        (told.outcome, kinds(&told.events)),
        (Outcome::Failed, vec![Kind::CheckFailing]),
        "at once, as it lasts"
    );
    assert_eq!(told.failure.as_deref(), Some("the zone `price` is a CSS selector for HTML, and the answer is JSON"));
    let plain = super::stage::plain(URL);
    stage.check(&plain);
    stage.script.set(URL, Reply::File(b"{\"price\": 24}".to_vec(), "application/json"));
    assert_eq!(kinds(&stage.check(&plain).events), [Kind::Changed], "without the zone it is compared by path");
}

#[test]
fn a_json_answer_of_a_page_that_had_its_zone_is_no_lasting_failure() {
    let mut stage = Stage::new();
    let watch = zoned("#news");
    stage.serve(&watch, &page(&format!("<div id=news>{NEWS}</div>")));
    stage.script.set(URL, Reply::File(b"{\"error\": \"try again\"}".to_vec(), "application/json"));
    let told = stage.check(&watch);
    assert_eq!((told.outcome, told.events.len()), (Outcome::Failed, 0), "a gateway in trouble");
    let back = stage.serve(&watch, &page(&format!("<div id=news>{NEWS}</div>")));
    assert_eq!((back.outcome, back.events.len()), (Outcome::Unchanged, 0));
}
