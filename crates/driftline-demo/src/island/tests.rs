//! Tests of the island: its pages, its month, and the score of what was reported.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;

fn visit(page: &Page, second: u64, count: u64) -> String {
    page.html(&Visit::new(7, &page.path, second, count))
}

#[test]
fn all_sections_have_their_share_and_all_changes_their_pages() {
    for (pages, count) in [(1, 61), (60, 61), (200, 200)] {
        let month = Month::new(pages, 7);
        assert_eq!(month.paths().count(), count);
        for change in CHANGES {
            assert!(month.find(&change.path()).is_some_and(|page| page.changes.len() == 1), "{change:?}");
        }
    }
}

#[test]
fn the_same_month_has_the_same_pages_and_another_seed_has_others() {
    let [one, same, other] = [7, 7, 8].map(|seed| Month::new(200, seed));
    let contents = |month: &Month| month.pages.iter().map(|page| page.content.clone()).collect::<Vec<_>>();
    assert_eq!(contents(&one), contents(&same));
    assert!(contents(&one).iter().zip(contents(&other)).all(|(one, other)| *one != other));
}

#[test]
fn each_planted_change_changes_its_page_for_good_and_a_third_only_a_number() {
    let month = Month::new(200, 7);
    let mut numbers = 0;
    for change in CHANGES {
        let before = month.find(&change.path()).unwrap().content.clone();
        let mut after = before.clone();
        (change.edit)(&mut after);
        assert_ne!(after, before, "{change:?}");
        let [before, after] = [before, after].map(|content| format!("{content:?}"));
        let without = |text: &str| text.replace(|char: char| char.is_ascii_digit(), "");
        assert_eq!(without(&before) == without(&after), change.is_number, "{change:?}");
        assert!(change.at < LENGTH - DAY);
        numbers += usize::from(change.is_number);
    }
    assert_eq!(numbers, 10);
    assert_eq!(CHANGES.iter().filter(|change| change.is_with_design()).count(), 4);
    assert_eq!(CHANGES.iter().filter(|change| failure(change.at).is_some()).count(), 3);
}

#[test]
fn every_page_is_another_one_at_each_visit_and_the_same_for_the_same_visit() {
    let month = Month::new(200, 7);
    let (mut advertisements, mut experiments) = (0, 0);
    for page in &month.pages {
        assert_ne!(visit(page, 0, 1), visit(page, 0, 2), "{}", page.path);
        assert_eq!(visit(page, 60, 2), visit(page, 60, 2));
        assert!(visit(page, 60, 2).len() > 2_000);
        let flickers = Visit::new(7, &page.path, 0, 1);
        advertisements += usize::from(flickers.advertisement().is_some());
        experiments += usize::from(flickers.experiment().0 != flicker::Experiment::None);
    }
    assert!((80..=120).contains(&advertisements) && (15..=35).contains(&experiments), "{advertisements} {experiments}");
}

#[test]
fn the_clock_is_that_of_the_island() {
    let page = &Month::new(60, 7).pages[0];
    for (second, now) in
        [(0, "Monday 2 March, 6:00"), (DAY - HOUR, "Tuesday 3 March, 5:00"), (30 * DAY, "Wednesday 1 April, 6:00")]
    {
        assert!(visit(page, second, 1).contains(now), "{now}");
    }
}

#[test]
fn the_design_changes_and_is_back() {
    let page = &Month::new(60, 7).pages[3];
    let is_new = |second: u64| visit(page, second, 1).contains("<main>");
    assert_eq!([REDESIGNED - 1, REDESIGNED, RESTORED - 1, RESTORED].map(is_new), [false, true, true, false]);
}

#[test]
fn the_site_answers_as_the_time_says() {
    let second = Arc::new(AtomicU64::new(0));
    let now = Arc::clone(&second);
    let island = Island::start(Month::new(60, 7), move || now.load(Ordering::SeqCst)).unwrap();
    let get = |at: u64, path: &str| {
        second.store(at, Ordering::SeqCst);
        island.go_to(at).unwrap();
        let mut answer = String::new();
        let mut stream = TcpStream::connect(island.server.address())?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")?;
        stream.shutdown(Shutdown::Write)?;
        stream.read_to_string(&mut answer)?;
        Ok::<_, io::Error>(answer)
    };
    assert!(get(0, "/news/000?x").unwrap().contains("<h1>"));
    assert!(get(0, "/robots.txt").unwrap().contains("404 Not Found"));
    let [busy, refused, time_out, asks] = OUTAGES.map(|outage| get(outage.from, "/news/000").unwrap_or_default());
    assert!(busy.contains("503") && !busy.contains("Retry-After"), "{busy}");
    assert!(asks.contains("503") && asks.contains("Retry-After: 1800"), "{asks}");
    assert_eq!([refused.as_str(), time_out.as_str()], ["", ""]);
    assert_eq!(island.first_served()[0], None);
    assert!(get(2 * DAY, "/shop/000").unwrap().contains("79.40"));
    assert_eq!((island.first_served()[0], island.visits()), (Some(2 * DAY), 2));
}

#[test]
fn a_change_counts_as_reported_if_a_message_names_it_when_it_was_served_first() {
    let alert = |second: u64, text: &str| Alert { second, paths: vec!["/shop/000".to_owned()], text: text.to_owned() };
    let mut first = [None; CHANGES.len()];
    first[0] = Some(100);
    let score = |alerts: &[Alert]| {
        let score = Score::of(&Month::new(60, 7), alerts, &first);
        (score.reported.len(), score.late.len(), score.missed.len(), score.right, score.other.len())
    };
    assert_eq!(score(&[alert(100, "5.00 → 79.40 euros"), alert(100, "a clock")]), (1, 0, 29, 1, 1));
    assert_eq!(score(&[alert(99, "79.40"), alert(300, "79.40"), alert(400, "79.40")]), (0, 1, 29, 1, 2));
    assert_eq!(score(&[Alert { paths: vec![], ..alert(100, "79.40") }]), (0, 0, 30, 0, 1));
}

#[test]
fn a_number_within_an_address_or_a_clock_names_no_change() {
    let change = CHANGES.iter().position(|change| change.what == "the date of an event").unwrap();
    let mut first = [None; CHANGES.len()];
    first[change] = Some(0);
    let is_named = |text: &str| {
        let alert = Alert { second: 0, paths: vec![CHANGES[change].path()], text: text.to_owned() };
        !Score::of(&Month::new(60, 7), &[alert], &first).reported.is_empty()
    };
    let texts = ["http://127.0.0.1:34712/events/012", "it is 12:31 now", "1,112 visitors", "0.12"];
    assert_eq!(texts.map(is_named), [false; 4]);
    assert!(is_named("Calendar: 11 → 12 April"));
}

#[test]
fn a_word_that_fits_any_change_names_one_with_what_was_removed() {
    let month = Month::new(60, 7);
    let change = CHANGES.iter().position(|change| change.what == "a paragraph removed, during an outage").unwrap();
    let path = CHANGES[change].path();
    let text = month.find(&path).unwrap().content.clone().text(3).clone();
    let mut first = [None; CHANGES.len()];
    first[change] = Some(0);
    let is_named = |text: String| {
        let alert = Alert { second: 0, paths: vec![path.clone()], text };
        !Score::of(&month, &[alert], &first).reported.is_empty()
    };
    assert!(is_named(format!("“{text}” removed")));
    assert!(!is_named("an advertisement was removed".to_owned()));
    assert!(!is_named(text));
}
