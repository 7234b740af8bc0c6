//! The words of two versions that change by themselves, or are ignored: an edit is not made of them.
//!
//! A clock is known by its element in the older design. In the newer one it is known by the sentence around it, which is
//! the same but for the time.

use std::collections::HashSet;

use driftline::change::Sides;
use driftline::page::zone::Selector;
use driftline::page::{NodeId, Normaliser, Page, Recipe, Source};

use super::sentences;
use crate::check::learned::{Flicker, Known, Learned, Spot};

/// What of a version changes by itself.
#[derive(Debug, Clone, Default)]
pub(in crate::check) struct Flickering {
    /// By word.
    words: Vec<bool>,
    /// By element: whether all of it does.
    nodes: Vec<bool>,
}

impl Flickering {
    /// What of the versions of a page changes by itself, or is ignored. The recipe has no zones.
    pub(in crate::check) fn of(
        sources: Sides<Source<'_>>,
        recipe: &Recipe,
        ignore: &[Selector],
        learned: &Learned,
    ) -> Sides<Self> {
        let mut older = learned.spots(sources.older, recipe, Known::Learned);
        let mut newer = learned.spots(sources.newer, recipe, Known::Seen);
        if !ignore.is_empty() {
            older.extend(ignored(sources.older, recipe, ignore));
            newer.extend(ignored(sources.newer, recipe, ignore));
        }
        if older.is_empty() && newer.is_empty() {
            return Sides { older: Self::default(), newer: Self::default() };
        }
        let pages = Sides { older: Page::read(sources.older, recipe), newer: Page::read(sources.newer, recipe) };
        let mut both =
            Sides { older: Self::of_words(&pages.older, &older), newer: Self::of_words(&pages.newer, &newer) };
        for flicker in [Flicker::Dates, Flicker::Numbers] {
            let masked = |source, page| Masked::read(source, page, recipe, flicker);
            let (before, after) = (masked(sources.older, &pages.older), masked(sources.newer, &pages.newer));
            both.older.add(&pages.older, &older, &before, flicker);
            both.newer.add(&pages.newer, &newer, &after, flicker);
            let known: HashSet<Vec<String>> = before.sentences(&both.older.words).collect();
            after.note(&known, &mut both.newer.words);
        }
        both
    }

    /// The elements of which any words change.
    fn of_words(page: &Page, spots: &[Spot]) -> Self {
        let mut it = Self { words: vec![false; page.word_count()], nodes: vec![false; page.nodes().len()] };
        for spot in spots.iter().filter(|spot| spot.flicker == Flicker::Words) {
            own_words(page, *spot).for_each(|word| it.words[word] = true);
            let last = if spot.is_own { spot.node } else { page.nodes()[spot.node.index()].last };
            it.nodes[spot.node.index()..=last.index()].fill(true);
        }
        it
    }

    /// The elements of which only dates or numbers change.
    fn add(&mut self, page: &Page, spots: &[Spot], masked: &Masked, flicker: Flicker) {
        for spot in spots.iter().filter(|spot| spot.flicker == flicker) {
            own_words(page, *spot).filter(|word| masked.words[*word]).for_each(|word| self.words[word] = true);
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

/// The elements that a watch ignores: any words of them may change.
fn ignored(source: Source<'_>, recipe: &Recipe, ignore: &[Selector]) -> impl Iterator<Item = Spot> {
    let nodes = Page::read_and_find(source, recipe, ignore).1.into_iter().flatten();
    nodes.map(|node| Spot { node, is_own: false, flicker: Flicker::Words })
}

/// The numbers of the words of an element.
fn own_words(page: &Page, spot: Spot) -> impl Iterator<Item = usize> {
    let inner = spot.is_own.then(|| page.children(spot.node)).into_iter().flatten();
    let inner: Vec<_> = inner.map(|child| page.nodes()[child.index()].words.range()).collect();
    page.nodes()[spot.node.index()].words.range().filter(move |word| !inner.iter().any(|range| range.contains(word)))
}

/// A page read with all dates the same, or all numbers too.
struct Masked {
    page: Page,
    /// By word of the page as it is: whether it is another one here.
    words: Vec<bool>,
    /// By word of this page: the first of the page as it is, and the one after its last.
    places: Vec<(usize, usize)>,
}

impl Masked {
    fn read(source: Source<'_>, page: &Page, recipe: &Recipe, flicker: Flicker) -> Self {
        let dates = recipe.normalisers.with(Normaliser::Dates).with(Normaliser::Counters);
        let normalisers = if flicker == Flicker::Dates { dates } else { dates.with(Normaliser::Numbers) };
        let masked = Page::read(source, &Recipe { normalisers, ..recipe.clone() });
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

    /// Its sentences, with the words of each by their numbers on the page as it is.
    fn all(&self) -> impl Iterator<Item = (Vec<String>, std::ops::Range<usize>)> {
        sentences::of(&self.page).into_iter().filter_map(|sentence| {
            let end = sentence.first + sentence.forms.len();
            let range = self.places.get(sentence.first)?.0..self.places.get(end.checked_sub(1)?)?.1;
            Some((sentence.forms.iter().map(|form| (*form).to_owned()).collect(), range))
        })
    }

    /// The sentences in which dates or numbers change by themselves. Those of nothing else say nothing.
    fn sentences(&self, flickering: &[bool]) -> impl Iterator<Item = Vec<String>> {
        let is_one = |word: usize| self.words[word] && flickering[word];
        self.all().filter_map(move |(forms, words)| {
            let has_others = words.clone().any(|word| !self.words[word]);
            (has_others && words.clone().any(is_one)).then_some(forms)
        })
    }

    /// Notes the words that change in the same sentences.
    fn note(&self, known: &HashSet<Vec<String>>, flickering: &mut [bool]) {
        for (_, words) in self.all().filter(|(forms, _)| known.contains(forms)) {
            words.filter(|word| self.words[*word]).for_each(|word| flickering[word] = true);
        }
    }
}
