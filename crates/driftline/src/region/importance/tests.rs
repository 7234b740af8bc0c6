//! Each part of the importance, on the smallest page that shows it.

use super::*;
use crate::change::Change;
use crate::compare::{CompareOptions, Comparer};
use crate::page::{Page, ReadOptions};
use proptest::prelude::*;

fn change(older: &str, newer: &str) -> Change {
    let read_options = ReadOptions::default();
    Comparer::default().compare(&Page::read(older, &read_options), &Page::read(newer, &read_options))
}

fn importance(older: &str, newer: &str) -> Importance {
    change(older, newer).importance
}

/// A page with `main` and `rest`.
fn page(main: &str, rest: &str) -> String {
    format!("<body><main><h1>A page</h1><p>Some text that stays as it was.</p>{main}</main>{rest}</body>")
}

/// The importance of what becomes something else within a page.
fn within(around: [&str; 2], older: &str, newer: &str) -> Importance {
    let whole = |inside: &str| page("", &[around[0], inside, around[1]].concat());
    importance(&whole(older), &whole(newer))
}

#[test]
fn nothing_changed_nothing_matters() {
    let same = page("<p>one</p>", "");
    assert_eq!(importance(&same, &same), Importance::default());
}

#[test]
fn a_lost_data_set_on_a_long_page_outranks_a_new_footer() {
    let text = "<p>Eight words of text in every single paragraph.</p>".repeat(1_000);
    let (data, none) = (r#"<p>See <a href="/d/data.csv">the data</a></p>"#, "<p>See the data</p>");
    let footer = format!("<footer>{}</footer>", "<p>New words of a large footer with links.</p>".repeat(40));
    let lost = importance(&page(&[&text, data].concat(), ""), &page(&[&text, none].concat(), ""));
    let footer = importance(&page(&text, ""), &page(&text, &footer));
    assert_eq!(lost.why(), ["in the main content", "a link to a file was lost: data.csv"]);
    assert_eq!(footer.why(), ["in the footer", "320 words changed"]);
    assert!(lost.score > 0.9 && footer.score < 0.15, "{} {}", lost.score, footer.score);
}

#[test]
fn the_place_decides() {
    for (around, reason) in [
        (["<footer>", "</footer>"], "in the footer"),
        (["<div class='siteFooter'>", "</div>"], "in the footer"),
        (["<nav>", "</nav>"], "in the navigation"),
        (["<ul id='main-menu'><li>", "</ul>"], "in the navigation"),
        (["<aside>", "</aside>"], "in the side bar"),
        (["<div class=related-posts><article>", "</article></div>"], "in the side bar"),
        (["<div class=cookie-consent>", "</div>"], "in a banner or advertisement"),
        (["<div role=dialog>", "</div>"], "in a banner or advertisement"),
        (["<header>", "</header>"], "in the header"),
        (["<div>", "</div>"], "outside of the main content"),
        (["<article>", "</article>"], "in the main content"),
        (["<article><footer>", "</footer></article>"], "in the small print of an article"),
    ] {
        let found = within(around, "<p>one word</p>", "<p>another word</p>");
        assert_eq!(found.why()[0], reason, "{around:?}");
        assert!(reason == "in the main content" || found.score < 0.3, "{around:?} {}", found.score);
    }
}

#[test]
fn a_name_is_not_believed_of_what_holds_the_main_content() {
    let whole = |word: &str| format!("<div class='with sidebar'><main><p>some {word} text</p></main></div>");
    assert_eq!(importance(&whole("older"), &whole("newer")).why()[0], "in the main content");
}

#[test]
fn clocks_and_counters_count_little_and_prices_much() {
    let main = |text: &str| page(&format!("<p>{text}</p>"), "");
    for (older, newer, reason) in [
        ("Updated 4 days ago", "Updated 5 days ago", "only a time changed"),
        ("1,204 views so far", "1,377 views so far", "only a count changed"),
        ("Read 1,204 times", "Read 98,311 times", "only a count changed"),
        ("© 2025 Example", "© 2026 Example", "only the year of a copyright changed"),
        ("Reviewed on 3 May 2025", "Reviewed on 4 June 2025", "only a date changed"),
    ] {
        let found = importance(&main(older), &main(newer));
        assert_eq!(found.why()[1], reason, "{older}");
        assert!(found.score <= 0.25, "{older} {}", found.score);
    }
    assert!(importance(&main("It costs 12 euros"), &main("It costs 14 euros")).score >= 0.5);
    assert!(importance(&main("Version 1.5.6"), &main("Version 1.5.7")).score >= 0.5);
}

#[test]
fn a_footer_without_a_name_is_known_by_its_copyright() {
    let whole = |note: &str| format!("<body>{}<p>{note}</p></body>", "<p>Words of the page itself.</p>".repeat(20));
    let found =
        importance(&whole("Copyright 2025 Example, made in Rome"), &whole("Copyright 2025 Example, made by us"));
    assert_eq!(found.why(), ["in the footer", "2 words changed"]);
}

#[test]
fn resources_count_by_what_they_are() {
    let main = |html: &str| page(&format!("<p>See {html}</p>"), "");
    let score = |older: &str, newer: &str| importance(&main(older), &main(newer)).score;
    let file = score("<a href=/a.pdf>this</a>", "<a href=/b.html>this</a>");
    let link = score("<a href=/a>this</a>", "<a href=/b>this</a>");
    let image = score("<img src=/a.png>", "");
    let same = score("<a href='http://example.org/a'>this</a>", "<a href='https://example.org/a/'>this</a>");
    assert!(file > link && link > image && image > same, "{file} {link} {image} {same}");
    assert!(same <= 0.1);
}

#[test]
fn markup_order_and_what_is_not_seen_count_little() {
    let head = |html: &str| format!("<head>{html}</head>{}", page("", ""));
    let main = |html: &str| page(html, "");
    for (older, newer) in [
        (head("<meta name=a content=b>"), head("<meta name=a content=c>")),
        (head("<script src=/a.js></script>"), head("<script src=/b.js></script>")),
        (main("<input type=hidden value=a>"), main("<input type=hidden value=b>")),
        (main("<p class=a>text</p>"), main("<p class=b>text</p>")),
        (main("<p>some <b>text</b></p>"), main("<p>some <i>text</i></p>")),
        (
            main("<ul><li>one two<li>three four<li>five six</ul>"),
            main("<ul><li>five six<li>one two<li>three four</ul>"),
        ),
    ] {
        let found = importance(&older, &newer);
        assert!(found.score > 0.0 && found.score <= 0.1, "{newer} {found:?}");
    }
}

#[test]
fn another_title_alone_matters_somewhat() {
    let whole = |title: &str| format!("<title>{title}</title>{}", page("", ""));
    let found = importance(&whole("one"), &whole("other"));
    assert_eq!((found.score, found.why()), (weights::TITLE, vec!["the title changed".to_owned()]));
}

#[test]
fn a_rewritten_page_approaches_one() {
    let text = |word: &str| page(&format!("<p>{}</p>", format!("{word} ").repeat(900)), "");
    assert!(importance(&text("one"), &text("other")).score > 0.95);
}

#[test]
fn a_block_that_other_pages_share_counts_less() {
    let whole = |text: &str, note: &str| page(&format!("<p>{text}</p><p>{note}</p>"), "");
    let (older, newer) = ("Call our office in Rome now.", "Call our office in Bonn now.");
    let mut compare_options = CompareOptions::default();
    for number in 0..41 {
        let other = Page::read(&*whole(&format!("page {number}"), older), &ReadOptions::default());
        compare_options.regions.site.shared_blocks.learn(&other);
    }
    let read = |note| Page::read(&*whole("apples", note), &ReadOptions::default());
    let found = Comparer::new(compare_options).compare(&read(older), &read(newer)).importance;
    assert_eq!(found.to_string(), "in the main content, shared by 41 pages of the site, 1 word changed");
    assert!(found.score <= 0.1);
}

proptest! {
    #[test]
    fn it_is_a_share_and_every_region_has_reasons(
        older in "(<(p|nav|footer|a href=/a\\.csv|div class=sidebar|table)>|[a-c0-9 ]{0,4}|</(p|nav|a|div)>){0,20}",
        newer in "(<(p|nav|footer|a href=/b\\.csv|div class=sidebar|table)>|[a-c0-9 ]{0,4}|</(p|nav|a|div)>){0,20}",
    ) {
        let change = change(&older, &newer);
        for region in &change.regions {
            prop_assert!((0.0..=1.0).contains(&region.importance.score));
            prop_assert!(region.importance.score > 0.0 && !region.importance.reasons.is_empty(), "{region:?}");
            prop_assert!(region.importance.score <= change.importance.score);
        }
        prop_assert!((0.0..=1.0).contains(&change.importance.score));
        prop_assert_eq!(change.importance.score == 0.0, change.is_empty());
    }
}
