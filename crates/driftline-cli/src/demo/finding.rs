//! How does a finding read? What happened, where, and the words that came or went.

use anstyle::{AnsiColor, Effects, Style};
use driftline::event::{Event, Excerpt, Mark, Piece};
use driftline_report::summary::Markup;
use driftline_report::summary::numbers::{counted, grouped};
use driftline_report::summary::safe::for_terminal;

/// So many excerpts of a finding are shown.
const MOST_EXCERPTS: usize = 2;
/// So many letters of words that stayed are shown, and so many of others.
const MOST_LETTERS: usize = 160;
/// So many pages are named.
const MOST_PAGES: usize = 4;
/// Where the lines of a finding begin: below what happened.
const INDENT: &str = "           ";

const KIND: Style = Style::new().effects(Effects::BOLD);
const ADDED: Style = AnsiColor::Green.on_default().effects(Effects::UNDERLINE);
const DROPPED: Style = AnsiColor::Red.on_default().effects(Effects::STRIKETHROUGH);
const MOVED: Style = AnsiColor::Blue.on_default().effects(Effects::UNDERLINE);

/// The lines of a finding. `origin` is what all addresses begin with.
pub(super) fn lines(event: &Event, origin: &str, colour: bool) -> Vec<String> {
    let kind = painted(KIND, event.kind.name(), colour);
    let mut lines = vec![format!("{INDENT}{kind} {}", for_terminal(&headline(event, origin)))];
    let excerpts = event.excerpts.iter().filter(|_| !event.kind.is_design()).take(MOST_EXCERPTS);
    lines.extend(excerpts.map(|excerpt| format!("{INDENT}  {}", written(excerpt, colour))));
    if let Some(time) = event.returned_to {
        lines.push(format!("{INDENT}  it is again as it was at {time}"));
    }
    if !event.pages.is_empty() {
        let paths: Vec<&str> = event.pages.iter().take(MOST_PAGES).map(|page| path(&page.url, origin)).collect();
        let more = event.pages.len().saturating_sub(MOST_PAGES);
        let more = if more == 0 { String::new() } else { format!(" and {} more", grouped(more)) };
        lines.push(format!("{INDENT}  on {}{more}", for_terminal(&paths.join(", "))));
    }
    if !event.explains.is_empty() {
        let alerts = counted(event.explains.len(), "alert");
        lines.push(format!("{INDENT}  explains {alerts} that nobody gets one by one"));
    }
    lines
}

fn headline(event: &Event, origin: &str) -> String {
    let place = path(&event.url, origin);
    if event.pages.is_empty() && event.watch.is_some() && place != event.url {
        format!("{place}: {}", event.summary)
    } else {
        event.summary.clone()
    }
}

fn path<'a>(url: &'a str, origin: &str) -> &'a str {
    url.strip_prefix(origin).unwrap_or(url)
}

/// The words, marked: by colours, or by brackets.
fn written(excerpt: &Excerpt, colour: bool) -> String {
    let mut text = String::new();
    for Piece { mark, text: words } in &excerpt.pieces {
        let words = cut(&for_terminal(&words.replace('\n', " ")));
        let style = match mark {
            Mark::Added => Some(ADDED),
            Mark::Dropped => Some(DROPPED),
            Mark::Moved => Some(MOVED),
            Mark::Kept => None,
            Mark::Gap => {
                text += " … ";
                continue;
            }
        };
        let [open, close] = Markup::PLAIN.around(*mark);
        match style {
            Some(style) if colour => text += &painted(style, &words, true),
            _ => text += &format!("{open}{words}{close}"),
        }
    }
    text
}

/// The beginning of long words.
fn cut(words: &str) -> String {
    let mut letters = words.chars();
    let beginning: String = letters.by_ref().take(MOST_LETTERS).collect();
    if letters.next().is_none() { beginning } else { beginning + "…" }
}

fn painted(style: Style, text: &str, colour: bool) -> String {
    if colour { format!("{}{text}{}", style.render(), style.render_reset()) } else { text.to_owned() }
}
