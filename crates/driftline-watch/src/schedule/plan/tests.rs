//! Is the budget kept, and spent where it finds most?

use proptest::prelude::*;

use super::{Demand, ENOUGH, Explanation, Pacing, Plan, Reason, Span};
use crate::schedule::rate::Rate;

const HOUR: f64 = 3600.0;

fn pacing(budget: f64) -> Pacing {
    Pacing { budget, ..Pacing::default() }
}

fn plan(budget: f64, rates: &[f32], fixed: f64) -> Plan {
    let mut demand = Demand::default();
    rates.iter().for_each(|rate| demand.add(*rate));
    let plan = Plan::new(pacing(budget));
    plan.refresh(&demand, fixed);
    plan
}

/// Checks an hour.
fn frequency(plan: &Plan, rate: f32) -> f64 {
    3.6e6 / plan.interval(rate.into()).milliseconds() as f64
}

/// Checks an hour that find a change.
fn found(rates: &[f32], frequencies: &[f64]) -> f64 {
    let one = |(rate, frequency): (&f32, &f64)| frequency * -(-f64::from(*rate) * HOUR / frequency).exp_m1();
    rates.iter().zip(frequencies).map(one).sum()
}

#[test]
fn few_pages_are_checked_as_often_as_is_of_use_and_no_more() {
    let hourly = (1.0 / HOUR) as f32;
    let plan = plan(600.0, &[hourly], 0.0);
    assert_eq!(plan.expectation(), ENOUGH);
    assert!(plan.interval(hourly.into()).milliseconds().abs_diff(360_000) < 100, "a tenth of an hour");
    assert_eq!(plan.interval(1.0).to_string(), "5m", "but never more often than that");
    assert_eq!(plan.interval(1e-9).to_string(), "1d", "nor less often than that");
}

#[test]
fn what_the_others_take_is_not_there_for_auto() {
    let rates = vec![(1.0 / HOUR) as f32; 1_000];
    let (alone, beside) = (plan(600.0, &rates, 0.0), plan(600.0, &rates, 300.0));
    let share = frequency(&beside, rates[0]) / frequency(&alone, rates[0]);
    assert!((share - 0.5).abs() < 0.01, "{share}");
}

#[test]
fn a_page_that_went_takes_nothing_any_more() {
    let (mut demand, mut alone) = (Demand::default(), Demand::default());
    [1e-3, 2e-5, 4e-7].iter().for_each(|rate| demand.add(*rate));
    alone.add(2e-5);
    [1e-3, 4e-7].iter().for_each(|rate| demand.remove(*rate));
    let (least, most) = (Span::from_seconds(1), Span::from_seconds(1_000_000_000));
    assert_eq!((demand.count(), demand.spent(1.0, least, most)), (1, alone.spent(1.0, least, most)));
}

#[test]
fn an_interval_is_explained() {
    let pacing = Pacing::default();
    let mut rate = Rate::default();
    let new = Explanation::of(&rate, Span::from_seconds(8_640), &pacing);
    assert_eq!(new.known(), "nothing is known yet; taken to change every 1d");
    assert_eq!(new.why(), "checked every 2h24m, when a change is 9.5 % likely: more often would find little more");
    (0..30).for_each(|check| rate.update(Span::from_seconds(3600), check % 3 == 0));
    let known = Explanation::of(&rate, Span::from_seconds(7200), &pacing);
    assert_eq!(known.known(), "changes every 2h32m (from 1h19m to 4h53m; 10 of 30 checks found a change)");
    assert_eq!(known.why(), "checked every 2h, when a change is 43 % likely: the budget has no more checks for it");
    assert_eq!(known.reason, Reason::Budget);
    assert_eq!(Explanation::of(&rate, pacing.least, &pacing).reason, Reason::Least);
    assert_eq!(Explanation::of(&rate, pacing.most, &pacing).reason, Reason::Most);
}

