//! Formats of `driftline diff`: which view of a change each prints.

use std::io;

use clap::ValueEnum;
use driftline::change::Sides;
use driftline::page::ReadOptions;
use driftline::region::zone::ZoneFate;
use driftline_report::view::{self, Comparison, Original, TextOptions};

use super::given::Given;
use super::{print, print_json, terminal_width, wants_colour, zone};
use crate::args::DiffArgs;
use crate::{input, sheets};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people, in a terminal
    Text,
    /// For programs
    Json,
    /// Both versions as they look, changes marked on them; one file for a browser
    Html,
    /// The text of both versions, changes marked in it; one file for a browser
    HtmlText,
    /// Lines with + and -, for mails and patches
    Unified,
}

/// A comparison, and what it was made of.
pub(super) struct Shown<'a> {
    pub(super) comparison: Comparison<'a>,
    pub(super) given: &'a Sides<Given>,
    /// How each version was read.
    pub(super) read_options: Sides<ReadOptions>,
    pub(super) zones: &'a [ZoneFate],
}

impl Shown<'_> {
    /// Prints the change as it was asked for.
    pub(super) fn show(&self, args: &DiffArgs) -> io::Result<()> {
        let comparison = &self.comparison;
        match of(args) {
            DiffFormat::Json => print_json(&zone::with_zones(view::json(comparison), self.zones)),
            DiffFormat::Html => print(&self.html()),
            DiffFormat::HtmlText => print(&view::html_text(comparison)),
            DiffFormat::Unified => print(&view::unified(comparison, if args.full { usize::MAX } else { args.context })),
            DiffFormat::Text => print(&text(comparison, args)),
        }
    }

    /// The change on the pages themselves.
    fn html(&self) -> String {
        let Sides { older, newer } = self.given;
        let read_options = Sides {
            older: input::options_of(&older.name, &self.read_options.older),
            newer: input::options_of(&newer.name, &self.read_options.newer),
        };
        let sources = Sides { older: older.source(), newer: newer.source() };
        let sheets = Sides {
            older: sheets::beside(&older.name, sources.older, &read_options.older),
            newer: sheets::beside(&newer.name, sources.newer, &read_options.newer),
        };
        let older = Original { source: sources.older, options: &read_options.older, sheets: &sheets.older };
        let newer = Original { source: sources.newer, options: &read_options.newer, sheets: &sheets.newer };
        view::html(&self.comparison, Sides { older, newer })
    }
}

/// The format that was asked for.
pub(super) fn of(args: &DiffArgs) -> DiffFormat {
    if args.json { DiffFormat::Json } else { args.format }
}

fn text(comparison: &Comparison<'_>, args: &DiffArgs) -> String {
    let options = text_options(args);
    let mut text = view::heading(comparison);
    if args.regions > 0 {
        text += &view::regions(comparison, args.regions, &options);
    }
    text +=
        &if args.side_by_side { view::side_by_side(comparison, &options) } else { view::text(comparison, &options) };
    if args.metrics {
        text.push('\n');
        text.push_str(&view::metrics(comparison.change, options.colour));
    }
    text
}

pub(super) fn text_options(args: &DiffArgs) -> TextOptions {
    TextOptions {
        context: (!args.full).then_some(args.context),
        width: args.width.unwrap_or_else(terminal_width).max(20),
        colour: wants_colour(args.color),
    }
}
