//! Elements that flicker: what is learned of them, and which are folded.
//!
//! An element is known by its selector. Of each there is evidence for four kinds of difference, and each counts for itself:
//! a clock beside a price says nothing about the price. What is folded is only what is explained by kinds that are learned.
//! A page, or an element with more than half of its words, is never learned.

mod contents;
mod evidence;
mod flickering;
mod folds;
mod leaves;
mod reading;

use driftline::change::{Change, Sides};
use driftline::page::zone::Selector;
use driftline::page::{Page, Source};
use driftline::region::{Place, Region};
use driftline::time::Time;
use driftline_report::summary::resources;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::state::is_default;
use super::work::Work;
use evidence::{CLOSE, Evidence, LOOK, Moment};
pub(super) use flickering::{Age, FlickeringElement};
use folds::Folder;
use leaves::{Leaf, leaves};
use reading::{Answer, Difference, Extent, Reading};

/// Most elements that are remembered for one watch. Further ones are not learned.
const MOST_ELEMENTS: usize = 50;
/// A step between two answers with more elements whose words differ is a step to another page.
const MOST_WORDS: usize = 20;
/// Checks soon after one that is unclear, for one kept version.
const MOST_WAITS: u8 = 2;
/// Checks without such a look after one that nobody made in time.
const UNLOOKED: u8 = 10;
/// Changes in a row in which nothing flickered, until pages are fetched again only once.
const CALM: u8 = 3;

/// The elements of a page that flicker, and those that may.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Learned {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elements: Vec<Element>,
    /// Contents that learned elements had, the newest last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contents: Vec<u64>,
    /// Unclear answers since the last kept version.
    #[serde(skip_serializing_if = "is_default")]
    waits: u8,
    /// The time of the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    waited: Option<Time>,
    /// Unclear answers that are reported at once, because nobody looked soon after the last one.
    #[serde(skip_serializing_if = "is_default")]
    unlooked: u8,
    /// Reported changes in a row in which nothing flickered.
    #[serde(skip_serializing_if = "is_default")]
    calm: u8,
}

/// An element that flickers, or may.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Element {
    selector: String,
    extent: Extent,
    /// Its newest content; none if it was not on the page.
    reading: Option<Reading>,
    /// The time of the newest answer that had it.
    at: Time,
    evidence: Vec<Evidence>,
    /// Whether the first answer of this check has other words in it than the one before: it may be another element.
    #[serde(skip)]
    has_other_words: bool,
}

/// What of an element changes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flicker {
    /// Values of attributes, and queries of addresses.
    Attributes,
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
            Self::Attributes => "attributes",
            Self::Dates => "dates and counts",
            Self::Numbers => "numbers",
            Self::Words => "words",
        }
    }
}

/// What is left out of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// What is not archived for its own sake.
    Keeping,
    /// What is learned.
    Learned,
    /// What differs between the fetches of this check, too.
    Deferred,
}

impl Depth {
    fn leaves_out(self, evidence: &Evidence) -> bool {
        match self {
            Self::Keeping => evidence.is_unkept(),
            Self::Learned => evidence.is_folded(),
            Self::Deferred => evidence.is_deferred(),
        }
    }
}

/// The kinds of elements that are noticed between two answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notice {
    /// Attributes only.
    Attributes,
    /// Dates, numbers and attributes.
    Values,
    /// All kinds: both answers are of one check.
    Flips,
}

impl Notice {
    fn takes(self, difference: Difference) -> bool {
        match self {
            Self::Attributes => difference.text.is_none(),
            Self::Values => difference.text != Some(Flicker::Words),
            Self::Flips => true,
        }
    }
}

impl Element {
    /// The element is so in a new answer.
    fn see(&mut self, newer: Option<Reading>, now: Time, is_same_check: bool) {
        if newer.is_none() && !self.may_be_absent() {
            // An element of another design rests until that is back.
            return;
        }
        if !is_same_check {
            self.evidence.iter_mut().for_each(|evidence| evidence.begin(value(newer, evidence.flicker)));
            self.has_other_words = difference(self.reading, newer).text == Some(Flicker::Words);
        }
        let gap = now.microseconds().saturating_sub(self.at.microseconds());
        let moment = Moment { now, gap, is_same_check };
        let difference = difference(self.reading, newer);
        for flicker in difference.flickers() {
            let older = value(self.reading, flicker);
            self.evidence(flicker).change(older, value(newer, flicker), moment);
        }
        for evidence in &mut self.evidence {
            let is_other = difference.flickers().all(|flicker| flicker != evidence.flicker);
            // Whether dates changed beside other words is not known.
            let is_unclear =
                evidence.flicker != Flicker::Attributes && difference.text.is_some_and(|it| it > evidence.flicker);
            if is_other && !is_unclear {
                evidence.stay(value(newer, evidence.flicker), moment);
            }
        }
        (self.reading, self.at) = (newer, now);
    }

