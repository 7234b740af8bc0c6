//! What happened to each item between two versions of a feed? driftline's own answer.
//!
//! Items are paired one to one ([`MatchedBy`]); what is left on one side was added or removed. A
//! pair is modified if its title, text, link or markup differs; dates are not looked at, since many
//! generators write them anew each time. Reordered items are as few as explain the new order, so a
//! feed that got new items on top and lost old ones at the end has none.

use serde::Serialize;

use super::html::{Fields, field_options, plain};
use super::order::out_of_order;
use super::pair::{Pair, Paired, pair};
use super::similarity::{Lexicon, MOST_STEPS};
use super::{Feed, Item};
use crate::change::Change;
use crate::compare::Comparer;
use crate::degree::Degree;
use crate::degree::ied::Operations;
use crate::limit::Limit;
use crate::page::{Page, ReadOptions};
use crate::sides::Sides;

pub use super::pair::MatchedBy;

/// What differs between two versions of a feed.
#[derive(Debug, Clone, Default, Serialize)]
pub struct FeedChange {
    /// The items that changed: those of the newer feed in its order, then the removed ones.
    pub items: Vec<ItemChange>,
    /// How many items there are of each kind.
    pub counts: Counts,
    /// What cut the work short.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Limit>,
}

impl FeedChange {
    /// Did nothing happen to any item?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// How many items of two feeds had what happen to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// Only in the newer feed.
    pub added: usize,
    /// In both, with a difference.
    pub modified: usize,
    /// Only in the older feed.
    pub removed: usize,
    /// In both, out of order; modified ones among them.
    pub reordered: usize,
    /// In both, as they were and where they were.
    pub unmodified: usize,
}

/// What happened to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// It is new.
    Added,
    /// It says something else.
    Modified,
    /// It is gone.
    Removed,
    /// It says the same at another place among its neighbours.
    Reordered,
}

/// A part of an item that can differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The words of the title.
    Title,
    /// The words of summary and content.
    Text,
    /// The address.
    Link,
    /// Elements and attributes within title, summary and content.
    Markup,
}

/// An item that changed.
#[derive(Debug, Clone, Serialize)]
pub struct ItemChange {
    /// What happened.
    pub kind: ItemKind,
    /// Its place in the older feed, from 0.
    #[serde(rename = "old", skip_serializing_if = "Option::is_none")]
    pub older: Option<usize>,
    /// Its place in the newer feed, from 0.
    #[serde(rename = "new", skip_serializing_if = "Option::is_none")]
    pub newer: Option<usize>,
    /// Its title as people read it, the newer one if there are two.
    pub title: String,
    /// The address of its page, the newer one if there are two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// How the two versions were recognised as one item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<MatchedBy>,
    /// Does it stand at another place among its neighbours?
    pub reordered: bool,
    /// What differs in a modified item.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<Part>,
    /// What its words say.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub words: Option<WordChange>,
}

/// The words of a modified item.
#[derive(Debug, Clone, Serialize)]
pub struct WordChange {
    /// CS of the paper, from -1 to 1.
    pub similarity: f64,
    /// How much of title, summary and content changed, by driftline's headline metric.
    pub degree: Degree,
    /// How many words were changed in which way.
    pub operations: Operations,
    /// Title, summary and content as text.
    #[serde(skip)]
    pub pages: Sides<Page>,
    /// All that differs between them.
    #[serde(skip)]
    pub change: Change,
}

/// Compares two versions of a feed. The options say how the words of items are read: its word rule,
/// normalisers and ignored parts count.
#[must_use]
pub fn compare(older: &Feed, newer: &Feed, options: &ReadOptions, comparer: &mut Comparer) -> FeedChange {
    let Paired { pairs, is_cut, steps } = pair(&older.items, &newer.items, MOST_STEPS);
    comparer.spend(steps);
    let mut examiner = Examiner { options, fields: field_options(options), comparer, limits: Vec::new() };
    let mut change = FeedChange { items: examiner.pairs(older, newer, &pairs), ..FeedChange::default() };
    change.items.extend(singles(&newer.items, pairs.iter().map(|pair| pair.newer), ItemKind::Added));
    change.items.sort_by_key(|item| item.newer);
    change.items.extend(singles(&older.items, pairs.iter().map(|pair| pair.older), ItemKind::Removed));
    change.counts = count(&change.items, pairs.len());
    change.limits = [older.limits.as_slice(), &newer.limits, &examiner.limits].concat();
    change.limits.extend(is_cut.then_some(Limit::Resemblance));
    change.limits.sort_unstable();
    change.limits.dedup();
    change
}

