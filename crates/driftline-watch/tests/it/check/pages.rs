//! Pages that change, or only seem to.

use driftline::event::{Event, Kind, Mark};
use driftline_fetch::{Auth, Fetch, How, Request};
use driftline_report::message::{self, Templates};
use driftline_report::summary::Markup;
use driftline_watch::check::{FirstLook, Outcome, State};
use driftline_watch::watches::{Counts, Keep, Only, Settings};

use super::stage::{Reply, Stage, kinds, plain, watch};

const URL: &str = "http://example.org/news";

fn page(text: &str) -> String {
    format!("<title>News</title><nav><a href=/a>About</a></nav><main><h1>News</h1><p>{text}</p></main>")
}

#[test]
fn the_first_check_tells_nothing_and_the_next_what_changed() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let first = stage.serve(&watch, &page("The river rose by two metres."));
    assert_eq!((first.outcome, first.events.len()), (Outcome::First, 0));
    assert_eq!(stage.check(&watch).outcome, Outcome::Unchanged);
    let checked = stage.serve(&watch, &page("The river fell by three metres."));
    assert_eq!(checked.outcome, Outcome::Changed);
    let [event] = checked.events.as_slice() else { panic!("{:?}", checked.events) };
    assert_eq!((event.kind, event.name.as_str(), event.url.as_str()), (Kind::Changed, "News", URL));
    assert_eq!(event.summary, "The river rose → fell, by two → three metres");
    assert!(event.degree.unwrap() > 0.0 && event.importance > 0.0 && !event.why.is_empty());
    let excerpt = &event.excerpts[0];
    assert_eq!((excerpt.words(Mark::Dropped), excerpt.words(Mark::Added)), ("rose two".into(), "fell three".into()));
    assert_eq!(event.versions.unwrap().newer, event.at);
    let changes = stage.context.archive.catalog().changes_of(URL).unwrap();
    assert_eq!((changes.len(), changes[0].degree), (1, event.degree.unwrap()));
    assert_eq!(changes[0].importance, Some(event.importance));
}

#[test]
fn changes_that_checks_find_are_one_line_of_a_message_from_the_first_to_the_last() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let prices = ["24.99", "21.50", "20.00", "19.99"].map(|price| page(&format!("The boat costs {price} EUR.")));
    let events: Vec<Event> = prices.iter().flat_map(|page| stage.serve(&watch, page).events).collect();
    let message = message::compose(&events, &Markup::PLAIN, &Templates::default());
    assert_eq!(message.subject, "News: The boat costs 24.99 → 19.99 EUR (3 changes)");
}

#[test]
fn an_unchanged_page_is_not_archived_unless_the_watch_says_so() {
    let mut stage = Stage::new();
    let captures = |stage: &Stage| stage.context.archive.captures_of(URL).unwrap().len();
    stage.serve(&plain(URL), &page("a"));
    stage.check(&plain(URL));
    assert_eq!(captures(&stage), 1);
    let keeping = watch("news", URL, Settings { keep: Keep::Checks, ..Settings::default() });
    stage.check(&keeping);
    assert_eq!(captures(&stage), 2);
}

#[test]
fn a_page_that_was_not_modified_costs_a_304() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.script.set(URL, Reply::Tagged(page("a"), "\"1\""));
    assert_eq!(stage.check(&watch).outcome, Outcome::First);
    let second = stage.check(&watch);
    assert_eq!((second.outcome, second.bytes), (Outcome::Unchanged, 0));
    stage.script.set(URL, Reply::Tagged(page("b"), "\"2\""));
    assert_eq!(stage.check(&watch).outcome, Outcome::Changed);
}

#[test]
fn what_does_not_count_is_archived_and_told_to_nobody() {
    let mut stage = Stage::new();
    let watch = watch("news", URL, Settings { keep: Keep::Versions, ..Settings::default() });
    stage.serve(&watch, &page("a"));
    let markup = stage.serve(&watch, &page("a").replace("<main>", "<main class=wide>"));
    assert_eq!((markup.outcome, markup.events.len()), (Outcome::Ignored, 0));
    let comment = stage.serve(&watch, &(page("a") + "<!-- made in 0.03 s -->"));
    assert_eq!((comment.outcome, comment.events.len()), (Outcome::Ignored, 0));
    assert_eq!(stage.context.archive.captures_of(URL).unwrap().len(), 3);
}

