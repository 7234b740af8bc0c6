//! One change in every output.

use driftline::event::{Event, Kind};

use crate::atom::{self, Feed};
use crate::message::{self, Templates, sample};
use crate::sample::Pair;
use crate::summary::line::Description;
use crate::summary::{Markup, sentence};
use crate::view;

/// The event that the watch makes of a change.
fn event(pair: &Pair) -> Event {
    let description = Description::new(pair.pages(), &pair.change, "News");
    Event {
        name: "News".to_owned(),
        summary: description.summary(),
        degree: Some(pair.change.measurement.headline().get()),
        excerpts: description.excerpts(),
        ..sample(Kind::Changed)
    }
}

fn atom(event: Event) -> String {
    atom::write(&Feed { id: "urn:x", title: "x", url: "http://127.0.0.1/x.atom", events: &[event] })
}

#[test]
fn the_same_change_has_the_same_sentence_in_terminal_web_page_json_mail_and_atom() {
    let older = "<p>Tea. Green tea, black tea, old tea.";
    let newer = format!("<p>Green tea, black tea. {}", "tea of another kind ".repeat(20));
    let pair = Pair::of(older, &newer);
    let counts = "2 words added, 1 dropped, 76 copied, 1 replaced";
    let changed = format!("73 % changed: {counts}");
    assert_eq!(sentence::page(&pair.change), changed);

    let comparison = pair.comparison();
    assert!(view::heading(&comparison).contains(&format!("\n{changed}\n")));
    assert!(view::html_text(&comparison).contains(&format!("<h1>{changed}</h1>")));
    assert_eq!(serde_json::to_value(view::json(&comparison)).unwrap()["summary"], changed);

    let event = event(&pair);
    assert_eq!(serde_json::to_value(&event).unwrap()["summary"], counts);
    let templates = Templates::read(None, Some("{{#events}}{{degree}} changed: {{summary}}{{/events}}"), None).unwrap();
    let message = message::compose(std::slice::from_ref(&event), &Markup::PLAIN, &templates);
    assert_eq!((message.subject, message.text), (format!("News: {counts}"), format!("{changed}\n")));
    assert!(message.html.contains(counts));
    assert!(atom(event).contains(&format!("<summary type=\"text\">{counts}</summary>")));
}

#[test]
fn the_same_lines_are_in_the_same_order_in_terminal_mail_and_atom() {
    let pair = Pair::of("A concert\nSongs of the sea\nThe end", "A party\nDances of the sea\nThe end");
    let options = view::TextOptions { context: Some(0), ..view::TextOptions::default() };
    let terminal = view::text(&pair.comparison(), &options);
    assert!(terminal.contains("~ A [~concert~]{~party~}\n- [~Songs~]\n~ {~Dances~} of the sea\n"), "{terminal}");

    let event = event(&pair);
    let mail = message::compose(std::slice::from_ref(&event), &Markup::PLAIN, &Templates::default()).text;
    assert!(mail.contains("A [-concert-] {+party+}\n[-Songs-] {+Dances+} of the sea\n"), "{mail}");
    let feed = atom(event);
    let dances = "&lt;del&gt;Songs&lt;/del&gt; &lt;ins&gt;Dances&lt;/ins&gt; of the sea";
    assert!(
        feed.contains(&format!("A &lt;del&gt;concert&lt;/del&gt; &lt;ins&gt;party&lt;/ins&gt;&lt;br&gt;{dances}")),
        "{feed}"
    );
}

#[test]
fn a_title_reads_the_same_in_terminal_and_mail() {
    let pair = Pair::of("<title>Data</title><p>x", "<title>News</title><p>x");
    let terminal = view::regions(&pair.comparison(), 20, &view::TextOptions::default());
    let summary = Event { name: "x".to_owned(), ..event(&pair) }.summary;
    assert_eq!(summary, "title: Data → News");
    assert!(terminal.lines().any(|line| line == summary), "{terminal}");
}
