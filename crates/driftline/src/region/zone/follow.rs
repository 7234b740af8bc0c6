//! Which pages does a user with a zone want compared? The same part of both, wherever it stands now.

use serde::Serialize;

use super::fingerprint::{ZoneFingerprint, hash};
use super::search::{Found, Search, find_again};
use crate::page::zone::{Selector, Zones};
use crate::page::{NodeId, Page, ReadOptions, Source};
use crate::region::similarity::intersect;
use crate::sides::Sides;

/// A selector of more elements than this points at a kind of thing, not at a place, and is not followed.
const MOST_FOLLOWED: usize = 8;
/// What is ignored must be found with this certainty, for a wrong find would hide a change.
const LEAST_TO_IGNORE: f64 = 0.7;
/// A selector's element has become something else if it has at most this share of the zone's words …
const STRANGE: f64 = 0.1;
/// … and another element at least this.
const FAMILIAR: f64 = 0.5;

/// A pair of pages, read with their zones.
#[derive(Debug)]
pub struct Followed {
    /// The older page, read as the options say.
    pub older: Page,
    /// The newer page, read with the zones where they stand now.
    pub newer: Page,
    /// The zones of the newer page, where they stand now.
    pub newer_zones: Zones,
    /// What became of each selector: zones first, then what is ignored.
    pub zones: Vec<ZoneFate>,
}

/// What a selector is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// It points at what counts.
    Zone,
    /// It points at what does not.
    Ignore,
}

/// What became of a selector.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ZoneFate {
    /// The selector.
    pub selector: String,
    /// What it is for.
    pub purpose: Purpose,
    /// What became of it.
    #[serde(flatten)]
    pub fate: Fate,
}

/// What became of a zone from the older to the newer page.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "fate")]
pub enum Fate {
    /// The selector still does.
    Kept,
    /// It is found by another selector.
    Moved {
        /// A selector of the newer page.
        to: String,
        /// How sure that is, from 0 to 1.
        certainty: f64,
    },
    /// It matches nothing on the newer page, and nothing there is like it.
    Lost,
    /// It matches nothing on the older page.
    Absent,
}

/// Reads two versions of a page, finding the zones of the older options again where they moved.
///
/// The options may differ in the kind of body. A single zone that is kept costs nothing more than
/// reading; anything else reads the pages twice.
#[must_use]
pub fn follow(sources: Sides<Source<'_>>, options: Sides<&ReadOptions>) -> Followed {
    let zones = &options.older.zones;
    if zones.is_everything() {
        let (older, newer) = (Page::read(sources.older, options.older), Page::read(sources.newer, options.newer));
        return Followed { older, newer, newer_zones: Zones::default(), zones: Vec::new() };
    }
    if let ([selector], []) = (&zones.include[..], &zones.ignore[..])
        && let Some(followed) = kept(sources, options, selector)
    {
        return followed;
    }
    let selectors: Vec<Selector> = zones.include.iter().chain(&zones.ignore).cloned().collect();
    let whole = |options: &ReadOptions| ReadOptions { zones: Zones::default(), ..options.clone() };
    let (older, old_found) = Page::read_and_find(sources.older, &whole(options.older), &selectors);
    let (newer, new_found) = Page::read_and_find(sources.newer, &whole(options.newer), &selectors);
    let mut moved = zones.clone();
    let include = moved.include.iter_mut().map(|selector| (Purpose::Zone, selector));
    let places = include.chain(moved.ignore.iter_mut().map(|selector| (Purpose::Ignore, selector)));
    let found = old_found.iter().zip(&new_found);
    let fates = places.zip(found).map(|((purpose, selector), (old, new))| {
        let written = selector.to_string();
        let fate = move_to(selector, fate(&older, old, &newer, new, purpose));
        ZoneFate { selector: written, purpose, fate }
    });
    let zones = fates.collect();
    let older = Page::read(sources.older, options.older);
    let newer = Page::read(sources.newer, &ReadOptions { zones: moved.clone(), ..options.newer.clone() });
    Followed { older, newer, newer_zones: moved, zones }
}

/// The pages, if the selector obviously still matches the same thing.
fn kept(sources: Sides<Source<'_>>, options: Sides<&ReadOptions>, selector: &Selector) -> Option<Followed> {
    let (older, newer) = (Page::read(sources.older, options.older), Page::read(sources.newer, options.newer));
    let matches = |page: &Page| page.zone_matches().is_some_and(|matches| matches > 0);
    let words = |page: &Page| {
        let mut words: Vec<u32> = page.words().map(hash).collect();
        words.sort_unstable();
        words.dedup();
        words
    };
    let is_kept = matches(&older) && matches(&newer) && intersect(&words(&older), &words(&newer)) > STRANGE;
    let zone = ZoneFate { selector: selector.to_string(), purpose: Purpose::Zone, fate: Fate::Kept };
    let newer_zones = options.newer.zones.clone();
    is_kept.then(|| Followed { older, newer, newer_zones, zones: vec![zone] })
}

/// Points the selector at where its zone is now.
fn move_to(selector: &mut Selector, fate: Fate) -> Fate {
    let Fate::Moved { to, .. } = &fate else { return fate };
    match Selector::parse(to) {
        Ok(now) => *selector = now,
        Err(_) => return Fate::Lost,
    }
    fate
}

fn fate(older: &Page, old: &[NodeId], newer: &Page, new: &[NodeId], purpose: Purpose) -> Fate {
    if old.is_empty() {
        return Fate::Absent;
    }
    let is_followed = old.len() <= MOST_FOLLOWED;
    let found: Vec<Found> = match (is_followed, new.is_empty()) {
        (false, true) => return Fate::Lost,
        (false, false) => return Fate::Kept,
        (true, true) => old.iter().filter_map(|&node| find_again(older, node, newer)).collect(),
        (true, false) => match elsewhere(older, old, newer, new) {
            Some(found) => vec![found],
            None => return Fate::Kept,
        },
    };
    let mut selectors: Vec<&str> = found.iter().map(|found| found.selector.as_str()).collect();
    selectors.sort_unstable();
    selectors.dedup();
    let certainty = found.iter().map(|found| found.certainty).fold(1.0, f64::min);
    let is_sure = purpose == Purpose::Zone || certainty >= LEAST_TO_IGNORE;
    if found.is_empty() || !is_sure {
        return Fate::Lost;
    }
    Fate::Moved { to: selectors.join(", "), certainty }
}

/// Where the zone stands if its selector now matches something strange, and the zone itself is on the page too.
fn elsewhere(older: &Page, old: &[NodeId], newer: &Page, new: &[NodeId]) -> Option<Found> {
    let &[node] = old else { return None };
    let zone = ZoneFingerprint::of(older, node);
    let search = Search::new(newer, &zone);
    if new.len() > MOST_FOLLOWED || new.iter().any(|&node| search.grade(node).content > STRANGE) {
        return None;
    }
    let found = find_again(older, node, newer)?;
    let is_apart = new.iter().all(|&node| !search.is_in(node, found.node) && !search.is_in(found.node, node));
    (is_apart && search.grade(found.node).content >= FAMILIAR).then_some(found)
}
