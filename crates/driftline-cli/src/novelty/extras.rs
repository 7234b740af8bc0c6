//! What else is to be said of each page? How likely it is new, what it is a copy of, why it was missed.

use std::convert;

use anyhow::Result;
use driftline_graph::novelty::calibration::{self, Calibration};
use driftline_graph::novelty::copies::{self, Copies, Verdict};
use driftline_graph::novelty::missed::{self, Misses, Why};
use driftline_graph::snapshot::Node;
use driftline_report::table::{Column, Kind, Value};

use super::Scored;
use super::rows::json;
use crate::args::Extra;
use crate::tell;

/// What was asked for.
#[derive(Default)]
pub(super) struct Extras {
    calibration: Option<Calibration>,
    copies: Option<Copies>,
    misses: Option<Misses>,
}

impl Extras {
    pub(super) fn find(scored: &Scored<'_>, asked: &[Extra]) -> Result<Self> {
        let Scored { series, place, scores, ref parameters, .. } = *scored;
        let mut extras = Self::default();
        if asked.contains(&Extra::Probability) {
            extras.calibration = Some(calibration::learn(series, place, scores, parameters)?);
        }
        if asked.contains(&Extra::Content) {
            extras.copies = Some(copies::find(series, place, scores.classes(), parameters.memory)?);
        }
        if asked.contains(&Extra::Missed) {
            extras.misses = Some(missed::find(series, place, scores.classes())?);
        }
        Ok(extras)
    }

    pub(super) fn columns(&self) -> Vec<Column> {
        let mut columns = Vec::new();
        if self.calibration.is_some() {
            columns.push(Column::new("probability", Kind::Real));
        }
        if self.copies.is_some() {
            columns.extend([
                Column::new("relation", Kind::Text),
                Column::new("copy_of", Kind::Text),
                Column::new("likeness", Kind::Real),
            ]);
        }
        if self.misses.is_some() {
            columns.push(Column::new("missed", Kind::Text));
        }
        columns
    }

    /// In the order of the columns, probabilities as `precision` makes them.
    pub(super) fn values(&self, scored: &Scored<'_>, node: Node, precision: impl Fn(f64) -> f64) -> Result<Vec<Value>> {
        let mut values = Vec::new();
        if self.calibration.is_some() {
            values.push(self.probability(scored, node).map(precision).into());
        }
        if let Some(copies) = &self.copies {
            match copies.of(node) {
                Some(copy) => {
                    let older = copy.url(scored.series)?.url();
                    values.extend([copy.relation.code().into(), older.into(), copy.likeness.into()]);
                }
                None => values.extend([Value::Null, Value::Null, Value::Null]),
            }
        }
        if let Some(misses) = &self.misses {
            values.push(misses.of(node).map(|why| why.code().to_owned()).into());
        }
        Ok(values)
    }

    /// By the names of the columns, for a JSON object.
    pub(super) fn members(&self, scored: &Scored<'_>, node: Node) -> Result<Vec<(&'static str, serde_json::Value)>> {
        let values = self.values(scored, node, convert::identity)?.into_iter().map(json);
        Ok(self.columns().iter().map(|column| column.name).zip(values).collect())
    }

    /// The same of one page in words, a line for each.
    pub(super) fn in_words(&self, scored: &Scored<'_>, node: Node) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        if self.calibration.is_some() {
            lines.push(match self.probability(scored, node) {
                Some(probability) => format!("  probability: {probability:.4} that it is new"),
                None => "  probability: none, for it is old".to_owned(),
            });
        }
        if let Some(copies) = &self.copies {
            lines.push(match copies.of(node) {
                Some(copy) => {
                    let (older, relation) = (copy.url(scored.series)?.url(), copy.relation.code());
                    format!("  content: {relation} of {older}, with likeness {:.4}", copy.likeness)
                }
                None => "  content: of no older page it is known to be a copy".to_owned(),
            });
        }
        if let Some(misses) = &self.misses {
            lines.push(match misses.of(node) {
                Some(why) => format!("  missed last time: {}", why.code()),
                None => "  missed last time: no, or nobody knows".to_owned(),
            });
        }
        Ok(lines)
    }

    /// How likely a page is new, if that was asked for; a copy of an older page is not, if that was asked for too.
    pub(super) fn probability(&self, scored: &Scored<'_>, node: Node) -> Option<f64> {
        let calibration = self.calibration.as_ref()?;
        let probability = calibration.probability(node)?;
        let Some(copies) = &self.copies else { return Some(probability) };
        Verdict::on(node, scored.scores, calibration, copies).map(|verdict| verdict.probability())
    }

    /// What is worth knowing of all pages together.
    pub(super) fn summarise(&self) {
        if let Some(calibration) = &self.calibration {
            let trust = calibration.trust();
            tell::note(format_args!("probability: labelled pages: {}; {}", trust.labels(), trust.reliance()));
        }
        match &self.copies {
            Some(copies) if copies.compared() == 0 => tell::warning(
                "content: nothing is known of what the pages say\nhint: pages that come as WARC files bring it along",
            ),
            Some(copies) => {
                tell::note(format_args!(
                    "content: {} of {} pages say what an older one said",
                    copies.iter().len(),
                    copies.compared()
                ));
            }
            None => {}
        }
        if let Some(misses) = &self.misses {
            let counts = Why::ALL.map(|why| format!("{} {}", misses.count(why), why.code()));
            tell::note(format_args!("missed last time: {}", counts.join(", ")));
        }
    }
}
