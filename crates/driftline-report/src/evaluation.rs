//! Which metric tells the degree of change best? The papers' experiments as text, tables, figures
//! and one page for a browser.
//!
//! Kwon, Lee and Kim, section 5: figures 5 and 6 show how differently the metrics see real pages,
//! figures 7 and 8 how near they come to the criteria on synthesised ones, table 1 sums it up. The
//! numbers and the advice come from [`driftline::degree::criteria`]; here they are only shown.

mod data;
mod figures;
mod json;
mod labels;
mod page;
mod prose;
mod text;

use driftline::degree::criteria::advice::{Advice, Warning};
use driftline::degree::criteria::collection::{Sample, Summary};
use driftline::degree::criteria::experiment::{Curve, Setup};

use crate::plot::{Picture, PlotError, Size};
use crate::table::TableError;

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

impl Evaluation {
    /// The table of deviations and the advice, for a terminal of 80 columns.
    #[must_use]
    pub fn text(&self) -> String {
        text::write(self)
    }

    /// The same for programs.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        json::write(self)
    }

    /// The names of all files of the report, `report.html` first.
    #[must_use]
    pub fn file_names(&self) -> Vec<&'static str> {
        let (files, of_collection) = (FILES.iter(), self.collection.is_some());
        files.filter(|file| of_collection || !file.of_collection).map(|file| file.name).collect()
    }

    /// The content of one of the [`file_names`](Self::file_names).
    ///
    /// # Errors
    /// If a figure cannot be drawn or a table not be written.
    pub fn file(&self, name: &str) -> Result<Vec<u8>, ReportError> {
        let file = FILES.iter().find(|file| file.name == name);
        let file = file.ok_or_else(|| ReportError::Unknown { name: name.to_owned() })?;
        match file.content {
            Content::Page => Ok(page::write(self)?.into_bytes()),
            Content::Table(rows) => Ok(rows(self)?),
            Content::Svg(figure) => {
                let Figure { picture, size } = figure(self);
                Ok(picture.to_svg(size)?.into_bytes())
            }
            Content::Png(figure) => {
                let Figure { picture, size } = figure(self);
                Ok(picture.to_png(size)?)
            }
        }
    }
}

/// A figure and the size it is made for.
struct Figure {
    picture: Picture,
    size: Size,
}

/// A file of the report.
struct File {
    name: &'static str,
    content: Content,
    /// Is there nothing to show without real pages?
    of_collection: bool,
}

enum Content {
    Page,
    Table(fn(&Evaluation) -> Result<Vec<u8>, TableError>),
    Svg(fn(&Evaluation) -> Figure),
    Png(fn(&Evaluation) -> Figure),
}

const FILES: [File; 13] = {
    const fn always(name: &'static str, content: Content) -> File {
        File { name, content, of_collection: false }
    }
    const fn real(name: &'static str, content: Content) -> File {
        File { name, content, of_collection: true }
    }
    [
        always("report.html", Content::Page),
        always("deviations.csv", Content::Table(data::deviations)),
        real("pairs.csv", Content::Table(data::pairs)),
        always("figure-7.csv", Content::Table(data::figure_7)),
        always("figure-8.csv", Content::Table(data::figure_8)),
        real("figure-5.svg", Content::Svg(figures::figure_5)),
        real("figure-5.png", Content::Png(figures::figure_5)),
        real("figure-6.svg", Content::Svg(figures::figure_6)),
        real("figure-6.png", Content::Png(figures::figure_6)),
        always("figure-7.svg", Content::Svg(figures::figure_7)),
        always("figure-7.png", Content::Png(figures::figure_7)),
        always("figure-8.svg", Content::Svg(figures::figure_8)),
        always("figure-8.png", Content::Png(figures::figure_8)),
    ]
};

/// Why a report cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A figure.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is no such file in a report.
    #[error("a report has no file `{name}`; ask for one of its `file_names`")]
    Unknown {
        /// What was asked for.
        name: String,
    },
}

#[cfg(test)]
mod tests;
