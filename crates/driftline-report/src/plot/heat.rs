//! How is a heat map drawn? Cells, axes around them, and a bar that says which colour means what.

use super::frame::{GAP, LABEL_SIZE, TICK_SIZE};
use super::raster::Raster;
use super::ruler::{Ruler, Tick};
use super::scene::{Anchor, Colour, Point, Rect, Scene, Text};
use super::{Axis, Flag, PlotError, figure, flags, frame, letters};

/// The bar that explains the colours.
const BAR: (f64, f64) = (140.0, 11.0);
/// The height of its row.
const ROW: f64 = 18.0;

/// A heat map with settled axes.
#[derive(Debug)]
pub(super) struct Heat<'a> {
    y: Ruler,
    y_label: Vec<String>,
    scale: &'a str,
    columns: &'a [Vec<f64>],
    /// As high as wide when absent.
    height: Option<f64>,
    /// About how wide it will be.
    width: f64,
}

impl<'a> Heat<'a> {
    pub(super) fn new(
        y: &Axis,
        scale: &'a str,
        columns: &'a [Vec<f64>],
        height: Option<f64>,
        width: f64,
    ) -> Result<Self, PlotError> {
        let y_label = letters::wrap(&y.label, height.unwrap_or(width * 0.8), LABEL_SIZE);
        Ok(Self { y: Ruler::new(y, std::iter::empty())?, y_label, scale, columns, height, width })
    }

    pub(super) fn height(&self, width: f64) -> f64 {
        self.height.unwrap_or(width)
    }

    /// The room for labels on the left.
    pub(super) fn margin(&self) -> f64 {
        let ticks = self.ticks(self.height.unwrap_or(self.width));
        figure::spaced(letters::height(&self.y_label, LABEL_SIZE)) + frame::widest(&ticks) + GAP
    }

    fn ticks(&self, height: f64) -> Vec<Tick> {
        frame::upright_ticks(&self.y, height)
    }

    /// Draws the bar of colours in the upper part of `free` and returns its height.
    pub(super) fn legend(&self, scene: &mut Scene, free: Rect) -> f64 {
        let words = [format!("{}: 0", self.scale), "1".to_owned()];
        let [before, after] = [&words[0], &words[1]].map(|words| letters::width(words, TICK_SIZE));
        let left = free.middle().0 - (before + after + BAR.0 + 2.0 * GAP) / 2.0 + before + GAP;
        let top = free.top + (ROW - BAR.1) / 2.0;
        let bar = Rect { left, top, right: left + BAR.0, bottom: top + BAR.1 };
        let baseline = bar.middle().1 + letters::HALF_DIGIT * TICK_SIZE;
        scene.image(bar, Raster::ramp());
        scene.line(outline(bar), Colour::INK, 1.0);
        scene.text(Text::new(&words[0], (bar.left - GAP, baseline), TICK_SIZE).anchored(Anchor::End));
        scene.text(Text::new(&words[1], (bar.right + GAP, baseline), TICK_SIZE));
        ROW
    }

    /// Draws cells and axes; `edge` is where the label of the upright axis stands.
    pub(super) fn draw(&self, scene: &mut Scene, x: &Ruler, flags: &[Flag], edge: f64, area: Rect) {
        frame::level(scene, x, &frame::level_ticks(x, area.width()), area);
        self.downward(scene, area);
        #[expect(clippy::cast_sign_loss, reason = "the area has room")]
        let most = (area.width() as usize, area.height() as usize);
        let raster = Raster::of(self.columns, most);
        if !raster.is_empty() {
            scene.image(area, raster);
        }
        scene.line(outline(area), Colour::INK, 1.2);
        scene.upward(&self.y_label, (edge, area.middle().1), LABEL_SIZE);
        if self.height.is_none() {
            flags::level(scene, flags, &self.y, area);
        }
    }

    /// The labels of the upright axis, which runs downwards.
    fn downward(&self, scene: &mut Scene, area: Rect) {
        for tick in self.ticks(area.height()) {
            let Some(share) = self.y.place(tick.value) else {
                continue;
            };
            let y = area.top + share * area.height();
            scene.line(vec![(area.left - 4.0, y), (area.left, y)], Colour::INK, 1.0);
            let at = (area.left - GAP, y + letters::HALF_DIGIT * TICK_SIZE);
            scene.text(Text::new(&tick.label, at, TICK_SIZE).anchored(Anchor::End));
        }
    }
}

fn outline(area: Rect) -> Vec<Point> {
    let mut outline = area.corners();
    outline.extend(outline.first().copied());
    outline
}
