//! Verdicts on pages of one redesign, by leftovers made by hand.

use proptest::prelude::*;

use super::*;

/// A sentence in a place.
fn item(place: u32, text: &str) -> Item {
    let mut spans = Vec::new();
    let mut start = 0;
    for word in text.split(' ') {
        spans.push((start, start + word.len() as u32));
        start += word.len() as u32 + 1;
    }
    let words = Words { text: text.to_owned(), spans, ..Words::default() };
    Item {
        selector: format!("#p{place}"),
        places: vec![place],
        importance: 0.5,
        why: Vec::new(),
        is_ignored: false,
        content: Content::Words(words),
    }
}

fn half(items: &[(u32, &str)], kept: &[u32]) -> Half {
    Half {
        items: items.iter().map(|(place, text)| item(*place, text)).collect(),
        kept: kept.iter().map(|place| (*place, 3)).collect(),
        paths: (0..9).collect(),
        titles: Vec::new(),
    }
}

/// The summaries of the edits of each page.
fn said(pages: &[Leftover]) -> Vec<Vec<String>> {
    let names: Vec<String> = (0..pages.len()).map(|at| format!("{at:02}")).collect();
    let all: Vec<Page<'_>> =
        names.iter().zip(pages).map(|(name, leftover)| Page { key: name, url: name, leftover }).collect();
    let said = |verdict: &Verdict| match verdict {
        Verdict::Unknown => vec!["unknown".to_owned()],
        Verdict::Design => Vec::new(),
        Verdict::Edited(edits) => edits.iter().map(report::Edit::summary).collect(),
    };
    judge(&all).values().map(said).collect()
}

/// A page that gained these sentences.
fn gained(items: &[(u32, &str)]) -> Leftover {
    Leftover::new(half(&[], &[]), half(items, &[1]))
}

#[test]
fn what_most_pages_gained_is_of_the_design() {
    let page = || gained(&[(2, "Subscribe to our letter")]);
    assert_eq!(said(&[page(), page(), page()]), [[""; 0]; 3]);
    assert_eq!(said(&[page(), gained(&[]), gained(&[])])[0], ["“Subscribe to our letter” added"]);
}

#[test]
fn one_page_alone_says_nothing() {
    assert_eq!(said(&[gained(&[(2, "Subscribe")])]), [["unknown"]]);
}

#[test]
fn numbers_of_a_sentence_of_the_design_differ_from_page_to_page() {
    let page = |number: usize| gained(&[(2, &format!("Article {number} of 200"))]);
    assert_eq!(said(&[page(7), page(18), page(109)]), [[""; 0]; 3]);
}

#[test]
fn what_is_in_a_place_where_every_page_has_something_new_comes_with_the_template() {
    let page = |author: &str| gained(&[(2, author)]);
    assert_eq!(said(&[page("Anna Berg"), page("Tom Wick"), page("Ida Holm")]), [[""; 0]; 3]);
}

#[test]
fn what_is_in_a_place_where_other_pages_keep_what_they_had_is_an_edit() {
    let page = |text: &str| gained(&[(1, text)]);
    let said = said(&[page("The mayor resigned"), page("The roof collapsed"), page("Dogs are welcome")]);
    assert_eq!(said.concat().len(), 3, "{said:?}");
}

#[test]
fn words_of_the_design_within_a_sentence_of_the_page_are_not_shown() {
    let page = |title: &str| gained(&[(1, &format!("{title} Island News"))]);
    let pages = [page("The mayor resigned"), gained(&[(1, "Island News")]), gained(&[(1, "Island News")])];
    assert_eq!(said(&pages)[0], ["“The mayor resigned” added"]);
}

#[test]
fn a_number_that_was_replaced_is_shown_with_the_words_around_it() {
    let design = [(2, "Subscribe to our letter")];
    let edited =
        Leftover::new(half(&[(1, "Adults pay 12 euros")], &[1]), half(&[design[0], (1, "Adults pay 13 euros")], &[1]));
    assert_eq!(said(&[edited, gained(&design), gained(&design)]), [vec!["Adults pay 12 → 13 euros"], vec![], vec![]]);
}

