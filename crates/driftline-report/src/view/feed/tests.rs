//! Is the change of a feed readable, safe and complete in every view?

use driftline::compare::Comparer;
use driftline::feed::compare::{FeedChange, compare};
use driftline::feed::{Feed, Item};
use driftline::page::ReadOptions;
use serde_json::json as value;

use super::*;

fn item(name: &str, title: &str, text: &str) -> Item {
    Item { guid: Some(name.into()), link: Some(format!("https://x.example/{name}")), ..Item::new(title, text) }
}

fn changed(older: Vec<Item>, newer: Vec<Item>) -> FeedChange {
    let [older, newer] = [older, newer].map(|items| Feed { items, ..Feed::default() });
    compare(&older, &newer, &ReadOptions::default(), &mut Comparer::default())
}

fn sample() -> FeedChange {
    let older = vec![
        item("hours", "Opening <b>hours</b>", "<p>Open from nine to five.</p><p>Come in.</p>"),
        item("tea", "Tea", "Green and black."),
        item("fish", "Fish", "Fresh every day."),
        item("old", "Old news", "Gone."),
    ];
    let newer = vec![
        item("new", "New & shiny", "Just in."),
        item("fish", "Fish", "Fresh every day."),
        item("hours", "Opening <b>hours</b>", "<p>Open from nine to six, also on Sundays.</p><p>Come in.</p>"),
        item("tea", "Tea", "Green <a href='/tea'>and</a> black."),
    ];
    changed(older, newer)
}

fn names() -> Sides<&'static str> {
    Sides { older: "old.xml", newer: "new.xml" }
}

#[test]
fn every_item_stands_under_its_sign() {
    let change = sample();
    let text = text(&FeedComparison { names: names(), change: &change }, &TextOptions::default());
    insta::assert_snapshot!(text);
}

#[test]
fn an_unchanged_feed_says_so() {
    let same = || vec![item("a", "A", "a")];
    let change = changed(same(), same());
    let text = text(&FeedComparison { names: names(), change: &change }, &TextOptions::default());
    assert_eq!(text, "old.xml → new.xml\nno items changed\n");
}

#[test]
fn titles_and_links_cannot_command_the_terminal_or_the_browser() {
    let mut attack = item("a", "\u{1b}[2J<script>alert(1)</script>&lt;script&gt;", "x");
    attack.link = Some("javascript:alert(\u{1b})".into());
    let change = changed(Vec::new(), vec![attack]);
    let comparison = FeedComparison { names: names(), change: &change };
    assert!(!text(&comparison, &TextOptions::default()).contains('\u{1b}'));
    let page = html(&comparison);
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains("&lt;script&gt;") && !page.contains("href=\"javascript"));
}

#[test]
fn json_has_all_that_the_text_tells() {
    let change = sample();
    let json = json(&FeedComparison { names: names(), change: &change });
    assert_eq!(json["counts"], value!({ "added": 1, "modified": 2, "removed": 1, "reordered": 1, "unmodified": 0 }));
    assert_eq!((&json["format"], &json["type"], &json["old"]), (&value!(1), &value!("feed"), &value!("old.xml")));
    let hours = &json["items"][2];
    assert_eq!((&hours["kind"], &hours["old"], &hours["new"]), (&value!("modified"), &value!(0), &value!(2)));
    assert_eq!((&hours["title"], &hours["matched"]), (&value!("Opening hours"), &value!("guid")));
    assert_eq!(hours["edits"][0]["new"]["text"], "six");
    assert_eq!(json["items"][3]["differs"], value!(["markup"]));
    assert!(json.get("limits").is_none());
}

#[test]
fn the_web_page_marks_items_and_words() {
    let change = sample();
    let page = html(&FeedComparison { names: names(), change: &change });
    let main = &page[page.find("<main").unwrap()..page.find("</main>").unwrap()];
    insta::assert_snapshot!(main.replace("><", ">\n<"));
    for loader in ["url(", "@import", "src=", "<link", "<iframe", "style=\""] {
        assert!(!page.contains(loader), "{loader}");
    }
}