    fn may_be_absent(&self) -> bool {
        let is_whole = matches!(self.extent, Extent::Whole | Extent::Placed);
        is_whole && self.evidence.iter().any(|evidence| evidence.flicker == Flicker::Words && evidence.has(ABSENT))
    }

    /// Whether its words change by themselves, and did to what they are now.
    fn flickered_to(&self, now: Reading) -> bool {
        let is_it = |evidence: &Evidence| evidence.is_learned && evidence.has(value(Some(now), Flicker::Words));
        self.evidence.iter().any(|evidence| evidence.flicker == Flicker::Words && is_it(evidence))
    }

    fn evidence(&mut self, flicker: Flicker) -> &mut Evidence {
        let at = self.evidence.iter().position(|evidence| evidence.flicker == flicker);
        let at = at.unwrap_or_else(|| {
            self.evidence.push(Evidence::new(flicker));
            self.evidence.len() - 1
        });
        &mut self.evidence[at]
    }

    /// Whether a difference of it is left out.
    fn explains(&self, difference: Difference, depth: Depth) -> bool {
        let is_left_out =
            |flicker| self.evidence.iter().any(|evidence| evidence.flicker == flicker && depth.leaves_out(evidence));
        difference.flickers().all(is_left_out)
    }
}

/// The value of an element that is not on the page.
const ABSENT: u64 = 0;

fn value(reading: Option<Reading>, flicker: Flicker) -> u64 {
    reading.map_or(ABSENT, |reading| reading.value(flicker))
}

fn difference(older: Option<Reading>, newer: Option<Reading>) -> Difference {
    match (older, newer) {
        (Some(older), Some(newer)) => older.difference(newer),
        (None, None) => Difference::default(),
        _ => Difference::WORDS,
    }
}

impl Learned {
    /// The elements whose changes are folded: their selectors, and what of each.
    pub fn folded(&self) -> impl Iterator<Item = (&str, Flicker)> {
        self.evidence()
            .filter(|(_, evidence)| evidence.is_learned)
            .map(|(selector, evidence)| (selector, evidence.flicker))
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn evidence(&self) -> impl Iterator<Item = (&str, &Evidence)> {
        let elements = self.elements.iter();
        elements.flat_map(|element| element.evidence.iter().map(|evidence| (element.selector.as_str(), evidence)))
    }

    /// A digest of what is left out of comparisons.
    pub(super) fn digest(&self, depth: Depth) -> u64 {
        let is_left_out =
            |evidence: &Evidence| if depth == Depth::Keeping { evidence.is_unkept() } else { evidence.is_learned };
        let left_out = self.evidence().filter(|(_, evidence)| is_left_out(evidence));
        let text: String =
            left_out.map(|(selector, evidence)| format!("{selector}\n{}\n", evidence.flicker.name())).collect();
        xxh3_64(text.as_bytes())
    }

    /// The folded elements that no event names but those that are gone; from now on, this one does.
    pub(super) fn name(&mut self, event: &str, is_gone: &mut dyn FnMut(&str) -> bool) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for element in &mut self.elements {
            for evidence in element.evidence.iter_mut().filter(|evidence| evidence.is_learned) {
                if evidence.named.as_deref().is_none_or(&mut *is_gone) {
                    evidence.named = Some(event.to_owned());
                    if !names.contains(&element.selector) {
                        names.push(element.selector.clone());
                    }
                }
            }
        }
        names
    }

    /// A check begins: nothing differs between its fetches yet.
    pub(super) fn begin(&mut self, now: Time) {
        for element in &mut self.elements {
            element.evidence.iter_mut().for_each(Evidence::calm_down);
            element.has_other_words = false;
        }
        let Some(passed) = self.waited.map(|waited| waited.distance(now)) else { return };
        let is_look = passed <= CLOSE.cast_unsigned();
        self.unlooked = if is_look { 0 } else { UNLOOKED };
        if !is_look || passed >= LOOK.cast_unsigned() {
            self.waited = None;
        }
    }

    /// A check ends, and what it found is clear.
    pub(super) fn end(&mut self) {
        self.waited = None;
    }

