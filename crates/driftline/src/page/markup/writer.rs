//! From a tree to markup: one walk, marks put in on the way.

use std::ops::Range;

use super::text::{attribute, escape, in_raw};
use super::{Attributes, MarkedWords, Marking, Markup, Rules, Sheet};
use crate::page::is_style_sheet;
use crate::page::node::NodeId;
use crate::page::read::{Parts, TextPlace};
use crate::page::tags::is_void;
use crate::page::tree::{Content, NameId, Span, Tree, TreeId};

/// How the attributes of marks begin; a page's own that do are not written.
const OUR_ATTRIBUTE: &str = "data-driftline";
/// How ids of marks begin.
const OUR_ID: &str = "driftline-";

/// How the text of an element is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Escaped, marked words in elements of their own.
    Marked,
    /// Escaped, without marks.
    Plain,
    /// As it is.
    Raw,
    /// A style sheet of a page: as it is.
    Rules,
    /// A style sheet of a drawing: escaped.
    DrawnRules,
    /// Not at all, and nothing below the element either.
    Nothing,
}

/// An element whose end was not reached yet.
#[derive(Debug, Clone, Copy)]
struct Open {
    inside: Inside,
    has_end: bool,
}

/// Where a run of marked words stands in a text node, and which run it is.
type MarkedPlace = (Range<usize>, usize);

pub(super) struct Writer<'a> {
    tree: &'a Tree,
    foreign: Vec<TreeId>,
    marking: &'a Marking,
    most: usize,
    numbers: Vec<Option<NodeId>>,
    /// The marks of text nodes, in the order of their numbers.
    places: Vec<(TreeId, Vec<MarkedPlace>)>,
    markup: Markup,
}

impl<'a> Writer<'a> {
    pub(super) fn new(tree: &'a Tree, foreign: Vec<TreeId>, marking: &'a Marking, most: usize) -> Self {
        let markup = Markup::default();
        Self { tree, foreign, marking, most, numbers: vec![None; tree.len()], places: Vec::new(), markup }
    }

    /// Takes the numbers of elements.
    pub(super) fn number(&mut self, elements: &[TreeId]) {
        for (number, element) in elements.iter().enumerate() {
            self.numbers[element.index()] = Some(NodeId(number as u32));
        }
    }

    /// Finds where the marked words stand.
    pub(super) fn place(&mut self, parts: &Parts, texts: &[TextPlace]) {
        let runs = &self.marking.words;
        for (index, text) in texts.iter().enumerate() {
            let first = runs.partition_point(|run| run.words.end <= text.words.start);
            let last = runs.partition_point(|run| run.words.start < text.words.end);
            let Content::Text(span) = self.tree.content(text.node) else { continue };
            if first >= last {
                continue;
            }
            let end = texts.get(index + 1).map_or(parts.text.len(), |next| next.start as usize);
            let start = text.start as usize;
            let raw = self.tree.text_of(text.node, span);
            let spans = (first..last).map(|run| {
                let words = &runs[run].words;
                let from = parts.words[words.start.max(text.words.start) as usize].start as usize;
                let to = parts.words[words.end.min(text.words.end) as usize - 1].end as usize;
                from.max(start) - start..to.max(start) - start
            });
            let collapsed = parts.text.get(start..end.max(start)).unwrap_or_default();
            let found = in_raw(&raw, collapsed, spans).into_iter().zip(first..last).collect();
            self.places.push((text.node, found));
        }
        self.places.sort_unstable_by_key(|(node, _)| *node);
    }

    /// Writes the page.
    pub(super) fn write(mut self) -> Markup {
        let mut next = self.tree.first_child(TreeId::DOCUMENT);
        while let Some(node) = next {
            match self.named(node) {
                Some("html") => self.markup.html = self.attributes(node),
                Some("head") => self.head(node),
                Some("body") => {
                    self.markup.body = self.attributes(node);
                    self.inside(node);
                }
                Some("frameset") => self.subtree(node),
                _ => {}
            }
            let inner = self.tree.first_child(node).filter(|_| self.named(node) == Some("html"));
            next = inner.or_else(|| self.tree.next(node));
        }
        self.markup
    }

