//! driftline's detector: misses nothing, reports nothing that did not change.
//!
//! Both promises hold by construction. An exact ordered comparison of all words, elements and
//! attributes decides which aspects changed ([`Aspects`]); if none did, there are no regions, and
//! every aspect that did is found in a region, the whole page if need be. In between, equal
//! subtrees are skipped by hash, changed ones are paired and descended into, and what is left over
//! on both sides is added, removed, moved or copied. The paper's similarity pairs and grades; it
//! never decides whether something changed.

mod align;
mod aspects;
mod draft;
mod moves;
mod pair;
mod rehome;
mod resources;
mod side;
mod taken;
mod walk;
mod words;

use super::finding::{Aspects, Region, RegionKind, ResourceChange};
use super::grade;
use super::importance::{self, Importance};
use super::place::{Place, RegionChange};
use super::similarity::{Typedist, Weights};
use super::weights::AttributeWeights;
use crate::degree::edit::Edit;
use crate::degree::ied::{Costs, Operations};
use crate::degree::vocabulary::are_same;
use crate::page::{NodeId, Selectors, WordRange};
use crate::sides::Sides;
pub(crate) use draft::Draft;
use draft::{Drafts, drafts};
pub(crate) use pair::{Budget, Pairing, path};
pub use resources::{resource_nodes, resources};
pub(crate) use side::Input;
pub(crate) use side::Side;
use side::sides;
pub(crate) use words::total;
pub(super) use words::{Owners, changed as changed_words, operations};

/// The work that one detection may cost beyond the linear part, in words and elements looked at:
/// about a tenth of a second.
///
/// When it is spent, changed children are paired in their order instead of by their likeness, and
/// regions are graded by their roots alone. All that changed is still told.
pub const MOST_STEPS: usize = 1 << 24;

/// The most regions that are told. When there are more, every block with several changed parts is
/// told as one; when there are still more, the most important ones are told. Lost and gained
/// resources, the importance of the page and which aspects changed take all into account.
pub const MOST_REGIONS: usize = 1_000;

/// How changed regions are paired, graded and weighed.
#[derive(Debug, Clone)]
pub struct RegionOptions {
    /// How much paths, attributes and words count.
    pub weights: Weights,
    /// How paths are compared.
    pub typedist: Typedist,
    /// How much each attribute counts.
    pub attribute_weights: AttributeWeights,
    /// What is known of the page's site.
    pub site: importance::Site,
}

impl Default for RegionOptions {
    /// The paper's weights, and the form of [`Typedist`] that sees every difference.
    fn default() -> Self {
        Self {
            weights: Weights::PAPER,
            typedist: Typedist::Sum,
            attribute_weights: AttributeWeights::default(),
            site: importance::Site::default(),
        }
    }
}

/// Where two pages differ.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) changed: Aspects,
    pub(crate) regions: Vec<Region>,
    pub(crate) resources: Vec<ResourceChange>,
    pub(crate) importance: Importance,
    /// Was the work cut short by [`MOST_STEPS`], or are there more regions than are told?
    pub(crate) is_cut: bool,
    /// How many similarities of elements were computed.
    pub(crate) comparisons: u64,
    /// How many of the steps were used.
    pub(crate) steps: u64,
}

/// Finds where two pages differ.
pub(crate) fn detect(input: &Input<'_>, edits: &[Edit], costs: Costs, options: &RegionOptions) -> Found {
    let sides = sides(input);
    let changed = aspects::of_pages(&sides);
    if !changed.any() {
        return Found { importance: importance::of_title(input.pages), ..Found::default() };
    }
    let mut budget = Budget::new(MOST_STEPS);
    let pairing = Pairing { sides: &sides, options };
    let mut trail = walk::walk(&pairing, &mut budget);
    moves::join(&mut trail, &pairing, &mut budget);
    let Drafts { list, is_coarse } = drafts(&sides, &trail);
    let mut grading = Grading { sides: &sides, pairing: &pairing, changed, costs };
    let graded = grading.grade(list, edits, &mut budget);
    let selectors = Sides { older: Selectors::of(input.pages.older), newer: Selectors::of(input.pages.newer) };
    let resources = resources::changes(&sides, graded.iter().map(|graded| &graded.draft), &selectors);
    let importance::Scores { page: importance, regions } =
        importance::score(input.pages, &graded, edits, &resources, &options.site);
    let changed = graded.iter().fold(changed, |changed, graded| changed | graded.changed);
    let scored = most_important(graded.into_iter().zip(regions).collect());
    let regions: Vec<Region> =
        scored.into_iter().map(|(graded, importance)| graded.region(&sides, &selectors, importance)).collect();
    Found {
        changed,
        regions,
        resources,
        importance: importance.max(importance::of_title(input.pages)),
        is_cut: is_coarse || budget.is_spent,
        comparisons: budget.comparisons,
        steps: budget.spent(MOST_STEPS),
    }
}

