//! Pages with clocks and counters: what is archived, and what is reported.

use driftline::event::Kind;
use driftline_watch::check::Outcome;
use driftline_watch::watches::{Keep, Settings, Watch};

use super::stage::{Reply, Stage, kinds, watch};

const URL: &str = "http://example.org/prices";

/// A page with a price, a line of text, and a clock.
fn page(price: &str, text: &str, minute: usize) -> String {
    format!(
        "<title>Prices</title><main><h1>Prices today</h1><p id=price>{price} EUR</p><p id=text>{text}</p></main>\
         <footer>It is <span id=clock>{:02}:{:02}</span> o'clock</footer>",
        8 + minute / 60,
        minute % 60
    )
}

fn zoned(zone: &str) -> Watch {
    watch("prices", URL, Settings { zone: vec![zone.to_owned()], ..Settings::default() })
}

fn captures(stage: &Stage) -> usize {
    stage.context.archive.captures_of(URL).unwrap().len()
}

#[test]
fn a_clock_outside_the_zone_adds_no_versions_to_the_archive() {
    let mut stage = Stage::new();
    let watch = zoned("#price");
    for minute in 0..113 {
        let price = if minute < 50 { "24.99" } else { "21.50" };
        let checked = stage.serve(&watch, &page(price, "Free delivery.", minute));
        let expected: &[Kind] = if minute == 50 { &[Kind::Changed] } else { &[] };
        assert_eq!(kinds(&checked.events), expected, "check {minute}");
    }
    assert_eq!(captures(&stage), 2);
}

#[test]
fn a_clock_outside_the_zone_is_archived_each_time_with_keep_versions() {
    let mut stage = Stage::new();
    let settings = Settings { zone: vec!["#price".to_owned()], keep: Keep::Versions, ..Settings::default() };
    let watch = watch("prices", URL, settings);
    (0..5).for_each(|minute| drop(stage.serve(&watch, &page("24.99", "Free delivery.", minute))));
    assert_eq!(captures(&stage), 5);
}

#[test]
fn words_outside_the_zone_that_change_are_archived_and_not_reported() {
    let mut stage = Stage::new();
    let watch = zoned("#price");
    stage.serve(&watch, &page("24.99", "Free delivery.", 0));
    stage.serve(&watch, &page("24.99", "Free delivery.", 1));
    let checked = stage.serve(&watch, &page("24.99", "Delivery costs 5 EUR.", 2));
    assert_eq!((checked.outcome, checked.events.len(), captures(&stage)), (Outcome::Ignored, 0, 2));
}

#[test]
fn slow_drift_outside_the_zone_is_compared_with_the_last_kept_version() {
    let mut stage = Stage::new();
    let watch = zoned("#price");
    let words = "one two three four five six seven eight nine ten";
    for count in 1..=10 {
        let text = words.split(' ').take(count).collect::<Vec<_>>().join(" ");
        stage.serve(&watch, &page("24.99", &text, count));
        stage.serve(&watch, &page("24.99", &text, count + 20));
    }
    assert_eq!(captures(&stage), 10);
}

#[test]
fn an_event_after_answers_that_were_not_kept_names_kept_versions() {
    let mut stage = Stage::new();
    let watch = zoned("#price");
    stage.serve(&watch, &page("24.99", "Free delivery.", 0));
    let first = stage.now;
    stage.serve(&watch, &page("24.99", "Free delivery.", 1));
    let checked = stage.serve(&watch, &page("21.50", "Free delivery.", 2));
    let versions = checked.events[0].versions.unwrap();
    assert_eq!((versions.older, versions.newer), (first, stage.now));
    assert_eq!(captures(&stage), 2);
}

#[test]
fn an_answer_that_was_not_kept_is_not_compared_again_while_it_stays_the_same() {
    let mut stage = Stage::new();
    let watch = zoned("#price");
    stage.serve(&watch, &page("24.99", "Free delivery.", 0));
    assert_eq!(stage.serve(&watch, &page("24.99", "Free delivery.", 1)).outcome, Outcome::Ignored);
    assert_eq!(stage.check(&watch).outcome, Outcome::Unchanged);
    assert_eq!(stage.serve(&watch, &page("24.99", "Free delivery.", 0)).outcome, Outcome::Unchanged);
}

#[test]
fn a_304_after_an_answer_that_was_not_kept_is_no_change() {
    let mut stage = Stage::new();
    let watch = zoned("#price");
    stage.script.set(URL, Reply::Tagged(page("24.99", "Free delivery.", 0), "\"1\""));
    stage.check(&watch);
    stage.script.set(URL, Reply::Tagged(page("24.99", "Free delivery.", 1), "\"2\""));
    assert_eq!(stage.check(&watch).outcome, Outcome::Ignored);
    assert_eq!(stage.check(&watch).bytes, 0);
    stage.script.set(URL, Reply::Tagged(page("21.50", "Free delivery.", 1), "\"3\""));
    assert_eq!(kinds(&stage.check(&watch).events), [Kind::Changed]);
}

#[test]
fn a_restart_after_answers_that_were_not_kept_reports_the_next_change_once() {
    let mut stage = Stage::new();
    let watch = zoned("#price");
    stage.serve(&watch, &page("24.99", "Free delivery.", 0));
    stage.serve(&watch, &page("24.99", "Free delivery.", 1));
    let mut stage = stage.restart();
    assert_eq!(stage.serve(&watch, &page("24.99", "Free delivery.", 2)).events.len(), 0);
    assert_eq!(kinds(&stage.serve(&watch, &page("21.50", "Free delivery.", 3)).events), [Kind::Changed]);
    let mut stage = stage.restart();
    assert_eq!(stage.serve(&watch, &page("21.50", "Free delivery.", 4)).events.len(), 0);
    assert_eq!(captures(&stage), 2);
}

#[test]
fn a_zone_that_is_edited_to_match_nothing_is_reported_although_only_the_clock_changed() {
    let mut stage = Stage::new();
    stage.serve(&zoned("#price"), &page("24.99", "Free delivery.", 0));
    let checked = stage.serve(&zoned("#prise"), &page("24.99", "Free delivery.", 1));
    assert_eq!(kinds(&checked.events), [Kind::ZoneLost]);
}

#[test]
fn a_part_that_the_watch_ignores_adds_no_versions() {
    let mut stage = Stage::new();
    let watch = watch("prices", URL, Settings { ignore: vec!["footer".to_owned()], ..Settings::default() });
    (0..5).for_each(|minute| drop(stage.serve(&watch, &page("24.99", "Free delivery.", minute))));
    assert_eq!(captures(&stage), 1);
}

#[test]
fn both_versions_of_an_event_are_shown_by_it_with_a_zone_too() {
    for watch in
        [zoned("#price"), watch("prices", URL, Settings { ignore: vec!["h1".to_owned()], ..Settings::default() })]
    {
        let mut stage = Stage::new();
        stage.serve(&watch, &page("24.99", "Free delivery.", 0));
        let checked = stage.serve(&watch, &page("21.50", "Free delivery.", 0));
        let versions = checked.events[0].versions.unwrap();
        let shown = stage.context.archive.catalog().shown().unwrap();
        assert!(shown.has(URL, versions.older) && shown.has(URL, versions.newer), "retention would remove one");
    }
}
