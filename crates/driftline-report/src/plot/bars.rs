//! How tall is each bar? Bars from zero, with their values above them.
//!
//! The axis always contains zero: a bar's length is its message. Series differ by colour
//! and by hatching.

use super::frame::{GAP, LABEL_SIZE, TICK_SIZE};
use super::legend::{Key, Sample};
use super::look::Look;
use super::ruler::{self, Ruler};
use super::scene::{Anchor, Colour, Rect, Scene, Text, Turn};
use super::{GroupedBars, Mark, PlotError, Scale, Size, figure, frame, letters, stroke};

/// The share of its slot that a group fills.
const FILLED: f64 = 0.72;
/// The widest bar: two bars on a wide page should not look like walls.
const WIDEST: f64 = 90.0;
/// Between the lines of a hatching.
const HATCH: f64 = 6.0;

/// Lays out the bars.
pub(super) fn draw(bars: &GroupedBars, size: Size) -> Result<Scene, PlotError> {
    let mut scene = Scene::default();
    let keys = bars.series.iter().enumerate().filter(|(_, name)| !name.is_empty());
    let keys = keys.map(|(rank, name)| Key { name, sample: Sample::Bar(rank) });
    let free = figure::head(&mut scene, &bars.title, &keys.collect::<Vec<_>>(), size);
    let ruler = Ruler::around(Scale::Linear, values(bars).into_iter().flatten().chain([0.0]));

    let label = letters::wrap(&bars.y_label, free.height() * 0.8, LABEL_SIZE);
    // Ticks at the full height are no narrower than those at the height that is left.
    let widest = frame::widest(&frame::upright_ticks(&ruler, free.height()));
    let left = free.left + figure::spaced(letters::height(&label, LABEL_SIZE)) + widest + GAP;
    let names = Names::new(bars, (free.right - left) / slots(bars), free.height() * 0.4);
    // The highest value stands above its bar, hence above the area.
    let top = free.top + TICK_SIZE * 1.5;
    let area = Rect { left, top, right: free.right, bottom: free.bottom - GAP - names.height };
    figure::check_room(area, size)?;

    // Beside the bars, but never beside the title.
    let longest = label.iter().map(|line| letters::width(line, LABEL_SIZE)).fold(0.0, f64::max);
    let middle = area.middle().1.max(free.top + longest / 2.0);
    scene.upward(&label, (free.left, middle), LABEL_SIZE);
    frame::upright(&mut scene, &ruler, &frame::upright_ticks(&ruler, area.height()), area);
    draw_groups(&mut scene, bars, &ruler, area);
    names.draw(&mut scene, area);
    frame::axes(&mut scene, area);
    Ok(scene)
}

/// Fills a bar with the colour and hatching of its series.
pub(super) fn fill(scene: &mut Scene, bar: Rect, rank: usize) {
    scene.area(bar.corners(), Look::of(Mark::Points, rank).colour);
    for line in hatching(bar, rank) {
        for part in stroke::clip(&line, bar) {
            scene.line(part, Colour::WHITE, 1.4);
        }
    }
}

fn draw_groups(scene: &mut Scene, bars: &GroupedBars, ruler: &Ruler, area: Rect) {
    let slot = area.width() / slots(bars);
    let series = bars.series.len().max(1) as f64;
    let width = (slot * FILLED / series).min(WIDEST);
    let y = |value: f64| area.bottom - ruler.place(value).unwrap_or_default() * area.height();
    let words = ruler::alike(&values(bars).concat());
    let room = if bars.series.len() > 1 { width } else { slot } - 4.0;
    let fits = words.iter().all(|word| letters::width(word, TICK_SIZE) <= room);
    let mut words = words.into_iter();
    for (place, values) in values(bars).iter().enumerate() {
        let start = area.left + (place as f64 + 0.5) * slot - width * series / 2.0;
        for ((rank, value), words) in values.iter().enumerate().zip(words.by_ref()) {
            let left = start + rank as f64 * width;
            let (top, bottom) = (y(value.max(0.0)), y(value.min(0.0)));
            if ruler.place(*value).is_some() {
                let bar = Rect { left: left + 0.5, right: left + width - 0.5, top, bottom };
                fill(scene, bar, rank);
            }
            if fits {
                let at = (left + width / 2.0, top - 4.0);
                scene.text(Text::new(words, at, TICK_SIZE).anchored(Anchor::Middle));
            }
        }
    }
    scene.line(vec![(area.left, y(0.0)), (area.right, y(0.0))], Colour::INK, 1.0);
}

