//! How do we stop a parser that cannot be stopped? By not telling it everything.
//!
//! Tags that would nest too deep are withheld from the tree builder, together with their end tags,
//! and a blank takes their place, so that words do not run together; once the page has too many
//! nodes, everything but the end of the file is withheld.

use std::cell::Cell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer as html;
use html5ever::tree_builder::TreeBuilder;
use html5ever::{LocalName, local_name};
use xml5ever::tokenizer as xml;
use xml5ever::tree_builder::XmlTreeBuilder;

use super::{Handle, Sink};
use crate::page::limits::{Limit, Limits};

/// A tree builder that is told no more than the limits allow.
pub(super) struct Guard<Builder> {
    builder: Builder,
    limits: Limits,
    /// Start tags withheld whose end tags are still to come.
    withheld: Cell<usize>,
}

impl<Builder> Guard<Builder> {
    pub(super) fn new(builder: Builder, limits: &Limits) -> Self {
        Self { builder, limits: *limits, withheld: Cell::new(0) }
    }

    pub(super) fn into_inner(self) -> Builder {
        self.builder
    }

    /// Is the page too large to tell the builder any more?
    fn is_full(&self, sink: &Sink) -> bool {
        let full = sink.names.borrow().len() > self.limits.nodes;
        if full {
            sink.tree.borrow_mut().cut_by(Limit::Nodes);
        }
        full
    }

    /// Must this start tag be withheld because it would nest too deep?
    fn withholds_start(&self, sink: &Sink) -> bool {
        let too_deep = self.withheld.get() > 0 || sink.depth.get() >= self.limits.depth;
        if too_deep {
            self.withheld.set(self.withheld.get() + 1);
            sink.tree.borrow_mut().cut_by(Limit::Depth);
        }
        too_deep
    }

    /// Is this the end tag of a start tag that was withheld?
    fn withholds_end(&self) -> bool {
        let withheld = self.withheld.get();
        self.withheld.set(withheld.saturating_sub(1));
        withheld > 0
    }
}

/// Elements of HTML that have no children, or whose start switches the tokenizer: they never nest.
fn is_leaf(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("area")
            | local_name!("base")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("hr")
            | local_name!("iframe")
            | local_name!("img")
            | local_name!("input")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("noembed")
            | local_name!("noframes")
            | local_name!("plaintext")
            | local_name!("script")
            | local_name!("source")
            | local_name!("style")
            | local_name!("textarea")
            | local_name!("title")
            | local_name!("track")
            | local_name!("wbr")
            | local_name!("xmp")
    )
}

impl Guard<TreeBuilder<Handle, Sink>> {
    /// Can this tag open nothing to nest in? In SVG and `MathML` any element nests unless it is closed at once.
    fn is_leaf_here(&self, tag: &html::Tag) -> bool {
        if html::TokenSink::adjusted_current_node_present_but_not_in_html_namespace(&self.builder) {
            tag.self_closing
        } else {
            is_leaf(&tag.name)
        }
    }
}

impl html::TokenSink for Guard<TreeBuilder<Handle, Sink>> {
    type Handle = Handle;

    fn process_token(&self, token: html::Token, line: u64) -> html::TokenSinkResult<Handle> {
        let sink = &self.builder.sink;
        let is_withheld_tag = match &token {
            html::Token::EOFToken => false,
            _ if self.is_full(sink) => return html::TokenSinkResult::Continue,
            html::Token::TagToken(tag) if self.is_leaf_here(tag) => false,
            html::Token::TagToken(tag) if tag.kind == html::TagKind::StartTag => self.withholds_start(sink),
            html::Token::TagToken(_) => self.withholds_end(),
            _ => false,
        };
        let token = if is_withheld_tag { html::Token::CharacterTokens(StrTendril::from_slice(" ")) } else { token };
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        html::TokenSink::end(&self.builder);
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

impl xml::TokenSink for Guard<XmlTreeBuilder<Handle, Sink>> {
    type Handle = Handle;

    fn process_token(&self, token: xml::Token) -> xml::ProcessResult<Handle> {
        let sink = &self.builder.sink;
        let is_withheld_tag = match &token {
            xml::Token::EndOfFile => false,
            _ if self.is_full(sink) => return xml::ProcessResult::Continue,
            xml::Token::Tag(tag) => match tag.kind {
                xml::TagKind::StartTag => self.withholds_start(sink),
                xml::TagKind::EndTag | xml::TagKind::ShortTag => self.withholds_end(),
                xml::TagKind::EmptyTag => false,
            },
            _ => false,
        };
        let token = if is_withheld_tag { xml::Token::Characters(StrTendril::from_slice(" ")) } else { token };
        self.builder.process_token(token)
    }

    fn end(&self) {
        xml::TokenSink::end(&self.builder);
    }
}
