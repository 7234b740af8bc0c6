//! `driftline demo`: a web site that evolves, watched by a real daemon, with every finding as it happens.
//!
//! Nothing is made up but the time: the site answers on loopback, and the daemon is the one of `driftline serve`, with
//! a clock that is fast while nothing is to be done.

mod crawls;
mod finding;
mod pages;
mod tale;
mod watcher;

use anyhow::Result;

use crate::args::DemoArgs;
use crate::exit::Exit;

/// Runs the command.
pub(crate) fn run(args: &DemoArgs) -> Result<Exit> {
    if args.save.is_none() && args.save_site.is_none() && args.save_crawls.is_none() {
        return tale::run(args);
    }
    args.save.as_deref().map(pages::save).transpose()?;
    args.save_site.as_deref().map(pages::save_site).transpose()?;
    args.save_crawls.as_deref().map(crawls::save).transpose()?;
    Ok(Exit::Same)
}
