//! `driftline snapshot export`: the links of a snapshot for other tools.

use std::io::{self, Write};

use anyhow::{Context, Result, bail};
use driftline_graph::Series;
use driftline_graph::export::{Choice, Edge, edges, graphml};
use driftline_graph::snapshot::Snapshot;
use driftline_report::table::{Column, Format, Kind, RowWriter, TableError, Value};

use super::open;
use crate::args::{EdgeFormat, ExportEdgesArgs, TableOr, table_output};
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;

const COLUMNS: [Column; 3] =
    [Column::new("source", Kind::Text), Column::new("target", Kind::Text), Column::new("crawl_date", Kind::Text)];

pub(super) fn run(args: &ExportEdgesArgs) -> Result<Exit> {
    let format = format(args)?;
    if args.crawl_date && format == TableOr::Own(EdgeFormat::Graphml) {
        bail!("`--crawl-date` is for tables\nhint: leave it out, or write CSV, TSV or Parquet");
    }
    let series = open::named(&args.series, args.data.data.as_deref())?;
    let snapshot = open::at(&series, args.at.as_ref())?;
    let path = args.output.as_deref();
    let output = match format {
        TableOr::Own(EdgeFormat::Graphml) => Output::new(path),
        TableOr::Table(format) => table_output(format, path)?,
    };
    let progress = Progress::new(args.quiet, "links", || Some(snapshot.about().links));
    write(args, format, &series, snapshot, output.writer()?, &|links| progress.advance_by(links))?;
    output.keep()?;
    progress.finish();
    Ok(Exit::Same)
}

/// As it was typed, or by the name of the file; CSV without either.
fn format(args: &ExportEdgesArgs) -> Result<TableOr<EdgeFormat>> {
    let named = args.output.as_deref().and_then(|path| Some((path, path.extension()?)));
    match (args.format, named) {
        (Some(format), _) => Ok(format),
        (None, Some((_, ending))) if ending.eq_ignore_ascii_case("graphml") => Ok(TableOr::Own(EdgeFormat::Graphml)),
        (None, Some((path, ending))) => TableOr::table_of(path).with_context(|| {
            let (ending, names) = (ending.to_string_lossy(), TableOr::<EdgeFormat>::names().join(", "));
            format!("`.{ending}` is no format of links\nhint: add `--format`: {names}")
        }),
        (None, None) => Ok(TableOr::Table(Format::Csv)),
    }
}

fn write(
    args: &ExportEdgesArgs,
    format: TableOr<EdgeFormat>,
    series: &Series,
    snapshot: &Snapshot,
    mut writer: Box<dyn Write + Send>,
    advance: &dyn Fn(u64),
) -> Result<()> {
    let choice = if args.crawled { Choice::AmongCrawled } else { Choice::All };
    let columns = &COLUMNS[..if args.crawl_date { 3 } else { 2 }];
    match format {
        // Without quotes, as other tools expect of links: no address has a tab or a line break.
        TableOr::Table(Format::Tsv) => {
            let names: Vec<_> = columns.iter().map(|column| column.name).collect();
            writeln!(writer, "{}", names.join("\t"))?;
            let each = |edge: Edge<'_>| lines(&mut writer, &edge, columns.len());
            edges(series, snapshot, choice, each, advance)?;
            Ok(writer.flush()?)
        }
        TableOr::Table(format) => rows(format.start(writer, columns)?, columns, series, snapshot, choice, advance),
        TableOr::Own(EdgeFormat::Graphml) => {
            graphml(series, snapshot, choice, &mut writer, advance)?;
            Ok(writer.flush()?)
        }
    }
}

fn rows(
    mut table: Box<dyn RowWriter + '_>,
    columns: &[Column],
    series: &Series,
    snapshot: &Snapshot,
    choice: Choice,
    advance: &dyn Fn(u64),
) -> Result<()> {
    let each = |edge: Edge<'_>| {
        let row: [Value; 3] = [edge.source.into(), edge.target.into(), fetched(&edge).into()];
        table.write(&row[..columns.len()]).map_err(into_io)
    };
    edges(series, snapshot, choice, each, advance)?;
    Ok(table.finish()?)
}

fn lines(out: &mut impl Write, edge: &Edge<'_>, columns: usize) -> io::Result<()> {
    write!(out, "{}\t{}", edge.source, edge.target)?;
    if columns > 2 {
        write!(out, "\t{}", fetched(edge).unwrap_or_default())?;
    }
    writeln!(out)
}

fn fetched(edge: &Edge<'_>) -> Option<String> {
    edge.fetched.map(|at| at.to_string())
}

/// The output's own error where there is one, so that a reader who went away is seen as such.
fn into_io(error: TableError) -> io::Error {
    match error {
        TableError::Write(error) => error,
        other => io::Error::other(other),
    }
}
