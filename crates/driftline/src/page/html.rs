//! Bytes that became text, to a [`Tree`]: the only file that knows html5ever and xml5ever.
//!
//! Both parsers call a "tree sink"; ours writes straight into the flat tree. Between tokenizer and
//! tree builder stands a [`Guard`] that keeps the limits: the tree builder walks its open elements
//! for every tag, so 100,000 nested `div`s would cost 5,000,000,000 steps without it.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};

use super::limits::Limits;
use super::tree::{Content, Tree, TreeId};
use crate::limit::Limit;

mod attributes;
mod feed;
mod guard;
mod pieces;

use guard::Guard;

/// Parses any text as HTML5, scripting off.
pub(crate) fn parse(text: &str, limits: &Limits) -> Tree {
    parse_into(Sink::new(text.len()), text, limits).0
}

/// The same elements, without any text.
#[cfg_attr(not(feature = "redesign"), expect(dead_code, reason = "only templates are read without text"))]
pub(crate) fn parse_elements(text: &str, limits: &Limits) -> Tree {
    parse_into(Sink { keeps: Keeps::Elements, ..Sink::new(text.len()) }, text, limits).0
}

/// What a page looks like depends on more than analysis reads.
#[derive(Debug, Default)]
pub(crate) struct Look {
    /// The elements of drawings and formulas (SVG, `MathML`), in the order of their numbers.
    pub(crate) foreign: Vec<TreeId>,
    /// Is it shown as browsers did before there were standards?
    pub(crate) quirks: bool,
}

/// The same tree of elements, with the text of its style sheets.
pub(crate) fn parse_look(text: &str, limits: &Limits) -> (Tree, Look) {
    parse_into(Sink { keeps: Keeps::TextAndStyles, ..Sink::new(text.len()) }, text, limits)
}

fn parse_into(sink: Sink, text: &str, limits: &Limits) -> (Tree, Look) {
    use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
    use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};

    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let bounded = attributes::bounded(text);
    let builder = TreeBuilder::new(sink, options);
    let tokenizer = Tokenizer::new(Guard::new(builder, limits), TokenizerOpts::default());
    feed::html(&tokenizer, &bounded);
    tokenizer.end();
    let guard = tokenizer.sink;
    let steps = guard.steps();
    let sink = guard.into_inner().sink;
    let look = sink.look.take();
    (finish(sink, matches!(bounded, Cow::Owned(_)), steps), look)
}

/// Parses any text as XML; what is not well formed is read as far as it makes sense.
pub(crate) fn parse_xml(text: &str, limits: &Limits) -> Tree {
    parse_xml_into(Sink::new(text.len()), text, limits)
}

/// The same elements, without any text.
#[cfg_attr(not(feature = "redesign"), expect(dead_code, reason = "only templates are read without text"))]
pub(crate) fn parse_xml_elements(text: &str, limits: &Limits) -> Tree {
    parse_xml_into(Sink { keeps: Keeps::Elements, ..Sink::new(text.len()) }, text, limits)
}

fn parse_xml_into(sink: Sink, text: &str, limits: &Limits) -> Tree {
    use xml5ever::tokenizer::{XmlTokenizer, XmlTokenizerOpts};
    use xml5ever::tree_builder::XmlTreeBuilder;

    let bounded = attributes::bounded(text);
    let builder = XmlTreeBuilder::new(sink, xml5ever::tree_builder::XmlTreeBuilderOpts::default());
    let tokenizer = XmlTokenizer::new(Guard::new(builder, limits), XmlTokenizerOpts::default());
    feed::xml(&tokenizer, &bounded);
    tokenizer.end();
    let guard = tokenizer.sink;
    let steps = guard.steps();
    finish(guard.into_inner().sink, matches!(bounded, Cow::Owned(_)), steps)
}

fn finish(sink: Sink, is_cut: bool, steps: u64) -> Tree {
    let mut tree = sink.finish();
    tree.steps = steps;
    tree.finish();
    if is_cut {
        tree.cut_by(Limit::Attributes);
    }
    tree
}

/// A node as the parsers hold it: where it stands in the tree, and which of the parser's names it has.
#[derive(Debug, Clone, Copy)]
struct Handle {
    node: TreeId,
    name: u32,
    /// `annotation-xml` that holds HTML (the specification's "HTML integration point").
    holds_html: bool,
}

