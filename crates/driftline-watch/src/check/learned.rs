//! Elements that flicker: what is learned of them, and which are folded.
//!
//! An element flickers if it changes back, or twice, between the fetches of one check, or changes in most checks by dates,
//! counts or numbers only. One that changes once while it is fetched may have been edited just then.
//! It is known by its selector and has a [`Flicker`], which says what of it is folded: a clock whose words change is
//! reported. A page, or an element with more than half of its words, is never learned.

use driftline::change::{Change, Sides};
use driftline::page::zone::Selector;
use driftline::page::{BodyKind, NodeId, Normaliser, Normalisers, Page, Recipe, Source};
use driftline::region::{Place, Region};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// Most elements that are remembered for one watch.
const MOST_ELEMENTS: usize = 50;
/// An element is forgotten after this many answers in which it stayed the same.
const MOST_STILL: u32 = 50;
/// A candidate that changes in fewer than half of this many answers is forgotten.
const TRIAL: u32 = 20;

/// The elements of a page that flicker, and those that may.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Learned {
    elements: Vec<Element>,
}

/// An element that flickers, or may.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Element {
    selector: String,
    flicker: Flicker,
    /// A digest of its newest content.
    content: u64,
    /// Whether it flickered between the fetches of one check.
    is_certain: bool,
    /// Answers since it was first noticed.
    answers: u32,
    /// Those of them in which it differed from the one before.
    changes: u32,
    /// Answers since its last change.
    still: u32,
    /// Whether a message has named it.
    is_reported: bool,
}

/// What of an element changes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flicker {
    /// Dates, times and counts.
    Dates,
    /// Numbers of any sort.
    Numbers,
    /// Any words.
    Words,
}

impl Flicker {
    /// What it is for people: `dates and counts`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dates => "dates and counts",
            Self::Numbers => "numbers",
            Self::Words => "words",
        }
    }

    /// What is the same on pages that are compared without it.
    fn normalisers(self) -> Normalisers {
        let dates = Normalisers::default().with(Normaliser::Dates).with(Normaliser::Counters);
        if self == Self::Dates { dates } else { dates.with(Normaliser::Numbers) }
    }

    /// Number of changes in a row of answers that make an element one that flickers.
    fn least_changes(self) -> u32 {
        match self {
            Self::Dates => 2,
            Self::Numbers | Self::Words => 5,
        }
    }
}

impl Element {
    fn new(selector: &str, flicker: Flicker, content: u64, is_certain: bool) -> Self {
        let selector = selector.to_owned();
        Self { selector, flicker, content, is_certain, answers: 1, changes: 1, still: 0, is_reported: false }
    }

    /// Whether it changes so often that its changes are folded: numbers that change rarely are news.
    fn is_folded(&self) -> bool {
        self.is_certain || self.changes >= self.flicker.least_changes() && self.changes * 3 > self.answers * 2
    }

    fn is_forgotten(&self) -> bool {
        self.still >= MOST_STILL || !self.is_certain && self.answers >= TRIAL && self.changes * 2 < self.answers
    }
}

