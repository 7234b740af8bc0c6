//! Where do watches come from? From the files of the data directory, and from lists that were fetched.

use std::collections::BTreeSet;
use std::path::PathBuf;

use driftline_catalog::{Catalog, CatalogError};

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
    /// The last reading failed: whatever is there now may be right again, even if it is just what was read before.
    is_wrong: bool,
}

impl Files {
    /// The files of this data directory. `targets` are those that watches may name.
    #[must_use]
    pub fn new(data: PathBuf, targets: BTreeSet<String>) -> Self {
        Self { data, targets, read: None, is_wrong: false }
    }
}

impl Source for Files {
    fn load(&mut self) -> Result<Vec<Watch>, WatchesError> {
        self.is_wrong = true;
        let watches = Watches::read(&self.data, &self.targets)?;
        self.is_wrong = false;
        let all = watches.iter().filter(|watch| watch.settings.kind != Kind::List).cloned().collect();
        self.read = Some(watches);
        Ok(all)
    }

    fn is_changed(&mut self) -> bool {
        self.is_wrong || self.read.as_ref().is_none_or(Watches::is_changed)
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
            let member = |member: driftline_catalog::Member| Member {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Files, Source as _};

    #[test]
    fn a_broken_file_that_was_removed_is_noticed() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("watches");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("one.toml"), "[[watch]]\nurl = 'https://a.example/'\n").unwrap();
        let mut files = Files::new(data.path().to_owned(), BTreeSet::new());
        assert_eq!(files.load().unwrap().len(), 1);
        assert!(!files.is_changed());
        std::fs::write(folder.join("two.toml"), "broken = = toml [").unwrap();
        assert!(files.is_changed() && files.load().is_err());
        std::fs::remove_file(folder.join("two.toml")).unwrap();
        assert!(files.is_changed(), "all is well again, and nobody knows");
        assert_eq!(files.load().unwrap().len(), 1);
        assert!(!files.is_changed());
    }
}
