//! What is done beside checks? Events are released when their time has come, targets are told, files are read, and
//! captures are removed that need not be kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use driftline::event::Event;
use driftline::time::Time;
use driftline_archive::Archive;
use driftline_catalog::{Catalog, CatalogError};

use super::Handle;
use super::retain::{self, Announced, RetainError, Retained};
use super::roster::Roster;
use super::source::{self, Source};
use super::status::Status;
use crate::check::State;
use crate::clock::{Clock, Step};
use crate::site::{self, Unreadable};
use crate::tell::{self, Round, Target, Teller};
use crate::watches::{Watch, WatchesError};

/// Events are released in portions; what is left after so many waits for its turn.
const MOST_ROUNDS: usize = 100;
/// What is wrong if single sites fail.
const STUCK: &str = "the events of a site cannot be released";

/// What the desk needs.
pub(super) struct Desk {
    pub(super) archive: Arc<Archive>,
    pub(super) teller: Arc<Teller>,
    pub(super) roster: Arc<RwLock<Roster>>,
    pub(super) source: Mutex<Box<dyn Source>>,
    /// Errands may take minutes: each message has its own time.
    pub(super) clock: Arc<dyn Clock>,
    pub(super) status: Arc<Status>,
    /// Long errands break off when the daemon stops.
    pub(super) handle: Handle,
    /// The rules of retention that may be applied.
    pub(super) announced: Mutex<Announced>,
}

/// Why watches cannot be brought.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file is wrong.
    #[error(transparent)]
    Watches(#[from] WatchesError),
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

/// A change of the clock, and what it showed until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) step: Step,
    pub(super) before: Time,
}

/// Something for the desk to do.
#[derive(Debug)]
pub(super) enum Errand {
    /// Release events that were held until a time.
    Release { until: Time },
    /// Tell targets what is due.
    Tell,
    /// Bring the watches, if something has changed or it `must` be.
    Load { must: bool },
    /// Move what waits in the catalog: the clock was set.
    Rebase(Change),
    /// Look up how often pages change.
    Rates(Vec<(u32, Arc<str>)>),
    /// Remove captures that need not be kept.
    Retain,
}

/// What kind of errand it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Release,
    Tell,
    Load,
    Rebase,
    Rates,
    Retain,
}

/// What came of it.
#[derive(Debug)]
pub(super) enum Outcome {
    /// These events were released; the next one is due then.
    Released(Result<(Vec<Event>, Option<Time>), CatalogError>),
    /// Targets were told; the next delivery is due then.
    Told(Result<(Round, Option<Time>), CatalogError>),
    /// The watches, if they changed; and when a delivery is due, which somebody else may have revived.
    Loaded(Result<Option<Vec<Watch>>, LoadError>, Option<Time>),
    /// The catalog knows of this change of the clock, or not.
    Rebased(Change, Result<(), CatalogError>),
    /// Changes a second that are expected, by number.
    Rated(Vec<(u32, f64)>),
    /// Captures were removed.
    Retained(Result<Retained, RetainError>),
    /// The work panicked: which it was.
    Lost(Kind),
}

impl Errand {
    pub(super) fn lost(&self) -> Outcome {
        Outcome::Lost(match self {
            Self::Release { .. } => Kind::Release,
            Self::Tell => Kind::Tell,
            Self::Load { .. } => Kind::Load,
            Self::Rebase(_) => Kind::Rebase,
            Self::Rates(_) => Kind::Rates,
            Self::Retain => Kind::Retain,
        })
    }
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Tell => "tell",
            Self::Load => "load",
            Self::Rebase => "rebase",
            Self::Rates => "rates",
            Self::Retain => "retention",
        }
    }
}

impl Desk {
    pub(super) fn run(&self, errand: Errand) -> Outcome {
        match errand {
            Errand::Release { until } => Outcome::Released(self.release(until)),
            Errand::Tell => Outcome::Told(self.tell()),
            // If the catalog fails, whoever tells says so.
            Errand::Load { must } => {
                Outcome::Loaded(self.load(must), self.catalog().next_delivery().unwrap_or_default())
            }
            Errand::Rebase(change) => Outcome::Rebased(change, self.rebase(change)),
            Errand::Rates(watches) => Outcome::Rated(self.rates(&watches)),
            Errand::Retain => {
                let watches: Vec<Watch> = {
                    let roster = self.roster.read().unwrap_or_else(PoisonError::into_inner);
                    roster.iter().map(|(_, watch)| watch.clone()).collect()
                };
                let is_stopping = || self.handle.is_stopping();
                let mut announced = self.announced.lock().unwrap_or_else(PoisonError::into_inner);
                let now = self.clock.now();
                Outcome::Retained(retain::retain(&self.archive, &watches, now, &mut announced, &is_stopping))
            }
        }
    }

