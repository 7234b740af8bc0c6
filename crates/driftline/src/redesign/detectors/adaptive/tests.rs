//! What does the detector say about streams in which every letter is a template?

use super::*;
use crate::redesign::stripe::Stripe;

fn findings(stream: &str) -> Vec<Finding> {
    findings_with(Parameters::default(), stream)
}

/// The findings of a stream in which every letter is a template: documents of one are 0.9 alike,
/// others 0.1.
fn findings_with(parameters: Parameters, stream: &str) -> Vec<Finding> {
    let (mut adaptive, mut findings) = (Adaptive::default(), Vec::new());
    let stripe = Stripe::new(parameters.history);
    let documents: Vec<char> = stream.chars().collect();
    for at in 0..documents.len() {
        let likeness: Vec<f64> =
            documents[..at].iter().rev().map(|other| if *other == documents[at] { 0.9 } else { 0.1 }).collect();
        let document = Observation { stripe: &stripe, likeness: &likeness, size: Some(200) };
        adaptive.see(document, &parameters, &mut findings);
    }
    findings
}

/// The redesigns that are reported, and after which document.
fn reports(stream: &str) -> Vec<(usize, usize)> {
    let mut reports: Vec<(usize, usize)> = Vec::new();
    for finding in findings(stream) {
        let is_new = reports.iter().all(|(document, _)| *document != finding.document);
        if is_new && finding.is_report(&Parameters::default()) {
            reports.push((finding.document, finding.at));
        }
    }
    reports
}

/// What was said last about a document.
fn verdict(stream: &str, document: usize) -> Option<Verdict> {
    findings(stream).iter().rev().find(|finding| finding.document == document).map(|said| said.verdict)
}

fn repeat(template: &str, count: usize) -> String {
    template.repeat(count)
}

#[test]
fn a_site_that_stays_raises_no_suspicion() {
    assert_eq!(findings(&repeat("a", 200)), []);
    assert_eq!(findings(&repeat("ab", 100)), []);
}

#[test]
fn after_a_long_quiet_time_one_document_is_enough_to_report() {
    let stream = repeat("a", 60) + &repeat("b", 20);
    assert_eq!(reports(&stream), [(60, 60)]);
    assert_eq!(verdict(&stream, 60), Some(Verdict::Redesign));
}

#[test]
fn on_a_young_site_it_takes_two() {
    assert_eq!(reports(&(repeat("a", 9) + &repeat("b", 20))), [(9, 10)]);
}

#[test]
fn certainty_rises_with_each_document_of_the_new_design() {
    let course: Vec<f64> =
        findings(&(repeat("a", 9) + &repeat("b", 6))).iter().filter_map(|said| said.certainty).collect();
    assert!(course.len() > 2 && course.windows(2).all(|pair| pair[0] < pair[1]), "{course:?}");
}

#[test]
fn a_stream_that_begins_with_odd_pages_was_not_redesigned() {
    assert_eq!(reports(&("xyzv".to_owned() + &repeat("a", 30))), []);
}

#[test]
fn outliers_are_no_redesign_and_make_the_detector_wait() {
    let stream = repeat("a", 15) + "xaaayaaaazaaaavaaa" + &repeat("b", 10);
    assert_eq!(reports(&stream), [(33, 34)]);
    for outlier in [15, 19, 24, 29] {
        assert_eq!(verdict(&stream, outlier), Some(Verdict::Outlier), "{outlier}");
    }
}

#[test]
fn an_outlier_right_before_a_redesign_is_not_its_first_document() {
    assert_eq!(reports(&(repeat("a", 15) + "x" + &repeat("b", 10))), [(16, 17)]);
}

#[test]
fn outliers_behind_a_redesign_do_not_hide_it() {
    assert_eq!(reports(&(repeat("a", 15) + "bxbbybzb")), [(15, 17)]);
}

#[test]
fn a_section_with_its_own_template_is_no_redesign() {
    let stream = repeat("a", 12) + &repeat("sa", 12);
    assert_eq!(reports(&stream), []);
    assert_eq!(verdict(&stream, 12), Some(Verdict::Section));
}

#[test]
fn a_section_that_stays_as_it_was_does_not_hide_a_redesign() {
    let stream = repeat("as", 15) + &repeat("bs", 10);
    assert_eq!(reports(&stream).iter().map(|report| report.0).collect::<Vec<_>>(), [30]);
    assert_eq!(verdict(&stream, 30), Some(Verdict::Redesign));
}