/// At most [`MOST_REGIONS`], in the order of the page.
fn most_important(mut scored: Vec<(Graded, Importance)>) -> Vec<(Graded, Importance)> {
    if scored.len() > MOST_REGIONS {
        let mut ranks: Vec<(f64, f64, usize)> =
            scored.iter().enumerate().map(|(at, (graded, by))| (by.score, graded.severity, at)).collect();
        ranks.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        let mut is_kept = vec![false; scored.len()];
        ranks.iter().take(MOST_REGIONS).for_each(|&(_, _, at)| is_kept[at] = true);
        let mut kept = is_kept.into_iter();
        scored.retain(|_| kept.next().unwrap_or_default());
    }
    scored
}

/// A draft with its grade.
pub(crate) struct Graded {
    pub(super) draft: Draft,
    pub(super) changed: Aspects,
    similarity: f64,
    pub(super) severity: f64,
    pub(super) operations: Operations,
}

struct Grading<'a, 'page> {
    sides: &'a Sides<Side<'page>>,
    pairing: &'a Pairing<'a, 'page>,
    /// The aspects in which the pages differ.
    changed: Aspects,
    costs: Costs,
}

impl Grading<'_, '_> {
    fn grade(&mut self, drafts: Vec<Draft>, edits: &[Edit], budget: &mut Budget) -> Vec<Graded> {
        let pages = Sides { older: self.sides.older.page, newer: self.sides.newer.page };
        let operations = words::operations(pages, &drafts, edits);
        let mut graded: Vec<Graded> = drafts
            .into_iter()
            .zip(operations)
            .map(|(draft, operations)| self.grade_one(draft, operations, budget))
            .filter(|graded| graded.changed.any())
            .collect();
        self.complete(&mut graded, edits, budget);
        graded
    }

    fn grade_one(&self, draft: Draft, operations: Operations, budget: &mut Budget) -> Graded {
        let similarity = match (draft.kind, draft.older, draft.newer) {
            (RegionKind::Added | RegionKind::Removed | RegionKind::Copied, ..) => -1.0,
            (_, Some(older), Some(newer)) => grade::similarity(self.pairing, older, newer, budget),
            // Text without elements.
            (_, None, None) => self.pairing.likeness_of_words(),
            _ => -1.0,
        };
        let words = self.place_words(&draft);
        let longest = words.older.range().len().max(words.newer.range().len());
        let changed = self.aspects(&draft);
        let severity = match draft.kind {
            // The words were there before, in other elements.
            RegionKind::Added | RegionKind::Removed if !changed.content => {
                self.pairing.options.weights.alpha().max(grade::LEAST)
            }
            _ => grade::severity(similarity, &operations, self.costs, longest),
        };
        Graded { draft, changed, similarity, severity, operations }
    }

    fn place_words(&self, draft: &Draft) -> Sides<WordRange> {
        let none = WordRange { start: 0, end: 0 };
        if draft.is_text() {
            let all = |side: &Side<'_>| WordRange { start: 0, end: side.words.len() as u32 };
            return Sides { older: all(&self.sides.older), newer: all(&self.sides.newer) };
        }
        Sides {
            older: draft.older.map_or(none, |node| self.sides.older.node(node).words),
            newer: draft.newer.map_or(none, |node| self.sides.newer.node(node).words),
        }
    }

