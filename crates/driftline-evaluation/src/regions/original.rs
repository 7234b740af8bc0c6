//! The approach that Artail and Fawaz improve on: Flesca and Masciari's ("CMW"), the baseline of their
//! figures 6 and 7.
//!
//! Each part of the older page is compared with every subtree of the newer one that has less than
//! four times as many elements, wherever it stands. All elements are compared with all, whatever
//! their tags, and the Hungarian algorithm pairs them one to one; the subtree with the highest mean
//! is the part's match. An element left without a partner counts -1, as in rule S8; no pair is cut
//! off by a threshold, for the papers name none. It costs the cube of the page's size and is here
//! only to be measured against.

use driftline::Limit;
use driftline::page::{NodeId, Page};
use driftline::region::comparison::{Comparison, Options};
use driftline::region::{Subtree, Subtrees};
use pathfinding::prelude::{Matrix, kuhn_munkres};

use super::counts::SIZE_FACTOR;

/// The most similarities kept for one part: 64 MiB. Enough for a part of 1,400 elements.
const MOST_CELLS: usize = 1 << 23;

/// What the baseline finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection {
    /// Is any part of the older page not fully alike to its match, or without one?
    pub changed: bool,
    /// What became of each part of the older page; none if no subtree was compared with it.
    pub subtrees: Vec<Option<Match>>,
    /// How many similarities of elements were computed.
    pub comparisons: u64,
    /// [`Limit::Similarity`] if subtrees were left out to stay within [`Options::most_steps`]:
    /// similarities are then too low, if anything.
    pub limit: Option<Limit>,
}

/// What became of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// The root of the most similar subtree of the newer page; the first of several.
    pub root: NodeId,
    /// How alike the two are, from -1 to 1.
    pub similarity: f64,
}

/// Compares the parts of two pages as the baseline does.
#[must_use]
pub fn detect(older: &Page, newer: &Page, options: &Options) -> Detection {
    let parts = Subtrees::of(older);
    let mut search = Search {
        candidates: candidates(newer),
        comparison: Comparison::new(older, newer, options),
        steps_left: options.most_steps,
        comparisons: 0,
        is_cut_short: false,
    };
    let subtrees: Vec<Option<Match>> = parts.rows.iter().map(|part| search.best(part)).collect();
    Detection {
        changed: subtrees.iter().any(|found| found.is_none_or(|found| found.similarity < 1.0)),
        subtrees,
        comparisons: search.comparisons,
        limit: (search.is_cut_short || search.comparison.is_cut_short()).then_some(Limit::Similarity),
    }
}

/// All subtrees below the body, by their first and last elements.
fn candidates(page: &Page) -> Vec<(u32, u32)> {
    let nodes = Subtrees::of(page).rows.into_iter().flat_map(|part| part.start.0..=part.end.0);
    nodes.map(|node| (node, page.nodes()[node as usize].last.0)).collect()
}

struct Search {
    candidates: Vec<(u32, u32)>,
    comparison: Comparison,
    steps_left: u64,
    comparisons: u64,
    is_cut_short: bool,
}

impl Search {
    fn best(&mut self, part: &Subtree) -> Option<Match> {
        let size = part.size();
        let small = |&(start, last): &(u32, u32)| ((last - start + 1) as usize) < SIZE_FACTOR * size;
        let candidates: Vec<(u32, u32)> = self.candidates.iter().copied().filter(small).collect();
        let mut best: Option<Match> = None;
        // A node's own subtree is the smallest that holds it: these are all nodes in question.
        let columns: Vec<u32> = candidates.iter().map(|&(start, _)| start).collect();
        let similarities = self.similarities(part, &columns)?;
        for (at, &(start, last)) in candidates.iter().enumerate() {
            let width = (last - start + 1) as usize;
            let (few, many) = (size.min(width) as u64, size.max(width) as u64);
            if few * few * many > self.steps_left {
                self.is_cut_short = true;
                break;
            }
            self.steps_left -= few * few * many;
            let similarity = assigned(&similarities, size, columns.len(), at..at + width);
            if best.is_none_or(|best| similarity > best.similarity) {
                best = Some(Match { root: NodeId(start), similarity });
            }
        }
        best
    }

