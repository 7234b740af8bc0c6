//! One measured pair, as a line of JSON or a row of a table.

use std::io::Write;

use anyhow::Result;
use driftline::change::{Change, Sides};
use driftline::degree::Measurement;
use driftline::degree::Metric;
use driftline::degree::edit::EditKind;
use driftline::feed::artail::Mapping;
use driftline::feed::compare::{Counts, ItemChange};
use driftline::redesign::template::Template;
use driftline::region::artail::{self, Class};
use driftline::region::{Aspects, ResourceFate};
use driftline_report::table::{Column, Kind, RowWriter, Value};
use serde::Serialize;

use crate::args::{Finding, MeasureFormat, TableOr};

/// What came out of a pair.
#[derive(Debug)]
pub(crate) struct Record {
    /// The pair's own name, as it was given.
    pub(crate) id: serde_json::Value,
    pub(crate) outcome: Result<Findings, String>,
}

/// What was found out about a pair.
#[derive(Debug, Serialize)]
pub(crate) struct Findings {
    #[serde(flatten)]
    pub(crate) measured: Measured,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) artail: Option<artail::Detection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) template: Option<TemplateFindings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) feed: Option<FeedFindings>,
}

/// How much a pair differs, or all that differs.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Measured {
    /// How much.
    Degrees(Box<Measurement>),
    /// All.
    Change(Box<Change>),
}

impl Measured {
    pub(crate) fn measurement(&self) -> &Measurement {
        match self {
            Self::Degrees(measurement) => measurement,
            Self::Change(change) => &change.measurement,
        }
    }

    pub(crate) fn measurement_mut(&mut self) -> &mut Measurement {
        match self {
            Self::Degrees(measurement) => measurement,
            Self::Change(change) => &mut change.measurement,
        }
    }
}

/// In the order of [`REGIONS`].
fn region_counts(change: &Change) -> [Value; 8] {
    let of = |fate| change.resources.iter().filter(|resource| resource.kind == fate).count();
    let Aspects { content, structure, attributes, punctuation, .. } = change.changed;
    let [content, structure, attributes, punctuation, title] =
        [content, structure, attributes, punctuation, change.title.is_some()].map(usize::from);
    let (lost, gained) = (of(ResourceFate::Lost), of(ResourceFate::Gained));
    [content, structure, attributes, punctuation, change.regions.len(), lost, gained, title].map(integer)
}

/// How alike the templates of a pair are.
#[derive(Debug, Serialize)]
pub(crate) struct TemplateFindings {
    shingles: Sides<usize>,
    common: usize,
    similarity: f64,
}

impl TemplateFindings {
    pub(crate) fn between(older: &Template, newer: &Template) -> Self {
        let shingles = Sides { older: older.len(), newer: newer.len() };
        Self { shingles, common: older.common(newer), similarity: older.similarity(newer) }
    }
}

/// What happened to the items of a feed.
#[derive(Debug, Serialize)]
pub(crate) struct FeedFindings {
    pub(crate) artail: Mapping,
    pub(crate) items: Vec<ItemChange>,
    pub(crate) counts: Counts,
}

/// A record as a line of JSON.
#[derive(Serialize)]
struct JsonRecord<'a> {
    id: &'a serde_json::Value,
    #[serde(flatten)]
    findings: Option<&'a Findings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// Writes records.
pub(crate) enum Records {
    Json(Box<dyn Write + Send>),
    Table { rows: Box<dyn RowWriter>, columns: usize },
}

impl Records {
    pub(crate) fn new(format: TableOr<MeasureFormat>, out: Box<dyn Write + Send>, with: &[Finding]) -> Result<Self> {
        let columns = columns(with);
        Ok(match format {
            TableOr::Own(MeasureFormat::Json) => Self::Json(out),
            TableOr::Table(format) => Self::Table { rows: format.start(out, &columns)?, columns: columns.len() },
        })
    }

    pub(crate) fn write(&mut self, record: &Record) -> Result<()> {
        match self {
            Self::Json(out) => {
                let findings = record.outcome.as_ref().ok();
                let error = record.outcome.as_ref().err().map(String::as_str);
                serde_json::to_writer(&mut *out, &JsonRecord { id: &record.id, findings, error })?;
                out.write_all(b"\n")?;
            }
            Self::Table { rows, columns } => rows.write(&row(record, *columns))?,
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Self::Json(mut out) => Ok(out.flush()?),
            Self::Table { rows, .. } => Ok(rows.finish()?),
        }
    }
}

