//! How are tiers laid out? From top to bottom, their data between the same two margins.

use super::frame::{GAP, LABEL_SIZE, TICK_ROW, TICK_SIZE};
use super::legend::{Key, Sample};
use super::look::Looks;
use super::panel::{Margins, Own, Panel};
use super::ruler::Ruler;
use super::scene::{Rect, Scene};
use super::spots::RADIUS;
use super::{Axis, Chart, Content, Flag, PlotError, Size, Stack, figure, flags, frame, heat, legend, letters};

/// Font size of a tier's title.
const TITLE_SIZE: f64 = 14.0;
/// Height of a tier with lines.
const LINES: f64 = 170.0;
/// Height of a heat map that is no matrix.
const MAP: f64 = 110.0;
/// Between tiers.
const BETWEEN: f64 = 20.0;
/// What a panel draws itself: only what belongs to its data.
const BARE: Own = Own { title: false, x_label: false, y_label: true };

/// The size that a stack needs at this width.
pub(super) fn size(stack: &Stack, width: u32) -> Result<Size, PlotError> {
    let (_, height) = draw(stack, width)?;
    #[expect(clippy::cast_sign_loss, reason = "a height is not negative")]
    Ok(Size::new(width, height.ceil() as u32))
}

/// Lays out a stack on a page.
pub(super) fn scene(stack: &Stack, size: Size) -> Result<Scene, PlotError> {
    let (scene, height) = draw(stack, size.width)?;
    if height > f64::from(size.height) {
        return Err(PlotError::TooSmall { size });
    }
    Ok(scene)
}

/// Lays out a stack and says how high it is.
fn draw(stack: &Stack, width: u32) -> Result<(Scene, f64), PlotError> {
    let mut scene = Scene::default();
    let page = Size::new(width, Size::LONGEST);
    let mut free = figure::head(&mut scene, &stack.title, &keys(&stack.flags), page);
    free.top += if stack.flags.is_empty() { 0.0 } else { GAP };
    let x = Ruler::new(&stack.x, std::iter::empty())?;
    let floors = stack.tiers.iter().map(|tier| Floor::new(&tier.content, &stack.x, free.width()));
    let floors = floors.collect::<Result<Vec<_>, _>>()?;
    let margins = floors.iter().map(|floor| floor.margins(&x, free)).fold((0.0, 0.0), figure::wider);
    let (left, right) = (free.left + margins.0, free.right - margins.1);
    let middle = f64::midpoint(left, right);
    for (tier, floor) in stack.tiers.iter().zip(&floors) {
        let title = letters::wrap(&tier.title, free.width() * 0.9, TITLE_SIZE);
        scene.centred(&title, (middle, free.top), TITLE_SIZE);
        free.top += figure::spaced(letters::height(&title, TITLE_SIZE));
        free.top +=
            figure::spaced(floor.legend(&mut scene, Rect { left, right, ..free })) + flags::height(&stack.flags);
        let area = Rect { left, right, top: free.top, bottom: free.top + floor.height(right - left) };
        figure::check_room(area, page)?;
        floor.draw(&mut scene, &x, &stack.flags, free, area)?;
        flags::labels(&mut scene, &stack.flags, &x, area);
        free.top = area.bottom + TICK_ROW + BETWEEN;
    }
    free.top -= if floors.is_empty() { 0.0 } else { BETWEEN - GAP };
    let label = letters::wrap(&stack.x.label, (right - left).max(0.0), LABEL_SIZE);
    scene.centred(&label, (middle, free.top), LABEL_SIZE);
    Ok((scene, free.top + letters::height(&label, LABEL_SIZE) + figure::EDGE))
}

/// Each kind of flag once.
fn keys(flags: &[Flag]) -> Vec<Key<'_>> {
    let mut keys: Vec<Key> = Vec::new();
    for flag in flags {
        if !flag.name.is_empty() && keys.iter().all(|key| key.name != flag.name) {
            keys.push(Key { name: &flag.name, sample: Sample::Flag(flag.style) });
        }
    }
    keys
}

/// A tier with its axes settled.
enum Floor<'a> {
    Lines(Chart),
    Heat(heat::Heat<'a>),
}

impl<'a> Floor<'a> {
    fn new(content: &'a Content, x: &Axis, width: f64) -> Result<Self, PlotError> {
        Ok(match content {
            Content::Lines { y, series } => {
                Self::Lines(Chart { title: String::new(), x: x.clone(), y: y.clone(), series: series.clone() })
            }
            Content::Map { y, scale, columns } => Self::Heat(heat::Heat::new(y, scale, columns, Some(MAP), width)?),
            Content::Matrix { scale, columns } => Self::Heat(heat::Heat::new(x, scale, columns, None, width)?),
        })
    }

    fn height(&self, width: f64) -> f64 {
        match self {
            Self::Lines(_) => LINES,
            Self::Heat(heat) => heat.height(width),
        }
    }

    fn margins(&self, x: &Ruler, free: Rect) -> Margins {
        let ticks = frame::level_ticks(x, free.width());
        let last = ticks.last().map_or(0.0, |tick| letters::width(&tick.label, TICK_SIZE));
        let right = (last / 2.0).max(RADIUS + 1.0);
        let left = match self {
            Self::Lines(chart) => Panel::new(chart, BARE, cell(free, free)).map_or(0.0, |panel| panel.margins().0),
            Self::Heat(heat) => heat.margin(),
        };
        (left, right)
    }

    /// Draws what explains the data, above them, and returns its height.
    fn legend(&self, scene: &mut Scene, free: Rect) -> f64 {
        match self {
            Self::Lines(chart) => {
                let looks = Looks::of(std::slice::from_ref(chart));
                let keys: Vec<Key> = looks.named().map(figure::key).collect();
                // One line is what the title says.
                if keys.len() > 1 { legend::draw(scene, &keys, free) } else { 0.0 }
            }
            Self::Heat(heat) => heat.legend(scene, free),
        }
    }

    fn draw(&self, scene: &mut Scene, x: &Ruler, flags: &[Flag], free: Rect, area: Rect) -> Result<(), PlotError> {
        match self {
            Self::Lines(chart) => {
                // Behind the lines, which often turn where a flag stands.
                flags::upright(scene, flags, x, area);
                let panel = Panel::new(chart, BARE, cell(free, area))?;
                let margins = (area.left - free.left, free.right - area.right);
                panel.draw(scene, margins, &Looks::of(std::slice::from_ref(chart)));
            }
            Self::Heat(heat) => {
                heat.draw(scene, x, flags, free.left, area);
                flags::upright(scene, flags, x, area);
            }
        }
        Ok(())
    }
}

/// The room of a panel whose data lie in `area`.
fn cell(free: Rect, area: Rect) -> Rect {
    let top = area.top - TICK_SIZE / 2.0;
    Rect { top, bottom: (area.bottom + TICK_ROW).min(area.top + LINES + TICK_ROW), ..free }
}
