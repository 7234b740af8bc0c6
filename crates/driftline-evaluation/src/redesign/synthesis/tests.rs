//! Tests that synthetic streams are what they claim to be.

use driftline::page::ReadOptions;
use driftline::redesign::template::Template;

use super::*;

#[test]
fn the_same_seed_makes_the_same_streams() {
    assert_eq!(MadeStream::new(Scenario::Close, 3, 7), MadeStream::new(Scenario::Close, 3, 7));
    assert_ne!(MadeStream::new(Scenario::Close, 3, 7).documents, MadeStream::new(Scenario::Close, 4, 7).documents);
}

#[test]
fn truth_lies_within_the_stream() {
    for seed in 0..20 {
        for scenario in Scenario::ALL {
            let stream = MadeStream::new(scenario, 0, seed);
            let count = stream.documents.len();
            assert!((40..=300).contains(&count));
            assert!(
                stream.redesigns.is_sorted() && stream.redesigns.iter().all(|&at| (9..count - 3).contains(&at)),
                "{}",
                stream.name
            );
            assert!(stream.events.iter().all(|event| event.first <= event.last && event.last < count));
        }
    }
}

/// The similarity of pairs of near documents, by whether an event lies between them, in order.
fn similarities(stream: &MadeStream) -> [Vec<f64>; 2] {
    let read = |html: &String| Template::read(html.as_str(), &ReadOptions::default(), Template::SHINGLE_LENGTH);
    let templates: Vec<Template> = stream.documents.iter().map(read).collect();
    let era = |document: usize| stream.events.iter().filter(|event| event.first <= document).count();
    let mut similarities = [Vec::new(), Vec::new()];
    for newer in 0..templates.len() {
        for older in newer.saturating_sub(20)..newer {
            let is_across = usize::from(era(newer) != era(older));
            similarities[is_across].push(templates[newer].similarity(&templates[older]));
        }
    }
    similarities.iter_mut().for_each(|values| values.sort_by(f64::total_cmp));
    similarities
}

fn median(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}

#[test]
fn documents_of_one_design_are_as_unlike_as_on_real_sites() {
    let medians = (0..12).map(|number| median(&similarities(&MadeStream::new(Scenario::Homogeneous, number, 1))[0]));
    let medians: Vec<f64> = medians.collect();
    assert!(medians.iter().all(|median| (0.2..1.0).contains(median)), "{medians:?}");
    assert!(medians.iter().any(|&median| median < 0.6) && medians.iter().any(|&median| median > 0.8), "{medians:?}");
}

#[test]
fn an_upgrade_keeps_more_than_a_redesign_and_less_than_an_extension() {
    let across = |scenario: Scenario| {
        let mut medians: Vec<f64> =
            (0..8).map(|number| median(&similarities(&MadeStream::new(scenario, number, 1))[1])).collect();
        medians.sort_by(f64::total_cmp);
        median(&medians)
    };
    let [redesign, upgrade, extension] = [Scenario::Redesign, Scenario::Upgrade, Scenario::Extension].map(across);
    assert!(redesign < 0.15 && (0.15..0.35).contains(&upgrade) && extension > 0.45, "{redesign} {upgrade} {extension}");
}

#[test]
fn nothing_but_a_lasting_shift_is_a_redesign() {
    let kinds = |scenario: Scenario| MadeStream::new(scenario, 0, 1).redesigns.len();
    let still = [Scenario::Homogeneous, Scenario::Outliers, Scenario::Section, Scenario::Campaign, Scenario::Extension];
    assert!(still.map(kinds).iter().all(|&count| count == 0));
    assert_eq!([Scenario::Upgrade, Scenario::Rollback].map(kinds), [1, 1]);
    assert!(kinds(Scenario::Close) >= 2);
}