    fn named(&self, node: TreeId) -> Option<&'a str> {
        match self.tree.content(node) {
            Content::Element { name, .. } => Some(self.tree.names.get(name)),
            _ => None,
        }
    }

    /// The attributes of an element, marks first.
    fn attributes(&self, node: TreeId) -> Attributes {
        let Content::Element { attributes, .. } = self.tree.content(node) else { return Attributes::new() };
        let own = own(self.tree, attributes).map(|(name, value)| (name.to_owned(), value.to_owned()));
        self.marks_of(node).iter().cloned().chain(own).collect()
    }

    fn marks_of(&self, node: TreeId) -> &'a [(String, String)] {
        let number = self.numbers[node.index()];
        number.and_then(|number| self.marking.elements.get(&number)).map_or(&[], Vec::as_slice)
    }

    /// Collects the style sheets of the head; those for browsers without scripts, too.
    fn head(&mut self, head: TreeId) {
        let mut next = self.tree.first_child(head);
        while let Some(node) = next {
            if self.named(node) == Some("noscript") {
                self.head(node);
            }
            let attributes = self.attributes(node);
            let value = |name: &str| attributes.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value);
            let rules = match self.named(node) {
                Some("style") => Some(Rules::Own(rules(self.marking, &self.text_in(node)))),
                Some("link") if is_style_sheet(value("rel")) => Some(Rules::Linked(value("href").trim().to_owned())),
                _ => None,
            };
            let media = value("media").to_owned();
            self.markup.sheets.extend(rules.map(|rules| Sheet { media, rules }));
            next = self.tree.next(node);
        }
    }

    fn text_in(&self, element: TreeId) -> String {
        let mut text = String::new();
        let mut next = self.tree.first_child(element);
        while let Some(node) = next {
            if let Content::Text(span) = self.tree.content(node) {
                text.push_str(&self.tree.text_of(node, span));
            }
            next = self.tree.next(node);
        }
        text
    }

    fn inside(&mut self, element: TreeId) {
        let mut next = self.tree.first_child(element);
        while let Some(node) = next {
            self.subtree(node);
            next = self.tree.next(node);
        }
    }

    /// Writes a node and all below it, without recursion.
    fn subtree(&mut self, top: TreeId) {
        let mut open: Vec<(TreeId, Open)> = Vec::new();
        let mut at = top;
        loop {
            let around = open.last().map_or(Inside::Marked, |(_, open)| open.inside);
            let entered = self.enter(at, around);
            if let (Some(inner), Some(child)) = (entered, self.tree.first_child(at)) {
                open.push((at, inner));
                at = child;
                continue;
            }
            if let Some(inner) = entered {
                self.leave(at, inner);
            }
            loop {
                if at == top {
                    return;
                }
                if let Some(next) = self.tree.next(at) {
                    at = next;
                    break;
                }
                let Some((parent, inner)) = open.pop() else { return };
                self.leave(parent, inner);
                at = parent;
            }
        }
    }

    /// Writes text, or a start tag; what is known of the element if it is one.
    fn enter(&mut self, node: TreeId, around: Inside) -> Option<Open> {
        match self.tree.content(node) {
            Content::Element { name, attributes } => Some(self.start(node, name, attributes, around)),
            Content::Text(span) if around != Inside::Nothing => {
                self.text(node, span, around);
                None
            }
            _ => None,
        }
    }

    fn start(&mut self, node: TreeId, name: NameId, attributes: Span, around: Inside) -> Open {
        let is_foreign = self.foreign.binary_search(&node).is_ok();
        let own = self.tree.names.get(name);
        let name = if is_foreign { own } else { self.written_name(own) };
        self.markup.is_cut |= self.markup.content.len() > self.most;
        if around == Inside::Nothing || self.markup.is_cut || !is_tag_name(name) {
            return Open { inside: Inside::Nothing, has_end: false };
        }
        let is_void = !is_foreign && (is_void(name) || name == "frame");
        let marks = self.marks_of(node);
        let out = &mut self.markup.content;
        out.push('<');
        out.push_str(name);
        marks.iter().for_each(|(name, value)| attribute(out, name, value));
        if name != own {
            attribute(out, "data-driftline-was", own);
        }
        self::own(self.tree, attributes).for_each(|(name, value)| attribute(out, name, value));
        out.push('>');
        if !is_foreign && matches!(name, "pre" | "listing" | "textarea") && self.text_in(node).starts_with('\n') {
            self.markup.content.push('\n');
        }
        let inside = match around {
            _ if is_void => Inside::Nothing,
            _ if is_foreign => {
                if name == "style" {
                    Inside::DrawnRules
                } else {
                    Inside::Plain
                }
            }
            around => inside(name, around),
        };
        Open { inside, has_end: !is_void }
    }

    fn written_name<'b>(&self, own: &'b str) -> &'b str {
        let renamed = self.marking.renamed.iter().find(|(from, _)| *from == own);
        renamed.map_or(own, |(_, to)| to)
    }

    fn leave(&mut self, node: TreeId, open: Open) {
        if !open.has_end {
            return;
        }
        let is_foreign = self.foreign.binary_search(&node).is_ok();
        let own = self.named(node).unwrap_or_default();
        let name = if is_foreign { own } else { self.written_name(own) };
        let out = &mut self.markup.content;
        out.push_str("</");
        out.push_str(name);
        out.push('>');
    }

    fn text(&mut self, node: TreeId, span: Span, around: Inside) {
        let text = self.tree.text_of(node, span);
        self.markup.is_cut |= self.markup.content.len() + text.len() > self.most;
        if self.markup.is_cut {
            return;
        }
        let out = &mut self.markup.content;
        match around {
            Inside::Raw => out.push_str(&text),
            Inside::Rules => out.push_str(&rules(self.marking, &text)),
            Inside::DrawnRules => escape(out, &rules(self.marking, &text)),
            _ => self.words(node, &text, around),
        }
    }

    /// Writes escaped text with its marks.
    fn words(&mut self, node: TreeId, text: &str, around: Inside) {
        let out = &mut self.markup.content;
        let found = self.places.binary_search_by_key(&node, |(node, _)| *node);
        let marks = found.ok().filter(|_| around == Inside::Marked).map_or(&[][..], |found| &self.places[found].1);
        let mut written = 0;
        for (range, run) in marks {
            // A mark whose place was lost on the way from the page's text is left out, not its words.
            let (Some(before), Some(marked)) = (text.get(written..range.start), text.get(range.clone())) else {
                continue;
            };
            escape(out, before);
            mark(out, &self.marking.words[*run], marked);
            written = range.end;
        }
        escape(out, &text[written..]);
    }
}

