//! The report on metrics: which one measures the degree of change best.
//!
//! Kwon, Lee and Kim, section 5: figures 5 and 6 show how differently the metrics see real pages,
//! figures 7 and 8 how near they come to the criteria on synthesised ones, table 1 sums it up. The
//! numbers and the advice come from [`crate::metrics`]; here they are only shown.

mod data;
mod figures;
mod json;
mod labels;
mod page;
mod prose;
mod text;

use super::{Content, File, Forms, Report};
use crate::metrics::advice::{Advice, Warning};
use crate::metrics::collection::{Sample, Summary};
use crate::metrics::experiment::{Curve, Setup};

/// All that an evaluation found.
#[derive(Debug)]
pub struct Evaluation {
    /// The parameters.
    pub setup: Setup,
    /// Pages of 1,000 words of which more and more change.
    pub figure_7: Vec<Curve>,
    /// Larger and larger pages of which a quarter changes.
    pub figure_8: Vec<Curve>,
    /// Real pages, if there were any.
    pub collection: Option<Collection>,
    /// Which metric fits the collection, or six equally frequent kinds of change.
    pub advice: Advice,
    /// The command that does it again.
    pub command: String,
}

/// Versions of real pages, measured.
#[derive(Debug)]
pub struct Collection {
    /// What the user calls it: its folder.
    pub name: String,
    /// The names of the pairs.
    pub ids: Vec<String>,
    /// What was measured, in the same order.
    pub samples: Vec<Sample>,
    /// The pairs that could not be read.
    pub failed: usize,
    /// The numbers of the collection.
    pub summary: Summary,
    /// What to beware of.
    pub warnings: Vec<Warning>,
}

impl Report for Evaluation {
    const FORMS: Forms<Self> = Forms { text: text::write, json: json::write, page: page::write };

    fn exhibits(&self) -> Vec<File<Self>> {
        let mut files = vec![File::new("deviations.csv", Content::Table(data::deviations))];
        if self.collection.is_some() {
            files.push(File::new("pairs.csv", Content::Table(data::pairs)));
        }
        files.extend([
            File::new("figure-7.csv", Content::Table(data::figure_7)),
            File::new("figure-8.csv", Content::Table(data::figure_8)),
        ]);
        if self.collection.is_some() {
            files.extend(File::figure(["figure-5.svg", "figure-5.png"], figures::figure_5));
            files.extend(File::figure(["figure-6.svg", "figure-6.png"], figures::figure_6));
        }
        files.extend(File::figure(["figure-7.svg", "figure-7.png"], figures::figure_7));
        files.extend(File::figure(["figure-8.svg", "figure-8.png"], figures::figure_8));
        files
    }
}

#[cfg(test)]
mod tests;
