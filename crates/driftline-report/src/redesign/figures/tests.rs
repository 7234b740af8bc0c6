//! Do streams of any length come out as figures?

use driftline::page::ReadOptions;
use driftline::redesign::stream::Stream;
use driftline::redesign::template::Template;
use driftline::redesign::{Detector, Parameters};

use super::super::sample;
use super::*;

fn svg(course: &Course) -> String {
    let (picture, size) = picture(course).unwrap();
    picture.to_svg(size).unwrap()
}

fn titles(course: &Course, shown: &[Figure]) -> Vec<String> {
    let (Picture::Stack(stack), _) = stacked(course, shown).unwrap() else { panic!("a stack") };
    stack.tiers.into_iter().map(|tier| tier.title).collect()
}

/// A stream of pages: their templates are known.
fn pages() -> Course {
    let parameters = Parameters::GOTTRON.with_history(3);
    let mut stream = Stream::new(parameters, Detector::ALL).unwrap();
    let mut course = Course::new("pages", &parameters, Detector::ALL).with_figures();
    for document in 0..9 {
        let html = if document < 5 { "<p>a<p>b<ul><li>c</ul>" } else { "<table><tr><td>a<td>b</table>" };
        let template = Template::read(html, &ReadOptions::default(), Template::SHINGLE_LENGTH);
        course.keep(&template);
        let findings = stream.push(template);
        course.add(None, stream.stripe(), &findings);
    }
    course
}

#[test]
fn all_figures_stand_in_one_picture() {
    assert_eq!(
        titles(&pages(), &Figure::ALL),
        [
            "Similarity of each two documents",
            "Similarity of each document to the 3 before it",
            "Average similarity of each document to the 3 before it",
            "What MAX-AVG-DIFF compares, at the document that it would report",
        ]
    );
    let svg = svg(&pages());
    assert!(svg.contains("<title>pages</title>") && svg.contains("<desc>Similarity of each two documents: "));
}

#[test]
fn there_is_no_matrix_without_templates() {
    assert_eq!(titles(&sample::course(), &Figure::ALL).len(), 3);
    assert!(titles(&sample::course(), &[Figure::Matrix]).is_empty());
}

#[test]
fn redesigns_are_marked_as_found_and_as_known() {
    let flags = flags(&sample::course());
    let told: Vec<_> = flags.iter().map(|flag| (flag.at, flag.label.as_str(), flag.style)).collect();
    let (found, back, known) = (FlagStyle::Solid, FlagStyle::Dotted, FlagStyle::Dashed);
    assert_eq!(
        told,
        [
            (19.5, "20 (0.98)", found),
            (44.5, "45 (0.55)", found),
            (51.5, "52 (0.96)", back),
            (19.5, "", known),
            (44.5, "", known)
        ]
    );
}

#[test]
fn low_averages_and_outliers_are_points() {
    let course = sample::course();
    let series = averages(&course, course.kept().unwrap());
    let documents = |place: usize| series[place].points.iter().map(|point| point.0).collect::<Vec<_>>();
    assert_eq!(
        (series[1].name.as_str(), documents(1)),
        ("below 0.5 × the average before", vec![20.0, 21.0, 30.0, 31.0, 37.0, 45.0, 46.0, 52.0])
    );
    assert_eq!((series[2].name.as_str(), documents(2)), ("outlier", vec![10.0]));
}

#[test]
fn a_stretch_is_low_if_one_of_its_documents_is() {
    let parameters = Parameters::GOTTRON.with_history(5);
    let detectors = [Detector::NewAvgDrop];
    let mut stream = Stream::new(parameters, &detectors).unwrap();
    let mut course = Course::new("", &parameters, &detectors).with_figures();
    for document in 0..5_000 {
        let similarity = if document == 4_321 { 0.29 } else { 0.6 };
        // Half of the usual is no drop, however it is rounded.
        let similarity = if document == 3_000 { 0.3 } else { similarity };
        let findings = stream.push_similarities(vec![similarity; 5]);
        course.add(None, stream.stripe(), &findings);
    }
    let kept = course.kept().unwrap();
    let low: Vec<usize> =
        (0..).zip(kept.columns.items()).filter(|(_, column)| column.is_low).map(|(at, _)| at).collect();
    assert_eq!(low, [4_321 / kept.columns.each()]);
    assert_eq!(
        course.reports(Detector::NewAvgDrop).map(|reported| reported.report.document).collect::<Vec<_>>(),
        [4_321]
    );
}

