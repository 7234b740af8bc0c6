//! How does a CSS matcher see our tree? As elements with parents, siblings and attributes.
//!
//! This is the only file that knows the `selectors` crate's traits. Three things differ from a
//! browser. Names are compared without regard to case, because the tree does not say which elements
//! are HTML. Nothing has state: no `:hover`. And pages come from strangers: each hop to another node
//! and each question about one is counted, and after [`MOST_STEPS`] nothing matches any more (`h2 ~ p`
//! on 1,000,000 `p`s would hop 500,000,000,000 times). What the matcher decides without a question
//! (`*`, `:is()`, `:not()`) is counted beforehand: so many steps for each element that it looks at.

use std::cell::Cell;
use std::fmt::{Debug, Formatter, Result as Written, Write};
use std::iter::successors;

use cssparser::{ParseError, ToCss};
use precomputed_hash::PrecomputedHash;
use rapidhash::v3::rapidhash_v3;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::{MatchingContext, QuirksMode, SelectorCaches};
use selectors::matching::{ElementSelectorFlags, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags};
use selectors::parser::{Combinator, Component, NonTSPseudoClass, PseudoElement, RelativeSelector, Selector};
use selectors::parser::{SelectorParseError, SelectorParseErrorKind as Syntax};
use selectors::visitor::SelectorVisitor;
use selectors::{Element, OpaqueElement, Parser, SelectorImpl};

use crate::page::tree::{Content, NameId, Span, Tree, TreeId};

/// Hops and questions before matching stops; one takes 20 to 40 ns, so that a page takes two seconds at most.
pub(super) const MOST_STEPS: u64 = 50_000_000;

/// What the matcher remembers of an element takes 50 bytes of memory and begins with the name of the element.
const STEPS_OF_MEMORY: usize = 8;

/// `:has` looks no deeper into the page. The matcher recurses once a level, and the 2 MiB of a thread
/// were full between 6,000 and 8,000 levels (debug build); parsed pages have 512.
const MOST_HAS_DEPTH: u32 = 1_024;

/// Methods that give the same answer to every question.
macro_rules! always {
    ($answer:literal: $($question:ident($($argument:ty),*)),+) => {
        $(fn $question(&self $(, _: $argument)*) -> bool { $answer })+
    };
}

/// The kind of CSS that zones are written in.
#[derive(Debug, Clone)]
pub(super) struct Css;

impl SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Name;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = Name;
    type BorrowedLocalName = Name;
    type NonTSPseudoClass = Link;
    type PseudoElement = Link; // Never made: the dialect reads none.
}

/// Any text in a selector: a name, a class, a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Name(Box<str>);

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for Name {
    fn to_css<W: Write>(&self, out: &mut W) -> Written {
        out.write_str(&self.0)
    }
}

impl PrecomputedHash for Name {
    fn precomputed_hash(&self) -> u32 {
        rapidhash_v3(self.0.as_bytes()) as u32
    }
}

/// `:link` and `:any-link`, the pseudo-classes that a page without a reader can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link;

impl NonTSPseudoClass for Link {
    always! { false: is_active_or_hover(), is_user_action_state() }
}

impl PseudoElement for Link {}

impl ToCss for Link {
    fn to_css<W: Write>(&self, out: &mut W) -> Written {
        out.write_str(":link")
    }
}

/// What a selector may say: everything of CSS that does not need a reader, a screen or namespaces.
pub(super) struct Dialect;

impl Parser<'_> for Dialect {
    type Impl = Css;
    type Error = Syntax;

    always! { true: parse_nth_child_of(), parse_is_and_where(), parse_has() }
    // A style sheet must survive the pseudo-classes of tomorrow; a user wants to hear of a typo.
    always! { false: allow_forgiving_selectors() }

    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<Link, SelectorParseError> {
        let is_link = ["link", "any-link"].iter().any(|link| name.eq_ignore_ascii_case(link));
        is_link.then_some(Link).ok_or(ParseError::custom(Syntax::UnsupportedPseudoClassOrElement))
    }
}

/// Refuses what the grammar allows but a saved page has not (`:host()`) or matching cannot bear; otherwise the number
/// of parts that the matcher decides alone.
pub(super) fn check(selector: &Selector<Css>, most_steps: usize) -> Result<usize, SelectorParseError> {
    let mut parts = Parts { steps: 0, silent: 0 };
    if !selector.visit(&mut parts) {
        return Err(ParseError::custom(Syntax::UnsupportedPseudoClassOrElement));
    }
    // `NonCompoundSelector` is a kind that the grammar itself never uses.
    if parts.steps > most_steps { Err(ParseError::custom(Syntax::NonCompoundSelector)) } else { Ok(parts.silent) }
}

