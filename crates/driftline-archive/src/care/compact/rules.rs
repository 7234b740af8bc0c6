//! Which rule is for which page? That of its watches, or else the general one. And what has to stay?

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::super::choice::Protection;
use super::super::retention::{BadRetention, Retention};
use super::held::{Group, RENDERED};
use super::{Compact, CompactError, PageRules};
use crate::Time;
use crate::archive::Archive;
use driftline_catalog::Shown;

/// Which rule is for which page.
pub(super) struct Rules<'a> {
    general: &'a Retention,
    pages: &'a [PageRules],
    /// Pages of watches by their addresses.
    by_url: HashMap<&'a str, usize>,
    /// Rules that the catalog has of watches that nobody named.
    of_catalog: HashMap<String, Retention>,
    needed: &'a [i64],
    /// Looked up once, when something is to go.
    shown: OnceCell<Shown>,
}

/// The addresses of a page, and what is to be done with its captures.
pub(super) struct Page<'a> {
    pub(super) urls: Vec<Arc<str>>,
    pub(super) rules: Vec<&'a Retention>,
    pub(super) watch: Option<&'a Arc<str>>,
    judged: Option<Time>,
}

impl<'a> Rules<'a> {
    /// The rules that are named.
    pub(super) fn of(what: &'a Compact) -> Result<Self, CompactError> {
        let Compact { retention, pages, needed, .. } = what;
        let mut by_url = HashMap::new();
        for (number, page) in pages.iter().enumerate() {
            page.rules.iter().try_for_each(Retention::check)?;
            by_url.extend(page.urls.iter().map(|url| (&**url, number)));
        }
        Ok(Self { general: retention, pages, by_url, of_catalog: HashMap::new(), needed, shown: OnceCell::new() })
    }

    /// Adds those that the catalog has of watches that nobody named.
    pub(super) fn add_catalog(&mut self, archive: &Archive) -> Result<(), CompactError> {
        for watch in archive.catalog().watches()? {
            let Some(setting) = watch.settings.get("retention") else { continue };
            if self.by_url.contains_key(watch.url.as_str()) {
                continue;
            }
            let bad = |why: String| BadRetention::Setting { url: watch.url.clone(), why };
            let rule: Retention = serde_json::from_value(setting.clone()).map_err(|error| bad(error.to_string()))?;
            rule.check().map_err(|error| bad(error.to_string()))?;
            self.of_catalog.insert(watch.url.clone(), rule);
        }
        Ok(())
    }

    /// The page of an address. `None` if it belongs to a page that another address stands for.
    pub(super) fn page(&self, url: &Arc<str>) -> Option<Page<'_>> {
        let Some(&number) = self.by_url.get(&**url) else {
            let rule = self.of_catalog.get(&**url).unwrap_or(self.general);
            return Some(Page { urls: vec![Arc::clone(url)], rules: vec![rule], watch: None, judged: None });
        };
        let page = &self.pages[number];
        (page.urls.first() == Some(url)).then(|| Self::of_watch(page))
    }

    /// The page of a watch.
    pub(super) fn of_watch(page: &PageRules) -> Page<'_> {
        let PageRules { urls, rules, watch, judged } = page;
        Page { urls: urls.clone(), rules: rules.iter().collect(), watch: Some(watch), judged: *judged }
    }

    /// Whether the captures of a group have to stay.
    pub(super) fn protection(
        &self,
        archive: &Archive,
        page: &Page<'_>,
        group: &Group,
    ) -> Result<Protection, CompactError> {
        let is_needed = |id| self.needed.binary_search(&id).is_ok();
        let is_unjudged = page.judged.is_some_and(|judged| group.at > judged);
        if is_unjudged || group.captures.iter().any(|held| is_needed(held.id)) {
            return Ok(Protection::Needed);
        }
        if page.rules.iter().all(|rule| rule.reported_too) {
            return Ok(Protection::None);
        }
        let shown = match self.shown.get() {
            Some(shown) => shown,
            None => self.shown.get_or_init({
                let shown = archive.catalog().shown()?;
                || shown
            }),
        };
        let is_shown = |url: &str| shown.has(url.strip_prefix(RENDERED).unwrap_or(url), group.at);
        let is_captured = group.captures.iter().any(|held| shown.has_capture(held.id) || is_shown(&held.url));
        let is_reported = is_captured || page.urls.iter().any(|url| is_shown(url));
        Ok(if is_reported { Protection::Reported } else { Protection::None })
    }
}
