//! From the parser's tree to a page: one walk in document order.
//!
//! It writes the text as a person would read it (white space collapsed, one line a block), splits
//! it into words text node by text node, and numbers the elements. Only the body counts, and not
//! its scripts, styles and templates.

use super::node::{Node, NodeId, WordRange};
use super::normalise::{Forms, Normalisers};
use super::tree::{Content, NameId, Names, Span, Tree, TreeId};
use super::walk::{Walk, walk};
use super::words::Splitter;
use super::zone::{Keep, Marks};
use crate::limit::Limit;

/// What a page consists of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    pub(crate) text: String,
    pub(crate) words: Vec<Span>,
    pub(crate) forms: Option<Forms>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) attributes: Vec<(NameId, Span)>,
    pub(crate) values: String,
    pub(crate) names: Names,
    pub(crate) title: String,
    pub(crate) limits: Vec<Limit>,
    /// The steps of parsing, and of matching selectors.
    pub(crate) steps: u64,
}

/// Is the tree a web page or some other XML?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    /// Only the body counts, and the names of elements mean what HTML says.
    Html,
    /// All text counts, and every element is a block.
    Xml,
}

/// How an element shapes the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Inline,
    Block,
    Cell,
    Preformatted,
    /// Its text is not part of the page.
    Silent,
    Body,
}

impl Flow {
    fn of(name: &str) -> Self {
        match name {
            "body" => Self::Body,
            "script" | "style" | "template" => Self::Silent,
            "pre" | "textarea" | "listing" | "xmp" | "plaintext" => Self::Preformatted,
            "td" | "th" => Self::Cell,
            "address" | "article" | "aside" | "blockquote" | "br" | "caption" | "center" | "dd" | "details"
            | "dialog" | "dir" | "div" | "dl" | "dt" | "fieldset" | "figcaption" | "figure" | "footer" | "form"
            | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup" | "hr" | "legend" | "li" | "main"
            | "menu" | "nav" | "ol" | "optgroup" | "option" | "p" | "search" | "section" | "summary" | "table"
            | "tbody" | "tfoot" | "thead" | "tr" | "ul" => Self::Block,
            _ => Self::Inline,
        }
    }
}

/// Is an HTML element of this name a block? An element of one's own making (`x-card`) is.
pub(crate) fn is_block(name: &str) -> bool {
    match name {
        "br" => false,
        "html" | "head" | "frameset" => true,
        _ => name.contains('-') || !matches!(Flow::of(name), Flow::Inline | Flow::Silent),
    }
}

/// Reads a tree.
pub(crate) fn read(
    tree: Tree,
    vocabulary: Vocabulary,
    marks: Option<&Marks>,
    splitter: &Splitter,
    normalisers: Normalisers,
) -> Parts {
    let mut reader = Reader::new(&tree, vocabulary, marks, splitter, normalisers);
    walk(&tree, &mut reader);
    let parts = reader.parts;
    let title = title(&tree);
    let attributes = tree.all_attributes().iter().map(|attribute| (attribute.name, attribute.value)).collect();
    let steps = tree.steps + marks.map_or(0, Marks::steps);
    Parts { title, attributes, values: tree.values, names: tree.names, limits: tree.limits, steps, ..parts }
}

/// Which node of the tree became what on the page.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// The elements, by number.
    pub(crate) elements: Vec<TreeId>,
    /// The text nodes that count, in document order.
    pub(crate) texts: Vec<TextPlace>,
}

/// Where the text of a text node went.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextPlace {
    pub(crate) node: TreeId,
    /// Its first byte in the page's text.
    pub(crate) start: u32,
    /// Its words.
    pub(crate) words: WordRange,
}

/// Reads a web page's tree and tells where everything went.
pub(crate) fn trace(
    tree: &Tree,
    marks: Option<&Marks>,
    splitter: &Splitter,
    normalisers: Normalisers,
) -> (Parts, Trail) {
    let mut reader = Reader::new(tree, Vocabulary::Html, marks, splitter, normalisers);
    reader.trail = Some(Trail::default());
    walk(tree, &mut reader);
    (reader.parts, reader.trail.unwrap_or_default())
}

