//! Tests that what an older driftline stored of a site is still known.

use serde_json::{Value, json};

use super::*;

/// What is known after 30 documents, of which the last ones may be of a new design.
fn memory() -> Memory {
    let mut memory = Memory::load(None);
    for at in 0..30 {
        let alike = if at < 28 { 0.9 } else { 0.1 };
        memory.stream.push_similarities(vec![alike; at.min(20)]);
    }
    memory.stream = memory.stream.without_templates();
    memory
}

/// As format 1 has it: driftline's detector in a place of its own, and other names in it.
fn format_1(memory: &Memory) -> Vec<u8> {
    let mut body = serde_json::to_value(memory).unwrap();
    body["format"] = 1.into();
    let stream = body["stream"].as_object_mut().unwrap();
    let mut learned = stream.remove("detectors").unwrap()[0]["driftline"].take();
    let candidates = learned.as_object_mut().unwrap().remove("candidates").unwrap();
    assert_ne!(candidates, json!([]), "a document is suspected");
    learned["suspects"] = candidates;
    stream.extend([("rules".to_owned(), json!([])), ("learned".to_owned(), learned)]);
    let text = body.to_string();
    assert!(text.contains("\"Candidate\""), "{text}");
    text.replace("\"Candidate\"", "\"Suspect\"").into_bytes()
}

#[test]
fn a_stream_of_format_1_is_read_and_goes_on_as_before() {
    let mut memory = memory();
    let mut read = Memory::load(Some(&format_1(&memory)));
    assert_eq!((read.format, &read.stream), (FORMAT, &memory.stream));
    for _ in 0..8 {
        let row = vec![0.1; 20];
        assert_eq!(read.stream.push_similarities(row.clone()), memory.stream.push_similarities(row));
    }
}

#[test]
fn a_stream_of_an_unknown_format_is_begun_again() {
    let mut body: Value = serde_json::to_value(memory()).unwrap();
    body["format"] = (FORMAT + 1).into();
    let read = Memory::load(Some(body.to_string().as_bytes()));
    assert_eq!(read.stream.stripe().documents(), 0);
}
