//! How often does each name stand on a page, and which child of its parent is each element?
//!
//! One walk over the elements. The places of each name are kept in order, so that "is it the only
//! one inside this element?" is two binary searches, however large the page.

use hashbrown::HashMap;

use super::identifier;
use super::telling;
use crate::page::{NameId, NodeId, Page};

/// Something that an element is called, by number, the most telling kind first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// An id that looks hand-written.
    Id(u32),
    /// A tag that names a part of the page: `main`, `footer`.
    Landmark(u32),
    /// A landmark by its role: `[role="main"]`.
    Role(u32),
    /// A class that says what the element is, not how it looks.
    Class(u32),
    /// Any other tag that is not on every page a hundred times.
    Tag(u32),
}

impl Mark {
    fn number(self) -> usize {
        let (Self::Id(number) | Self::Landmark(number) | Self::Role(number) | Self::Class(number) | Self::Tag(number)) =
            self;
        number as usize
    }

    /// Is it worth starting a selector at?
    pub(super) fn is_landmark(self) -> bool {
        !matches!(self, Self::Tag(_))
    }
}

/// Where an element stands among its siblings; all from 1.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// Which child it is.
    pub(super) child: u32,
    /// Which of the children with its name.
    pub(super) of_type: u32,
    /// How many children bear its name.
    pub(super) same_name: u32,
    /// How many children there are.
    pub(super) siblings: u32,
    /// Is its name also written in other case on this page? A selector cannot tell them apart.
    pub(super) has_variants: bool,
}

/// The kind of a name, so that a class and an id of the same spelling are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Id,
    Role,
    Class,
}

/// The counts of a page.
#[derive(Debug)]
pub(super) struct Index<'page> {
    /// The mark of a name, none if it tells nothing.
    numbers: HashMap<(Kind, &'page str), Option<Mark>>,
    /// The marks of tags, by the number of the name.
    tags: Vec<Tag>,
    /// Each mark as CSS writes it, with its elements in document order.
    marks: Vec<(String, Vec<u32>)>,
    /// Of each element: which child it is, and which of its name.
    places: Vec<(u32, u32)>,
    /// How many children each element has; the last count is of the roots.
    children: Vec<u32>,
    named_children: HashMap<(Option<NodeId>, NameId), u32>,
}

#[derive(Debug, Clone, Copy)]
struct Tag {
    mark: Option<Mark>,
    has_variants: bool,
}

impl<'page> Index<'page> {
    pub(super) fn of(page: &'page Page) -> Self {
        let mut index = Self {
            numbers: HashMap::new(),
            tags: Vec::new(),
            marks: Vec::new(),
            places: Vec::with_capacity(page.nodes().len()),
            children: vec![0; page.nodes().len() + 1],
            named_children: HashMap::new(),
        };
        index.number_tags(page);
        for node in page.node_ids() {
            index.count_child(page, node);
            index.number_names(page, node);
            index.note(page, node);
        }
        index
    }

    /// Selectors do not see the case of tags, hence `Item` and `item` are one mark.
    fn number_tags(&mut self, page: &Page) {
        let names = &page.parts.names;
        let mut spellings: HashMap<String, (u32, Option<Mark>)> = HashMap::new();
        let mut folded = Vec::with_capacity(names.len());
        let mut used = vec![false; names.len()];
        page.nodes().iter().for_each(|node| used[node.name.0 as usize] = true);
        for (number, used) in (0..).zip(used) {
            let name = names.get(NameId(number)).to_ascii_lowercase();
            if used {
                let (spelled, _) = spellings.entry(name.clone()).or_insert_with(|| {
                    let mark = telling::tag(&name).map(|kind| kind(self.marks.len() as u32));
                    self.marks.extend(mark.is_some().then(|| (identifier(&name), Vec::new())));
                    (0, mark)
                });
                *spelled += 1;
            }
            folded.push(name);
        }
        self.tags = folded
            .iter()
            .map(|name| match spellings.get(name) {
                Some((spelled, mark)) => Tag { mark: *mark, has_variants: *spelled > 1 },
                None => Tag { mark: None, has_variants: false },
            })
            .collect();
    }

