//! How is one chart drawn inside its share of the page?
//!
//! Lines first, then points: a point is never hidden by another series' line. Reference
//! lines come after solid ones, so a metric that equals the criterion shows through the
//! dashes.

use super::frame::{GAP, LABEL_SIZE, TICK_ROW, TICK_SIZE};
use super::look::{Look, Looks};
use super::ruler::{Ruler, Tick};
use super::scene::{Point, Rect, Scene};
use super::spots::{RADIUS, Spots};
use super::{Chart, Mark, PlotError, Series, bars, figure, frame, letters, stroke};

/// Width of a line.
const WIDTH: f64 = 1.8;
/// The share of the room between two places that bars fill.
const FILLED: f64 = 0.86;
/// The share of a chart that the bars of a single place fill.
const LONE_BAR: f64 = 0.1;
/// Font size of a panel's own title.
const TITLE_SIZE: f64 = 14.0;

/// A chart with settled axes and a place on the page.
#[derive(Debug)]
pub(super) struct Panel<'a> {
    chart: &'a Chart,
    x: Ruler,
    y: Ruler,
    title: Vec<String>,
    x_label: Vec<String>,
    y_label: Vec<String>,
    upright: Vec<Tick>,
    cell: Rect,
}

/// The room left and right of the data, in pixels.
pub(super) type Margins = (f64, f64);

/// Which of its texts a panel draws itself; the others stand once for the whole picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own {
    pub(super) title: bool,
    pub(super) x_label: bool,
    pub(super) y_label: bool,
}

impl<'a> Panel<'a> {
    /// Settles the axes of a chart that is to be drawn in `cell`.
    pub(super) fn new(chart: &'a Chart, own: Own, cell: Rect) -> Result<Self, PlotError> {
        let points = || chart.series.iter().flat_map(|series| &series.points);
        let lines = |own: bool, text: &str, room: f64, size: f64| {
            if own { letters::wrap(text, room, size) } else { Vec::new() }
        };
        let mut panel = Self {
            chart,
            x: Ruler::new(&chart.x, points().map(|point| point.0))?,
            y: Ruler::new(&chart.y, points().map(|point| point.1))?,
            title: lines(own.title, &chart.title, cell.width() * 0.8, TITLE_SIZE),
            x_label: lines(own.x_label, &chart.x.label, cell.width() * 0.8, LABEL_SIZE),
            y_label: Vec::new(),
            upright: Vec::new(),
            cell,
        };
        let height = panel.area((0.0, 0.0)).height();
        panel.y_label = lines(own.y_label, &chart.y.label, height, LABEL_SIZE);
        panel.upright = frame::upright_ticks(&panel.y, height);
        Ok(panel)
    }

    /// The room the panel needs for labels on both sides of its data.
    pub(super) fn margins(&self) -> Margins {
        let label = figure::spaced(letters::height(&self.y_label, LABEL_SIZE));
        let ticks = frame::level_ticks(&self.x, self.cell.width());
        let last = ticks.last().map_or(0.0, |tick| letters::width(&tick.label, TICK_SIZE));
        (label + frame::widest(&self.upright) + GAP, (last / 2.0).max(RADIUS + 1.0))
    }

    /// Where the data are drawn between these margins.
    pub(super) fn area(&self, (left, right): Margins) -> Rect {
        let label = figure::spaced(letters::height(&self.x_label, LABEL_SIZE));
        // Half a tick label, or half a point, may stand out above.
        let title = letters::height(&self.title, TITLE_SIZE) + TICK_SIZE / 2.0;
        Rect {
            left: self.cell.left + left,
            top: self.cell.top + title,
            right: self.cell.right - right,
            bottom: self.cell.bottom - TICK_ROW - label,
        }
    }

    /// Draws axes, labels and data.
    pub(super) fn draw(&self, scene: &mut Scene, margins: Margins, looks: &Looks) {
        let area = self.area(margins);
        let middle = area.middle();
        frame::upright(scene, &self.y, &self.upright, area);
        frame::level(scene, &self.x, &frame::level_ticks(&self.x, area.width()), area);
        frame::axes(scene, area);
        scene.centred(&self.title, (middle.0, self.cell.top), TITLE_SIZE);
        scene.centred(&self.x_label, (middle.0, area.bottom + TICK_ROW + GAP), LABEL_SIZE);
        scene.upward(&self.y_label, (self.cell.left, middle.1), LABEL_SIZE);
        self.draw_series(scene, area, looks);
    }

    /// Bars first, so that lines lie over them.
    fn draw_series(&self, scene: &mut Scene, area: Rect, looks: &Looks) {
        self.draw_bars(scene, area, looks);
        let mut series: Vec<&Series> = self.chart.series.iter().filter(|series| series.mark != Mark::Bars).collect();
        series.sort_by_key(|series| series.mark == Mark::Dashed);
        let mut spots = Spots::default();
        for series in series {
            let look = looks.get(series);
            let runs = self.runs(series, area);
            if series.mark != Mark::Points {
                let parts = runs.iter().flat_map(|run| stroke::clip(run, area));
                parts.for_each(|part| stroke(scene, &part, look));
            }
            spots.add(&runs, series.mark, look);
        }
        spots.draw(scene, area);
    }

    /// Series share the room between one place and the next.
    fn draw_bars(&self, scene: &mut Scene, area: Rect, looks: &Looks) {
        let series: Vec<&Series> = self.chart.series.iter().filter(|series| series.mark == Mark::Bars).collect();
        let gaps = series.iter().flat_map(|series| series.points.windows(2)).filter_map(|pair| {
            let gap = (self.x.place(pair[1].0)? - self.x.place(pair[0].0)?).abs();
            (gap > 0.0).then_some(gap)
        });
        let group = gaps.fold(LONE_BAR, f64::min) * area.width() * FILLED;
        let width = group / series.len().max(1) as f64;
        for (place, series) in series.into_iter().enumerate() {
            let start = (place as f64).mul_add(width, -group / 2.0);
            for (x, y) in self.runs(series, area).concat() {
                let left = (x + start).max(area.left);
                let bar = Rect {
                    left,
                    right: (x + start + width).min(area.right),
                    top: y.max(area.top),
                    bottom: area.bottom,
                };
                if bar.top < bar.bottom && bar.left < bar.right {
                    bars::fill(scene, bar, looks.get(series).rank);
                }
            }
        }
    }

    /// The series on the page, one run for each stretch without a gap.
    fn runs(&self, series: &Series, area: Rect) -> Vec<Vec<Point>> {
        let place = |(x, y): &(f64, f64)| {
            let (x, y) = (self.x.place(*x)?, self.y.place(*y)?);
            Some((area.left + x * area.width(), area.bottom - y * area.height()))
        };
        let places: Vec<Option<Point>> = series.points.iter().map(place).collect();
        let runs = places.split(Option::is_none);
        runs.filter(|run| !run.is_empty()).map(|run| run.iter().copied().flatten().collect()).collect()
    }
}

/// Draws a line in its look.
pub(super) fn stroke(scene: &mut Scene, line: &[Point], look: Look) {
    for dash in stroke::dash(line, look.dash) {
        scene.line(dash, look.colour, WIDTH);
    }
}
