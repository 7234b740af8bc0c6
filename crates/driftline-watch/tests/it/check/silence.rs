//! Real edits that look like flicker: each is reported.

use driftline::event::Kind;
use driftline::span::Span;
use driftline_watch::check::State;
use driftline_watch::schedule::Schedule;
use driftline_watch::watches::{Keep, Settings, Watch};

use super::stage::{Reply, Stage, kinds, plain, watch};

const URL: &str = "http://example.org/place";
const TEXT: &str = "The old harbour overlooks the quiet bay, and every summer its boats sail out to the islands. \
    There is a museum of ropes, a school for pilots, and a market on each Saturday from spring to autumn.";

fn page(body: &str) -> String {
    format!(
        "<title>Place</title><main><h1>The place</h1><p id=text>{TEXT}</p>{body}</main><footer><p>By its people.</p></footer>"
    )
}

fn learned(stage: &Stage, watch: &Watch) -> Vec<String> {
    let stored = stage.context.archive.catalog().state(&watch.id).unwrap().unwrap();
    let state = State::read(&stored.body).unwrap();
    state.learned.folded().map(|(selector, _)| selector.to_owned()).collect()
}

fn captures(stage: &Stage) -> usize {
    stage.context.archive.captures_of(URL).unwrap().len()
}

fn replies(pages: &[&String]) -> Reply {
    Reply::First(pages.iter().map(|page| Reply::Page((*page).clone())).collect())
}

fn clock(minute: usize) -> String {
    page(&format!("<p class=clock>2 March 2026, {:02}:{:02}</p>", 8 + minute / 60, minute % 60))
}

/// Learns a clock, whose last answer is not kept.
fn with_clock(stage: &mut Stage, watch: &Watch) {
    (0..6).for_each(|minute| assert_eq!(kinds(&stage.serve(watch, &clock(minute)).events), []));
    assert_eq!(learned(stage, watch), [".clock"]);
}

#[test]
fn a_price_in_one_block_with_a_learned_clock_is_reported_each_time() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let offer = |price: &str, minute: usize| {
        page(&format!("<p class=offer>Price {price} EUR, as of 2 March 2026, 08:{minute:02}</p>"))
    };
    (1..5).for_each(|minute| assert_eq!(kinds(&stage.serve(&watch, &offer("24.99", minute)).events), []));
    assert_eq!(learned(&stage, &watch), [".offer"]);
    for (minute, price) in ["31.50", "12.00", "99.00"].into_iter().enumerate() {
        assert_eq!(kinds(&stage.serve(&watch, &offer(price, 10 + minute)).events), [Kind::Changed], "{price}");
        (20..24).for_each(|more| assert_eq!(kinds(&stage.serve(&watch, &offer(price, 15 * minute + more)).events), []));
    }
}

#[test]
fn an_edit_that_one_stale_server_does_not_have_yet_is_reported_when_all_have_it() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let [old, new, newer] = ["open on Sunday", "closed on Sunday", "sold"]
        .map(|state| page(&format!("<p class=state>The inn is {state}.</p>")));
    stage.serve(&watch, &old);
    stage.script.set(URL, replies(&[&new, &new, &old, &new]));
    assert_eq!(kinds(&stage.check(&watch).events), []);
    assert_eq!(captures(&stage), 2, "the answer is archived all the same");
    assert_eq!(kinds(&stage.follow(&watch, 2)), [Kind::Changed]);
    assert_eq!(kinds(&stage.serve(&watch, &newer).events), [Kind::Changed]);
    assert_eq!(learned(&stage, &watch), Vec::<String>::new());
}

#[test]
fn a_notice_in_place_of_the_page_during_a_refetch_teaches_nothing() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let notice =
        "<title>Just a moment</title><main><h1>Checking your browser</h1><p id=text>Ray 5</p></main>".to_owned();
    let [old, new] = ["open", "closed"].map(|state| page(&format!("<p class=state>The inn is {state} on Sunday.</p>")));
    stage.serve(&watch, &old);
    stage.script.set(URL, replies(&[&new, &notice, &new, &notice, &new]));
    assert_eq!(kinds(&stage.check(&watch).events), [Kind::Changed]);
    assert_eq!(learned(&stage, &watch), Vec::<String>::new());
    stage.script.set(URL, replies(&[&notice, &new]));
    assert_eq!(kinds(&stage.check(&watch).events), [], "the notice itself is gone in the next fetch");
    assert_eq!(kinds(&stage.check(&watch).events), []);
    let other = new.replace("quiet", "busy");
    assert_eq!(kinds(&stage.serve(&watch, &other).events), [Kind::Changed]);
}

