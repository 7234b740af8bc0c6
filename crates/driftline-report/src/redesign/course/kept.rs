//! What do the figures need of every document? Its similarities, its averages, its template.
//!
//! A stream has no end and a picture has a width, so documents are merged in pairs when there are more
//! than a picture can show, again and again: what is kept is bounded.

use driftline::redesign::stripe::{Indicators, Stripe, Triangles};
use driftline::redesign::template::Template;

use super::thinned::{Merge, Thinned};

/// The most columns of the stripe: twice what a wide picture has pixels.
const MOST_COLUMNS: usize = 2_048;
/// The most templates of the matrix, in which each is compared with each: half a million comparisons.
/// Of more documents every second, then every fourth is kept, and so on.
const MOST_TEMPLATES: usize = 1_000;

/// What was kept for the figures.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    /// The first document: not that of the stream, if the stream was read back.
    first: Option<usize>,
    pub(crate) columns: Thinned<Column>,
    templates: Thinned<Template>,
}

impl Kept {
    pub(super) fn new() -> Self {
        Self { first: None, columns: Thinned::new(MOST_COLUMNS), templates: Thinned::new(MOST_TEMPLATES) }
    }

    pub(super) fn add(&mut self, stripe: &Stripe, is_low: bool) {
        self.first = self.first.or(stripe.newest());
        self.columns.push(Column::of(stripe, is_low));
    }

    /// The first document.
    pub(crate) fn first(&self) -> usize {
        self.first.unwrap_or(0)
    }

    pub(super) fn add_template(&mut self, template: Template) {
        self.templates.push(template);
    }

    /// Figure 1: how alike each document is to each. None if not every document had a template,
    /// or there are no two.
    pub(crate) fn matrix(&self) -> Option<Vec<Vec<f64>>> {
        let templates = self.templates.items();
        if templates.len() < 2 || self.templates.things() != self.columns.things() {
            return None;
        }
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(templates.len());
        for (place, template) in templates.iter().enumerate() {
            let before = templates[..place].iter().map(|other| template.similarity(other));
            rows.push(before.chain([1.0]).collect());
        }
        let whole = |place: usize| (0..rows.len()).map(move |other| (place.max(other), place.min(other)));
        let rows_of = |place| whole(place).map(|(later, earlier)| rows[later][earlier]).collect();
        Some((0..rows.len()).map(rows_of).collect())
    }
}

/// Of two neighbours the first stands for both.
impl Merge for Template {
    fn merge(&mut self, _next: Self) {}
}

/// A document of the stripe, or several neighbours.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// Sum and number of the similarities to the document before, to the one before that, and so on.
    row: Vec<(f64, u32)>,
    /// The lowest average similarity: an outlier is not lost among its neighbours.
    pub(crate) average: Option<f64>,
    /// Does NEW-AVG-DROP find one of them low?
    pub(crate) is_low: bool,
    /// What MAX-AVG-DIFF compared where it was nearest to a report.
    pub(crate) indicators: Option<Indicators>,
}

impl Column {
    fn of(stripe: &Stripe, is_low: bool) -> Self {
        Self {
            row: stripe.row().iter().map(|&similarity| (similarity, 1)).collect(),
            average: stripe.average(),
            is_low,
            indicators: stripe.triangles().map(Triangles::indicators),
        }
    }

    /// The similarity to the documents before it, the nearest first.
    pub(crate) fn row(&self) -> impl Iterator<Item = f64> {
        self.row.iter().map(|&(sum, count)| sum / f64::from(count))
    }
}

impl Merge for Column {
    fn merge(&mut self, next: Self) {
        for (place, (sum, count)) in next.row.into_iter().enumerate() {
            match self.row.get_mut(place) {
                Some(cell) => *cell = (cell.0 + sum, cell.1 + count),
                None => self.row.push((sum, count)),
            }
        }
        self.average = lowest(self.average, next.average);
        self.is_low |= next.is_low;
        let gap = |indicators: &Indicators| indicators.mean_upper - indicators.max_lower;
        self.indicators = match (self.indicators, next.indicators) {
            (Some(one), Some(other)) => Some(if gap(&one) < gap(&other) { other } else { one }),
            (one, other) => one.or(other),
        };
    }
}

/// The lower of two values, as far as they are known.
pub(super) fn lowest(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