    /// Which aspects changed in a region: what the walk saw there, as far as the pages differ in it.
    fn aspects(&self, draft: &Draft) -> Aspects {
        let Aspects { content, structure, attributes, punctuation } = draft.evidence;
        let words = self.place_words(draft);
        let has_other_words = match draft.kind {
            RegionKind::Changed => {
                !are_same(&self.sides.older.words[words.older.range()], &self.sides.newer.words[words.newer.range()])
            }
            _ => self.sides.older.has_lone_words(words.older) || self.sides.newer.has_lone_words(words.newer),
        };
        let found = Aspects {
            content: content && has_other_words && self.changed.content,
            // The same words, but in other elements.
            structure: (structure || content && !has_other_words) && self.changed.structure,
            attributes: attributes && self.changed.attributes,
            punctuation,
        };
        if found.any() {
            return found;
        }
        // What the verdict on the page has no name for, such as attributes that two elements exchanged
        // while a third was added, is told as it was seen.
        let is_displaced = !matches!(draft.kind, RegionKind::Changed);
        if is_displaced && content && self.changed.content {
            return Aspects { content, ..found };
        }
        Aspects {
            content: false,
            structure: (structure || content) && self.changed.content,
            attributes: attributes && self.changed.structure,
            punctuation,
        }
    }

    /// Every aspect that changed stands in a region: if all else fails, in the whole page.
    fn complete(&self, graded: &mut Vec<Graded>, edits: &[Edit], budget: &mut Budget) {
        // Of two blocks that changed places, the words of the other one count as moved.
        if self.missing(graded).content {
            let displaced = |kind| matches!(kind, RegionKind::Moved | RegionKind::Reordered);
            for graded in graded.iter_mut().filter(|graded| displaced(graded.draft.kind)) {
                graded.changed.content = graded.draft.evidence.content;
            }
        }
        let missing = self.missing(graded);
        if missing.any() {
            let told = graded.iter().map(|graded| graded.operations);
            let untold = words::total(edits).without(told);
            let draft = Draft::whole(self.sides.older.roots().next(), self.sides.newer.roots().next(), missing);
            let page = Graded { changed: missing, ..self.grade_one(draft, untold, budget) };
            graded.insert(0, page);
        }
    }

    /// What changed and stands in no region yet.
    fn missing(&self, graded: &[Graded]) -> Aspects {
        let told = graded.iter().fold(Aspects::default(), |told, graded| told | graded.changed);
        Aspects {
            content: self.changed.content && !told.content,
            structure: self.changed.structure && !told.structure,
            attributes: self.changed.attributes && !told.attributes,
            punctuation: self.changed.punctuation && !told.punctuation,
        }
    }
}

impl Graded {
    /// The grade of a region, as far as it is scored by it.
    pub(super) fn of(region: &Region, changed: Aspects) -> Self {
        let node = |place: Option<&Place>| place.and_then(|place| place.node);
        let mut draft = Draft::whole(node(region.older()), node(region.newer()), changed);
        draft.kind = region.kind();
        let Region { similarity, severity, operations, .. } = *region;
        Self { draft, changed, similarity, severity, operations }
    }

    fn region(self, sides: &Sides<Side<'_>>, selectors: &Sides<Selectors<'_>>, importance: Importance) -> Region {
        let Self { draft, changed, similarity, severity, operations } = self;
        let is_whole = draft.is_text();
        let older = place(&sides.older, draft.older, is_whole, &selectors.older);
        let newer = place(&sides.newer, draft.newer, is_whole, &selectors.newer);
        let change = RegionChange::new(draft.kind, older, newer).expect("a draft has the places of its kind");
        Region { change, changed, similarity, severity, operations, importance }
    }
}

/// Where an element stands; of a page without elements, the whole of it.
fn place(side: &Side<'_>, node: Option<NodeId>, is_whole: bool, selectors: &Selectors<'_>) -> Option<Place> {
    match node {
        Some(node) => Some(Place {
            node: Some(node),
            path: side.page.path(node),
            selector: selectors.selector(node),
            words: side.node(node).words,
        }),
        None if is_whole => Some(Place {
            node: None,
            path: String::new(),
            selector: String::new(),
            words: WordRange { start: 0, end: side.words.len() as u32 },
        }),
        None => None,
    }
}
