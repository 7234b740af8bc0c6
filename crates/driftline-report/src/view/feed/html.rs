//! What happened to a feed, in a browser? One file: every item that changed, its words marked.
//!
//! It has the style, the script and the policy of the page view (see `view/html.rs`): it loads
//! nothing, and links lead out only to addresses of the web.

use driftline::change::Sides;
use driftline::feed::compare::{ItemChange, ItemKind, WordChange};
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};

use super::super::fold::{self, Passage};
use super::super::html::{POLICY, SCRIPT, STYLE, head, names, walk};
use super::super::lines::{self, Line, Piece};
use super::super::mark::Mark;
use super::{FeedComparison, notes, title};
use crate::summary::numbers::counted;
use crate::summary::{merge, safe, sentence};

/// Lines shown before and after a change; the others are left out.
const CONTEXT: usize = 2;

/// The change as one self-contained web page.
#[must_use]
pub fn html(comparison: &FeedComparison) -> String {
    let FeedComparison { names, change } = comparison;
    let sentence = sentence::capitalised(&sentence::feed(change));
    let total = change.items.len();
    let page = markup! {
        (DOCTYPE)
        html lang="en" {
            (head(&format!("{sentence} – {}", safe::for_html(names.newer)), POLICY, STYLE))
            body {
                (front(comparison, &sentence))
                @if total > 0 { (walk(total)) }
                main lang="" {
                    @for (at, item) in change.items.iter().enumerate() { (block(item, at + 1, total)) }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn front(comparison: &FeedComparison, sentence: &str) -> Markup {
    let change = comparison.change;
    markup! {
        header {
            (names(comparison.names))
            h1 { (sentence) }
            @for limit in sentence::limits(&change.limits) { p.limit { strong { "Note: " } (limit) "." } }
            p.count { (counted(change.counts.unmodified, "item")) " as before." }
        }
    }
}

fn block(item: &ItemChange, number: usize, total: usize) -> Markup {
    let name = format!("change-{number}");
    let notes = notes(item);
    markup! {
        div.change id=(name) tabindex="-1" role="group" aria-label=(format!("change {number} of {total}")) {
            a.number href=(format!("#{name}")) aria-label="link to this change" { (number) }
            p dir="auto" { (heading(item)) }
            @if let Some(link) = &item.link { p.meaning { (address(link)) } }
            @if !notes.is_empty() { p.meaning lang="en" { (notes) } }
            @if let Some(words) = &item.words { (body(words)) }
        }
    }
}

fn heading(item: &ItemChange) -> Markup {
    let title = title(item);
    let title = safe::for_html(&title);
    markup! {
        @match item.kind {
            ItemKind::Added => ins.add { b { (title) } },
            ItemKind::Removed => del.drop { b { (title) } },
            ItemKind::Modified | ItemKind::Reordered => b { (title) },
        }
    }
}

/// The address of an item; a link only if it is one of the web.
fn address(link: &str) -> Markup {
    let shown = safe::for_html(link);
    markup! {
        @if safe::is_web(link) { a href=(link) rel="noopener noreferrer" { (shown) } } @else { (shown) }
    }
}

/// The changed lines of an item and those around them.
fn body(words: &WordChange) -> Markup {
    if words.change.is_empty() {
        return Markup::default();
    }
    let pages = Sides { older: &words.pages.older, newer: &words.pages.newer };
    let lines = lines::merged(&merge::steps(pages, &words.change));
    let changed: Vec<bool> = lines.iter().map(Line::is_changed).collect();
    markup! {
        @for passage in fold::fold(&changed, Some(CONTEXT)) {
            @match passage {
                Passage::Shown(range) => {
                    @for line in &lines[range] { p dir="auto" { @for piece in &line.pieces { (marked(piece)) } } }
                },
                Passage::Folded(range) => p.meaning lang="en" { "⋯ " (fold::describe(range.len())) },
            }
        }
    }
}

fn marked(piece: &Piece) -> Markup {
    let text = safe::for_html(piece.text);
    markup! {
        @match piece.mark {
            Mark::Same => (text),
            Mark::Removed(kind) => del class=(kind.name()) title=(kind.participle()) { (text) },
            Mark::Inserted(kind) => ins class=(kind.name()) title=(kind.participle()) { (text) },
        }
    }
}
