//! Which region do the changed words belong to? The innermost one around them.

use std::ops::Range;

use super::draft::Draft;
use crate::degree::edit::{Edit, EditKind};
use crate::degree::ied::Operations;
use crate::page::{NodeId, Page};
use crate::region::finding::RegionKind;
use crate::sides::Sides;

/// The operations of each draft: every changed word counts once, where a reader looks for it.
pub(crate) fn operations(pages: Sides<&Page>, drafts: &[Draft], edits: &[Edit]) -> Vec<Operations> {
    let of = |draft: &Draft| (draft.kind != RegionKind::Copied).then_some(draft.older).flatten();
    let older = Owners::new(drafts.iter().map(|draft| span(pages.older, of(draft), draft.is_text())));
    let newer = Owners::new(drafts.iter().map(|draft| span(pages.newer, draft.newer, draft.is_text())));
    let mut operations = vec![Operations::default(); drafts.len()];
    for edit in edits {
        for offset in 0..edit.len() as u32 {
            let at =
                |words: Option<Range<u32>>, owners: &Owners| words.and_then(|words| owners.of(words.start + offset));
            if let Some(owner) = at(edit.newer(), &newer).or_else(|| at(edit.older(), &older)) {
                *count(&mut operations[owner], edit.kind()) += 1;
            }
        }
    }
    operations
}

/// The words that came or went in each draft, by number: those of the innermost draft around them.
/// Words that only moved are not among them.
pub(crate) fn changed<'a>(
    pages: Sides<&Page>,
    drafts: impl Iterator<Item = &'a Draft> + Clone,
    edits: &[Edit],
) -> Vec<Sides<Vec<u32>>> {
    let older = Owners::new(drafts.clone().map(|draft| span(pages.older, draft.older, draft.is_text())));
    let newer = Owners::new(drafts.clone().map(|draft| span(pages.newer, draft.newer, draft.is_text())));
    let mut changed: Vec<Sides<Vec<u32>>> = drafts.map(|_| Sides::default()).collect();
    for edit in edits.iter().filter(|edit| edit.kind() != EditKind::Move) {
        for word in edit.older().into_iter().flatten() {
            if let Some(owner) = older.of(word) {
                changed[owner].older.push(word);
            }
        }
        for word in edit.newer().into_iter().flatten() {
            if let Some(owner) = newer.of(word) {
                changed[owner].newer.push(word);
            }
        }
    }
    changed
}

/// The words of an element; of a page without elements, all.
fn span(page: &Page, node: Option<NodeId>, is_whole: bool) -> Option<Range<u32>> {
    let of = |node: NodeId| {
        let words = page.nodes()[node.index()].words;
        words.start..words.end
    };
    node.map(of).or(is_whole.then_some(0..page.word_count() as u32))
}

/// All operations of the edits.
pub(crate) fn total(edits: &[Edit]) -> Operations {
    let mut total = Operations::default();
    for edit in edits {
        *count(&mut total, edit.kind()) += edit.len();
    }
    total
}

fn count(operations: &mut Operations, kind: EditKind) -> &mut usize {
    match kind {
        EditKind::Add => &mut operations.add,
        EditKind::Drop => &mut operations.drop,
        EditKind::Copy => &mut operations.copy,
        EditKind::Shrink => &mut operations.shrink,
        EditKind::Replace => &mut operations.replace,
        EditKind::Move => &mut operations.moved,
    }
}

/// The innermost of nested ranges around each word or each element: where an owner begins, and who it is.
pub(crate) struct Owners {
    turns: Vec<(u32, Option<usize>)>,
}

impl Owners {
    pub(crate) fn new(spans: impl Iterator<Item = Option<Range<u32>>>) -> Self {
        let mut spans: Vec<(Range<u32>, usize)> =
            spans.enumerate().filter_map(|(owner, span)| span.map(|span| (span, owner))).collect();
        spans.retain(|(span, _)| !span.is_empty());
        // Outer spans first; of equal ones, the later is the inner.
        spans.sort_by_key(|(span, owner)| (span.start, std::cmp::Reverse(span.end), *owner));
        let mut turns: Vec<(u32, Option<usize>)> = Vec::new();
        let mut open: Vec<(u32, usize)> = Vec::new();
        let close = |open: &mut Vec<(u32, usize)>, turns: &mut Vec<(u32, Option<usize>)>, until: u32| {
            while let Some(&(end, _)) = open.last().filter(|(end, _)| *end <= until) {
                open.pop();
                turns.push((end, open.last().map(|(_, owner)| *owner)));
            }
        };
        for (span, owner) in spans {
            close(&mut open, &mut turns, span.start);
            turns.push((span.start, Some(owner)));
            open.push((span.end, owner));
        }
        close(&mut open, &mut turns, u32::MAX);
        Self { turns }
    }

    /// The owner of a word or an element, by its position.
    pub(crate) fn of(&self, word: u32) -> Option<usize> {
        let behind = self.turns.partition_point(|(start, _)| *start <= word);
        self.turns[..behind].last().and_then(|(_, owner)| *owner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_belongs_to_the_innermost_span() {
        let owners = Owners::new([Some(0..10), Some(2..8), None, Some(2..4), Some(4..4), Some(12..13)].into_iter());
        let found: Vec<_> = (0..14).map(|word| owners.of(word)).collect();
        let expected = [0, 0, 3, 3, 1, 1, 1, 1, 0, 0, 9, 9, 5, 9].map(|owner| Some(owner).filter(|owner| *owner != 9));
        assert_eq!(found, expected);
    }
}
