//! Small cases that can be worked out by hand, and laws.

use driftline::novelty::dated::Age;
use proptest::prelude::*;

use super::*;

fn judged(pages: &[(f64, bool)]) -> Judgement {
    let verdicts: Vec<Option<bool>> = pages.iter().map(|page| Some(page.1)).collect();
    let novelty = [(0.1, pages.iter().map(|page| page.0).collect())];
    Judgement::of(Judge::Truth, &verdicts, Scores { novelty: &novelty, probability: None })
}

fn curve(pages: &[(f64, bool)]) -> Curve {
    judged(pages).curves.remove(0)
}

#[test]
fn not_seen_before_is_the_threshold_zero() {
    let curve = curve(&[(0.0, false), (0.0, false), (0.9, true), (0.3, true)]);
    let [all, positive] = [curve.points[0], curve.points[1]];
    assert_eq!((all.called, all.precision(), all.recall()), (4, Some(0.5), Some(1.0)));
    assert_eq!((positive.called, positive.precision(), positive.recall()), (2, Some(1.0), Some(1.0)));
    assert_eq!(curve.points[21].precision(), None);
    assert_eq!(curve.points[21].recall(), Some(0.0));
}

#[test]
fn a_score_that_rounding_left_below_a_threshold_reaches_it() {
    let nearly = (0..10).map(|_| 0.1).sum::<f64>();
    assert!(nearly < 1.0 && Threshold::AtLeast(1.0).admits(nearly));
    assert!(!Threshold::Positive.admits(0.0) && Threshold::Positive.admits(f64::MIN_POSITIVE));
    assert_eq!(Distribution::from_iter([nearly, 0.9 - 1e-12]).cells()[19].pages, 1);
}

#[test]
fn average_precision_is_worked_out_by_hand() {
    // Ranked: new, old, new: (1/1 + 2/3) / 2.
    let average = curve(&[(0.2, true), (0.9, true), (0.5, false)]).average_precision.unwrap();
    assert!((average - 5.0 / 6.0).abs() < 1e-12, "{average}");
    // All of one score are one step, however they are written down.
    assert_eq!(curve(&[(0.5, true), (0.5, false)]).average_precision, Some(0.5));
    assert_eq!(curve(&[(0.5, false), (0.5, true)]).average_precision, Some(0.5));
    assert_eq!(curve(&[(0.5, false)]).average_precision, None);
}

#[test]
fn pages_that_a_judge_does_not_know_do_not_count() {
    let novelty = [(0.0, vec![0.5, 0.5, 0.5])];
    let scores = Scores { novelty: &novelty, probability: Some(&[0.9, 0.1, 0.5]) };
    let judgement = Judgement::of(Judge::Dates, &[Some(true), None, Some(false)], scores);
    assert_eq!((judgement.known, judgement.novel, judgement.baseline()), (2, 1, Some(0.5)));
    assert_eq!(judgement.curves[1].average_precision, Some(1.0));
    let reliability = judgement.reliability.unwrap();
    assert_eq!(reliability.bins.iter().map(|bin| bin.pages).sum::<usize>(), 2);
    // (0.1² + 0.5²) / 2
    assert!((reliability.brier.unwrap() - 0.13).abs() < 1e-12);
}

#[test]
fn addresses_with_months_are_counted() {
    let ages = Ages::from_iter([Age::Old, Age::New, Age::New, Age::Future]);
    assert_eq!((ages.total(), ages.share(ages.new)), (4, Some(0.5)));
    assert_eq!(Ages::default().share(0), None);
}

#[test]
fn a_miss_is_an_old_page_with_a_score() {
    let rate = MissRate::from_iter([0.0, 0.05, 0.1, 0.5]);
    assert_eq!(rate, MissRate { old: 4, positive: 3, at_least_0_1: 2, at_least_0_5: 1 });
    assert_eq!(rate.share(rate.positive), Some(0.75));
    assert_eq!(MissRate::default().share(0), None);
}

#[test]
fn zero_has_a_cell_of_its_own() {
    let cells = Distribution::from_iter([0.0, 0.0, 0.01, 1.0]).cells();
    assert_eq!((cells[0].pages, cells[1].pages, cells[20].pages), (2, 1, 1));
    assert_eq!((cells[0].cumulative, cells[1].cumulative, cells[20].cumulative), (2, 3, 4));
}

proptest! {
    #[test]
    fn recall_falls_with_the_threshold_and_every_score_has_a_cell(
        pages in proptest::collection::vec((0.0..=1.0, any::<bool>()), 0..60),
    ) {
        let judgement = judged(&pages);
        let curve = &judgement.curves[0];
        prop_assert!(curve.points.windows(2).all(|pair| pair[1].right <= pair[0].right));
        prop_assert_eq!(curve.points[0].precision(), judgement.baseline());
        let distribution: Distribution = pages.iter().map(|page| page.0).collect();
        prop_assert_eq!(distribution.total(), pages.len());
        if let Some(average) = curve.average_precision {
            prop_assert!(average > 0.0 && average <= 1.0 + 1e-12);
        }
    }
}
