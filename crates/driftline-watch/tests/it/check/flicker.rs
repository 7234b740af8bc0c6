//! Elements that flicker: which are learned, and what is reported all the same.

use driftline::event::{Event, Kind};
use driftline_watch::check::{Checked, State};
use driftline_watch::watches::{Counts, Settings, Watch};

use super::stage::{Reply, Stage, kinds, plain, watch};

const URL: &str = "http://example.org/place";
const TEXT: &str = "The old harbour overlooks the quiet bay, and every summer its boats sail out.";

/// A page with a price, a text, and something at its foot.
fn page(price: &str, text: &str, foot: &str) -> String {
    format!(
        "<title>Place</title><main><h1>The place</h1><p id=price>A tour costs {price} euros</p><p id=text>{text}</p></main>\
         <footer><p>By its people.</p>{foot}</footer>"
    )
}

fn clock(minute: usize) -> String {
    format!("<p class=clock>2 March 2026, {:02}:{:02}</p>", 8 + minute / 60, minute % 60)
}

fn advert(number: usize) -> String {
    let words = ["Buy our boots", "Rent a car today", "Fly to Rome", "Learn to sing"];
    format!("<aside class=advert><a href=/buy/{number}>{}</a></aside>", words[number % words.len()])
}

/// Serves several pages in turn, and checks.
fn turn(stage: &mut Stage, watch: &Watch, pages: &[String]) -> Checked {
    stage.script.set(&watch.url, Reply::InTurn(pages.to_vec()));
    stage.check(watch)
}

/// The elements that the watch has learned.
fn learned(stage: &Stage, watch: &Watch) -> Vec<String> {
    let stored = stage.context.archive.catalog().state(&watch.id).unwrap().unwrap();
    let state = State::read(&stored.body).unwrap();
    state.learned.folded().map(|(selector, _)| selector.to_owned()).collect()
}

#[test]
fn a_page_with_a_clock_and_no_zone_never_notifies() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    for minute in 0..30 {
        let checked = stage.serve(&watch, &page("20.00", TEXT, &clock(minute)));
        assert_eq!(kinds(&checked.events), [], "check {minute}");
    }
    assert_eq!(learned(&stage, &watch), [".clock"]);
    assert_eq!(stage.context.archive.captures_of(URL).unwrap().len(), 1);
}

#[test]
fn a_real_edit_in_the_same_check_as_a_clock_tick_is_reported() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    (0..5).for_each(|minute| drop(stage.serve(&watch, &page("20.00", TEXT, &clock(minute)))));
    let checked = stage.serve(&watch, &page("31.50", TEXT, &clock(6)));
    assert_eq!(kinds(&checked.events), [Kind::Changed]);
    assert_eq!(checked.events[0].parts.len(), 1, "{:?}", checked.events[0].parts);
}

#[test]
fn other_words_beside_a_learned_clock_are_reported() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    (0..5).for_each(|minute| drop(stage.serve(&watch, &page("20.00", TEXT, &clock(minute)))));
    let closed = clock(6).replace("<p class=clock>", "<p class=clock>Closed since ");
    assert_eq!(kinds(&stage.serve(&watch, &page("20.00", TEXT, &closed)).events), [Kind::Changed]);
}

#[test]
fn a_date_that_changes_once_is_reported_by_the_next_check() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let meeting = |day| page("20.00", TEXT, &format!("<p class=meeting>The next meeting is on {day} March 2026.</p>"));
    stage.serve(&watch, &meeting(3));
    (0..5).for_each(|_| assert_eq!(kinds(&stage.check(&watch).events), []));
    let unclear = stage.serve(&watch, &meeting(4));
    assert_eq!(kinds(&unclear.events), []);
    let soon = unclear.next.unwrap().microseconds() - stage.now.microseconds();
    assert_eq!(soon, 90_000_000);
    assert_eq!(kinds(&stage.check(&watch).events), [Kind::Changed]);
    assert_eq!(learned(&stage, &watch), Vec::<String>::new());
}

