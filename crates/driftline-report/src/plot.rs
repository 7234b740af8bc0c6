//! What does a figure show? Lines, points or bars, described as plain data and drawn once.
//!
//! Every picture is first laid out as a list of shapes (`plot/scene.rs`) and only then
//! painted by plotters, so SVG and PNG are the same picture and tests can ask the layout
//! whether two labels overlap. plotters' own charts are not used: they put the legend on
//! top of the data and leave label collisions to the caller.
//!
//! The figures follow Kwon et al.: Fig. 5 is [`Bars`], Fig. 7 is a [`Grid`] of six charts.
//! Series are told apart by colour, point shape and dash together, so a grey print and a
//! colour-blind reader lose nothing.
//!
//! ```
//! use driftline_report::plot::{Axis, Chart, Mark, Picture, Series, Size};
//!
//! let chart = Chart {
//!     title: "Words replaced".to_owned(),
//!     x: Axis::linear("words replaced"),
//!     y: Axis::linear("degree of change").within(0.0, 1.0),
//!     series: vec![Series::new("IED", Mark::LineAndPoints, vec![(50.0, 0.05), (950.0, 0.95)])],
//! };
//! let svg = Picture::from(chart).to_svg(Size::default())?;
//! assert!(svg.contains("<title>Words replaced</title>"));
//! # Ok::<(), driftline_report::plot::PlotError>(())
//! ```

mod bars;
mod describe;
mod figure;
mod flags;
mod frame;
mod heat;
mod legend;
mod letters;
mod look;
mod paint;
mod panel;
mod raster;
mod ruler;
mod scene;
mod spots;
mod stack;
mod stroke;
mod tiers;

use std::error::Error;

pub use stack::{Content, Flag, FlagStyle, Stack, Tier};

/// A picture: any of the kinds of figure this crate draws.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Picture {
    /// One chart.
    Chart(Chart),
    /// Small multiples with one legend.
    Grid(Grid),
    /// One bar a label.
    Bars(Bars),
    /// Several bars a label, with a legend.
    GroupedBars(GroupedBars),
    /// Lines and heat maps over one axis.
    Stack(Stack),
}

impl Picture {
    /// The picture as a standalone SVG document, named and described for screen readers.
    ///
    /// # Errors
    ///
    /// When an axis range is empty or the size leaves no room for the data.
    pub fn to_svg(&self, size: Size) -> Result<String, PlotError> {
        paint::svg(&self.scene(size)?, size, self)
    }

    /// The picture as an encoded PNG of exactly `size` pixels.
    ///
    /// # Errors
    ///
    /// As [`Picture::to_svg`].
    pub fn to_png(&self, size: Size) -> Result<Vec<u8>, PlotError> {
        paint::png(&self.scene(size)?, size)
    }

    fn scene(&self, size: Size) -> Result<scene::Scene, PlotError> {
        size.check()?;
        match self {
            Self::Chart(chart) => figure::chart(chart, size),
            Self::Grid(grid) => figure::grid(grid, size),
            Self::Bars(bars) => bars::draw(&bars.grouped(), size),
            Self::GroupedBars(bars) => bars::draw(bars, size),
            Self::Stack(stack) => tiers::scene(stack, size),
        }
    }
}

impl From<Chart> for Picture {
    fn from(chart: Chart) -> Self {
        Self::Chart(chart)
    }
}

impl From<Grid> for Picture {
    fn from(grid: Grid) -> Self {
        Self::Grid(grid)
    }
}

impl From<Bars> for Picture {
    fn from(bars: Bars) -> Self {
        Self::Bars(bars)
    }
}

impl From<GroupedBars> for Picture {
    fn from(bars: GroupedBars) -> Self {
        Self::GroupedBars(bars)
    }
}

impl From<Stack> for Picture {
    fn from(stack: Stack) -> Self {
        Self::Stack(stack)
    }
}

/// Lines and points over two axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Drawn above the chart; nothing is drawn when empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, in legend order.
    pub series: Vec<Series>,
}

/// Small multiples: several charts in one picture with one legend.
///
/// An axis label that all charts share is drawn once for the whole grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// Drawn above the grid; nothing is drawn when empty.
    pub title: String,
    /// Charts a row; zero counts as one.
    pub columns: usize,
    /// The charts, row by row. A series keeps its look in every chart that names it.
    pub charts: Vec<Chart>,
}

/// One bar a label.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// Drawn above the bars; nothing is drawn when empty.
    pub title: String,
    /// What the height of a bar means.
    pub y_label: String,
    /// Label and value; a value that is not finite is drawn as "n/a".
    pub bars: Vec<(String, f64)>,
}

