//! Where do watches come from? From the files of the data directory, and from lists that were fetched.

use std::collections::BTreeSet;
use std::path::PathBuf;

use driftline_archive::Catalog;
use driftline_archive::catalog::CatalogError;

use crate::watches::{Family, Kind, Member, Watch, Watches, WatchesError};

/// Brings the watches.
pub trait Source: Send {
    /// All of them, as they stand now.
    ///
    /// # Errors
    /// If a file cannot be read, or something in it is wrong. Whoever asked goes on with what there was.
    fn load(&mut self) -> Result<Vec<Watch>, WatchesError>;

    /// Has something changed since they were brought?
    fn is_changed(&mut self) -> bool;
}

/// The files of a data directory.
#[derive(Debug)]
pub struct Files {
    data: PathBuf,
    targets: BTreeSet<String>,
    read: Option<Watches>,
}

impl Files {
    /// The files of this data directory. `targets` are those that watches may name.
    #[must_use]
    pub fn new(data: PathBuf, targets: BTreeSet<String>) -> Self {
        Self { data, targets, read: None }
    }
}

impl Source for Files {
    fn load(&mut self) -> Result<Vec<Watch>, WatchesError> {
        let watches = Watches::read(&self.data, &self.targets)?;
        let all = watches.iter().filter(|watch| watch.settings.kind != Kind::List).cloned().collect();
        self.read = Some(watches);
        Ok(all)
    }

    fn is_changed(&mut self) -> bool {
        self.read.as_ref().is_none_or(Watches::is_changed)
    }
}

/// So many members are asked for at a time.
const PAGE: u32 = 10_000;

/// The members of all lists among these watches, as the lists said when they were last checked.
///
/// # Errors
/// If the catalog fails.
pub fn members(catalog: &Catalog, watches: &[Watch]) -> Result<Vec<Watch>, CatalogError> {
    let mut members = Vec::new();
    for list in watches.iter().filter(|watch| watch.settings.kind.is_list()) {
        let mut family = Family::of(list);
        let mut last: Option<String> = None;
        loop {
            let page = catalog.members(&list.id, last.as_deref(), PAGE)?;
            let is_last = page.len() < PAGE as usize;
            last = page.last().map(|member| member.url.clone());
            let member = |member: driftline_archive::catalog::Member| Member {
                url: member.url,
                title: member.title,
                ..Member::default()
            };
            members.extend(page.into_iter().map(member).map(|member| family.watch(&member)));
            if is_last {
                break;
            }
        }
    }
    Ok(members)
}
