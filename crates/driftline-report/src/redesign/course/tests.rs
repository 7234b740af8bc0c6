//! Does a course of any length stay small?

use driftline::redesign::Verdict;

use super::super::{json, sample, text};
use super::*;

/// A stream in which every document is suspected of what this says, and reported by CLUSTER.
fn long(documents: usize, certainty: f64, verdict: Verdict) -> Course {
    let parameters = Parameters::GOTTRON.with_history(2);
    let mut course = Course::new("", &parameters, Detector::ALL);
    let mut stripe = Stripe::new(parameters.history);
    for document in 0..documents {
        stripe.push(vec![0.7; 2]);
        let suspected = sample::suspicion(document, document, certainty, verdict);
        course.add(None, &stripe, &[suspected, Finding::redesign(Detector::Cluster, document, document)]);
    }
    course
}

#[test]
fn only_the_last_innocent_suspicions_are_kept() {
    let course = long(MOST_INNOCENT + 3, 0.0, Verdict::Outlier);
    assert_eq!((course.suspected().count(), course.earlier_suspicions()), (MOST_INNOCENT, 3));
    assert_eq!(course.suspected().next().map(|suspected| suspected.document), Some(3));
    assert_eq!(json(&course)["earlier"], serde_json::json!({ "suspected": 3 }));
    let text = text(&course, 100, false);
    assert!(text.contains("and 989 more), and 3 earlier ones\n"), "{text}");
}

#[test]
fn only_the_last_reports_are_kept() {
    let course = long(MOST_REPORTS + 1, 0.9, Verdict::Redesign);
    assert_eq!(course.found_by(Detector::Driftline).count(), MOST_REPORTS);
    assert_eq!(course.reports(Detector::Cluster).count(), MOST_REPORTS);
    assert_eq!(json(&course)["earlier"], serde_json::json!({ "cluster": 1, "driftline": 1 }));
    let text = text(&course, 80, false);
    assert!(
        text.contains("\nand 1 earlier report, which") && text.contains("10,000 reports and 1 earlier one: "),
        "{text}"
    );
}

#[test]
fn an_open_suspicion_is_not_forgotten() {
    assert_eq!(long(MOST_INNOCENT + 3, 0.1, Verdict::Open).earlier_suspicions(), 0);
}

#[test]
fn a_long_suspicion_is_three_moments() {
    let mut course = sample::quiet(3, &[Detector::Driftline]);
    let said: Vec<(f64, Verdict)> = (0..5_000).map(|step| (f64::from(step) / 5_000.0, Verdict::Open)).collect();
    sample::say(&mut course, 2, &said);
    let suspected = course.suspected().next().unwrap();
    assert_eq!((suspected.first.at, suspected.latest.at), (2, 5_001));
    assert_eq!(suspected.reported.map(|reported| reported.certainty), Some(0.5));
}

#[test]
fn the_template_of_what_is_no_new_design_is_forgotten() {
    let mut course = sample::course();
    let has_template = |course: &Course| course.suspected().any(|suspected| suspected.template.is_some());
    assert!(has_template(&course));
    sample::say(&mut course, 20, &[(0.0, Verdict::Temporary)]);
    assert!(!has_template(&course));
    course.explain(Detector::Driftline, 20, Difference::default());
    assert!(!has_template(&course));
}
