//! Tests that the advice is the one that a reader of table 1 would give.

use driftline::change::Sides;
use driftline::degree::Metric::{Cos, Ed, Ied, IedGap, IedRefined, Shingle, Wd};
use driftline::degree::ied::{Costs, Operations};
use driftline::degree::{Degree, Degrees};

use super::*;
use crate::metrics::experiment::{Setup, figure_7, figure_8};

#[test]
fn every_metric_is_ranked_once() {
    let mut ranked = Metric::cheapest_first();
    ranked.sort_unstable();
    assert_eq!(ranked, Metric::ALL);
}

fn setup(alpha: f64, beta: f64) -> Setup {
    let weights = Costs::new(alpha, beta).unwrap();
    let mut setup = Setup { weights, seed: 1, ..Setup::default() };
    setup.options.costs = weights;
    setup
}

/// A pair of pages of 200 words.
fn sample(operations: Operations) -> Sample {
    let words = Sides { older: 200, newer: 200 };
    Sample {
        words,
        degree: Degrees::from_fn(|metric| if metric == Metric::Bw { Degree::FULL } else { Degree::NONE }),
        operations,
    }
}

fn shares(operations: Operations) -> Shares {
    Shares::of_samples(&[sample(operations)]).unwrap()
}

fn advice(operations: Operations) -> Advice {
    Advice::of(&figure_7(&setup(0.75, 0.75)), shares(operations))
}

#[test]
fn improved_edit_distance_fits_any_mixture() {
    let advice = advice(Operations { add: 3, drop: 2, copy: 5, shrink: 1, replace: 2, moved: 4 });
    assert_eq!(advice.best().metric, Ied);
    assert!(advice.best().expected < 1e-12);
    let next: Vec<Metric> = advice.ranking[1..3].iter().map(|ranked| ranked.metric).collect();
    assert_eq!(next, [IedRefined, IedGap]);
}

#[test]
fn the_runner_up_is_no_variant_of_the_best() {
    assert_eq!(advice(Operations { add: 1, drop: 1, ..Operations::default() }).runner_up().metric, Shingle);
    assert_eq!(advice(Operations { moved: 1, ..Operations::default() }).runner_up().metric, Ed);
}

#[test]
fn shingling_is_as_good_where_pages_only_grow_and_shorten() {
    let advice = advice(Operations { add: 6, drop: 4, ..Operations::default() });
    let cheaper = advice.cheaper().unwrap();
    assert_eq!((cheaper.metric, &cheaper.effective[..]), (Shingle, &[EditKind::Add, EditKind::Drop][..]));
    assert!((advice.covered(cheaper) - 1.0).abs() < 1e-12);
}

#[test]
fn the_cheapest_of_equal_metrics_is_best() {
    let advice = advice(Operations { replace: 1, ..Operations::default() });
    assert_eq!(advice.best().metric, Wd);
    assert_eq!(advice.runner_up().metric, Cos);
    assert_eq!(advice.cheaper(), None);
}

#[test]
fn edit_distance_is_as_good_when_moves_weigh_as_much_as_replacements() {
    let operations = Operations { replace: 3, moved: 2, ..Operations::default() };
    assert_eq!(Advice::of(&figure_7(&setup(0.75, 1.0)), shares(operations)).best().metric, Ed);
    let lighter = Advice::of(&figure_7(&setup(0.75, 0.75)), shares(operations));
    assert_eq!((lighter.best().metric, lighter.cheaper()), (Ied, None));
}

#[test]
fn the_expected_deviation_is_the_mean_weighed_by_the_shares() {
    let curves = figure_7(&setup(0.75, 0.75));
    let advice = advice(Operations { add: 3, moved: 1, ..Operations::default() });
    let expected = 0.75 * curves[0].mean_deviation(Wd) + 0.25 * curves[5].mean_deviation(Wd);
    let actual = advice.ranking.iter().find(|ranked| ranked.metric == Wd).unwrap().expected;
    assert!((actual - expected).abs() < 1e-12);
}

#[test]
fn shingling_needs_large_pages() {
    let curves = figure_8(&setup(0.75, 0.75));
    assert_eq!(effective_from(&curves[0], Ied), Some(4));
    assert_eq!(effective_from(&curves[5], Shingle), None);
    let from = effective_from(&curves[0], Shingle).unwrap();
    assert!((256..=1024).contains(&from), "{from}");
}

#[test]
fn a_collection_of_small_pages_is_warned_of_shingling() {
    let curves = figure_8(&setup(0.75, 0.75));
    for (words, warned) in [(127, true), (128, false)] {
        let mut sample = sample(Operations { add: 1, ..Operations::default() });
        sample.words.older = words;
        let warnings = Warning::of(&Summary::of(&[sample]).unwrap(), &[sample], &curves);
        let small = |warning: &Warning| matches!(warning, Warning::SmallPages { excess, .. } if *excess > 0.1);
        assert_eq!(warnings.iter().any(small), warned, "{words} words: {warnings:?}");
    }
}

#[test]
fn variants_that_differ_on_real_pages_are_told() {
    let curves = figure_8(&setup(0.75, 0.75));
    let mut sample = sample(Operations { replace: 1, ..Operations::default() });
    assert_eq!(Warning::of(&Summary::of(&[sample]).unwrap(), &[sample], &curves), []);
    sample.degree.ied = Degree::clamped(0.25);
    let warnings = Warning::of(&Summary::of(&[sample]).unwrap(), &[sample], &curves);
    assert_eq!(warnings, [Warning::Variants { distance: Distance { mean: 0.25, largest: 0.25 } }]);
}
