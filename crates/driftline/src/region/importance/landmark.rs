//! Where on the page does something stand? In the content, or in what surrounds it.
//!
//! The nearest element around it that says so decides: by its tag or role, else by a whole word of
//! its `id` and `class` ([`names`](super::names)). An `article` within a side bar is no content,
//! and the `footer` of an article is not the page's. A name is not believed of an element that
//! holds the main content or most of the page. Only elements around changes are asked, each once.

use serde::{Deserialize, Serialize};

use super::names;
use crate::page::{BodyKind, NodeId, Page};

/// What stands around a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Landmark {
    /// The main content, marked as such.
    Main,
    /// Nothing that is marked, on a page that does not mark its main content.
    Unmarked,
    /// The header or footer of an article.
    Meta,
    /// Nothing that is marked, outside of the main content.
    Outside,
    /// The head of the page, as readers see it.
    Header,
    /// A side bar, related posts, buttons to share.
    Side,
    /// Menus.
    Navigation,
    /// A counter or a clock.
    Counter,
    /// The foot of the page.
    Footer,
    /// Cookie banners, advertisements, dialogues.
    Banner,
    /// Something that readers do not see.
    Hidden,
    /// The `head` of the document.
    Head,
}

impl Landmark {
    /// All of them.
    pub(super) const COUNT: usize = Self::Head as usize + 1;

    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::Main => "in the main content",
            Self::Unmarked => "in the body of the page",
            Self::Meta => "in the small print of an article",
            Self::Outside => "outside of the main content",
            Self::Header => "in the header",
            Self::Side => "in the side bar",
            Self::Navigation => "in the navigation",
            Self::Counter => "in a counter or clock",
            Self::Footer => "in the footer",
            Self::Banner => "in a banner or advertisement",
            Self::Hidden => "not visible",
            Self::Head => "in the head of the document",
        }
    }

    fn is_content(self) -> bool {
        matches!(self, Self::Main | Self::Unmarked | Self::Meta | Self::Outside)
    }
}

/// What an element says about itself.
enum Mark {
    Is(Landmark),
    Article,
    Header,
    Footer,
    /// Its names say so.
    Named(Landmark),
}

/// A main content smaller than this share of the page's words is a mistake.
const LEAST_MAIN: f64 = 0.1;
/// An element with more than this share of the page's words is not what its name says.
const MOST_NAMED: f64 = 0.6;

/// The landmarks of one page.
pub(super) struct Landmarks<'a> {
    page: &'a Page,
    main: Vec<NodeId>,
    known: Vec<Option<Landmark>>,
}

impl<'a> Landmarks<'a> {
    pub(super) fn new(page: &'a Page) -> Self {
        let main = if page.kind() == BodyKind::Html { mains(page) } else { Vec::new() };
        Self { page, main, known: vec![None; page.nodes().len()] }
    }

    /// Where an element stands.
    pub(super) fn of(&mut self, node: NodeId) -> Landmark {
        let mut chain = Vec::new();
        let mut at = Some(node);
        let mut landmark = if self.main.is_empty() { Landmark::Unmarked } else { Landmark::Outside };
        while let Some(node) = at {
            if let Some(known) = self.known[node.index()] {
                landmark = known;
                break;
            }
            chain.push(node);
            at = self.page.nodes()[node.index()].parent;
        }
        for node in chain.into_iter().rev() {
            landmark = self.within(landmark, node);
            self.known[node.index()] = Some(landmark);
        }
        landmark
    }

    /// Where an element stands whose parent stands in `outer`.
    fn within(&self, outer: Landmark, node: NodeId) -> Landmark {
        if self.page.kind() != BodyKind::Html || matches!(outer, Landmark::Head | Landmark::Hidden) {
            return outer;
        }
        match self.mark(node) {
            Some(Mark::Is(landmark)) => landmark,
            Some(Mark::Article) if outer.is_content() => Landmark::Main,
            Some(Mark::Article) | None => outer,
            Some(Mark::Header) => {
                if outer == Landmark::Main {
                    outer
                } else {
                    Landmark::Header
                }
            }
            Some(Mark::Footer) => {
                if outer == Landmark::Main {
                    Landmark::Meta
                } else {
                    Landmark::Footer
                }
            }
            Some(Mark::Named(landmark)) => {
                if self.is_frame(node) {
                    outer
                } else {
                    landmark
                }
            }
        }
    }

    fn mark(&self, node: NodeId) -> Option<Mark> {
        if self.main.binary_search(&node).is_ok() {
            return Some(Mark::Is(Landmark::Main));
        }
        let attribute = |name| self.page.attribute(node, name);
        if is_hidden(self.page, node) {
            return Some(Mark::Is(Landmark::Hidden));
        }
        let tag = self.page.tag(node);
        match tag {
            "html" | "body" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => return None,
            "head" => return Some(Mark::Is(Landmark::Head)),
            "nav" | "menu" => return Some(Mark::Is(Landmark::Navigation)),
            "dialog" => return Some(Mark::Is(Landmark::Banner)),
            _ => {}
        }
        if let Some(landmark) = attribute("role").and_then(names::role) {
            return Some(Mark::Is(landmark));
        }
        let named = [attribute("class"), attribute("id")].into_iter().flatten().find_map(names::landmark);
        let is_sponsored =
            || attribute("rel").is_some_and(|rel| rel.split_ascii_whitespace().any(|it| it == "sponsored"));
        match tag {
            "footer" => Some(Mark::Footer),
            "aside" => Some(Mark::Is(named.unwrap_or(Landmark::Side))),
            "a" if is_sponsored() => Some(Mark::Is(Landmark::Banner)),
            _ if named.is_some() => named.map(Mark::Named),
            "article" => Some(Mark::Article),
            "header" => Some(Mark::Header),
            _ => None,
        }
    }

    /// Does an element hold the main content, or most of the page?
    fn is_frame(&self, node: NodeId) -> bool {
        let element = &self.page.nodes()[node.index()];
        let next = self.main.partition_point(|main| *main < node);
        if let Some(main) = self.main.get(next) {
            return *main <= element.last;
        }
        self.main.is_empty() && element.words.range().len() as f64 > MOST_NAMED * self.page.word_count() as f64
    }
}

/// Elements that readers do not see.
fn is_hidden(page: &Page, node: NodeId) -> bool {
    match page.tag(node) {
        "script" | "style" | "template" | "noscript" | "link" | "meta" => true,
        "input" => page.attribute(node, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")),
        _ => page.attribute(node, "hidden").is_some(),
    }
}

/// The elements that are marked as main content, in document order: by tag, else by role, else by
/// the name of one element.
fn mains(page: &Page) -> Vec<NodeId> {
    let least = LEAST_MAIN * page.word_count() as f64;
    let holds_enough = |node: &NodeId| page.nodes()[node.index()].words.range().len() as f64 >= least;
    let find = |is_main: &dyn Fn(NodeId) -> bool| -> Vec<NodeId> {
        page.node_ids().filter(|node| is_main(*node)).filter(holds_enough).collect()
    };
    let by_tag = find(&|node| page.tag(node) == "main");
    if !by_tag.is_empty() {
        return by_tag;
    }
    let by_role = find(&|node| page.attribute(node, "role") == Some("main"));
    if !by_role.is_empty() {
        return by_role;
    }
    let mut by_name = find(&|node| page.attribute(node, "id").is_some_and(names::is_main));
    by_name.truncate(1);
    by_name
}
