//! How does a page come out? As a row of a TSV or Parquet table, or as a JSON object.
//!
//! The columns `url`, `class`, `in_links` and `novelty` are promised; what else was asked for comes behind them.

use std::convert;
use std::io::Write;

use anyhow::Result;
use driftline::novelty::Novelty;
use driftline_graph::snapshot::Node;
use driftline_report::table::{self, Column, Kind, RowWriter, Value};

use super::Scored;
use super::extras::Extras;
use crate::args::NoveltyFormat;

const COLUMNS: [Column; 4] = [
    Column::new("url", Kind::Text),
    Column::new("class", Kind::Text),
    Column::new("in_links", Kind::Integer),
    Column::new("novelty", Kind::Real),
];

/// Where rows go.
pub(super) enum Rows {
    Tsv(Box<dyn RowWriter>),
    Parquet(Box<dyn RowWriter>),
    Lines(Vec<Column>, Box<dyn Write + Send>),
}

impl Rows {
    pub(super) fn new(output: Box<dyn Write + Send>, format: NoveltyFormat, extras: &Extras) -> Result<Self> {
        let columns = [COLUMNS.as_slice(), &extras.columns()].concat();
        Ok(match format {
            NoveltyFormat::Tsv => Self::Tsv(table::tsv(output, &columns)?),
            NoveltyFormat::Parquet => Self::Parquet(table::parquet(output, &columns)?),
            NoveltyFormat::Json => Self::Lines(columns, output),
        })
    }

    pub(super) fn write(&mut self, scored: &Scored<'_>, extras: &Extras, node: Node, url: &str) -> Result<()> {
        let class = scored.scores.classes().of(node).map(|class| class.code().to_owned());
        let novelty = match scored.scores.of(node) {
            Some(Novelty::Unidentified(score)) => Some(score),
            _ => None,
        };
        let mut row = vec![url.into(), class.into(), scored.scores.in_links(node).into(), novelty.into()];
        row.extend(extras.values(scored, node, self.precision())?);
        match self {
            Self::Tsv(table) | Self::Parquet(table) => table.write(&row)?,
            Self::Lines(columns, output) => write_line(output, columns, row)?,
        }
        Ok(())
    }

    /// A probability is an estimate: in a table that is read, 16 digits of it are noise.
    fn precision(&self) -> fn(f64) -> f64 {
        match self {
            Self::Tsv(_) => four_digits,
            Self::Parquet(_) | Self::Lines(..) => convert::identity,
        }
    }

    pub(super) fn finish(self) -> Result<()> {
        match self {
            Self::Tsv(table) | Self::Parquet(table) => table.finish()?,
            Self::Lines(_, mut output) => output.flush()?,
        }
        Ok(())
    }
}

/// Four significant digits.
fn four_digits(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

/// A cell of a table as JSON has it.
pub(super) fn json(value: Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Text(text) => text.into(),
        Value::Integer(integer) => integer.into(),
        Value::Real(real) => real.into(),
        Value::Flag(flag) => flag.into(),
    }
}

/// Members in the order of the columns.
fn write_line(output: &mut dyn Write, columns: &[Column], row: Vec<Value>) -> Result<()> {
    for (place, (column, value)) in columns.iter().zip(row).enumerate() {
        write!(output, "{}\"{}\":", if place == 0 { '{' } else { ',' }, column.name)?;
        serde_json::to_writer(&mut *output, &json(value))?;
    }
    writeln!(output, "}}")?;
    Ok(())
}
