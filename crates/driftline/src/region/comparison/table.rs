//! The node table of a page, in numbers that both pages share: names, paths, attributes, words.

use crate::degree::vocabulary::{Vocabulary, WordId};
use crate::page::{Page, Span, WordRange};
use crate::region::weights::AttributeWeights;

/// An attribute: its name and its value, each in a vocabulary of its own, and its weight.
type Attribute = (WordId, WordId, u32);

/// What two pages have names for.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    words: Vocabulary,
    names: Vocabulary,
    values: Vocabulary,
    pub(super) paths: Paths,
}

/// The distinct paths of both pages, each as a step from another.
#[derive(Debug, Default)]
pub(super) struct Paths {
    steps: Vec<Step>,
    numbers: hashbrown::HashMap<(PathId, WordId), PathId>,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    parent: PathId,
    name: WordId,
    length: u32,
}

/// The number of a distinct path among those of both pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PathId(u32);

/// The path of no names; its number stands for "no parent".
const ROOT: PathId = PathId(u32::MAX);

impl Paths {
    fn intern(&mut self, parent: PathId, name: WordId) -> PathId {
        let length = self.length(parent) as u32 + 1;
        *self.numbers.entry((parent, name)).or_insert_with(|| {
            self.steps.push(Step { parent, name, length });
            PathId(self.steps.len() as u32 - 1)
        })
    }

    /// How many names a path has.
    pub(super) fn length(&self, path: PathId) -> usize {
        if path == ROOT { 0 } else { self.steps[path.0 as usize].length as usize }
    }

    /// How many names two paths share from the root down.
    pub(super) fn common_prefix(&self, mut one: PathId, mut other: PathId) -> usize {
        while one != other {
            if self.length(one) >= self.length(other) {
                one = self.steps[one.0 as usize].parent;
            } else {
                other = self.steps[other.0 as usize].parent;
            }
        }
        self.length(one)
    }

    /// How many names two paths share from their ends up.
    pub(super) fn common_suffix(&self, mut one: PathId, mut other: PathId) -> usize {
        let mut common = 0;
        while one != other && one != ROOT && other != ROOT {
            let (left, right) = (self.steps[one.0 as usize], self.steps[other.0 as usize]);
            if left.name != right.name {
                return common;
            }
            common += 1;
            (one, other) = (left.parent, right.parent);
        }
        if one == other { common + self.length(one) } else { common }
    }
}

/// An element, in numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) name: WordId,
    pub(super) path: PathId,
    pub(super) last: u32,
    /// The element whose set of words is also this one's: the innermost around the same words.
    words_of: u32,
    words: WordRange,
    attributes: Span,
}

/// The elements of a page.
#[derive(Debug, Default)]
pub(super) struct NodeTable {
    pub(super) entries: Vec<Entry>,
    attributes: Vec<Attribute>,
    words: Vec<WordId>,
    /// Sums of the words' hashes up to each word, to tell quickly that two spans differ.
    sums: Vec<u64>,
    sets: Vec<Option<Box<[WordId]>>>,
}

impl NodeTable {
    pub(super) fn new(page: &Page, weights: &AttributeWeights, numbers: &mut Numbers) -> Self {
        let words: Vec<WordId> = page.words().map(|word| numbers.words.intern(word)).collect();
        let mut sum = 0_u64;
        let sums = std::iter::once(0).chain(words.iter().map(|&word| {
            sum = sum.wrapping_add(mix(1, u64::from(word.get())));
            sum
        }));
        let mut table = Self { sums: sums.collect(), words, ..Self::default() };
        table.read_nodes(page, weights, numbers);
        table.share_sets(page);
        table.sets.resize_with(table.entries.len(), || None);
        table
    }

    fn read_nodes(&mut self, page: &Page, weights: &AttributeWeights, numbers: &mut Numbers) {
        for (index, (id, node)) in page.node_ids().zip(page.nodes()).enumerate() {
            let name = numbers.names.intern(page.tag(id));
            let parent = node.parent.map_or(ROOT, |parent| self.entries[parent.index()].path);
            let start = self.attributes.len();
            self.attributes.extend(
                page.attributes(id)
                    .map(|(name, value)| (numbers.names.intern(name), numbers.values.intern(value), weights.of(name))),
            );
            self.attributes[start..].sort_unstable();
            self.entries.push(Entry {
                name,
                path: numbers.paths.intern(parent, name),
                last: node.last.0,
                words_of: index as u32,
                words: node.words,
                attributes: Span { start: start as u32, end: self.attributes.len() as u32 },
            });
        }
    }

    /// A chain of elements around the same words has one set of them.
    fn share_sets(&mut self, page: &Page) {
        for (index, node) in page.nodes().iter().enumerate().rev() {
            if let Some(parent) = node.parent
                && self.entries[parent.index()].words == self.entries[index].words
            {
                self.entries[parent.index()].words_of = self.entries[index].words_of;
            }
        }
    }

    pub(super) fn attributes(&self, node: u32) -> &[Attribute] {
        &self.attributes[self.entries[node as usize].attributes.range()]
    }

    /// The words of an element and its descendants, in reading order.
    pub(super) fn words(&self, node: u32) -> &[WordId] {
        &self.words[self.entries[node as usize].words.range()]
    }

    /// A number that is the same for elements without a difference.
    pub(super) fn signature(&self, node: u32) -> u64 {
        let Entry { path, words, .. } = self.entries[node as usize];
        let words = self.sums[words.end as usize].wrapping_sub(self.sums[words.start as usize]);
        let start = mix(u64::from(path.0), words);
        self.attributes(node)
            .iter()
            .fold(start, |hash, &(name, value, _)| mix(hash, u64::from(name.get()) << 32 | u64::from(value.get())))
    }

    /// Has the set of an element's words been made?
    pub(super) fn has_set(&self, node: u32) -> bool {
        self.sets[self.entries[node as usize].words_of as usize].is_some()
    }

    /// Makes the set of an element's words.
    pub(super) fn make_set(&mut self, node: u32) {
        let set = distinct(self.words(node));
        self.sets[self.entries[node as usize].words_of as usize] = Some(set);
    }

    /// The set of an element's words, if it was made.
    pub(super) fn set(&self, node: u32) -> &[WordId] {
        self.sets[self.entries[node as usize].words_of as usize].as_deref().unwrap_or_default()
    }
}

/// The words sorted, each once.
pub(super) fn distinct(words: &[WordId]) -> Box<[WordId]> {
    let mut set = words.to_vec();
    set.sort_unstable();
    set.dedup();
    set.into_boxed_slice()
}

fn mix(hash: u64, value: u64) -> u64 {
    // An odd constant without a pattern: the golden ratio's digits.
    (hash ^ value.wrapping_add(1)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}
