//! What was found, for programs?

use driftline::redesign::Detector;
use serde_json::{Map, Value, json};

use super::{Course, Moment, Reported, Suspected};

/// The version of the JSON.
const FORMAT: u32 = 1;

/// The course as JSON: how many `documents` there were and how many were `skipped`, the `parameters`, what
/// each of the `detectors` that were asked reported, and what was only `suspected`: what is no redesign or was
/// never certain enough, rollbacks among it, with what a detector with a certainty said first.
///
/// Documents are numbered from 0, `at` is the document after which something was said. A report of
/// such a detector has the `at` and `certainty` with which it was first certain enough; `latest`
/// is what it said last, and `verdict` what it took it for then. If there were more than a course keeps,
/// `earlier` says how many are left out, of each detector and of the `suspected`.
#[must_use]
pub fn json(course: &Course) -> Value {
    let reports = |&detector: &Detector| (detector.name().to_owned(), of(course, detector));
    let detectors: Map<String, Value> = course.detectors().iter().map(reports).collect();
    let suspected = course.detectors().iter().flat_map(|&detector| course.suspected_by(detector));
    let unreported = suspected.filter(|suspected| suspected.reported.is_none());
    let mut json = json!({
        "format": FORMAT,
        "documents": course.documents(),
        "skipped": course.skipped(),
        "parameters": course.parameters(),
        "detectors": detectors,
        "suspected": unreported.map(|suspected| suspicion(suspected, suspected.first)).collect::<Vec<_>>(),
    });
    let earlier = earlier(course);
    if !earlier.is_empty() {
        json["earlier"] = earlier.into();
    }
    json
}

/// How many are left out, of what.
fn earlier(course: &Course) -> Map<String, Value> {
    let reports = course.detectors().iter().map(|&detector| (detector.name(), course.earlier_reports(detector)));
    let all = reports.chain([("suspected", course.earlier_suspicions())]);
    all.filter(|(_, count)| *count > 0).map(|(of, count)| (of.to_owned(), count.into())).collect()
}

fn of(course: &Course, detector: Detector) -> Value {
    if detector.gives_certainty() {
        course.found_by(detector).map(|(suspected, reported)| suspicion(suspected, reported)).collect()
    } else {
        course.reports(detector).map(report).collect()
    }
}

fn report(reported: &Reported) -> Value {
    named(json!(reported.report), reported.name.as_ref())
}

fn suspicion(suspected: &Suspected, said: Moment) -> Value {
    let object = json!({ "document": suspected.document, "at": said.at, "certainty": said.certainty });
    let mut object = named(object, suspected.name.as_ref());
    object["verdict"] = json!(suspected.verdict());
    object["latest"] = json!({ "at": suspected.latest.at, "certainty": suspected.latest.certainty });
    if let Some(template) = &suspected.template {
        object["template"] = json!(template);
    }
    object
}

fn named(mut object: Value, name: Option<&String>) -> Value {
    if let Some(name) = name {
        object["name"] = json!(name);
    }
    object
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn every_detector_asked_has_its_reports() {
        insta::assert_snapshot!(format!("{:#}", json(&sample::course())));
    }

    #[test]
    fn a_detector_that_was_not_asked_has_no_key() {
        let json = json(&sample::quiet(0, &[Detector::Cluster]));
        assert_eq!(json["detectors"], json!({ "cluster": [] }));
        assert_eq!((&json["documents"], &json["suspected"]), (&json!(0), &json!([])));
    }

    #[test]
    fn hostile_names_stay_as_they_are() {
        let json = json(&sample::hostile());
        let name = &json["detectors"]["driftline"][0]["name"];
        assert_eq!(name, sample::HOSTILE);
    }
}
