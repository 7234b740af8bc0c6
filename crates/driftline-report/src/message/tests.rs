//! Messages as people get them.

use driftline::change::Sides;
use driftline::event::{Event, Excerpt, Kind, Mark, Mention, Piece};
use driftline::time::Time;

use super::*;

fn plain(events: &[Event]) -> Message {
    compose(events, &Markup::PLAIN, &Templates::default())
}

#[test]
fn a_change_is_told_with_its_words() {
    let message = plain(&[sample(Kind::Changed)]);
    insta::assert_snapshot!(format!("{}\n\n{}", message.subject, message.text));
}

#[test]
fn every_kind_has_a_message() {
    let all = Kind::ALL.map(|kind| {
        let message = plain(&[sample(kind)]);
        format!("== {} ==\n{}\n", message.subject, message.text)
    });
    insta::assert_snapshot!(all.concat());
}

#[test]
fn several_events_are_ranked_by_importance() {
    let message = plain(&[sample(Kind::CheckRecovered), sample(Kind::PageGone), sample(Kind::Changed)]);
    assert_eq!(message.subject, "3 changes: Opening hours");
    let places = ["the page is gone", "five → six", "checks work again"].map(|text| message.text.find(text).unwrap());
    assert!(places.is_sorted(), "{}", message.text);
    assert!(message.html.contains("3 changes</h1>"));
}

/// A change of a price, at a place, after this many hours.
fn price(hours: i64, selector: &str, [older, newer]: [&str; 2]) -> Event {
    let at = |hours: i64| Time::from_microseconds(hours * 3_600_000_000);
    let piece = |mark, text: &str| Piece { mark, text: text.to_owned() };
    let pieces =
        vec![piece(Mark::Dropped, older), piece(Mark::Kept, " "), piece(Mark::Added, newer), piece(Mark::Kept, " EUR")];
    Event {
        at: at(hours),
        name: "Prices".to_owned(),
        summary: format!("{older} → {newer} EUR"),
        versions: Some(Sides { older: at(hours - 1), newer: at(hours) }),
        excerpts: vec![Excerpt { selector: selector.to_owned(), importance: 0.5, pieces }],
        ..sample(Kind::Changed)
    }
}

#[test]
fn changes_of_one_watch_are_one_entry_from_the_first_to_the_last() {
    let [one, two, three] = [(1, ["24.99", "21.50"]), (2, ["21.50", "20.00"]), (3, ["20.00", "19.99"])]
        .map(|(hours, words)| price(hours, "p", words));
    let message = plain(&[two, three, one]);
    insta::assert_snapshot!(format!("{}\n\n{}", message.subject, message.text));
    assert_eq!(message.html.matches("class=\"card\"").count(), 1);
}

#[test]
fn changes_of_one_time_are_in_the_order_of_their_versions() {
    let [one, two] = [(1, ["24.99", "21.50"]), (2, ["21.50", "20.00"])].map(|(hours, words)| price(hours, "p", words));
    let (one, two) = (Event { at: two.at, ..one }, two);
    for events in [[one.clone(), two.clone()], [two, one]] {
        let message = plain(&events);
        assert!(message.subject.contains("24.99 → 20.00"), "{}", message.subject);
    }
}

#[test]
fn changes_at_several_places_are_one_entry_with_the_last_summary_and_all_their_words() {
    let mut major = price(1, "h2", ["in stock", "sold out"]);
    (major.importance, major.excerpts[0].importance, major.why) = (0.9, 0.9, vec!["in a heading".to_owned()]);
    let message = plain(&[major, price(2, "p", ["sold out", "19.99"])]);
    assert_eq!(message.subject, "Prices: sold out → 19.99 EUR (2 changes)");
    let places = ["[-in stock-] {+sold out+}", "[-sold out-] {+19.99+}", "Importance 90 %: in a heading"]
        .map(|text| message.text.find(text).unwrap());
    assert!(places.is_sorted(), "{}", message.text);
}

#[test]
fn only_changes_of_the_same_watch_are_one_entry_and_all_are_counted() {
    let change = |hours| price(hours, "p", ["1", "2"]);
    let other = Event { watch: Some("other".to_owned()), name: "News".to_owned(), ..change(3) };
    let of_site = || Event { watch: None, name: "museum.example".to_owned(), ..change(4) };
    let gone = Event { name: "Prices".to_owned(), ..sample(Kind::PageGone) };
    let message = plain(&[change(1), change(2), other, of_site(), of_site(), gone]);
    assert_eq!(message.subject, "6 changes: Prices, News and museum.example");
    assert_eq!(message.html.matches("class=\"card\"").count(), 5);
    assert!(message.html.contains("6 changes</h1>"));
    assert_eq!(message.text.matches("(2 changes)").count(), 1, "{}", message.text);
}

