//! How alike were the documents over time, in one line? A strip of blocks, redesigns marked below.

use crate::summary::numbers::grouped;

use super::super::{Course, Suspected};
use super::orange;
use crate::view::mark::{dim, painted};
use crate::view::regions::shortened;

/// From little to much.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Where there are not enough documents before to compare with.
const UNKNOWN: char = '·';

/// The strip, the marks below it, and what they mean; nothing before the history is full.
pub(super) fn strip(course: &Course, width: usize, colour: bool) -> String {
    let (averages, stretch) = course.averages();
    let each = averages.len().div_ceil(width.max(1)).max(1);
    let lowest = |stretch: &[Option<f64>]| stretch.iter().flatten().copied().reduce(f64::min);
    let columns: Vec<Option<f64>> = averages.chunks(each).map(lowest).collect();
    let known = || columns.iter().flatten().copied();
    if known().next().is_none() {
        return String::new();
    }
    let most = known().fold(0.0, f64::max);
    let low = known().fold(most, f64::min);
    let block = |average: &Option<f64>| average.map_or(UNKNOWN, |average| step(average / most));
    let blocks: String = columns.iter().map(block).collect();
    let marks = marks(course, each * stretch, width);
    let marks = if marks.is_empty() { marks } else { painted(orange(), &marks, colour) + "\n" };
    let history = grouped(course.parameters().history);
    let legend = format!("average similarity to the {history} documents before: {low:.2} to {most:.2}");
    format!("{blocks}\n{marks}{}\n\n", painted(dim(), &shortened(&legend, width), colour))
}

#[expect(clippy::cast_sign_loss, reason = "held to the blocks")]
fn step(share: f64) -> char {
    // What is no number is none.
    let step = (share * BLOCKS.len() as f64).ceil() as usize;
    BLOCKS[step.clamp(1, BLOCKS.len()) - 1]
}

/// A mark below each report but outliers and each rollback, with the document's number where there is room before the next.
fn marks(course: &Course, documents_a_column: usize, width: usize) -> String {
    let first = course.first_document();
    let mark = |suspected: &Suspected| {
        let sign = match (suspected.is_redesign(), suspected.is_rollback()) {
            (true, _) => '▲',
            (_, true) => '◁',
            _ => '△',
        };
        let place = suspected.document.saturating_sub(first) / documents_a_column;
        (place, format!("{sign}{}", grouped(suspected.document)))
    };
    let shown = course.suspected().filter(|suspected| suspected.is_told() && !suspected.is_outlier());
    let mut marks: Vec<(usize, String)> = shown.map(mark).collect();
    marks.dedup_by_key(|(place, _)| *place);
    let mut line = String::new();
    for (at, (place, mark)) in marks.iter().enumerate() {
        let written = line.chars().count();
        line.extend(std::iter::repeat_n(' ', place - written));
        // A blank before the next mark.
        let end = marks.get(at + 1).map_or(width, |(next, _)| next - 1);
        let fits = place + mark.chars().count() <= end;
        line.extend(mark.chars().take(if fits { usize::MAX } else { 1 }));
    }
    line
}
