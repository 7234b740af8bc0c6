//! driftline's own detector compared with Gottron's four: on real streams, on synthetic ones, and on bare similarities.

use driftline::page::ReadOptions;
use driftline::redesign::detectors::cluster::ClusterParameters;
use driftline::redesign::stream::Stream;
use driftline::redesign::template::Template;
use driftline::redesign::{Detector, Parameters};
use driftline_evaluation::redesign::synthesis::{MadeStream, Scenario};
use driftline_evaluation::redesign::{Outcome, Row, Trial, Truth};
use driftline_testkit::data;
use driftline_testkit::pages::{RealStream, real_streams};
use proptest::prelude::*;
use serde_json::Value;

const GOTTRON: [Detector; 4] = [Detector::NewAvgDrop, Detector::MaxAvgDiff, Detector::Statistics, Detector::Cluster];

fn templates<'a>(documents: impl IntoIterator<Item = &'a [u8]>) -> Vec<Template> {
    let read = |document| Template::read(document, &ReadOptions::default(), Template::SHINGLE_LENGTH);
    documents.into_iter().map(read).collect()
}

fn trial(templates: &[Template], history: usize) -> Trial {
    let parameters = Parameters { history, ..Parameters::default() };
    let mut stream = Stream::new(parameters, Detector::ALL).unwrap();
    let mut trial = Trial::new(&parameters);
    for template in templates {
        trial.add(&stream.push(template.clone()));
    }
    trial
}

/// Every redesign of every real stream is found, and nothing else is reported: whatever the history.
#[test]
fn on_real_streams_every_redesign_is_found_and_nothing_else() {
    assert_every_redesign_is_found(real_streams(&data::subset()));
}

#[test]
#[ignore = "needs the shared data"]
fn on_real_streams_every_redesign_is_found_and_nothing_else_on_the_shared_data() {
    assert_every_redesign_is_found(real_streams(&data::shared()));
}

fn assert_every_redesign_is_found(streams: Vec<RealStream>) {
    for stream in streams {
        let templates = templates(stream.documents.iter().map(Vec::as_slice));
        for history in [5, 10, 20] {
            let trial = trial(&templates, history);
            let found: Vec<usize> = trial.reports(Detector::Driftline).iter().map(|report| report.document).collect();
            assert_eq!(found, stream.redesigns, "{} with a history of {history}", stream.name);
            for other in [Detector::Cluster, Detector::MaxAvgDiff] {
                for theirs in trial.reports(other).iter().filter(|report| found.contains(&report.document)) {
                    let own = trial.reports(Detector::Driftline).iter().find(|own| own.document == theirs.document);
                    assert!(own.is_some_and(|own| own.at < theirs.at), "{own:?} {} {theirs:?}", other.name());
                }
            }
        }
    }
}

fn outcome(made: &MadeStream) -> Outcome {
    let templates = templates(made.documents.iter().map(String::as_bytes));
    let truth = Truth {
        name: made.name.clone(),
        kind: made.scenario.name().to_owned(),
        documents: made.documents.len(),
        redesigns: made.redesigns.clone(),
        minor_changes: made.minor_changes.clone(),
    };
    Outcome { truth, trials: vec![trial(&templates, 20)] }
}

#[test]
fn on_made_streams_it_is_ahead_of_gottrons_four() {
    let made =
        Scenario::ALL.iter().flat_map(|&scenario| (0..3).map(move |number| MadeStream::new(scenario, number, 1)));
    let outcomes: Vec<Outcome> = made.map(|made| outcome(&made)).collect();
    let row = |detector| Row::of(detector, 20, &outcomes);
    let own = row(Detector::Driftline);
    for detector in GOTTRON {
        let other = row(detector);
        let scores = (own.confusion.f1(), other.confusion.f1());
        assert!(scores.0 > scores.1 + 0.1, "{scores:?} {}", detector.name());
    }
    let cluster = row(Detector::Cluster);
    assert!(own.mean_delay() < cluster.mean_delay() && own.confusion.recall() > 0.8, "{own:?}");
}