/// The parts of a selector, with those in its parentheses.
struct Parts {
    /// Steps from one element to another.
    steps: usize,
    /// Parts that the matcher decides without a question to the element.
    silent: usize,
}

impl SelectorVisitor for Parts {
    type Impl = Css;

    fn visit_simple_selector(&mut self, simple: &Component<Css>) -> bool {
        let is_asked = matches!(
            simple,
            Component::LocalName(_)
                | Component::ID(_)
                | Component::Class(_)
                | Component::AttributeInNoNamespaceExists { .. }
                | Component::AttributeInNoNamespace { .. }
                | Component::NonTSPseudoClass(_)
                | Component::Root
                | Component::Empty
        );
        self.silent += usize::from(!is_asked);
        !matches!(simple, Component::Host(_))
    }

    fn visit_relative_selector_list(&mut self, list: &[RelativeSelector<Css>]) -> bool {
        list.iter().all(|relative| relative.selector.visit(self))
    }

    fn visit_complex_selector(&mut self, combinator: Option<Combinator>) -> bool {
        self.steps += usize::from(combinator.is_some());
        true
    }
}

/// A tree that is being matched.
pub(super) struct Page<'tree> {
    tree: &'tree Tree,
    /// How deep each node stands now (the tree notes where it was *put*); their addresses name the elements.
    depths: Vec<u32>,
    steps: Cell<u64>,
    most_steps: u64,
    /// The steps of looking at an element with the selector at hand.
    steps_of_look: Cell<usize>,
}

impl<'tree> Page<'tree> {
    /// Prepares `tree` for at most `most_steps` steps.
    pub(super) fn new(tree: &'tree Tree, most_steps: u64) -> Self {
        let mut depths = vec![0; tree.len()];
        for node in in_order(tree) {
            depths[node.index()] = tree.parent(node).map_or(0, |parent| depths[parent.index()] + 1);
        }
        Self { tree, depths, steps: Cell::new(0), most_steps, steps_of_look: Cell::new(1) }
    }

    /// What the matcher remembers between elements.
    pub(super) fn context(caches: &mut SelectorCaches) -> MatchingContext<'_, Css> {
        MatchingContext::new(
            MatchingMode::Normal,
            None,
            caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        )
    }

    /// The node as an element, if it is one.
    pub(super) fn element(&self, id: TreeId) -> Option<Node<'_>> {
        match self.tree.content(id) {
            Content::Element { name, attributes } => Some(Node { page: self, id, name, attributes }),
            _ => None,
        }
    }

    /// Begins to match a selector with this many parts that the matcher decides alone.
    pub(super) fn begin(&self, silent: usize) {
        self.steps_of_look.set(1 + silent);
        self.spend(1 + silent);
    }

    /// The steps that were taken.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Were all steps used up?
    pub(super) fn is_spent(&self) -> bool {
        self.steps.get() > self.most_steps
    }

    fn spend(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps as u64);
    }

    /// Must even the element be left that is being matched? A little later than [`Self::is_spent`]:
    /// a count of siblings that has begun may end, for the matcher counts twice and compares.
    fn is_closed(&self) -> bool {
        self.steps.get() > self.most_steps + 4 * self.depths.len() as u64
    }
}

/// The nodes of the page, each before its children.
pub(crate) fn in_order(tree: &Tree) -> impl Iterator<Item = TreeId> {
    successors(Some(TreeId::DOCUMENT), |&node| tree.first_child(node).or_else(|| behind(tree, node)))
}

/// The node that follows `node` and all that is in it.
pub(super) fn behind(tree: &Tree, node: TreeId) -> Option<TreeId> {
    successors(Some(node), |&node| tree.parent(node)).find_map(|node| tree.next(node))
}

/// An element of a [`Page`].
#[derive(Clone, Copy)]
pub(super) struct Node<'page> {
    page: &'page Page<'page>,
    id: TreeId,
    name: NameId,
    attributes: Span,
}

impl Debug for Node<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        write!(out, "<{}>", self.name())
    }
}