#[test]
fn a_price_that_changes_rarely_is_not_learned() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.serve(&watch, &page("20.00", TEXT, ""));
    for price in 21..33 {
        let checked = stage.serve(&watch, &page(&format!("{price}.00"), TEXT, ""));
        assert_eq!(kinds(&checked.events), [Kind::Changed], "{price}");
        (0..3).for_each(|_| assert_eq!(kinds(&stage.check(&watch).events), []));
    }
    assert_eq!(learned(&stage, &watch), Vec::<String>::new());
}

#[test]
fn a_number_that_changes_in_every_check_is_learned() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let events: usize = (0..20)
        .map(|load| stage.serve(&watch, &page("20.00", TEXT, &format!("<p class=load>Load {load}"))))
        .map(|it| it.events.len())
        .sum();
    assert!((1..=5).contains(&events), "{events}");
    assert_eq!(learned(&stage, &watch), [".load"]);
}

#[test]
fn an_advertisement_that_differs_between_fetches_of_several_checks_is_learned_and_never_notifies() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let pages: Vec<String> = (0..4).map(|number| page("20.00", TEXT, &advert(number))).collect();
    for check in 0..12 {
        let mut turned = pages.clone();
        turned.rotate_left(check % 4);
        assert_eq!(kinds(&turn(&mut stage, &watch, &turned).events), []);
        stage.page(URL, &pages[1]);
        assert_eq!(kinds(&stage.check(&watch).events), []);
    }
    assert_eq!(learned(&stage, &watch), ["aside > a"]);
    let pages: Vec<String> = (0..4).map(|number| page("31.50", TEXT, &advert(number))).collect();
    assert_eq!(kinds(&turn(&mut stage, &watch, &pages).events), [Kind::Changed]);
}

/// Checks a page with a clock and another advertisement in each fetch after eleven hours, and again whenever that is wanted
/// within 90 s. All events.
fn follow_clock_and_advert(stage: &mut Stage, watch: &Watch, price: &str, mut turn: usize) -> Vec<Event> {
    stage.pass(11 * 60);
    let mut events = Vec::new();
    loop {
        let minute = usize::try_from(stage.now.microseconds() / 60_000_000 % (12 * 60)).unwrap();
        let foot = |number| clock(minute) + &advert(number);
        let pages = (turn..turn + 4).map(|number| page(price, TEXT, &foot(number))).collect();
        stage.script.set(&watch.url, Reply::InTurn(pages));
        let checked = stage.check_now(watch);
        events.extend(checked.events);
        let Some(soon) = checked.next.filter(|next| stage.now.distance(*next) <= 90_000_000) else { return events };
        (stage.now, turn) = (soon, turn + 1);
    }
}

#[test]
fn a_clock_beside_an_advertisement_is_learned_although_both_differ_and_checks_are_far_apart() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    for day in 0..6 {
        assert_eq!(kinds(&follow_clock_and_advert(&mut stage, &watch, "20.00", day)), [], "day {day}");
    }
    assert!(learned(&stage, &watch).contains(&".clock".to_owned()), "{:?}", learned(&stage, &watch));
    assert_eq!(kinds(&follow_clock_and_advert(&mut stage, &watch, "31.50", 7)), [Kind::Changed]);
}

#[test]
fn a_price_beside_a_clock_and_an_advertisement_is_reported_before_either_is_learned() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    follow_clock_and_advert(&mut stage, &watch, "20.00", 0);
    assert_eq!(kinds(&follow_clock_and_advert(&mut stage, &watch, "31.50", 1)), [Kind::Changed]);
}

/// A page in two wordings, whose checks see both of them.
fn alternating(stage: &mut Stage, watch: &Watch) -> [String; 2] {
    let both = ["Discover it.", "Read about it."].map(|lead| page("20.00", TEXT, &format!("<p>{lead}</p>")));
    let [one, other] = both.clone();
    stage.serve(watch, &one);
    for _ in 0..8 {
        assert_eq!(kinds(&turn(stage, watch, &[other.clone(), one.clone()]).events), []);
    }
    both
}