    fn count_child(&mut self, page: &Page, node: NodeId) {
        let own = &page.nodes()[node.index()];
        let siblings = self.children_of(own.parent);
        self.children[siblings] += 1;
        let same_name = self.named_children.entry((own.parent, own.name)).or_insert(0);
        *same_name += 1;
        self.places.push((self.children[siblings], *same_name));
    }

    fn children_of(&self, parent: Option<NodeId>) -> usize {
        parent.map_or(self.children.len() - 1, NodeId::index)
    }

    fn note(&mut self, page: &Page, node: NodeId) {
        let tag = self.tags[page.nodes()[node.index()].name.0 as usize].mark;
        let named = names(page, node).filter_map(|name| *self.numbers.get(&name)?);
        for mark in named.chain(tag) {
            let places = &mut self.marks[mark.number()].1;
            // An element may bear a name twice.
            if places.last() != Some(&node.0) {
                places.push(node.0);
            }
        }
    }

    fn number_names(&mut self, page: &'page Page, node: NodeId) {
        for (kind, name) in names(page, node) {
            let marks = &mut self.marks;
            self.numbers.entry((kind, name)).or_insert_with(|| {
                let number = marks.len() as u32;
                let (mark, written) = match kind {
                    Kind::Id if telling::id(name) => (Mark::Id(number), format!("#{}", identifier(name))),
                    Kind::Role if telling::role(name) => (Mark::Role(number), format!("[role=\"{name}\"]")),
                    Kind::Class if telling::class(name) => (Mark::Class(number), format!(".{}", identifier(name))),
                    _ => return None,
                };
                marks.push((written, Vec::new()));
                Some(mark)
            });
        }
    }

    /// All that an element is called.
    pub(super) fn marks<'a>(&'a self, page: &'a Page, node: NodeId) -> impl Iterator<Item = Mark> + use<'a, 'page> {
        let tag = self.tags[page.nodes()[node.index()].name.0 as usize].mark;
        let named = names(page, node).filter_map(|name| *self.numbers.get(&name)?);
        named.chain(tag)
    }

    /// How many elements bear a mark inside `scope`, or on the whole page.
    pub(super) fn count(&self, page: &Page, mark: Mark, scope: Option<NodeId>) -> usize {
        let places = &self.marks[mark.number()].1;
        let Some(scope) = scope else { return places.len() };
        let last = page.nodes()[scope.index()].last;
        places.partition_point(|&node| node <= last.0) - places.partition_point(|&node| node <= scope.0)
    }

    /// A mark as CSS writes it.
    pub(super) fn written(&self, mark: Mark) -> String {
        self.marks[mark.number()].0.clone()
    }

    /// Where an element stands among its siblings.
    pub(super) fn place(&self, page: &Page, node: NodeId) -> Place {
        let own = &page.nodes()[node.index()];
        let (child, of_type) = self.places[node.index()];
        Place {
            child,
            of_type,
            same_name: self.named_children.get(&(own.parent, own.name)).copied().unwrap_or(1),
            siblings: self.children[self.children_of(own.parent)],
            has_variants: self.tags[own.name.0 as usize].has_variants,
        }
    }
}

/// The id, the role and the classes of an element, as a selector sees them: attribute names in any case.
fn names(page: &Page, node: NodeId) -> impl Iterator<Item = (Kind, &str)> {
    page.attributes(node).flat_map(|(name, value)| {
        let kind = [("id", Kind::Id), ("role", Kind::Role), ("class", Kind::Class)]
            .into_iter()
            .find(|(known, _)| name.eq_ignore_ascii_case(known))
            .map(|(_, kind)| kind);
        let whole = kind.filter(|kind| *kind != Kind::Class).map(|kind| (kind, value));
        let classes = if kind == Some(Kind::Class) { value } else { "" };
        whole.into_iter().chain(classes.split_ascii_whitespace().map(|class| (Kind::Class, class)))
    })
}
