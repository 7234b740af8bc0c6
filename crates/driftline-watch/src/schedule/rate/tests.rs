//! Is the estimate right, and less biased than changes per check?

use driftline::span::Span;
use proptest::prelude::*;

use super::{Bin, Rate};

const HOUR: Span = Span::from_seconds(3_600);

/// So many checks an hour apart, none of which fades.
fn hourly(checks: u32, changes: u32) -> Rate {
    let bin = Bin { interval: 3600.0, checks: f64::from(checks), changes: f64::from(changes) };
    Rate { checks: checks.into(), changes: changes.into(), bins: vec![bin] }
}

fn per_hour(rate: &Rate) -> f64 {
    rate.estimate().unwrap().per_second * 3600.0
}

#[test]
fn equal_intervals_give_the_formula_of_section_4() {
    // By hand: -ln((n - X + 0.5) / (n + 0.5)).
    for (checks, changes, by_hand) in [(10, 6, 0.847_298), (10, 10, 3.044_522), (50, 1, 0.020_001), (1, 1, 1.098_612)] {
        let found = per_hour(&hourly(checks, changes));
        assert!((found - by_hand).abs() < 1e-6, "{changes} of {checks}: {found}");
    }
    assert!(per_hour(&hourly(10, 0)) < 1e-6);
    assert_eq!(Rate::default().estimate(), None);
}

#[test]
fn checks_at_odd_intervals_speak_together() {
    // By hand, with u = exp(-rate) for rate per hour: one change after 1 h, none after 2 h; half a check of 1.5 h more.
    // 1/(e^r - 1) = 2 + 0.75, so r = ln(1 + 1/2.75).
    let mut rate = Rate::default();
    rate.update(HOUR, true);
    rate.bins.push(Bin { interval: 7200.0, checks: 1.0, changes: 0.0 });
    assert!((per_hour(&rate) - (1.0 + 1.0 / 2.75_f64).ln()).abs() < 1e-6);
}

/// How likely each number of changes is in so many checks, if each finds one with this chance.
fn chances(checks: u32, chance: f64) -> Vec<f64> {
    let mut all = vec![(1.0 - chance).powf(checks.into())];
    for changes in 1..=checks {
        let ratio = f64::from(checks - changes + 1) / f64::from(changes) * chance / (1.0 - chance);
        all.push(all[all.len() - 1] * ratio);
    }
    all
}

#[test]
fn the_bias_is_smaller_than_that_of_changes_per_check() {
    // Expected values, over all that ten checks can find, for rates from 0.1 to 2 changes a check.
    for truth in [0.1, 0.3, 0.5, 0.8, 1.0, 1.5, 2.0] {
        let chance = 1.0 - f64::exp(-truth);
        let expected = (0..).zip(chances(10, chance)).map(|(changes, likely)| likely * per_hour(&hourly(10, changes)));
        let (ours, naive) = (expected.sum::<f64>() - truth, chance - truth);
        assert!(ours.abs() < naive.abs() / 10.0, "{truth}: a bias of {ours} beside {naive}");
        assert!(ours.abs() < 0.05 * truth, "{truth}: a bias of {ours}");
    }
}

#[test]
fn the_bounds_of_the_estimate_hold_the_truth() {
    let truth = 0.4;
    let holds = |changes: u32| {
        let estimate = hourly(60, changes).estimate().unwrap();
        (estimate.low..estimate.high).contains(&(truth / 3600.0))
    };
    let all = (0..).zip(chances(60, 1.0 - f64::exp(-truth)));
    let share: f64 = all.filter(|(changes, _)| holds(*changes)).map(|(_, likely)| likely).sum();
    assert!((0.93..0.97).contains(&share), "{share}, of which 0.95 is wanted");
}

#[test]
fn a_page_that_calms_down_is_believed_after_a_while() {
    let mut rate = Rate::default();
    (0..500).for_each(|_| rate.update(HOUR, true));
    let busy = rate.expected();
    (0..500).for_each(|_| rate.update(HOUR, false));
    assert!(rate.expected() < busy / 20.0, "{} after {busy}", rate.expected());
    assert_eq!((rate.checks, rate.changes), (1_000, 500), "what happened is not forgotten");
}

#[test]
fn before_anything_is_known_a_page_changes_once_a_day() {
    assert!((Rate::default().expected() * 86_400.0 - 1.0).abs() < 1e-6);
}

#[test]
fn what_was_stored_comes_back_and_what_was_forged_does_no_harm() {
    let mut rate = Rate::default();
    [(1, true), (5, false), (900, true)].iter().for_each(|(hours, changed)| {
        rate.update(Span::from_seconds(hours * 3600), *changed);
    });
    let text = serde_json::to_string(&rate).unwrap();
    assert_eq!(serde_json::from_str::<Rate>(&text).unwrap(), rate, "{text}");
    let forged = r#"{"checks": 3, "bins": [[-1e300, 1e300, 5], [0, -5, 1e300], [1e-300, 0, 0]]}"#;
    let forged: Rate = serde_json::from_str(forged).unwrap();
    assert!(forged.expected().is_finite() && forged.estimate().unwrap().per_second.is_finite());
}

proptest! {
    #[test]
    fn whatever_happens_the_rate_is_sound(checks in prop::collection::vec((1_u64..100_000_000_000, any::<bool>()), 0..300)) {
        let mut rate = Rate::default();
        for (milliseconds, changed) in checks {
            rate.update(Span::from_milliseconds(milliseconds), changed);
        }
        prop_assert!(rate.bins.len() <= 27 && rate.expected() > 0.0 && rate.expected().is_finite());
        if let Some(estimate) = rate.estimate() {
            prop_assert!(estimate.low <= estimate.per_second && estimate.per_second <= estimate.high);
        }
    }

    #[test]
    fn one_change_more_never_lowers_the_rate(checks in 1_u32..100, share in 0.0_f64..1.0) {
        let changes = (0..=checks).rfind(|changes| f64::from(*changes) <= f64::from(checks) * share).unwrap_or(0);
        prop_assert!(per_hour(&hourly(checks, changes)) < per_hour(&hourly(checks, changes + 1)));
    }
}
