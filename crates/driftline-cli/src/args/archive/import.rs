//! What may be typed for `driftline archive import`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use driftline_archive::import::Format;

use super::DataArgs;

/// Put captures of others into the archive.
///
/// WARC and ARC files (gzip, zstd, LZ4 or plain), WACZ files, indexes (CDX, CDXJ, `ZipNum`) beside their archives, folders
/// of these; folders of versions; backups of changedetection.io; databases of urlwatch and webchanges. What an input is,
/// is told by what stands in it.
///
/// Records are copied as they are. What is in the archive already is not taken again, and an import that was
/// interrupted goes on where it was: type the same command once more. What is malformed is passed over and told on
/// stderr with its place. The exit code is 0 when all else is in the archive, and 2 if it failed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline archive import crawl.warc.gz
  driftline archive import collections/ --dry-run
  driftline archive import changedetection-backup-20240131120000.zip
  driftline archive import ~/.cache/urlwatch/cache.db --jobs ~/.config/urlwatch/urls.yaml
  driftline archive import versions/ --url https://example.org/")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that a person may type")]
pub(crate) struct ImportArgs {
    /// Files and folders to take captures from
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// What the inputs are, if that is not to be found out
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    pub(crate) format: Option<Format>,
    /// The address of all versions in a folder of versions
    #[arg(long, value_name = "URL", value_parser = address, conflicts_with = "url_prefix")]
    pub(crate) url: Option<String>,
    /// The beginning of addresses, before the path of each folder of versions [default: `http://FOLDER/`]
    #[arg(long, value_name = "URL", value_parser = address)]
    pub(crate) url_prefix: Option<String>,
    /// The jobs of urlwatch or webchanges [default: `urls.yaml` or `jobs.yaml` beside the database]
    #[arg(long, value_name = "FILE")]
    pub(crate) jobs: Option<PathBuf>,
    /// Read files too that were imported before and have not changed, so that what was dropped since comes back
    #[arg(long)]
    pub(crate) again: bool,
    /// Say what would be imported, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Fail at the end if anything was passed over
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print the summary as a JSON object, with every place that was passed over
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

/// An address that says how it is reached.
fn address(text: &str) -> Result<String, String> {
    let is_absolute = text.split_once("://").is_some_and(|(scheme, rest)| {
        let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(is_scheme)
            && !rest.is_empty()
            && !rest.starts_with(['/', '?', '#'])
    });
    let cure = || format!("it is no whole address; write `https://{}`", text.trim_start_matches('/'));
    is_absolute.then(|| text.to_owned()).ok_or_else(cure)
}

fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name)).map(|name| {
        let named = Format::ALL.into_iter().find(|format| format.name() == name);
        named.expect("the parser knows these names only")
    })
}