    /// Notes which elements differ in a new answer, whose page is read as it is but for what the watch ignores.
    pub(super) fn observe(
        &mut self,
        source: Source<'_>,
        ignore: &[Selector],
        now: Time,
        is_same_check: bool,
        work: &mut Work,
    ) {
        if self.elements.is_empty() {
            return;
        }
        let (places, selectors) = self.selectors(|_| true);
        let answer = Answer::read(source, ignore, &selectors, work);
        for (selector, at) in places.into_iter().enumerate() {
            let element = &mut self.elements[at];
            let reading = answer.reading(selector, element.extent);
            element.see(reading, now, is_same_check);
            if let (Some(reading), [node]) = (reading, answer.nodes(selector))
                && element.flickered_to(reading)
            {
                contents::note(&mut self.contents, answer.page(), *node);
            }
        }
        self.forget();
    }

    /// Notes that the page is as it was.
    pub(super) fn rest(&mut self) {
        self.elements.iter_mut().flat_map(|element| &mut element.evidence).for_each(Evidence::rest);
        self.forget();
    }

    /// Forgets what did not change for long. Once words are forgotten, none is known by what it said.
    fn forget(&mut self) {
        let is_over =
            |evidence: &Evidence| evidence.flicker == Flicker::Words && evidence.is_learned && evidence.is_forgotten();
        if self.elements.iter().flat_map(|element| &element.evidence).any(is_over) {
            self.contents.clear();
        }
        for element in &mut self.elements {
            element.evidence.retain(|evidence| !evidence.is_forgotten());
        }
        self.elements.retain(|element| !element.evidence.is_empty());
    }

