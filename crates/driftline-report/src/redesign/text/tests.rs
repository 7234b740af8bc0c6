//! Is a stream told as it went, whatever its documents are called?

use super::super::sample;
use super::*;

#[test]
fn a_stream_is_told_in_a_page() {
    insta::assert_snapshot!(text(&sample::course(), 80, false));
}

#[test]
fn a_stream_without_redesign_is_told_in_a_line() {
    insta::assert_snapshot!(text(&sample::quiet(226, &[Detector::Driftline]), 60, false));
}

#[test]
fn outliers_that_were_reported_are_only_counted() {
    let mut course = sample::quiet(30, &[Detector::Driftline]);
    for document in [9, 12, 20] {
        sample::say(&mut course, document, &[(0.6, Verdict::Open), (0.0, Verdict::Outlier)]);
    }
    insta::assert_snapshot!(text(&course, 80, false));
}

fn told(said: &[(usize, &[(f64, Verdict)])]) -> String {
    let mut course = sample::quiet(30, &[Detector::Driftline]);
    said.iter().for_each(|(document, said)| sample::say(&mut course, *document, said));
    text(&course, 80, false)
}

#[test]
fn what_is_reported_and_open_counts_and_what_is_withdrawn_does_not() {
    use Verdict::{Open, Outlier, Redesign, Rollback, Section, Temporary};
    let headline = |said: &[(usize, &[(f64, Verdict)])]| told(said).lines().next().unwrap_or_default().to_owned();
    assert_eq!(headline(&[(9, &[(0.6, Open)])]), "1 redesign (not settled yet) in 31 documents");
    assert_eq!(headline(&[(9, &[(0.4, Open)])]), "No redesign in 31 documents");
    let both: [(usize, &[_]); 2] = [(9, &[(0.6, Open)]), (12, &[(0.9, Redesign)])];
    assert_eq!(headline(&both), "2 redesigns (1 not settled yet) in 32 documents");
    for verdict in [Outlier, Section, Temporary] {
        assert_eq!(headline(&[(9, &[(0.6, Open), (0.1, verdict)])]), "No redesign in 31 documents");
    }
    assert_eq!(headline(&[(9, &[(0.2, Open), (0.96, Rollback)])]), "No redesign, 1 rollback in 31 documents");
    assert_eq!(headline(&[(9, &[(0.6, Open), (0.96, Rollback)])]), "No redesign, 1 rollback in 31 documents");
}

#[test]
fn a_redesign_that_passed_after_all_is_told_as_such() {
    let text = told(&[(9, &[(0.6, Verdict::Open), (0.97, Verdict::Redesign), (0.02, Verdict::Temporary)])]);
    assert!(text.starts_with("No redesign in") && text.contains("△9\n"), "{text}");
    let block = "document 9\n    temporary layout: withdrawn 2 documents later\n    reported at once, certainty 60 %\n";
    assert!(text.contains(block), "{text}");
}

#[test]
fn what_was_not_reported_is_listed_by_kind() {
    let quiet = |verdict| [(0.1, Verdict::Open), (0.0, verdict)];
    let (section, outlier) = (quiet(Verdict::Section), quiet(Verdict::Outlier));
    let text = told(&[(22, &outlier), (26, &section)]);
    assert!(text.ends_with("not reported: 1 section (26), 1 outlier (22)\n"), "{text}");
    let many: Vec<(usize, &[_])> =
        (1_000..1_040).map(|document| (document, &outlier[..])).chain([(9, &section[..])]).collect();
    let line = told(&many).lines().last().unwrap_or_default().to_owned();
    assert_eq!(line, "not reported: 1 section (9), 40 outliers (1,000, 1,001, 1,002 and 37 more)");
}

#[test]
fn few_documents_are_said_to_be_few() {
    let text = |documents| text(&sample::quiet(documents, Detector::ALL), 80, false);
    insta::assert_snapshot!([0, 1, 3].map(text).join("---\n"));
}

#[test]
fn hostile_names_neither_command_the_terminal_nor_leave_it() {
    for width in [1, 20, 40, 80, 200] {
        let text = text(&sample::hostile(), width, false);
        assert!(!text.contains(|char: char| char.is_control() && char != '\n' || char == '\u{202e}'), "{text:?}");
        assert!(text.lines().all(|line| line.width() <= width.max(20)), "{text}");
    }
}

#[test]
fn colours_change_nothing_but_the_colours() {
    let painted = text(&sample::course(), 80, true);
    let mut plain = String::new();
    for (place, part) in painted.split('\u{1b}').enumerate() {
        plain.push_str(if place == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert!(painted.len() > plain.len());
    assert_eq!(plain, text(&sample::course(), 80, false));
}

#[test]
fn a_list_ends_where_the_room_ends() {
    let items: Vec<Item> = (10..40).map(|number: u32| Item::one(number.to_string())).collect();
    assert_eq!(listed(&items, 12, 30), "10, 11, 12, 13, 14 and 25 more");
    assert_eq!(listed(&items[..2], 12, 0), "10 and 1 more");
    assert_eq!(listed(&[], 12, 30), "");
    assert_eq!(listed(&runs(&[3, 9, 10, 11, 40]), 12, 30), "3, 9–11, 40");
    assert_eq!(listed(&runs(&[3, 9, 10, 11, 40]), 1, 30), "3 and 4 more");
}

#[test]
fn numbers_are_written_one_way() {
    let mut course = sample::quiet(1_300, &[Detector::Driftline]);
    sample::say(&mut course, 1_033, &[(0.9, Verdict::Redesign)]);
    let text = text(&course, 80, false);
    assert!(text.contains("▲1,033\n") && text.contains("\ndocument 1,033\n"), "{text}");
}