/// The values that belong to a series, group by group.
fn values(bars: &GroupedBars) -> Vec<Vec<f64>> {
    let named = |values: &Vec<f64>| values.iter().copied().take(bars.series.len()).collect();
    bars.groups.iter().map(|(_, values)| named(values)).collect()
}

fn slots(bars: &GroupedBars) -> f64 {
    bars.groups.len().max(1) as f64
}

/// The lines that tell a series' bars from another's; the first has none.
fn hatching(bar: Rect, rank: usize) -> Vec<[(f64, f64); 2]> {
    let Rect { left, top, right, bottom } = bar;
    let (width, height) = (bar.width(), bar.height());
    let steps = |length: f64| {
        let at = (1_u16..).map(|step| f64::from(step) * HATCH);
        at.take_while(move |at| *at <= length)
    };
    let rising = || steps(width + height).map(|at| [(left, bottom - height + at), (left + at, top)]);
    let falling = || steps(width + height).map(|at| [(left, bottom - at), (left + at, bottom)]);
    let level = || steps(height).map(|at| [(left, bottom - at), (right, bottom - at)]);
    let upright = || steps(width).map(|at| [(left + at, top), (left + at, bottom)]);
    match rank % 8 {
        1 => rising().collect(),
        2 => falling().collect(),
        3 => level().collect(),
        4 => rising().chain(falling()).collect(),
        5 => upright().collect(),
        6 => level().chain(upright()).collect(),
        7 => falling().chain(level()).collect(),
        _ => Vec::new(),
    }
}

/// The names below the groups: level, or upward when one is too long for its slot.
struct Names {
    lines: Vec<Vec<String>>,
    turn: Turn,
    height: f64,
}

impl Names {
    fn new(bars: &GroupedBars, slot: f64, most: f64) -> Self {
        let names = || bars.groups.iter().map(|(name, _)| name.as_str());
        let word_fits = |word| letters::width(word, TICK_SIZE) <= slot - 8.0;
        if names().flat_map(str::split_whitespace).all(word_fits) {
            let lines: Vec<_> = names().map(|name| letters::wrap(name, slot - 8.0, TICK_SIZE)).collect();
            let height = lines.iter().map(|lines| letters::height(lines, TICK_SIZE)).fold(0.0, f64::max);
            return Self { lines, turn: Turn::None, height };
        }
        let lines: Vec<_> = names().map(|name| vec![letters::cut(name, most, TICK_SIZE)]).collect();
        let height = lines.iter().flatten().map(|name| letters::width(name, TICK_SIZE));
        Self { height: height.fold(0.0, f64::max), turn: Turn::Up, lines }
    }

    fn draw(&self, scene: &mut Scene, area: Rect) {
        let slot = area.width() / self.lines.len().max(1) as f64;
        for (place, lines) in self.lines.iter().enumerate() {
            let (x, y) = (area.left + (place as f64 + 0.5) * slot, area.bottom + GAP);
            if self.turn == Turn::None {
                scene.centred(lines, (x, y), TICK_SIZE);
                continue;
            }
            for name in lines {
                let at = (x + letters::HALF_DIGIT * TICK_SIZE, y);
                let text = Text::new(name, at, TICK_SIZE).anchored(Anchor::End);
                scene.text(Text { turn: Turn::Up, ..text });
            }
        }
    }
}
