//! What may be typed for `driftline redesign`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use driftline::page::Limits;
use driftline::page::charset::Charset;
use driftline::redesign::{Detector, Parameters};

use super::shared::max_bytes;

/// Was the site redesigned? Watch its documents one after the other, with five detectors.
///
/// STREAM is documents of one site in the order of time: a folder (its pages in name order), WARC files
/// (their HTML pages in the order of their dates), a `.jsonl` file or `-` for stdin
/// ({"html": "…", "name": "…"} a line), a `.txt` or `.lst` file that lists files, or pages. Several
/// are one stream, in the order given.
///
/// Four detectors are Gottron's; the fifth is driftline's own, which says how certain it is. Exit codes:
/// 0 no redesign, 1 this run found one and did not take it back (driftline's detector, if that was asked; else
/// any), 2 failed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline redesign posts/
  driftline redesign --json crawl.warc.gz
  driftline redesign --history 10 --plot course.svg posts/
  driftline redesign --detector driftline --detector cluster posts/
  driftline redesign --state site.state today.html; [ $? -eq 1 ] && echo 'redesigned'
  driftline redesign --input similarities --json rows.jsonl")]
pub(crate) struct RedesignArgs {
    /// Folders, WARC files, `.jsonl` files, lists of files, pages, or `-`
    #[arg(value_name = "STREAM", required = true)]
    pub(crate) streams: Vec<PathBuf>,
    #[arg(long = "detector", value_name = "NAME", value_delimiter = ',', value_parser = detector,
        help = format!("Who detects: {}; repeatable [default: all]", detectors().join(", ")))]
    pub(crate) detectors: Vec<Detector>,
    /// What STREAM holds
    #[arg(long, value_enum, default_value_t = Input::Documents)]
    pub(crate) input: Input,
    /// Print the findings as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw the similarities, with the redesigns marked, as .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Go on where the last run with this file ended, and save where this one ends
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) detection: DetectionArgs,
    /// Read pages in this charset, whatever they say [default: as a browser would]
    #[arg(long, value_name = "NAME", help_heading = "Pages")]
    pub(crate) charset: Option<Charset>,
    /// Read no more than this many bytes of a page
    #[arg(long, value_name = "BYTES", default_value_t = Limits::DEFAULT.bytes, value_parser = max_bytes,
        help_heading = "Pages")]
    pub(crate) max_bytes: usize,
}

/// The paper's parameters. What is not typed is taken from the input or the state, or is the paper's.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Detectors")]
pub(crate) struct DetectionArgs {
    /// h: with how many documents before it a document is compared [default: 20]
    #[arg(long, value_name = "N")]
    pub(crate) history: Option<usize>,
    /// h2: in how many of the newest documents CLUSTER looks for a new template [default: 4]
    #[arg(long, value_name = "N")]
    pub(crate) horizon: Option<usize>,
    /// From which similarity on CLUSTER puts two documents together [default: 0.15]
    #[arg(long, value_name = "SIMILARITY")]
    pub(crate) cluster_threshold: Option<f64>,
    /// The share of the history that a cluster has at least to count [default: 0.15]
    #[arg(long, value_name = "SHARE")]
    pub(crate) cluster_rate: Option<f64>,
    /// Below which share of the usual similarity NEW-AVG-DROP reports [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    pub(crate) drop: Option<f64>,
    /// How sure the test of STATISTICS has to be [default: 0.999]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Option<f64>,
    /// From which certainty on driftline's detector reports [default: 0.5]
    #[arg(long, value_name = "CERTAINTY")]
    pub(crate) certainty: Option<f64>,
    /// How many tags a shingle of a template has [default: 6]
    #[arg(long, value_name = "K")]
    pub(crate) template_shingle: Option<usize>,
}

impl DetectionArgs {
    /// What is typed, and for the rest these parameters.
    pub(crate) fn instead_of(&self, otherwise: Parameters) -> Parameters {
        let mut parameters = self.history.map_or(otherwise, |history| otherwise.with_history(history));
        let Parameters { cluster, new_avg_drop, statistics, certainty, .. } = &mut parameters;
        cluster.horizon = self.horizon.unwrap_or(cluster.horizon);
        cluster.threshold = self.cluster_threshold.unwrap_or(cluster.threshold);
        cluster.rate = self.cluster_rate.unwrap_or(cluster.rate);
        new_avg_drop.drop = self.drop.unwrap_or(new_avg_drop.drop);
        statistics.level = self.level.unwrap_or(statistics.level);
        *certainty = self.certainty.unwrap_or(*certainty);
        parameters
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Input {
    /// Pages of a site
    Documents,
    /// Rows of similarities: of each document to those before it, the nearest first
    Similarities,
}

/// A detector by its name.
fn detector(text: &str) -> Result<Detector, String> {
    let known = Detector::ALL.iter().copied().find(|detector| detector.name() == text);
    known.ok_or_else(|| {
        let names: Vec<_> = detectors().iter().map(|name| format!("`{name}`")).collect();
        format!("there is no detector `{text}`; there are {}", names.join(", "))
    })
}

/// The names of all detectors.
fn detectors() -> Vec<&'static str> {
    Detector::ALL.iter().map(|detector| detector.name()).collect()
}
