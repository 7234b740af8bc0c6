//! What was added here and removed there: is it the same block?
//!
//! Everything that found no partner at its place is held against everything else that did not:
//! equal subtrees first, however deep they stand in what came or went (a list that was wrapped in
//! a box, say), then the most alike ones by the paper's similarity. What is still left over and has
//! its exact like on the older page was copied.

use hashbrown::{HashMap, HashSet};

use super::pair::{Budget, NodePair, Pairing};
use super::side::Side;
use super::taken::Taken;
use super::walk::{Loose, Record, Trail};
use crate::degree::vocabulary::WordId;
use crate::page::NodeId;
use crate::region::finding::RegionKind;
use crate::region::similarity::intersect;
use crate::sides::Sides;

/// Smaller subtrees are found everywhere, and say nothing about where they came from.
const LEAST_WORDS: usize = 4;
const LEAST_NODES: usize = 6;
/// A block that moved and was changed has at least this share of its words in common.
const LEAST_INTERSECT: f64 = 0.5;
/// A word is rare if it stands in so many loose blocks at most.
const RARE: usize = 4;

/// Joins what was removed and what was added, where it is the same.
pub(super) fn join(trail: &mut Trail, pairing: &Pairing<'_, '_>, budget: &mut Budget) {
    let mut moves = Moves { pairing, loose: std::mem::take(&mut trail.loose), gone: HashSet::new() };
    // What was put into another block is accounted for.
    let mut taken = Sides::<Taken>::default();
    for Record { pair, .. } in trail.records.iter().filter(|record| record.kind == RegionKind::Moved) {
        taken.older.take(&pairing.sides.older, pair.0);
        taken.newer.take(&pairing.sides.newer, pair.1);
    }
    moves.join_equal(taken);
    moves.join_alike(budget);
    moves.note_copies();
    let Moves { mut loose, gone, .. } = moves;
    let mut index = 0;
    loose.retain(|_| {
        index += 1;
        !gone.contains(&(index - 1))
    });
    trail.loose = loose;
}

struct Moves<'a, 'b, 'page> {
    pairing: &'a Pairing<'b, 'page>,
    loose: Vec<Loose>,
    /// Loose ends that became part of others.
    gone: HashSet<usize>,
}