#[test]
fn small_changes_add_up_until_they_count() {
    let mut stage = Stage::new();
    let counts = Counts { degree: Some(0.3), ..Counts::default() };
    let watch = watch("news", URL, Settings { counts, ..Settings::default() });
    let text = |changed: usize| {
        page(&(0..10).map(|at| format!("{}{at} ", if at < changed { "new" } else { "old" })).collect::<String>())
    };
    stage.serve(&watch, &text(0));
    assert_eq!(stage.serve(&watch, &text(1)).outcome, Outcome::Ignored);
    assert_eq!(stage.serve(&watch, &text(2)).outcome, Outcome::Ignored);
    let told = stage.serve(&watch, &text(6));
    assert_eq!((told.outcome, told.events[0].summary.as_str()), (Outcome::Changed, "6 words replaced"));
    assert_eq!(stage.serve(&watch, &text(7)).outcome, Outcome::Ignored);
}

#[test]
fn a_page_that_returns_to_an_earlier_state_says_so() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let first = stage.serve(&watch, &page("one"));
    assert_eq!(first.outcome, Outcome::First);
    let then = stage.now;
    assert_eq!(stage.serve(&watch, &page("two")).events[0].returned_to, None);
    assert_eq!(stage.serve(&watch, &page("one")).events[0].returned_to, Some(then));
}

#[test]
fn a_flapping_page_is_told_once_and_something_new_all_the_same() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let told: Vec<Vec<Kind>> =
        (0..12).map(|at| kinds(&stage.serve(&watch, &page(["one", "two"][at % 2])).events)).collect();
    assert_eq!(told[1..4], [[Kind::Changed], [Kind::Changed], [Kind::Changed]].map(Vec::from));
    assert_eq!(told[4], [Kind::Flapping]);
    assert!(told[5..].iter().all(Vec::is_empty), "{told:?}");
    assert_eq!(kinds(&stage.serve(&watch, &page("three")).events), [Kind::Changed]);
}

#[test]
fn a_picture_that_changes_again_and_again_is_told_each_time_and_one_that_goes_back_and_forth_flaps() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let picture = |number: usize| page(&format!("<img src=/photo-{number}.jpg alt=today>"));
    let told: Vec<_> = (0..9).map(|at| stage.serve(&watch, &picture(at)).events).collect();
    for events in &told[1..] {
        assert_eq!((kinds(events), events[0].returned_to), (vec![Kind::Changed], None));
    }
    let told: Vec<_> = (0..6).map(|at| kinds(&stage.serve(&watch, &picture(at % 2)).events)).collect();
    assert!(told.contains(&vec![Kind::Flapping]), "{told:?}");
    assert!(told[5].is_empty(), "{told:?}");
}

#[test]
fn a_flapping_page_with_a_clock_settles_when_only_the_clock_moves() {
    let mut stage = Stage::new();
    let counts = Counts { ignore_text: vec!["it is .* o'clock".to_owned()], ..Counts::default() };
    let watch = watch("news", URL, Settings { counts, ..Settings::default() });
    let mut hour = 0;
    let mut show = |stage: &mut Stage, text: &str| {
        hour += 1;
        kinds(&stage.serve(&watch, &page(&format!("{text}</p><p>it is {} o'clock", hour % 2))).events)
    };
    let told: Vec<_> = (0..12).map(|at| show(&mut stage, ["one", "one", "two", "two"][at % 4])).collect();
    assert!(told.contains(&vec![Kind::Flapping]), "{told:?}");
    assert_eq!(show(&mut stage, "one"), [], "it flaps");
    for _ in 0..13 {
        assert_eq!(show(&mut stage, "one"), []);
    }
    assert_eq!(show(&mut stage, "two"), [Kind::Changed], "it has kept still since");
}

