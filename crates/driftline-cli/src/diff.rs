//! `driftline diff OLD NEW`: read two pages or feeds, compare them, show the change.

mod feed;
mod format;
mod given;
mod operands;
mod watched;
mod zone;

use std::io::{self, IsTerminal, Write};

use anyhow::{Result, bail};
use driftline::Limit;
use driftline::change::{Change, Sides};
use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};
use driftline::region::zone::Followed;
use driftline_report::view::{Comparison, Json};

use crate::args::{Colour, DiffArgs};
use crate::exit::Exit;
use crate::tell;
use crate::{settings, site};
pub(crate) use format::DiffFormat;
use format::Shown;
use given::Given;
use operands::Operands;

/// Runs the command.
pub(crate) fn run(args: &DiffArgs) -> Result<Exit> {
    let operands = Operands::of(args)?;
    if !(0.0..=1.0).contains(&args.min_importance) {
        bail!("an importance is from 0 to 1, not {}", args.min_importance);
    }
    let read_options = ReadOptions { kind: args.kind.map(settings::body_kind), ..settings::read_options(&args.page) };
    let read_options = watched::read_options(args, &operands, read_options);
    let mut compare_options = settings::compare_options(&args.degree, &args.region)?;
    compare_options.regions.site = site::learn(&args.region.site, &read_options)?;
    let given = Given::read_both(&operands, args.data.data.as_deref(), args.received, read_options.limits.bytes)?;
    if feed::are_feeds(args.kind, &given, &read_options) {
        return feed::run(args, &given, &read_options, compare_options);
    }
    let Followed { older, newer, newer_zones, zones } = zone::read(&given, &read_options);
    let pages = Sides { older, newer };
    if pages.older.zone_matches() == Some(0) && pages.newer.zone_matches() == Some(0) {
        bail!("the zone matches nothing in either version\nhint: try the selector in a browser's inspector");
    }
    let change = Comparer::new(compare_options).compare(&pages.older, &pages.newer);
    let names = [&given.older, &given.newer].map(|given| given.name.display().to_string());
    let comparison = Comparison {
        names: Sides { older: &names[0], newer: &names[1] },
        pages: Sides { older: &pages.older, newer: &pages.newer },
        change: &change,
    };
    let read_options = Sides { newer: ReadOptions { zones: newer_zones, ..read_options.clone() }, older: read_options };
    Shown { comparison, given: &given, read_options, zones: &zones }.show(args)?;
    warn(&given, &pages, &change);
    zone::warn(&given, &pages, &zones);
    let is_same = change.is_empty() || change.importance.score < args.min_importance;
    Ok(if is_same { Exit::Same } else { Exit::Changed })
}

/// Writes to stdout. A reader who goes away still learns from the exit code whether anything changed.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let shown = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    unless_reader_left(shown)
}

/// The same of JSON, written as it is made.
fn print_json(json: &Json<'_>) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let shown = serde_json::to_writer_pretty(&mut out, json).map_err(io::Error::from);
    unless_reader_left(shown.and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()))
}

fn unless_reader_left(shown: io::Result<()>) -> io::Result<()> {
    shown.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

/// The columns of the terminal; 100 when there is none.
pub(crate) fn terminal_width() -> usize {
    let known = terminal_size::terminal_size().map(|(width, _)| width.0);
    known.or_else(columns_without_lines).map_or(100, usize::from)
}

/// The columns of a terminal that says nothing about its lines, as some do.
#[cfg(unix)]
fn columns_without_lines() -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    (size.ws_col > 0).then_some(size.ws_col)
}

/// Only terminals of Unix do.
#[cfg(not(unix))]
fn columns_without_lines() -> Option<u16> {
    None
}

pub(crate) fn wants_colour(choice: Colour) -> bool {
    match choice {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            let choice = anstream::AutoStream::choice(&io::stdout());
            choice != anstream::ColorChoice::Never && io::stdout().is_terminal()
        }
    }
}

/// Says on stderr what the reader should know about the answer.
fn warn(given: &Sides<Given>, pages: &Sides<Page>, change: &Change) {
    for limit in change.measurement.limits.iter().filter(|limit| **limit != Limit::Zone) {
        tell::warning(limit.describe());
    }
    for (page, given) in [(&pages.older, &given.older), (&pages.newer, &given.newer)] {
        if page.zone_matches() == Some(0) {
            tell::warning(format_args!("the zone matches nothing in `{}`", given.name.display()));
        }
    }
}
