//! Where are the watches, and the catalog that knows how they are?

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use driftline_archive::{Archive, Catalog, catalog};
use driftline_watch::settings::WatchSettings;
use driftline_watch::watches::{Watch, Watches};

use crate::archive::data;

/// A data directory and what is said in it about watching.
pub(crate) struct Place {
    pub(crate) data: PathBuf,
    pub(crate) settings: WatchSettings,
    /// Who may be told.
    pub(crate) targets: BTreeSet<String>,
    catalog: catalog::Place,
}

impl Place {
    /// The data directory, as it was typed or as usual.
    pub(crate) fn of(directory: Option<&Path>) -> Result<Self> {
        let settings = data::settings(directory)?;
        let data = data::directory(directory)?;
        let watching = WatchSettings::read(&settings.watching, &data)?;
        Ok(Self { data, targets: watching.target_names(), settings: watching, catalog: settings.archive.catalog })
    }

    /// What is watched.
    pub(crate) fn watches(&self) -> Result<Watches> {
        Ok(Watches::read(&self.data, &self.targets)?)
    }

    /// The archive, to read it; none if nothing was ever checked.
    pub(crate) fn archive(&self) -> Result<Option<Archive>> {
        if matches!(&self.catalog, catalog::Place::File(file) if !file.exists()) {
            return Ok(None);
        }
        data::open_to_read(Some(&self.data)).map(Some)
    }
}

/// Is a watch one of those with all these tags, and of this site?
pub(super) fn is_asked(watch: &Watch, tags: &[String], site: Option<&str>) -> bool {
    let site = site.map(|site| site.strip_prefix("www.").unwrap_or(site));
    tags.iter().all(|tag| watch.settings.tags.contains(tag)) && site.is_none_or(|site| watch.site() == site)
}

/// The watch that is meant; a page of a list on the net is known to the catalog only.
pub(crate) fn find(watches: &Watches, catalog: Option<&Catalog>, asked: &str) -> Result<Watch> {
    let error = match watches.find(asked) {
        Ok(watch) => return Ok(watch.clone()),
        Err(error) => error,
    };
    let Some(catalog) = catalog else { return Err(error.into()) };
    let rows = catalog.watch(asked)?.into_iter().chain(catalog.watches_of(asked)?);
    for row in rows {
        if let Some(list) = row.uuid.split_once('/').and_then(|(list, _)| watches.get(list)) {
            let member = driftline_watch::watches::Member { url: row.url, title: row.title, ..Default::default() };
            return Ok(driftline_watch::watches::member_watch(list, &member));
        }
    }
    Err(error.into())
}
