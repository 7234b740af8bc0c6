//! Where do flags stand, and where their labels? A row above the data, in which labels make room for each
//! other.

use super::frame::TICK_SIZE;
use super::ruler::Ruler;
use super::scene::{Anchor, Colour, Point, Rect, Scene, Text};
use super::{Flag, FlagStyle, letters, stroke};

/// From one label to the next.
const SPACE: f64 = 8.0;
/// From the labels down to the data, for lines from a label to its flag.
const LEADER: f64 = 8.0;
/// What of a letter lies below its line.
const DESCENT: f64 = 4.0;
/// Width of a flag.
const WIDTH: f64 = 1.4;
/// Its white edge, on heat maps.
const HALO: f64 = 3.0;
/// None of the colours of series.
const CRIMSON: Colour = Colour(186, 0, 98);
const DASHES: &[f64] = &[5.0, 4.0];
const DOTS: &[f64] = &[2.0, 3.0];

/// The height of the row of labels.
pub(super) fn height(flags: &[Flag]) -> f64 {
    if flags.iter().any(|flag| !flag.label.is_empty()) { TICK_SIZE + DESCENT + LEADER } else { 0.0 }
}

/// Draws the labels above `area`, and a line from each to its flag.
pub(super) fn labels(scene: &mut Scene, flags: &[Flag], ruler: &Ruler, area: Rect) {
    let mut labels: Vec<(f64, &str)> = flags
        .iter()
        .filter(|flag| !flag.label.is_empty())
        .filter_map(|flag| Some((x(flag, ruler, area)?, flag.label.as_str())))
        .collect();
    labels.sort_by(|one, other| one.0.total_cmp(&other.0));
    let width = |label: &str| letters::width(label, TICK_SIZE) + SPACE;
    let needed: f64 = labels.iter().map(|(_, label)| width(label)).sum();
    // With too many, every second one is written, or every third.
    let room = area.width() + SPACE;
    let stride = (1..=labels.len()).find(|stride| needed <= room * *stride as f64).unwrap_or(1);
    let labels: Vec<(f64, &str)> = labels.into_iter().step_by(stride).collect();
    let wanted: Vec<(f64, f64)> = labels.iter().map(|(at, label)| (*at, width(label))).collect();
    let ends = (area.left - SPACE / 2.0, area.right + SPACE / 2.0);
    for ((at, label), middle) in labels.into_iter().zip(apart(&wanted, ends)) {
        let top = area.top - LEADER;
        scene.line(vec![(middle, top), (at, area.top)], Colour::INK, 1.0);
        scene.text(Text::new(label, (middle, top - DESCENT), TICK_SIZE).anchored(Anchor::Middle));
    }
}

/// Draws the flags through `area`, solid ones first.
pub(super) fn upright(scene: &mut Scene, flags: &[Flag], ruler: &Ruler, area: Rect) {
    for flag in in_order(flags) {
        if let Some(x) = x(flag, ruler, area) {
            line(scene, [(x, area.top), (x, area.bottom)], flag.style);
        }
    }
}

/// Draws the flags across a matrix, whose upright axis runs downwards.
pub(super) fn level(scene: &mut Scene, flags: &[Flag], ruler: &Ruler, area: Rect) {
    for flag in in_order(flags) {
        if let Some(share) = ruler.place(flag.at).filter(|share| (0.0..=1.0).contains(share)) {
            let y = area.top + share * area.height();
            line(scene, [(area.left, y), (area.right, y)], flag.style);
        }
    }
}

/// Draws a line in the style of a flag.
pub(super) fn line(scene: &mut Scene, ends: [Point; 2], style: FlagStyle) {
    let (dashes, colour): (&[f64], _) = match style {
        FlagStyle::Solid => (&[], CRIMSON),
        FlagStyle::Dotted => (DOTS, CRIMSON),
        FlagStyle::Dashed => (DASHES, Colour::BLACK),
    };
    for dash in stroke::dash(&ends, dashes) {
        scene.line(dash.clone(), Colour::WHITE, HALO);
        scene.line(dash, colour, WIDTH);
    }
}

fn in_order(flags: &[Flag]) -> impl Iterator<Item = &Flag> {
    let of = |style| flags.iter().filter(move |flag| flag.style == style);
    [FlagStyle::Solid, FlagStyle::Dotted, FlagStyle::Dashed].into_iter().flat_map(of)
}

fn x(flag: &Flag, ruler: &Ruler, area: Rect) -> Option<f64> {
    let share = ruler.place(flag.at).filter(|share| (0.0..=1.0).contains(share))?;
    Some(area.left + share * area.width())
}

/// The middles of labels of these widths, near where they are wanted, without overlap between the ends.
fn apart(wanted: &[(f64, f64)], (left, right): (f64, f64)) -> Vec<f64> {
    let mut middles = Vec::with_capacity(wanted.len());
    let mut free = left;
    for (at, width) in wanted {
        let start = (at - width / 2.0).max(free);
        middles.push(start + width / 2.0);
        free = start + width;
    }
    let mut free = right;
    for (middle, (_, width)) in middles.iter_mut().zip(wanted).rev() {
        *middle = middle.min(free - width / 2.0);
        free = *middle - width / 2.0;
    }
    middles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_make_room_for_each_other() {
        assert_eq!(apart(&[(50.0, 20.0), (60.0, 20.0)], (0.0, 100.0)), [50.0, 70.0]);
        assert_eq!(apart(&[(90.0, 20.0), (95.0, 20.0)], (0.0, 100.0)), [70.0, 90.0]);
        assert_eq!(apart(&[(0.0, 20.0)], (0.0, 100.0)), [10.0]);
    }
}
