//! What does a stream look like? The figures of Gottron's paper, documents from left to right in all of
//! them, redesigns marked.

use super::Course;
use super::course::kept::{Column, Kept};
use crate::plot::{Axis, Content, Flag, FlagStyle, Mark, Picture, PlotError, Series, Size, Stack, Tier};
use crate::summary::numbers::grouped;
use crate::summary::safe::for_terminal;

/// The width of the figures: what a page of paper shows well.
const WIDTH: u32 = 860;
/// What the colours mean.
const SCALE: &str = "similarity";

/// A figure of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Figure 1: how alike each two documents are.
    Matrix,
    /// Figure 2: how alike each document is to those before it.
    Stripe,
    /// Figure 6: the average of that.
    Averages,
    /// Figure 7: what MAX-AVG-DIFF compares.
    Indicators,
}

impl Figure {
    /// All, in the paper's order.
    pub const ALL: [Self; 4] = [Self::Matrix, Self::Stripe, Self::Averages, Self::Indicators];
}

/// All figures that have something to show, one under the other, and the size they need. The matrix is left out
/// if the templates were not [kept](Course::keep); of a course [without figures](Course::with_figures), and of
/// fewer than two documents, only the title is left, and that there is nothing to show.
///
/// # Errors
/// If the picture cannot be laid out.
pub fn picture(course: &Course) -> Result<(Picture, Size), PlotError> {
    stacked(course, &Figure::ALL)
}

/// One figure, and the size it needs.
///
/// # Errors
/// As [`picture`].
pub fn figure(course: &Course, figure: Figure) -> Result<(Picture, Size), PlotError> {
    stacked(course, &[figure])
}

fn stacked(course: &Course, figures: &[Figure]) -> Result<(Picture, Size), PlotError> {
    let shown = |kept| figures.iter().filter_map(|figure| tier(course, kept, *figure)).collect();
    let tiers: Vec<Tier> = course.kept().map_or_else(Vec::new, shown);
    let label = match (tiers.is_empty(), course.documents()) {
        (false, _) => "document",
        (true, 0 | 1) => "Nothing to show yet: there are no two documents",
        (true, _) => "Nothing to show",
    };
    let (first, documents) = (course.kept().map_or(0, Kept::first) as f64, course.documents() as f64);
    let stack = Stack {
        title: for_terminal(course.name()).into_owned(),
        // A document is the middle of its column.
        x: Axis::whole(label).within(first - 0.5, documents.max(first + 1.0) - 0.5),
        flags: if tiers.is_empty() { Vec::new() } else { flags(course) },
        tiers,
    };
    let size = stack.size(WIDTH)?;
    Ok((Picture::from(stack), size))
}

fn tier(course: &Course, kept: &Kept, figure: Figure) -> Option<Tier> {
    let history = course.parameters().history;
    let before = format!("the {} before it", grouped(history));
    let (title, content) = match figure {
        Figure::Matrix => {
            let columns = kept.matrix()?;
            ("Similarity of each two documents".to_owned(), Content::Matrix { scale: SCALE.to_owned(), columns })
        }
        Figure::Stripe => {
            let y = Axis::whole("documents back").within(0.5, history as f64 + 0.5);
            let missing = || std::iter::repeat(f64::NAN);
            let cells = |column: &Column| column.row().chain(missing()).take(history).collect();
            let columns: Vec<Vec<f64>> = kept.columns.items().iter().map(cells).collect();
            if columns.iter().flatten().all(|cell| cell.is_nan()) {
                return None;
            }
            (format!("Similarity of each document to {before}"), Content::Map { y, scale: SCALE.to_owned(), columns })
        }
        Figure::Averages => {
            (format!("Average similarity of each document to {before}"), lines(averages(course, kept))?)
        }
        Figure::Indicators => {
            let title = "What MAX-AVG-DIFF compares, at the document that it would report";
            (title.to_owned(), lines(indicators(course, kept))?)
        }
    };
    Some(Tier { title, content })
}

