//! Any text as the templates of a message: they are refused, or they write messages that are short, whole and harmless.
//!
//! The first byte chooses the events; the rest is the subject, the text and the web page, parted at `0xff`.

use std::sync::LazyLock;

use driftline::event::{Event, Kind, Mention};
use driftline_report::message::template::{MOST_BYTES, MOST_WRITTEN};
use driftline_report::message::{Templates, compose, sample};
use driftline_report::summary::{LengthLimit, Markup};

use crate::PARTING;

/// A sample of each kind of event, and one that a stranger wrote.
static EVENTS: LazyLock<Vec<Event>> = LazyLock::new(|| Kind::ALL.into_iter().map(sample).chain([hostile()]).collect());
/// The most characters of a subject.
const SUBJECT: usize = 150;
/// The longest field of the samples, escaped.
const FIELD: usize = 4 << 10;
/// What is around words in web pages.
const SIGNS: [&str; 4] = ["<ins>", "</ins>", "<del>", "</del>"];

/// One run.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    let mut parts = rest.split(|&byte| byte == PARTING).map(String::from_utf8_lossy);
    let [subject, text, html] = [parts.next(), parts.next(), parts.next()];
    let Ok(templates) = Templates::read(subject.as_deref(), text.as_deref(), html.as_deref()) else {
        return;
    };
    let events = match usize::from(choice) {
        at if at < EVENTS.len() => &EVENTS[at..=at],
        _ => EVENTS.as_slice(),
    };
    let whole = compose(events, &Markup::PLAIN, &templates);
    assert!(whole.subject.encode_utf16().count() <= SUBJECT && !whole.subject.contains(['\n', '\r']));
    for written in [&whole.text, &whole.html] {
        assert!(written.len() <= MOST_WRITTEN + MOST_BYTES + FIELD);
    }
    // What a template has not, no field brings: neither markup nor commands.
    let has = |part: &Option<std::borrow::Cow<'_, str>>, char| part.as_ref().is_some_and(|part| part.contains(char));
    if html.is_some() && !has(&html, '<') {
        let rest = SIGNS.iter().fold(whole.html.clone(), |html, sign| html.replace(sign, ""));
        assert!(!rest.contains('<'), "{rest}");
    }
    assert!(has(&subject, '\u{1b}') || !whole.subject.contains('\u{1b}'));
    assert!(has(&subject, '\u{1b}') || has(&text, '\u{1b}') || !whole.text.contains('\u{1b}'));
    for limit in [LengthLimit::Characters(300), LengthLimit::Bytes(40)] {
        let short = compose(events, &Markup { limit, ..Markup::PLAIN }, &templates);
        assert!(limit.fits(&short.text), "{}", short.text);
    }
}

/// A change in which everything is markup, a command or a field.
fn hostile() -> Event {
    let mut event = Event {
        name: "<script>alert(1)</script>\r\nBcc: all@example.org".to_owned(),
        url: "javascript:alert(1)".to_owned(),
        summary: "{{events}} \u{1b}[2J".to_owned(),
        pages: vec![Mention {
            url: "data:text/html,x".to_owned(),
            title: "\"><img src=x>".to_owned(),
            summary: "</p><img src=x>".to_owned(),
        }],
        ..sample(Kind::Changed)
    };
    for piece in event.excerpts.iter_mut().flat_map(|excerpt| &mut excerpt.pieces) {
        piece.text = String::from("</del><img src=x onerror=alert(1)>\u{1b}]0;x\u{7}");
    }
    event
}
