//! Laws of retention, for any captures and any rules.

use proptest::prelude::*;

use super::super::retention::{Age, Size};
use super::*;

/// A capture for the laws: what it says (nothing: an error), its change, and whether it has to stay.
type Made = (Option<u8>, u8, u8);

fn captures(made: &[Made]) -> Vec<Candidate> {
    let capture = |(at, (says, weight, protection)): (i64, &Made)| Candidate {
        id: at,
        at: Time::from_microseconds(at * 10),
        bytes: 10,
        is_page: says.is_some(),
        is_version: false,
        weight: f64::from(*weight) / 10.0,
        protection: match protection {
            0 => Protection::Needed,
            1 => Protection::Reported,
            _ => Protection::None,
        },
    };
    (0..).zip(made).map(capture).collect()
}

/// What goes, by the places of the captures that are there.
fn gone(made: &[Made], there: &[usize], rules: &[&Retention], now: i64) -> Vec<usize> {
    let all = captures(made);
    let left: Vec<Candidate> = there.iter().map(|place| all[*place]).collect();
    let versions = |places: &[usize]| {
        let mut before = None;
        let is_version = |place: &usize| {
            let says = made[there[*place]].0;
            let is_version = says.is_some() && before != says;
            before = says.or(before);
            is_version
        };
        places.iter().map(is_version).collect()
    };
    let chosen = decide(&left, rules, Time::from_microseconds(now), &versions);
    chosen.into_iter().map(|(place, _)| there[place]).collect()
}

fn rule() -> impl Strategy<Value = Retention> {
    let keep = proptest::option::of(1_u64..6);
    let limits = (keep, proptest::option::of(0_i64..300), proptest::option::of(0_u64..100));
    (limits, any::<bool>(), any::<bool>()).prop_map(|((keep, age, bytes), thin, reported_too)| {
        let (older_than, most_bytes) = (age.map(Age), bytes.map(Size));
        Retention { keep, older_than, most_bytes, thin: thin && (keep.is_some() || bytes.is_some()), reported_too }
    })
}

fn made() -> impl Strategy<Value = Vec<Made>> {
    proptest::collection::vec((proptest::option::weighted(0.8, 0_u8..3), 0_u8..10, 0_u8..6), 1..20)
}

proptest! {
    #[test]
    fn what_is_protected_stays_and_the_latest_page_too(made in made(), rule in rule(), now in 0_i64..400) {
        let all: Vec<usize> = (0..made.len()).collect();
        let gone = gone(&made, &all, &[&rule], now);
        let left: Vec<usize> = all.iter().copied().filter(|place| !gone.contains(place)).collect();
        let is_protected = |place: &usize| made[*place].2 == 0 || made[*place].2 == 1 && !rule.reported_too;
        prop_assert!(!gone.iter().any(is_protected));
        prop_assert!(!left.is_empty());
        let latest = made.iter().rev().find_map(|(says, ..)| *says);
        let kept = left.iter().rev().find_map(|place| made[*place].0);
        prop_assert_eq!(kept, latest, "the page says what it said last");
    }

    #[test]
    fn removing_twice_removes_nothing_more(made in made(), rule in rule(), now in 0_i64..400) {
        let all: Vec<usize> = (0..made.len()).collect();
        let first = gone(&made, &all, &[&rule], now);
        let left: Vec<usize> = all.into_iter().filter(|place| !first.contains(place)).collect();
        prop_assert_eq!(gone(&made, &left, &[&rule], now), Vec::<usize>::new());
    }

    #[test]
    fn of_two_rules_nothing_goes_that_one_of_them_keeps_wholly(made in made(), rule in rule(), now in 0_i64..400) {
        let all: Vec<usize> = (0..made.len()).collect();
        let everything = Retention::default();
        prop_assert_eq!(gone(&made, &all, &[&rule, &everything], now), Vec::<usize>::new());
        prop_assert_eq!(gone(&made, &all, &[&rule, &rule], now), gone(&made, &all, &[&rule], now));
    }

    #[test]
    fn without_protection_no_more_stays_than_the_rule_says(made in made(), keep in 1_u64..6, now in 0_i64..400) {
        let made: Vec<Made> = made.into_iter().map(|(says, weight, _)| (says, weight, 9)).collect();
        let all: Vec<usize> = (0..made.len()).collect();
        let rule = Retention { keep: Some(keep), ..Retention::default() };
        let gone = gone(&made, &all, &[&rule], now);
        prop_assert_eq!((made.len() - gone.len()) as u64, keep.min(made.len() as u64));
    }
}
