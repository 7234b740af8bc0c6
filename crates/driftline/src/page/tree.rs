//! What does a parser hand over? The tree of a document, in four flat buffers.
//!
//! This is the seam between driftline and its HTML parser. The tree-construction rules of HTML move
//! nodes about after they were inserted (foster parenting, the adoption agency), so words cannot be
//! read off while parsing; but everything a parser does fits these few operations on integer links,
//! and reading the finished tree once ([`super::read`]) costs a hundredth of parsing it.

use std::borrow::Cow;
use std::num::NonZeroU32;

use hashbrown::HashTable;
use rapidhash::v3::rapidhash_v3;

use crate::limit::Limit;

/// A node of a [`Tree`]; never zero, so that an optional link needs four bytes and no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TreeId(NonZeroU32);

impl TreeId {
    /// The document itself, the parent of `html`.
    pub(crate) const DOCUMENT: Self = Self(NonZeroU32::MIN);

    /// The node that was made as number `index`, from 0.
    fn new(index: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(index as u32))
    }

    /// The node that was made right after this one.
    pub(crate) fn following(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// How many nodes were made before it.
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The number of an element or attribute name, unique in its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(crate) u32);

impl NameId {
    /// The number as an index.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names of elements and attributes, each kept once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    names: Vec<Box<str>>,
    numbers: HashTable<u32>,
}

impl Names {
    /// The number of `name`.
    pub(crate) fn intern(&mut self, name: &str) -> NameId {
        let hash = rapidhash_v3(name.as_bytes());
        if let Some(&number) = self.numbers.find(hash, |&number| &*self.names[number as usize] == name) {
            return NameId(number);
        }
        let number = self.names.len() as u32;
        self.names.push(name.into());
        let names = &self.names;
        self.numbers.insert_unique(hash, number, |&number| rapidhash_v3(names[number as usize].as_bytes()));
        NameId(number)
    }

    /// The number of `name` if any element or attribute bears it.
    pub(crate) fn find(&self, name: &str) -> Option<NameId> {
        self.numbers
            .find(rapidhash_v3(name.as_bytes()), |&number| &*self.names[number as usize] == name)
            .map(|&number| NameId(number))
    }

    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The name with this number.
    pub(crate) fn get(&self, id: NameId) -> &str {
        &self.names[id.0 as usize]
    }

    /// All names, by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }
}

/// A part of a buffer, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
}

impl Span {
    /// The part of `buffer` that this span covers.
    #[must_use]
    pub fn of(self, buffer: &str) -> &str {
        &buffer[self.start as usize..self.end as usize]
    }

    /// The same span as a range of indices.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// An attribute: its name, and its value as a span of the attribute buffer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attribute {
    pub(crate) name: NameId,
    pub(crate) value: Span,
}

/// An element with this many attributes gets no more: a page of `<body a1><body a2>…` would copy
/// them all for each of its tags.
const MOST_ADDED_TO: usize = 256;

/// What a node is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Content {
    /// The document, or the inside of a `template`, which is not part of the page.
    Fragment,
    /// An element with its name and a span of the attribute list.
    Element { name: NameId, attributes: Span },
    /// Text, as a span of the text buffer.
    Text(Span),
    /// A comment or a processing instruction: kept only because a parser may insert before it.
    Nothing,
}

#[derive(Debug, Clone, Copy)]
struct Links {
    content: Content,
    parent: Option<TreeId>,
    first_child: Option<TreeId>,
    last_child: Option<TreeId>,
    previous: Option<TreeId>,
    next: Option<TreeId>,
    depth: u32,
}

/// A parsed document.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Links>,
    attributes: Vec<Attribute>,
    /// All attribute values.
    pub(crate) values: String,
    /// All text, in the order in which the parser met it.
    pub(crate) text: String,
    /// Text that was added to text nodes when other text had followed theirs.
    additions: Vec<(TreeId, Span)>,
    /// The most bytes that attribute values may take.
    most_values: usize,
    /// All names.
    pub(crate) names: Names,
    /// The limits that cut the parse short.
    pub(crate) limits: Vec<Limit>,
    /// The steps that parsing cost.
    pub(crate) steps: u64,
}

