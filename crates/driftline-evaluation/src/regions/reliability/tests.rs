//! Tests of the paper's claims about its weights, and of what they do not see.

use driftline::page::ReadOptions;

use super::*;

fn trials(group: usize) -> Vec<Trial> {
    made_plan(48, 1)[group].items.iter().map(|made| made.trial()).collect()
}

fn shares(trials: &[Trial], approach: Approach, kind: Option<Kind>) -> Vec<f64> {
    curve(trials, approach, kind).into_iter().map(|(_, ratio)| ratio.share()).collect()
}

#[test]
fn the_weights_sum_to_one_in_all_18_settings() {
    let settings: Vec<Setting> = Setting::all().collect();
    assert_eq!(settings.iter().map(|setting| setting.index()).collect::<Vec<_>>(), (0..18).collect::<Vec<_>>());
    assert_eq!(settings[0].weights(), Weights::new(0.0, 0.5, 0.5).unwrap());
    assert_eq!(settings[11].weights(), Weights::new(0.0, 1.0, 0.0).unwrap());
}

/// "Giving a detection reliability close to two thirds" at 0 and "very close to one third" at 1.
#[test]
fn artail_figure_8_ends_at_two_thirds_and_one_third() {
    let trials = trials(0);
    for approach in [Approach::Product, Approach::Sum] {
        let overall = shares(&trials, approach, None);
        assert!((overall[0] - 2.0 / 3.0).abs() < 0.05, "{approach:?}: {overall:?}");
        assert!((overall[5] - 1.0 / 3.0).abs() < 0.05, "{approach:?}: {overall:?}");
        assert!(overall[1..5].iter().all(|&share| share == 1.0), "{approach:?}: {overall:?}");
        for kind in [Kind::Content, Kind::Attributes, Kind::Structure] {
            let own = shares(&trials, approach, Some(kind));
            assert_eq!(own[0], 0.0, "{approach:?} does not look at {kind:?}");
            assert!(own[1..5].iter().all(|&share| share == 1.0), "{approach:?}, {kind:?}: {own:?}");
            assert!(own[5] > 0.7, "{approach:?}, {kind:?}: {own:?}");
        }
    }
}

#[test]
fn artail_parts_that_are_built_alike_hide_each_other() {
    let trials = trials(1);
    let structure = shares(&trials, Approach::Sum, Some(Kind::Structure));
    assert_eq!(structure[5], 0.0, "by paths alone, any other part is the changed one's like");
    assert_eq!(structure[2], 1.0);
}

#[test]
fn artail_no_weight_shows_an_element_that_was_put_in() {
    for group in [0, 1] {
        let inside = shares(&trials(group), Approach::Product, Some(Kind::Inside));
        assert!(inside.iter().all(|&share| share < 0.4 && share <= inside[0]), "{inside:?}");
    }
}

#[test]
fn driftline_detects_all_whatever_the_weights() {
    for group in [0, 1] {
        let trials = trials(group);
        for kind in Kind::ALL.map(Some).into_iter().chain([None]) {
            assert_eq!(shares(&trials, Approach::Driftline, kind), [1.0; 6], "{kind:?}");
        }
    }
}

#[test]
fn of_given_pages_an_exact_comparison_tells_what_changed() {
    let [older, newer] = ["<p>a b", "<p id=x>a c"].map(|html| Page::read(html, &ReadOptions::default()));
    let trial = Trial::of_given(&older, &newer);
    assert_eq!(trial.kinds, [Kind::Content, Kind::Attributes]);
    let setting = Setting { parameter: Parameter::Alpha, fifths: 0 };
    let detected = Ratio { detected: 1, actual: 1 };
    assert_eq!(ratio(std::slice::from_ref(&trial), Approach::Product, setting, Some(Kind::Content)), detected);
    assert_eq!(ratio(&[trial], Approach::Product, setting, Some(Kind::Structure)), Ratio::default());
    assert_eq!(Trial::of_given(&older, &older).kinds, []);
}
