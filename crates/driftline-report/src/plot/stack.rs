//! What happened along one axis, shown in several ways? Tiers one under the other, with flags through all.
//!
//! Made for streams: a document has the same place in every tier, so what a heat map shows can be followed
//! down into the lines below it.

use super::{Axis, PlotError, Series, Size, tiers};

/// Tiers over one level axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Stack {
    /// Drawn above all; nothing is drawn when empty.
    pub title: String,
    /// The level axis of all tiers; heat maps fill its range.
    pub x: Axis,
    /// From top to bottom.
    pub tiers: Vec<Tier>,
    /// Places along the axis to be seen in every tier.
    pub flags: Vec<Flag>,
}

impl Stack {
    /// The size it needs at this width.
    ///
    /// # Errors
    /// If the width leaves no room for data, or an axis shows nothing.
    pub fn size(&self, width: u32) -> Result<Size, PlotError> {
        tiers::size(self, width)
    }
}

/// One way to show it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tier {
    /// Drawn above the tier.
    pub title: String,
    /// What is drawn.
    pub content: Content,
}

/// What a tier shows.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Lines and points.
    Lines {
        /// The upright axis.
        y: Axis,
        /// What is drawn, in legend order.
        series: Vec<Series>,
    },
    /// A heat map: columns from left to right, each of values from 0 to 1. A cell without a finite value
    /// is left white.
    Map {
        /// The upright axis, which runs downwards; its range has to be given.
        y: Axis,
        /// What the colours mean.
        scale: String,
        /// The columns, each from top to bottom.
        columns: Vec<Vec<f64>>,
    },
    /// A heat map whose upright axis is the level one, downwards: flags cross it both ways.
    Matrix {
        /// What the colours mean.
        scale: String,
        /// The columns, each from top to bottom.
        columns: Vec<Vec<f64>>,
    },
}

/// A line through all tiers.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// Its kind, shown in the legend. Flags of one kind have one style.
    pub name: String,
    /// Where.
    pub at: f64,
    /// Written above it; nothing is written when empty, or when there is no room.
    pub label: String,
    /// How it is drawn.
    pub style: FlagStyle,
}

/// How a flag is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagStyle {
    /// A solid crimson line: found.
    Solid,
    /// A dotted crimson line: found, and of another kind.
    Dotted,
    /// A dashed black line: known. It shows on top of the others.
    Dashed,
}