/// What of a document goes into the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keeps {
    /// Elements and their attributes.
    Elements,
    /// Text too, but not that of scripts and style sheets, which nobody reads.
    Text,
    /// The text of style sheets too.
    TextAndStyles,
}

/// Writes what a tree builder does into a [`Tree`].
struct Sink {
    tree: RefCell<Tree>,
    /// The parser's own names, one an element: it asks for them all the time.
    names: RefCell<Vec<QualName>>,
    /// How deep the node stands that the parser last wrote to.
    depth: Cell<usize>,
    /// The element that text was appended to since the guard cleared this.
    written: Cell<Option<Handle>>,
    keeps: Keeps,
    look: RefCell<Look>,
}

impl Sink {
    fn new(bytes: usize) -> Self {
        let document = QualName::new(None, Namespace::from(""), LocalName::from(""));
        Self {
            tree: RefCell::new(Tree::with_capacity(bytes)),
            names: RefCell::new(vec![document]),
            depth: Cell::new(0),
            written: Cell::new(None),
            keeps: Keeps::Text,
            look: RefCell::default(),
        }
    }

    /// Is the text of this element left out? Half the bytes of many pages are scripts and styles.
    fn drops_text(&self, element: &Handle) -> bool {
        let name = &self.names.borrow()[element.name as usize];
        let is_dropped = match name.local {
            _ if self.keeps == Keeps::Elements => return true,
            local_name!("script") => true,
            local_name!("style") => self.keeps != Keeps::TextAndStyles,
            _ => false,
        };
        is_dropped && name.ns == ns!(html)
    }

    fn nothing(&self) -> Handle {
        let node = self.tree.borrow_mut().create(Content::Nothing);
        Handle { node, name: 0, holds_html: false }
    }
}

fn pairs(attributes: &[Attribute]) -> impl Iterator<Item = (&str, &str)> {
    attributes.iter().map(|attribute| (&*attribute.name.local, &*attribute.value))
}

/// A borrowed name of the parser's.
#[derive(Debug)]
struct NameRef<'a>(Ref<'a, QualName>);

impl ElemName for NameRef<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Tree;
    type ElemName<'a> = NameRef<'a>;

    fn finish(self) -> Tree {
        self.tree.into_inner()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { node: TreeId::DOCUMENT, name: 0, holds_html: false }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> NameRef<'a> {
        NameRef(Ref::map(self.names.borrow(), |names| &names[target.name as usize]))
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let mut tree = self.tree.borrow_mut();
        let node = tree.create_element(&name.local, pairs(&attributes));
        if flags.template {
            tree.create(Content::Fragment);
        }
        if name.ns != ns!(html) {
            self.look.borrow_mut().foreign.push(node);
        }
        let mut names = self.names.borrow_mut();
        names.push(name);
        Handle { node, name: names.len() as u32 - 1, holds_html: flags.mathml_annotation_xml_integration_point }
    }

    fn create_comment(&self, _text: StrTendril) -> Handle {
        self.nothing()
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Handle {
        self.nothing()
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => {
                tree.append(parent.node, child.node);
                self.depth.set(tree.depth(child.node));
            }
            NodeOrText::AppendText(text) => {
                self.written.set(Some(*parent));
                if !self.drops_text(parent) {
                    tree.append_text(parent.node, &text);
                }
                self.depth.set(tree.depth(parent.node));
            }
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.tree.borrow().parent(element.node).is_some();
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn pop(&self, node: &Handle) {
        self.depth.set(self.tree.borrow().depth(node.node).saturating_sub(1));
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        // `create_element` makes the fragment right behind its template.
        Handle { node: target.node.following(), name: 0, holds_html: false }
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.node == other.node
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.look.borrow_mut().quirks = mode == QuirksMode::Quirks;
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => tree.insert_before(sibling.node, child.node),
            NodeOrText::AppendText(_) if self.keeps == Keeps::Elements => {}
            NodeOrText::AppendText(text) => tree.insert_text_before(sibling.node, &text),
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        self.tree.borrow_mut().add_missing_attributes(target.node, pairs(&attributes));
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.borrow_mut().detach(target.node);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.tree.borrow_mut().reparent_children(node.node, new_parent.node);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        handle.holds_html
    }
}
