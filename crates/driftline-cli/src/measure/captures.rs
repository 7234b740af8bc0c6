//! Pairs of captures: every page of a collection, its captures in time order.
//!
//! A page is all captures with one key, as in the field's indexes: `http` and `https`, with `www.` or without. Only
//! captures of text that was found are versions of it; a redirect or an error between two of them is passed over. A
//! capture that is there more than once counts once.

use std::fmt;
use std::sync::Arc;

use anyhow::Result;

use super::duplicates::Second;
use crate::args::Against;
use crate::holdings::{Held, Holdings, Role, Walk};
use crate::versions::Singles;

/// Two captures of a page.
#[derive(Clone)]
pub(crate) struct CapturePair {
    /// `URL@older..newer`, with fourteen digits each.
    pub(super) id: String,
    pub(super) holdings: Arc<Holdings>,
    pub(super) old: Held,
    pub(super) new: Held,
}

impl fmt::Debug for CapturePair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.id)
    }
}

impl CapturePair {
    /// Is the body the same, so that it need not be read twice?
    pub(super) fn is_unchanged(&self) -> bool {
        Holdings::have_same_payload(&self.old, &self.new)
    }
}

/// All pairs of captures, page after page.
pub(super) struct CapturePairs {
    holdings: Arc<Holdings>,
    walk: Walk,
    against: Against,
    singles: Singles,
    /// What the next capture of this page is compared with.
    older: Option<Held>,
    /// The only version of this page so far, if such a page is wanted.
    only: Option<Held>,
    second: Second,
    pub(super) left_out: LeftOut,
}

impl CapturePairs {
    pub(super) fn of(holdings: &Arc<Holdings>, against: Against, singles: Singles) -> Self {
        let (holdings, walk) = (Arc::clone(holdings), Walk::through(holdings));
        let (second, left_out) = (Second::default(), LeftOut::default());
        Self { holdings, walk, against, singles, older: None, only: None, second, left_out }
    }

    /// The next pair.
    pub(super) fn next(&mut self) -> Result<Option<CapturePair>> {
        loop {
            let Some((is_first, held)) = self.walk.next()? else {
                return Ok(self.only.take().map(|only| self.pair(only.clone(), only)));
            };
            let only = if is_first { self.begin_page() } else { None };
            let pair = self.admit(held);
            if let Some(pair) = only.or(pair) {
                return Ok(Some(pair));
            }
        }
    }

    /// A page is over; if it had one version only, and such pages are wanted, that is a pair with itself.
    fn begin_page(&mut self) -> Option<CapturePair> {
        self.older = None;
        self.second.clear();
        self.only.take().map(|only| self.pair(only.clone(), only))
    }

    /// Compares a capture with the one before; the first capture of a page gives no pair.
    fn admit(&mut self, held: Held) -> Option<CapturePair> {
        if self.second.has(Holdings::at(&held), self.holdings.identity(&held)) {
            self.left_out.duplicates += 1;
            return None;
        }
        let role = self.holdings.role(&held);
        if !self.left_out.is_version(role) {
            return None;
        }
        let Some(older) = self.older.take() else {
            self.only = (self.singles == Singles::PairWithItself).then(|| held.clone());
            self.older = Some(held);
            return None;
        };
        self.only = None;
        self.older = Some(if self.against == Against::First { older.clone() } else { held.clone() });
        Some(self.pair(older, held))
    }

    fn pair(&self, old: Held, new: Held) -> CapturePair {
        let [from, to] = [&old, &new].map(|held| Holdings::at(held).digits());
        let id = format!("{}@{from}..{to}", self.holdings.url(&new));
        CapturePair { id, holdings: Arc::clone(&self.holdings), old, new }
    }
}

/// Captures that are no versions of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LeftOut {
    versions: u64,
    redirects: u64,
    failures: u64,
    others: u64,
    duplicates: u64,
}

impl LeftOut {
    /// Counts a capture, and says whether it is a version.
    fn is_version(&mut self, role: Role) -> bool {
        let count = match role {
            Role::Page => &mut self.versions,
            Role::Redirect => &mut self.redirects,
            Role::Failure => &mut self.failures,
            Role::Other => &mut self.others,
        };
        *count += 1;
        role == Role::Page
    }

    pub(super) fn add(&mut self, other: Self) {
        self.versions += other.versions;
        self.redirects += other.redirects;
        self.failures += other.failures;
        self.others += other.others;
        self.duplicates += other.duplicates;
    }

    /// What there is to say about captures that are there more than once, if there are any.
    pub(super) fn duplicates(&self) -> Option<String> {
        let (are, plural) = if self.duplicates == 1 { ("is", "") } else { ("are", "s") };
        (self.duplicates > 0).then(|| {
            format!(
                "{} capture{plural} {are} left out as duplicates: another one has the same URL, second, status and digest",
                self.duplicates
            )
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.redirects + self.failures + self.others == 0
    }
}

/// What there is to say about them, if there are any.
impl fmt::Display for LeftOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { versions, redirects, failures, others, .. } = self;
        let left_out = redirects + failures + others;
        let (are, plural) = (if left_out == 1 { "is" } else { "are" }, if *redirects == 1 { "" } else { "s" });
        write!(
            formatter,
            "{left_out} of {} captures {are} no version of a page and left out: {redirects} redirect{plural}, \
             {failures} with another status, {others} of another type",
            left_out + versions
        )
    }
}
