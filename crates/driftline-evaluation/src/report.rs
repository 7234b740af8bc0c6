//! The experiments as text, tables, figures and one page for a browser.
//!
//! One module per command: [`metrics`] says which metric measures the degree of change best, [`regions`] which detector
//! finds what changed and at which price, [`redesign`] which detector finds redesigns and how late, [`novelty`] how well
//! new pages are told from old ones. A report shows numbers and computes none.

mod data;
mod labels;
pub mod metrics;
pub mod novelty;
mod page;
pub mod redesign;
pub mod regions;
mod text;

use driftline_report::plot::{Picture, PlotError, Size};
use driftline_report::table::TableError;

/// An evaluation that can be told.
pub trait Report: Sized {
    /// What tells it.
    const FORMS: Forms<Self>;

    /// The tables and figures that stand beside the page.
    fn exhibits(&self) -> Vec<File<Self>>;

    /// What was found, for a terminal of 80 columns.
    fn text(&self) -> String {
        (Self::FORMS.text)(self)
    }

    /// The same for programs.
    fn json(&self) -> serde_json::Value {
        (Self::FORMS.json)(self)
    }

    /// All files of the report, the page first.
    fn files(&self) -> Vec<File<Self>> {
        let mut files = vec![File::new("report.html", Content::Page(Self::FORMS.page))];
        files.extend(self.exhibits());
        files
    }

    /// The names of all files, `report.html` first.
    fn file_names(&self) -> Vec<&'static str> {
        self.files().iter().map(|file| file.name).collect()
    }

    /// The content of one of the [`file_names`](Self::file_names).
    ///
    /// # Errors
    /// If a figure cannot be drawn or a table not be written.
    fn file(&self, name: &str) -> Result<Vec<u8>, ReportError> {
        let file = self.files().into_iter().find(|file| file.name == name);
        let file = file.ok_or_else(|| ReportError::Unknown { name: name.to_owned() })?;
        match file.content {
            Content::Page(write) => Ok(write(self)?.into_bytes()),
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

/// A report as a whole, in each form.
pub struct Forms<T> {
    text: fn(&T) -> String,
    json: fn(&T) -> serde_json::Value,
    page: fn(&T) -> Result<String, PlotError>,
}

/// A file of a report.
pub struct File<T> {
    name: &'static str,
    content: Content<T>,
}

impl<T> File<T> {
    fn new(name: &'static str, content: Content<T>) -> Self {
        Self { name, content }
    }

    /// A figure as SVG and as PNG.
    fn figure([svg, png]: [&'static str; 2], draw: fn(&T) -> Figure) -> [Self; 2] {
        [Self::new(svg, Content::Svg(draw)), Self::new(png, Content::Png(draw))]
    }
}

enum Content<T> {
    Page(fn(&T) -> Result<String, PlotError>),
    Table(fn(&T) -> Result<Vec<u8>, TableError>),
    Svg(fn(&T) -> Figure),
    Png(fn(&T) -> Figure),
}

/// A figure and the size it is made for.
struct Figure {
    picture: Picture,
    size: Size,
}

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