/// Building.
impl Tree {
    /// An empty document, with room for a source of `bytes` bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        let mut tree = Self {
            nodes: Vec::with_capacity(bytes / 32),
            attributes: Vec::with_capacity(bytes / 64),
            values: String::with_capacity(bytes / 8),
            text: String::with_capacity(bytes / 2),
            additions: Vec::new(),
            most_values: 2 * bytes + 65_536,
            names: Names::default(),
            limits: Vec::new(),
            steps: 0,
        };
        tree.create(Content::Fragment);
        tree
    }

    /// A node that stands nowhere yet.
    pub(crate) fn create(&mut self, content: Content) -> TreeId {
        let id = TreeId::new(self.nodes.len());
        self.nodes.push(Links {
            content,
            parent: None,
            first_child: None,
            last_child: None,
            previous: None,
            next: None,
            depth: 0,
        });
        id
    }

    /// An element that stands nowhere yet.
    pub(crate) fn create_element<'a>(
        &mut self,
        name: &str,
        attributes: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> TreeId {
        let name = self.names.intern(name);
        let start = self.attributes.len() as u32;
        if self.has_room_for_attributes() {
            for (name, value) in attributes {
                self.push_attribute(name, value);
            }
        } else {
            self.cut_by(Limit::Attributes);
        }
        let end = self.attributes.len() as u32;
        let attributes = Span { start, end };
        self.create(Content::Element { name, attributes })
    }

    /// A parser may give the attributes of one tag to any number of elements (a `<b title=…>` that
    /// every paragraph opens again), but all together may not be much longer than their source.
    fn has_room_for_attributes(&self) -> bool {
        self.values.len() <= self.most_values && self.attributes.len() <= self.most_values
    }

    fn push_attribute(&mut self, name: &str, value: &str) {
        let name = self.names.intern(name);
        let start = self.values.len() as u32;
        self.values.push_str(value);
        let end = self.values.len() as u32;
        self.attributes.push(Attribute { name, value: Span { start, end } });
    }

    /// Gives an element the attributes that it does not have yet (a second `<body>` tag does that).
    pub(crate) fn add_missing_attributes<'a>(
        &mut self,
        target: TreeId,
        attributes: impl Iterator<Item = (&'a str, &'a str)>,
    ) {
        let Content::Element { name, attributes: own } = self.nodes[target.index()].content else {
            return;
        };
        let has = |tree: &Self, name: &str| {
            let id = tree.names.find(name);
            tree.attributes[own.range()].iter().any(|attribute| Some(attribute.name) == id)
        };
        let missing: Vec<_> = attributes.filter(|(name, _)| !has(self, name)).collect();
        if missing.is_empty() || own.range().len() >= MOST_ADDED_TO {
            return;
        }
        let start = self.attributes.len() as u32;
        self.attributes.extend_from_within(own.range());
        missing.into_iter().for_each(|(name, value)| self.push_attribute(name, value));
        let end = self.attributes.len() as u32;
        self.nodes[target.index()].content = Content::Element { name, attributes: Span { start, end } };
    }

    /// Puts `child` at the end of `parent`.
    pub(crate) fn append(&mut self, parent: TreeId, child: TreeId) {
        self.detach(child);
        let last = self.nodes[parent.index()].last_child.replace(child);
        self.link(child, parent, last, None);
        match last {
            Some(last) => self.nodes[last.index()].next = Some(child),
            None => self.nodes[parent.index()].first_child = Some(child),
        }
    }

    /// Puts `child` before `sibling`.
    pub(crate) fn insert_before(&mut self, sibling: TreeId, child: TreeId) {
        self.detach(child);
        let Some(parent) = self.nodes[sibling.index()].parent else {
            return;
        };
        let previous = self.nodes[sibling.index()].previous.replace(child);
        self.link(child, parent, previous, Some(sibling));
        match previous {
            Some(previous) => self.nodes[previous.index()].next = Some(child),
            None => self.nodes[parent.index()].first_child = Some(child),
        }
    }

    fn link(&mut self, child: TreeId, parent: TreeId, previous: Option<TreeId>, next: Option<TreeId>) {
        let depth = self.nodes[parent.index()].depth + 1;
        let child = &mut self.nodes[child.index()];
        child.parent = Some(parent);
        child.previous = previous;
        child.next = next;
        child.depth = depth;
    }

    /// Adds text at the end of `parent`, to its last text node if that is its last child.
    pub(crate) fn append_text(&mut self, parent: TreeId, text: &str) {
        let last = self.nodes[parent.index()].last_child;
        if !last.is_some_and(|last| self.extend_text(last, text)) {
            let node = self.create_text(text);
            self.append(parent, node);
        }
    }

    /// Adds text before `sibling`, to the text node before it if there is one.
    pub(crate) fn insert_text_before(&mut self, sibling: TreeId, text: &str) {
        let previous = self.nodes[sibling.index()].previous;
        if !previous.is_some_and(|previous| self.extend_text(previous, text)) {
            let node = self.create_text(text);
            self.insert_before(sibling, node);
        }
    }

    fn create_text(&mut self, text: &str) -> TreeId {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        let end = self.text.len() as u32;
        self.create(Content::Text(Span { start, end }))
    }

    /// Adds to a text node; false if `node` is not one.
    fn extend_text(&mut self, node: TreeId, text: &str) -> bool {
        let Content::Text(span) = &mut self.nodes[node.index()].content else {
            return false;
        };
        let before = self.text.len() as u32;
        self.text.push_str(text);
        let end = self.text.len() as u32;
        match self.additions.last_mut() {
            _ if span.end == before => span.end = end,
            Some((last, span)) if *last == node && span.end == before => span.end = end,
            // Text of a table is fostered to a node that others have followed.
            _ => self.additions.push((node, Span { start: before, end })),
        }
        true
    }

    /// Takes `node` out of its parent.
    pub(crate) fn detach(&mut self, node: TreeId) {
        let Links { parent, previous, next, .. } = self.nodes[node.index()];
        let Some(parent) = parent else {
            return;
        };
        match previous {
            Some(previous) => self.nodes[previous.index()].next = next,
            None => self.nodes[parent.index()].first_child = next,
        }
        match next {
            Some(next) => self.nodes[next.index()].previous = previous,
            None => self.nodes[parent.index()].last_child = previous,
        }
        let node = &mut self.nodes[node.index()];
        (node.parent, node.previous, node.next) = (None, None, None);
    }

    /// Moves all children of `node` to the end of `parent`.
    pub(crate) fn reparent_children(&mut self, node: TreeId, parent: TreeId) {
        while let Some(child) = self.nodes[node.index()].first_child {
            self.append(parent, child);
        }
    }

    /// Notes that a limit cut the parse short.
    pub(crate) fn cut_by(&mut self, limit: Limit) {
        if !self.limits.contains(&limit) {
            self.limits.push(limit);
        }
    }
}