    /// Notes the elements in which two answers differ, if they are of these kinds and not known yet. Once there are too many,
    /// further ones are not learned: what is known stays.
    pub(super) fn notice(
        &mut self,
        (pages, change): (Sides<&Page>, &Change),
        answers: Sides<(Source<'_>, Time)>,
        ignore: &[Selector],
        kinds: Notice,
        work: &mut Work,
    ) {
        let is_known = |leaf: &Leaf| {
            self.elements.iter().any(|element| element.selector == leaf.selector && element.extent == leaf.extent)
        };
        let new: Vec<(Leaf, Selector)> = leaves(pages, change)
            .into_iter()
            .filter(|leaf| !is_known(leaf))
            .filter_map(|leaf| {
                let selector = leaf.selector.parse().ok()?;
                Some((leaf, selector))
            })
            .collect();
        if new.is_empty() {
            return;
        }
        let selectors: Vec<Selector> = new.iter().map(|(_, selector)| selector.clone()).collect();
        let [older, newer] =
            [answers.older.0, answers.newer.0].map(|source| Answer::read(source, ignore, &selectors, work));
        let mut found = Vec::new();
        for (at, (leaf, _)) in new.into_iter().enumerate() {
            let readings = [older.reading(at, leaf.extent), newer.reading(at, leaf.extent)];
            let difference = difference(readings[0], readings[1]);
            let is_hidden = newer.nodes(at).first().is_some_and(|node| newer.page().path(*node).contains("head;"));
            let is_part = !difference.is_none() && kinds.takes(difference) && !(is_hidden && difference.text.is_some());
            if is_part {
                found.push((leaf, readings, difference));
            }
        }
        let is_words = |difference: &Difference| difference.text == Some(Flicker::Words);
        let has_other_words = found.iter().filter(|(_, _, difference)| is_words(difference)).count() > MOST_WORDS;
        for (leaf, [older, newer], difference) in found {
            if !(has_other_words && is_words(&difference)) && self.has_room(answers.newer.1) {
                let Leaf { selector, extent } = leaf;
                let (at, evidence, has_other_words) = (answers.older.1, Vec::new(), false);
                let mut element = Element { selector, extent, reading: older, at, evidence, has_other_words };
                // Its own flicker is known only now, so that an absence counts too.
                let moment = Moment {
                    now: answers.newer.1,
                    gap: answers.newer.1.microseconds().saturating_sub(answers.older.1.microseconds()),
                    is_same_check: kinds == Notice::Flips,
                };
                for flicker in difference.flickers() {
                    element.evidence(flicker).change(value(older, flicker), value(newer, flicker), moment);
                }
                (element.reading, element.at) = (newer, answers.newer.1);
                self.elements.push(element);
            }
        }
    }

    /// Whether one element more can be remembered. Elements of another design, which are not on the page now, make room: those
    /// that are not learned before others, the longest absent one first.
    fn has_room(&mut self, now: Time) -> bool {
        if self.elements.len() >= MOST_ELEMENTS {
            let absent = (0..self.elements.len()).filter(|at| self.elements[*at].at < now);
            let is_learned = |element: &Element| element.evidence.iter().any(|evidence| evidence.is_learned);
            if let Some(at) = absent.min_by_key(|at| (is_learned(&self.elements[*at]), self.elements[*at].at)) {
                self.elements.remove(at);
            }
        }
        self.elements.len() < MOST_ELEMENTS
    }

    /// The selectors of elements that are left out between two versions: those in which nothing else differs.
    pub(super) fn folds(
        &self,
        sources: Sides<Source<'_>>,
        ignore: &[Selector],
        depth: Depth,
        work: &mut Work,
    ) -> Vec<Selector> {
        let is_wanted = |element: &Element| element.evidence.iter().any(|evidence| depth.leaves_out(evidence));
        let (places, selectors) = self.selectors(is_wanted);
        if places.is_empty() {
            return Vec::new();
        }
        let [older, newer] =
            [sources.older, sources.newer].map(|source| Answer::read(source, ignore, &selectors, work));
        let elements: Vec<&Element> = places.into_iter().map(|at| &self.elements[at]).collect();
        let folder = Folder::new(Sides { older: &older, newer: &newer }, &elements, &selectors, depth);
        let folded = (0..elements.len()).filter(|at| folder.is_folded(*at));
        folded.map(|at| selectors[at].clone()).collect()
    }

    /// The selectors of elements of any design whose contents are known to flicker, on both versions.
    pub(super) fn known_folds(
        &self,
        sources: Sides<Source<'_>>,
        ignore: &[Selector],
        work: &mut Work,
    ) -> Vec<Selector> {
        contents::folds(&self.contents, sources, ignore, work)
    }

    fn selectors(&self, is_wanted: impl Fn(&Element) -> bool) -> (Vec<usize>, Vec<Selector>) {
        let wanted = self.elements.iter().enumerate().filter(|(_, element)| is_wanted(element));
        wanted.filter_map(|(at, element)| Some((at, element.selector.parse().ok()?))).unzip()
    }

    /// Whether words differ between the fetches of this check as they never did before.
    pub(super) fn has_new_words(&self) -> bool {
        self.evidence().any(|(_, evidence)| evidence.is_new)
    }

    /// Whether something differs between the fetches of this check.
    pub(super) fn is_unstable(&self) -> bool {
        self.evidence().any(|(_, evidence)| evidence.is_unstable)
    }

    /// Whether one fetch more may show that something is another one in each.
    pub(super) fn is_nearly_learned(&self) -> bool {
        self.evidence().any(|(_, evidence)| evidence.is_nearly_learned())
    }

    /// Whether a look soon would show whether dates that changed just now are those of a clock.
    pub(super) fn may_be_clocks(&self, now: Time) -> bool {
        self.evidence().any(|(_, evidence)| evidence.may_be_clock(now))
    }

    /// Whether an unclear answer may wait for the next one: not for long, and not if nobody looks.
    pub(super) fn may_wait(&self, now: Time) -> bool {
        self.unlooked == 0 && (self.waits < MOST_WAITS || self.is_waiting(now))
    }

    /// Notes that an unclear answer waits for a look soon. Checks that are nearer to each other than that are one.
    pub(super) fn wait(&mut self, now: Time) {
        if !self.is_waiting(now) {
            self.waits += 1;
            self.waited = Some(now);
        }
    }

    fn is_waiting(&self, now: Time) -> bool {
        self.waited.is_some_and(|waited| waited.distance(now) < LOOK.cast_unsigned())
    }

    /// Notes that an answer is kept and reported.
    pub(super) fn settle(&mut self) {
        self.waits = 0;
        self.unlooked = self.unlooked.saturating_sub(1);
        self.calm = if self.is_unstable() { 0 } else { self.calm.saturating_add(1).min(CALM) };
    }

    /// Whether the last changes of the page were all there in each fetch.
    pub(super) fn is_calm(&self) -> bool {
        self.calm == CALM
    }
}

/// Whether dates, times and counts are all that a reader sees differ.
pub(super) fn are_dates(pages: Sides<&Page>, change: &Change) -> bool {
    let text = |region: &Region| {
        let node = |place: Option<&Place>| place?.node;
        let (older, newer) = (node(region.older())?, node(region.newer())?);
        let read = |page, node| reading::read(page, node, Extent::Whole, &|_| false);
        Some(read(pages.older, older).difference(read(pages.newer, newer)).text)
    };
    let texts: Vec<_> = change.regions.iter().map(text).collect();
    let is_dates = |text: &Option<Option<Flicker>>| matches!(text, Some(None | Some(Flicker::Dates)));
    change.title.is_none()
        && !resources::has_shown(change)
        && texts.contains(&Some(Some(Flicker::Dates)))
        && texts.iter().all(is_dates)
}
