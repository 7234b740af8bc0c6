//! Which points get a shape, and which of them is in front?
//!
//! Metrics often equal each other (Kwon et al., section 5.2: WD and ED do on all but
//! moves). The last one drawn would hide the others, so they take turns: at each point
//! another series is in front, and those exactly behind it are left out.

use super::Mark;
use super::look::Look;
use super::scene::{Colour, Point, Rect, Scene};

/// Radius of a point.
pub(super) const RADIUS: f64 = 3.4;
/// White around a point, which keeps it apart from what lies behind.
const HALO: f64 = 0.7;
/// Points closer than this along a line are thinned, or they would merge into a band.
const CROWDED: f64 = 11.0;
/// Points closer than this are in one place.
const SAME: f64 = 1.0;

/// The points of a picture that get a shape.
#[derive(Debug, Default)]
pub(super) struct Spots {
    spots: Vec<Spot>,
    series: usize,
}

#[derive(Debug)]
struct Spot {
    /// Its place in the series.
    index: usize,
    /// Its series' place in the chart, later its turn: drawn in rising order.
    rank: usize,
    at: Point,
    mark: Mark,
    look: Look,
}

impl Spots {
    /// Adds those points of a series that get a shape.
    pub(super) fn add(&mut self, runs: &[Vec<Point>], mark: Mark, look: Look) {
        let rank = self.series;
        let points = runs.iter().flat_map(|run| shown(run, mark)).enumerate();
        self.spots.extend(points.map(|(index, at)| Spot { index, rank, at, mark, look }));
        self.series += 1;
    }

    /// Draws the points inside `area`, at each place another series in front.
    pub(super) fn draw(mut self, scene: &mut Scene, area: Rect) {
        self.spots.retain(|spot| area.contains(spot.at));
        self.spots.sort_by_key(|spot| (spot.index, spot.rank));
        for rivals in self.spots.chunk_by_mut(|one, other| one.index == other.index) {
            take_turns(rivals);
            for (place, spot) in rivals.iter().enumerate() {
                let hides = |other: &Spot| spot.mark != Mark::Points && spot.within(SAME, other);
                if !rivals[place + 1..].iter().any(hides) {
                    spot.look.point.draw(scene, spot.at, RADIUS + HALO, Colour::WHITE);
                    spot.look.point.draw(scene, spot.at, RADIUS, spot.look.colour);
                }
            }
        }
    }
}

impl Spot {
    fn within(&self, distance: f64, other: &Self) -> bool {
        (other.at.0 - self.at.0).hypot(other.at.1 - self.at.1) < distance
    }
}

/// Sorts points of one index back to front, another one of each crowd in front each time.
fn take_turns(rivals: &mut [Spot]) {
    let turn = |spot: &Spot| {
        let crowd = rivals.iter().filter(|other| spot.within(RADIUS, other));
        let before = crowd.clone().filter(|other| other.rank < spot.rank).count();
        (before + spot.index) % crowd.count().max(1)
    };
    let turns: Vec<usize> = rivals.iter().map(turn).collect();
    for (spot, turn) in rivals.iter_mut().zip(turns) {
        spot.rank = turn;
    }
    rivals.sort_by_key(|spot| spot.rank);
}

/// The points of a run that get a shape. A lone point of a line does: it has no other trace.
fn shown(run: &[Point], mark: Mark) -> Vec<Point> {
    match mark {
        Mark::LineAndPoints => run.iter().copied().step_by(stride(run)).collect(),
        Mark::Bars => Vec::new(),
        Mark::Line | Mark::Dashed if run.len() > 1 => Vec::new(),
        Mark::Points | Mark::Line | Mark::Dashed => run.to_vec(),
    }
}

/// Every how many points of a line one is shown.
fn stride(run: &[Point]) -> usize {
    let (Some(first), Some(last)) = (run.first(), run.last()) else {
        return 1;
    };
    let spacing = (last.0 - first.0).abs() / run.len() as f64;
    // A line straight up has no spacing; one point in ten remains.
    (1_u8..10).find(|stride| spacing * f64::from(*stride) >= CROWDED).map_or(10, usize::from)
}

#[cfg(test)]
mod tests {
    use super::super::scene::Shape;
    use super::*;

    const AREA: Rect = Rect { left: 0.0, top: 0.0, right: 500.0, bottom: 500.0 };

    /// Whether each point drawn is round, when a round and a triangular series are equal.
    fn round(mark: Mark) -> Vec<bool> {
        let run: Vec<Point> = (0_u8..4).map(|x| (f64::from(x) * 50.0, 100.0)).collect();
        let mut spots = Spots::default();
        for rank in 0..2 {
            spots.add(std::slice::from_ref(&run), mark, Look::of(mark, rank));
        }
        let mut scene = Scene::default();
        spots.draw(&mut scene, AREA);
        let points = scene.shapes.iter().skip(1).step_by(2);
        points.map(|shape| matches!(shape, Shape::Disc { .. })).collect()
    }

    #[test]
    fn equal_lines_take_turns() {
        assert_eq!(round(Mark::LineAndPoints), [false, true, false, true]);
    }

    #[test]
    fn every_point_of_a_scatter_chart_is_drawn() {
        assert_eq!(round(Mark::Points), [true, false, false, true, true, false, false, true]);
    }

    #[test]
    fn crowded_points_of_a_line_are_thinned() {
        let run: Vec<Point> = (0_u8..100).map(|x| (f64::from(x) * 5.0, 0.0)).collect();
        assert_eq!(shown(&run, Mark::LineAndPoints).len(), 34);
        assert_eq!(shown(&run, Mark::Points).len(), 100);
    }

    #[test]
    fn a_lone_point_of_a_line_is_shown() {
        assert_eq!(shown(&[(1.0, 1.0)], Mark::Line), [(1.0, 1.0)]);
        assert!(shown(&[(1.0, 1.0), (2.0, 1.0)], Mark::Dashed).is_empty());
    }
}
