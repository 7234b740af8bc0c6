//! What happens to a site rather than to a page? The same change everywhere, and redesigns.
//!
//! A site is a host, without `www.` ([`site`](crate::watches::site)); there is no list of public suffixes here, so `blog.example.org` is a site of its
//! own. Its documents feed the detector of redesigns (the `stream`), and events of its pages wait for each other:
//! [`settle()`] makes one of those that say the same, and folds those that a redesign explains.

mod designs;
mod echo;
mod edits;
mod fold;
mod outage;
mod same;
mod settle;
mod stream;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use driftline::event::Kind;
use driftline_catalog::{Catalog, CatalogError, Stream};
use xxhash_rust::xxh3::xxh3_64;

pub use fold::Evidence;
pub use settle::{Audience, Known, Settled, Told, Unreadable, due_sites, settle, settle_held};
pub(crate) use settle::{SAME_DESIGN, shorten};
pub use stream::Redesign;
pub(crate) use stream::{Document, Templates};

/// So many sites can be written at once.
const LOCKS: usize = 64;

/// What is known of sites while the process runs, and who may write it.
#[derive(Debug)]
pub struct Sites {
    locks: [Mutex<()>; LOCKS],
    templates: Mutex<Templates>,
    /// What was handed over to be written and is not in the catalog yet.
    on_their_way: Mutex<HashMap<String, Vec<u8>>>,
}

impl Default for Sites {
    fn default() -> Self {
        Self {
            locks: std::array::from_fn(|_| Mutex::new(())),
            templates: Mutex::default(),
            on_their_way: Mutex::default(),
        }
    }
}

impl Sites {
    /// Waits until nobody else writes what is known of the site.
    pub(crate) fn lock(&self, site: &str) -> MutexGuard<'_, ()> {
        let place = xxh3_64(site.as_bytes()) as usize % LOCKS;
        self.locks[place].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a site: what is on its way to the catalog, or in it.
    pub(crate) fn load(&self, catalog: &Catalog, site: &str) -> Result<Option<Vec<u8>>, CatalogError> {
        let newest = self.on_their_way.lock().unwrap_or_else(PoisonError::into_inner).get(site).cloned();
        newest.map_or_else(|| catalog.stream(site), |newest| Ok(Some(newest)))
    }

    /// This was handed over to be written. Whoever calls holds the [lock](Self::lock) of the site.
    pub(crate) fn send(&self, stream: &Stream) {
        let mut on_their_way = self.on_their_way.lock().unwrap_or_else(PoisonError::into_inner);
        on_their_way.insert(stream.site.clone(), stream.body.clone());
    }

    /// This is in the catalog, or will never be.
    pub(crate) fn arrive(&self, stream: &Stream) {
        let mut on_their_way = self.on_their_way.lock().unwrap_or_else(PoisonError::into_inner);
        if on_their_way.get(&stream.site) == Some(&stream.body) {
            on_their_way.remove(&stream.site);
        }
    }

    pub(crate) fn templates(&self) -> MutexGuard<'_, Templates> {
        self.templates.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does an event of this kind wait for others of its site?
#[must_use]
pub fn is_held(kind: Kind) -> bool {
    match kind {
        // Not told before the changes that it puts an end to.
        Kind::Flapping
        | Kind::Changed
        | Kind::Redesigned
        | Kind::DesignRestored
        | Kind::PageGone
        | Kind::PageBack
        | Kind::CheckFailing
        | Kind::CheckRecovered => true,
        Kind::NewPage | Kind::ItemAdded | Kind::ItemModified | Kind::ItemRemoved | Kind::ZoneLost | Kind::ZoneFound => {
            false
        }
    }
}
