//! Leftovers of pairs of pages.

use std::sync::Arc;

use driftline::compare::Comparer;
use proptest::prelude::*;

use super::*;
use crate::watches::{Counts, Settings};

fn of_counts(counts: Counts, older: &str, newer: &str) -> Leftover {
    let settings = Arc::new(Settings { counts, ..Settings::default() });
    let watch = Watch { id: "w".into(), url: "http://example.org/".into(), name: None, settings };
    let [older, newer] = [older, newer].map(|html| Page::read(html, &ReadOptions::default()));
    let change = Comparer::default().compare(&older, &newer);
    let flickering = Sides { older: Flickering::default(), newer: Flickering::default() };
    leftover(&watch, Sides { older: &older, newer: &newer }, &change, &flickering).unwrap()
}

fn of(older: &str, newer: &str) -> Leftover {
    of_counts(Counts::default(), older, newer)
}

/// What is left of a version: the words that the other one has not, and addresses.
fn left(half: &Half) -> Vec<String> {
    let said = |item: &Item| match &item.content {
        Content::Words(words) => {
            let unknown = words.unknown();
            (0..words.len()).filter(|at| unknown[*at]).map(|at| words.written(at)).collect::<Vec<_>>().join(" ")
        }
        Content::Resource { url, .. } => url.clone(),
    };
    half.items.iter().filter(|item| item.is_left()).map(said).collect()
}

#[test]
fn what_is_only_moved_or_wrapped_in_other_elements_is_not_left() {
    let older = "<h1>Ferry</h1><p>It leaves at nine. Bring a coat.</p><p>Call us.</p>";
    let newer =
        "<div><span>Call us.</span></div><section><b>It leaves at nine.</b><p>Bring a coat.</section><h2>Ferry</h2>";
    let leftover = of(older, newer);
    assert_eq!((left(&leftover.lost), left(&leftover.gained)), (vec![], vec![]));
}

#[test]
fn words_of_the_page_that_the_template_repeats_are_not_left() {
    let older = "<title>Old lighthouse</title><h1>Old lighthouse</h1><p>The keeper painted the bell before noon.</p>";
    let newer = "<title>Old lighthouse – News</title><p>Start › Old lighthouse</p><nav>Home Old lighthouse</nav>\
                 <h1>Old lighthouse</h1><p>The keeper painted the …</p><p>The keeper painted the bell before noon.</p>";
    assert_eq!(left(&of(older, newer).gained), ["Start", "Home", "News"]);
}

#[test]
fn a_sentence_and_a_number_that_were_edited_are_left() {
    let older = "<p>Open daily. Adults pay 12 euros.</p>";
    let newer = "<main><p>Open daily.</p><div>The mayor resigned.</div><p>Adults pay 13 euros.</p></main>";
    let leftover = of(older, newer);
    assert_eq!(left(&leftover.lost), ["Adults pay 12 euros"]);
    assert_eq!(left(&leftover.gained), ["The mayor resigned", "Adults pay 13 euros"]);
    let Content::Words(words) = &leftover.gained.items[0].content else { panic!("{leftover:?}") };
    assert_eq!((words.text.as_str(), words.gap(words.len())), ("The mayor resigned.", "."));
}

#[test]
fn a_link_is_left_if_it_leads_elsewhere_and_not_if_it_is_only_written_otherwise() {
    let older = "<p><a href=http://a.example/x/>x</a> <a href=/plan.pdf>plan</a>";
    let newer = "<div><p><a href=https://www.a.example/x>x</a> <a href=/map.pdf>plan</a></div>";
    let leftover = of(older, newer);
    assert_eq!((left(&leftover.lost), left(&leftover.gained)), (vec!["/plan.pdf".into()], vec!["/map.pdf".into()]));
}

#[test]
fn what_a_watch_does_not_look_for_is_ignored() {
    let [older, newer] = ["<p>Old news here.</p>", "<p>The mayor resigned.</p><p>Dogs are welcome.</p>"];
    let ignored = |counts: Counts| -> Vec<bool> {
        let leftover = of_counts(counts, older, newer);
        leftover.gained.items.iter().map(|item| item.is_ignored).collect()
    };
    let texts = |text: &str| vec![text.to_owned()];
    assert_eq!(ignored(Counts::default()), [false, false]);
    assert_eq!(ignored(Counts { trigger: texts("mayor"), ..Counts::default() }), [false, true]);
    assert_eq!(ignored(Counts { only_lines: texts("Dogs"), ..Counts::default() }), [false]);
    assert_eq!(ignored(Counts { importance: Some(0.99), ..Counts::default() }), [true, true]);
    assert_eq!(ignored(Counts { only: Some(crate::watches::Only::Removed), ..Counts::default() }), [true, true]);
}

#[test]
fn pages_of_one_template_have_the_same_places() {
    let page = |text: &str, class: &str| format!("<div class='post {class}'><p>{text}</p><p>By Anna.</p></div>");
    let places = |text: &str, class: &str| of("<p>x</p>", &page(text, class)).gained.items[0].places.clone();
    assert_eq!(places("One thing.", "post-17"), places("Quite another.", "post-2"));
    assert_ne!(places("One thing.", "a"), places("One thing.", "b"));
}

proptest! {
    #[test]
    fn a_leftover_is_read_back_as_it_was_stored(texts in prop::collection::vec("[a-c ]{0,9}[.…]?", 0..6), turn in 0_usize..6) {
        let page = |texts: &[String]| texts.iter().map(|text| format!("<p>{text}<a href='/{text}'>l</a>")).collect::<String>();
        let leftover = of(&page(&texts[..turn.min(texts.len())]), &page(&texts));
        let event = serde_json::json!({ "leftover": leftover });
        prop_assert_eq!(Leftover::of(&event), Some(leftover));
    }

    #[test]
    fn nothing_is_left_of_a_page_that_stays_the_same(html in "(<(p|div|b|title)>|[a-d]{1,3}[ .›]?){0,20}") {
        let leftover = of(&html, &html);
        prop_assert_eq!((left(&leftover.lost), left(&leftover.gained)), (vec![], vec![]));
    }

    #[test]
    fn the_sides_of_a_leftover_mirror_those_of_the_change_back(
        older in "(<(p|div|b)>|[a-d]{1,3}[ .]?){0,20}", newer in "(<(p|div|b)>|[a-d]{1,3}[ .]?){0,20}",
    ) {
        let (there, back) = (of(&older, &newer), of(&newer, &older));
        prop_assert_eq!((left(&there.lost), left(&there.gained)), (left(&back.gained), left(&back.lost)));
    }
}