/// Series that have a point.
fn lines(series: Vec<Series>) -> Option<Content> {
    let has_points = series.iter().flat_map(|series| &series.points).any(|point| point.1.is_finite());
    has_points.then(|| Content::Lines { y: Axis::linear(SCALE).within(0.0, 1.0), series })
}

/// Figure 6: a line, and points where NEW-AVG-DROP finds it low (T5).
fn averages(course: &Course, kept: &Kept) -> Vec<Series> {
    let columns = kept.columns.items();
    let average = |column: &Column| column.average.unwrap_or(f64::NAN);
    let line: Vec<(f64, f64)> = places(kept).zip(columns.iter().map(average)).collect();
    let at = |document: usize| {
        let column = document.checked_sub(kept.first())? / kept.columns.each();
        line.get(column).copied()
    };
    let outliers = course.suspected().filter(|suspected| suspected.is_outlier());
    let outliers: Vec<(f64, f64)> = outliers.filter_map(|outlier| at(outlier.document)).collect();
    let drop = course.parameters().new_avg_drop.drop;
    let low = line.iter().zip(columns).filter(|(_, column)| column.is_low).map(|(point, _)| *point);
    let low = low.filter(|point| !outliers.contains(point)).collect();
    let series = [
        Series::new("average similarity", Mark::Line, line),
        Series::new(format!("below {drop} × the average before"), Mark::Points, low),
        Series::new("outlier", Mark::Points, outliers),
    ];
    let shown = |(place, series): &(usize, Series)| *place == 0 || !series.points.is_empty();
    series.into_iter().enumerate().filter(shown).map(|(_, series)| series).collect()
}

/// Figure 7, at the first document of the upper triangle.
fn indicators(course: &Course, kept: &Kept) -> Vec<Series> {
    let back = course.parameters().history as f64 - 1.0;
    let columns = || places(kept).zip(kept.columns.items());
    let known = || columns().filter_map(|(x, column)| Some((x - back, column.indicators?)));
    let upper = known().map(|(x, indicators)| (x, indicators.mean_upper)).collect();
    let lower = known().map(|(x, indicators)| (x, indicators.max_lower)).collect();
    vec![
        Series::new("average among the documents from here on", Mark::Line, upper),
        Series::new("maximum between them and those before", Mark::Line, lower),
    ]
}

/// Where the columns stand: in the middle of their documents.
fn places(kept: &Kept) -> impl Iterator<Item = f64> {
    let (first, each) = (kept.first() as f64, kept.columns.each() as f64);
    (0..kept.columns.items().len()).map(move |column| first + column as f64 * each + (each - 1.0) / 2.0)
}

/// What was found, and what is known. If no detector with a certainty was asked, the only other one speaks.
fn flags(course: &Course) -> Vec<Flag> {
    let flag = |name: &str, document: usize, label: String, style| Flag {
        name: name.to_owned(),
        // Between the last document of the old design and the first of the new.
        at: document as f64 - 0.5,
        label,
        style,
    };
    let mut flags = Vec::new();
    let mut found = Vec::new();
    for suspected in course.suspected() {
        let (name, style) = match (suspected.is_redesign(), suspected.is_rollback()) {
            (true, _) => ("redesign found (certainty)", FlagStyle::Solid),
            (_, true) => ("rollback (certainty)", FlagStyle::Dotted),
            _ => continue,
        };
        let label = format!("{} ({:.2})", suspected.document, suspected.latest.certainty);
        flags.push(flag(name, suspected.document, label, style));
        found.push(suspected.document);
    }
    if let [only] = course.detectors()
        && course.main_detector().is_none()
    {
        let name = format!("reported by {}", only.name());
        for reported in course.reports(*only) {
            let document = reported.report.document;
            flags.push(flag(&name, document, document.to_string(), FlagStyle::Solid));
            found.push(document);
        }
    }
    for &known in course.truth() {
        // Its number stands there already.
        let label = if found.contains(&known) { String::new() } else { known.to_string() };
        flags.push(flag("known redesign", known, label, FlagStyle::Dashed));
    }
    flags
}

#[cfg(test)]
mod tests;
