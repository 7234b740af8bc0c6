//! What surrounds the data? Axis lines, grid lines, tick labels and axis labels.
//!
//! Shared by charts and bars, so that both read alike.

use super::letters;
use super::ruler::{Ruler, Tick};
use super::scene::{Anchor, Colour, Rect, Scene, Text};

/// Font size of tick labels: the smallest type in a picture.
pub(super) const TICK_SIZE: f64 = 12.0;
/// Font size of axis labels.
pub(super) const LABEL_SIZE: f64 = 13.0;
/// From an axis to its tick labels, and from those to the axis label.
pub(super) const GAP: f64 = 7.0;
/// Height of the row of tick labels below an axis.
pub(super) const TICK_ROW: f64 = GAP + TICK_SIZE;

/// The ticks of an upright axis of this height.
pub(super) fn upright_ticks(ruler: &Ruler, height: f64) -> Vec<Tick> {
    ruler.fitting(height, |_| TICK_SIZE * 2.6)
}

/// The ticks of a level axis of this width.
pub(super) fn level_ticks(ruler: &Ruler, width: f64) -> Vec<Tick> {
    ruler.fitting(width, |label| letters::width(label, TICK_SIZE) + TICK_SIZE * 1.2)
}

/// The width of the widest label.
pub(super) fn widest(ticks: &[Tick]) -> f64 {
    ticks.iter().map(|tick| letters::width(&tick.label, TICK_SIZE)).fold(0.0, f64::max)
}

/// Draws grid lines and labels of the upright axis.
pub(super) fn upright(scene: &mut Scene, ruler: &Ruler, ticks: &[Tick], area: Rect) {
    for tick in ticks {
        let Some(share) = ruler.place(tick.value) else {
            continue;
        };
        let y = area.bottom - share * area.height();
        scene.line(vec![(area.left, y), (area.right, y)], Colour::FAINT, 1.0);
        let at = (area.left - GAP, y + letters::HALF_DIGIT * TICK_SIZE);
        scene.text(Text::new(&tick.label, at, TICK_SIZE).anchored(Anchor::End));
    }
}

/// Draws grid lines and labels of the level axis.
pub(super) fn level(scene: &mut Scene, ruler: &Ruler, ticks: &[Tick], area: Rect) {
    for tick in ticks {
        let Some(share) = ruler.place(tick.value) else {
            continue;
        };
        let x = area.left + share * area.width();
        scene.line(vec![(x, area.top), (x, area.bottom)], Colour::FAINT, 1.0);
        let at = (x, area.bottom + GAP + letters::ASCENT * TICK_SIZE);
        scene.text(Text::new(&tick.label, at, TICK_SIZE).anchored(Anchor::Middle));
    }
}

/// Draws the two axis lines.
pub(super) fn axes(scene: &mut Scene, area: Rect) {
    let Rect { left, top, right, bottom } = area;
    scene.line(vec![(left, top), (left, bottom), (right, bottom)], Colour::INK, 1.2);
}
