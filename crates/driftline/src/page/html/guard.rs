//! How do we stop a parser that cannot be stopped? By not telling it everything.
//!
//! Tags that would nest too deep are withheld from the tree builder, together with their end tags,
//! and a blank takes their place, so that words do not run together; once the page has too many
//! nodes, or cost too many steps, everything but the end of the file is withheld.

use std::cell::Cell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer as html;
use html5ever::tree_builder::TreeBuilder;
use html5ever::{LocalName, local_name};
use xml5ever::tokenizer as xml;
use xml5ever::tree_builder::XmlTreeBuilder;

use super::{Handle, Sink};
use crate::limit::Limit;
use crate::page::limits::Limits;

/// The most steps that parsing a page may cost: tags, pieces of text and errors, more for what costs the parser more.
/// 3 MB of `<` take as many; the longest standards of the web have 2,000,000.
pub(in crate::page) const MOST_STEPS: u64 = 1 << 24;
/// An error is a message that the tokenizer writes.
const STEPS_OF_ERROR: u64 = 4;
/// A tag may walk all open elements, which ordinary pages have 20 of, and each of its attributes is compared with all
/// before it.
const SQUARED_LEVELS_A_STEP: usize = 4_096;
const COMPARISONS_A_STEP: usize = 64;

/// A tree builder that is told no more than the limits allow.
pub(super) struct Guard<Builder> {
    builder: Builder,
    limits: Limits,
    /// Start tags withheld whose end tags are still to come.
    withheld: Cell<usize>,
    steps: Cell<u64>,
    null: Cell<Option<Null>>,
}

/// What a tree builder did with a NUL between tags.
#[derive(Debug, Clone, Copy)]
pub(super) enum Null {
    /// It wrote nothing.
    Dropped,
    /// It wrote U+FFFD to this element.
    Replaced(Handle),
}

impl<Builder> Guard<Builder> {
    pub(super) fn new(builder: Builder, limits: &Limits) -> Self {
        Self { builder, limits: *limits, withheld: Cell::new(0), steps: Cell::new(0), null: Cell::new(None) }
    }

    /// What became of the last NUL between tags since [`Self::forget_null`].
    pub(super) fn null(&self) -> Option<Null> {
        self.null.get()
    }

    pub(super) fn forget_null(&self) {
        self.null.set(None);
    }

    pub(super) fn into_inner(self) -> Builder {
        self.builder
    }

    /// Is the page too large to tell the builder any more?
    fn is_full(&self, sink: &Sink) -> bool {
        let limit = if sink.names.borrow().len() > self.limits.nodes {
            Limit::Nodes
        } else if self.steps.get() > MOST_STEPS {
            Limit::Tokens
        } else {
            return false;
        };
        sink.tree.borrow_mut().cut_by(limit);
        true
    }

    /// The steps that parsing has cost so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }

    fn spend(&self, steps: u64) {
        self.steps.set(self.steps.get() + steps);
    }

    /// The steps that a tag with this many attributes costs.
    fn steps_of_tag(sink: &Sink, attributes: usize) -> u64 {
        let depth = sink.depth.get();
        (1 + depth * depth / SQUARED_LEVELS_A_STEP + attributes * attributes / COMPARISONS_A_STEP) as u64
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

impl Guard<XmlTreeBuilder<Handle, Sink>> {
    /// Would anything more be withheld?
    pub(super) fn is_done(&self) -> bool {
        self.is_full(&self.builder.sink)
    }
}

impl Guard<TreeBuilder<Handle, Sink>> {
    /// Would anything more be withheld?
    pub(super) fn is_done(&self) -> bool {
        self.is_full(&self.builder.sink)
    }

    pub(super) fn sink(&self) -> &Sink {
        &self.builder.sink
    }

    /// Passes a NUL on, and notes what became of it.
    fn process_null(&self, line: u64) -> html::TokenSinkResult<Handle> {
        self.builder.sink.written.set(None);
        let result = html::TokenSink::process_token(&self.builder, html::Token::NullCharacterToken, line);
        self.null.set(Some(self.builder.sink.written.get().map_or(Null::Dropped, Null::Replaced)));
        result
    }

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
        self.spend(match &token {
            html::Token::TagToken(tag) => Self::steps_of_tag(sink, tag.attrs.len()),
            html::Token::ParseError(_) => STEPS_OF_ERROR,
            _ => 1,
        });
        let is_withheld_tag = match &token {
            html::Token::EOFToken => false,
            _ if self.is_full(sink) => return html::TokenSinkResult::Continue,
            html::Token::NullCharacterToken => return self.process_null(line),
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
        self.spend(match &token {
            xml::Token::Tag(tag) => Self::steps_of_tag(sink, tag.attrs.len()),
            xml::Token::ParseError(_) => STEPS_OF_ERROR,
            _ => 1,
        });
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