#[test]
fn a_page_that_alternates_between_two_wordings_is_learned_from_several_checks() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let [one, other] = alternating(&mut stage, &watch);
    for _ in 0..10 {
        assert_eq!(kinds(&stage.serve(&watch, &other).events), []);
        assert_eq!(kinds(&stage.serve(&watch, &one).events), []);
    }
    assert_eq!(learned(&stage, &watch).len(), 1);
}

#[test]
fn a_third_wording_of_a_page_that_alternates_between_two_is_reported() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    alternating(&mut stage, &watch);
    let third = page("20.00", TEXT, "<p>Closed for ever.</p>");
    assert_eq!(kinds(&stage.serve(&watch, &third).events), [Kind::Changed]);
}

#[test]
fn a_page_that_stays_with_one_of_its_wordings_is_reported_and_forgotten() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let [_, other] = alternating(&mut stage, &watch);
    let events: usize = (0..40).map(|_| stage.serve(&watch, &other).events.len()).sum();
    assert_eq!((events, learned(&stage, &watch)), (1, Vec::new()));
}

#[test]
fn an_edit_between_two_fetches_of_one_check_is_reported_once_it_stays() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let [first, edited, again] = ["Open.", "Closed in May.", "Closed until June."].map(|text| page("20.00", text, ""));
    turn(&mut stage, &watch, &[first, edited.clone(), edited.clone()]);
    turn(&mut stage, &watch, &[edited, again.clone(), again.clone(), again.clone()]);
    stage.page(URL, &again);
    assert_eq!(kinds(&stage.follow(&watch, 10)), [Kind::Changed]);
    assert_eq!(learned(&stage, &watch), Vec::<String>::new());
}

#[test]
fn a_page_that_alternates_for_long_is_not_forgotten() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let [one, other] = alternating(&mut stage, &watch);
    for _ in 0..40 {
        stage.serve(&watch, &other);
        stage.serve(&watch, &one);
    }
    assert_eq!(learned(&stage, &watch).len(), 1);
}

#[test]
fn an_element_that_a_neighbour_pushes_into_the_place_of_a_learned_one_is_reported() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    alternating(&mut stage, &watch);
    let pushed = page("20.00", TEXT, "<p>The ferry is sold.</p><p>Discover it.</p>");
    assert_eq!(kinds(&stage.serve(&watch, &pushed).events), [Kind::Changed]);
}

#[test]
fn a_counter_that_differs_in_each_fetch_is_learned_at_the_first_check() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let pages: Vec<String> =
        (0..60).map(|visit| page("20.00", TEXT, &format!("<p class=visit>You are guest {visit}"))).collect();
    for check in 0..6 {
        assert_eq!(kinds(&turn(&mut stage, &watch, &pages[check * 10..]).events), []);
    }
    assert_eq!(learned(&stage, &watch), [".visit"]);
    assert_eq!(stage.script.asked().len(), 8, "three times at first, and once in each later check");
}

/// A list of topics, each of which says how old it is.
fn topics(minutes: usize) -> String {
    let topic = |number: usize| {
        format!(
            "<li><a href=/topic/{number}>About boat {number}</a> <span class=age>{} minutes ago</span></li>",
            number + minutes
        )
    };
    format!("<title>Forum</title><main><h1>Forum</h1><ul>{}</ul></main>", (1..15).map(topic).collect::<String>())
}

#[test]
fn relative_times_in_each_row_of_the_main_list_never_notify() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    for check in 0..10 {
        assert_eq!(kinds(&stage.serve(&watch, &topics(check * 10)).events), [], "{check}");
    }
    assert_eq!(learned(&stage, &watch).len(), 1, "one selector for all rows: {:?}", learned(&stage, &watch));
    let renamed = topics(100).replace("boat 5<", "boat five<");
    assert_eq!(kinds(&stage.serve(&watch, &renamed).events), [Kind::Changed]);
}

