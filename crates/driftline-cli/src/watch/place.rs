//! Where are the watches, and the catalog that knows how they are?

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use driftline_archive::{Archive, archive};
use driftline_catalog::Catalog;
use driftline_watch::settings::WatchSettings;
use driftline_watch::watches::{Member, Watch, Watches, WatchesError, member_watch};

use crate::archive::data;

/// At most this many watches are named when several are meant.
const MOST_NAMED: usize = 5;

/// A data directory and what is said in it about watching.
pub(crate) struct Place {
    pub(crate) data: PathBuf,
    pub(crate) settings: WatchSettings,
    /// Who may be told.
    pub(crate) targets: BTreeSet<String>,
    catalog: driftline_catalog::Place,
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

    /// The id of the watch that is meant.
    pub(super) fn id(&self, watches: &Watches, asked: &str) -> Result<String> {
        let watch = match watches.find(asked) {
            Ok(watch) => watch.clone(),
            Err(_) => find(watches, self.archive()?.as_ref().map(Archive::catalog), asked)?,
        };
        Ok(watch.id.to_string())
    }

    /// The archive, to read it; none if nothing was ever checked.
    pub(crate) fn archive(&self) -> Result<Option<Archive>> {
        if matches!(&self.catalog, driftline_catalog::Place::File(file) if !file.exists()) {
            return Ok(None);
        }
        match data::open_to_read(Some(&self.data)) {
            // The process that created it was killed.
            Err(error) if is_empty(&error) => Ok(None),
            opened => opened.map(Some),
        }
    }
}

/// Whether there is a catalog with nothing in it.
fn is_empty(error: &anyhow::Error) -> bool {
    match error.downcast_ref::<archive::Error>() {
        Some(archive::Error::Catalog(error)) => matches!(**error, driftline_catalog::CatalogError::Empty { .. }),
        _ => false,
    }
}

/// Is a watch one of those with all these tags, and of this site?
pub(super) fn is_asked(watch: &Watch, tags: &[String], site: Option<&str>) -> bool {
    let site = site.map(|site| site.strip_prefix("www.").unwrap_or(site));
    tags.iter().all(|tag| watch.settings.tags.contains(tag)) && site.is_none_or(|site| watch.site() == site)
}

/// The watch that is meant. The catalog knows the members of lists on the net, and the titles of pages, which events
/// show as the names of watches that have none.
pub(crate) fn find(watches: &Watches, catalog: Option<&Catalog>, asked: &str) -> Result<Watch> {
    let (error, catalog) = match (watches.find(asked), catalog) {
        (Ok(watch), _) => return Ok(watch.clone()),
        (Err(error @ WatchesError::Unknown { .. }), Some(catalog)) => (error, catalog),
        (Err(error), _) => return Err(error.into()),
    };
    let rows = catalog.watch(asked)?.into_iter().chain(catalog.watches_of(asked)?);
    if let Some(watch) = rows.filter(|row| row.uuid.contains('/')).find_map(|row| of_row(watches, row)) {
        return Ok(watch);
    }
    let mut titled: Vec<Watch> =
        catalog.watches_titled(asked)?.into_iter().filter_map(|row| of_row(watches, row)).collect();
    match (titled.pop(), titled.is_empty()) {
        (Some(watch), true) => Ok(watch),
        (Some(watch), false) => {
            let ids = titled.iter().chain([&watch]).map(|watch| &*watch.id);
            Err(WatchesError::ambiguous(asked, ids.take(MOST_NAMED)).into())
        }
        (None, _) => Err(error.into()),
    }
}

/// The watch of a row of the catalog, if it is watched still.
fn of_row(watches: &Watches, row: driftline_catalog::Watch) -> Option<Watch> {
    let Some((list, _)) = row.uuid.split_once('/') else { return watches.get(&row.uuid).cloned() };
    let member = Member { url: row.url, title: row.title, ..Member::default() };
    watches.get(list).map(|list| member_watch(list, &member))
}
