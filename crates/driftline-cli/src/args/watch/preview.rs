//! What may be typed for `driftline watch preview`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use driftline::event::Kind;

use super::DataArgs;

/// What would a message look like?
///
/// Prints the message about the last event of a watch, or about a sample of each kind if nothing has happened yet or if
/// no watch is named. With `--target`, as that target gets it; `--template` tries a template before it is put into
/// `driftline.toml`. Nothing is sent, unless `--send` asks for it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline watch preview
  driftline watch preview --kind page-gone
  driftline watch preview https://example.org/ --target me
  driftline watch preview --kind changed --template mine.txt --html preview.html
  driftline watch preview --kind changed --target me --send")]
pub(crate) struct PreviewArgs {
    /// The watch: its id, the beginning of it, its name, or its address
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// As this target gets it
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,
    /// A made event of this kind
    #[arg(long, value_name = "KIND", conflicts_with = "id", value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::name)))]
    pub(crate) kind: Option<String>,
    /// Write the text by this template
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<PathBuf>,
    /// Write the web page by this template
    #[arg(long, value_name = "FILE")]
    pub(crate) template_html: Option<PathBuf>,
    /// Write the subject by this template
    #[arg(long, value_name = "TEMPLATE")]
    pub(crate) subject: Option<String>,
    /// Write the web page of the message to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Send it to the target, to try the target
    #[arg(long, requires = "target")]
    pub(crate) send: bool,
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
