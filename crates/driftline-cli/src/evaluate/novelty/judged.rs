//! Which pages of U are new, and who says so?

use anyhow::Result;
use driftline::novelty::Class;
use driftline::novelty::dated::{Age, month_of};
use driftline::time::Time;
use driftline_evaluation::novelty::{Ages, Births};
use driftline_graph::novelty::Classes;
use driftline_graph::snapshot::Node;
use driftline_graph::{Series, Snapshot};

use super::births::KnownBirths;

/// What judges say of the pages of U, in the order of nodes.
pub(super) struct Verdicts {
    /// Table 3.
    pub(super) ages: Ages,
    /// By the month in the address: is it new?
    pub(super) by_dates: Vec<Option<bool>>,
    /// By birth.
    pub(super) by_births: Vec<Option<bool>>,
}

impl Verdicts {
    /// Of the pages of U of a snapshot, whose nodes come in order.
    pub(super) fn of(
        series: &Series,
        snapshot: &Snapshot,
        unidentified: &[Node],
        previous: Time,
        births: Option<&KnownBirths>,
    ) -> Result<Self> {
        let mut ages = Vec::with_capacity(unidentified.len());
        let mut wanted = unidentified.iter().copied().peekable();
        for (node, url) in Node::first(snapshot.nodes()).zip(snapshot.urls(series)) {
            let Some(&next) = wanted.peek() else { break };
            if node == next {
                wanted.next();
                ages.push(month_of(&url?.url()).map(|month| month.age(previous, snapshot.at())));
            }
        }
        let birth = |&node: &Node| Some(births?.of(snapshot.number(node))? > previous);
        Ok(Self {
            ages: ages.iter().flatten().copied().collect(),
            by_dates: ages.iter().map(|age| age.map(|age| age != Age::Old)).collect(),
            by_births: unidentified.iter().map(birth).collect(),
        })
    }

    /// What births say of the rules and of dates.
    pub(super) fn births(
        &self,
        births: &KnownBirths,
        snapshot: &Snapshot,
        classes: &Classes,
        previous: Time,
    ) -> Births {
        let known = || self.by_births.iter().flatten();
        let both: Vec<bool> = self
            .by_dates
            .iter()
            .zip(&self.by_births)
            .filter_map(|(by_date, by_birth)| Some((*by_date)? == (*by_birth)?))
            .collect();
        let old = classes.iter().filter(|(_, class)| *class != Class::Unidentified);
        let wrongly_old =
            old.filter(|(node, _)| births.of(snapshot.number(*node)).is_some_and(|birth| birth > previous));
        Births {
            known: known().count(),
            novel: known().filter(|&&is_novel| is_novel).count(),
            wrongly_old: wrongly_old.count(),
            dates_agree: (!both.is_empty())
                .then(|| both.iter().filter(|&&agrees| agrees).count() as f64 / both.len() as f64),
        }
    }
}
