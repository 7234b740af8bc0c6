//! The report on novelty: Toyoda and Kitsuregawa's evaluation, with true births and driftline's probability.
//!
//! Tables 2 and 3 bear the paper's numbers. Figures bear their own, for each holds all snapshots, and some are not in
//! the paper; their captions name the paper's. The numbers come from [`crate::novelty`]; here they are
//! only shown.

mod cells;
mod data;
mod figures;
mod json;
mod page;
mod paper;
mod prose;
mod text;

use super::{Content, Figure, File, Forms, Report};
use crate::novelty::{Judge, Judgement, Outcome, Ranking};

/// All that an evaluation found.
#[derive(Debug)]
pub struct Evaluation {
    /// The name of the series.
    pub series: String,
    /// How many rounds the scores were computed with.
    pub rounds: u32,
    /// The file that says when pages appeared, if there is one.
    pub truth: Option<String>,
    /// One for each snapshot that has an earlier one, in the order of time.
    pub outcomes: Vec<Outcome>,
    /// The command that does it again.
    pub command: String,
}

impl Evaluation {
    /// What a judge says of each snapshot, where it knows anything.
    fn judged(&self, judge: Judge) -> impl Iterator<Item = (&Outcome, &Judgement)> {
        self.outcomes.iter().filter_map(move |outcome| {
            let judgement = outcome.judgements.iter().find(|judgement| judgement.judge == judge)?;
            (judgement.known > 0).then_some((outcome, judgement))
        })
    }

    /// Is there a probability beside the scores?
    fn has_probability(&self) -> bool {
        self.outcomes.iter().flat_map(|outcome| &outcome.judgements).any(|judgement| judgement.reliability.is_some())
    }

    /// The figures that there is something to draw from, numbered from 1 in this order.
    fn plots(&self) -> impl Iterator<Item = Plot> {
        Plot::ALL.into_iter().filter(|plot| match plot {
            Plot::Dates => self.judged(Judge::Dates).next().is_some(),
            Plot::Births => self.judged(Judge::Truth).next().is_some(),
            Plot::Reliability => self.has_probability(),
            Plot::Convergence | Plot::Distribution | Plot::MissRate => true,
        })
    }

    /// The judge to believe: births if they are known, or else time strings.
    fn best_judge(&self) -> Judge {
        if self.judged(Judge::Truth).next().is_some() { Judge::Truth } else { Judge::Dates }
    }
}

/// A figure of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plot {
    Convergence,
    Distribution,
    Dates,
    Births,
    Reliability,
    MissRate,
}

impl Plot {
    /// In the order of the page.
    const ALL: [Self; 6] =
        [Self::Convergence, Self::Distribution, Self::Dates, Self::Births, Self::Reliability, Self::MissRate];

    fn draw(self) -> fn(&Evaluation) -> Figure {
        match self {
            Self::Convergence => figures::convergence,
            Self::Distribution => figures::distribution,
            Self::Dates => figures::against_dates,
            Self::Births => figures::against_truth,
            Self::Reliability => figures::reliability,
            Self::MissRate => figures::miss_rate,
        }
    }
}

/// The files of figures, by number.
const FILES: [[&str; 2]; Plot::ALL.len()] = [
    ["figure-1.svg", "figure-1.png"],
    ["figure-2.svg", "figure-2.png"],
    ["figure-3.svg", "figure-3.png"],
    ["figure-4.svg", "figure-4.png"],
    ["figure-5.svg", "figure-5.png"],
    ["figure-6.svg", "figure-6.png"],
];

/// May this judge say how good this ranking is? The month in an address is among the signs of the probability, and among
/// the labels that it is learned from.
fn is_independent(judge: Judge, by: Ranking) -> bool {
    (judge, by) != (Judge::Dates, Ranking::Probability)
}

impl Report for Evaluation {
    const FORMS: Forms<Self> = Forms { text: text::write, json: json::write, page: page::write };

    fn exhibits(&self) -> Vec<File<Self>> {
        let mut files = vec![
            File::new("table-2.csv", Content::Table(data::table_2)),
            File::new("table-3.csv", Content::Table(data::table_3)),
            File::new("convergence.csv", Content::Table(data::convergence)),
            File::new("distribution.csv", Content::Table(data::distribution)),
            File::new("curves.csv", Content::Table(data::curves)),
            File::new("average-precision.csv", Content::Table(data::average_precision)),
            File::new("miss-rate.csv", Content::Table(data::miss_rate)),
        ];
        if self.has_probability() {
            files.push(File::new("reliability.csv", Content::Table(data::reliability)));
        }
        files.extend(self.plots().zip(FILES).flat_map(|(plot, names)| File::figure(names, plot.draw())));
        if self.outcomes.iter().any(|outcome| !outcome.missed.is_empty()) {
            files.push(File::new("missed.csv", Content::Table(data::missed)));
        }
        files
    }
}

#[cfg(test)]
mod tests;