    fn catalog(&self) -> &Catalog {
        self.archive.catalog()
    }

    /// A site whose events cannot be settled holds up no other one: the status says so, and its turn comes again.
    fn release(&self, until: Time) -> Result<(Vec<Event>, Option<Time>), CatalogError> {
        let (mut released, mut failed) = (Vec::new(), BTreeMap::new());
        for _ in 0..MOST_ROUNDS {
            let mut sites = site::due_sites(self.catalog(), until)?;
            sites.retain(|site| !failed.contains_key(site));
            if sites.is_empty() {
                break;
            }
            for site in sites {
                match self.settle(&site, until) {
                    Ok(events) => released.extend(events),
                    Err(error) => {
                        tracing::error!(site, %error, "the events of a site cannot be released");
                        failed.insert(site, error);
                    }
                }
            }
        }
        let first = failed.first_key_value().map(|(site, error)| format!("`{site}`: {error}"));
        self.status.desk(STUCK, first.map(|first| told_of(failed.len(), &first)));
        Ok((released, self.catalog().next_release()?))
    }

    /// Settles the events of a site, and plans who is told, in one transaction.
    fn settle(&self, site: &str, until: Time) -> Result<Vec<Event>, CatalogError> {
        let now = self.clock.now();
        let audience = |watch: &str, tags: &[String]| self.teller.audience(tags, &self.targets(watch));
        let settled = site::settle(self.catalog(), site, until, &audience)?;
        let mut settlement = settled.settlement;
        for told in &settled.told {
            let mut named: Vec<String> = told.watches.iter().flat_map(|watch| self.targets(watch)).collect();
            named.extend(told.besides.iter().cloned());
            if told.event.kind.is_design() {
                named.extend(self.audience_of_site(site));
            }
            named.sort_unstable();
            named.dedup();
            settlement.deliveries.extend(self.teller.plan(&told.event, &named, now));
        }
        self.catalog().settle(&settlement)?;
        for Unreadable { key, why } in &settled.unreadable {
            tracing::error!(site, event = key, why, "an event cannot be read: nobody is told what it says");
            self.status.unreadable(format!("`{key}` of `{site}`: {why}"));
        }
        Ok(settled.told.into_iter().map(|told| told.event).collect())
    }

    /// Everybody who is told about a page of a site.
    fn audience_of_site(&self, site: &str) -> Vec<String> {
        let roster = self.roster.read().unwrap_or_else(PoisonError::into_inner);
        let watches = roster.iter().map(|(_, watch)| watch).filter(|watch| watch.site() == site);
        let audience = |watch: &Watch| self.teller.audience(&watch.settings.tags, &watch.settings.targets);
        watches.flat_map(audience).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The targets that a watch names.
    fn targets(&self, watch: &str) -> Vec<String> {
        let roster = self.roster.read().unwrap_or_else(PoisonError::into_inner);
        let watch = roster.find(watch).and_then(|slot| roster.get(slot));
        watch.map(|watch| watch.settings.targets.clone()).unwrap_or_default()
    }

    fn tell(&self) -> Result<(Round, Option<Time>), CatalogError> {
        let round = tell::round(self.catalog(), &self.teller, &|| self.clock.now())?;
        Ok((round, self.catalog().next_delivery()?))
    }

    /// Moves what waits in the catalog by a change of the clock, and heals what was planned while it was far ahead.
    pub(super) fn rebase(&self, change: Change) -> Result<(), CatalogError> {
        let now = self.clock.now();
        let next = |target: &Target| Some((target.name().to_owned(), target.digest()?.next(now)));
        let digests: Vec<_> = self.teller.targets().iter().filter_map(next).collect();
        self.catalog().rebase(change.step.microseconds(), change.before, now, &digests)
    }

    pub(super) fn load(&self, must: bool) -> Result<Option<Vec<Watch>>, LoadError> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        if !must && !source.is_changed() {
            return Ok(None);
        }
        let mut watches = source.load()?;
        watches.extend(source::members(self.catalog(), &watches)?);
        let now = self.clock.now();
        self.catalog().sync_watches(watches.iter().map(|watch| watch.row(now)), now)?;
        Ok(Some(watches))
    }

    /// A state that cannot be read tells nothing; its check says why.
    fn rates(&self, watches: &[(u32, Arc<str>)]) -> Vec<(u32, f64)> {
        let rate = |(slot, id): &(u32, Arc<str>)| {
            let state = State::read(&self.catalog().state(id).ok()??.body).ok()?;
            Some((*slot, state.rate.expected()))
        };
        watches.iter().filter_map(rate).collect()
    }
}

/// The first of so many sites, and how many there are besides.
fn told_of(count: usize, first: &str) -> String {
    match count {
        0 | 1 => first.to_owned(),
        more => format!("{first} (and {} more)", more - 1),
    }
}

#[cfg(test)]
mod tests;
