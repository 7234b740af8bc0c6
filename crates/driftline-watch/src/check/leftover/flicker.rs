//! The words of two versions that change by themselves, or are ignored: an edit is not made of them.
//!
//! A clock is known by its element in the older design. In the newer one it is known by the sentence around it, which is
//! the same but for dates or numbers, if both versions have that sentence equally often.

use std::collections::HashMap;
use std::ops::Range;

use driftline::change::Sides;
use driftline::page::zone::Selector;
use driftline::page::{NodeId, Normaliser, Page, ReadOptions, Source};

use super::sentences;
use crate::check::learned::{Age, Flicker, FlickeringElement, Learned};

/// What of a version changes by itself.
#[derive(Debug, Clone, Default)]
pub(in crate::check) struct Flickering {
    /// By word.
    words: Vec<bool>,
    /// By element: whether all of it does.
    nodes: Vec<bool>,
}

impl Flickering {
    /// What of the versions of a page changes by itself, or is ignored. The options have no zones.
    pub(in crate::check) fn of(
        sources: Sides<Source<'_>>,
        read_options: &ReadOptions,
        ignore: &[Selector],
        learned: &Learned,
    ) -> Sides<Self> {
        let mut older = learned.flickering(sources.older, read_options, Age::Older);
        let mut newer = learned.flickering(sources.newer, read_options, Age::Newer);
        if !ignore.is_empty() {
            older.extend(ignored(sources.older, read_options, ignore));
            newer.extend(ignored(sources.newer, read_options, ignore));
        }
        if older.is_empty() && newer.is_empty() {
            return Sides { older: Self::default(), newer: Self::default() };
        }
        let pages =
            Sides { older: Page::read(sources.older, read_options), newer: Page::read(sources.newer, read_options) };
        let mut both =
            Sides { older: Self::of_words(&pages.older, &older), newer: Self::of_words(&pages.newer, &newer) };
        for flicker in [Flicker::Dates, Flicker::Numbers] {
            let masked = |source, page| Masked::read(source, page, read_options, flicker);
            let (before, after) = (masked(sources.older, &pages.older), masked(sources.newer, &pages.newer));
            both.older.add(&pages.older, &older, &before, flicker);
            both.newer.add(&pages.newer, &newer, &after, flicker);
            before.carry_over(&both.older.words, &after, &mut both.newer.words);
        }
        both
    }

    /// The elements of which any words change.
    fn of_words(page: &Page, elements: &[FlickeringElement]) -> Self {
        let mut it = Self { words: vec![false; page.word_count()], nodes: vec![false; page.nodes().len()] };
        for element in elements.iter().filter(|element| element.flicker == Flicker::Words) {
            own_words(page, *element, |word| it.words[word] = true);
            let around = box_of(page, *element);
            let last =
                if element.is_own && around == element.node { around } else { page.nodes()[around.index()].last };
            it.nodes[around.index()..=last.index()].fill(true);
        }
        it
    }

    /// The elements of which only dates or numbers change.
    fn add(&mut self, page: &Page, elements: &[FlickeringElement], masked: &Masked, flicker: Flicker) {
        for element in elements.iter().filter(|element| element.flicker == flicker) {
            own_words(page, *element, |word| self.words[word] |= masked.words[word]);
        }
    }

    /// Whether a word changes by itself, by its number.
    pub(super) fn has_word(&self, number: usize) -> bool {
        self.words.get(number).copied().unwrap_or_default()
    }

    /// Whether all of an element does.
    pub(super) fn has_node(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).copied().unwrap_or_default()
    }
}

/// The outermost element that has no other words: the picture and the link of an advertisement are in it.
fn box_of(page: &Page, element: FlickeringElement) -> NodeId {
    let words = |node: NodeId| page.nodes()[node.index()].words.range();
    let own = words(element.node);
    if own.is_empty() || element.is_own && page.children(element.node).next().is_some() {
        return element.node;
    }
    let mut outer = element.node;
    while let Some(parent) = page.nodes()[outer.index()].parent.filter(|parent| words(*parent) == own) {
        outer = parent;
    }
    outer
}