#[test]
fn figures_without_anything_to_show_are_left_out() {
    let shown = |documents| titles(&sample::quiet(documents, Detector::ALL), &Figure::ALL).len();
    assert_eq!([0, 1, 2, 5, 6, 9, 10].map(shown), [0, 0, 1, 1, 2, 2, 3]);
    let svg = svg(&sample::quiet(1, Detector::ALL));
    assert!(svg.contains("Nothing to show yet") && !svg.contains("<image"), "{svg}");
}

#[test]
fn short_streams_are_drawn_too() {
    for documents in [0, 1, 2, 5, 9] {
        svg(&sample::quiet(documents, Detector::ALL));
    }
    let (picture, size) = figure(&sample::quiet(3, &[Detector::Cluster]), Figure::Stripe).unwrap();
    picture.to_png(size).unwrap();
}

#[test]
fn a_stripe_is_as_high_as_the_history_from_the_first_document_on() {
    let (Picture::Stack(stack), _) = figure(&sample::quiet(3, &[]), Figure::Stripe).unwrap() else { panic!("a stack") };
    let Content::Map { columns, .. } = &stack.tiers[0].content else { panic!("a map") };
    let known = columns.iter().map(|cells| (cells.len(), cells.iter().filter(|cell| cell.is_finite()).count()));
    assert_eq!(known.collect::<Vec<_>>(), [(5, 0), (5, 1), (5, 2)]);
}

#[test]
fn a_long_stream_is_a_small_picture() {
    let course = sample::quiet(10_000, Detector::ALL);
    assert!(course.kept().unwrap().columns.items().len() <= 2_048);
    let svg = svg(&course);
    assert!(svg.len() < 1_000_000, "{} bytes", svg.len());
}

#[test]
fn an_outlier_in_a_long_stream_is_not_lost() {
    let parameters = Parameters::GOTTRON.with_history(5);
    let mut stream = Stream::new(parameters, &[]).unwrap();
    let mut course = Course::new("", &parameters, &[]).with_figures();
    for document in 0..5_000 {
        let findings = stream.push_similarities(vec![if document == 4_321 { 0.05 } else { 0.6 }; 5]);
        course.add(None, stream.stripe(), &findings);
    }
    let columns = &course.kept().unwrap().columns;
    let lowest = columns.items()[4_321 / columns.each()].average.unwrap();
    assert!(lowest < 0.06 && columns.each() == 4, "{lowest}");
}

#[test]
fn figures_that_begin_late_number_their_documents_as_the_stream_does() {
    let parameters = Parameters::GOTTRON.with_history(5);
    let mut stream = Stream::new(parameters, &[]).unwrap();
    let mut course = Course::new("", &parameters, &[]);
    for document in 0..40 {
        if document == 30 {
            course = course.with_figures();
        }
        let findings = stream.push_similarities(vec![0.6; 5]);
        course.add(None, stream.stripe(), &findings);
    }
    let (Picture::Stack(stack), _) = picture(&course).unwrap() else { panic!("a stack") };
    assert_eq!(stack.x.range, Some((29.5, 39.5)));
    assert_eq!(averages(&course, course.kept().unwrap())[0].points[0].0, 30.0);
}

#[test]
fn hostile_names_stay_out_of_the_markup() {
    let svg = svg(&sample::hostile());
    assert!(!svg.contains(['\u{1b}', '\u{202e}', '\r']) && !svg.contains("<script>"));
    assert!(svg.contains("&lt;script&gt;"));
}
