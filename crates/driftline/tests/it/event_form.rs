//! The form in which an event is stored and sent: events of older formats are read permanently.

use driftline::event::{Event, FORMAT, Kind};
use serde_json::{Value, json};

/// An event of each kind as checks wrote them in format 1.
const FORMAT_1: &str = include_str!("../formats/events-1.json");

fn values() -> Vec<Value> {
    serde_json::from_str(FORMAT_1).unwrap()
}

/// The event of format 1 with the names of format 2.
fn renamed(mut event: Value) -> Value {
    let members = event.as_object_mut().unwrap();
    members.insert("format".to_owned(), json!(FORMAT));
    for (old, new) in [("template", "template_similarity"), ("returned-to", "returned_to")] {
        if let Some(value) = members.remove(old) {
            members.insert(new.to_owned(), value);
        }
    }
    event
}

#[test]
fn events_of_format_1_are_read_and_written_with_the_names_of_format_2() {
    let values = values();
    assert_eq!(values.len(), Kind::ALL.len());
    for value in values {
        let event: Event = serde_json::from_value(value.clone()).unwrap();
        let expected = renamed(value);
        assert_eq!(serde_json::to_value(&event).unwrap(), expected);
        assert_eq!(serde_json::from_value::<Event>(expected).unwrap(), event);
    }
}

#[test]
fn members_of_json_have_underscores_and_kinds_have_hyphens() {
    for value in values() {
        let event: Event = serde_json::from_value(value).unwrap();
        let written = serde_json::to_value(&event).unwrap();
        assert!(written.as_object().unwrap().keys().all(|name| !name.contains('-')), "{written}");
        assert_eq!(written["kind"], event.kind.name());
    }
}

#[test]
fn an_event_of_a_newer_driftline_is_refused_with_the_cure() {
    for format in [0, FORMAT + 1] {
        let mut value = values().remove(0);
        value["format"] = json!(format);
        let error = serde_json::from_value::<Event>(value).unwrap_err().to_string();
        assert!(error.contains(&format!("the event has the format {format}, this driftline reads 1 to 2")), "{error}");
    }
}
