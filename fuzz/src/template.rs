//! Any bytes are a document of a stream, and any text may be the state of one.
//!
//! Every document that a zero byte ends goes into a stream with a short history, which is saved and read
//! back in between.

use driftline::page::{Page, ReadOptions};
use driftline::redesign::stream::Stream;
use driftline::redesign::template::Template;
use driftline::redesign::{Detector, Parameters};

/// One run.
pub fn run(bytes: &[u8]) {
    let options = ReadOptions::default();
    let parameters = Parameters::default().with_history(3);
    let mut stream = Stream::new(parameters, Detector::ALL).expect("good parameters");
    for document in bytes.split(|byte| *byte == 0).take(16) {
        let template = Template::read(document, &options, 3);
        assert_eq!(template, Template::of(&Page::read(document, &options), 3));
        assert_eq!(template.likeness(&template), 1.0);
        for finding in stream.push(template) {
            if let Some(certainty) = finding.certainty {
                assert!((0.0..=1.0).contains(&certainty));
                let _ = stream.difference(finding.document);
            }
        }
        let saved = serde_json::to_string(&stream).expect("a stream is JSON");
        let read: Stream = serde_json::from_str(&saved).expect("what was written");
        assert_eq!(read, stream);
    }
    if let Ok(mut damaged) = serde_json::from_slice::<Stream>(bytes) {
        damaged.push_similarities(vec![0.5; 8]);
    }
}
