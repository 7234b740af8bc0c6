//! Summaries of changes between two pages.

use driftline::compare::Comparer;
use driftline::page::ReadOptions;
use proptest::prelude::*;

use super::*;

fn summary_for(name: &str, older: &str, newer: &str) -> String {
    let [older, newer] = [older, newer].map(|html| Page::read(html, &ReadOptions::default()));
    let change = Comparer::default().compare(&older, &newer);
    Description::new(Sides { older: &older, newer: &newer }, &change, name).summary()
}

fn summary(older: &str, newer: &str) -> String {
    summary_for("", older, newer)
}

/// The summary after a part of a page was replaced.
fn edit(page: &str, older: &str, newer: &str) -> String {
    assert!(page.contains(older), "{page}");
    summary(page, &page.replace(older, newer))
}

#[test]
fn a_summary_says_which_words_were_replaced() {
    assert_eq!(edit("<h1>Shop</h1><p>24.99 EUR", "24.99", "21.50"), "Shop: 24.99 → 21.50 EUR");
    assert_eq!(edit("<p>Price: $24.99", "24.99", "21.50"), "Price: $24.99 → $21.50");
    assert_eq!(edit("<p>Monday 9–17", "17", "18"), "Monday 9–17 → 9–18");
    assert_eq!(edit("<p>In stock", "In stock", "Sold out"), "In stock → Sold out");
    assert_eq!(edit("<p>1 comment", "1 comment", "2 comments"), "1 comment → 2 comments");
    assert_eq!(
        edit("<p>Open from nine to five.", "five", "six, also on Sundays"),
        "from nine to five → six, also on Sundays"
    );
    assert_eq!(edit("<p>Tea (hot, sweet) for two", "hot", "cold"), "Tea hot → cold");
    assert_eq!(edit("plain text 1", "1", "2"), "plain text 1 → 2");
    assert_eq!(edit(r#"{"price": 12, "stock": 3}"#, "12", "13"), "price 12 → 13");
}

#[test]
fn the_words_around_a_change_do_not_end_in_the_middle_of_a_sentence() {
    let lamp = "<p>The lamp of brass costs 24.99 EUR in our shop.";
    assert_eq!(summary_for("Prices", lamp, &lamp.replace("24.99", "21.50")), "24.99 → 21.50 EUR");
    let hours = "<p>We open at nine on Sundays and on holidays.";
    assert_eq!(edit(hours, "nine", "ten"), "We open at nine → ten");
    assert_eq!(edit("<p>The lamp costs 24.99 EUR.", "24.99", "21.50"), "The lamp costs 24.99 → 21.50 EUR");
}

#[test]
fn a_cell_has_the_name_of_its_row() {
    for page in [
        "<table><tr><td>Monday<td>9:00<tr><td>Friday<td>10:00</table>",
        "<table><tr><th>Monday<td>9:00<tr><th>Friday<td>10:00</table>",
    ] {
        assert_eq!(edit(page, "9:00", "8:30"), "Monday 9:00 → 8:30");
    }
    assert_eq!(edit("<dl><dt>Monday:<dd>9:00<dt>Friday:<dd>10:00</dl>", "9:00", "8:30"), "Monday: 9:00 → 8:30");
}

#[test]
fn several_changes_are_all_shown_or_counted() {
    let river = ["rose by two", "fell by three"].map(|text| format!("<p>The river {text} metres."));
    assert_eq!(summary(&river[0], &river[1]), "The river rose → fell, by two → three metres");
    let prices = summary("<p>Tea 3 EUR, milk 2 EUR, now.", "<p>Tea 4 EUR, milk 1 EUR, now.");
    assert_eq!(prices, "Tea 3 → 4 EUR, milk 2 → 1 EUR");
    let rows = summary("<ul><li>Tea 3 EUR<li>Milk 2 EUR</ul>", "<ul><li>Tea 4 EUR<li>Milk 1 EUR</ul>");
    assert_eq!(rows, "Tea 3 → 4 EUR and 1 more change");
}

#[test]
fn words_that_were_added_or_removed_are_quoted_with_their_place() {
    let list = "<h2>News</h2><ul><li>One thing<li>Another thing</ul>";
    assert_eq!(edit(list, "<li>Another thing", ""), "“Another thing” removed in News");
    assert_eq!(edit(list, "</ul>", "<li>A third</ul>"), "“A third” added in News");
    assert_eq!(edit("<footer>Us</footer>", "Us", "Us and them"), "“and them” added in the footer");
    assert_eq!(summary("", "<p>Hello there"), "“Hello there” added");
}

#[test]
fn a_quote_does_not_begin_with_the_stop_of_the_sentence_before_it() {
    assert_eq!(edit("<p>Open at ten.", "ten.", "ten. Bring a chair."), "“Bring a chair” added");
    assert_eq!(edit("<p>Add milk.", "milk", "milk, .5 litres"), "“.5 litres” added");
}

#[test]
fn words_of_several_lines_are_shown_line_by_line_or_counted() {
    let party = summary("A concert\nSongs of the sea", "A party\nDances of the sea");
    assert_eq!(party, "A concert → party, Songs → Dances");
    let lines = summary("News\nA concert\nSongs\nThe end", "News\nDances\nThe end");
    assert_eq!(lines, "2 words dropped, 1 replaced", "a line in place of two");
    assert_eq!(summary("A concert\nSongs of the sea", "A concert"), "“Songs of the sea” removed");
}

#[test]
fn words_that_do_not_fit_are_counted_with_their_place() {
    let many = "many words here ".repeat(20);
    assert_eq!(edit("<h2>News</h2><p>Short.</p>", "Short", &many), "2 words added, 57 copied, 1 replaced in News");
    let paragraph = format!("<p>{many}</p>");
    let page = format!("<h2>News</h2><p>Short.</p>{paragraph}");
    assert_eq!(edit(&page, &paragraph, ""), "part removed: 3 words dropped, 57 shrunk in News");
    assert_eq!(summary("<h2>News</h2><p>Short.</p>", &page), "part added: 3 words added, 57 copied in News");
    assert_eq!(edit("<p>x", "x", &"long".repeat(100)), "1 word replaced");
    assert_eq!(edit("<p>one two three four", "one two", "two one"), "1 word moved");
    let copied = format!("{many} one two one two");
    assert_eq!(edit("<p>one two.</p>", "two", &copied), "3 words added, 60 copied");
}

#[test]
fn the_name_of_the_watch_and_the_title_of_the_page_are_not_repeated() {
    let page = |hour: u8| format!("<h2>Opening hours</h2><p>{hour} to 5");
    assert_eq!(summary(&page(8), &page(9)), "Opening hours: 8 → 9 to 5");
    assert_eq!(summary_for("opening hours", &page(8), &page(9)), "8 → 9 to 5");
    let titled = |hour: u8| format!("<title>Opening hours | Museum</title>{}", page(hour));
    assert_eq!(summary(&titled(8), &titled(9)), "8 → 9 to 5");
    assert_eq!(edit(&page(8), "Opening hours", "Hours"), "Opening hours → Hours");
}

#[test]
fn links_images_titles_and_markup_have_their_own_words() {
    assert_eq!(edit("<p><a href=/a>here</a>", "/a", "/b"), "1 link added, 1 removed");
    assert_eq!(edit("<img src=a.png>", "a.png", "b.png"), "1 image added, 1 removed");
    assert_eq!(edit("<p>x<a href=/a>y</a><img src=/a>", "/a", "/b"), "2 links or images added, 2 removed");
    assert_eq!(edit("<title>a</title><p>x", ">a<", ">b<"), "title: a → b");
    assert_eq!(edit("<title>a</title><p>x", ">a<", "><"), "title “a” removed");
    assert_eq!(
        edit("<title>old one</title><p>x", ">old one<", &format!(">{}<", "b".repeat(45))),
        format!("title is now “{}”", "b".repeat(45))
    );
    assert_eq!(edit("<title>a</title><p>x", ">a<", &format!(">{}<", "b".repeat(99))), "title changed");
    assert_eq!(summary("<title>a</title><p>x 1", "<title>b</title><p>x 2"), "x 1 → 2; title changed");
    assert_eq!(edit("<p class=a>x", "=a", "=b"), "only markup changed");
}

#[test]
fn words_from_right_to_left_have_no_arrow_between_them() {
    assert_eq!(edit("<p>שלום אב", "אב", "גד"), "שלום “גד” replaced “אב”");
    assert_eq!(edit("<p>営業時間は九時から五時まで", "五時", "六時"), "営業時間は九時から五時 → 六時まで");
}

#[test]
fn what_cannot_be_seen_is_counted() {
    assert_eq!(edit("<p>soft", "soft", "so\u{ad}ft"), "1 word replaced");
    assert_eq!(words::clean("a\u{202e}b\r\n\u{1b}[2J\u{2028}c\u{feff}"), "ab [2J c");
}

proptest! {
    /// Words have at most 60 characters, all else is counts: a summary is short and plain whatever a page says.
    #[test]
    fn a_summary_is_one_short_line(
        older in "(\\PC|[\u{0}-\u{1f}\u{202e}\u{2028}]|<(p|h2|td|li|img src=a)>){0,60}",
        newer in "(\\PC|[\u{0}-\u{1f}\u{202e}\u{2028}]|<(p|h2|td|li|img src=b)>){0,60}",
    ) {
        let summary = summary(&older, &newer);
        prop_assert!(!summary.is_empty() && summary.chars().count() <= 160, "{summary:?}");
        prop_assert!(!summary.contains(|char: char| char.is_control() || matches!(char, '\u{202a}'..='\u{202e}')), "{summary:?}");
    }
}
