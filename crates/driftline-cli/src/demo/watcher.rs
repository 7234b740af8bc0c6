//! The daemon of `driftline serve`, on a data directory of its own, with a fast clock.

use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow};
use driftline::event::Event;
use driftline_archive::{Archive, private};
use driftline_catalog::EventFilter;
use driftline_demo::Site;
use driftline_fetch::{FetchDefaults, HttpFetcher};
use driftline_watch::clock::ManualClock;
use driftline_watch::daemon::{Daemon, DaemonError, Files, Handle, Options, Parts, Status};
use driftline_watch::settings::WatchDefaults;
use driftline_watch::tell::{Targets, Teller};

use crate::composer::Composer;

/// More events than the story has.
const MOST_EVENTS: u32 = 1_000;

/// A daemon that runs.
pub(super) struct Watcher {
    archive: Arc<Archive>,
    handle: Handle,
    status: Arc<Status>,
    thread: Option<JoinHandle<Result<(), DaemonError>>>,
    seen: HashSet<String>,
}

impl Watcher {
    /// Watches the site, as its own file of watches says.
    pub(super) fn start(site: &Site, data: &Path, clock: &ManualClock) -> Result<Self> {
        let folder = data.join("watches");
        let write = private::create_folder(&folder).and_then(|()| {
            let mut file =
                private::options().write(true).create(true).truncate(true).open(folder.join("library.toml"))?;
            file.write_all(site.watches().as_bytes())
        });
        write.with_context(|| format!("cannot write watches to `{}`", folder.display()))?;
        // The site is on loopback, which nobody is asked without being told so.
        let fetch = FetchDefaults { allow: vec![site.address().to_string()], ..FetchDefaults::default() };
        let archive = Arc::new(Archive::open_at(data)?);
        let daemon = Daemon::new(Parts {
            archive: Arc::clone(&archive),
            fetch: Arc::new(HttpFetcher::new(&fetch)?),
            options: Options { look: None, ..Options::of(&WatchDefaults::default(), &fetch) },
            teller: Arc::new(Teller::new(Targets::default(), Arc::new(Composer), data)?),
            clock: Arc::new(clock.clone()),
            source: Box::new(Files::new(data.to_owned(), BTreeSet::new())),
        })?;
        let (handle, status) = (daemon.handle(), daemon.status());
        let thread = thread::Builder::new().name("driftline-daemon".to_owned()).spawn(move || {
            let ended = daemon.run(|| {});
            daemon.close();
            ended
        })?;
        Ok(Self { archive, handle, status, thread: Some(thread), seen: HashSet::new() })
    }

    /// What was released since this was last asked, the earliest first.
    pub(super) fn news(&mut self) -> Result<Vec<Event>> {
        let filter = EventFilter { limit: MOST_EVENTS, ..EventFilter::default() };
        let mut news: Vec<Event> = Vec::new();
        for stored in self.archive.catalog().events(&filter)?.items {
            if stored.held_until.is_none() && self.seen.insert(stored.key) {
                news.push(serde_json::from_value(stored.body).context("an event is not what it should be")?);
            }
        }
        news.sort_by(|one, other| (one.at, &one.kind, &one.url).cmp(&(other.at, &other.kind, &other.url)));
        Ok(news)
    }

    /// Events that nobody was told one by one.
    pub(super) fn folded(&self) -> Result<usize> {
        let filter = EventFilter { all: true, limit: MOST_EVENTS, ..EventFilter::default() };
        Ok(self.archive.catalog().events(&filter)?.items.iter().filter(|event| event.folded_into.is_some()).count())
    }

    /// Checks so far.
    pub(super) fn checks(&self) -> u64 {
        self.status.metrics().check_seconds.get_sample_count()
    }

    /// Ends it in good order.
    pub(super) fn stop(mut self) -> Result<()> {
        self.handle.stop();
        let ended = self.thread.take().map(JoinHandle::join);
        ended.unwrap_or(Ok(Ok(()))).map_err(|_| anyhow!("the daemon panicked"))??;
        Ok(())
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.handle.stop();
        if let Some(thread) = self.thread.take() {
            // It failed elsewhere already.
            let _ = thread.join();
        }
    }
}