impl Learned {
    /// The elements whose changes are folded: their selectors, and what of each.
    pub fn folded(&self) -> impl Iterator<Item = (&str, Flicker)> {
        let folded = self.elements.iter().filter(|element| element.is_folded());
        folded.map(|element| (element.selector.as_str(), element.flicker))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The folded elements that no message has named; from now on, one has.
    pub(super) fn report(&mut self) -> Vec<String> {
        let new = self.elements.iter_mut().filter(|element| element.is_folded() && !element.is_reported);
        new.map(|element| {
            element.is_reported = true;
            element.selector.clone()
        })
        .collect()
    }

    /// Notes which elements differ in a new answer.
    pub(super) fn observe(&mut self, answer: Source<'_>) {
        if self.is_empty() {
            return;
        }
        let selectors = self.selectors(|_| true);
        let texts: Vec<Selector> = selectors.iter().map(|(_, selector)| selector.clone()).collect();
        let (page, found) = Page::read_and_find(answer, &Recipe::default(), &texts);
        for ((at, _), found) in selectors.iter().zip(&found) {
            // An element of another design rests until that is back.
            let Some(content) = only(found).map(|node| content(&page, node)) else { continue };
            let element = &mut self.elements[*at];
            let is_same = element.content == content;
            element.answers += 1;
            element.changes += u32::from(!is_same);
            element.still = if is_same { element.still + 1 } else { 0 };
            element.content = content;
        }
        self.elements.retain(|element| !element.is_forgotten());
    }

    /// Notes that the page is as it was.
    pub(super) fn rest(&mut self) {
        for element in &mut self.elements {
            element.answers += 1;
            element.still += 1;
        }
        self.elements.retain(|element| !element.is_forgotten());
    }

    /// The selectors of elements that are folded between two versions: all that flicker, unless more differs in them.
    pub(super) fn folds(&self, sources: Sides<Source<'_>>) -> Vec<Selector> {
        let folded = self.selectors(Element::is_folded);
        if folded.is_empty() {
            return Vec::new();
        }
        let selectors: Vec<Selector> = folded.iter().map(|(_, selector)| selector.clone()).collect();
        let find = |source| Page::read_and_find(source, &Recipe::default(), &selectors);
        let ((older, older_found), (newer, newer_found)) = (find(sources.older), find(sources.newer));
        let pages = Sides { older: &older, newer: &newer };
        let found = older_found.iter().zip(&newer_found);
        let folds = folded.into_iter().zip(found).filter(|((at, selector), (older, newer))| {
            let nodes = Sides { older: only(older), newer: only(newer) };
            is_fold(pages, nodes, selector, self.elements[*at].flicker)
        });
        folds.map(|((_, selector), _)| selector).collect()
    }

    /// Learns what flickers by the difference between two answers of one check. Says whether that is more than was known.
    pub(super) fn learn_between(&mut self, pages: Sides<&Page>, change: &Change, steps: &mut Steps<'_>) -> bool {
        let mut is_more = false;
        for region in &change.regions {
            let Some((page, node, place)) = element(pages, region) else { continue };
            let newest = region.place.newer.is_some().then(|| content(page, node));
            if !steps.are_flicker(&place.selector, newest) {
                continue;
            }
            let flicker = flicker(pages, region).unwrap_or(Flicker::Words);
            is_more |= self.add(Element::new(&place.selector, flicker, content(page, node), true));
        }
        is_more
    }

    /// Notes elements that differ between two versions by dates and counts or by numbers alone. Says whether these are all that
    /// differs, they are dates and counts, and one of them is noticed for the first time: it may be a clock.
    pub(super) fn notice(&mut self, pages: Sides<&Page>, change: &Change) -> bool {
        let (mut are_dates, mut is_new) = (change.title.is_none(), false);
        for region in &change.regions {
            let flicker = flicker(pages, region);
            are_dates &= flicker == Some(Flicker::Dates);
            if let (Some((page, node, place)), Some(flicker)) = (element(pages, region), flicker) {
                is_new |= self.add(Element::new(&place.selector, flicker, content(page, node), false));
            } else {
                are_dates = false;
            }
        }
        are_dates && is_new
    }

    /// Adds an element, or what is new of it. Says whether something is.
    fn add(&mut self, new: Element) -> bool {
        let known = self.elements.iter_mut().find(|element| element.selector == new.selector);
        if let Some(known) = known {
            let flicker = known.flicker.max(new.flicker);
            let is_more = new.is_certain && !known.is_certain || flicker != known.flicker;
            known.flicker = flicker;
            known.is_certain |= new.is_certain;
            return is_more;
        }
        if self.elements.len() == MOST_ELEMENTS {
            let stillest = (0..self.elements.len()).max_by_key(|at| self.elements[*at].still).unwrap_or_default();
            self.elements.remove(stillest);
        }
        self.elements.push(new);
        true
    }

    fn selectors(&self, is_wanted: impl Fn(&Element) -> bool) -> Vec<(usize, Selector)> {
        let wanted = self.elements.iter().enumerate().filter(|(_, element)| is_wanted(element));
        wanted.filter_map(|(at, element)| Some((at, element.selector.parse().ok()?))).collect()
    }
}

/// The steps from one answer of a check to the next.
pub(super) struct Steps<'a> {
    /// The last kept version.
    kept: Option<Source<'a>>,
    /// Selectors of the elements that differed in a step.
    differed: Vec<String>,
}

impl<'a> Steps<'a> {
    pub(super) fn since(kept: Option<Source<'a>>) -> Self {
        Self { kept, differed: Vec::new() }
    }

