//! What was typed. What it means is [`crate::settings`].

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use driftline::degree::compare::Parameters;
use driftline::degree::ied::Costs;
use driftline::page::charset::Charset;
use driftline::page::zone::Selector;
use driftline::page::{Limits, Normaliser};

/// How much did a web page change, and in which ways?
///
/// Data goes to stdout, everything else to stderr. Exit codes are those of `diff`: 0 nothing
/// changed or done, 1 something changed, 2 failed.
#[derive(Debug, Parser)]
#[command(name = "driftline", version, propagate_version = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Diff(DiffArgs),
    Measure(MeasureArgs),
    Evaluate(EvaluateArgs),
    Demo(DemoArgs),
}

/// How pages are read, for every command that reads pages.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Pages")]
pub(crate) struct PageArgs {
    /// What a word is
    #[arg(long, value_enum, default_value_t = Words::Unicode)]
    pub(crate) words: Words,
    /// Only these parts count: a CSS selector such as `main, #news`; repeatable
    #[arg(long = "zone", value_name = "CSS")]
    pub(crate) zones: Vec<Selector>,
    /// These parts do not count; repeatable
    #[arg(long = "ignore", value_name = "CSS")]
    pub(crate) ignores: Vec<Selector>,
    /// Noise that is not a change: case, numbers, dates, white-space, counters; repeatable
    #[arg(long = "normalise", value_name = "NAME", alias = "normalize", value_delimiter = ',')]
    pub(crate) normalisers: Vec<Normaliser>,
    /// Read pages in this charset, whatever they say [default: as a browser would]
    #[arg(long, value_name = "NAME")]
    pub(crate) charset: Option<Charset>,
    /// Read no more than this many bytes of a page
    #[arg(long, value_name = "BYTES", default_value_t = Limits::DEFAULT.bytes, value_parser = max_bytes)]
    pub(crate) max_bytes: usize,
}

/// The papers' parameters, for every command that measures.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Measures")]
pub(crate) struct DegreeArgs {
    /// What a copied or shrunk word costs, from 0 to 1
    #[arg(long, value_name = "A", default_value_t = Costs::PAPER.copy())]
    pub(crate) copy_cost: f64,
    /// What a moved word costs, from 0 to 1
    #[arg(long, value_name = "B", default_value_t = Costs::PAPER.moving())]
    pub(crate) move_cost: f64,
    /// How many words a shingle has
    #[arg(long, value_name = "K", default_value_t = Parameters::SHINGLE_LENGTH)]
    pub(crate) shingle: usize,
    /// How COS weighs words: all alike, by the two pages, or by a corpus file
    #[arg(long, value_name = "none|pair|FILE", default_value = "none")]
    pub(crate) idf: String,
    /// Which variant of IED tells the operations
    #[arg(long, value_enum, default_value_t = Variant::Ied)]
    pub(crate) variant: Variant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Words {
    /// Words of natural language, without punctuation
    Unicode,
    /// Whatever stands between white space, as in the papers
    Whitespace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Variant {
    /// By the papers' phases
    Ied,
    /// A replacement wherever it is cheaper
    IedRefined,
    /// The same, between the same common words
    IedGap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// If stdout is a terminal and `NO_COLOR` is not set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Compare two versions of a page: how much changed, in which ways, and which words.
///
/// OLD and NEW are files, or `-` for stdin: HTML, XML, JSON or plain text in any charset.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline diff old.html new.html
  driftline diff --zone main --ignore .ad old.html new.html
  curl -s https://example.org/ | driftline diff saved.html -
  driftline diff --format html old.html new.html > change.html")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that a person may type")]
pub(crate) struct DiffArgs {
    /// The older version
    pub(crate) old: PathBuf,
    /// The newer version
    pub(crate) new: PathBuf,
    /// How to show the change
    #[arg(long, short, value_enum, default_value_t = DiffFormat::Text)]
    pub(crate) format: DiffFormat,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Show the two versions beside each other
    #[arg(long, short = 'y', conflicts_with = "json")]
    pub(crate) side_by_side: bool,
    /// Show what every metric says
    #[arg(long)]
    pub(crate) metrics: bool,
    /// Lines shown around a change
    #[arg(long, short = 'U', value_name = "LINES", default_value_t = 2)]
    pub(crate) context: usize,
    /// Show all lines
    #[arg(long, conflicts_with = "context")]
    pub(crate) full: bool,
    /// Use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, alias = "colour")]
    pub(crate) color: Colour,
    /// Columns of the output [default: the terminal's]
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) width: Option<usize>,
    /// What the files are [default: by name and content]
    #[arg(long = "type", value_enum)]
    pub(crate) kind: Option<Kind>,
    #[command(flatten)]
    pub(crate) page: PageArgs,
    #[command(flatten)]
    pub(crate) degree: DegreeArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people, in a terminal
    Text,
    /// For programs
    Json,
    /// One file for a browser
    Html,
    /// Lines with + and -, for mails and patches
    Unified,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Plain text
    Text,
    /// A web page
    Html,
    /// XML
    Xml,
    /// JSON, compared by paths and values
    Json,
    /// A feed; compared as XML
    Feed,
}