/// Reading.
impl Tree {
    /// How many nodes were made.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What a node is.
    pub(crate) fn content(&self, id: TreeId) -> Content {
        self.nodes[id.index()].content
    }

    /// The text of a text node.
    pub(crate) fn text_of(&self, id: TreeId, span: Span) -> Cow<'_, str> {
        let own = span.of(&self.text);
        if self.additions.is_empty() {
            return Cow::Borrowed(own);
        }
        let first = self.additions.partition_point(|(other, _)| *other < id);
        let added = self.additions[first..].iter().take_while(|(other, _)| *other == id);
        let whole: String = [own].into_iter().chain(added.map(|(_, span)| span.of(&self.text))).collect();
        Cow::Owned(whole)
    }

    /// Makes the tree ready to be read, once it is built.
    pub(crate) fn finish(&mut self) {
        // Stable: additions to one node stay in order.
        self.additions.sort_by_key(|(node, _)| *node);
    }

    /// How far below the document the node was put.
    pub(crate) fn depth(&self, id: TreeId) -> usize {
        self.nodes[id.index()].depth as usize
    }

    /// The node around it.
    pub(crate) fn parent(&self, id: TreeId) -> Option<TreeId> {
        self.nodes[id.index()].parent
    }

    /// Its first child.
    pub(crate) fn first_child(&self, id: TreeId) -> Option<TreeId> {
        self.nodes[id.index()].first_child
    }

    /// The node behind it.
    pub(crate) fn next(&self, id: TreeId) -> Option<TreeId> {
        self.nodes[id.index()].next
    }

    /// The node before it.
    pub(crate) fn previous(&self, id: TreeId) -> Option<TreeId> {
        self.nodes[id.index()].previous
    }

    /// The attributes of all elements.
    pub(crate) fn all_attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The element of this name that was made first.
    pub(crate) fn first_named(&self, wanted: NameId) -> Option<TreeId> {
        let is_wanted = |links: &Links| matches!(links.content, Content::Element { name, .. } if name == wanted);
        self.nodes.iter().position(is_wanted).map(TreeId::new)
    }

    /// The attributes in a span of the attribute list.
    pub(crate) fn attributes(&self, span: Span) -> &[Attribute] {
        &self.attributes[span.range()]
    }
}