#[test]
fn flicker_inside_a_zone_is_reported() {
    let mut stage = Stage::new();
    let zone = watch("place", URL, Settings { zone: vec!["footer".to_owned()], ..Settings::default() });
    let pages: Vec<String> = (0..2).map(|number| page("20.00", TEXT, &advert(number))).collect();
    stage.serve(&zone, &pages[0]);
    stage.script.asked();
    assert_eq!(kinds(&stage.serve(&zone, &pages[1]).events), [Kind::Changed]);
    assert_eq!(stage.script.asked().len(), 1, "it is not fetched again");
}

#[test]
fn flicker_that_a_rule_about_text_asks_for_is_reported() {
    let mut stage = Stage::new();
    let counts = Counts { trigger: vec!["Rent".to_owned()], ..Counts::default() };
    let rule = watch("place", URL, Settings { counts, ..Settings::default() });
    let pages: Vec<String> = (0..2).map(|number| page("20.00", TEXT, &advert(number))).collect();
    turn(&mut stage, &rule, &pages);
    assert_eq!(kinds(&stage.serve(&rule, &pages[1]).events), [Kind::Changed]);
}

#[test]
fn every_tick_is_reported_with_learn_off() {
    let mut stage = Stage::new();
    let off = watch("place", URL, Settings { learn: Some(false), ..Settings::default() });
    stage.serve(&off, &page("20.00", TEXT, &clock(0)));
    for minute in 1..5 {
        assert_eq!(kinds(&stage.serve(&off, &page("20.00", TEXT, &clock(minute))).events), [Kind::Changed]);
    }
    assert_eq!(learned(&stage, &off), Vec::<String>::new());
}

#[test]
fn what_was_learned_is_named_once_in_the_next_message() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    (0..5).for_each(|minute| drop(stage.serve(&watch, &page("20.00", TEXT, &clock(minute)))));
    let first = stage.serve(&watch, &page("31.50", TEXT, &clock(6)));
    assert_eq!(first.events[0].learned, [".clock"]);
    let second = stage.serve(&watch, &page("32.50", TEXT, &clock(7)));
    assert_eq!(second.events[0].learned, Vec::<String>::new());
}

#[test]
fn what_was_learned_is_named_again_if_another_event_explained_the_one_that_named_it() {
    let mut stage = Stage::new();
    let watches = ["http://example.org/a", "http://example.org/b"].map(plain);
    let edited = TEXT.replace("quiet", "busy");
    let serve = |stage: &mut Stage, price: &str, text: &str, minute| {
        let pages = watches.iter().map(|watch| {
            stage.pass(-5);
            stage.serve(watch, &page(price, text, &clock(minute)))
        });
        pages.flat_map(|checked| checked.events).map(|event| event.learned).collect::<Vec<_>>()
    };
    (0..5).for_each(|minute| drop(serve(&mut stage, "20.00", TEXT, minute)));
    assert_eq!(serve(&mut stage, "20.00", &edited, 6), [[".clock"], [".clock"]]);
    let told = stage.settle("example.org");
    assert_eq!((told.len(), told[0].pages.len(), told[0].learned.len()), (1, 2, 0));
    assert_eq!(serve(&mut stage, "31.50", &edited, 7), [[".clock"], [".clock"]]);
    assert_eq!(serve(&mut stage, "32.50", &edited, 8), [[""; 0], [""; 0]]);
}

#[test]
fn a_clock_that_stopped_is_forgotten_and_compared_again() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    (0..5).for_each(|minute| drop(stage.serve(&watch, &page("20.00", TEXT, &clock(minute)))));
    let events: usize = (0..60).map(|_| stage.check(&watch).events.len()).sum();
    assert_eq!((events, learned(&stage, &watch)), (1, Vec::new()));
}

