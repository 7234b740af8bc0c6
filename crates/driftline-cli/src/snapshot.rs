//! `driftline snapshot`: one file for each verb.

mod add;
mod check;
mod export;
mod inputs;
mod links;
mod list;
pub(crate) mod open;
mod remove;

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::archive::data;
use crate::args::{SnapshotArgs, SnapshotVerb};
use crate::exit::Exit;

pub(crate) fn run(args: &SnapshotArgs) -> Result<Exit> {
    match &args.verb {
        SnapshotVerb::Add(args) => add::run(args),
        SnapshotVerb::List(args) => list::run(args),
        SnapshotVerb::Links(args) => links::run(args),
        SnapshotVerb::Export(args) => export::run(args),
        SnapshotVerb::Check(args) => check::run(args),
        SnapshotVerb::Remove(args) => remove::run(args),
    }
}

/// Where all series of a data directory are.
pub(crate) fn all_series(data: Option<&Path>) -> Result<PathBuf> {
    Ok(data::directory(data)?.join("graph"))
}
