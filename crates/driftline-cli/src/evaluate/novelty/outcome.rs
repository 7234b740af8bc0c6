//! One snapshot, evaluated.

use anyhow::Result;
use driftline::novelty::{Delta, Rounds};
use driftline::time::Time;
use driftline_evaluation::novelty::{
    Copies, Course, Distribution, Judge, Judgement, Miss, MissRate, Outcome, Scores as Ranked, Sizes,
};
use driftline_graph::novelty::missed::{self, Why};
use driftline_graph::novelty::{Classes, MEMORY, Measure, Parameters, Rules, Scores, calibration, classify, copies};
use driftline_graph::snapshot::{Direction, Node};
use driftline_graph::{Series, Snapshot};

use super::births::KnownBirths;
use super::judged::Verdicts;

/// What is the same for every snapshot.
pub(super) struct Evaluator<'a> {
    pub(super) series: &'a Series,
    pub(super) deltas: Vec<Delta>,
    pub(super) miss_delta: Delta,
    pub(super) rounds: Rounds,
    pub(super) births: Option<&'a KnownBirths>,
}

impl Evaluator<'_> {
    /// All that is to be found out about one snapshot; `place` is not that of the first.
    pub(super) fn outcome(&self, place: usize) -> Result<Outcome> {
        let snapshots = self.series.snapshots();
        let (snapshot, previous) = (&snapshots[place], snapshots[place - 1].at());
        let measure =
            Measure::prepare(snapshot.links(Direction::In)?, classify(self.series, place, Rules::All)?, MEMORY)?;
        let scored =
            self.deltas.iter().map(|&delta| measure.solve(delta, self.rounds)).collect::<Result<Vec<Scores>, _>>()?;
        let pages: Vec<(Node, u32)> =
            scored.first().map_or_else(Vec::new, |scores| scores.unidentified().map(|page| (page.0, page.1)).collect());
        let nodes: Vec<Node> = pages.iter().map(|page| page.0).collect();
        let verdicts = Verdicts::of(self.series, snapshot, &nodes, previous, self.births)?;
        let novelty: Vec<(f64, Vec<f64>)> = scored
            .iter()
            .map(|scores| (scores.delta().get(), scores.unidentified().map(|page| page.2).collect()))
            .collect();
        let probability = self.probability(place, &scored)?;
        let ranked = Ranked { novelty: &novelty, probability: probability.as_deref() };
        let births = self.births.map(|births| verdicts.births(births, snapshot, measure.classes(), previous));
        let by_births = births.map(|_| Judgement::of(Judge::Truth, &verdicts.by_births, ranked));
        Ok(Outcome {
            at: snapshot.at(),
            previous,
            sizes: sizes(measure.classes(), &pages),
            ages: verdicts.ages,
            courses: scored.iter().zip(&novelty).map(|(scores, (_, novelty))| course(scores, novelty)).collect(),
            judgements: [Judgement::of(Judge::Dates, &verdicts.by_dates, ranked)]
                .into_iter()
                .chain(by_births)
                .collect(),
            births,
            miss: self.miss(place, snapshot, previous)?,
            missed: self.missed(place, measure.classes())?,
            copies: self.copies(place, measure.classes())?,
        })
    }

    /// How likely each page of U is new, in the order of nodes; learned with the paper's δ if it was asked for.
    fn probability(&self, place: usize, by_delta: &[Scores]) -> Result<Option<Vec<f64>>> {
        let papers = by_delta.iter().find(|one| one.delta() == Delta::PAPER).or(by_delta.first());
        let Some(scores) = papers else { return Ok(None) };
        let parameters = Parameters { delta: scores.delta(), rounds: self.rounds, ..Parameters::default() };
        let calibration = calibration::learn(self.series, place, scores, &parameters)?;
        Ok(Some(calibration.iter().map(|(_, probability)| probability).collect()))
    }

    /// Why old pages were not crawled last time.
    fn missed(&self, place: usize, classes: &Classes) -> Result<Vec<(String, usize)>> {
        let misses = missed::find(self.series, place, classes)?;
        Ok(Why::ALL.map(|why| (why.code().to_owned(), misses.count(why))).to_vec())
    }

    /// Pages of U that say what older ones said, if it is known what any says.
    fn copies(&self, place: usize, classes: &Classes) -> Result<Option<Copies>> {
        let copies = copies::find(self.series, place, classes, MEMORY)?;
        let found = Copies { compared: copies.compared(), found: copies.iter().len() };
        Ok((found.compared > 0).then_some(found))
    }

    /// The scores of old pages when nobody looks at Last-Modified.
    fn miss(&self, place: usize, snapshot: &Snapshot, previous: Time) -> Result<Miss> {
        let measure =
            Measure::prepare(snapshot.links(Direction::In)?, classify(self.series, place, Rules::SeenBefore)?, MEMORY)?;
        let scores = measure.solve(self.miss_delta, self.rounds)?;
        let old = || {
            let pages = scores.unidentified();
            pages.filter(|page| snapshot.last_modified(page.0).is_some_and(|time| time < previous)).map(|page| page.2)
        };
        let born_before = |births: &KnownBirths| {
            let pages = scores.unidentified();
            let is_old = |node: Node| births.of(snapshot.number(node)).is_some_and(|birth| birth <= previous);
            let old: Vec<f64> = pages.filter(|page| is_old(page.0)).map(|page| page.2).collect();
            (old.iter().copied().collect::<MissRate>(), old.into_iter().collect::<Distribution>())
        };
        Ok(Miss {
            delta: self.miss_delta.get(),
            unidentified: scores.unidentified().count(),
            by_last_modified: old().collect(),
            distribution: old().collect(),
            by_birth: self.births.map(born_before),
        })
    }
}

fn sizes(classes: &Classes, unidentified: &[(Node, u32)]) -> Sizes {
    let counts = classes.counts();
    let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    Sizes {
        crawled: size(counts.crawled),
        seen_twice: size(counts.seen_twice),
        old: size(counts.old),
        unidentified: size(counts.unidentified),
        old_only_by_last_modified: size(counts.only_last_modified),
        old_only_by_link: size(counts.only_linked),
        old_by_both: size(counts.only_both),
        unidentified_without_in_links: unidentified.iter().filter(|page| page.1 == 0).count(),
    }
}

fn course(scores: &Scores, novelty: &[f64]) -> Course {
    Course {
        delta: scores.delta().get(),
        changes: scores.changes().to_vec(),
        distribution: novelty.iter().copied().collect::<Distribution>(),
    }
}