#[test]
fn what_comes_and_goes_where_only_additions_count_is_a_return() {
    let mut stage = Stage::new();
    let counts = Counts { only: Some(Only::Added), ..Counts::default() };
    let watch = watch("news", URL, Settings { counts, ..Settings::default() });
    let told: Vec<_> = (0..10).map(|at| stage.serve(&watch, &page(["one", "one more"][at % 2])).events).collect();
    assert_eq!(told[1][0].returned_to, None);
    assert!(told[2].is_empty() && told[3][0].returned_to.is_some(), "{told:?}");
    assert!(told[9].is_empty(), "it flaps: {told:?}");
}

#[test]
fn a_watch_that_gets_another_address_begins_anew() {
    let mut stage = Stage::new();
    let other = "http://example.org/elsewhere";
    stage.serve(&watch("news", URL, Settings::default()), &page("one"));
    stage.page(other, &page("quite something else"));
    let moved = watch("news", other, Settings::default());
    let checked = stage.check(&moved);
    assert_eq!((checked.outcome, checked.events.len()), (Outcome::First, 0));
    stage.page(other, &page("quite something new"));
    assert_eq!(kinds(&stage.check(&moved).events), [Kind::Changed]);
}

#[test]
fn redirects_are_kept_hop_by_hop_and_the_last_page_is_compared() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.script.set(URL, Reply::To("http://example.org/latest".to_owned()));
    stage.page("http://example.org/latest", &page("a"));
    assert_eq!(stage.check(&watch).outcome, Outcome::First);
    stage.page("http://example.org/latest", &page("b"));
    let told = stage.check(&watch);
    assert_eq!(told.events[0].url, "http://example.org/latest");
    assert_eq!(stage.context.archive.captures_of(URL).unwrap().len(), 2);
    stage.script.set(URL, Reply::To("http://example.org/elsewhere".to_owned()));
    stage.page("http://example.org/elsewhere", &page("b"));
    assert_eq!(stage.check(&watch).outcome, Outcome::Unchanged);
}

#[test]
fn what_is_no_text_is_compared_by_its_bytes() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.script.set(URL, Reply::File(vec![0, 1, 2], "image/png"));
    assert_eq!(stage.check(&watch).outcome, Outcome::First);
    stage.script.set(URL, Reply::File(vec![0, 1, 2, 3], "image/png"));
    let told = stage.check(&watch);
    assert_eq!(told.events[0].summary, "the file changed (4 bytes, was 3)");
    stage.page(URL, &page("a"));
    assert_eq!(stage.check(&watch).events[0].summary, "the kind of file changed (text/html, was image/png)");
}

#[test]
fn odd_answers_do_not_break_a_check() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    let odd: [(&[u8], &str); 6] = [
        (b"", "text/html"),
        (b"\xff\xfe<\0p\0>\0", "text/html; charset=utf-16"),
        (b"{\"a\": 1}", "application/json"),
        (b"<p>\xe9t\xe9", "text/html; charset=nonsense"),
        (b"plain", ""),
        (b"<html><form action=/login><input type=password></form>", "text/html"),
    ];
    for (body, content_type) in odd {
        stage.script.set(URL, Reply::File(body.to_vec(), content_type));
        stage.check(&watch);
    }
    assert_eq!(stage.context.archive.captures_of(URL).unwrap().len(), odd.len());
}

#[test]
fn what_a_crash_left_unjudged_is_judged_first() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.serve(&watch, &page("one"));
    // The capture of a check that died before it wrote down what it found.
    stage.pass(10);
    stage.page(URL, &page("two"));
    let request = Request { url: URL, home: None, how: &watch.settings.fetch, validators: None, at: stage.now };
    let fetched = stage.script.fetch(&request).unwrap();
    stage.context.archive.append_all(&fetched.captures).unwrap();
    let lost = stage.now;
    stage.pass(1);
    let mut stage = stage.restart();
    let checked = stage.serve(&watch, &page("three"));
    let versions: Vec<_> = checked.events.iter().map(|event| event.versions.unwrap()).collect();
    assert_eq!(versions.len(), 2);
    assert_eq!((versions[0].newer, versions[1].older), (lost, lost));
    assert_eq!(stage.check(&watch).events.len(), 0);
}