impl Bars {
    fn grouped(&self) -> GroupedBars {
        let group = |(label, value): &(String, f64)| (label.clone(), vec![*value]);
        GroupedBars {
            title: self.title.clone(),
            y_label: self.y_label.clone(),
            series: vec![String::new()],
            groups: self.bars.iter().map(group).collect(),
        }
    }
}

/// Several bars a label, the same series in every group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupedBars {
    /// Drawn above the bars; nothing is drawn when empty.
    pub title: String,
    /// What the height of a bar means.
    pub y_label: String,
    /// The names in the legend, in the order of each group's values.
    pub series: Vec<String>,
    /// Label and one value a series; values beyond the named series are not drawn.
    pub groups: Vec<(String, Vec<f64>)>,
}

/// One axis of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What the axis measures, with its unit.
    pub label: String,
    /// How values are spread along the axis.
    pub scale: Scale,
    /// The first and last value shown; taken from the data when absent.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// An evenly spread axis, its range taken from the data.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, range: None }
    }

    /// An axis of things that are counted, its range taken from the data.
    pub fn whole(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Whole, range: None }
    }

    /// An axis on which every doubling takes the same room, its range taken from the data.
    pub fn log2(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log2, range: None }
    }

    /// An axis on which every factor of ten takes the same room, its range taken from the data.
    pub fn log10(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log10, range: None }
    }

    /// The same axis from `from` to `to`; data outside is cut off at the frame.
    #[must_use]
    pub fn within(self, from: f64, to: f64) -> Self {
        Self { range: Some((from, to)), ..self }
    }
}

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences take equal room.
    Linear,
    /// The same, labelled at whole numbers only.
    Whole,
    /// Every doubling takes the same room; values of zero and below are not drawn.
    Log2,
    /// The same, with round numbers instead of powers of two.
    Log10,
}

/// A named sequence of points. The name is its identity: one name, one look.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Shown in the legend; an unnamed series is left out of it.
    pub name: String,
    /// How the points are drawn.
    pub mark: Mark,
    /// Horizontal and vertical value, in drawing order. A value that is not finite leaves a
    /// gap in the line.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// A series from its three parts.
    pub fn new(name: impl Into<String>, mark: Mark, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), mark, points }
    }
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A line; each such series has its own dash, the first is solid.
    Line,
    /// A solid line with a shape on every point.
    LineAndPoints,
    /// Shapes only: a scatter chart.
    Points,
    /// A dashed black line without shapes: the reference the others are compared with.
    Dashed,
    /// Bars from the lower edge up to the values, side by side where several series have some. A value below the
    /// edge has none.
    Bars,
}

/// The size of a picture in pixels (CSS pixels in SVG).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

impl Size {
    /// 8,192 pixels a side: a PNG is painted nine times larger before it is smoothed, which
    /// is 1.8 GB at this limit.
    const LONGEST: u32 = 8192;

    /// A size from its two sides.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    fn check(self) -> Result<(), PlotError> {
        if self.width.min(self.height) == 0 {
            return Err(PlotError::TooSmall { size: self });
        }
        if self.width.max(self.height) > Self::LONGEST {
            return Err(PlotError::TooLarge { size: self, longest: Self::LONGEST });
        }
        Ok(())
    }
}

impl Default for Size {
    /// 720 × 480: a text column's width at 12-pixel type.
    fn default() -> Self {
        Self::new(720, 480)
    }
}

/// Why a picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// Title, legend and labels leave no room for the data.
    #[error("{}×{} pixels leave no room for data; use a larger size", size.width, size.height)]
    TooSmall {
        /// The size asked for.
        size: Size,
    },
    /// The picture would not fit in memory.
    #[error("{}×{} pixels are too many; use at most {longest} a side", size.width, size.height)]
    TooLarge {
        /// The size asked for.
        size: Size,
        /// The longest side allowed.
        longest: u32,
    },
    /// An axis was given a range that shows nothing.
    #[error("axis `{label}` cannot run from {from} to {to}; give a rising range, above 0 if log")]
    Range {
        /// The axis label.
        label: String,
        /// The start asked for.
        from: f64,
        /// The end asked for.
        to: f64,
    },
    /// The drawing library failed.
    #[error("cannot draw the picture")]
    Draw(#[source] Box<dyn Error + Send + Sync>),
    /// The PNG encoder failed.
    #[error("cannot encode the picture as PNG")]
    Encode(#[source] Box<dyn Error + Send + Sync>),
}

#[cfg(test)]
mod tests;
