//! Which captures go first, by each rule.

use super::super::retention::{Age, Size};
use super::*;

const DAY: i64 = 86_400_000_000;

/// One capture a day of 10 bytes; `weights` below zero are unchanged.
fn page(weights: &[f64]) -> Vec<Candidate> {
    let candidate = |(day, &weight): (i64, &f64)| Candidate {
        id: day,
        at: Time::from_microseconds(day * DAY),
        bytes: 10,
        is_page: true,
        is_version: weight >= 0.0,
        weight,
        protection: Protection::None,
    };
    (0..).zip(weights).map(candidate).collect()
}

fn gone(weights: &[f64], rule: &Retention) -> Vec<usize> {
    let now = Time::from_microseconds(i64::try_from(weights.len()).unwrap() * DAY);
    choose(&page(weights), rule, now).into_iter().map(|(place, _)| place).collect()
}

fn keep(count: u64) -> Retention {
    Retention { keep: Some(count), ..Retention::default() }
}

#[test]
fn unchanged_captures_go_before_any_version() {
    let weights = [0.0, -1.0, 0.5, -1.0, 0.1, -1.0];
    assert_eq!(gone(&weights, &keep(6)), [0_usize; 0]);
    assert_eq!(gone(&weights, &keep(4)), [1, 3]);
    assert_eq!(gone(&weights, &keep(2)), [0, 1, 3, 5]);
    assert_eq!(gone(&weights, &keep(1)), [0, 1, 2, 3, 5]);
}

#[test]
fn thinning_keeps_the_first_the_latest_and_the_largest_changes() {
    let thin = |count| Retention { thin: true, ..keep(count) };
    let weights = [0.0, 0.2, 0.9, 0.1, 0.5, 0.05];
    assert_eq!(gone(&weights, &thin(4)), [1, 3]);
    assert_eq!(gone(&weights, &thin(3)), [1, 3, 4]);
    assert_eq!(gone(&weights, &thin(1)), [0, 1, 2, 3, 4]);
}

#[test]
fn equal_changes_are_thinned_evenly_in_time() {
    let rule = Retention { thin: true, ..keep(5) };
    let gone = gone(&[0.3; 9], &rule);
    let left: Vec<usize> = (0..9).filter(|place| !gone.contains(place)).collect();
    assert_eq!(left, [0, 2, 4, 6, 8]);
}

#[test]
fn age_and_bytes_are_limits_of_their_own() {
    let old = Retention { older_than: Some(Age(2 * DAY)), ..Retention::default() };
    assert_eq!(gone(&[0.0, 0.1, 0.1, -1.0, 0.1], &old), [0, 1, 2]);
    let ancient = Retention { older_than: Some(Age(1)), ..Retention::default() };
    assert_eq!(gone(&[0.0, 0.1, 0.1], &ancient), [0, 1]);
    let small = Retention { most_bytes: Some(Size(25)), ..Retention::default() };
    assert_eq!(gone(&[0.0, 0.1, -1.0, 0.1], &small), [0, 2]);
    let tiny = Retention { most_bytes: Some(Size(0)), ..Retention::default() };
    assert_eq!(gone(&[0.0], &tiny), [0_usize; 0]);
}

#[test]
fn thinning_spares_what_is_young() {
    let rule = Retention { older_than: Some(Age(3 * DAY)), thin: true, ..keep(2) };
    assert_eq!(gone(&[0.0, 0.1, 0.2, 0.3, 0.4, 0.5], &rule), [1, 2]);
}

#[test]
fn a_hundred_thousand_versions_are_thinned_at_once() {
    let weights: Vec<f64> = (0..100_000).map(|number| f64::from(number % 7) / 10.0).collect();
    let rule = Retention { thin: true, ..keep(10) };
    let gone = gone(&weights, &rule);
    assert_eq!(gone.len(), weights.len() - 10);
    assert!(!gone.contains(&0) && !gone.contains(&(weights.len() - 1)));
}

#[test]
fn a_version_that_an_event_shows_counts_but_stays_unless_the_rule_says_otherwise() {
    let mut captures = page(&[0.0, 0.1, 0.1, 0.1]);
    captures[0].protection = Protection::Needed;
    captures[1].protection = Protection::Reported;
    let now = Time::from_microseconds(4 * DAY);
    let gone = |rule: &Retention| choose(&captures, rule, now).into_iter().map(|(at, _)| at).collect::<Vec<_>>();
    assert_eq!(gone(&keep(2)), [2]);
    assert_eq!(gone(&Retention { reported_too: true, ..keep(2) }), [1, 2]);
    let old = Retention { older_than: Some(Age(1)), ..Retention::default() };
    assert_eq!(gone(&old), [2]);
}

#[test]
fn an_old_page_is_not_removed_because_an_error_is_newer() {
    let mut captures = page(&[0.0, -1.0]);
    captures[1].is_page = false;
    let old = Retention { older_than: Some(Age(1)), ..Retention::default() };
    let gone = choose(&captures, &old, Time::from_microseconds(9 * DAY));
    assert_eq!(gone, [(1, Reason::TooOld)]);
}