#[test]
fn what_was_folded_is_compared_again_when_the_settings_change() {
    let mut stage = Stage::new();
    with_clock(&mut stage, &plain(URL));
    let off = watch("place", URL, Settings { learn: Some(false), ..Settings::default() });
    assert_eq!(kinds(&stage.check(&off).events), [Kind::Changed]);
}

#[test]
fn what_was_folded_is_requested_without_conditions_when_the_settings_change() {
    let mut stage = Stage::new();
    let watched = plain(URL);
    for (minute, tag) in ["\"0\"", "\"1\"", "\"2\"", "\"3\"", "\"4\""].into_iter().enumerate() {
        stage.script.set(URL, Reply::Tagged(clock(minute), tag));
        assert_eq!(kinds(&stage.check(&watched).events), []);
    }
    assert_eq!(stage.check(&watched).bytes, 0, "it is a 304 as long as nothing else counts");
    let off = watch("place", URL, Settings { learn: Some(false), ..Settings::default() });
    assert_eq!(kinds(&stage.check(&off).events), [Kind::Changed]);
}

#[test]
fn a_date_beside_an_ignored_advertisement_is_reported() {
    let mut stage = Stage::new();
    let settings = Settings { ignore: vec![".ad".to_owned()], ..Settings::default() };
    let watch = watch("place", URL, settings);
    let next = |day: usize, ad: usize| {
        page(&format!("<div class=next>Meeting on {day} March <span class=ad>Ad {ad}</span></div>"))
    };
    (0..4).for_each(|ad| assert_eq!(kinds(&stage.serve(&watch, &next(3, ad)).events), []));
    stage.serve(&watch, &next(10, 5));
    assert_eq!(kinds(&stage.serve(&watch, &next(10, 6)).events), [Kind::Changed]);
    assert_eq!(learned(&stage, &watch), Vec::<String>::new());
}

#[test]
fn a_date_beside_a_learned_clock_in_the_same_block_is_reported() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let next = |day: usize, minute: usize| {
        page(&format!("<div class=next>Meeting on {day} March <span class=clock>08:{minute:02}</span></div>"))
    };
    (0..5).for_each(|minute| assert_eq!(kinds(&stage.serve(&watch, &next(3, minute)).events), []));
    let events: usize = (6..10).map(|minute| stage.serve(&watch, &next(10, minute)).events.len()).sum();
    assert_eq!((events, learned(&stage, &watch)), (1, vec![".clock".to_owned()]));
}

#[test]
fn sixty_dates_that_change_once_are_reported_once() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let cards = |year: usize| {
        let card = |number: usize| {
            format!("<div class=card><h3>Concert {number}</h3><p>On {} March {year}</p></div>", number % 28 + 1)
        };
        page(&(0..60).map(card).collect::<String>())
    };
    stage.serve(&watch, &cards(2026));
    stage.page(URL, &cards(2027));
    assert_eq!(kinds(&stage.follow(&watch, 10)), [Kind::Changed]);
    assert_eq!(captures(&stage), 2);
    (0..3).for_each(|_| assert_eq!(stage.follow(&watch, 10).len(), 0));
}

fn daily() -> Watch {
    let schedule = Schedule::every(Span::from_seconds(86_400));
    let daily = watch("place", URL, Settings::default());
    Watch { settings: std::sync::Arc::new(Settings { schedule, ..(*daily.settings).clone() }), ..daily }
}

#[test]
fn a_date_or_a_price_that_changes_once_a_day_is_reported_each_day() {
    for what in ["The next boat leaves on {} March", "Petrol costs 1.{} euros"] {
        let (mut stage, watch) = (Stage::new(), daily());
        let board = |day: usize| page(&format!("<p class=board>{}</p>", what.replace("{}", &day.to_string())));
        stage.serve(&watch, &board(10));
        for day in 11..25 {
            stage.page(URL, &board(day));
            assert_eq!(kinds(&stage.follow(&watch, 24 * 60)), [Kind::Changed], "{what} {day}");
        }
        assert_eq!(learned(&stage, &watch), Vec::<String>::new());
    }
}

