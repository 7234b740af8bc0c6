//! What may be typed for several commands: how pages are read, measured and compared.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use driftline::compare::CompareOptions;
use driftline::degree::ied::Costs;
use driftline::page::charset::Charset;
use driftline::page::zone::Selector;
use driftline::page::{Limits, Normaliser};

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
    #[arg(long = "normalise", value_name = "NAME", alias = "normalize", value_delimiter = ',', help = normalisers())]
    pub(crate) normalisers: Vec<Normaliser>,
    /// Read pages in this charset, whatever they say [default: as a browser would]
    #[arg(long, value_name = "NAME")]
    pub(crate) charset: Option<Charset>,
    /// Read no more than this many bytes of a page
    #[arg(long, value_name = "BYTES", default_value_t = Limits::DEFAULT.bytes, value_parser = max_bytes)]
    pub(crate) max_bytes: usize,
}

/// The help of `--normalise`.
pub(super) fn normalisers() -> String {
    let names: Vec<_> = Normaliser::ALL.iter().map(|normaliser| normaliser.name()).collect();
    format!("Noise that is not a change: {}; repeatable", names.join(", "))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Words {
    /// Words of natural language, without punctuation
    Unicode,
    /// Whatever stands between white space, as in the papers
    Whitespace,
}

/// A number of bytes that a page may have.
pub(super) fn max_bytes(text: &str) -> Result<usize, String> {
    let bytes: usize = text.replace(['_', ','], "").parse().map_err(|error| format!("{error}"))?;
    match bytes {
        0 => Err("a page of no bytes says nothing".to_owned()),
        _ => Ok(bytes.min(Limits::MOST_BYTES)),
    }
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
    #[arg(long, value_name = "K", default_value_t = CompareOptions::SHINGLE_LENGTH)]
    pub(crate) shingle: usize,
    /// How COS weighs words: all alike, by the two pages, or by a corpus file
    #[arg(long, value_name = "none|pair|FILE", default_value = "none")]
    pub(crate) idf: String,
    /// Which variant of IED tells the operations
    #[arg(long, value_enum, default_value_t = Variant::Ied)]
    pub(crate) variant: Variant,
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

/// How elements are compared, for every command that tells regions.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Regions")]
pub(crate) struct RegionArgs {
    /// How much paths, attributes and words count in a similarity; they sum to 1
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', num_args = 1, default_value = "0.4,0.3,0.3")]
    pub(crate) weights: Vec<f64>,
    /// How the paths of two elements are compared [default: product for artail, sum for regions]
    #[arg(long, value_enum)]
    pub(crate) typedist: Option<TypedistForm>,
    /// How much each attribute counts, a name and a number a line [default: driftline's own table]
    #[arg(long, value_name = "FILE")]
    pub(crate) attribute_weights: Option<PathBuf>,
    /// Another page of the site, or a folder of them: blocks that they share matter less; repeatable
    #[arg(long, value_name = "PATH")]
    pub(crate) site: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TypedistForm {
    /// Products from the root down, as the paper prints it
    Product,
    /// Sums from the element up, which sees every difference
    Sum,
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
    /// A feed: RSS, Atom or JSON Feed, compared item by item
    Feed,
}
