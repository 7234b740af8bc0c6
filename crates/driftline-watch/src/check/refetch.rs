//! The same page once more within a check, to see whether it differs between two fetches.

use std::sync::Arc;

use driftline::span::Span;
use driftline_fetch::{Fetched, With};
use url::Url;

use super::answer::{Answer, ask};
use super::case::Case;

/// Number of times that a page is fetched again at its first check, if the first time shows that something flickers.
const FIRST: usize = 2;
/// Number of times that a page is fetched again before a change is reported. One of two variants at random passes for a
/// change once in eight times.
const CHANGED: usize = 3;
/// Longest pause before a page is fetched again in the same check.
const LONGEST_PAUSE: Span = Span::from_seconds(10);
/// After a longer pause than this it is fetched again only once.
const SHORT_PAUSE: Span = Span::from_seconds(3);

/// An answer to the same request.
pub(super) enum Again {
    /// The page.
    Page(Box<Fetched>),
    /// There is none: an error, the host asks for a long pause, or the check has taken too many steps.
    None,
    /// The process stops.
    Stopped,
}

/// Why a page is fetched again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It is checked for the first time.
    First,
    /// It changed.
    Changed,
}

impl Case<'_> {
    /// Number of times that the page is fetched again in this check. A browser is costly; so is a page that changes often, and
    /// whose changes did not flicker.
    pub(super) fn refetches(&self, purpose: Purpose) -> usize {
        let Some(pause) = self.pause().filter(|pause| *pause <= LONGEST_PAUSE) else { return 0 };
        let is_once = self.watch.settings.fetch.with == With::Browser || pause > SHORT_PAUSE;
        match purpose {
            _ if is_once => 1,
            Purpose::First => FIRST,
            Purpose::Changed if self.state.learned.is_calm() => 1,
            Purpose::Changed => CHANGED,
        }
    }

    /// Fetches the page again, after the pause that its host asks for and without conditions. A failure that asks for rest is
    /// heeded.
    pub(super) fn refetch(&mut self) -> Again {
        let Some(pause) = self.pause().filter(|_| self.work.may_go_on()) else { return Again::None };
        let wait = Arc::clone(&self.context.pause.wait);
        if !wait(pause) {
            return Again::Stopped;
        }
        match ask(self, &self.watch.url, None) {
            Answer::Page(fetched) => Again::Page(fetched),
            Answer::Failed(failure) => {
                self.heed(&failure);
                Again::None
            }
            Answer::Same(_) | Answer::Absent(_) => Again::None,
        }
    }

    /// The pause before the host is asked again; none if the address has no host.
    fn pause(&self) -> Option<Span> {
        let url = Url::parse(&self.watch.url).ok()?;
        let asked = self.context.fetch.delay(url.host_str()?).unwrap_or_default();
        Some(self.context.pause.delay.max(asked))
    }
}
