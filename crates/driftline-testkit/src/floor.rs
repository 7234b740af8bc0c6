//! What does parsing cost at the very least? html5ever building nothing: it is answered what it asks
//! of a tree, and no text and no attributes are kept.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, parse_document};

/// Parses without building a page; the number of elements that the parser made.
#[must_use]
pub fn parse_only(bytes: &[u8]) -> usize {
    parse(bytes).len()
}

/// The tags of all elements, in the order in which the parser made them.
#[must_use]
pub fn tags_only(bytes: &[u8]) -> Vec<LocalName> {
    parse(bytes).iter().map(|name| name.local.clone()).collect()
}

fn parse(bytes: &[u8]) -> Vec<Rc<QualName>> {
    let mut options = ParseOpts::default();
    options.tree_builder.scripting_enabled = false;
    parse_document(Nothing::default(), options).one(&*String::from_utf8_lossy(bytes))
}

/// A tree sink that keeps nothing but names, which the parser asks for.
#[derive(Default)]
struct Nothing {
    names: RefCell<Vec<Rc<QualName>>>,
}

#[derive(Debug)]
struct Name(Rc<QualName>);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }
    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Nothing {
    type Handle = usize;
    type Output = Vec<Rc<QualName>>;
    type ElemName<'a> = Name;

    fn finish(self) -> Vec<Rc<QualName>> {
        self.names.into_inner()
    }
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn get_document(&self) -> usize {
        usize::MAX
    }
    fn elem_name<'a>(&'a self, &target: &'a usize) -> Name {
        Name(self.names.borrow()[target].clone())
    }
    fn create_element(&self, name: QualName, _: Vec<Attribute>, _: ElementFlags) -> usize {
        let mut names = self.names.borrow_mut();
        names.push(name.into());
        names.len() - 1
    }
    fn create_comment(&self, _: StrTendril) -> usize {
        usize::MAX
    }
    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        usize::MAX
    }
    fn append(&self, _: &usize, _: NodeOrText<usize>) {}
    fn append_based_on_parent_node(&self, _: &usize, _: &usize, _: NodeOrText<usize>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn get_template_contents(&self, &target: &usize) -> usize {
        target
    }
    fn same_node(&self, one: &usize, other: &usize) -> bool {
        one == other
    }
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, _: &usize, _: NodeOrText<usize>) {}
    fn add_attrs_if_missing(&self, _: &usize, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &usize) {}
    fn reparent_children(&self, _: &usize, _: &usize) {}
}
