//! What does a message say? A subject, a text and a web page, made of one event or of several.
//!
//! All three are written by logic-less templates ([`template`]): names and sections, no expressions, no code, nothing
//! that reaches further than the fields below. The usual ones are files of this crate, and a user's own take their place
//! one by one. A text is written in the [`Markup`] of whoever gets it and made to fit: first excerpts are left out, then
//! the events that matter least, and the text says how many.
//!
//! ```
//! use driftline::event::Kind;
//! use driftline_report::summary::Markup;
//! use driftline_report::message::{self, Templates, sample};
//!
//! let message = message::compose(&[sample(Kind::Changed)], &Markup::PLAIN, &Templates::default());
//! assert_eq!(message.subject, "Opening hours: from nine to five → six, also on Sundays and 1 more change");
//! assert!(message.text.contains("Open from nine to [-five-] {+six, also on Sundays+}."));
//! assert!(message.html.contains("five</del>"));
//! ```

mod fields;
mod fold;
mod sample;
pub mod template;
#[cfg(test)]
mod tests;

use driftline::event::Event;

pub use fields::documented;
use fields::{Fields, Fill};
use fold::Entry;
pub use sample::sample;
use template::{Template, TemplateError};

use crate::summary::{LengthLimit, Markup, Message, safe};

/// The most characters of a subject: more than any reader shows.
const MOST_OF_SUBJECT: usize = 150;
/// How web pages are written.
const HTML: Markup = Markup {
    added: ["<ins>", "</ins>"],
    dropped: ["<del>", "</del>"],
    moved: ["<ins>", "</ins>"],
    heading: ["", ""],
    escape: safe::escaped,
    limit: LengthLimit::Unlimited,
};

/// How messages are written.
#[derive(Debug, Clone)]
pub struct Templates {
    subject: Template,
    text: Template,
    html: Template,
}

impl Default for Templates {
    fn default() -> Self {
        let read = |text| Template::read(text).expect("the templates of this crate are tested");
        Self {
            subject: read(include_str!("message/templates/subject.txt").trim_end()),
            text: read(include_str!("message/templates/text.txt")),
            html: read(include_str!("message/templates/mail.html")),
        }
    }
}

impl Templates {
    /// These in place of the usual ones, as far as they are given.
    ///
    /// # Errors
    /// If one of them cannot be used: it says which, where and why.
    pub fn read(subject: Option<&str>, text: Option<&str>, html: Option<&str>) -> Result<Self, TemplateError> {
        let mut templates = Self::default();
        for (place, given, name) in [
            (&mut templates.subject, subject.map(str::trim_end), "subject"),
            (&mut templates.text, text, "text"),
            (&mut templates.html, html, "HTML"),
        ] {
            if let Some(given) = given {
                *place = Template::read(given).map_err(|error| error.of(name))?;
            }
        }
        Ok(templates)
    }
}

/// The message about some events, the weightiest first. Several changes of one watch are one entry.
#[must_use]
pub fn compose(events: &[Event], markup: &Markup, templates: &Templates) -> Message {
    let entries = fold::entries(events);
    let subject = templates.subject.write(&fields::fields(&entries, &Markup::PLAIN, Fill::ALL), safe::line);
    let subject =
        LengthLimit::Characters(MOST_OF_SUBJECT).cut(subject.split_whitespace().collect::<Vec<_>>().join(" ").as_str());
    Message {
        text: text(&entries, markup, &templates.text, &subject),
        html: templates.html.write(&fields::fields(&entries, &HTML, Fill::ALL), safe::escaped),
        subject,
    }
}

/// The text, with as much in it as there is room for.
fn text(entries: &[Entry<'_>], markup: &Markup, template: &Template, subject: &str) -> String {
    let write = |fill: Fill| {
        let fields: Fields = fields::fields(entries, markup, fill);
        let text = template.write(&fields, markup.escape);
        Some(tidy(&text)).filter(|text| markup.limit.fits(text))
    };
    let all = [10, 3, 1, 0].map(|excerpts| Fill { entries: entries.len(), excerpts });
    let fewer =
        std::iter::successors(Some(entries.len() / 2), |entries| Some(entries / 2)).take_while(|entries| *entries > 0);
    let mut fills = all.into_iter().chain(fewer.map(|entries| Fill { entries, excerpts: 0 }));
    fills.find_map(write).unwrap_or_else(|| least(markup, subject))
}

/// No blank lines at the ends, and never two in a row: a template may leave out what stood between them.
fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for line in text.trim().lines().map(str::trim_end) {
        if !line.is_empty() || !tidy.ends_with("\n\n") {
            tidy.push_str(line);
            tidy.push('\n');
        }
    }
    tidy
}

/// Not even one event fits: as much of the subject as does.
fn least(markup: &Markup, subject: &str) -> String {
    let letters: Vec<char> = subject.chars().collect();
    let lengths =
        std::iter::successors(Some(letters.len()), |length| Some(length / 2)).take_while(|length| *length > 0);
    let mut tries = lengths.map(|length| (markup.escape)(&letters[..length].iter().collect::<String>()));
    tries.find(|text| markup.limit.fits(text)).unwrap_or_default()
}