/// The elements of a tree without their words, and the nodes that they come from.
pub(crate) fn elements(
    tree: &Tree,
    vocabulary: Vocabulary,
    marks: Option<&Marks>,
    splitter: &Splitter,
) -> (Vec<Node>, Vec<TreeId>) {
    let mut reader = Reader::new(tree, vocabulary, marks, splitter, Normalisers::default());
    reader.flows.fill(Flow::Silent);
    reader.speaking = false;
    reader.trail = Some(Trail::default());
    walk(tree, &mut reader);
    (reader.parts.nodes, reader.trail.unwrap_or_default().elements)
}

/// The text of the first `title`, whatever the zone.
fn title(tree: &Tree) -> String {
    let mut title = String::new();
    let named = tree.names.find("title").and_then(|name| tree.first_named(name));
    let mut child = named.and_then(|element| tree.first_child(element));
    while let Some(id) = child {
        if let Content::Text(span) = tree.content(id) {
            push_collapsed(&mut title, &tree.text_of(id, span));
        }
        child = tree.next(id);
    }
    title.truncate(title.trim_end().len());
    title
}

/// An element whose end was not reached yet.
#[derive(Debug, Clone, Copy)]
struct Open {
    node: NodeId,
    flow: Flow,
    /// Did text count before it?
    was_speaking: bool,
    preformatted: bool,
}

struct Reader<'a> {
    tree: &'a Tree,
    flows: Vec<Flow>,
    marks: Option<&'a Marks>,
    splitter: &'a Splitter,
    normalisers: Normalisers,
    open: Vec<Open>,
    /// Does text count here?
    speaking: bool,
    parts: Parts,
    trail: Option<Trail>,
}

impl<'a> Reader<'a> {
    fn new(
        tree: &'a Tree,
        vocabulary: Vocabulary,
        marks: Option<&'a Marks>,
        splitter: &'a Splitter,
        normalisers: Normalisers,
    ) -> Self {
        let flows = (0..tree.names.len() as u32).map(|name| match vocabulary {
            Vocabulary::Html => Flow::of(tree.names.get(NameId(name))),
            Vocabulary::Xml => Flow::Block,
        });
        Self {
            flows: flows.collect(),
            marks,
            splitter,
            normalisers,
            open: Vec::new(),
            speaking: vocabulary == Vocabulary::Xml,
            parts: Parts {
                text: String::with_capacity(tree.text.len()),
                words: Vec::with_capacity(tree.text.len() / 6),
                nodes: Vec::with_capacity(tree.len()),
                forms: (!normalisers.is_empty()).then(Forms::default),
                ..Parts::default()
            },
            trail: None,
            tree,
        }
    }

    fn begin(&mut self, name: NameId, attributes: Span, in_zone: bool) {
        let flow = self.flows[name.0 as usize];
        let (parent, preformatted) = match self.open.last() {
            Some(open) => (Some(open.node), open.preformatted),
            None => (None, false),
        };
        let was_speaking = self.speaking;
        match flow {
            Flow::Body => self.speaking = true,
            Flow::Silent => self.speaking = false,
            Flow::Block | Flow::Preformatted => self.break_line(),
            Flow::Cell => self.separate_cell(),
            Flow::Inline => {}
        }
        let node = NodeId(self.parts.nodes.len() as u32);
        let (word, byte) = (self.parts.words.len() as u32, self.parts.text.len() as u32);
        self.parts.nodes.push(Node {
            name,
            parent,
            last: node,
            level: self.open.len() as u32 + 1,
            words: WordRange { start: word, end: word },
            text: Span { start: byte, end: byte },
            in_zone,
            attributes,
        });
        let preformatted = preformatted || flow == Flow::Preformatted;
        self.open.push(Open { node, flow, was_speaking, preformatted });
    }

