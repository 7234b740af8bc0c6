//! Which blocks explain the change? The smallest ones, but not a list item by item.
//!
//! What changed in an element of text level (a link, a word in bold) is told of the block around
//! it. Where most entries of a list or a table changed, the list is told, not each entry.

use super::MOST_REGIONS;
use super::side::Side;
use super::walk::{Loose, Trail};
use crate::page::NodeId;
use crate::region::finding::{Aspects, RegionKind};
use crate::sides::Sides;

/// A list is told as one if at least so many of its entries changed, and more than half of them.
const LEAST_ENTRIES: usize = 3;

/// A region before it is graded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draft {
    pub(crate) kind: RegionKind,
    pub(crate) older: Option<NodeId>,
    pub(crate) newer: Option<NodeId>,
    pub(crate) evidence: Aspects,
    /// Where it stands among the others: the newer element, or the one around the older.
    rank: (NodeId, Option<NodeId>),
}

impl Draft {
    /// Is it the text of pages without elements?
    pub(crate) fn is_text(&self) -> bool {
        self.older.is_none() && self.newer.is_none()
    }

    /// The whole page.
    pub(crate) fn whole(older: Option<NodeId>, newer: Option<NodeId>, evidence: Aspects) -> Self {
        let rank = (newer.unwrap_or(NodeId(0)), older);
        Self { kind: RegionKind::Changed, older, newer, evidence, rank }
    }
}

/// What is told, and whether that is coarser than it might be.
pub(crate) struct Drafts {
    pub(crate) list: Vec<Draft>,
    pub(crate) is_coarse: bool,
}

/// How a record is told.
#[derive(Debug, Clone, Copy, Default)]
struct Telling {
    /// A block, told for itself; else what changed is told of the block around it.
    is_block: bool,
    /// What changed in itself and in what is not told for itself.
    own: Aspects,
    /// All that changed in it.
    below: Aspects,
    /// How many of its children changed.
    changed: usize,
    /// It is told with all that changed in it.
    is_whole: bool,
    /// It is told as part of a block around it.
    is_silent: bool,
}

/// The regions that a walk found.
pub(crate) fn drafts(sides: &Sides<Side<'_>>, trail: &Trail) -> Drafts {
    let fine = Teller { sides, trail }.tell(false);
    if fine.len() <= MOST_REGIONS {
        return Drafts { list: fine, is_coarse: false };
    }
    Drafts { list: Teller { sides, trail }.tell(true), is_coarse: true }
}

struct Teller<'a, 'page> {
    sides: &'a Sides<Side<'page>>,
    trail: &'a Trail,
}

impl Teller<'_, '_> {
    fn tell(&self, is_coarse: bool) -> Vec<Draft> {
        let tellings = self.tellings(is_coarse);
        let mut drafts = Vec::new();
        for (record, telling) in self.trail.records.iter().zip(&tellings) {
            let evidence = if telling.is_whole { telling.below } else { telling.own };
            if telling.is_block && !telling.is_silent && evidence.any() {
                let (older, newer) = record.pair;
                let rank = (newer, Some(older));
                drafts.push(Draft { kind: record.kind, older: Some(older), newer: Some(newer), evidence, rank });
            }
        }
        for loose in &self.trail.loose {
            let telling = loose.record.map_or_else(Telling::default, |record| tellings[record]);
            if self.is_block_of(loose) && !telling.is_silent && !telling.is_whole {
                let around = loose.record.map_or(NodeId(0), |record| self.trail.records[record].pair.1);
                let rank = (loose.newer.unwrap_or(around), loose.older);
                let Loose { kind, older, newer, .. } = *loose;
                drafts.push(Draft { kind, older, newer, evidence: self.evidence(loose), rank });
            }
        }
        drafts.sort_by_key(|draft| draft.rank);
        drafts
    }

    /// From the leaves up: what changed below; from the root down: what is told of what.
    fn tellings(&self, is_coarse: bool) -> Vec<Telling> {
        let records = &self.trail.records;
        let mut tellings: Vec<Telling> = records
            .iter()
            .map(|record| Telling {
                is_block: self.is_block(record.pair),
                below: record.evidence,
                ..Telling::default()
            })
            .collect();
        let mut passed_up: Vec<Aspects> = records.iter().map(|record| record.evidence).collect();
        for loose in &self.trail.loose {
            let Some(record) = loose.record else { continue };
            let telling = &mut tellings[record];
            let evidence = self.evidence(loose);
            telling.below |= evidence;
            telling.changed += 1;
            if !self.is_block_of(loose) {
                passed_up[record] |= evidence;
            }
        }
        for index in (0..records.len()).rev() {
            let telling = tellings[index];
            let (older, newer) = records[index].pair;
            tellings[index].is_whole = telling.changed >= LEAST_ENTRIES
                && (is_coarse && telling.is_block && self.is_inner(newer)
                    || self.is_list(newer) && telling.changed * 2 > self.entries(older, newer));
            tellings[index].below |= passed_up[index];
            let Some(parent) = records[index].parent else { continue };
            if !telling.is_block {
                let evidence = passed_up[index];
                passed_up[parent] |= evidence;
            }
            let below = tellings[index].below;
            tellings[parent].below |= below;
            tellings[parent].changed += usize::from(below.any());
        }
        for index in 0..records.len() {
            tellings[index].own = passed_up[index];
            if let Some(parent) = records[index].parent {
                tellings[index].is_silent = tellings[parent].is_silent || tellings[parent].is_whole;
            }
        }
        tellings
    }

    /// What a block that came, went or moved brings with it.
    fn evidence(&self, loose: &Loose) -> Aspects {
        let of = |side: &Side<'_>, node: NodeId| Aspects {
            content: !side.words_of(node).is_empty(),
            structure: true,
            attributes: (node.0..=side.node(node).last.0).any(|node| side.attributes(NodeId(node)).next().is_some()),
            punctuation: false,
        };
        let newer = loose.newer.map(|node| of(&self.sides.newer, node));
        newer.or_else(|| loose.older.map(|node| of(&self.sides.older, node))).unwrap_or_default()
    }

    fn is_block_of(&self, loose: &Loose) -> bool {
        match (loose.newer, loose.older) {
            (Some(newer), _) => is_block(&self.sides.newer, newer),
            (None, Some(older)) => is_block(&self.sides.older, older),
            (None, None) => false,
        }
    }

    fn is_block(&self, (older, newer): (NodeId, NodeId)) -> bool {
        is_block(&self.sides.older, older) || is_block(&self.sides.newer, newer)
    }

    fn entries(&self, older: NodeId, newer: NodeId) -> usize {
        self.sides.older.page.children(older).count().max(self.sides.newer.page.children(newer).count())
    }

    fn is_list(&self, node: NodeId) -> bool {
        let lists = [
            "table", "thead", "tbody", "tfoot", "tr", "ul", "ol", "dl", "menu", "dir", "select", "optgroup", "datalist",
        ];
        lists.contains(&self.sides.newer.page.tag(node))
    }

    /// Below the frame of the page, so that it can be told as one.
    fn is_inner(&self, node: NodeId) -> bool {
        !matches!(self.sides.newer.page.tag(node), "html" | "body" | "main")
    }
}

/// Is an element a block, or does it hold one?
fn is_block(side: &Side<'_>, node: NodeId) -> bool {
    side.page.is_block(node) || side.page.children(node).any(|child| side.page.is_block(child))
}