#[test]
fn what_a_crash_left_of_another_watch_of_the_address_is_not_judged() {
    let mut stage = Stage::new();
    let open = plain(URL);
    let auth = Some(Auth::Bearer { token: "t".into() });
    let settings = Settings { fetch: How { auth, ..How::default() }, ..Settings::default() };
    let member = watch("members", URL, settings);
    stage.serve(&open, &page("for all"));
    stage.serve(&member, &page("for members"));
    // The capture of a check of the second one that died.
    stage.pass(10);
    stage.page(URL, &page("for members, and new"));
    let request = Request { url: URL, home: None, how: &member.settings.fetch, validators: None, at: stage.now };
    let fetched = stage.script.fetch(&request).unwrap();
    stage.context.archive.append_all(&fetched.captures).unwrap();
    stage.pass(1);
    let mut stage = stage.restart();
    let checked = stage.serve(&open, &page("for all"));
    assert_eq!((checked.outcome, checked.events.len()), (Outcome::Unchanged, 0));
}

#[test]
fn a_check_that_is_repeated_finds_the_same_event() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    stage.serve(&watch, &page("one"));
    let catalog = stage.context.archive.catalog();
    let before = catalog.state("news").unwrap().unwrap();
    let first = stage.serve(&watch, &page("two"));
    let keys = stage.keys();
    // The catalog is set back, as if the process had died; the archive is not.
    let row = stage.context.archive.catalog().watch("news").unwrap().unwrap();
    let record = driftline_catalog::Record {
        watch: row,
        state: before,
        change: None,
        events: Vec::new(),
        stream: None,
        members: None,
    };
    stage.context.archive.catalog().record(&[record]).unwrap();
    let mut stage = stage.restart();
    let second = stage.check(&watch);
    assert_eq!(second.events[0].key, first.events[0].key);
    assert_eq!(stage.keys(), keys);
}

#[test]
fn the_rate_of_change_is_learned_from_checks() {
    let mut stage = Stage::new();
    let watch = plain(URL);
    for at in 0..5 {
        stage.serve(&watch, &page(&format!("text {at}")));
        stage.check(&watch);
    }
    let state = State::read(&stage.context.archive.catalog().state("news").unwrap().unwrap().body).unwrap();
    assert_eq!((state.rate.checks, state.rate.changes), (9, 4));
}

/// A version that an import left in the archive, ten minutes before now.
fn import(stage: &mut Stage, content_type: &str, body: &str) {
    use driftline_archive::capture::{Capture, Content};
    let content = Content::Resource { content_type: content_type.to_owned(), body: body.into() };
    let capture = Capture { url: URL.to_owned(), at: stage.now, content, metadata: Vec::new() };
    stage.context.archive.append(&capture).unwrap();
    stage.pass(10);
}

#[test]
fn the_first_check_compares_with_the_version_that_was_imported() {
    let mut stage = Stage::new();
    import(&mut stage, "text/html", &page("It costs 19.5 EUR."));
    let checked = stage.serve(&plain(URL), &page("It costs 31.5 EUR."));
    let [event] = checked.events.as_slice() else { panic!("{:?}", checked.events) };
    let excerpt = &event.excerpts[0];
    assert_eq!((excerpt.words(Mark::Dropped), excerpt.words(Mark::Added)), ("19.5".into(), "31.5".into()));
    assert_eq!(stage.check(&plain(URL)).outcome, Outcome::Unchanged);
}

#[test]
fn the_first_check_compares_words_that_were_replaced_with_an_imported_text() {
    let mut stage = Stage::new();
    import(&mut stage, "text/plain; charset=utf-8", "* About\nNews\nIt costs 19.5 EUR.");
    let checked = stage.serve(&plain(URL), &page("It costs 31.5 EUR."));
    let [event] = checked.events.as_slice() else { panic!("{:?}", checked.events) };
    let [excerpt] = event.excerpts.as_slice() else { panic!("{event:?}") };
    assert_eq!((excerpt.words(Mark::Dropped), excerpt.words(Mark::Added)), ("19.5".into(), "31.5".into()));
    assert_eq!(stage.check(&plain(URL)).outcome, Outcome::Unchanged);
    let checked = stage.serve(&plain(URL), &page("It costs 32.5 EUR."));
    assert_eq!(checked.events[0].excerpts[0].words(Mark::Dropped), "31.5", "then pages are compared");
}