    fn text(&mut self, id: TreeId, span: Span) {
        if !self.speaking {
            return;
        }
        let text = self.tree.text_of(id, span);
        let start = self.parts.text.len();
        if self.open.last().is_some_and(|open| open.preformatted) {
            self.parts.text.push_str(&text);
        } else {
            push_collapsed(&mut self.parts.text, &text);
        }
        let first = self.parts.words.len();
        self.splitter.split(&self.parts.text, start, &mut self.parts.words);
        if let Some(forms) = &mut self.parts.forms {
            forms.extend(self.normalisers, &self.parts.text, &mut self.parts.words, first);
        }
        if let Some(trail) = &mut self.trail {
            let words = WordRange { start: first as u32, end: self.parts.words.len() as u32 };
            trail.texts.push(TextPlace { node: id, start: start as u32, words });
        }
    }

    fn break_line(&mut self) {
        let text = &mut self.parts.text;
        if text.ends_with(' ') {
            // Elements that ended behind the blank end behind the line break: nothing gets shorter.
            text.pop();
            text.push('\n');
        } else if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
    }

    fn separate_cell(&mut self) {
        let text = &mut self.parts.text;
        if !text.is_empty() && !text.ends_with([' ', '\n', '\t']) {
            text.push('\t');
        }
    }
}

impl Walk for Reader<'_> {
    fn enter(&mut self, id: TreeId) -> bool {
        let keep = self.marks.map_or(Keep::Keep, |marks| marks.get(id));
        match self.tree.content(id) {
            Content::Element { name, attributes } if keep != Keep::Drop => {
                self.begin(name, attributes, keep == Keep::Keep);
                if let Some(trail) = &mut self.trail {
                    trail.elements.push(id);
                }
                true
            }
            Content::Text(span) if keep == Keep::Keep => {
                self.text(id, span);
                false
            }
            _ => false,
        }
    }

    fn leave(&mut self, _id: TreeId) {
        let Some(open) = self.open.pop() else {
            return;
        };
        self.speaking = open.was_speaking;
        let last = NodeId(self.parts.nodes.len() as u32 - 1);
        let node = &mut self.parts.nodes[open.node.index()];
        node.last = last;
        node.words.end = self.parts.words.len() as u32;
        node.text.end = self.parts.text.len() as u32;
        if matches!(open.flow, Flow::Block | Flow::Preformatted) {
            self.break_line();
        }
    }
}

/// Adds `text` with every run of white space as one blank, none after white space.
fn push_collapsed(buffer: &mut String, text: &str) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let run = at + bytes[at..].iter().position(|byte| !is_blank(*byte)).unwrap_or(bytes.len() - at);
        if run > at && !buffer.is_empty() && !buffer.ends_with([' ', '\n', '\t']) {
            buffer.push(' ');
        }
        at = end_of_run(bytes, run);
        buffer.push_str(&text[run..at]);
    }
}

/// Where white space other than one blank between two words begins.
fn end_of_run(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes[at..].iter().position(|byte| is_blank(*byte)) {
            Some(word) => at += word,
            None => return bytes.len(),
        }
        let is_plain = bytes[at] == b' ' && bytes.get(at + 1).is_some_and(|next| !is_blank(*next));
        if !is_plain {
            return at;
        }
        at += 1;
    }
}

/// White space as HTML has it.
fn is_blank(byte: u8) -> bool {
    byte <= b' ' && byte.is_ascii_whitespace()
}

/// Reads plain text: no elements, every line as it is.
pub(crate) fn plain(text: String, splitter: &Splitter, normalisers: Normalisers) -> Parts {
    let mut parts = Parts { text, ..Parts::default() };
    splitter.split(&parts.text, 0, &mut parts.words);
    if !normalisers.is_empty() {
        let mut forms = Forms::default();
        forms.extend(normalisers, &parts.text, &mut parts.words, 0);
        parts.forms = Some(forms);
    }
    parts
}
