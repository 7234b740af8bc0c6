//! How does one point at an element so that the pointer lasts? By a CSS selector as a careful person writes it.
//!
//! A path of positions (`html > body > div:nth-child(7) > …`) breaks with the first new banner. So a
//! selector starts at the nearest name that somebody gave: a unique id, landmark or telling class;
//! below it, it skips what it can (`#news h2`), and counts only where nothing else tells elements
//! apart (`#news li:nth-of-type(3)`). Names that programs make (`css-1q2w3e`, `ember123`) are not
//! names. All counts are taken once a page; a selector then costs a climb to the nearest name.

use std::iter::successors;

use cssparser::serialize_identifier;

use super::zone::Selector;
use super::{NodeId, Page};

mod index;
mod telling;

use index::{Index, Mark};

/// The longest element name that is written out, in bytes; a longer one is counted instead.
const LONGEST_NAME: usize = 40;

/// Writes selectors for the elements of a page.
///
/// Each matches its element alone, among all elements of the page, those outside of zones and ignored
/// ones too. One limit: an element more than [`Selector::MOST_STEPS`] levels below anything with a
/// name gets the selector of its ancestor at that depth.
///
/// ```
/// use driftline::page::{NodeId, Page, ReadOptions, Selectors};
///
/// let page = Page::read("<div id=news><h2>News</h2><ul><li>One<li>Two</ul></div>", &ReadOptions::default());
/// let selectors = Selectors::of(&page);
/// let written: Vec<_> = page.node_ids().skip(3).map(|node| selectors.selector(node)).collect();
/// assert_eq!(written, ["#news", "#news > h2", "#news > ul", "#news > ul > li:nth-of-type(1)", "#news > ul > li:nth-of-type(2)"]);
/// ```
#[derive(Debug)]
pub struct Selectors<'page> {
    /// The page as it was read, perhaps only its zones.
    read: &'page Page,
    /// The same page with all its elements.
    page: &'page Page,
    index: Index<'page>,
}

/// How a step hangs on the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    Child,
    Descendant,
}

impl<'page> Selectors<'page> {
    /// Counts the names of a page, once for all its elements.
    #[must_use]
    pub fn of(read: &'page Page) -> Self {
        let (page, _) = read.whole();
        Self { read, page, index: Index::of(page) }
    }

    /// A selector that matches this element of the page and no other.
    #[must_use]
    pub fn selector(&self, node: NodeId) -> String {
        let (_, number) = self.read.whole();
        let node = number(node);
        let anchor = self.climb(node).find_map(|node| Some((node, self.own_name(node)?)));
        let mut steps = Vec::new();
        for at in self.climb(node) {
            let parent = self.page.nodes()[at.index()].parent;
            match &anchor {
                Some((named, name)) if *named == at => {
                    steps.push((Below::Descendant, name.clone()));
                    break;
                }
                Some((named, name)) if parent != Some(*named) => {
                    if let Some(step) = self.name_within(at, Some(*named)) {
                        steps.extend([(Below::Descendant, step), (Below::Descendant, name.clone())]);
                        break;
                    }
                }
                Some(_) => {}
                None => {
                    if let Some(step) = self.name_within(at, None) {
                        steps.push((Below::Descendant, step));
                        break;
                    }
                }
            }
            steps.push((Below::Child, self.child_step(at, parent)));
        }
        joined(&steps)
    }

    /// The element and all around it, outwards.
    fn climb(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        successors(Some(node), |&node| self.page.nodes()[node.index()].parent)
    }

    /// What the element alone is called on the whole page, by somebody's choice.
    fn own_name(&self, node: NodeId) -> Option<String> {
        let marks = self.index.marks(self.page, node);
        let named = marks.filter(|mark| mark.is_landmark() && self.index.count(self.page, *mark, None) == 1);
        named.min().map(|mark| self.index.written(mark))
    }

    /// What tells the element from all others inside `scope`, or on the page.
    fn name_within(&self, node: NodeId, scope: Option<NodeId>) -> Option<String> {
        let marks = self.index.marks(self.page, node);
        let telling = marks.filter(|mark| self.index.count(self.page, *mark, scope) == 1);
        telling.min().map(|mark| self.index.written(mark))
    }

    /// What tells the element from its siblings.
    fn child_step(&self, node: NodeId, parent: Option<NodeId>) -> String {
        let place = self.index.place(self.page, node);
        let Some(parent) = parent else {
            return if place.siblings == 1 { ":root".into() } else { format!(":root:nth-child({})", place.child) };
        };
        if let Some(class) = self.class_within(node, parent) {
            return class;
        }
        let name = self.page.tag(node);
        if name.is_empty() || name.len() > LONGEST_NAME || name.contains('\0') || place.has_variants {
            return format!(":nth-child({})", place.child);
        }
        let name = identifier(name);
        if place.same_name == 1 { name } else { format!("{name}:nth-of-type({})", place.of_type) }
    }

    fn class_within(&self, node: NodeId, parent: NodeId) -> Option<String> {
        let mut classes = self.index.marks(self.page, node).filter(|mark| matches!(mark, Mark::Class(_)));
        let class = classes.find(|mark| self.index.count(self.page, *mark, Some(parent)) == 1)?;
        Some(self.index.written(class))
    }
}

/// The steps, from the element outwards, as one text; the innermost are left out if they are too many.
fn joined(steps: &[(Below, String)]) -> String {
    let mut text = String::new();
    for (number, (below, step)) in steps.iter().rev().enumerate() {
        let combinator = match below {
            _ if number == 0 => "",
            Below::Child => " > ",
            Below::Descendant => " ",
        };
        if number > Selector::MOST_STEPS || text.len() + combinator.len() + step.len() > Selector::MOST_BYTES {
            break;
        }
        text.push_str(combinator);
        text.push_str(step);
    }
    text
}

/// A name as CSS writes it.
fn identifier(name: &str) -> String {
    let mut text = String::new();
    let written = serialize_identifier(name, &mut text);
    debug_assert!(written.is_ok(), "a string takes any text");
    text
}

#[cfg(test)]
mod tests;