impl Moves<'_, '_, '_> {
    fn of(&self, kind: RegionKind) -> Vec<usize> {
        (0..self.loose.len()).filter(|&at| self.loose[at].kind == kind && !self.gone.contains(&at)).collect()
    }

    /// Equal subtrees of what was removed and what was added, the outermost first.
    fn join_equal(&mut self, mut taken: Sides<Taken>) {
        let (older, newer) = (&self.pairing.sides.older, &self.pairing.sides.newer);
        let (removed, added) = (self.of(RegionKind::Removed), self.of(RegionKind::Added));
        if removed.is_empty() || added.is_empty() {
            return;
        }
        let mut places: HashMap<u64, Vec<(NodeId, usize)>> = HashMap::new();
        for &at in added.iter().rev() {
            let Some(root) = self.loose[at].newer else { continue };
            for node in subtree(newer, root).rev().filter(|node| is_telling(newer, *node)) {
                places.entry(newer.hash(node)).or_default().push((node, at));
            }
        }
        let mut found: Vec<(NodePair, usize, usize)> = Vec::new();
        for &at in &removed {
            let Some(root) = self.loose[at].older else { continue };
            let mut skip_to = root;
            for node in subtree(older, root) {
                if node < skip_to || !is_telling(older, node) || !taken.older.is_free(older, node) {
                    continue;
                }
                let Some(candidates) = places.get_mut(&older.hash(node)) else { continue };
                while let Some((other, added)) = candidates.pop() {
                    if taken.newer.is_free(newer, other) && older.is_same(node, newer, other) {
                        taken.newer.take(newer, other);
                        found.push(((node, other), at, added));
                        skip_to = NodeId(older.node(node).last.0 + 1);
                        break;
                    }
                }
            }
        }
        for ((node, other), removed, added) in found {
            self.loose.push(Loose {
                record: self.loose[added].record,
                kind: RegionKind::Moved,
                older: Some(node),
                newer: Some(other),
            });
            if self.loose[removed].older == Some(node) {
                self.gone.insert(removed);
            }
            if self.loose[added].newer == Some(other) {
                self.gone.insert(added);
            }
        }
    }

    /// Blocks of the same name that share most of their words.
    fn join_alike(&mut self, budget: &mut Budget) {
        let (older, newer) = (&self.pairing.sides.older, &self.pairing.sides.newer);
        let sets = |side: &Side<'_>,
                    list: Vec<usize>,
                    node: &dyn Fn(usize) -> Option<NodeId>|
         -> Vec<(usize, NodeId, Vec<WordId>)> {
            let each = list.into_iter().filter_map(|at| node(at).map(|node| (at, node, side.word_set(node))));
            each.filter(|(_, _, words)| words.len() >= LEAST_WORDS).collect()
        };
        let removed = sets(older, self.of(RegionKind::Removed), &|at| self.loose[at].older);
        let added = sets(newer, self.of(RegionKind::Added), &|at| self.loose[at].newer);
        if removed.is_empty() || added.is_empty() {
            return;
        }
        let mut places: HashMap<WordId, Vec<usize>> = HashMap::new();
        for (b, (_, _, words)) in added.iter().enumerate() {
            words.iter().for_each(|word| places.entry(*word).or_default().push(b));
        }
        let mut scored = Vec::new();
        for (a, (_, node, words)) in removed.iter().enumerate() {
            let rare = words.iter().filter_map(|word| places.get(word)).filter(|at| at.len() <= RARE);
            let candidates: HashSet<usize> = rare.flatten().copied().collect();
            for b in candidates {
                let (_, other, theirs) = &added[b];
                if older.name(*node) != newer.name(*other) || !budget.compare(words.len() + theirs.len()) {
                    continue;
                }
                let likeness = intersect(words, theirs);
                if likeness >= LEAST_INTERSECT {
                    scored.push((likeness, a, b));
                }
            }
        }
        scored.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        for (_, a, b) in scored {
            let (removed, added) = (removed[a].0, added[b].0);
            if !self.gone.contains(&removed)
                && self.loose[added].kind == RegionKind::Added
                && !self.gone.contains(&added)
            {
                self.gone.insert(removed);
                self.loose[added].kind = RegionKind::Moved;
                self.loose[added].older = self.loose[removed].older;
            }
        }
    }

    /// What is new and has its exact like on the older page.
    fn note_copies(&mut self) {
        let added = self.of(RegionKind::Added);
        if added.is_empty() {
            return;
        }
        let (older, newer) = (&self.pairing.sides.older, &self.pairing.sides.newer);
        let wanted: HashSet<u64> =
            added.iter().filter_map(|&at| self.loose[at].newer).map(|node| newer.hash(node)).collect();
        let mut originals: HashMap<u64, NodeId> = HashMap::new();
        for node in older.page.node_ids().filter(|node| wanted.contains(&older.hash(*node))) {
            originals.entry(older.hash(node)).or_insert(node);
        }
        for at in added {
            let Some(node) = self.loose[at].newer else { continue };
            if let Some(&original) = originals.get(&newer.hash(node))
                && older.is_same(original, newer, node)
                && newer.has_lone_words(newer.node(node).words)
            {
                self.loose[at].kind = RegionKind::Copied;
                self.loose[at].older = Some(original);
            }
        }
    }
}

/// Does a subtree have enough in it to be told from others?
fn is_telling(side: &Side<'_>, node: NodeId) -> bool {
    side.words_of(node).len() >= LEAST_WORDS || side.size(node) >= LEAST_NODES
}

fn subtree(side: &Side<'_>, root: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
    (root.0..=side.node(root).last.0).map(NodeId)
}
