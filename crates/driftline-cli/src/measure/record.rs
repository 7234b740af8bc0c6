//! One measured pair, as a line of JSON, a row of CSV or of Parquet.

use std::io::Write;

use anyhow::Result;
use driftline::degree::Metric;
use driftline::degree::compare::Measurement;
use driftline::degree::edit::EditKind;
use driftline_report::table::{self, Column, Kind, RowWriter, Value};
use serde::Serialize;

use crate::args::TableFormat;

/// What came out of a pair.
#[derive(Debug)]
pub(crate) struct Record {
    /// The pair's own name, as it was given.
    pub(crate) id: serde_json::Value,
    pub(crate) outcome: Result<Measurement, String>,
}

/// A record as a line of JSON.
#[derive(Serialize)]
struct JsonRecord<'a> {
    id: &'a serde_json::Value,
    #[serde(flatten)]
    measurement: Option<&'a Measurement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// Writes records.
pub(crate) enum Records {
    Json(Box<dyn Write + Send>),
    Table(Box<dyn RowWriter>),
}

impl Records {
    pub(crate) fn new(format: TableFormat, out: Box<dyn Write + Send>) -> Result<Self> {
        Ok(match format {
            TableFormat::Json => Self::Json(out),
            TableFormat::Csv => Self::Table(table::csv(out, &columns())?),
            TableFormat::Parquet => Self::Table(table::parquet(out, &columns())?),
        })
    }

    pub(crate) fn write(&mut self, record: &Record) -> Result<()> {
        match self {
            Self::Json(out) => {
                let measurement = record.outcome.as_ref().ok();
                let error = record.outcome.as_ref().err().map(String::as_str);
                serde_json::to_writer(&mut *out, &JsonRecord { id: &record.id, measurement, error })?;
                out.write_all(b"\n")?;
            }
            Self::Table(rows) => rows.write(&row(record))?,
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Self::Json(mut out) => Ok(out.flush()?),
            Self::Table(rows) => Ok(rows.finish()?),
        }
    }
}

/// The columns of CSV and Parquet; documented in `docs/reference/measure.md`.
fn columns() -> Vec<Column> {
    let mut columns = vec![Column::new("id", Kind::Text), Column::new("error", Kind::Text)];
    columns.extend(["old_words", "new_words"].map(|name| Column::new(name, Kind::Integer)));
    columns.extend(Metric::ALL.map(|metric| Column::new(metric.name(), Kind::Real)));
    columns.extend(["raw_ied", "raw_ied_refined", "raw_ied_gap"].map(|name| Column::new(name, Kind::Real)));
    columns.extend(EditKind::ALL.map(|kind| Column::new(kind.name(), Kind::Integer)));
    columns.push(Column::new("limits", Kind::Text));
    columns
}

fn row(record: &Record) -> Vec<Value> {
    let id = match &record.id {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut row = vec![Value::Text(id)];
    match &record.outcome {
        Ok(measurement) => {
            row.push(Value::Null);
            push_measurement(&mut row, measurement);
        }
        Err(error) => {
            row.push(Value::Text(error.clone()));
            row.resize(columns().len(), Value::Null);
        }
    }
    row
}

fn push_measurement(row: &mut Vec<Value>, measured: &Measurement) {
    let integer = |count: usize| Value::Integer(i64::try_from(count).unwrap_or(i64::MAX));
    row.extend([integer(measured.words.older), integer(measured.words.newer)]);
    row.extend(Metric::ALL.map(|metric| Value::Real(measured.degree.by(metric).get())));
    row.extend([measured.raw.ied, measured.raw.ied_refined, measured.raw.ied_gap].map(Value::Real));
    row.extend(EditKind::ALL.map(|kind| integer(measured.operations.of(kind))));
    let limits: Vec<_> = measured.limits.iter().map(|limit| limit.name()).collect();
    row.push(if limits.is_empty() { Value::Null } else { Value::Text(limits.join(" ")) });
}