#[test]
fn a_conditional_request_does_not_make_the_second_fetch_a_304() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.script.set(URL, Reply::Tagged(page("20.00", TEXT, ""), "\"1\""));
    stage.check(&watch);
    stage.script.set(URL, Reply::Tagged(page("31.50", TEXT, ""), "\"2\""));
    assert_eq!(kinds(&stage.check(&watch).events), [Kind::Changed]);
    assert_eq!(stage.check(&watch).bytes, 0);
}

/// An advertisement of words that never were there before.
fn fresh_advert(number: usize) -> String {
    format!(
        "<aside class=advert><a href=/buy/{number}>Offer of the hour: word{number} and thing{}</a></aside>",
        number * 7
    )
}

#[test]
fn an_advertisement_of_new_words_in_each_fetch_is_no_part_of_the_message_about_a_price() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let pages = |price: &str, from: usize| -> Vec<String> {
        (from..from + 4).map(|number| page(price, TEXT, &fresh_advert(number))).collect()
    };
    for check in 0..6 {
        assert_eq!(kinds(&turn(&mut stage, &watch, &pages("20.00", 10 * check)).events), []);
    }
    assert_eq!(stage.context.archive.captures_of(URL).unwrap().len(), 1, "flicker is not archived");
    let checked = turn(&mut stage, &watch, &pages("31.50", 100));
    assert_eq!(kinds(&checked.events), [Kind::Changed]);
    let event = &checked.events[0];
    assert_eq!(event.parts.len(), 1, "{:?}", event.parts);
    assert!(event.summary.contains("31.50") && !event.summary.contains("word"), "{}", event.summary);
}

/// The page in another design.
fn rebuilt(price: &str, advert: &str) -> String {
    format!(
        "<title>Place</title><div class=wide><header><h2>The place</h2></header><section><b>A tour costs {price} euros</b>\
         </section><section><div>{TEXT}</div></section><section class=side><div><b>{advert}</b></div></section></div>"
    )
}

#[test]
fn an_advertisement_that_was_learned_in_another_design_is_not_reported_alone() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let words = ["Buy our boots today", "Rent a car today", "Fly to Rome now", "Learn to sing well"];
    let older = |number: usize| {
        page("20.00", TEXT, &format!("<aside class=advert><a href=/buy>{}</a></aside>", words[number % 4]))
    };
    for check in 0..10 {
        let pages: Vec<String> = (check..check + 4).map(older).collect();
        assert_eq!(kinds(&turn(&mut stage, &watch, &pages).events), []);
    }
    assert_eq!(kinds(&stage.serve(&watch, &rebuilt("20.00", words[0])).events), [Kind::Changed]);
    assert_eq!(kinds(&stage.serve(&watch, &rebuilt("20.00", words[1])).events), [], "the same one in each fetch");
    assert_eq!(kinds(&stage.serve(&watch, &rebuilt("31.50", words[2])).events), [Kind::Changed]);
    let notice = rebuilt("31.50", "The library closes in May");
    assert_eq!(kinds(&stage.serve(&watch, &notice).events), [Kind::Changed]);
}

#[test]
fn a_learned_clock_is_remembered_while_other_designs_have_many_elements_that_flicker() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    (0..5).for_each(|minute| drop(stage.serve(&watch, &page("20.00", TEXT, &clock(minute)))));
    let rebuilt = |design: &str, round: usize| {
        let row = |row: usize| format!("<p class={design}{row} data-token=x{round}y{row}>Row {row} of the list</p>");
        format!(
            "<title>Place</title><div class={design}><h2>The place</h2>{}</div>",
            (0..30).map(row).collect::<String>()
        )
    };
    // Rows that are seen to differ once are not learned: they make room before the clock, though it is absent for longer.
    for (design, round) in [("wide", 0), ("wide", 1), ("dark", 2), ("dark", 3)] {
        stage.serve(&watch, &rebuilt(design, round));
    }
    assert!(learned(&stage, &watch).contains(&".clock".to_owned()), "{:?}", learned(&stage, &watch));
}
