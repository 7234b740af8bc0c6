//! How do charts share a page? Title, legend, shared labels, then a grid of equal cells.
//!
//! A single chart is a grid of one whose title is the picture's.

use super::frame::{GAP, LABEL_SIZE};
use super::legend::{Key, Sample};
use super::look::{Look, Looks};
use super::panel::{Margins, Own, Panel};
use super::scene::{Rect, Scene};
use super::{Chart, Grid, PlotError, Series, Size, legend, letters};

/// Around the whole picture.
pub(super) const EDGE: f64 = 14.0;
/// Between panels.
const BETWEEN: f64 = 18.0;
/// Font size of the picture's title.
const TITLE_SIZE: f64 = 17.0;
/// The least room data can be read in.
const LEAST: (f64, f64) = (60.0, 40.0);

/// Lays out one chart.
pub(super) fn chart(chart: &Chart, size: Size) -> Result<Scene, PlotError> {
    let own = Own { title: false, x_label: true, y_label: true };
    arrange(&chart.title, std::slice::from_ref(chart), 1, own, size)
}

/// Lays out a grid of charts.
pub(super) fn grid(grid: &Grid, size: Size) -> Result<Scene, PlotError> {
    let own = Own {
        title: true,
        x_label: differ(&grid.charts, |chart| &chart.x.label),
        y_label: differ(&grid.charts, |chart| &chart.y.label),
    };
    arrange(&grid.title, &grid.charts, grid.columns, own, size)
}

/// Draws title and legend and returns what is left of the page.
pub(super) fn head(scene: &mut Scene, title: &str, keys: &[Key], size: Size) -> Rect {
    let (width, height) = (f64::from(size.width), f64::from(size.height));
    let mut free = Rect { left: EDGE, top: EDGE, right: width - EDGE, bottom: height - EDGE };
    let title = letters::wrap(title, free.width(), TITLE_SIZE);
    scene.centred(&title, (free.middle().0, free.top), TITLE_SIZE);
    free.top += spaced(letters::height(&title, TITLE_SIZE));
    free.top += spaced(legend::draw(scene, keys, free));
    free.top += if keys.is_empty() { 0.0 } else { GAP / 2.0 };
    free
}

/// Whether data can be read in this area.
pub(super) fn check_room(area: Rect, size: Size) -> Result<(), PlotError> {
    if area.width() >= LEAST.0 && area.height() >= LEAST.1 {
        return Ok(());
    }
    Err(PlotError::TooSmall { size })
}

fn arrange(title: &str, charts: &[Chart], columns: usize, own: Own, size: Size) -> Result<Scene, PlotError> {
    let mut scene = Scene::default();
    let looks = Looks::of(charts);
    let keys: Vec<Key> = looks.named().map(key).collect();
    let free = head(&mut scene, title, &keys, size);
    let shared = Shared::new(charts, own, free);
    let cells = cells(shared.inside(free), charts.len(), columns);
    let panels = charts.iter().zip(cells).map(|(chart, cell)| Panel::new(chart, own, cell));
    let panels = panels.collect::<Result<Vec<_>, _>>()?;
    let margins = panels.iter().map(Panel::margins).fold((0.0, 0.0), wider);
    for panel in &panels {
        check_room(panel.area(margins), size)?;
        panel.draw(&mut scene, margins, &looks);
    }
    shared.draw(&mut scene, free, margins);
    Ok(scene)
}

/// The axis labels that stand once for all panels.
struct Shared {
    x: Vec<String>,
    y: Vec<String>,
}

impl Shared {
    fn new(charts: &[Chart], own: Own, free: Rect) -> Self {
        let lines = |own: bool, label: Option<&String>, room: f64| match label {
            Some(label) if !own => letters::wrap(label, room * 0.8, LABEL_SIZE),
            _ => Vec::new(),
        };
        let first = charts.first();
        Self {
            x: lines(own.x_label, first.map(|chart| &chart.x.label), free.width()),
            y: lines(own.y_label, first.map(|chart| &chart.y.label), free.height()),
        }
    }

    /// What the labels leave free.
    fn inside(&self, free: Rect) -> Rect {
        Rect {
            left: free.left + spaced(letters::height(&self.y, LABEL_SIZE)),
            bottom: free.bottom - spaced(letters::height(&self.x, LABEL_SIZE)),
            ..free
        }
    }

    fn draw(&self, scene: &mut Scene, free: Rect, (left, right): Margins) {
        let inside = self.inside(free);
        let middle = f64::midpoint(inside.left + left, inside.right - right);
        scene.centred(&self.x, (middle, inside.bottom + GAP), LABEL_SIZE);
        scene.upward(&self.y, (free.left, inside.middle().1), LABEL_SIZE);
    }
}

/// Equal cells, row by row.
fn cells(free: Rect, count: usize, columns: usize) -> impl Iterator<Item = Rect> {
    let columns = columns.min(count).max(1);
    let rows = count.div_ceil(columns).max(1);
    let width = (free.width() + BETWEEN) / columns as f64;
    let height = (free.height() + BETWEEN) / rows as f64;
    (0..count).map(move |index| {
        let left = free.left + (index % columns) as f64 * width;
        let top = free.top + (index / columns) as f64 * height;
        Rect { left, top, right: left + width - BETWEEN, bottom: top + height - BETWEEN }
    })
}

/// A series in the legend.
pub(super) fn key((series, look): (&Series, Look)) -> Key<'_> {
    Key { name: &series.name, sample: Sample::Series(series.mark, look) }
}

/// Margins that are wide enough for both: the areas of all panels line up.
pub(super) fn wider(one: Margins, other: Margins) -> Margins {
    (one.0.max(other.0), one.1.max(other.1))
}

fn differ(charts: &[Chart], label: impl Fn(&Chart) -> &String) -> bool {
    charts.windows(2).any(|pair| label(&pair[0]) != label(&pair[1]))
}

/// A height with the gap after it; nothing needs no gap.
pub(super) fn spaced(height: f64) -> f64 {
    if height > 0.0 { height + GAP } else { 0.0 }
}