    /// The similarity of every node of a part to every node of `columns`, row by row.
    fn similarities(&mut self, part: &Subtree, columns: &[u32]) -> Option<Vec<f64>> {
        let cells = part.size() * columns.len();
        if cells > MOST_CELLS || cells as u64 > self.steps_left {
            self.is_cut_short = true;
            return None;
        }
        self.steps_left -= cells as u64;
        self.comparisons += cells as u64;
        let mut similarities = Vec::with_capacity(cells);
        for node in part.start.0..=part.end.0 {
            similarities.extend(columns.iter().map(|&other| self.comparison.cs(NodeId(node), NodeId(other))));
        }
        Some(similarities)
    }
}

/// The mean similarity of the best one-to-one assignment of all rows to these columns.
fn assigned(similarities: &[f64], rows: usize, stride: usize, columns: std::ops::Range<usize>) -> f64 {
    let at = |row: usize, column: usize| similarities[row * stride + columns.start + column];
    // Rounded down, so that only what is exactly 1 is the most.
    let whole = |similarity: f64| (similarity * (1_u64 << 40) as f64).floor() as i64;
    let width = columns.len();
    let partners: Vec<(usize, usize)> = if rows <= width {
        let weights = Matrix::from_fn(rows, width, |(row, column)| whole(at(row, column)));
        kuhn_munkres(&weights).1.into_iter().enumerate().collect()
    } else {
        let weights = Matrix::from_fn(width, rows, |(column, row)| whole(at(row, column)));
        kuhn_munkres(&weights).1.into_iter().enumerate().map(|(column, row)| (row, column)).collect()
    };
    let alone = 2.0 * (rows - partners.len()) as f64;
    let lack = partners.iter().fold(alone, |lack, &(row, column)| lack + (1.0 - at(row, column)));
    // What lacks anything, however little, is below 1.
    if lack == 0.0 { 1.0 } else { (1.0 - lack / rows as f64).clamp(-1.0, 1.0_f64.next_down()) }
}

#[cfg(test)]
mod tests {
    use driftline::page::ReadOptions;
    use driftline::region::artail;

    use super::*;
    use crate::regions::counts::Counts;

    fn detect(older: &str, newer: &str) -> (Detection, Counts) {
        let [older, newer] = [older, newer].map(|html| Page::read(html, &ReadOptions::default()));
        (super::detect(&older, &newer, &Options::default()), Counts::of(&older, &newer))
    }

    #[test]
    fn an_equal_page_is_fully_alike_and_costs_what_is_counted() {
        let html = "<ul><li>one<li>two</ul><p>three <b>four</b></p>";
        let (detection, counts) = detect(html, html);
        assert!(!detection.changed);
        assert_eq!(detection.subtrees.iter().map(|found| found.unwrap().root.0).collect::<Vec<_>>(), [3, 6]);
        assert_eq!(detection.comparisons, counts.original_distinct);
    }

    #[test]
    fn a_list_that_became_an_ordered_one_is_found() {
        let (detection, _) = detect("<ul><li>one<li>two</ul>", "<p>other</p><ol><li>one<li>two</ol>");
        assert!(detection.changed, "Artail and Fawaz, section 2: their own approach does not detect it");
        assert_eq!(detection.subtrees[0].unwrap().root, NodeId(4));
    }

    #[test]
    fn partners_are_one_to_one() {
        let (older, newer) = ("<div><i>a</i><i>a</i> z</div>", "<div><i>a</i><i>z</i></div>");
        let (detection, _) = detect(older, newer);
        assert!(detection.changed, "the second `i` has no partner of its own");
        let [older, newer] = [older, newer].map(|html| Page::read(html, &ReadOptions::default()));
        assert!(!artail::detect(&older, &newer, &Options::default()).changed, "both have the first as partner");
    }

    #[test]
    fn beyond_the_budget_it_says_so() {
        let page = Page::read("<div><p>a<p>b<p>c</div>", &ReadOptions::default());
        let options = Options { most_steps: 20, ..Options::default() };
        let detection = super::detect(&page, &page, &options);
        assert_eq!(detection.limit, Some(Limit::Similarity));
        assert_eq!(detection.subtrees[0], None);
    }
}
