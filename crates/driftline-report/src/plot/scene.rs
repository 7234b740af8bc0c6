//! What lies where on the page? Shapes in pixels, before any of them is painted.
//!
//! A list instead of direct drawing: the same list is painted as SVG and as PNG, and tests
//! can measure it.

use super::letters;
use super::raster::Raster;

/// A place on the page: pixels from the left, pixels from the top.
pub(super) type Point = (f64, f64);

/// The shapes of a picture, from back to front.
#[derive(Debug, Default)]
pub(super) struct Scene {
    pub(super) shapes: Vec<Shape>,
}

impl Scene {
    pub(super) fn line(&mut self, points: Vec<Point>, colour: Colour, width: f64) {
        self.shapes.push(Shape::Line { points, colour, width });
    }

    pub(super) fn area(&mut self, points: Vec<Point>, colour: Colour) {
        self.shapes.push(Shape::Area { points, colour });
    }

    pub(super) fn disc(&mut self, centre: Point, radius: f64, colour: Colour) {
        self.shapes.push(Shape::Disc { centre, radius, colour });
    }

    /// Adds cells, stretched to `area`.
    pub(super) fn image(&mut self, area: Rect, raster: Raster) {
        self.shapes.push(Shape::Image { area, raster });
    }

    /// Adds text; control characters, which XML forbids, become spaces.
    pub(super) fn text(&mut self, mut text: Text) {
        text.words = text.words.replace(char::is_control, " ");
        if !text.words.trim().is_empty() {
            self.shapes.push(Shape::Text(text));
        }
    }

    /// Adds lines of text centred on `middle`, the first one's top at `top`.
    pub(super) fn centred(&mut self, lines: &[String], (middle, top): Point, size: f64) {
        for (row, line) in lines.iter().enumerate() {
            let baseline = top + letters::ASCENT * size + row as f64 * letters::leading(size);
            self.text(Text::new(line, (middle, baseline), size).anchored(Anchor::Middle));
        }
    }

    /// Adds lines of upward text centred on `middle`, the first one's top at `left`.
    pub(super) fn upward(&mut self, lines: &[String], (left, middle): Point, size: f64) {
        for (row, line) in lines.iter().enumerate() {
            let baseline = left + letters::ASCENT * size + row as f64 * letters::leading(size);
            let text = Text::new(line, (baseline, middle), size).anchored(Anchor::Middle);
            self.text(Text { turn: Turn::Up, ..text });
        }
    }
}

/// One shape.
#[derive(Debug)]
pub(super) enum Shape {
    Line { points: Vec<Point>, colour: Colour, width: f64 },
    Area { points: Vec<Point>, colour: Colour },
    Disc { centre: Point, radius: f64, colour: Colour },
    Image { area: Rect, raster: Raster },
    Text(Text),
}

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

impl Colour {
    pub(super) const WHITE: Self = Self(255, 255, 255);
    pub(super) const BLACK: Self = Self(0, 0, 0);
    /// Text and axes: softer than black, still 13:1 on white.
    pub(super) const INK: Self = Self(45, 45, 45);
    /// Grid lines: visible, yet behind every series.
    pub(super) const FAINT: Self = Self(222, 222, 222);
}

/// One line of text.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub(super) words: String,
    /// Where the baseline starts, is centred or ends, as `anchor` says.
    pub(super) at: Point,
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) turn: Turn,
}

impl Text {
    pub(super) fn new(words: impl Into<String>, at: Point, size: f64) -> Self {
        Self { words: words.into(), at, size, anchor: Anchor::Start, turn: Turn::None }
    }

    pub(super) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }
}

/// Which part of a text stands at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Which way a text runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// From left to right.
    None,
    /// From bottom to top.
    Up,
}

/// A box on the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Rect {
    pub(super) fn width(self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(self) -> f64 {
        self.bottom - self.top
    }

    pub(super) fn middle(self) -> Point {
        (f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom))
    }

    pub(super) fn corners(self) -> Vec<Point> {
        let Self { left, top, right, bottom } = self;
        vec![(left, top), (right, top), (right, bottom), (left, bottom)]
    }

    pub(super) fn contains(self, (x, y): Point) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }
}
