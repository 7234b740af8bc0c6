//! The work of a check: the steps of all that it reads and compares.
//!
//! Each reading and each comparison has limits of its own, and their number is bounded by this: once they have taken more
//! steps together than one alignment may, the page is not fetched again, and what is known by then is judged.

use driftline::change::{Change, Sides};
use driftline::compare::Comparer;
use driftline::degree::lcs::MOST_BLOCK_STEPS;
use driftline::page::{Page, ReadOptions, Source};

/// The most steps after which a page is fetched again in the same check.
const MOST_STEPS: u64 = MOST_BLOCK_STEPS;

/// The steps of a check so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Work {
    steps: u64,
    is_cut: bool,
}

impl Work {
    pub(super) fn steps(self) -> u64 {
        self.steps
    }

    /// Counts steps that were taken.
    pub(super) fn spend(&mut self, steps: u64) {
        self.steps = self.steps.saturating_add(steps);
    }

    /// Reads two versions of a page.
    pub(super) fn read(&mut self, sources: Sides<Source<'_>>, read_options: &ReadOptions) -> Sides<Page> {
        let pages =
            Sides { older: Page::read(sources.older, read_options), newer: Page::read(sources.newer, read_options) };
        self.spend(pages.older.work() + pages.newer.work());
        pages
    }

    /// Compares two versions of a page.
    pub(super) fn compare(&mut self, pages: Sides<&Page>) -> Change {
        let mut comparer = Comparer::default();
        let change = comparer.compare(pages.older, pages.newer);
        self.spend(comparer.work());
        change
    }

    /// Whether the check may go on to learn more. If not, its answer names that.
    pub(super) fn may_go_on(&mut self) -> bool {
        let may = self.steps <= MOST_STEPS;
        self.is_cut |= !may;
        may
    }

    /// The name of the limit, if it cut the check short.
    pub(super) fn limit(self) -> Option<&'static str> {
        self.is_cut.then_some("refetches")
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_STEPS, Work};

    #[test]
    fn a_check_goes_on_until_its_steps_are_spent_and_names_that_only_if_it_would_have_gone_on() {
        let mut work = Work::default();
        work.spend(MOST_STEPS);
        assert!(work.may_go_on());
        work.spend(u64::MAX);
        assert_eq!((work.limit(), work.may_go_on(), work.limit()), (None, false, Some("refetches")));
    }
}