fn count(items: &[ItemChange], pairs: usize) -> Counts {
    let of = |kind: ItemKind| items.iter().filter(|item| item.kind == kind).count();
    let (added, removed) = (of(ItemKind::Added), of(ItemKind::Removed));
    Counts {
        added,
        modified: of(ItemKind::Modified),
        removed,
        reordered: items.iter().filter(|item| item.reordered).count(),
        unmodified: pairs - (items.len() - added - removed),
    }
}

/// The items that are in no pair.
fn singles(items: &[Item], paired: impl Iterator<Item = usize>, kind: ItemKind) -> Vec<ItemChange> {
    let mut is_single = vec![true; items.len()];
    paired.for_each(|at| is_single[at] = false);
    let single = |at: usize| {
        let (older, newer) = if kind == ItemKind::Removed { (Some(at), None) } else { (None, Some(at)) };
        ItemChange { kind, older, newer, ..described(&items[at]) }
    };
    (0..items.len()).filter(|&at| is_single[at]).map(single).collect()
}

fn described(item: &Item) -> ItemChange {
    ItemChange {
        kind: ItemKind::Reordered,
        older: None,
        newer: None,
        title: plain(&item.title),
        link: item.link.clone(),
        matched: None,
        reordered: false,
        differs: Vec::new(),
        words: None,
    }
}

/// Looks at pairs of items.
struct Examiner<'a> {
    options: &'a ReadOptions,
    fields: ReadOptions,
    comparer: &'a mut Comparer,
    limits: Vec<Limit>,
}

impl Examiner<'_> {
    /// The pairs of which something is to be told.
    fn pairs(&mut self, older: &Feed, newer: &Feed, pairs: &[Pair]) -> Vec<ItemChange> {
        let places: Vec<usize> = pairs.iter().map(|pair| pair.newer).collect();
        let reordered = out_of_order(&places);
        let examined = pairs.iter().zip(reordered).filter_map(|(pair, reordered)| {
            let items = Sides { older: &older.items[pair.older], newer: &newer.items[pair.newer] };
            let (differs, words) = self.differences(items);
            if differs.is_empty() && !reordered {
                return None;
            }
            Some(ItemChange {
                kind: if differs.is_empty() { ItemKind::Reordered } else { ItemKind::Modified },
                older: Some(pair.older),
                newer: Some(pair.newer),
                matched: Some(pair.by),
                reordered,
                differs,
                words,
                ..described(items.newer)
            })
        });
        examined.collect()
    }

    fn differences(&mut self, items: Sides<&Item>) -> (Vec<Part>, Option<WordChange>) {
        let Sides { older, newer } = items;
        let is_same_text =
            older.title == newer.title && older.summary == newer.summary && older.content == newer.content;
        let mut differs = Vec::new();
        if is_same_text {
            differs.extend((older.link != newer.link).then_some(Part::Link));
            return (differs, None);
        }
        let fields = [older, newer].map(|item| Fields::read(item, &self.fields));
        let has_other_words = |of: fn(&Fields) -> &Page| !of(&fields[0]).words().eq(of(&fields[1]).words());
        let has_other_text = has_other_words(|fields| &fields.summary) || has_other_words(|fields| &fields.content);
        differs.extend(has_other_words(|fields| &fields.title).then_some(Part::Title));
        differs.extend(has_other_text.then_some(Part::Text));
        differs.extend((older.link != newer.link).then_some(Part::Link));
        differs.extend((fields[0].markup() != fields[1].markup()).then_some(Part::Markup));
        let words = (!differs.is_empty()).then(|| self.words(items, &fields));
        (differs, words)
    }

    fn words(&mut self, items: Sides<&Item>, fields: &[Fields; 2]) -> WordChange {
        let [older, newer] = fields.each_ref().map(|fields| fields.page(self.options));
        let change = self.comparer.compare(&older, &newer);
        self.limits.extend(&change.measurement.limits);
        let mut lexicon = Lexicon::new();
        let words = [items.older, items.newer].map(|item| lexicon.words(item));
        WordChange {
            similarity: words[0].similarity(&words[1]).cs(),
            degree: change.measurement.headline(),
            operations: change.measurement.operations,
            pages: Sides { older, newer },
            change,
        }
    }
}
