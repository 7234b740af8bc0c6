//! The place of a change in words that a reader knows: the heading above it, the name of its row, or the footer.

use driftline::page::{NodeId, Page};

use super::words::clean;

/// The most characters of a heading in a summary.
const MOST_CHARACTERS: usize = 30;

/// A place on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// A heading or a term, in the words of the page.
    Label(String),
    /// A part of every page: `footer`.
    Landmark(&'static str),
}

impl Place {
    /// The place of an element: what is nearest above it. None for a heading, and below one that is too long.
    pub(super) fn of(page: &Page, node: NodeId) -> Option<Self> {
        let mut inner = node;
        loop {
            if let Some(name) = landmark(page.tag(inner)) {
                return Some(Self::Landmark(name));
            }
            if is_heading(page.tag(inner)) {
                return None;
            }
            let outer = page.nodes()[inner.index()].parent?;
            let before = page.children(outer).take_while(|child| *child < inner);
            if let Some(label) = before.filter(|child| is_label(page, *child, inner)).last() {
                return Self::label(page, heading_in(page, label));
            }
            inner = outer;
        }
    }

    fn label(page: &Page, node: NodeId) -> Option<Self> {
        let text = clean(page.text_of(node));
        let text = text.trim_end_matches([':', '：']).trim_end();
        let is_short = !text.is_empty() && text.chars().count() <= MOST_CHARACTERS;
        is_short.then(|| Self::Label(text.to_owned()))
    }

    /// Whether a name or a title says as much.
    pub(super) fn is_named(&self, name: &str) -> bool {
        match self {
            Self::Label(label) => name.to_lowercase().contains(&label.to_lowercase()),
            Self::Landmark(_) => false,
        }
    }

    /// ` in Opening hours`.
    pub(super) fn within(&self) -> String {
        match self {
            Self::Label(label) => format!(" in {label}"),
            Self::Landmark(name) => format!(" in the {name}"),
        }
    }
}

/// Whether an element names what follows it: a heading, a header with one, the term of a definition, the first cell of a
/// row.
fn is_label(page: &Page, node: NodeId, of: NodeId) -> bool {
    match page.tag(node) {
        "dt" => page.tag(of) == "dd",
        "th" => matches!(page.tag(of), "td" | "th"),
        "header" | "hgroup" => is_heading(page.tag(heading_in(page, node))),
        tag => is_heading(tag),
    }
}

/// The last heading inside of a header; the element itself if it has none.
fn heading_in(page: &Page, node: NodeId) -> NodeId {
    if !matches!(page.tag(node), "header" | "hgroup") {
        return node;
    }
    let inside = (node.0..=page.nodes()[node.index()].last.0).map(NodeId);
    inside.rev().find(|inner| is_heading(page.tag(*inner))).unwrap_or(node)
}

fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

fn landmark(tag: &str) -> Option<&'static str> {
    match tag {
        "footer" => Some("footer"),
        "nav" => Some("navigation"),
        "aside" => Some("sidebar"),
        "header" => Some("header"),
        _ => None,
    }
}