#[test]
fn files_that_moved_to_another_folder_on_two_pages_moved_with_the_design() {
    let page = |older: &str, newer: &str| {
        let resource = |url: &str| Item {
            content: Content::Resource { what: "image".to_owned(), url: url.to_owned(), text: String::new() },
            ..item(1, "")
        };
        let half = |url| Half { items: vec![resource(url)], ..half(&[], &[1]) };
        Leftover::new(half(older), half(newer))
    };
    let moved = [page("/img/a.png", "/cdn/a.webp"), page("/img/b.png", "/cdn/b.webp")];
    assert_eq!(said(&moved), [[""; 0]; 2]);
    let edited = [page("/img/a.png", "/cdn/a.webp"), page("/img/b.png", "/cdn/c.webp"), gained(&[])];
    assert_eq!(said(&edited)[1], ["image: b.png → c.webp"]);
}

#[test]
fn a_title_that_was_edited_is_an_edit_of_its_page_and_not_of_those_that_list_it() {
    let page = |own: &str, listed: &[&str]| {
        let items: Vec<(u32, &str)> = listed.iter().map(|title| (2, *title)).collect();
        let mut half = half(&items, &[1, 2, 2]);
        if own == "Boats at last" {
            half.items.push(item(1, own));
        }
        half.titles.push(own.split(' ').map(str::to_owned).collect());
        Leftover::new(Half::default(), half)
    };
    let all = page("Boats at last", &["Boats at last"]);
    let menus = [all.clone(), page("Bakery and mill", &["Boats at last"]), page("Old well", &["Boats at last"])];
    assert_eq!(said(&menus), [vec!["“Boats at last” added"], vec![], vec![]]);
    let related = [all, page("Bakery and mill", &["Boats at last"]), page("Old well", &[])];
    assert_eq!(said(&related), [vec!["“Boats at last” added"], vec![], vec![]]);
}

#[test]
fn a_list_of_pages_that_were_not_seen_yet_comes_with_the_template() {
    let link = |at: usize| Item {
        content: Content::Resource {
            what: "link".to_owned(),
            url: format!("/page{at}"),
            text: format!("The page {at}"),
        },
        ..item(3, "")
    };
    let page = |listed: std::ops::Range<usize>, own: &str| {
        let texts: Vec<String> = listed.clone().map(|at| format!("The page {at}")).collect();
        let mut items: Vec<(u32, &str)> = texts.iter().map(|text| (2, text.as_str())).collect();
        items.extend((!own.is_empty()).then_some((1, own)));
        let mut gained = half(&items, &[1, 2, 2]);
        gained.items.extend(listed.map(link));
        Leftover::new(half(&[], &[]), gained)
    };
    let pages = [page(1..9, "The mayor resigned"), page(4..12, ""), page(8..16, "")];
    assert_eq!(said(&pages), [vec!["“The mayor resigned” added"], vec![], vec![]]);
}

proptest! {
    #[test]
    fn the_verdicts_do_not_depend_on_the_order_of_the_pages(
        pages in prop::collection::vec(prop::collection::vec((0_u32..4, "[ab]{1,2}( [ab]{1,2}){0,3}"), 0..4), 1..7),
        turn in 0_usize..7,
    ) {
        let leftover = |items: &Vec<(u32, String)>| {
            let items: Vec<(u32, &str)> = items.iter().map(|(place, text)| (*place, text.as_str())).collect();
            let middle = items.len() / 2;
            Leftover::new(half(&items[..middle], &[1]), half(&items[middle..], &[2]))
        };
        let leftovers: Vec<Leftover> = pages.iter().map(leftover).collect();
        let names: Vec<String> = (0..pages.len()).map(|at| at.to_string()).collect();
        let mut all: Vec<Page<'_>> =
            names.iter().zip(&leftovers).map(|(name, leftover)| Page { key: name, url: name, leftover }).collect();
        let one = judge(&all);
        let middle = turn.min(all.len());
        all.rotate_left(middle);
        all.reverse();
        prop_assert_eq!(judge(&all), one);
    }

    #[test]
    fn a_redesign_that_says_the_same_on_all_pages_is_no_edit(
        items in prop::collection::vec((0_u32..4, "[ab]{1,2}( [ab]{1,2}){0,3}"), 0..6), count in 2_usize..6,
    ) {
        let items: Vec<(u32, &str)> = items.iter().map(|(place, text)| (*place, text.as_str())).collect();
        let said = said(&vec![gained(&items); count]);
        prop_assert!(said.concat().is_empty(), "{:?}", said);
    }
}
