//! The parts of a daemon in a data directory, for `serve`, and for `watch check`.

use std::sync::Arc;

use anyhow::Result;
use driftline_archive::Archive;
use driftline_fetch::Fetchers;
use driftline_watch::clock::Clock;
use driftline_watch::daemon::{Daemon, Files, Options, Parts};
use driftline_watch::tell::Teller;
use driftline_watch::watches::remove_leftovers;

use super::Place;
use crate::composer::Composer;

/// A daemon that does nothing yet. It takes the targets along.
pub(crate) fn daemon(place: &mut Place, archive: &Arc<Archive>, clock: Arc<dyn Clock>) -> Result<Daemon> {
    let removed = remove_leftovers(&place.data);
    if removed > 0 {
        tracing::info!(removed, "files that interrupted edits of watches left are removed");
    }
    let targets = std::mem::take(&mut place.settings.targets);
    let settings = &place.settings;
    let teller = Teller::new(targets, Arc::new(Composer), &place.data)?;
    Ok(Daemon::new(Parts {
        archive: Arc::clone(archive),
        fetch: Arc::new(Fetchers::new(&settings.fetch)?),
        teller: Arc::new(teller),
        clock,
        source: Box::new(Files::new(place.data.clone(), place.targets.clone())),
        options: Options::of(&settings.watch, &settings.fetch),
    })?)
}