/// The elements that a watch ignores: any words of them may change.
fn ignored(
    source: Source<'_>,
    read_options: &ReadOptions,
    ignore: &[Selector],
) -> impl Iterator<Item = FlickeringElement> {
    let nodes = Page::read_and_find(source, read_options, ignore).1.into_iter().flatten();
    nodes.map(|node| FlickeringElement { node, is_own: false, flicker: Flicker::Words })
}

/// Calls `note` with the number of each word of an element.
fn own_words(page: &Page, element: FlickeringElement, mut note: impl FnMut(usize)) {
    let all = page.nodes()[element.node.index()].words.range();
    let mut next = all.start;
    // Elements and their words are in the order of the page.
    for child in element.is_own.then(|| page.children(element.node)).into_iter().flatten() {
        let inner = page.nodes()[child.index()].words.range();
        (next..inner.start.max(next)).for_each(&mut note);
        next = next.max(inner.end);
    }
    (next..all.end.max(next)).for_each(&mut note);
}

/// A page read with all dates the same, or all numbers too.
struct Masked {
    page: Page,
    /// By word of the page as it is: whether it is another one here.
    words: Vec<bool>,
    /// By word of this page: the first word of the page as it is, and the one after its last.
    places: Vec<(usize, usize)>,
}

impl Masked {
    fn read(source: Source<'_>, page: &Page, read_options: &ReadOptions, flicker: Flicker) -> Self {
        let dates = read_options.normalisers.with(Normaliser::Dates).with(Normaliser::Counters);
        let normalisers = if flicker == Flicker::Dates { dates } else { dates.with(Normaliser::Numbers) };
        let masked = Page::read(source, &ReadOptions { normalisers, ..read_options.clone() });
        let spans = page.word_spans();
        let place = |span: &driftline::page::Span| {
            let first = spans.partition_point(|it| it.end <= span.start);
            (first, spans.partition_point(|it| it.start < span.end).max(first))
        };
        let places: Vec<(usize, usize)> = masked.word_spans().iter().map(place).collect();
        let forms: Vec<&str> = page.words().collect();
        let mut words = vec![true; spans.len()];
        for ((first, end), form) in places.iter().zip(masked.words()) {
            if end - first == 1 && forms[*first] == form {
                words[*first] = false;
            }
        }
        Self { page: masked, words, places }
    }

    /// Its sentences by their words: of each, where the words of this page are.
    fn sentences(&self) -> HashMap<Vec<&str>, Vec<Range<usize>>> {
        let mut sentences: HashMap<Vec<&str>, Vec<Range<usize>>> = HashMap::new();
        for sentence in sentences::of(&self.page) {
            let words = sentence.first..sentence.first + sentence.forms.len();
            sentences.entry(sentence.forms).or_default().push(words);
        }
        sentences
    }

    /// Notes the words of another version that stand where words change by themselves here, in the same sentence. A
    /// sentence of dates and numbers alone says nothing.
    fn carry_over(&self, flickering: &[bool], newer: &Self, found: &mut [bool]) {
        let flickers = |word: usize| self.originals(word).any(|word| self.words[word] && flickering[word]);
        let others = newer.sentences();
        for (forms, places) in self.sentences() {
            let Some(others) = others.get(&forms).filter(|others| others.len() == places.len()) else { continue };
            let says_something = places
                .iter()
                .cloned()
                .any(|words| words.flat_map(|it| self.originals(it)).any(|word| !self.words[word]));
            let pairs = places.into_iter().zip(others).filter(|_| says_something);
            for (own, other) in pairs.flat_map(|(words, others)| words.zip(others.clone())) {
                if flickers(own) {
                    newer.originals(other).for_each(|word| found[word] |= newer.words[word]);
                }
            }
        }
    }

    /// The words of the page as it is that a word of this page stands for.
    fn originals(&self, word: usize) -> Range<usize> {
        self.places.get(word).map_or(0..0, |(first, end)| *first..*end)
    }
}
