//! `driftline archive export`: captures for other tools.

mod columns;
mod tables;

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use driftline_archive::export::{self, Exported, Secrets, Selection};
use driftline_archive::wacz::About;
use driftline_archive::{Archive, Time};

use super::data;
use crate::args::{ExportArgs, ExportFormat, Table, TableOr, table_output};
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;
use crate::tell;

pub(super) fn run(args: &ExportArgs) -> Result<Exit> {
    let format = format(args)?;
    if args.table.is_some() && !matches!(format, TableOr::Table(_)) {
        bail!(
            "`--table` is for CSV, TSV and Parquet\nhint: name the output .csv, .tsv or .parquet, or leave `--table` out"
        );
    }
    let path = args.output.as_deref();
    let output = match format {
        TableOr::Own(ExportFormat::Warc) => Output::of_bytes(path, "a WARC file")?,
        TableOr::Own(ExportFormat::Wacz) => Output::of_bytes(path, "a WACZ file")?,
        TableOr::Own(ExportFormat::Cdxj) => Output::new(path),
        TableOr::Table(format) => table_output(format, path)?,
    };
    let archive = data::open_to_read(args.data.data.as_deref())?;
    let selection =
        Selection { urls: args.urls.clone(), prefixes: args.prefixes.clone(), from: args.from, to: args.to };
    let progress = Progress::new(args.quiet, "captures", || None);
    let exported = write(args, format, &archive, &selection, &output, &progress)?;
    output.keep()?;
    progress.finish();
    tell(&exported, format);
    Ok(Exit::Same)
}

fn write(
    args: &ExportArgs,
    format: TableOr<ExportFormat>,
    archive: &Archive,
    selection: &Selection,
    output: &Output,
    progress: &Progress,
) -> Result<Exported> {
    let secrets = if args.with_secrets { Secrets::Kept } else { Secrets::Masked };
    if format == TableOr::Own(ExportFormat::Wacz) {
        let file = output.seekable()?.context("a WACZ file cannot be written to a pipe\nhint: add `--output FILE`")?;
        let about = About { created: now(), ..About::default() };
        return Ok(export::wacz(archive, selection, secrets, about, file)?);
    }
    let mut writer = output.writer()?;
    let exported = match format {
        TableOr::Own(ExportFormat::Warc | ExportFormat::Wacz) => {
            export::warc(archive, selection, secrets, &mut writer)?
        }
        TableOr::Own(ExportFormat::Cdxj) => export::cdxj(archive.catalog(), selection, &mut writer)?,
        TableOr::Table(format) => {
            let captures = tables::write(
                args.table.unwrap_or(Table::Captures),
                format,
                archive.catalog(),
                selection,
                writer,
                progress,
            )?;
            return Ok(Exported { captures, ..Exported::default() });
        }
    };
    writer.flush().context("cannot write the export")?;
    Ok(exported)
}

/// A file says when it was made.
fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::from_microseconds(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// What comes out: as asked, else by the name of the output file.
fn format(args: &ExportArgs) -> Result<TableOr<ExportFormat>> {
    let Some(path) = &args.output else {
        let names = TableOr::<ExportFormat>::names().join("`, `");
        return args.format.with_context(|| format!("which format?\nhint: `--format {names}`, or `--output FILE`"));
    };
    match args.format.or_else(|| by_name(path)) {
        Some(format) => Ok(format),
        None => bail!(
            "the name `{}` does not say what to write\nhint: end it in .warc.gz, .wacz, .cdxj, .csv, .tsv or .parquet, or \
             add `--format`",
            path.display()
        ),
    }
}

fn by_name(path: &Path) -> Option<TableOr<ExportFormat>> {
    const NAMES: [(&str, ExportFormat); 3] =
        [(".warc.gz", ExportFormat::Warc), (".wacz", ExportFormat::Wacz), (".cdxj", ExportFormat::Cdxj)];
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let own = NAMES.iter().find(|(ending, _)| name.ends_with(ending)).map(|&(_, format)| TableOr::Own(format));
    own.or_else(|| TableOr::table_of(path))
}

fn tell(exported: &Exported, format: TableOr<ExportFormat>) {
    let Exported { captures, originals, without_original, masked, left_out, .. } = exported;
    let noun = match format {
        TableOr::Own(_) => "capture",
        TableOr::Table(_) => "row",
    };
    let plural = if *captures == 1 { "" } else { "s" };
    let more = match originals {
        0 => String::new(),
        1 => ", and 1 that holds the body of an unchanged one".to_owned(),
        _ => format!(", and {originals} that hold the bodies of unchanged ones"),
    };
    tell::note(format_args!("{captures} {noun}{plural}{more}"));
    if *masked > 0 {
        let records = if *masked == 1 { "1 record" } else { &format!("{masked} records") };
        tell::note(format_args!(
            "cookies and tokens are masked in {records} of pages that were fetched with secrets\nhint: `--with-secrets` \
             leaves them in"
        ));
    }
    if *left_out > 0 {
        tell::warning(format_args!(
            "damaged records that may hold secrets were left out: {left_out}\nhint: `driftline archive verify` names them; \
             `--with-secrets` exports them as they are"
        ));
    }
    if *captures == 0 {
        tell::warning("nothing was found to export\nhint: `driftline archive list` names what is there");
    }
    if *without_original > 0 {
        tell::warning(format_args!(
            "of unchanged captures, {without_original} refer to one that is not in the archive"
        ));
    }
}
