//! Messages as people get them.

use driftline::change::Sides;
use driftline::event::letter::{Notation, Room};
use driftline::event::{Event, Kind, Mention};

use super::*;

fn plain(events: &[Event]) -> Letter {
    letter(events, &Notation::PLAIN, &Templates::default())
}

#[test]
fn a_change_is_told_with_its_words() {
    let letter = plain(&[sample(Kind::Changed)]);
    insta::assert_snapshot!(format!("{}\n\n{}", letter.subject, letter.text));
}

#[test]
fn every_kind_has_a_message() {
    let all = Kind::ALL.map(|kind| {
        let letter = plain(&[sample(kind)]);
        format!("== {} ==\n{}\n", letter.subject, letter.text)
    });
    insta::assert_snapshot!(all.concat());
}

#[test]
fn several_events_are_ranked_by_importance() {
    let letter = plain(&[sample(Kind::CheckRecovered), sample(Kind::PageGone), sample(Kind::Changed)]);
    assert_eq!(letter.subject, "3 changes: Opening hours");
    let places = ["the page is gone", "five → six", "checks work again"].map(|text| letter.text.find(text).unwrap());
    assert!(places.is_sorted(), "{}", letter.text);
    assert!(letter.html.contains("3 changes</h1>"));
}

#[test]
fn the_web_page_is_as_it_was() {
    insta::assert_snapshot!(plain(&[sample(Kind::Changed)]).html);
}

#[test]
fn text_of_strangers_cannot_act() {
    let mut event = sample(Kind::Changed);
    event.name = "<script>alert(1)</script>\r\nBcc: all@example.org".to_owned();
    event.url = "javascript:alert(1)".to_owned();
    event.summary = "{{events}} \u{1b}[2J".to_owned();
    event.pages = vec![Mention { url: "data:text/html,x".to_owned(), title: "\"><img src=x>".to_owned() }];
    event.excerpts[0].pieces[1].text = "</del><img src=x onerror=alert(1)>".to_owned();
    let letter = plain(&[event]);
    assert!(!letter.subject.contains(['\r', '\n', '\u{1b}']), "{}", letter.subject);
    assert!(letter.subject.starts_with("<script>alert(1)</script> Bcc: all@example.org: {{events}}"));
    assert!(!letter.html.contains("<script") && !letter.html.contains("<img"), "{}", letter.html);
    assert!(!letter.html.contains("href=\"javascript") && !letter.html.contains("href=\"data"), "{}", letter.html);
    assert!(!letter.text.contains('\u{1b}'));
}

#[test]
fn a_text_fits_and_says_what_it_leaves_out() {
    let events: Vec<Event> = (0..100).map(|_| sample(Kind::Changed)).collect();
    for most in [4096, 2000, 300, 60, 10] {
        let notation = Notation { room: Room::Characters(most), ..Notation::PLAIN };
        let text = letter(&events, &notation, &Templates::default()).text;
        assert!(!text.is_empty() && text.chars().count() <= most, "{most}: {text}");
        assert!(most < 300 || text.contains(" more."), "{most}: {text}");
    }
}

#[test]
fn escaped_text_is_not_cut_within_an_escape() {
    let mut event = sample(Kind::Changed);
    event.name = "<&>".repeat(40);
    let notation = Notation { room: Room::Characters(50), escape: super::clean::html, ..Notation::PLAIN };
    let text = letter(&[event], &notation, &Templates::default()).text;
    assert!(text.ends_with(';') && !text.is_empty(), "{text}");
}

#[test]
fn templates_of_users_take_the_place_of_the_usual_ones() {
    let text = "{{#events}}\n* {{name}} ({{what}}): {{summary}}\n{{/events}}";
    let templates = Templates::read(Some("driftline: {{names}}\n"), Some(text), None).unwrap();
    let mut gone = sample(Kind::PageGone);
    gone.versions = Some(Sides { older: gone.at, newer: gone.at });
    let letter = letter(&[gone], &Notation::PLAIN, &templates);
    assert_eq!(letter.subject, "driftline: Opening hours");
    assert_eq!(letter.text, "* Opening hours (page gone): the page is gone: the server answers 404\n");
    let error = Templates::read(None, Some("{{nothing}}"), None).unwrap_err().to_string();
    assert!(error.starts_with("cannot use the text template: line 1"), "{error}");
}

#[test]
fn a_message_about_nothing_is_no_panic() {
    assert_eq!(plain(&[]).text, "");
}

#[test]
fn the_documents_have_every_field() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/targets.md");
    let document = std::fs::read_to_string(path).unwrap();
    assert!(document.ends_with(&documented()), "docs/reference/targets.md ends with this table:\n{}", documented());
}
