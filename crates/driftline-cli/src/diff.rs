//! `driftline diff OLD NEW`: read two pages, compare them, show the change.

use std::io::{self, IsTerminal, Write};

use anyhow::{Result, bail};
use driftline::change::{Change, Sides};
use driftline::degree::compare::Comparer;
use driftline::page::{Limit, Page, Recipe};
use driftline_report::view::{self, Comparison, TextOptions};

use crate::args::{Colour, DiffArgs, DiffFormat};
use crate::exit::Exit;
use crate::{input, settings};

/// Runs the command.
pub(crate) fn run(args: &DiffArgs) -> Result<Exit> {
    if input::is_stdin(&args.old) && input::is_stdin(&args.new) {
        bail!("only one of OLD and NEW can be `-`");
    }
    let recipe = Recipe { kind: args.kind.map(settings::body_kind), ..settings::recipe(&args.page) };
    let parameters = settings::parameters(&args.degree)?;
    let pages = Sides { older: input::page(&args.old, &recipe)?, newer: input::page(&args.new, &recipe)? };
    if pages.older.zone_matches() == Some(0) && pages.newer.zone_matches() == Some(0) {
        bail!("the zone matches nothing in either version\nhint: try the selector in a browser's inspector");
    }
    let change = Comparer::new(parameters).compare(&pages.older, &pages.newer);
    let names = [&args.old, &args.new].map(|path| path.display().to_string());
    let comparison = Comparison {
        names: Sides { older: &names[0], newer: &names[1] },
        pages: Sides { older: &pages.older, newer: &pages.newer },
        change: &change,
    };
    let mut out = io::stdout().lock();
    let shown = out.write_all(show(&comparison, args).as_bytes()).and_then(|()| out.flush());
    // A reader who goes away still learns from the exit code whether anything changed.
    shown.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })?;
    warn(args, &pages, &change);
    Ok(if change.is_empty() { Exit::Same } else { Exit::Changed })
}

fn show(comparison: &Comparison<'_>, args: &DiffArgs) -> String {
    let format = if args.json { DiffFormat::Json } else { args.format };
    match format {
        DiffFormat::Json => format!("{:#}\n", view::json(comparison)),
        DiffFormat::Html => view::html(comparison),
        DiffFormat::Unified => view::unified(comparison, if args.full { usize::MAX } else { args.context }),
        DiffFormat::Text => text(comparison, args),
    }
}

fn text(comparison: &Comparison<'_>, args: &DiffArgs) -> String {
    let options = TextOptions {
        context: (!args.full).then_some(args.context),
        width: args.width.unwrap_or_else(terminal_width).max(20),
        colour: wants_colour(args.color),
    };
    let mut text = view::heading(comparison);
    text +=
        &if args.side_by_side { view::side_by_side(comparison, &options) } else { view::text(comparison, &options) };
    if args.metrics {
        text.push('\n');
        text.push_str(&view::metrics(comparison.change, options.colour));
    }
    text
}

/// The columns of the terminal; 100 when there is none.
fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0))
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
fn warn(args: &DiffArgs, pages: &Sides<Page>, change: &Change) {
    for limit in change.measurement.limits.iter().filter(|limit| **limit != Limit::Zone) {
        anstream::eprintln!("warning: {}", limit.describe());
    }
    for (page, path) in [(&pages.older, &args.old), (&pages.newer, &args.new)] {
        if page.zone_matches() == Some(0) {
            anstream::eprintln!("warning: the zone matches nothing in `{}`", path.display());
        }
    }
}
