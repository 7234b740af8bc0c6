//! Entries at the end of a file.

use std::io;
use std::path::PathBuf;

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table};

use super::entry::{self, of as entry_of};
use super::{Assignment, Editor, alone, no_list, parse, replace};
use crate::watches::file::Reader;
use crate::watches::set::{FOLDER, read_text};
use crate::watches::{Watch, Watches, WatchesError, written};

/// The file to which watches are added.
const ADDED: &str = "watches.toml";
/// How the file of a new folder begins.
pub(super) const OPENING: &str = "# What is watched. `driftline watch add` writes here; edit it as you like.\n\n";

/// A watch that is to be added: its address, and the keys of its entry.
#[derive(Debug, Clone, PartialEq)]
pub struct NewWatch {
    /// The address, or the name of a list.
    pub url: String,
    /// The other keys.
    pub said: Vec<Assignment>,
}

/// A file with entries added at its end, not written yet.
struct Addition {
    path: PathBuf,
    text: String,
    /// The watches that were added.
    watches: Vec<Watch>,
}

impl Editor<'_> {
    /// Adds watches at the end of `watches.toml`.
    ///
    /// # Errors
    /// If one cannot be used, or is there already.
    pub fn add(&self, watches: &[Watch]) -> Result<(), WatchesError> {
        let entries: Result<Vec<Table>, WatchesError> = watches.iter().map(|watch| entry_of(&written(watch))).collect();
        self.with_entries(entries?, self.added()?)?.write().map(|_| ())
    }

    /// Adds watches that say this, and gives their ids.
    ///
    /// # Errors
    /// If one cannot be used, or is there already.
    pub fn add_said(&self, new: &[NewWatch]) -> Result<Vec<String>, WatchesError> {
        let watches = self.prepare(new)?.write()?;
        Ok(watches.iter().map(|watch| watch.id.to_string()).collect())
    }

    /// The watches that [`Editor::add_said`] would add, with the defaults of the file. Nothing is written.
    ///
    /// # Errors
    /// If one cannot be used, or is there already.
    pub fn preview(&self, new: &[NewWatch]) -> Result<Vec<Watch>, WatchesError> {
        Ok(self.prepare(new)?.watches)
    }

    fn prepare(&self, new: &[NewWatch]) -> Result<Addition, WatchesError> {
        let file = self.added()?;
        let one = |new: &NewWatch| {
            let mut table = Table::new();
            table.insert("url", toml_edit::value(&new.url));
            new.said.iter().try_for_each(|assignment| entry::assign(&mut table, assignment))?;
            self.check(&new.url, &table, &file)?;
            Ok(table)
        };
        let entries: Result<Vec<Table>, WatchesError> = new.iter().map(one).collect();
        self.with_entries(entries?, file)
    }

    /// The file to which watches are added, and what is in it.
    fn added(&self) -> Result<(PathBuf, DocumentMut), WatchesError> {
        let path = self.data.join(FOLDER).join(ADDED);
        let document = match read_text(&path) {
            Err(WatchesError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                parse(&path, OPENING)?
            }
            text => parse(&path, &text?)?,
        };
        Ok((path, document))
    }

    /// Can an entry be used, together with the defaults of the file? If not, that is told by its address: it stands in
    /// no line yet. What was wrong in the file before is told by its line.
    fn check(&self, url: &str, entry: &Table, (path, document): &(PathBuf, DocumentMut)) -> Result<(), WatchesError> {
        let mut file = alone(entry.clone());
        if let Some(defaults) = document.get("defaults") {
            file.insert("defaults", defaults.clone());
        }
        let Err(fault) = Reader::new(self.targets).read(&file.to_string()) else { return Ok(()) };
        self.watches(path, &document.to_string())?;
        Err(WatchesError::unusable(url, fault))
    }

    /// Puts entries at the end of a file, and checks it together with all others.
    fn with_entries(
        &self,
        entries: Vec<Table>,
        (path, mut document): (PathBuf, DocumentMut),
    ) -> Result<Addition, WatchesError> {
        let end = document.trailing().as_str().unwrap_or_default().to_owned();
        document.set_trailing("");
        let list = document.entry("watch").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let list = list.as_array_of_tables_mut().ok_or_else(|| no_list(&path))?;
        let count = entries.len();
        for (number, mut entry) in entries.into_iter().enumerate() {
            // What stands at the end of the file stays before what is added behind it.
            if number == 0 && !end.trim().is_empty() {
                entry.decor_mut().set_prefix(&end);
            }
            list.push(entry);
        }
        let text = document.to_string();
        let mut watches = self.watches(&path, &text)?;
        let watches = watches.split_off(watches.len().saturating_sub(count));
        let ids: Vec<String> = watches.iter().map(|watch| watch.id.to_string()).collect();
        Watches::read_with(&self.data, self.targets, Some((&path, &text)))
            .map_err(|error| error.of_added(&path, &ids))?;
        Ok(Addition { path, text, watches })
    }
}

impl Addition {
    /// Writes the file, and says which watches were added.
    fn write(self) -> Result<Vec<Watch>, WatchesError> {
        replace::replace(&self.path, &self.text).map_err(|source| WatchesError::write(&self.path, source))?;
        Ok(self.watches)
    }
}
