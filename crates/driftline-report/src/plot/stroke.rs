//! Which part of a line is visible, and which parts of it are dashes?
//!
//! Lines are cut at the frame and dashed here because plotters' backends know neither clip
//! paths nor dashes.

use super::scene::{Point, Rect};

/// The parts of a line inside the box.
pub(super) fn clip(line: &[Point], inside: Rect) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = Vec::new();
    for pair in line.windows(2) {
        let Some((from, to)) = clip_segment(pair[0], pair[1], inside) else {
            continue;
        };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&from) => part.push(to),
            _ => parts.push(vec![from, to]),
        }
    }
    parts
}

/// The dashes of a line; `pattern` is on, off, on, off … in pixels, empty for a solid line.
pub(super) fn dash(line: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    let mut lengths = pattern.iter().copied().cycle().zip([true, false].into_iter().cycle());
    let (Some((mut left, mut on)), Some(start)) = (lengths.next(), line.first()) else {
        return vec![line.to_vec()];
    };
    let mut dashes = vec![vec![*start]];
    for pair in line.windows(2) {
        let length = distance(pair[0], pair[1]);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let here = between(pair[0], pair[1], done / length);
            if on {
                extend(&mut dashes, here);
            } else {
                dashes.push(vec![here]);
            }
            (left, on) = lengths.next().unwrap_or((f64::INFINITY, true));
        }
        left -= length - done;
        if on {
            extend(&mut dashes, pair[1]);
        }
    }
    dashes.retain(|dash| dash.len() > 1);
    dashes
}

fn extend(dashes: &mut [Vec<Point>], here: Point) {
    if let Some(dash) = dashes.last_mut() {
        dash.push(here);
    }
}

/// Liang–Barsky: the share of the segment inside all four edges.
fn clip_segment(from: Point, to: Point, inside: Rect) -> Option<(Point, Point)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let edges = [
        (-dx, from.0 - inside.left),
        (dx, inside.right - from.0),
        (-dy, from.1 - inside.top),
        (dy, inside.bottom - from.1),
    ];
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (outward, room) in edges {
        if outward < 0.0 {
            enter = enter.max(room / outward);
        } else if outward > 0.0 {
            leave = leave.min(room / outward);
        } else if room < 0.0 {
            return None;
        }
    }
    let end = |share: f64, whole: f64, exact: Point| {
        if (share - whole).abs() > 0.0 { between(from, to, share) } else { exact }
    };
    (enter <= leave).then(|| (end(enter, 0.0, from), end(leave, 1.0, to)))
}

fn between(from: Point, to: Point, share: f64) -> Point {
    (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
}

fn distance(from: Point, to: Point) -> f64 {
    (to.0 - from.0).hypot(to.1 - from.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Rect = Rect { left: 0.0, top: 0.0, right: 10.0, bottom: 10.0 };

    #[test]
    fn a_line_that_leaves_and_returns_is_two_parts() {
        let line = [(0.0, 5.0), (5.0, 5.0), (5.0, 15.0), (8.0, 15.0), (8.0, 5.0)];
        let parts = clip(&line, BOX);
        assert_eq!(parts, [vec![(0.0, 5.0), (5.0, 5.0), (5.0, 10.0)], vec![(8.0, 10.0), (8.0, 5.0)]]);
    }

    #[test]
    fn a_line_outside_is_not_drawn() {
        assert!(clip(&[(-5.0, -1.0), (15.0, -1.0)], BOX).is_empty());
        assert!(clip(&[(1.0, 1.0)], BOX).is_empty());
    }

    #[test]
    fn dashes_go_on_around_corners() {
        let dashes = dash(&[(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)], &[4.0, 1.0]);
        assert_eq!(dashes, [vec![(0.0, 0.0), (3.0, 0.0), (3.0, 1.0)], vec![(3.0, 2.0), (3.0, 4.0)]]);
    }

    #[test]
    fn no_pattern_is_a_solid_line() {
        assert_eq!(dash(&[(0.0, 0.0), (9.0, 0.0)], &[]), [vec![(0.0, 0.0), (9.0, 0.0)]]);
    }
}
