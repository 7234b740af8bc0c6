//! The report on regions: which detector finds what changed, and at which price.
//!
//! Figure 5 shows how pages drift away from their first version, figure 6 how many similarities
//! each approach computes, figure 7 the time, figure 8 which changes are detected under which
//! weights. The numbers come from [`crate::regions`], the times from whoever has a
//! clock; here they are only shown.

mod buckets;
mod data;
mod figures;
mod json;
mod page;
mod prose;
mod text;

use super::{Content, File, Forms, Report};
use crate::regions::Group;
use crate::regions::decay::Decay;
use crate::regions::effort::Effort;
use crate::regions::reliability::Trial;

/// All that an evaluation found.
#[derive(Debug)]
pub struct Evaluation {
    /// Makes the same pages every time.
    pub seed: u64,
    /// How often each time was measured, at most.
    pub runs: usize,
    /// The given pages; none if pages were made.
    pub collection: Option<Collection>,
    /// Figure 5.
    pub decay: Decay,
    /// Figure 6.
    pub efforts: Vec<Group<Effort>>,
    /// Figure 7.
    pub timings: Vec<Group<Timing>>,
    /// Figure 8.
    pub trials: Vec<Group<Trial>>,
    /// The command that does it again.
    pub command: String,
}

/// Versions of given pages.
#[derive(Debug)]
pub struct Collection {
    /// What the user calls it: its folder.
    pub name: String,
    /// The pairs of versions that were compared.
    pub pairs: usize,
    /// Those that could not be read.
    pub failed: usize,
    /// How many pages have more than one version.
    pub pages: usize,
}

/// How long two pages take, in seconds, on average.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// The pair's name.
    pub id: String,
    /// The elements of the older page.
    pub nodes: usize,
    /// Reading both pages, which is common to all approaches.
    pub reading: f64,
    /// The approach that Artail and Fawaz improve on; none if it cannot bear pages so large.
    pub original: Option<f64>,
    /// Theirs.
    pub enhanced: f64,
    /// driftline's: degree, regions and importance.
    pub driftline: f64,
}

impl Report for Evaluation {
    const FORMS: Forms<Self> = Forms { text: text::write, json: json::write, page: page::write };

    fn exhibits(&self) -> Vec<File<Self>> {
        let mut files = vec![
            File::new("figure-5.csv", Content::Table(data::figure_5)),
            File::new("figure-6.csv", Content::Table(data::figure_6)),
            File::new("figure-7.csv", Content::Table(data::figure_7)),
            File::new("figure-8.csv", Content::Table(data::figure_8)),
        ];
        files.extend(File::figure(["figure-5.svg", "figure-5.png"], figures::figure_5));
        files.extend(File::figure(["figure-6.svg", "figure-6.png"], figures::figure_6));
        files.extend(File::figure(["figure-7.svg", "figure-7.png"], figures::figure_7));
        files.extend(File::figure(["figure-8.svg", "figure-8.png"], figures::figure_8));
        files
    }
}

#[cfg(test)]
mod tests;