/// Measure many pairs of pages with all metrics, on all cores.
///
/// INPUT is a folder of versions (`page/2024-01-01T00:00:00Z.html …`, in name order), or a `.csv`
/// file with a header and the columns `old`, `new` and optionally `id` that names pairs of files, or
/// a `.jsonl`, `.ndjson` or `.json` file of JSON lines. Without INPUT, or with `-`, JSON lines are read from stdin:
/// {"id": …, "old": "…", "new": "…", "type": "text|html|xml|json|feed"}, optionally with
/// `copy_cost`, `move_cost` and `shingle`. One line comes out for each line that goes in, in the same order; a
/// pair that fails has "error" instead of a degree, and the job goes on.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline measure versions/ > degrees.jsonl
  driftline measure --format parquet --output degrees.parquet versions/
  driftline measure --against first versions/
  driftline measure --corpus words.corpus versions/ && driftline measure --idf words.corpus versions/
  echo '{\"id\": \"1\", \"type\": \"text\", \"old\": \"a b c\", \"new\": \"a c b\"}' | driftline measure")]
pub(crate) struct MeasureArgs {
    /// Folders of versions, `.csv` lists of pairs, `.jsonl` files, or `-`
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// What comes out [default: by the name of the output file, else json]
    #[arg(long, short, value_enum)]
    pub(crate) format: Option<TableFormat>,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Write to a file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// What each version of a folder is compared with
    #[arg(long, value_enum, default_value_t = Against::Previous)]
    pub(crate) against: Against,
    /// Count in how many pages each word stands, and write that to FILE instead of measuring
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "format", "json", "idf"])]
    pub(crate) corpus: Option<PathBuf>,
    /// Threads, at most 256 [default: one a core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) page: PageArgs,
    #[command(flatten)]
    pub(crate) degree: DegreeArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// JSON lines
    Json,
    /// Comma-separated values
    Csv,
    /// Apache Parquet
    Parquet,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Against {
    /// With the version before
    Previous,
    /// With the first version
    First,
}

/// Repeat the papers' experiments, on made or on given pages.
#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    #[command(subcommand)]
    pub(crate) what: Evaluation,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Evaluation {
    Metrics(EvaluateMetricsArgs),
}

/// Which metric tells the degree of change best?
///
/// Makes pages of which a known number of words was added, dropped, copied, shrunk, replaced or
/// moved, and compares what each metric says with what it should say (figures 7 and 8, table 1).
/// With a folder of versions of real pages, shows how much the metrics differ on them (figures 5
/// and 6), and which metric fits the kinds of change that these pages show.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline evaluate metrics --output report
  driftline evaluate metrics --alpha 1 --beta 1
  driftline evaluate metrics --output report versions/")]
pub(crate) struct EvaluateMetricsArgs {
    /// A folder of versions of real pages, as for `driftline measure`
    pub(crate) versions: Option<PathBuf>,
    /// Write report.html, CSV, SVG and PNG files into this folder
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// What a copied or shrunk word should count, from 0 to 1
    #[arg(long, value_name = "A", default_value_t = Costs::PAPER.copy())]
    pub(crate) alpha: f64,
    /// What a moved word should count, from 0 to 1
    #[arg(long, value_name = "B", default_value_t = Costs::PAPER.moving())]
    pub(crate) beta: f64,
    /// How many words a shingle has
    #[arg(long, value_name = "K", default_value_t = Parameters::SHINGLE_LENGTH)]
    pub(crate) shingle: usize,
    /// Make other pages
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print the table as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// See driftline at work on two versions of a real page that it brings along.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Write the two versions into this folder instead, to try commands on them
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
}

/// A number of bytes that a page may have.
fn max_bytes(text: &str) -> Result<usize, String> {
    let bytes: usize = text.replace(['_', ','], "").parse().map_err(|error| format!("{error}"))?;
    match bytes {
        0 => Err("a page of no bytes says nothing".to_owned()),
        _ => Ok(bytes.min(Limits::MOST_BYTES)),
    }
}
