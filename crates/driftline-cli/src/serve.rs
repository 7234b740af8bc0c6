//! `driftline serve`: the daemon.

mod log;

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use driftline_archive::Archive;
use driftline_serve::{Health, Server};
use driftline_watch::clock::SystemClock;
use driftline_watch::daemon::{Lock, Status};
use driftline_watch::settings::ServeSettings;

use crate::archive::data;
use crate::args::ServeArgs;
use crate::exit::Exit;
use crate::signals::{self, HangUp};
use crate::watch::{Place, daemon};

pub(crate) fn run(args: &ServeArgs) -> Result<Exit> {
    if !args.headless {
        bail!(
            "there are no web pages yet\nhint: `driftline serve --headless` watches, and serves health, metrics and feeds"
        );
    }
    log::start(args.log, args.log_level)?;
    let mut place = Place::of(args.data.data.as_deref())?;
    let lock = Lock::take(&place.data, "driftline serve")?;
    let archive = Arc::new(data::open(args.data.data.as_deref())?);
    let daemon = daemon(&mut place, &archive, Arc::new(SystemClock))?;
    let lease = lock.lease(archive.catalog(), &daemon.handle())?;
    let serve = place.settings.serve.clone();
    let serve = ServeSettings { listen: args.listen.unwrap_or(serve.listen), ..serve };
    let server = Server::start(&serve, &archive, Arc::new(Well(daemon.status())))?;
    let address = server.address();
    signals::hear(&daemon, HangUp::Reload).context("cannot hear signals")?;
    let ended = daemon.run(|| {
        tracing::info!(%address, data = %place.data.display(), "ready");
        tell_manager(&[sd_notify::NotifyState::Ready]);
    });
    tell_manager(&[sd_notify::NotifyState::Stopping]);
    server.stop();
    daemon.close();
    let is_lost = !lease.is_held();
    drop(lease);
    close(archive)?;
    ended?;
    if is_lost {
        bail!(
            "the catalog was out of reach for too long, or another daemon watches from it\n\
             hint: start this one again once the catalog can be reached and nobody else watches from it"
        );
    }
    tracing::info!("stopped");
    Ok(Exit::Same)
}

/// What the daemon says about itself.
struct Well(Arc<Status>);

impl Health for Well {
    fn troubles(&self) -> Vec<String> {
        self.0.troubles()
    }

    fn metrics(&self) -> String {
        self.0.metrics().text()
    }
}

/// Closes the open segment, if nobody is at work in the archive any more; else whoever opens it next does.
fn close(archive: Arc<Archive>) -> Result<()> {
    Arc::into_inner(archive).map_or(Ok(()), Archive::close).context("cannot close the archive")
}

/// Tells systemd, if it is there.
fn tell_manager(state: &[sd_notify::NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::warn!(%error, "cannot tell systemd how it goes");
    }
}