#[test]
fn a_rate_that_checks_cannot_tell_is_not_a_number() {
    let mut rate = Rate::default();
    (0..3).for_each(|_| rate.update(Span::from_seconds(10), true));
    let known = |between, per_day| {
        let explanation = Explanation::of(&rate, Span::from_seconds(300), &Pacing::default());
        Explanation { changes_per_day: Some(per_day), between: Some(between), ..explanation }.known()
    };
    let wide = "changes every 12h (perhaps every minute, hardly less than every 1d; 3 of 3 checks found a change)";
    assert_eq!(known((1.0, f64::INFINITY), 2.0), wide);
    let often = "changes every minute or more often (3 of 3 checks found a change)";
    assert_eq!(known((9_000.0, f64::INFINITY), 88_052.04), often);
}

#[test]
fn a_page_that_never_changed_has_no_rate() {
    let mut rate = Rate::default();
    (0..5).for_each(|_| rate.update(Span::from_seconds(600), false));
    let explanation = Explanation::of(&rate, Span::from_seconds(600), &Pacing::default());
    assert_eq!(explanation.known(), "no change in 5 checks so far");
    assert_eq!(explanation.changes_per_day, Some(0.0));
}

#[test]
fn a_wait_on_the_grid_is_not_a_short_budget() {
    let mut rate = Rate::default();
    (0..6).for_each(|_| rate.update(Span::from_seconds(60), true));
    let plan = Plan::new(Pacing::default());
    let interval = plan.interval(rate.expected()).milliseconds();
    for percent in [50, 100, 130, 150] {
        let wait = Span::from_milliseconds(interval * percent / 100);
        assert_ne!(Explanation::of(&rate, wait, &Pacing::default()).reason, Reason::Budget, "{wait}");
    }
    let wait = Span::from_milliseconds(interval * 3);
    assert_eq!(Explanation::of(&rate, wait, &Pacing::default()).reason, Reason::Budget);
}

prop_compose! {
    fn rates()(exponents in prop::collection::vec(-7.0_f32..-2.0, 1..60)) -> Vec<f32> {
        exponents.into_iter().map(|exponent| 10_f32.powf(exponent)).collect()
    }
}

proptest! {
    #[test]
    fn the_budget_is_kept(rates in rates(), budget in 0.1_f64..1_000.0) {
        let plan = plan(budget, &rates, 0.0);
        let spent: f64 = rates.iter().map(|rate| frequency(&plan, *rate)).sum();
        prop_assert!(spent <= budget * 1.05, "{} of {}", spent, budget);
    }

    #[test]
    fn the_faster_a_page_changes_the_more_it_is_checked(rates in rates(), budget in 0.1_f64..1_000.0) {
        let plan = plan(budget, &rates, 0.0);
        let mut sorted = rates.clone();
        sorted.sort_by(f32::total_cmp);
        let frequencies: Vec<_> = sorted.iter().map(|rate| frequency(&plan, *rate)).collect();
        prop_assert!(frequencies.is_sorted(), "{:?}", frequencies);
    }

    /// The optimum: checks taken from one page and given to another find no more, unless a bound forbids it.
    #[test]
    fn no_other_spending_finds_more(rates in rates(), share in 0.3_f64..0.95) {
        let Pacing { least, most, .. } = Pacing::default();
        let mut demand = Demand::default();
        rates.iter().for_each(|rate| demand.add(*rate));
        // Too little for all to be checked as often as is of use.
        let plan = plan(demand.spent(ENOUGH, least, most) * share, &rates, 0.0);
        let planned: Vec<_> = rates.iter().map(|rate| frequency(&plan, *rate)).collect();
        let (fastest, slowest) = (12.0, 3.6e6 / plan.interval(0.0).milliseconds() as f64);
        let best = found(&rates, &planned);
        for (from, giver) in planned.iter().enumerate() {
            for (to, taker) in planned.iter().enumerate() {
                let moved = giver * 0.1;
                if from == to || giver - moved < slowest || taker + moved > fastest {
                    continue;
                }
                let mut other = planned.clone();
                other[from] -= moved;
                other[to] += moved;
                prop_assert!(found(&rates, &other) <= best * (1.0 + 1e-6));
            }
        }
    }
}
