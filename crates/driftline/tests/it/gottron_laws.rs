//! What holds for Gottron's detectors on any stream: they agree with the paper's matrix, built literally,
//! and can be stopped and resumed between any two documents.

use driftline::redesign::detectors::cluster::{Cluster, ClusterParameters};
use driftline::redesign::detectors::new_avg_drop::NewAvgDropParameters;
use driftline::redesign::detectors::statistics::Welch;
use driftline::redesign::detectors::{AnyDetector, Detect, Observation};
use driftline::redesign::stripe::Stripe;
use driftline::redesign::{Detector, Parameters};
use driftline_testkit::stripe as oracle;
use proptest::prelude::*;

const RULES: [Detector; 4] = [Detector::NewAvgDrop, Detector::MaxAvgDiff, Detector::Statistics, Detector::Cluster];

/// Documents of few designs that follow each other in runs, with outliers: what the detectors react to.
/// Similarities have one decimal, so that ties and equal averages are common.
fn rows(history: usize) -> impl Strategy<Value = Vec<Vec<f64>>> {
    let runs = prop::collection::vec((0..4_u8, 1..3 * history), 1..6);
    let noise = prop::collection::vec(0..3_u8, history * 18);
    (runs, noise, prop::bool::ANY).prop_map(move |(runs, noise, is_noisy)| {
        let designs: Vec<u8> = runs.iter().flat_map(|&(design, length)| vec![design; length]).collect();
        let similarity = |document: usize, other: usize| {
            let wobble = if is_noisy { noise[(document * 7 + other) % noise.len()] } else { 0 };
            f64::from(wobble + if designs[document] == designs[other] { 6 } else { 0 }) / 10.0
        };
        let row = |document: usize| {
            let before = (document.saturating_sub(history)..document).rev();
            before.map(|other| similarity(document, other)).collect()
        };
        (0..designs.len()).map(row).collect()
    })
}

fn streams() -> impl Strategy<Value = (Parameters, Vec<Vec<f64>>)> {
    let history = (2..9_usize).prop_flat_map(|history| (Just(history), 1..history));
    let shares = (0..=10_u8, 0..=10_u8, 1..=10_u8).prop_map(|shares| {
        let share = |tenths: u8| f64::from(tenths) / 10.0;
        (share(shares.0), share(shares.1), share(shares.2))
    });
    (history, shares).prop_flat_map(|((history, horizon), (threshold, rate, drop))| {
        let cluster = ClusterParameters { horizon, threshold, rate };
        let new_avg_drop = NewAvgDropParameters { drop };
        let own = Parameters { history, cluster, new_avg_drop, ..Parameters::GOTTRON };
        let cluster = ClusterParameters { horizon, ..ClusterParameters::GOTTRON };
        let papers = Parameters { history, cluster, ..Parameters::GOTTRON };
        (prop::sample::select(vec![own, papers]), rows(history))
    })
}

/// The stripe after each document.
fn stripes(parameters: &Parameters, rows: &[Vec<f64>]) -> Vec<Stripe> {
    let mut stripe = Stripe::new(parameters.history);
    let after = rows.iter().map(|row| {
        stripe.push(row.clone());
        stripe.clone()
    });
    after.collect()
}

fn reports(detector: Detector, parameters: &Parameters, rows: &[Vec<f64>]) -> Vec<(usize, usize)> {
    let (mut rule, mut reports) = (AnyDetector::new(detector), Vec::new());
    for stripe in stripes(parameters, rows) {
        rule.see(Observation::of_similarities(&stripe), parameters, &mut reports);
    }
    reports.iter().map(|finding| (finding.document, finding.at)).collect()
}

proptest! {
    #[test]
    fn gottron_new_avg_drop_is_the_definition((parameters, rows) in streams()) {
        let expected = oracle::new_avg_drop(&rows, parameters.history, parameters.new_avg_drop.drop);
        prop_assert_eq!(reports(Detector::NewAvgDrop, &parameters, &rows), expected);
    }

    #[test]
    fn gottron_max_avg_diff_is_the_definition((parameters, rows) in streams()) {
        let expected = oracle::max_avg_diff(&rows, parameters.history);
        prop_assert_eq!(reports(Detector::MaxAvgDiff, &parameters, &rows), expected);
    }

    #[test]
    fn gottron_cluster_is_the_definition((parameters, rows) in streams()) {
        let Parameters { history, cluster: ClusterParameters { horizon, threshold, rate }, .. } = parameters;
        let (expected, clusters) = oracle::cluster(&rows, history, horizon, threshold, rate);
        prop_assert_eq!(reports(Detector::Cluster, &parameters, &rows), expected);
        let mut rule = Cluster::default();
        for (stripe, cluster) in stripes(&parameters, &rows).iter().zip(clusters) {
            rule.see(Observation::of_similarities(stripe), &parameters, &mut Vec::new());
            prop_assert_eq!(rule.newest(), Some(cluster as u64));
        }
    }

    #[test]
    fn gottron_triangles_are_those_of_the_matrix((parameters, rows) in streams()) {
        for (at, stripe) in stripes(&parameters, &rows).iter().enumerate() {
            let sorted = |mut values: Vec<f64>| {
                values.sort_by(f64::total_cmp);
                values
            };
            let found = stripe.triangles().map(|triangles| {
                let [upper, lower]: [Vec<&[f64]>; 2] = [triangles.upper().collect(), triangles.lower().collect()];
                (sorted(upper.concat()), sorted(lower.concat()))
            });
            let expected = oracle::triangles(&rows, parameters.history, at);
            prop_assert_eq!(found, expected.map(|(upper, lower)| (sorted(upper), sorted(lower))));
        }
    }

    #[test]
    fn gottron_detectors_go_on_where_they_were_stopped(
        (parameters, rows) in streams(),
        stops in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
    ) {
        let stops: Vec<usize> = stops.iter().map(|stop| stop.index(rows.len())).collect();
        for detector in RULES {
            let (mut stripe, mut rule, mut found) =
                (Stripe::new(parameters.history), AnyDetector::new(detector), Vec::new());
            for (at, row) in rows.iter().enumerate() {
                if stops.contains(&at) {
                    let saved = serde_json::to_string(&(&stripe, &rule)).unwrap();
                    let before = (stripe, rule);
                    (stripe, rule) = serde_json::from_str(&saved).unwrap();
                    prop_assert_eq!((&stripe, &rule), (&before.0, &before.1));
                }
                stripe.push(row.clone());
                rule.see(Observation::of_similarities(&stripe), &parameters, &mut found);
            }
            let found: Vec<_> = found.iter().map(|finding| (finding.document, finding.at)).collect();
            prop_assert_eq!(found, reports(detector, &parameters, &rows));
        }
    }
}

proptest! {
    // The oracle integrates for every document.
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn gottron_statistics_is_the_definition((parameters, rows) in streams()) {
        let found = stripes(&parameters, &rows).into_iter().enumerate().filter_map(|(at, stripe)| {
            let test = Welch::of(stripe.triangles()?)?;
            Some((at, test.p))
        });
        let found: Vec<_> = found.collect();
        let expected = oracle::statistics(&rows, parameters.history);
        prop_assert_eq!(found.len(), expected.len());
        for (found, expected) in found.into_iter().zip(expected) {
            prop_assert_eq!(found.0, expected.0);
            prop_assert!((found.1 - expected.1).abs() < 1e-6, "{:?}, not {:?}", found, expected);
        }
    }
}
