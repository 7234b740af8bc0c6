//! One check of a watch, as a plain function.
//!
//! [`check_once`] loads what is known of the watch, fetches, keeps what differs in the archive, compares it with the
//! version that was judged last, and writes what it found in one transaction. A crash between the archive and the
//! catalog costs nothing: the next check judges what was kept and not judged. Nothing here asks the clock, and nothing waits but for the
//! [`Pause`] before a page is fetched again.

mod answer;
mod case;
mod counts;
mod earlier;
mod failures;
mod feeds;
mod first;
mod flicker;
mod history;
mod judge;
mod learned;
mod leftover;
mod lists;
mod memory;
mod page;
mod parts;
mod refetch;
mod state;
mod unjudged;
mod versions;
mod work;
mod zones;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use driftline::event::Event;
use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::{Archive, archive};
use driftline_catalog::CatalogError;
use driftline_fetch::Fetch;

pub use failures::Patience;
pub use feeds::AnnouncedFeed;
pub use first::{FirstLook, ZoneLook};
pub use learned::{Flicker, Learned};
pub use memory::Memory;
pub use state::{Seen, State, UnreadableState};

use crate::ledger::{RecordError, Recorder};
use crate::schedule::plan::Plan;
use crate::site::Sites;
use crate::watches::{Kind, Watch};
use case::Case;

/// All that checks need, shared by all threads that check.
#[derive(Clone)]
pub struct Context {
    /// Where captures are kept, and the catalog.
    pub archive: Arc<Archive>,
    /// Who brings pages.
    pub fetch: Arc<dyn Fetch>,
    /// Who writes down what checks found.
    pub recorder: Recorder,
    /// Who knows when a watch is checked next.
    pub plan: Arc<Plan>,
    /// What is known of sites, and who may write it.
    pub sites: Arc<Sites>,
    /// How long events wait for others like them, unless the watch says so itself.
    pub hold: Span,
    /// Does a site have more than one watch? Events of the only one do not wait.
    pub has_company: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    /// When failures become events.
    pub patience: Patience,
    /// Until when captures may have been kept that nobody judged.
    pub doubt: Doubt,
    /// What need not be asked of the catalog again.
    pub memory: Arc<Memory>,
    /// The pause before a page is fetched again in the same check.
    pub pause: Pause,
}

/// The pause before a page is fetched again in the same check.
#[derive(Clone)]
pub struct Pause {
    /// Its length, unless the host asks for more.
    pub delay: Span,
    /// Waits this long. Says whether the check may go on: not if the process stops.
    pub wait: Arc<dyn Fn(Span) -> bool + Send + Sync>,
}

impl Context {
    /// A check broke off: what it kept may not have been judged, and what is remembered of the watch may be wrong.
    pub fn distrust(&self, watch: &Watch, now: Time) {
        self.doubt.extend(now);
        self.memory.forget(&watch.id);
    }
}

/// Until when captures may have been kept that nobody judged: those of a process that died, and of checks that failed
/// after the archive had what they brought. Its copies share one time.
#[derive(Debug, Clone)]
pub struct Doubt(Arc<AtomicI64>);

impl Doubt {
    /// All that was captured by now may not have been judged: a process begins.
    #[must_use]
    pub fn until(now: Time) -> Self {
        Self(Arc::new(AtomicI64::new(now.microseconds())))
    }

    fn get(&self) -> Time {
        Time::from_microseconds(self.0.load(Ordering::Acquire))
    }

    fn extend(&self, now: Time) {
        self.0.fetch_max(now.microseconds(), Ordering::AcqRel);
    }
}

/// What a check found; it is written already.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// How it went.
    pub outcome: Outcome,
    /// What was found, and is held until the events of the site are settled.
    pub events: Vec<Event>,
    /// When the watch is checked next, as it was written.
    pub next: Option<Time>,
    /// The server asks to be left alone so long.
    pub retry_after: Option<Span>,
    /// The server is too busy to answer, or not to be reached.
    pub is_overloaded: bool,
    /// Changes a second that are expected of the page from now on.
    pub expected: f64,
    /// When the first of the events is to be settled.
    pub release: Option<Time>,
    /// What was kept, if this is the first check that kept something.
    pub first: Option<FirstLook>,
    /// Why it failed, if it did.
    pub failure: Option<String>,
    /// What the server answers if there is no such page: 404 or 410.
    pub absence: Option<u16>,
    /// How many bytes the answer had.
    pub bytes: u64,
    /// The steps of reading and comparing, as the limits count them.
    pub steps: u64,
    /// The members of a list are others than before: the daemon reads them again.
    pub has_new_members: bool,
}

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The first one.
    First,
    /// As it was.
    Unchanged,
    /// Something changed that counts.
    Changed,
    /// Something changed that does not count.
    Ignored,
    /// There is no such page.
    Absent,
    /// It failed.
    Failed,
}

impl Outcome {
    /// Its name in metrics: `unchanged`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::Ignored => "ignored",
            Self::Absent => "absent",
            Self::Failed => "failed",
        }
    }
}

/// Why a check could not be made at all. A page that does not answer is no such reason: that is what checks find out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The archive failed.
    #[error(transparent)]
    Archive(#[from] archive::Error),
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// What was found could not be written down.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// What is known of the watch cannot be read.
    #[error("cannot read what is known of the watch `{watch}`: {source}")]
    State {
        /// Its id.
        watch: String,
        /// Why.
        source: UnreadableState,
    },
    /// A mistake in driftline itself.
    #[error("watch `{watch}`: the check panicked\nhint: this is a mistake in driftline; the log says where")]
    Panicked {
        /// Its id.
        watch: String,
    },
    /// A setting of the watch makes no sense.
    #[error("watch `{watch}`: {why}")]
    Setting {
        /// Its id.
        watch: String,
        /// Which, and why.
        why: String,
    },
}

impl CheckError {
    fn setting(watch: &Watch, why: impl fmt::Display) -> Self {
        Self::Setting { watch: watch.id.to_string(), why: why.to_string() }
    }
}

/// Checks a watch now, and writes down what was found.
///
/// # Errors
/// If the archive or the catalog fails, or a setting makes no sense. What was written before stays.
pub fn check_once(watch: &Watch, context: &Context, now: Time) -> Result<Checked, CheckError> {
    check(watch, context, now).inspect_err(|_| context.distrust(watch, now))
}

fn check(watch: &Watch, context: &Context, now: Time) -> Result<Checked, CheckError> {
    let mut case = Case::open(watch, context, now)?;
    match watch.settings.kind {
        Kind::Page => page::check(&mut case)?,
        Kind::Feed => feeds::check(&mut case)?,
        Kind::Sitemap | Kind::Opml | Kind::List => lists::check(&mut case)?,
    }
    case.close()
}
