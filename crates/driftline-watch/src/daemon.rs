//! The loop around checks: what is due is checked, what happened is told.
//!
//! One thread decides and never waits for anything but its [`Clock`]; others check, release, tell and read files, and
//! ring a bell when they are done. Nothing is kept here that the catalog does not have: a daemon that was killed goes
//! on where it was.

mod course;
mod crew;
mod desk;
mod erring;
mod handle;
mod intake;
mod lock;
mod metrics;
mod options;
mod retain;
mod roster;
mod shares;
mod source;
mod status;

use std::io;
use std::sync::{Arc, Mutex, RwLock};

use driftline::event::Event;
use driftline_archive::Archive;
use driftline_catalog::CatalogError;
use driftline_fetch::Fetch;

pub use desk::LoadError;
pub use handle::Handle;
pub use lock::{FILE as LOCK_FILE, Lock, LockError};
pub use metrics::Metrics;
pub use options::Options;
pub use source::{Files, Source, members};
pub use status::Status;

use crate::check::{CheckError, Checked, Context, Doubt, Pause};
use crate::clock::Clock;
use crate::ledger::{RecordError, Recorder};
use crate::schedule::plan::Plan;
use crate::site::Sites;
use crate::tell::Teller;
use crate::watches::Watch;
use course::Course;
use desk::Desk;
use roster::Roster;

/// Watches, for as long as it runs.
pub struct Daemon {
    clock: Arc<dyn Clock>,
    context: Context,
    desk: Arc<Desk>,
    roster: Arc<RwLock<Roster>>,
    options: Options,
    handle: Handle,
    status: Arc<Status>,
}

/// What a daemon is made of.
pub struct Parts {
    /// Where captures, states and events are kept.
    pub archive: Arc<Archive>,
    /// Who brings pages.
    pub fetch: Arc<dyn Fetch>,
    /// Who tells targets.
    pub teller: Arc<Teller>,
    /// Whose time it is.
    pub clock: Arc<dyn Clock>,
    /// Where watches come from.
    pub source: Box<dyn Source>,
    /// The rest.
    pub options: Options,
}

/// Why nothing is watched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DaemonError {
    /// The watches cannot be brought.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// Checks cannot be written down.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no room for threads.
    #[error("cannot start the threads that check\nhint: set fewer `workers` in [watch] of driftline.toml")]
    Threads(#[source] io::Error),
}

/// A watch that was checked, and what came of it.
pub type Found<'a> = (&'a Watch, &'a Result<Checked, CheckError>);

/// What a round of checks came to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    /// Watches that were checked.
    pub checked: u64,
    /// Those of them that could not be.
    pub failed: u64,
    /// Events that were released, as they are told.
    pub events: Vec<Event>,
    /// Messages that targets have acknowledged.
    pub told: u64,
    /// Messages that did not arrive; those that are not given up are sent again by whoever comes next.
    pub untold: u64,
}

impl Daemon {
    /// A daemon that does nothing yet.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn new(parts: Parts) -> Result<Self, DaemonError> {
        let Parts { archive, fetch, teller, clock, source, options } = parts;
        let roster = Roster::default();
        let company = roster.company().clone();
        let handle = Handle::default();
        let (pausing, stop) = (Arc::clone(&clock), handle.stop_latch().clone());
        let context = Context {
            recorder: Recorder::start(Arc::clone(&archive))?,
            archive: Arc::clone(&archive),
            fetch,
            plan: Arc::new(Plan::new(options.pacing)),
            sites: Arc::new(Sites::default()),
            hold: options.hold,
            has_company: Arc::new(move |site| company.is_several(site)),
            patience: options.patience,
            doubt: Doubt::until(clock.now()),
            memory: Arc::default(),
            pause: Pause { delay: options.manners.delay, wait: Arc::new(move |span| pausing.pause(span, &stop)) },
        };
        let roster = Arc::new(RwLock::new(roster));
        let status = Arc::new(Status::default());
        let handle = Handle::default();
        let desk = Arc::new(Desk {
            handle: handle.clone(),
            announced: Mutex::default(),
            archive,
            teller,
            roster: Arc::clone(&roster),
            source: Mutex::new(source),
            clock: Arc::clone(&clock),
            status: Arc::clone(&status),
        });
        Ok(Self { clock, context, desk, roster, options, handle, status })
    }

    /// Reaches it from other threads.
    #[must_use]
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Who brings its pages; to be closed by whoever ends the process without [closing](Self::close) the daemon.
    #[must_use]
    pub fn fetch(&self) -> &Arc<dyn Fetch> {
        &self.context.fetch
    }

    /// How it is, for whoever asks from another thread.
    #[must_use]
    pub fn status(&self) -> Arc<Status> {
        Arc::clone(&self.status)
    }

    /// Watches until the [handle](Self::handle) says stop; then finishes what is under way, for as long as the options
    /// allow. `ready` is called once all watches have their times.
    ///
    /// # Errors
    /// If it could not begin. Whatever fails later is logged and tried again.
    pub fn run(&self, ready: impl FnOnce()) -> Result<(), DaemonError> {
        let mut course = Course::begin(self)?;
        course.schedule_all()?;
        ready();
        course.run();
        Ok(())
    }

    /// Checks once, now, those watches that are wanted, releases all that was found, and tells whoever can be told.
    /// `found` hears of each check as it ends.
    ///
    /// # Errors
    /// If it could not begin.
    pub fn check(
        &self,
        wanted: &dyn Fn(&Watch) -> bool,
        found: &mut dyn FnMut(Found<'_>),
    ) -> Result<Tally, DaemonError> {
        let mut course = Course::begin(self)?;
        Ok(course.run_once(wanted, found))
    }

    /// Writes what is left, ends the browser even if checks that were cut off still wait for it, and lets go of the
    /// archive.
    pub fn close(self) {
        self.context.recorder.close();
        self.context.fetch.close();
    }
}

#[cfg(test)]
mod tests;