/// The columns of `--with regions` that are counts, or 1 for yes.
const REGIONS: [&str; 8] = [
    "changed_content",
    "changed_structure",
    "changed_attributes",
    "changed_punctuation",
    "regions",
    "lost_resources",
    "gained_resources",
    "changed_title",
];

/// The columns of `--with artail`.
const ARTAIL: [&str; 5] = ["artail", "artail_unchanged", "artail_changed", "artail_unmatched", "artail_unmapped"];

/// The columns of `--with template` that are counts.
const TEMPLATE: [&str; 3] = ["template_old", "template_new", "template_common"];

/// The columns of a table; documented in `docs/reference/measure.md`.
fn columns(with: &[Finding]) -> Vec<Column> {
    let mut columns = vec![Column::new("id", Kind::Text), Column::new("error", Kind::Text)];
    columns.extend(["old_words", "new_words"].map(|name| Column::new(name, Kind::Integer)));
    columns.extend(Metric::ALL.iter().map(|metric| Column::new(metric.name(), Kind::Real)));
    columns.extend(["raw_ied", "raw_ied_refined", "raw_ied_gap"].map(|name| Column::new(name, Kind::Real)));
    columns.extend(EditKind::ALL.map(|kind| Column::new(kind.name(), Kind::Integer)));
    columns.push(Column::new("limits", Kind::Text));
    if with.contains(&Finding::Regions) {
        columns.push(Column::new("importance", Kind::Real));
        columns.extend(REGIONS.map(|name| Column::new(name, Kind::Integer)));
    }
    if with.contains(&Finding::Artail) {
        columns.extend(ARTAIL.map(|name| Column::new(name, Kind::Integer)));
    }
    if with.contains(&Finding::Template) {
        columns.extend(TEMPLATE.map(|name| Column::new(name, Kind::Integer)));
        columns.push(Column::new("template_similarity", Kind::Real));
    }
    columns
}

fn row(record: &Record, columns: usize) -> Vec<Value> {
    let id = match &record.id {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut row = vec![Value::Text(id)];
    match &record.outcome {
        Ok(Findings { measured, artail, template, .. }) => {
            row.push(Value::Null);
            push_measurement(&mut row, measured.measurement());
            if let Measured::Change(change) = measured {
                row.push(Value::Real(change.importance.score));
                row.extend(region_counts(change));
            }
            row.extend(artail.iter().flat_map(artail_counts));
            if let Some(TemplateFindings { shingles, common, similarity }) = template {
                row.extend([shingles.older, shingles.newer, *common].map(integer));
                row.push(Value::Real(*similarity));
            }
        }
        Err(error) => {
            row.push(Value::Text(error.clone()));
            row.resize(columns, Value::Null);
        }
    }
    row
}

fn integer(count: usize) -> Value {
    Value::Integer(i64::try_from(count).unwrap_or(i64::MAX))
}

/// In the order of [`ARTAIL`].
fn artail_counts(artail: &artail::Detection) -> [Value; 5] {
    let of = |class| artail.subtrees.iter().filter(|row| row.class == class).count();
    let counts = [of(Class::Unchanged), of(Class::Changed), of(Class::Unmatched), artail.unmapped.len()];
    let [unchanged, changed, unmatched, unmapped] = counts.map(integer);
    [integer(artail.changed.into()), unchanged, changed, unmatched, unmapped]
}

fn push_measurement(row: &mut Vec<Value>, measured: &Measurement) {
    row.extend([integer(measured.words.older), integer(measured.words.newer)]);
    row.extend(Metric::ALL.iter().map(|&metric| Value::Real(measured.degree.by(metric).get())));
    row.extend([measured.raw.ied, measured.raw.ied_refined, measured.raw.ied_gap].map(Value::Real));
    row.extend(EditKind::ALL.map(|kind| integer(measured.operations.of(kind))));
    let limits: Vec<_> = measured.limits.iter().map(|limit| limit.name()).collect();
    row.push(if limits.is_empty() { Value::Null } else { Value::Text(limits.join(" ")) });
}
