//! Numbers of similarities of elements that each approach computes: figure 6.
//!
//! The numbers of the paper's two approaches follow from the shapes of the pages ([`Counts`]);
//! driftline's are counted while it works, because it skips what did not change.

use driftline::compare::Comparer;
use driftline::page::Page;

use crate::regions::counts::Counts;

/// What two pages cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Effort {
    /// The pair's name.
    pub id: String,
    /// The elements of the older page.
    pub nodes: usize,
    /// What the paper's approaches would compute.
    pub counts: Counts,
    /// What driftline computed.
    pub driftline: u64,
}

impl Effort {
    /// Counts what two pages cost.
    #[must_use]
    pub fn of(id: String, older: &Page, newer: &Page, comparer: &mut Comparer) -> Self {
        comparer.compare(older, newer);
        Self { id, nodes: older.nodes().len(), counts: Counts::of(older, newer), driftline: comparer.comparisons() }
    }
}

/// Numbers of similarities, as three approaches compute them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Total {
    /// The approach that Artail and Fawaz improve on, each pair of elements once.
    pub original: u64,
    /// Theirs.
    pub enhanced: u64,
    /// driftline's.
    pub driftline: u64,
}

impl Total {
    /// The sum over pairs of pages.
    #[must_use]
    pub fn of<'a>(efforts: impl IntoIterator<Item = &'a Effort>) -> Self {
        efforts.into_iter().fold(Self::default(), |total, effort| Self {
            original: total.original + effort.counts.original_distinct,
            enhanced: total.enhanced + effort.counts.enhanced_same_tag,
            driftline: total.driftline + effort.driftline,
        })
    }

    /// The share of the original approach's computations that the enhanced one saves; below zero if
    /// it needs more.
    #[must_use]
    pub fn saved_by_enhanced(&self) -> f64 {
        saved(self.enhanced, self.original)
    }

    /// The same for driftline.
    #[must_use]
    pub fn saved_by_driftline(&self) -> f64 {
        saved(self.driftline, self.original)
    }
}

fn saved(less: u64, all: u64) -> f64 {
    if less == all { 0.0 } else { 1.0 - less as f64 / all.max(1) as f64 }
}

#[cfg(test)]
mod tests {
    use driftline::page::ReadOptions;

    use super::*;
    use crate::regions::made_pair;
    use crate::regions::synthesis::Layout;

    fn effort(layout: Layout, elements: usize) -> Effort {
        let pair = made_pair(layout, elements, 1);
        let [older, newer] = [pair.older, pair.newer].map(|html| Page::read(html.as_str(), &ReadOptions::default()));
        Effort::of(String::new(), &older, &newer, &mut Comparer::default())
    }

    #[test]
    fn artail_figure_6_more_than_30_percent_are_saved_from_500_nodes_on() {
        for layout in Layout::ALL {
            let total = Total::of(&[effort(layout, 512), effort(layout, 1_024)]);
            assert!(total.saved_by_enhanced() > 0.3, "{layout:?}: {total:?}");
            assert!(total.saved_by_driftline() > total.saved_by_enhanced(), "{layout:?}: {total:?}");
        }
    }

    #[test]
    fn an_unchanged_page_costs_driftline_nothing() {
        let page = Page::read(made_pair(Layout::Tables, 200, 1).older.as_str(), &ReadOptions::default());
        let effort = Effort::of(String::new(), &page, &page, &mut Comparer::default());
        assert_eq!(effort.driftline, 0);
        assert!(effort.counts.enhanced_same_tag > 0);
    }

    #[test]
    fn what_costs_more_saves_less_than_nothing() {
        let total = Total { original: 10, enhanced: 15, driftline: 10 };
        assert_eq!((total.saved_by_enhanced(), total.saved_by_driftline()), (-0.5, 0.0));
        assert_eq!(Total::default().saved_by_enhanced(), 0.0);
    }
}