/// The attributes that the page gave an element, without those that would pass for marks.
fn own(tree: &Tree, attributes: Span) -> impl Iterator<Item = (&str, &str)> {
    let own = tree.attributes(attributes).iter();
    let own = own.map(|own| (tree.names.get(own.name), own.value.of(&tree.values)));
    own.filter(|(name, value)| match *name {
        "id" | "name" => !value.starts_with(OUR_ID),
        name => !name.starts_with(OUR_ATTRIBUTE),
    })
}

fn rules(marking: &Marking, rules: &str) -> String {
    marking.rules.map_or_else(|| rules.to_owned(), |change| change(rules))
}

fn mark(out: &mut String, run: &MarkedWords, text: &str) {
    out.push('<');
    out.push_str(run.tag);
    run.attributes.iter().for_each(|(name, value)| attribute(out, name, value));
    out.push('>');
    escape(out, text);
    out.push_str("</");
    out.push_str(run.tag);
    out.push('>');
}

/// A broken tag may leave a name that would not be read as one again.
fn is_tag_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !name.contains(|char: char| char.is_ascii_whitespace() || matches!(char, '/' | '>' | '\0'))
}

/// How an element of HTML holds text, in one that holds it as `around`.
fn inside(name: &str, around: Inside) -> Inside {
    match name {
        "style" => Inside::Rules,
        "script" | "xmp" | "iframe" | "noembed" | "noframes" | "plaintext" => Inside::Raw,
        "textarea" | "title" | "select" | "option" | "optgroup" => Inside::Plain,
        _ if around == Inside::Marked => Inside::Marked,
        _ => Inside::Plain,
    }
}
