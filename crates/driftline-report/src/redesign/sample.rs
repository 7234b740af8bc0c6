//! What do the tests of a course show? A made stream in which everything happens.

use driftline::redesign::detectors::cluster::ClusterParameters;
use driftline::redesign::stripe::Stripe;
use driftline::redesign::template::difference::Difference;
use driftline::redesign::{Detector, Finding, Parameters, Verdict};

use super::Course;

/// A name that wants to clear the terminal, to be read backwards and to be endless.
pub(super) const HOSTILE: &str = "\u{1b}[2J\u{202e}<script>\r\n漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字.html";

fn parameters() -> Parameters {
    let cluster = ClusterParameters { horizon: 2, ..ClusterParameters::GOTTRON };
    Parameters { history: 5, cluster, ..Parameters::GOTTRON }
}

/// How alike two documents are: three designs of which one comes back, a layout that passes, and document 10
/// is like nothing.
fn similarity(one: usize, other: usize) -> f64 {
    let design = |document: usize| match document {
        10 => 10,
        0..20 => 0,
        30..37 => 3,
        45..52 => 2,
        _ => 1,
    };
    let wobble = ((one * 7 + other * 3) % 10) as f64 / 100.0;
    if design(one) == design(other) { 0.6 + wobble } else { 0.1 + wobble }
}

/// Adds documents up to this one.
fn run(course: &mut Course, stripe: &mut Stripe, until: usize, findings: &[Finding]) {
    while stripe.documents() <= until {
        let document = stripe.documents();
        let history = stripe.history();
        stripe.push(
            (document.saturating_sub(history)..document).rev().map(|other| similarity(document, other)).collect(),
        );
        let findings = if document == until { findings } else { &[] };
        course.add(Some(format!("posts/{document:04}.html")), stripe, findings);
    }
}

/// What driftline's own detector says.
pub(super) fn suspicion(document: usize, at: usize, certainty: f64, verdict: Verdict) -> Finding {
    let (detector, is_return) = (Detector::Driftline, verdict == Verdict::Rollback);
    Finding { detector, document, at, certainty: Some(certainty), verdict, is_return }
}

fn report(detector: Detector, document: usize, at: usize) -> Finding {
    Finding::redesign(detector, document, at)
}

/// A stream of 60 documents: an outlier, a redesign, a temporary layout, another redesign that is still
/// open, and a rollback.
pub(super) fn course() -> Course {
    let parameters = parameters();
    let course = Course::new("blog.example.org", &parameters, Detector::ALL);
    let mut course = course.with_figures().with_truth(&[20, 45]);
    let mut stripe = Stripe::new(parameters.history);
    let steps = [
        (10, vec![report(Detector::NewAvgDrop, 10, 10), suspicion(10, 10, 0.2, Verdict::Open)]),
        (11, vec![suspicion(10, 11, 0.0, Verdict::Outlier)]),
        (20, vec![report(Detector::NewAvgDrop, 20, 20), suspicion(20, 20, 0.3, Verdict::Open)]),
        (21, vec![suspicion(20, 21, 0.62, Verdict::Open), report(Detector::Cluster, 20, 21)]),
        (24, vec![suspicion(20, 24, 0.981, Verdict::Redesign), report(Detector::MaxAvgDiff, 20, 24)]),
        (25, (21..24).map(|document| report(Detector::Statistics, document, 25)).collect()),
        (32, vec![suspicion(30, 32, 0.7, Verdict::Open)]),
        (37, vec![suspicion(30, 37, 0.04, Verdict::Temporary)]),
        (46, vec![suspicion(45, 46, 0.55, Verdict::Open), report(Detector::Cluster, 45, 46)]),
        (53, vec![suspicion(52, 53, 0.8, Verdict::Rollback)]),
        (56, vec![suspicion(52, 56, 0.96, Verdict::Rollback)]),
        (59, vec![]),
    ];
    for (until, findings) in steps {
        run(&mut course, &mut stripe, until, &findings);
    }
    course.explain(Detector::Driftline, 20, difference());
    course.skip();
    course
}

fn difference() -> Difference {
    let blocks = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    Difference {
        went: blocks(&["nav.navbar", "aside#left", "div.post-head", "div.share", "ul.tags", "div.foot", "div.ad"]),
        came: blocks(&["header.site", "main\u{1b}[2J.wrap"]),
        stayed: 4,
        ..Difference::default()
    }
}

/// A stream in which nothing happens.
pub(super) fn quiet(documents: usize, detectors: &[Detector]) -> Course {
    let parameters = parameters();
    let mut course = Course::new("", &parameters, detectors).with_figures();
    let mut stripe = Stripe::new(parameters.history);
    for document in 0..documents {
        stripe.push((0..document.min(5)).map(|back| 0.7 - ((document * 3 + back) % 4) as f64 / 100.0).collect());
        course.add(None, &stripe, &[]);
    }
    course
}

/// Says these things of a document, one after the other: how certain, and what it is.
pub(super) fn say(course: &mut Course, document: usize, said: &[(f64, Verdict)]) {
    let mut stripe = Stripe::new(parameters().history);
    (0..course.documents()).for_each(|_| stripe.push(Vec::new()));
    let said =
        said.iter().zip(document..).map(|(&(certainty, verdict), at)| suspicion(document, at, certainty, verdict));
    stripe.push(vec![0.7; 5]);
    course.add(None, &stripe, &said.collect::<Vec<_>>());
}

/// A stream of documents with hostile names, of which one is reported.
pub(super) fn hostile() -> Course {
    let parameters = parameters();
    let mut course = Course::new(HOSTILE, &parameters, Detector::ALL).with_figures();
    let mut stripe = Stripe::new(parameters.history);
    for document in 0..12 {
        stripe.push(vec![f64::NAN; document]);
        let findings = [suspicion(document, document, 0.9, Verdict::Redesign)];
        course.add(Some(HOSTILE.to_owned()), &stripe, &findings);
    }
    course
}
