//! What may be typed for `driftline archive cdxj`.

use std::path::PathBuf;

use clap::Args;

/// Print CDXJ lines for WARC, ARC and WACZ files.
///
/// One line a capture: its SURT key, its time in fourteen digits, and as JSON what pywb and other replay tools need
/// to find it: url, mime, status, digest, length, offset, filename. The lines are those that cdxj-indexer prints,
/// byte for byte. Folders are searched for archives. A record that cannot be read is skipped and told on stderr.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline archive cdxj crawl.warc.gz
  driftline archive cdxj --sort -o index.cdxj archive/
  driftline archive cdxj old.arc.gz | grep '^org,example)/'")]
pub(crate) struct CdxjArgs {
    /// WARC, ARC and WACZ files, compressed or not, and folders of them
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Sort the lines bytewise, as replay tools want an index, and drop doubles; takes little memory
    #[arg(long, short)]
    pub(crate) sort: bool,
    /// Write to this file instead of stdout; it appears when it is whole
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
