//! Which look belongs to which name? Rows of samples and names above the charts.
//!
//! The legend has rows of its own, never a corner of the chart: byte-wise comparison lies
//! along the upper edge in Fig. 7 of Kwon et al., others along the lower.

use super::look::Look;
use super::scene::{Colour, Point, Rect, Scene, Text};
use super::{FlagStyle, Mark, bars, flags, letters, panel, spots};

/// Font size of the names.
const SIZE: f64 = 13.0;
/// Length of the line sample.
const SAMPLE: f64 = 34.0;
/// From sample to name.
const GAP: f64 = 6.0;
/// From one entry to the next.
const SPACE: f64 = 20.0;
/// Height of a row.
const ROW: f64 = 21.0;

/// One entry.
#[derive(Debug)]
pub(super) struct Key<'a> {
    pub(super) name: &'a str,
    pub(super) sample: Sample,
}

/// What is drawn before the name.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sample {
    Series(Mark, Look),
    Bar(usize),
    Flag(FlagStyle),
}

/// Draws the entries in the upper part of `free` and returns the height they took.
pub(super) fn draw(scene: &mut Scene, keys: &[Key], free: Rect) -> f64 {
    if keys.is_empty() {
        return 0.0;
    }
    let room = (free.width() - SAMPLE - GAP).max(0.0);
    let names: Vec<String> = keys.iter().map(|key| letters::cut(key.name, room, SIZE)).collect();
    let widths = columns(&names, free.width());
    let mut left = free.middle().0 - (widths.iter().sum::<f64>() - SPACE) / 2.0;
    for (column, width) in widths.iter().enumerate() {
        for index in (column..keys.len()).step_by(widths.len()) {
            let y = free.top + (index / widths.len()) as f64 * ROW + ROW / 2.0;
            sample(scene, keys[index].sample, (left, y));
            let at = (left + SAMPLE + GAP, y + letters::HALF_DIGIT * SIZE);
            scene.text(Text::new(&names[index], at, SIZE));
        }
        left += width;
    }
    keys.len().div_ceil(widths.len()) as f64 * ROW
}

/// The widths of as many columns as fit, with rows as even as possible: 4 + 3, not 6 + 1.
fn columns(names: &[String], room: f64) -> Vec<f64> {
    let widths = |count: usize| -> Vec<f64> {
        let cell = |name: &String| SAMPLE + GAP + letters::width(name, SIZE) + SPACE;
        let column = |first| names.iter().skip(first).step_by(count).map(cell).fold(0.0, f64::max);
        (0..count).map(column).collect()
    };
    let fits = |count: &usize| widths(*count).iter().sum::<f64>() - SPACE <= room;
    let most = (1..=names.len()).rev().find(fits).unwrap_or(1);
    let even = names.len().div_ceil(names.len().div_ceil(most));
    widths(if fits(&even) { even } else { most })
}

fn sample(scene: &mut Scene, sample: Sample, (x, y): Point) {
    match sample {
        Sample::Series(Mark::Bars, look) => self::sample(scene, Sample::Bar(look.rank), (x, y)),
        Sample::Series(mark, look) => {
            if mark != Mark::Points {
                panel::stroke(scene, &[(x, y), (x + SAMPLE, y)], look);
            }
            if matches!(mark, Mark::Points | Mark::LineAndPoints) {
                look.point.draw(scene, (x + SAMPLE / 2.0, y), spots::RADIUS, look.colour);
            }
        }
        Sample::Flag(style) => flags::line(scene, [(x, y), (x + SAMPLE, y)], style),
        Sample::Bar(rank) => {
            let (left, right) = (x + SAMPLE - 26.0, x + SAMPLE);
            let bar = Rect { left, right, top: y - 7.0, bottom: y + 7.0 };
            bars::fill(scene, bar, rank);
            let mut outline = bar.corners();
            outline.push((left, y - 7.0));
            scene.line(outline, Colour::INK, 1.0);
        }
    }
}
