//! Which words changed, in a browser? One file that needs no other: the numbers, and the text of both
//! pages in one with the changed words marked.
//!
//! Made to be mailed, archived and opened anywhere. It loads nothing, and its policy (CSP) lets no
//! style or script run but its own, known by their hashes: should page text ever get past the
//! escaping, it would still be dead. It works without the script, which only adds keys and buttons
//! to go from change to change. What came is underlined and what went is struck through, and each
//! kind has a line of its own under or around it, so that nothing is told by colour alone. Lines have the direction
//! of their text (`dir=auto`), and marked words are isolated from it by style: a `bdi` would hide
//! them from `dir=auto`.

mod body;
mod front;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::sha256;

use driftline::page::Page;
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};

use super::{Comparison, lines};
use crate::summary::{merge, safe, sentence};

pub(super) use body::walk;
pub(super) use front::names;

pub(super) const STYLE: &str = include_str!("html/style.css");
pub(super) const SCRIPT: &str = include_str!("html/script.js");
/// A test says what these have to be after a change of the files.
pub(super) const POLICY: &str = "default-src 'none'; \
    style-src 'sha256-pUXxMzmDKltjM7JA2RCjuM+8KWoELJmSSp2UYQ1mFVU='; \
    script-src 'sha256-Lh/b9bDZaN7GTArV6IxofiER6b4YXCQQhUVwZKDt1KY='; \
    base-uri 'none'; form-action 'none'";

/// The change of the text as one self-contained web page.
#[must_use]
pub fn html_text(comparison: &Comparison) -> String {
    let lines = lines::merged(&merge::steps(comparison.pages, comparison.change));
    let page = markup! {
        (DOCTYPE)
        html lang="en" {
            (head(&title(comparison), POLICY, STYLE))
            body {
                (front::front(comparison))
                (body::body(&lines, comparison.change.edits.len(), language(comparison.pages.newer)))
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// What the window of the page is called.
pub(super) fn title(comparison: &Comparison) -> String {
    format!("{} – {}", sentence::page(comparison.change), safe::for_html(comparison.names.newer))
}

/// The head of every page that shows a change: the policy, and the style that it allows.
pub(super) fn head(title: &str, policy: &str, style: &str) -> Markup {
    markup! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="referrer" content="no-referrer";
            title { (title) }
            style { (PreEscaped(style)) }
        }
    }
}

/// The language that the page says it is written in: speech and the shapes of ideographs depend on
/// it. Empty, for unknown, if it says nothing or nonsense.
fn language(page: &Page) -> &str {
    let root = page.node_ids().next().filter(|&root| page.tag(root) == "html");
    let is_tag = |tag: &&str| tag.len() <= 35 && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    root.and_then(|root| page.attribute(root, "lang")).filter(is_tag).unwrap_or_default()
}