/// The similarities of the golden cases, and where their makers put a redesign.
#[test]
fn on_bare_similarities_it_is_ahead_of_gottrons_four() {
    let golden: Value = serde_json::from_str(include_str!("../../../driftline/tests/golden/detectors.json")).unwrap();
    let outcomes: Vec<Outcome> = golden["cases"].as_array().unwrap().iter().map(golden_outcome).collect();
    let f1 = |detector| {
        let rows = [2, 3, 5, 10, 20].map(|history| Row::of(detector, history, &outcomes).confusion);
        rows.into_iter().sum::<driftline_evaluation::redesign::confusion::Confusion>().f1()
    };
    let own = f1(Detector::Driftline);
    assert!(own > 0.8, "{own}");
    for detector in GOTTRON {
        assert!(own > f1(detector) + 0.1, "{own} {} {}", detector.name(), f1(detector));
    }
}

fn golden_outcome(case: &Value) -> Outcome {
    let count = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let (history, horizon) = (count(&case["h"]), count(&case["h2"]));
    let cluster = ClusterParameters { horizon, ..ClusterParameters::GOTTRON };
    let parameters = Parameters { history, cluster, ..Parameters::default() };
    let (mut stream, mut trial) = (Stream::new(parameters, Detector::ALL).unwrap(), Trial::new(&parameters));
    for row in case["sims"].as_array().unwrap() {
        let row = row.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
        trial.add(&stream.push_similarities(row));
    }
    let truth = Truth {
        name: case["id"].to_string(),
        kind: String::new(),
        documents: stream.stripe().documents(),
        redesigns: case["truth"].as_array().unwrap().iter().map(count).collect(),
        minor_changes: Vec::new(),
    };
    Outcome { truth, trials: vec![trial] }
}

/// A state is a file that people can edit.
#[test]
fn a_damaged_stream_is_refused() {
    let made = MadeStream::new(Scenario::Redesign, 0, 1);
    let mut stream = Stream::new(Parameters::default().with_history(5), Detector::ALL).unwrap();
    for template in templates(made.documents.iter().take(30).map(String::as_bytes)) {
        stream.push(template);
    }
    let saved = serde_json::to_value(&stream).unwrap();
    let read = |value: &Value| serde_json::from_value::<Stream>(value.clone()).map(Stream::checked);
    assert_eq!(read(&saved).unwrap().unwrap(), stream);
    let damages: [(&str, Value); 7] = [
        ("/parameters/history", 4.into()),
        ("/stripe/documents", 3.into()),
        ("/stripe/rows/0/0", 7.into()),
        ("/templates", Value::Array(vec![saved["templates"][0].clone(); 9])),
        ("/detectors/4/driftline/documents", 0.into()),
        ("/detectors/4/driftline/groups/window", Value::Array(vec![99.into(); 5])),
        ("/detectors/4/driftline/level/fits", Value::Array(vec![0.5.into(); 50])),
    ];
    for (place, damage) in damages {
        let mut altered = saved.clone();
        *altered.pointer_mut(place).unwrap_or_else(|| panic!("no {place} in {saved}")) = damage;
        assert!(read(&altered).is_ok_and(|stream| stream.is_err()), "{place}");
    }
    let mut unknown = saved.clone();
    unknown["stripe"]["colour"] = "blue".into();
    assert!(read(&unknown).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A daemon may stop between any two documents.
    #[test]
    fn a_stream_goes_on_where_it_was_saved(number in 0_usize..1_000, stop in 0_usize..40) {
        let made = MadeStream::new(Scenario::ALL[number % Scenario::ALL.len()], number, 3);
        let templates = templates(made.documents.iter().take(40).map(String::as_bytes));
        let parameters = Parameters { history: 6, ..Parameters::default() };
        let (mut kept, mut saved) = (Stream::new(parameters, Detector::ALL).unwrap(), None);
        for (at, template) in templates.into_iter().enumerate() {
            if at == stop {
                saved = Some(serde_json::to_string(&kept).unwrap());
            }
            let findings = kept.push(template.clone());
            if let Some(text) = &mut saved {
                let mut resumed: Stream = serde_json::from_str(text).unwrap();
                prop_assert_eq!(resumed.push(template), findings);
                *text = serde_json::to_string(&resumed).unwrap();
            }
        }
    }
}
