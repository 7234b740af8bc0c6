//! Gottron's four detectors (rules T4 to T8) against an independent implementation, from similarities.

use driftline::redesign::detectors::cluster::{Cluster, ClusterParameters};
use driftline::redesign::detectors::new_avg_drop::NewAvgDropParameters;
use driftline::redesign::detectors::statistics::{StatisticsParameters, Welch};
use driftline::redesign::detectors::{AnyDetector, Detect, Observation};
use driftline::redesign::stripe::Stripe;
use driftline::redesign::{Detector, Finding, Parameters};
use serde_json::{Value, json};

const NAMES: [(&str, Detector); 4] = [
    ("NEW-AVG-DROP", Detector::NewAvgDrop),
    ("MAX-AVG-DIFF", Detector::MaxAvgDiff),
    ("STATISTICS", Detector::Statistics),
    ("CLUSTER", Detector::Cluster),
];

fn cases() -> Vec<Value> {
    let golden: Value = serde_json::from_str(include_str!("../golden/detectors.json")).unwrap();
    let cases = golden["cases"].as_array().unwrap().clone();
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    cases
}

fn parameters(case: &Value) -> Parameters {
    let count = |name: &str| usize::try_from(case[name].as_u64().unwrap()).unwrap();
    let share = |name: &str| case[name].as_f64().unwrap();
    let parameters = Parameters {
        history: count("h"),
        cluster: ClusterParameters { horizon: count("h2"), threshold: share("threshold"), rate: share("rate") },
        new_avg_drop: NewAvgDropParameters { drop: share("theta") },
        statistics: StatisticsParameters { level: share("level") },
        ..Parameters::GOTTRON
    };
    parameters.checked().unwrap()
}

/// The stripe after each document of a case.
fn stripes(case: &Value) -> impl Iterator<Item = Stripe> {
    let numbers = |row: &Value| row.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
    let rows: Vec<Vec<f64>> = case["sims"].as_array().unwrap().iter().map(numbers).collect();
    let stripe = Stripe::new(parameters(case).history);
    rows.into_iter().scan(stripe, |stripe, row| {
        stripe.push(row);
        Some(stripe.clone())
    })
}

fn reports(case: &Value, detector: &mut impl Detect) -> Vec<Finding> {
    let mut reports = Vec::new();
    for stripe in stripes(case) {
        detector.see(Observation::of_similarities(&stripe), &parameters(case), &mut reports);
    }
    reports
}

#[test]
fn the_reports_are_those_of_gottron() {
    for case in cases() {
        for (name, detector) in NAMES {
            let reports = reports(&case, &mut AnyDetector::new(detector));
            let pairs: Vec<_> = reports.iter().map(|report| [report.document, report.at]).collect();
            assert_eq!(json!(pairs), case["expect"]["reports"][name], "{name} of {}", case["id"]);
        }
    }
}

#[test]
fn the_clusters_are_those_of_gottron() {
    for case in cases() {
        let (mut rule, mut reports) = (Cluster::default(), Vec::new());
        let clusters = stripes(&case).map(|stripe| {
            rule.see(Observation::of_similarities(&stripe), &parameters(&case), &mut reports);
            rule.newest()
        });
        assert_eq!(json!(clusters.collect::<Vec<_>>()), case["expect"]["clusters"], "{}", case["id"]);
    }
}

/// Equal as far as so many significant digits are printed; nothing is only nothing.
fn assert_prints(actual: Option<f64>, expected: &Value, digits: i32, what: &str) {
    match (actual, expected.as_f64()) {
        (Some(actual), Some(expected)) => {
            let unit = 10_f64.powi(expected.abs().max(f64::MIN_POSITIVE).log10().floor() as i32 + 1 - digits);
            assert!((actual - expected).abs() <= 0.51 * unit, "{what}: {actual}, not {expected}");
        }
        (actual, expected) => assert_eq!(actual, expected, "{what}"),
    }
}

#[test]
fn the_numbers_behind_the_reports_are_those_of_gottron() {
    let mut probes = 0;
    for case in cases() {
        let stripes: Vec<_> = stripes(&case).collect();
        for probe in case["expect"]["probe"].as_array().unwrap() {
            let stripe = &stripes[usize::try_from(probe["i"].as_u64().unwrap()).unwrap()];
            let triangles = stripe.triangles().unwrap();
            let (indicators, test) = (triangles.indicators(), Welch::of(triangles));
            let (t, freedom) = test.and_then(|test| test.t).unzip();
            let values = [
                ("max_lower", Some(indicators.max_lower), 12),
                ("mean_upper", Some(indicators.mean_upper), 11),
                ("avgsim", stripe.average(), 11),
                ("t", t, 10),
                ("df", freedom, 10),
                ("p", test.map(|test| test.p), 6),
            ];
            for (name, value, digits) in values {
                assert_prints(value, &probe[name], digits, &format!("{name} at {} of {}", probe["i"], case["id"]));
            }
            probes += 1;
        }
    }
    assert!(probes >= 283, "only {probes} probes");
}
