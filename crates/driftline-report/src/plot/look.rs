//! How is one series told from another? By colour, by point shape and by dash.
//!
//! Colours are Okabe and Ito's, made for colour-blind readers. Their yellow is left out (its
//! contrast on white is 1.3:1, invisible as a thin line) for a mid grey. A shape or a dash
//! of its own keeps each series apart where there is no colour at all.

use super::scene::{Colour, Point, Scene};
use super::{Chart, Mark, Series};

/// In the order they are given out.
const COLOURS: [Colour; 8] = [
    Colour(0, 114, 178),
    Colour(213, 94, 0),
    Colour(0, 158, 115),
    Colour(204, 121, 167),
    Colour(230, 159, 0),
    Colour(86, 180, 233),
    Colour(0, 0, 0),
    Colour(119, 119, 119),
];

/// The dashes of `Mark::Line`, in pixels on and off; none is the dash of `Mark::Dashed`.
const LINE_DASHES: [&[f64]; 8] = [
    &[],
    &[2.0, 3.0],
    &[12.0, 3.0, 2.0, 3.0],
    &[18.0, 4.0],
    &[12.0, 3.0, 2.0, 3.0, 2.0, 3.0],
    &[4.0, 6.0],
    &[18.0, 3.0, 6.0, 3.0],
    &[2.0, 2.0, 2.0, 2.0, 2.0, 8.0],
];

/// The dashes of reference lines.
const REFERENCE_DASHES: [&[f64]; 2] = [&[7.0, 4.0], &[3.5, 3.5]];

/// What sets a series apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub(super) colour: Colour,
    pub(super) point: Shape,
    pub(super) dash: &'static [f64],
    /// How many others of its kind come before.
    pub(super) rank: usize,
}

impl Look {
    /// The look of the series that `rank` others of its kind come before.
    pub(super) fn of(mark: Mark, rank: usize) -> Self {
        let (colour, dash): (_, &'static [f64]) = match mark {
            Mark::Dashed if rank == 0 => (Colour::BLACK, REFERENCE_DASHES[0]),
            Mark::Dashed => (COLOURS[7], REFERENCE_DASHES[rank % 2]),
            Mark::Line => (COLOURS[rank % 8], LINE_DASHES[(rank + rank / 8) % 8]),
            Mark::LineAndPoints | Mark::Points | Mark::Bars => (COLOURS[rank % 8], &[]),
        };
        // The second eight pair each colour with the next shape.
        let point = Shape::ALL[(rank + rank / 8) % 8];
        Self { colour, point, dash, rank }
    }
}

/// The shape of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Triangle,
    Square,
    Diamond,
    Cross,
    Wedge,
    Plus,
    Ring,
}

impl Shape {
    const ALL: [Self; 8] =
        [Self::Circle, Self::Triangle, Self::Square, Self::Diamond, Self::Cross, Self::Wedge, Self::Plus, Self::Ring];

    /// Draws the shape about `centre`, all shapes of one radius looking equally large.
    pub(super) fn draw(self, scene: &mut Scene, (x, y): Point, radius: f64, colour: Colour) {
        let about = |points: &[Point]| -> Vec<Point> {
            points.iter().map(|(dx, dy)| (x + dx * radius, y + dy * radius)).collect()
        };
        match self {
            Self::Circle => scene.disc((x, y), radius, colour),
            Self::Ring => {
                scene.disc((x, y), radius, colour);
                scene.disc((x, y), radius * 0.5, Colour::WHITE);
            }
            Self::Triangle => scene.area(about(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]), colour),
            Self::Wedge => scene.area(about(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]), colour),
            Self::Square => {
                scene.area(about(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]), colour);
            }
            Self::Diamond => {
                scene.area(about(&[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]), colour);
            }
            Self::Cross => {
                scene.line(about(&[(-1.0, -1.0), (1.0, 1.0)]), colour, radius * 0.55);
                scene.line(about(&[(-1.0, 1.0), (1.0, -1.0)]), colour, radius * 0.55);
            }
            Self::Plus => {
                scene.line(about(&[(-1.25, 0.0), (1.25, 0.0)]), colour, radius * 0.55);
                scene.line(about(&[(0.0, -1.25), (0.0, 1.25)]), colour, radius * 0.55);
            }
        }
    }
}

/// The look of every series in a picture.
#[derive(Debug)]
pub(super) struct Looks<'a> {
    members: Vec<(&'a Series, Look)>,
}

impl<'a> Looks<'a> {
    /// Gives each name a look, in order of appearance.
    pub(super) fn of(charts: &'a [Chart]) -> Self {
        let mut members: Vec<(&Series, Look)> = Vec::new();
        for series in charts.iter().flat_map(|chart| &chart.series) {
            if members.iter().any(|(member, _)| member.name == series.name) {
                continue;
            }
            let reference = |series: &Series| series.mark == Mark::Dashed;
            let alike = |(member, _): &&(&Series, Look)| reference(member) == reference(series);
            let rank = members.iter().filter(alike).count();
            members.push((series, Look::of(series.mark, rank)));
        }
        Self { members }
    }

    /// The look of a series; one it was not made for looks like the first.
    pub(super) fn get(&self, series: &Series) -> Look {
        let member = self.members.iter().find(|(member, _)| member.name == series.name);
        member.map_or(Look::of(series.mark, 0), |(_, look)| *look)
    }

    /// The named series with their looks, in legend order.
    pub(super) fn named(&self) -> impl Iterator<Item = (&'a Series, Look)> {
        self.members.iter().copied().filter(|(series, _)| !series.name.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_series_differ_without_colour() {
        for (one, other) in (0..8).flat_map(|one| (0..one).map(move |other| (one, other))) {
            assert_ne!(Look::of(Mark::Points, one).point, Look::of(Mark::Points, other).point);
            assert_ne!(Look::of(Mark::Line, one).dash, Look::of(Mark::Line, other).dash);
            assert_ne!(Look::of(Mark::Line, one).colour, Look::of(Mark::Line, other).colour);
        }
    }

    #[test]
    fn the_first_reference_is_dashed_and_black() {
        let look = Look::of(Mark::Dashed, 0);
        assert_eq!((look.colour, look.dash.is_empty()), (Colour::BLACK, false));
    }
}
