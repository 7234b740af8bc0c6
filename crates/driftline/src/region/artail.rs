//! Which parts of the page changed, by Artail and Fawaz? Each part of the older page is mapped to
//! the most similar part of the newer one with the same tag; what is not fully alike has changed.
//!
//! As printed, and exact against an independent implementation (`tests/it/golden_structure.rs`). It
//! is fast, and it is blind: it misses 32 of 39 minimal changes, among them words in another order,
//! a part added and a part removed. driftline reports it on request and does not rely on it.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::comparison::{Comparison, Options};
use super::subtrees::{Subtree, Subtrees};
use crate::limit::Limit;
use crate::page::Page;

/// What the paper's detector finds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Detection {
    /// Does it report a change?
    pub changed: bool,
    /// What became of each part of the older page.
    pub subtrees: Vec<Row>,
    /// The parts of the newer page that no part was mapped to, by row.
    pub unmapped: Vec<usize>,
    /// What cut the work short.
    #[serde(skip)]
    pub limit: Option<Limit>,
}

/// What became of a part of the older page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Its row in the older page's subtree table.
    pub row: usize,
    /// Its tag.
    pub mark: Box<str>,
    /// The row of the newer page's part that it was mapped to.
    #[serde(rename = "match")]
    pub matched: Option<usize>,
    /// How alike the two are, from -1 to 1.
    #[serde(serialize_with = "serialize_similarity")]
    pub similarity: Option<f64>,
    /// What the detector makes of it.
    pub class: Class,
}

/// What the paper's detector makes of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Its similarity is exactly 1.
    Unchanged,
    /// It is less than 1.
    Changed,
    /// The newer page has no part with its tag, and the paper reports nothing.
    Unmatched,
}

/// Compares the parts of two pages as the paper does.
#[must_use]
pub fn detect(older: &Page, newer: &Page, options: &Options) -> Detection {
    let (parts, others) = (Subtrees::of(older), Subtrees::of(newer));
    let by_mark = others.by_mark();
    let mut comparison = Comparison::new(older, newer, options);
    let mut places = BTreeMap::<&str, usize>::new();
    let mut unmapped = vec![true; others.rows.len()];
    let mut subtrees = Vec::with_capacity(parts.rows.len());
    for (row, part) in parts.rows.iter().enumerate() {
        let place = places.entry(&*part.mark).or_default();
        let candidates = by_mark.get(&*part.mark).map_or(&[][..], Vec::as_slice);
        let found = Mapping { part, others: &others.rows, candidates }.best(*place, &mut comparison);
        *place += 1;
        let (matched, similarity) = found.unzip();
        if let Some(row) = matched {
            unmapped[row] = false;
        }
        subtrees.push(Row { row, mark: part.mark.clone(), matched, similarity, class: Class::of(similarity) });
    }
    Detection {
        changed: subtrees.iter().any(|row| row.class == Class::Changed),
        subtrees,
        unmapped: (0..others.rows.len()).filter(|&row| unmapped[row]).collect(),
        limit: comparison.is_cut_short().then_some(Limit::Similarity),
    }
}

impl Class {
    fn of(similarity: Option<f64>) -> Self {
        match similarity {
            None => Self::Unmatched,
            Some(1.0) => Self::Unchanged,
            Some(_) => Self::Changed,
        }
    }
}

/// The search for the part that an older part became.
struct Mapping<'a> {
    part: &'a Subtree,
    others: &'a [Subtree],
    candidates: &'a [usize],
}

impl Mapping<'_> {
    /// Two similarities closer than this are the same number, rounded on different ways: exact
    /// fractions tie, and the lowest row wins (rule S8).
    const TIE: f64 = 1e-14;

    /// The row of the most similar part, and its similarity (equation 7).
    ///
    /// The likeliest candidate comes first, because a high best similarity lets the hopeless ones
    /// be given up early; when the steps are used up it is the only one.
    fn best(&self, place: usize, comparison: &mut Comparison) -> Option<(usize, f64)> {
        let likeliest = self.likeliest(place, comparison)?;
        let mut best = comparison.subtree_similarity(self.part.start, self.others[likeliest].start);
        let mut seen = vec![(likeliest, best)];
        for &row in self.candidates {
            if comparison.is_cut_short() || (best == 1.0 && row > likeliest) {
                break;
            }
            // Nothing near 1 ties with 1: that is the difference between changed and unchanged.
            let floor = if best == 1.0 { 1.0 } else { best - Self::TIE };
            if row != likeliest
                && let Some(similarity) =
                    comparison.subtree_similarity_above(self.part.start, self.others[row].start, floor)
            {
                seen.push((row, similarity));
                best = best.max(similarity);
            }
        }
        let ties = |similarity: f64| similarity == best || (best < 1.0 && similarity >= best - Self::TIE);
        seen.into_iter().filter(|&(_, similarity)| ties(similarity)).min_by_key(|&(row, _)| row)
    }

    /// The candidate whose root is the same, else the one at the same place among its kind.
    fn likeliest(&self, place: usize, comparison: &mut Comparison) -> Option<usize> {
        let (&first, &last) = (self.candidates.first()?, self.candidates.last()?);
        let roots = self.others[first].start..=self.others[last].start;
        let same = comparison.same(self.part.start, &roots);
        let at = same.and_then(|root| self.candidates.binary_search_by_key(&root, |&row| self.others[row].start).ok());
        self.candidates.get(at.unwrap_or(place)).or(self.candidates.last()).copied()
    }
}

/// Whole similarities without a fraction, as degrees are written.
#[expect(clippy::ref_option, reason = "serde passes the field by reference")]
fn serialize_similarity<S: Serializer>(similarity: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match similarity {
        None => serializer.serialize_none(),
        Some(1.0) => serializer.serialize_u64(1),
        Some(similarity) => serializer.serialize_f64(*similarity),
    }
}