#[test]
fn a_layout_that_goes_again_is_temporary() {
    let stream = repeat("a", 30) + "ccc" + &repeat("a", 20);
    assert_eq!(verdict(&stream, 30), Some(Verdict::Temporary));
}

#[test]
fn an_old_design_that_comes_back_is_a_rollback_and_no_redesign() {
    let stream = repeat("a", 30) + &repeat("b", 10) + &repeat("a", 10);
    assert_eq!(reports(&stream), [(30, 31)]);
    assert_eq!(verdict(&stream, 40), Some(Verdict::Rollback));
}

#[test]
fn a_rollback_after_a_late_document_is_still_a_rollback() {
    let stream = repeat("a", 30) + &repeat("b", 10) + "a" + &repeat("b", 8) + &repeat("a", 30);
    assert_eq!(reports(&stream), [(30, 31)]);
    assert_eq!(verdict(&stream, 49), Some(Verdict::Rollback));
}

#[test]
fn a_layout_that_had_settled_and_goes_again_soon_was_temporary_after_all() {
    let stream = repeat("a", 30) + &repeat("c", 8) + &repeat("a", 20);
    let verdicts: Vec<Verdict> =
        findings(&stream).iter().filter(|said| said.document == 30).map(|said| said.verdict).collect();
    assert!(verdicts.contains(&Verdict::Redesign), "{verdicts:?}");
    assert_eq!(verdict(&stream, 30), Some(Verdict::Temporary));
    assert_eq!(verdict(&stream, 38), Some(Verdict::Rollback));
}

#[test]
fn a_return_is_open_until_it_is_settled() {
    let stream = repeat("a", 30) + &repeat("b", 10) + "aa";
    assert_eq!(verdict(&stream, 40), Some(Verdict::Open));
    assert!(findings(&stream).iter().all(|said| said.document != 40 || said.is_return));
}

#[test]
fn a_late_document_of_the_old_design_is_an_outlier() {
    let stream = repeat("a", 30) + &repeat("b", 10) + "a" + &repeat("b", 10);
    assert_eq!(reports(&stream), [(30, 31)]);
    assert_eq!(verdict(&stream, 40), Some(Verdict::Outlier));
}

#[test]
fn a_page_seen_once_that_becomes_the_design_is_found() {
    let stream = repeat("a", 15) + "baaaa" + &repeat("b", 10);
    assert_eq!(reports(&stream).iter().map(|report| report.0).collect::<Vec<_>>(), [20]);
}

#[test]
fn two_redesigns_soon_after_each_other_are_two() {
    let stream = repeat("a", 15) + &repeat("b", 6) + &repeat("c", 10);
    assert_eq!(reports(&stream).iter().map(|report| report.0).collect::<Vec<_>>(), [15, 21]);
}

#[test]
fn what_was_learned_survives_being_saved_between_any_two_documents() {
    let stream = repeat("a", 12) + "xaaab" + &repeat("b", 12) + "aabb";
    let documents: Vec<char> = stream.chars().collect();
    let parameters = Parameters::default();
    let stripe = Stripe::new(parameters.history);
    let (mut kept, mut saved) = (Adaptive::default(), Adaptive::default());
    for at in 0..documents.len() {
        let likeness: Vec<f64> =
            documents[..at].iter().rev().map(|other| if *other == documents[at] { 0.9 } else { 0.1 }).collect();
        let document = Observation { stripe: &stripe, likeness: &likeness, size: Some(100) };
        saved = serde_json::from_str(&serde_json::to_string(&saved).unwrap()).unwrap();
        let (mut expected, mut findings) = (Vec::new(), Vec::new());
        kept.see(document, &parameters, &mut expected);
        saved.see(document, &parameters, &mut findings);
        assert_eq!(findings, expected);
    }
}

#[test]
fn with_a_long_history_certainty_only_rises_and_nothing_is_withdrawn() {
    let parameters = Parameters::default().with_history(1_000);
    let stream = repeat("a", 60) + &repeat("sa", 10) + &repeat("ta", 10) + "baa" + &repeat("b", 400);
    let said = findings_with(parameters, &stream);
    let last = said.iter().rfind(|said| said.is_report(&parameters)).unwrap();
    assert_eq!((last.document, last.verdict), (103, Verdict::Redesign));
}