#[test]
fn a_date_that_changes_every_day_is_reported_although_nobody_looks_again_soon() {
    let (mut stage, watch) = (Stage::new(), daily());
    let board = |day: usize| page(&format!("<p class=board>The next boat leaves on {day} March</p>"));
    stage.serve(&watch, &board(1));
    let mut silent = Vec::new();
    for day in 2..22 {
        stage.pass(24 * 60 - 10);
        if stage.serve(&watch, &board(day)).events.is_empty() {
            silent.push(day);
        }
    }
    assert!(silent.len() <= 2 && silent.windows(2).all(|days| days[1] - days[0] > 5), "{silent:?}");
}

#[test]
fn a_change_whose_check_is_interrupted_is_reported_by_the_next_one() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.serve(&watch, &page("<p class=state>open</p>"));
    stage.stop(true);
    assert_eq!(kinds(&stage.serve(&watch, &page("<p class=state>closed</p>")).events), []);
    stage.stop(false);
    assert_eq!(kinds(&stage.check(&watch).events), [Kind::Changed]);
}

#[test]
fn a_server_that_is_too_busy_for_a_second_fetch_is_left_alone() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.serve(&watch, &page("<p class=state>open</p>"));
    stage.script.asked();
    let edited = Reply::Page(page("<p class=state>closed</p>"));
    stage.script.set(URL, Reply::First(vec![edited, Reply::Busy(429, 600)]));
    let checked = stage.check(&watch);
    assert_eq!((checked.retry_after, checked.is_overloaded), (Some(Span::from_seconds(600)), true));
    assert_eq!((stage.script.asked().len(), kinds(&checked.events)), (2, vec![Kind::Changed]));
}

#[test]
fn a_page_is_fetched_again_after_the_pause_that_its_host_asks_for() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let mut number = 0;
    let mut change = |stage: &mut Stage| {
        number += 1;
        stage.pauses();
        stage.serve(
            &watch,
            &page(&format!("<p class=state>The state of {number}{number}</p><p>{}</p>", "word ".repeat(number))),
        );
        stage.pauses()
    };
    change(&mut stage);
    stage.context.pause.delay = Span::from_seconds(1);
    assert_eq!(change(&mut stage), [Span::from_seconds(1); 3]);
    stage.script.ask_for(Span::from_seconds(8));
    assert_eq!(change(&mut stage), [Span::from_seconds(8)]);
    stage.script.ask_for(Span::from_seconds(11));
    assert_eq!(change(&mut stage), []);
    stage.script.ask_for(Span::from_seconds(1));
    assert_eq!(change(&mut stage).len(), 1, "its last changes did not flicker");
}

#[test]
fn a_still_page_is_fetched_twice_at_its_first_check_and_once_in_others() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.serve(&watch, &page(""));
    assert_eq!(stage.script.asked().len(), 2);
    stage.check(&watch);
    assert_eq!(stage.script.asked().len(), 1);
}

#[test]
fn a_token_in_the_head_is_archived_twice_and_not_at_each_check() {
    for zone in [Vec::new(), vec!["main".to_owned()]] {
        let mut stage = Stage::new();
        let watch = watch("place", URL, Settings { zone, ..Settings::default() });
        for number in 0..10 {
            let token = format!("<meta name=csrf-token content=x{}>", 7_919 * (number + 1));
            let checked = stage.serve(&watch, &page("").replacen("<title>", &format!("{token}<title>"), 1));
            assert_eq!(kinds(&checked.events), []);
        }
        assert!(captures(&stage) <= 2, "{}", captures(&stage));
        let edited = page("").replace("quiet", "busy");
        assert_eq!(kinds(&stage.serve(&watch, &edited).events), [Kind::Changed]);
    }
}

#[test]
fn a_learned_clock_with_keep_versions_is_archived_and_not_checked_again_soon() {
    let mut stage = Stage::new();
    let watch = watch("place", URL, Settings { keep: Keep::Versions, ..Settings::default() });
    for minute in 0..8 {
        let checked = stage.serve(&watch, &clock(minute));
        let wait = stage.now.distance(checked.next.unwrap());
        assert_eq!((kinds(&checked.events), wait == 90_000_000), (Vec::new(), minute == 1), "{minute}");
    }
    assert_eq!(captures(&stage), 8);
}