    /// Whether an element that differs in this step flickers: it is again as it was kept, or differed in a step before.
    fn are_flicker(&mut self, selector: &str, newest: Option<u64>) -> bool {
        if self.differed.iter().any(|differed| differed == selector) {
            return true;
        }
        self.differed.push(selector.to_owned());
        let (Some(kept), Ok(selector)) = (self.kept, selector.parse::<Selector>()) else { return false };
        let (page, found) = Page::read_and_find(kept, &Recipe::default(), &[selector]);
        match found.first().map(Vec::as_slice) {
            Some([node]) => newest == Some(content(&page, *node)),
            Some([]) => newest.is_none(),
            _ => false,
        }
    }
}

/// The only element that was found.
fn only(found: &[NodeId]) -> Option<NodeId> {
    <&[NodeId; 1]>::try_from(found).ok().map(|[node]| *node)
}

/// Whether an element is folded between two versions.
fn is_fold(pages: Sides<&Page>, nodes: Sides<Option<NodeId>>, selector: &Selector, flicker: Flicker) -> bool {
    // What is counted among its siblings is another element once one of them comes or goes.
    let is_counted = selector.as_str().contains(":nth-");
    match (nodes.older, nodes.newer) {
        (Some(older), Some(newer)) => {
            let is_placed = !is_counted || siblings(pages.older, older) == siblings(pages.newer, newer);
            is_placed
                && (flicker == Flicker::Words
                    || masked(pages.older, older, flicker) == masked(pages.newer, newer, flicker))
        }
        (None, None) => false,
        // An advertisement that is not shown at times.
        _ => flicker == Flicker::Words && !is_counted,
    }
}

fn siblings(page: &Page, node: NodeId) -> usize {
    page.nodes()[node.index()].parent.map_or(0, |parent| page.children(parent).count())
}

/// The element of a region that can be learned: not the page, nor most of it, nor something that nobody sees.
fn element<'a>(pages: Sides<&'a Page>, region: &'a Region) -> Option<(&'a Page, NodeId, &'a Place)> {
    let (page, place) = match (&region.place.newer, &region.place.older) {
        (Some(place), _) => (pages.newer, place),
        (None, Some(place)) => (pages.older, place),
        (None, None) => return None,
    };
    let node = place.node?;
    let words = (place.words.end - place.words.start) as usize;
    let is_seen = region.changed.content || words == 0 && !place.path.contains("head;");
    let is_part = page.nodes()[node.index()].level > 2 && words * 2 <= page.word_count();
    (is_seen && is_part).then_some((page, node, place))
}

/// What differs in a region that is on both versions: nothing but dates and counts, or nothing but numbers.
fn flicker(pages: Sides<&Page>, region: &Region) -> Option<Flicker> {
    let [older, newer] = [&region.place.older, &region.place.newer].map(|place| place.as_ref()?.node);
    let (older, newer) = (older?, newer?);
    let is_all = |flicker: &Flicker| masked(pages.older, older, *flicker) == masked(pages.newer, newer, *flicker);
    [Flicker::Dates, Flicker::Numbers].into_iter().find(is_all)
}

/// The words of an element without what flickers, and its attributes.
fn masked(page: &Page, node: NodeId, flicker: Flicker) -> Vec<String> {
    let recipe = Recipe { kind: Some(BodyKind::Text), normalisers: flicker.normalisers(), ..Recipe::default() };
    let text = Page::read(page.text_of(node), &recipe);
    text.words().map(str::to_owned).chain(attributes(page, node)).collect()
}

/// The attributes of an element and all in it, without digits; addresses as they are.
fn attributes(page: &Page, node: NodeId) -> impl Iterator<Item = String> {
    let all = (node.0..=page.nodes()[node.index()].last.0).map(NodeId);
    all.flat_map(|node| page.attributes(node)).map(|(name, value)| {
        let is_address = matches!(name, "href" | "src" | "srcset" | "action" | "poster" | "data");
        let value: String = value.chars().filter(|sign| is_address || !sign.is_ascii_digit()).collect();
        format!("{name}={value}")
    })
}

/// A digest of an element: its text and attributes.
fn content(page: &Page, node: NodeId) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(page.text_of(node).as_bytes());
    for node in (node.0..=page.nodes()[node.index()].last.0).map(NodeId) {
        page.attributes(node).flat_map(|(name, value)| [name, value]).for_each(|text| hasher.update(text.as_bytes()));
    }
    hasher.digest()
}