#[test]
fn failures_and_recoveries_of_one_watch_are_one_entry_from_the_first_to_the_last() {
    let event = |kind, hours: i64| Event { at: Time::from_microseconds(hours * 3_600_000_000), ..sample(kind) };
    let failing = event(Kind::CheckFailing, 1);
    let recovered = event(Kind::CheckRecovered, 2);
    let message = plain(&[recovered.clone(), failing.clone()]);
    let both = format!("Opening hours: {} → {} (2 events)", failing.summary, recovered.summary);
    assert!(both.starts_with(message.subject.trim_end_matches('…')), "{}", message.subject);
    assert!(message.text.contains(&format!("{} (2 events)", recovered.summary)), "{}", message.text);
    assert_eq!(message.html.matches("class=\"card\"").count(), 1);
    let message = plain(&[failing.clone(), recovered, event(Kind::CheckFailing, 3)]);
    assert!(message.text.contains(&format!("{} (3 events)", failing.summary)), "it failed twice: {}", message.text);
    let message = plain(&[failing.clone(), event(Kind::CheckFailing, 3)]);
    assert!(message.text.contains(&format!("{} (2 times)", failing.summary)), "{}", message.text);
    // Another watch, and other news of this one, are entries of their own.
    let other = Event { watch: Some("other".to_owned()), ..failing.clone() };
    let items = [event(Kind::ItemAdded, 4), event(Kind::ItemAdded, 5)];
    let message = plain(&[&[failing, other, event(Kind::PageGone, 6)][..], &items].concat());
    assert_eq!(message.html.matches("class=\"card\"").count(), 5);
}

#[test]
fn words_that_go_back_and_forth_are_shown_once() {
    let steps = [["4", "5"], ["5", "4"], ["4", "5"], ["5", "4"]];
    let changes: Vec<Event> = (1..).zip(steps).map(|(hours, words)| price(hours, "p", words)).collect();
    let message = plain(&changes);
    assert_eq!(message.subject, "Prices: 4 → … → 4 EUR (4 changes)");
    assert_eq!(message.text.matches("[-4-] {+5+} EUR").count(), 1, "{}", message.text);
}

#[test]
fn what_one_of_the_changes_learned_or_lacks_is_named_once() {
    let mut changes = [price(1, "p", ["1", "2"]), price(2, "p", ["2", "3"])];
    changes[0].learned = vec!["#clock".to_owned()];
    changes.iter_mut().for_each(|change| change.limits = vec!["bytes".to_owned()]);
    let text = plain(&changes).text;
    assert!(text.contains("Left out because it changes by itself: #clock."), "{text}");
    assert!(text.contains("Not all of it could be looked at: bytes."), "{text}");
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
    event.pages = vec![Mention {
        url: "data:text/html,x".to_owned(),
        title: "\"><img src=x>".to_owned(),
        summary: "</p><img src=x>".to_owned(),
    }];
    event.excerpts[0].pieces[1].text = "</del><img src=x onerror=alert(1)>".to_owned();
    let message = plain(&[event]);
    assert!(!message.subject.contains(['\r', '\n', '\u{1b}']), "{}", message.subject);
    assert!(message.subject.starts_with("<script>alert(1)</script> Bcc: all@example.org: {{events}}"));
    assert!(!message.html.contains("<script") && !message.html.contains("<img"), "{}", message.html);
    assert!(!message.html.contains("href=\"javascript") && !message.html.contains("href=\"data"), "{}", message.html);
    assert!(!message.text.contains('\u{1b}'));
}

#[test]
fn a_text_fits_and_says_what_it_leaves_out() {
    let of_watch = |at: usize| Event { watch: Some(at.to_string()), ..sample(Kind::Changed) };
    let events: Vec<Event> = (0..100).map(of_watch).collect();
    for most in [4096, 2000, 300, 60, 10] {
        let markup = Markup { limit: LengthLimit::Characters(most), ..Markup::PLAIN };
        let text = compose(&events, &markup, &Templates::default()).text;
        assert!(!text.is_empty() && text.chars().count() <= most, "{most}: {text}");
        assert!(most < 300 || text.contains(" more."), "{most}: {text}");
    }
}

#[test]
fn escaped_text_is_not_cut_within_an_escape() {
    let mut event = sample(Kind::Changed);
    event.name = "<&>".repeat(40);
    let markup = Markup { limit: LengthLimit::Characters(50), escape: safe::escaped, ..Markup::PLAIN };
    let text = compose(&[event], &markup, &Templates::default()).text;
    assert!(text.ends_with(';') && !text.is_empty(), "{text}");
}

#[test]
fn templates_of_users_take_the_place_of_the_usual_ones() {
    let text = "{{#events}}\n* {{name}} ({{what}}): {{summary}}\n{{/events}}";
    let templates = Templates::read(Some("driftline: {{names}}\n"), Some(text), None).unwrap();
    let mut gone = sample(Kind::PageGone);
    gone.versions = Some(Sides { older: gone.at, newer: gone.at });
    let message = compose(&[gone], &Markup::PLAIN, &templates);
    assert_eq!(message.subject, "driftline: Opening hours");
    assert_eq!(message.text, "* Opening hours (page gone): the page is gone: the server answers 404\n");
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
