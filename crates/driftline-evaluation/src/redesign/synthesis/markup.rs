//! Markup of a template: elements, and places where every document has something of its own.

use fastrand::Rng;

/// A node of a template.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// An element that every document has.
    Element(Element),
    /// So many words.
    Words(usize),
    /// What only this share of the documents has.
    Sometimes(f64, Box<Node>),
    /// What a document has from so many to so many times.
    Times([usize; 2], Box<Node>),
    /// Where the part for the kind of page goes.
    Main,
    /// Where the author's text goes.
    Content,
}

/// An element of a template.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) tag: &'static str,
    pub(super) class: Option<String>,
    pub(super) children: Vec<Node>,
}

/// An element with a class, if the design has one for it.
pub(super) fn element(tag: &'static str, class: Option<String>, children: Vec<Node>) -> Node {
    Node::Element(Element { tag, class, children })
}

/// An element without a class.
pub(super) fn plain(tag: &'static str, children: Vec<Node>) -> Node {
    element(tag, None, children)
}

/// An element that has a few words.
pub(super) fn leaf(tag: &'static str) -> Node {
    plain(tag, vec![Node::Words(2)])
}

/// Nodes inside one another, the outermost first.
pub(super) fn nested(tags: &[&'static str], inside: Vec<Node>) -> Node {
    match tags {
        [] => plain("div", inside),
        [tag] => plain(tag, inside),
        [tag, rest @ ..] => plain(tag, vec![nested(rest, inside)]),
    }
}

/// Elements that have no end tag.
const VOID: [&str; 8] = ["meta", "link", "img", "input", "br", "hr", "col", "wbr"];

const WORDS: [&str; 16] = [
    "about", "all", "day", "first", "for", "good", "harbour", "in", "light", "made", "new", "of", "river", "the",
    "time", "with",
];

impl Node {
    /// Writes a document: what goes into the main part, and the text of its author.
    pub(super) fn write(&self, main: Option<&Self>, content: &[Self], rng: &mut Rng, html: &mut String) {
        match self {
            Self::Element(element) => element.write(main, content, rng, html),
            Self::Words(count) => (0..*count).for_each(|_| html.extend([WORDS[rng.usize(0..WORDS.len())], " "])),
            Self::Sometimes(share, node) => {
                if rng.f64() < *share {
                    node.write(main, content, rng, html);
                }
            }
            Self::Times([least, most], node) => {
                (0..rng.usize(*least..=*most)).for_each(|_| node.write(main, content, rng, html));
            }
            Self::Main => main.iter().for_each(|node| node.write(None, content, rng, html)),
            Self::Content => content.iter().for_each(|node| node.write(None, &[], rng, html)),
        }
    }

    /// The element that this is or holds.
    pub(super) fn as_element_mut(&mut self) -> Option<&mut Element> {
        match self {
            Self::Element(element) => Some(element),
            Self::Sometimes(_, node) | Self::Times(_, node) => node.as_element_mut(),
            Self::Words(_) | Self::Main | Self::Content => None,
        }
    }

    /// Calls `change` with every element, the outer ones first.
    pub(super) fn each(&mut self, change: &mut impl FnMut(&mut Element)) {
        if let Some(element) = self.as_element_mut() {
            change(element);
            element.children.iter_mut().for_each(|child| child.each(change));
        }
    }
}

impl Element {
    fn write(&self, main: Option<&Node>, content: &[Node], rng: &mut Rng, html: &mut String) {
        html.extend(["<", self.tag]);
        if let Some(class) = &self.class {
            html.extend([" class=\"", class, "\""]);
        }
        html.push('>');
        if VOID.contains(&self.tag) {
            return;
        }
        self.children.iter().for_each(|child| child.write(main, content, rng, html));
        html.extend(["</", self.tag, ">\n"]);
    }
}
