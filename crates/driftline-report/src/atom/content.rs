//! What does an entry show? What happened, the words that came and went, and the pages that it is about.

use driftline::event::{Event, Excerpt, Mark, Mention, Piece};
use maud::{Markup, html};

use crate::summary::numbers::grouped;
use crate::summary::safe::{for_html, is_web};

/// An entry names so many pages at most.
const MOST_PAGES: usize = 50;

/// HTML without scripts, styles or pictures; what came is `ins`, what went is `del`.
pub(super) fn html(event: &Event) -> String {
    let Event { summary, why, excerpts, pages, .. } = event;
    let markup = html! {
        p { (for_html(summary)) }
        @for excerpt in excerpts { (part(excerpt)) }
        @if !pages.is_empty() { (list(pages)) }
        @if !why.is_empty() { p { small { (for_html(&why.join("; "))) } } }
    };
    markup.into_string()
}

fn part(excerpt: &Excerpt) -> Markup {
    html! { blockquote { p { @for piece in &excerpt.pieces { (words(piece)) } } } }
}

fn words(piece: &Piece) -> Markup {
    let text = lines(&piece.text);
    match piece.mark {
        Mark::Kept => html! { (text) },
        Mark::Added => html! { ins { (text) } },
        Mark::Dropped => html! { del { (text) } },
        Mark::Moved => html! { em { (text) } },
        Mark::Gap => html! { " … " },
    }
}

/// Text whose lines are lines.
fn lines(text: &str) -> Markup {
    html! {
        @for (number, line) in text.split('\n').enumerate() {
            @if number > 0 { br; }
            (for_html(line))
        }
    }
}

fn list(pages: &[Mention]) -> Markup {
    let more = pages.len().saturating_sub(MOST_PAGES);
    html! {
        ul {
            @for page in pages.iter().take(MOST_PAGES) { li { (mention(page)) } }
            @if more > 0 { li { "and " (grouped(more)) " more" } }
        }
    }
}

fn mention(page: &Mention) -> Markup {
    let title = if page.title.trim().is_empty() { &page.url } else { &page.title };
    html! {
        @if is_web(&page.url) { a href=(page.url) rel="noreferrer" { (for_html(title)) } } @else { (for_html(title)) }
        @if !page.summary.is_empty() { ": " (for_html(&page.summary)) }
    }
}
