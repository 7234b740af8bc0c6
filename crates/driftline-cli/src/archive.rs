//! `driftline archive`: one file for each verb.

mod cdxj;
pub(crate) mod compact;
pub(crate) mod data;
mod export;
mod get;
mod import;
mod list;
mod rebuild;
mod recovery;
mod stats;
mod verify;

use anyhow::Result;

use crate::args::{ArchiveArgs, Verb};
use crate::exit::Exit;

pub(crate) fn run(args: &ArchiveArgs) -> Result<Exit> {
    match &args.verb {
        Verb::Import(args) => import::run(args),
        Verb::Export(args) => export::run(args),
        Verb::List(args) => list::run(args),
        Verb::Get(args) => get::run(args),
        Verb::Verify(args) => verify::run(args),
        Verb::Compact(args) => compact::run(args),
        Verb::Rebuild(args) => rebuild::run(args),
        Verb::Stats(args) => stats::run(args),
        Verb::Cdxj(args) => cdxj::run(args),
    }
}
