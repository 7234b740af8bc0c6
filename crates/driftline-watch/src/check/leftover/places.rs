//! The places of a template: where on the page something is, by the names of the elements around it.
//!
//! Pages of one design have the same places. The numbers in names are left out (`post-17`), and so are the names of the
//! elements around everything, which often say what the page is about.

use std::collections::HashMap;

use driftline::page::{NodeId, Page};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::sentences::Sentence;

/// The most classes of an element that name its place.
const MOST_CLASSES: usize = 2;
/// What the hashes of places are of: each sort has its own.
const PATH: u64 = 1;
const FIRST: u64 = 2;
const LAST: u64 = 3;
const RESOURCE: u64 = 4;
const SENTENCE: u64 = 5;
const LAST_SENTENCE: u64 = 6;
/// The path of the title.
const TITLE: u64 = 7;

/// The places of a page.
pub(super) struct Places {
    /// The path to each element.
    paths: Vec<u64>,
    /// The number of each element among those of its parent with the same path, and how many there are.
    numbers: Vec<(u64, u64)>,
}

impl Places {
    pub(super) fn of(page: &Page) -> Self {
        let mut paths: Vec<u64> = Vec::with_capacity(page.nodes().len());
        let mut counts: HashMap<(Option<NodeId>, u64), u64> = HashMap::new();
        let mut numbers = Vec::with_capacity(page.nodes().len());
        for node in page.node_ids() {
            let parent = page.nodes()[node.index()].parent;
            let around = parent.map_or(0, |parent| paths[parent.index()]);
            let path = xxh3_64_with_seed(label(page, node).as_bytes(), around);
            let count = counts.entry((parent, path)).or_default();
            paths.push(path);
            numbers.push((*count, 0));
            *count += 1;
        }
        for node in page.node_ids() {
            let key = (page.nodes()[node.index()].parent, paths[node.index()]);
            numbers[node.index()].1 = counts.get(&key).copied().unwrap_or_default();
        }
        Self { paths, numbers }
    }

    /// The places of each sentence.
    pub(super) fn of_sentences(&self, sentences: &[Sentence<'_>]) -> Vec<Vec<u32>> {
        let key = |sentence: &Sentence<'_>| (sentence.is_title, sentence.node);
        let mut counts: HashMap<(bool, Option<NodeId>), u64> = HashMap::new();
        sentences.iter().for_each(|sentence| *counts.entry(key(sentence)).or_default() += 1);
        let mut before: HashMap<(bool, Option<NodeId>), u64> = HashMap::new();
        let of = |sentence: &Sentence<'_>| {
            let number = before.entry(key(sentence)).or_default();
            let left = counts.get(&key(sentence)).map_or(0, |count| count - *number);
            let (path, mut places) = match sentence.node {
                _ if sentence.is_title => (TITLE, vec![place(PATH, TITLE, 0)]),
                None => (0, vec![place(PATH, 0, 0)]),
                Some(node) => (self.paths[node.index()], self.hashed(node, self.paths[node.index()])),
            };
            places.extend([place(SENTENCE, path, *number), place(LAST_SENTENCE, path, left)]);
            *number += 1;
            places
        };
        sentences.iter().map(of).collect()
    }

    /// The places of the link or image of an element.
    pub(super) fn of_resource(&self, node: NodeId) -> Vec<u32> {
        self.hashed(node, xxh3_64_with_seed(&self.paths[node.index()].to_le_bytes(), RESOURCE))
    }

    fn hashed(&self, node: NodeId, path: u64) -> Vec<u32> {
        let (number, count) = self.numbers[node.index()];
        vec![place(PATH, path, 0), place(FIRST, path, number), place(LAST, path, count - number)]
    }
}

fn place(sort: u64, path: u64, number: u64) -> u32 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&path.to_le_bytes());
    bytes[8..].copy_from_slice(&number.to_le_bytes());
    xxh3_64_with_seed(&bytes, sort) as u32
}

/// The name of an element, with its first classes, and its id if it holds others.
fn label(page: &Page, node: NodeId) -> String {
    let tag = page.tag(node);
    let mut label = tag.to_owned();
    if matches!(tag, "html" | "body" | "main" | "article") {
        return label;
    }
    let classes = page.attribute(node, "class").unwrap_or_default();
    for class in classes.split_whitespace().take(MOST_CLASSES) {
        label.push('.');
        label.extend(without_digits(class));
    }
    let holds_others = matches!(
        tag,
        "div" | "section" | "aside" | "header" | "footer" | "nav" | "ul" | "ol" | "dl" | "table" | "form"
    );
    if let Some(id) = page.attribute(node, "id").filter(|_| holds_others) {
        label.push('#');
        label.extend(without_digits(id));
    }
    label
}

fn without_digits(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|char| !char.is_ascii_digit())
}
