//! driftline's own detector: likeness on real streams, the difference that it names, certainties as probabilities.

use driftline::page::ReadOptions;
use driftline::redesign::stream::Stream;
use driftline::redesign::template::Template;
use driftline::redesign::{Detector, Parameters};
use driftline_testkit::data;
use driftline_testkit::pages::{RealStream, real_streams};
use proptest::prelude::*;

fn templates<'a>(documents: impl IntoIterator<Item = &'a [u8]>) -> Vec<Template> {
    let read = |document| Template::read(document, &ReadOptions::default(), Template::SHINGLE_LENGTH);
    documents.into_iter().map(read).collect()
}

#[test]
fn likeness_tells_redesigns_from_contents_on_real_streams() {
    assert_likeness_tells_redesigns(real_streams(&data::subset()), 3, 1);
}

#[test]
#[ignore = "needs the shared data"]
fn likeness_tells_redesigns_from_contents_on_real_streams_on_the_shared_data() {
    assert_likeness_tells_redesigns(real_streams(&data::shared()), 11, 2);
}

/// The likeness of each document to the nearest of the twenty before it: low for each of the redesigns, and only for
/// this many other documents.
fn assert_likeness_tells_redesigns(streams: Vec<RealStream>, redesign_count: usize, low_others: usize) {
    let (mut redesigns, mut others) = (Vec::new(), Vec::new());
    for stream in streams {
        let templates = templates(stream.documents.iter().map(Vec::as_slice));
        for at in 3..templates.len() {
            let before = templates[at.saturating_sub(20)..at].iter();
            let nearest = before.map(|other| templates[at].likeness(other)).fold(0.0, f64::max);
            if stream.redesigns.contains(&at) { &mut redesigns } else { &mut others }.push(nearest);
        }
    }
    assert!(redesigns.len() == redesign_count && redesigns.iter().all(|likeness| *likeness < 0.445), "{redesigns:?}");
    assert_eq!(others.iter().filter(|likeness| **likeness < 0.655).count(), low_others);
}

#[test]
fn what_went_and_came_is_named() {
    let page = |main: &str, text: usize| format!("<nav class=top></nav>{main}{}", "<p>x</p>".repeat(text % 7));
    let mut stream = Stream::new(Parameters::default(), &[Detector::Driftline]).unwrap();
    let mut last = None;
    for document in 0..20 {
        let main = if document < 12 {
            "<table id=layout><tr><td><center><font>a</font></center></td></tr></table>"
        } else {
            "<main><article class=post><section><h2>a</h2></section></article></main><footer></footer>"
        };
        let template = Template::read(page(main, document).as_str(), &ReadOptions::default(), Template::SHINGLE_LENGTH);
        for finding in stream.push(template) {
            last = stream.difference(finding.document);
        }
    }
    let difference = last.unwrap();
    assert!(difference.went.contains(&"table#layout".to_owned()), "{difference:?}");
    assert!(difference.came.contains(&"article.post".to_owned()), "{difference:?}");
    assert!(!difference.went.iter().chain(&difference.came).any(|block| block == "nav.top"), "{difference:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever the similarities are, a certainty is a probability, and a suspicion is of a document that was seen.
    #[test]
    fn a_certainty_is_a_probability(
        history in 2_usize..12,
        rows in prop::collection::vec(prop::collection::vec(0.0_f64..=1.0, 12), 0..60),
    ) {
        let parameters = Parameters::default().with_history(history);
        let mut stream = Stream::new(parameters, Detector::ALL).unwrap();
        for (at, row) in rows.into_iter().enumerate() {
            for finding in stream.push_similarities(row) {
                if let Some(certainty) = finding.certainty {
                    prop_assert!((0.0..=1.0).contains(&certainty), "{finding:?}");
                    prop_assert!(finding.at == at && finding.document <= at, "{finding:?}");
                    prop_assert!(at - finding.document <= history, "{finding:?}");
                }
            }
        }
    }
}