#[test]
fn a_first_check_after_an_imported_text_is_a_first_look_and_gives_its_site_a_page() {
    for (text, events) in [("About\nNews\nIt costs 19.5 EUR.", 1), ("About\nNews\nIt costs 31.5 EUR.", 0)] {
        let mut stage = Stage::new();
        import(&mut stage, "text/plain", text);
        let checked = stage.serve(&plain(URL), &page("It costs 31.5 EUR."));
        let outcome = if events == 1 { Outcome::Changed } else { Outcome::First };
        assert_eq!((checked.outcome, checked.events.len()), (outcome, events));
        assert_eq!(checked.first, Some(FirstLook::Page { words: 6, zone: None }), "{text}");
        let catalog = stage.context.archive.catalog();
        assert!(catalog.stream("example.org").unwrap().is_some(), "{text}");
        assert_eq!(catalog.changes((0, 0), 10).unwrap(), [], "no capture of the archive is the page that was rebuilt");
    }
}

#[test]
fn an_imported_text_is_compared_in_the_zone_and_by_the_rules_of_its_watch() {
    let counts = Counts { ignore_text: vec![r"\d+ visitors".to_owned()], ..Counts::default() };
    let settings = Settings { zone: vec!["main p".to_owned()], counts, ..Settings::default() };
    for (text, expected) in [("It costs 5 EUR for 31 visitors", 0), ("It costs 4 EUR for 31 visitors", 1)] {
        let mut stage = Stage::new();
        import(&mut stage, "text/plain", text);
        let watch = watch("zone", URL, settings.clone());
        let checked = stage.serve(&watch, &page("It costs 5 EUR for 72 visitors"));
        assert_eq!(checked.events.len(), expected, "{:?}", checked.events);
        assert_eq!(stage.check(&watch).outcome, Outcome::Unchanged);
    }
}

#[test]
fn an_imported_text_that_only_lacks_something_or_is_of_another_page_is_no_event() {
    for text in ["About\nNews\nIt costs", "1. About\n2. News\n3. It costs 19.5 EUR.", "We moved", ""] {
        let mut stage = Stage::new();
        import(&mut stage, "text/plain", text);
        let checked = stage.serve(&plain(URL), &page("It costs 19.5 EUR."));
        assert_eq!((checked.outcome, checked.events.len()), (Outcome::First, 0), "{text}");
    }
}

#[test]
fn an_imported_version_that_is_as_the_page_now_is_no_event() {
    let mut stage = Stage::new();
    import(&mut stage, "text/html", &page("It costs 19.5 EUR."));
    let checked = stage.serve(&plain(URL), &page("It costs 19.5 EUR."));
    assert_eq!((checked.outcome, checked.events.len()), (Outcome::Unchanged, 0));
}

#[test]
fn the_first_check_does_not_compare_with_what_another_watch_captured() {
    let mut stage = Stage::new();
    stage.serve(&plain(URL), &page("for all"));
    let member = watch("members", URL, Settings::default());
    let checked = stage.serve(&member, &page("for members"));
    assert_eq!((checked.outcome, checked.events.len()), (Outcome::First, 0));
}

/// JSON has no elements to learn: a number in an answer of an API is a value as likely as it is a clock.
#[test]
fn a_time_in_json_is_reported_each_time_unless_a_text_is_ignored() {
    let answer = |minute: u32| {
        Reply::File(format!("{{\"price\": 19, \"at\": \"10:{minute:02}\"}}").into_bytes(), "application/json")
    };
    for (ignored, expected) in [(Vec::new(), 6), (vec![r"\d+:\d+".to_owned()], 0)] {
        let mut stage = Stage::new();
        let counts = Counts { ignore_text: ignored, ..Counts::default() };
        let watch = watch("api", "http://example.org/api", Settings { counts, ..Settings::default() });
        let mut changes = 0;
        for minute in 0..7 {
            stage.script.set(&watch.url, answer(minute * 7));
            changes += stage.follow(&watch, 10).iter().filter(|event| event.kind == Kind::Changed).count();
        }
        assert_eq!(changes, expected);
    }
}
