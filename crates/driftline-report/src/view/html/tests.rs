//! Is the web page safe, whole and readable by everyone?

pub(in super::super) mod sha256;

use super::*;
use crate::sample::{BEFORE, NOW, Pair, many_words};

fn page(older: &str, newer: &str) -> String {
    html_text(&Pair::of(older, newer).comparison())
}

#[test]
fn the_policy_lets_only_this_style_and_this_script_run() {
    let hash = |file: &str| format!("'sha256-{}'", sha256::base64(file.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    );
    assert_eq!(POLICY, policy, "put the hashes of the changed file into POLICY");
}

#[test]
fn page_text_and_names_cannot_become_markup() {
    let attack = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&lt;";
    let plain = format!("<p>{}", attack.replace('&', "&amp;").replace('<', "&lt;"));
    let pair = Pair::of("<p>Hello", &plain);
    let mut comparison = pair.comparison();
    comparison.names.newer = attack;
    let page = html_text(&comparison);
    assert!(pair.newer.text().contains("<script>alert(1)"));
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("<img").count(), 0);
    assert!(page.contains("&lt;img src="));
}

#[test]
fn a_language_that_is_no_language_is_left_out() {
    assert!(page("", "<html lang='ja'><p>a").contains("<main lang=\"ja\">"));
    assert!(page("", "<html lang='\"><script>'><p>a").contains("<main lang=\"\">"));
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let page = page(BEFORE, NOW);
    for loader in ["http:", "https:", "url(", "@import", "src=", "<link", "<iframe", "style=\""] {
        assert!(!page.contains(loader), "{loader}");
    }
}

#[test]
fn a_moved_passage_leads_to_its_other_place_and_back() {
    let page = page("<p>one two three<p>four five six seven", "<p>four five six seven<p>one two three");
    let number: String = page.split("id=\"from-").nth(1).unwrap().chars().take_while(char::is_ascii_digit).collect();
    for needed in ["id=\"from-N\"", "id=\"to-N\"", "href=\"#from-N\"", "href=\"#to-N\""] {
        assert!(page.contains(&needed.replace('N', &number)), "{needed}");
    }
}

#[test]
fn names_of_places_are_unique() {
    let page = page(BEFORE, NOW);
    let mut names: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn unchanged_passages_are_folded_and_changes_counted() {
    let page = page(BEFORE, NOW);
    assert!(page.contains("<summary lang=\"en\">2 lines unchanged</summary>"));
    let total = page.matches("class=\"change\"").count();
    assert!(page.contains(&format!("aria-label=\"change {total} of {total}\"")));
    assert!(page.contains(&format!(">{total} changes</output>")));
}

#[test]
fn equal_and_empty_pages_have_no_change_to_go_to() {
    let same = page("<p>a<p>b<p>c", "<p>a<p>b<p>c");
    assert!(same.contains("No words changed") && same.contains("3 lines unchanged") && !same.contains("<nav"));
    assert!(page("", "").contains("Neither page has text."));
}

#[test]
fn every_line_has_the_direction_of_its_text() {
    let page = page("<p>שלום עולם<p>a", "<p>שלום לכולם<p>a");
    assert_eq!(page.matches("<p dir=\"auto\"").count(), 2);
}

#[test]
fn the_body_of_a_page_is_readable_markup() {
    let page = page("<p>Open to five.<p>Tea<p>Gone", "<p>Open to six.<p>Tea");
    let main = &page[page.find("<main").unwrap()..page.find("</main>").unwrap()];
    insta::assert_snapshot!(main.replace("><", ">\n<"), @r##"
        <main lang="">
        <div class="change" id="change-1" tabindex="-1" role="group" aria-label="change 1 of 2">
        <a class="number" href="#change-1" aria-label="link to this change">1</a>
        <p dir="auto" class="part">Open to <del class="replace" title="replaced">five</del>
        <ins class="replace" title="put in the place of others">six</ins>.</p>
        </div>
        <p dir="auto">Tea</p>
        <div class="change" id="change-2" tabindex="-1" role="group" aria-label="change 2 of 2">
        <a class="number" href="#change-2" aria-label="link to this change">2</a>
        <p dir="auto" class="gone">
        <del class="drop" title="dropped">Gone</del>
        </p>
        </div>
        "##);
}

#[test]
fn a_page_of_which_every_word_changed_takes_linear_time() {
    let page = page(&many_words("a", '\n'), &many_words("b", '\n'));
    assert!(page.contains("b99999"));
}
