//! The rules of retention of watches, and the captures that watches need.
//!
//! A page has the addresses that its watch compared: the one that is watched, the one that redirects lead to, and those of
//! the feeds that it announces, each of which is a page of its own. Watches whose pages share an address share a page: a
//! capture goes only if the rules of all of them say so.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use driftline::page::RENDERED;
use driftline::time::Time;
use driftline_archive::care::Retention;
use driftline_archive::care::compact::PageRules;
use driftline_catalog::{Catalog, CatalogError};

use crate::check::{Seen, State};
use crate::watches::Watch;

/// This many states are read at once.
const PAGE: u32 = 10_000;

/// The rules of watches.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WatchRules {
    /// The pages of watches that have rules.
    pub pages: Vec<PageRules>,
    /// The ids of the watches of each of these pages.
    pub watches: Vec<Vec<Arc<str>>>,
    /// The captures that watches compare with, in ascending order: they stay.
    pub needed: Vec<i64>,
    /// Watches whose states cannot be read: what they need is not known.
    pub unreadable: Vec<String>,
}

/// The rules of these watches. A watch without rules has the `general` ones. Of one that was never checked, or whose state
/// cannot be read, everything stays.
///
/// # Errors
/// If the catalog fails.
pub fn rules(catalog: &Catalog, watches: &[Watch], general: &Retention) -> Result<WatchRules, CatalogError> {
    let by_id: HashMap<&str, &Watch> = watches.iter().map(|watch| (&*watch.id, watch)).collect();
    let (mut pages, mut needed, mut unreadable) = (Pages::default(), Vec::new(), Vec::new());
    let is_ruled = |watch: &&&Watch| !watch.settings.retention.is_everything();
    let mut checked_ids: HashSet<&str> = HashSet::new();
    each_state(catalog, |id, checked, state| {
        let Ok(state) = state else {
            unreadable.push(id.to_owned());
            return;
        };
        needed.extend(captures(&state).map(|seen| seen.capture));
        if let Some(watch) = by_id.get(id).filter(is_ruled) {
            for urls in addresses(watch, state) {
                checked_ids.insert(&watch.id);
                pages.add(&urls, &watch.settings.retention, &watch.id, checked);
            }
        }
    })?;
    for watch in watches.iter().filter(|watch| is_ruled(&watch) && !checked_ids.contains(&*watch.id)) {
        let never = Some(Time::from_microseconds(i64::MIN));
        pages.add(&[Arc::clone(&watch.url)], &watch.settings.retention, &watch.id, never);
    }
    // Others may share an address with those.
    if !pages.by_url.is_empty() {
        each_state(catalog, |id, _, state| {
            let watch = by_id.get(id).filter(|watch| !is_ruled(watch));
            if let (Some(watch), Ok(state)) = (watch, state) {
                addresses(watch, state).iter().for_each(|urls| pages.share(urls, general, &watch.id));
            }
        })?;
    }
    needed.sort_unstable();
    needed.dedup();
    let (pages, watches) = pages.slots.into_iter().flatten().unzip();
    Ok(WatchRules { pages, watches, needed, unreadable })
}

/// Reads all states: the watch, when it was checked, and its state.
fn each_state(
    catalog: &Catalog,
    mut take: impl FnMut(&str, Option<Time>, Result<State, crate::check::UnreadableState>),
) -> Result<(), CatalogError> {
    let mut after = 0;
    loop {
        let page = catalog.watch_states(after, PAGE)?;
        for (number, id, stored) in &page {
            after = *number;
            take(id, stored.checked, State::read(&stored.body));
        }
        if page.len() < PAGE as usize {
            return Ok(());
        }
    }
}

/// The captures that the next ones are compared with.
fn captures(state: &State) -> impl Iterator<Item = &Seen> {
    let feeds = state.feeds.iter().flatten().filter_map(|feed| feed.seen.as_ref());
    state.seen.iter().chain(&state.base).chain(feeds)
}

/// The addresses of each page of a watch, by its state.
fn addresses(watch: &Watch, state: State) -> Vec<Vec<Arc<str>>> {
    let state = state.of(&watch.url);
    let plain = |seen: &Seen| Arc::<str>::from(seen.url.strip_prefix(RENDERED).unwrap_or(&seen.url));
    let page = |first: Arc<str>, seen: &mut dyn Iterator<Item = &Seen>| {
        let mut urls = vec![first];
        for url in seen.map(plain) {
            if !urls.contains(&url) {
                urls.push(url);
            }
        }
        urls
    };
    let Some(seen) = &state.seen else { return Vec::new() };
    let mut pages = vec![page(Arc::clone(&watch.url), &mut [seen].into_iter().chain(&state.base))];
    let feeds = state.feeds.iter().flatten().filter(|feed| feed.seen.is_some());
    pages.extend(feeds.map(|feed| page(feed.url.as_str().into(), &mut feed.seen.iter())));
    pages
}

/// The rules of a page, and the ids of its watches.
type Ruled = (PageRules, Vec<Arc<str>>);

/// Pages, no two of which share an address.
#[derive(Default)]
struct Pages {
    slots: Vec<Option<Ruled>>,
    by_url: HashMap<Arc<str>, usize>,
}

impl Pages {
    /// Adds a page of a watch to those that share an address with it.
    fn add(&mut self, urls: &[Arc<str>], rule: &Retention, watch: &Arc<str>, judged: Option<Time>) {
        let met: BTreeSet<usize> = urls.iter().filter_map(|url| self.by_url.get(url)).copied().collect();
        let own = PageRules { urls: urls.to_vec(), rules: vec![rule.clone()], watch: Arc::clone(watch), judged };
        let own = (own, vec![Arc::clone(watch)]);
        let there: Vec<Ruled> = met.into_iter().filter_map(|slot| self.slots[slot].take()).collect();
        let page = there.into_iter().chain([own]).reduce(joined);
        let slot = self.slots.len();
        for url in page.iter().flat_map(|(page, _)| &page.urls) {
            self.by_url.insert(Arc::clone(url), slot);
        }
        self.slots.push(page);
    }

    /// The pages that share an address with these have this rule as well.
    fn share(&mut self, urls: &[Arc<str>], rule: &Retention, watch: &Arc<str>) {
        let met: BTreeSet<usize> = urls.iter().filter_map(|url| self.by_url.get(url)).copied().collect();
        for slot in met {
            let page = self.slots[slot].take();
            let own = PageRules { rules: vec![rule.clone()], watch: Arc::clone(watch), ..PageRules::default() };
            self.slots[slot] = page.map(|page| joined(page, (own, vec![Arc::clone(watch)])));
        }
    }
}

fn joined((mut page, mut watches): Ruled, (other, others): Ruled) -> Ruled {
    for url in other.urls {
        if !page.urls.contains(&url) {
            page.urls.push(url);
        }
    }
    page.rules.extend(other.rules);
    for watch in others {
        if !watches.contains(&watch) {
            watches.push(watch);
        }
    }
    page.watch = watches.join(", ").into();
    page.judged = page.judged.max(other.judged);
    (page, watches)
}

#[cfg(test)]
mod tests;