impl<'page> Node<'page> {
    fn name(&self) -> &'page str {
        self.page.tree.names.get(self.name)
    }

    /// The values of the attributes called `name`: one, or several that differ in case.
    fn values(&self, name: &str) -> impl Iterator<Item = &'page str> {
        let tree = self.page.tree;
        let attributes = tree.attributes(self.attributes);
        // Twice the work of a hop, even without attributes.
        self.page.spend(2 + attributes.len());
        let named = attributes.iter().filter(move |it| tree.names.get(it.name).eq_ignore_ascii_case(name));
        // Comparing 64 bytes takes about as long as a hop.
        named.map(|it| it.value.of(&tree.values)).inspect(|value| self.page.spend(value.len() / 64))
    }

    /// The first element among `start` and the nodes that `next` leads to.
    fn seek(&self, start: Option<TreeId>, next: impl Fn(TreeId) -> Option<TreeId>) -> Option<Self> {
        let hops = successors(start, |&id| next(id)).inspect(|_| self.page.spend(self.page.steps_of_look.get()));
        hops.take_while(|_| !self.page.is_closed()).find_map(|id| self.page.element(id))
    }
}

impl Element for Node<'_> {
    type Impl = Css;

    fn opaque(&self) -> OpaqueElement {
        self.page.spend(STEPS_OF_MEMORY);
        OpaqueElement::new(&self.page.depths[self.id.index()])
    }

    fn parent_element(&self) -> Option<Self> {
        self.seek(self.page.tree.parent(self.id), |_| None)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.seek(self.page.tree.previous(self.id), |id| self.page.tree.previous(id))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.seek(self.page.tree.next(self.id), |id| self.page.tree.next(id))
    }

    fn first_element_child(&self) -> Option<Self> {
        let is_shallow = self.page.depths[self.id.index()] < MOST_HAS_DEPTH;
        let first = self.page.tree.first_child(self.id).filter(|_| is_shallow);
        self.seek(first, |id| self.page.tree.next(id))
    }

    fn has_local_name(&self, name: &Name) -> bool {
        self.page.spend(1);
        self.name().eq_ignore_ascii_case(&name.0)
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.name == other.name
    }

    fn attr_matches(
        &self,
        _namespace: &NamespaceConstraint<&Name>,
        name: &Name,
        operation: &AttrSelectorOperation<&Name>,
    ) -> bool {
        self.values(&name.0).any(|value| operation.eval_str(value))
    }

    fn has_id(&self, id: &Name, case: CaseSensitivity) -> bool {
        self.values("id").any(|value| case.eq(value.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, class: &Name, case: CaseSensitivity) -> bool {
        let mut classes = self.values("class").flat_map(str::split_ascii_whitespace);
        classes.any(|own| case.eq(own.as_bytes(), class.0.as_bytes()))
    }

    fn match_non_ts_pseudo_class(&self, _link: &Link, _context: &mut MatchingContext<Css>) -> bool {
        self.page.spend(1);
        self.is_link()
    }

    fn is_link(&self) -> bool {
        matches!(self.name(), "a" | "area") && self.values("href").next().is_some()
    }

    fn is_empty(&self) -> bool {
        let tree = self.page.tree;
        self.page.spend(1);
        let children = successors(tree.first_child(self.id), |&id| tree.next(id));
        let mut children = children.inspect(|_| self.page.spend(1));
        !children.any(|id| match tree.content(id) {
            Content::Element { .. } => true,
            Content::Text(span) => span.start < span.end,
            Content::Fragment | Content::Nothing => false,
        })
    }

    fn is_root(&self) -> bool {
        self.page.spend(1);
        self.page.tree.parent(self.id) == Some(TreeId::DOCUMENT)
    }

    fn ignores_nth_child_selectors(&self) -> bool {
        self.page.is_spent()
    }

    fn has_namespace(&self, namespace: &Name) -> bool {
        namespace.0.is_empty()
    }

    always! { true: is_html_element_in_html_document() }
    // A filter takes 4 KiB an element: more than the whole page.
    always! { false: add_element_unique_hashes(&mut BloomFilter) }

    // What follows is about shadow trees, pseudo-elements and restyling, which a saved page has not.
    always! { false: parent_node_is_shadow_root(), is_pseudo_element(), is_html_slot_element() }
    always! { false: has_custom_state(&Name), is_part(&Name), match_pseudo_element(&Link, &mut MatchingContext<Css>) }

    fn apply_selector_flags(&self, _flags: ElementSelectorFlags) {}

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn imported_part(&self, _name: &Name) -> Option<Name> {
        None
    }
}
