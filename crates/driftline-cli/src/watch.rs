//! `driftline watch`: one file for each verb.

mod add;
mod check;
mod cure;
mod daemon;
mod edit;
mod export;
mod import;
mod list;
mod place;
mod preview;
mod remove;
mod said;
mod show;

use anyhow::Result;

use crate::args::{WatchArgs, WatchVerb};
use crate::exit::Exit;
pub(crate) use daemon::daemon;
pub(crate) use place::{Place, find};

pub(crate) fn run(args: &WatchArgs) -> Result<Exit> {
    match &args.verb {
        WatchVerb::Add(args) => add::run(args),
        WatchVerb::List(args) => list::run(args),
        WatchVerb::Check(args) => check::run(args),
        WatchVerb::Show(args) => show::run(args),
        WatchVerb::Edit(args) => edit::run(args),
        WatchVerb::Remove(args) => remove::run(args),
        WatchVerb::Import(args) => import::run(args),
        WatchVerb::Export(args) => export::run(args),
        WatchVerb::Preview(args) => preview::run(args),
    }
}
