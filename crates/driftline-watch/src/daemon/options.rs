//! How does the daemon go about it? As `driftline.toml` says, and as is usual where it says nothing.

use driftline::span::Span;
use driftline_fetch::FetchDefaults;

use crate::check::Patience;
use crate::schedule::hosts::Manners;
use crate::schedule::plan::Pacing;
use crate::settings::WatchDefaults;

/// How the daemon goes about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// So many checks at once.
    pub workers: usize,
    /// How long events wait for others like them.
    pub hold: Span,
    /// What `auto` may spend.
    pub pacing: Pacing,
    /// How hosts are treated.
    pub manners: Manners,
    /// When failures become events.
    pub patience: Patience,
    /// How often the files of watches are looked at; not at all if there is none.
    pub look: Option<Span>,
    /// How long checks that are under way may take when it stops.
    pub last: Span,
}

impl Options {
    /// As the tables `[watch]` and `[fetch]` say.
    #[must_use]
    pub fn of(watch: &WatchDefaults, fetch: &FetchDefaults) -> Self {
        Self {
            workers: watch.workers,
            hold: watch.hold,
            pacing: watch.pacing(),
            manners: Manners { delay: fetch.delay, per_host: u16::try_from(fetch.per_host).unwrap_or(u16::MAX) },
            patience: watch.patience(),
            look: Some(Span::from_seconds(10)),
            last: Span::from_seconds(30),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::of(&WatchDefaults::default(), &FetchDefaults::default())
    }
}
