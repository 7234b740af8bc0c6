//! How is a file of watches changed by a program? So that a person's comments, order and spelling stay as they are.
//!
//! Whoever edits holds a lock on the folder, and what comes out is read and checked like any file before it takes the
//! place of the old one, in one step. So a mistake changes nothing, and a crash leaves the old file or the new one.

mod add;
mod entry;
mod leftovers;
mod replace;

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use driftline_archive::private;
use toml::Value;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table};

use super::error::line;
use super::file::Reader;
use super::set::{FOLDER, read_text};
use super::{Watch, Watches, WatchesError};
pub use add::NewWatch;
pub(super) use entry::of as entry_of;
pub use leftovers::remove_leftovers;

/// Whoever edits holds an exclusive lock on it.
const LOCK: &str = ".lock";

/// A key, such as `counts.degree`, and what it is set to; nothing: it is not said any more.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The key; dots lead into tables.
    pub key: String,
    /// The value.
    pub value: Option<Value>,
}

/// Changes the files of a data directory. Nobody else does until it is dropped.
#[derive(Debug)]
pub struct Editor<'a> {
    data: PathBuf,
    targets: &'a BTreeSet<String>,
    _lock: File,
}

impl<'a> Editor<'a> {
    /// Begins to edit; waits for whoever edits already. `targets`: who may be told.
    ///
    /// # Errors
    /// If the folder cannot be made or written to.
    pub fn open(data: &Path, targets: &'a BTreeSet<String>) -> Result<Self, WatchesError> {
        let folder = data.join(FOLDER);
        let path = folder.join(LOCK);
        let failed = |source| WatchesError::write(&path, source);
        private::create_folder(&folder).map_err(failed)?;
        let lock = private::options().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        lock.lock().map_err(failed)?;
        leftovers::remove(&folder);
        Ok(Self { data: data.to_owned(), targets, _lock: lock })
    }

    /// Changes keys of a watch, in the file in which it stands. It keeps its id, even if that was made of its address.
    ///
    /// # Errors
    /// If there is no such watch, or what comes out cannot be used.
    pub fn set(&self, id: &str, said: &[Assignment]) -> Result<(), WatchesError> {
        let mut found = self.locate(id)?;
        let number = found.number;
        let table = found.list()?.get_mut(number).ok_or_else(|| unknown(id))?;
        said.iter().try_for_each(|assignment| entry::assign(table, assignment))?;
        self.keep(id, found)
    }

    /// Removes a watch from its file.
    ///
    /// # Errors
    /// If there is no such watch.
    pub fn remove(&self, id: &str) -> Result<(), WatchesError> {
        let mut found = self.locate(id)?;
        let number = found.number;
        let list = found.list()?;
        let left = entry::before(&list.remove(number));
        match list.get_mut(number) {
            Some(next) => entry::put_before(next, &left),
            None => found.put_at_end(&left),
        }
        if found.list()?.is_empty() {
            found.document.remove("watch");
        }
        self.replace(&found.path, &found.document.to_string())
    }

    /// The entry of a watch, as it is written.
    ///
    /// # Errors
    /// If there is no such watch.
    pub fn entry(&self, id: &str) -> Result<String, WatchesError> {
        let mut found = self.locate(id)?;
        let number = found.number;
        let table = found.list()?.get(number).cloned().ok_or_else(|| unknown(id))?;
        Ok(alone(table).to_string().trim_start().to_owned())
    }

    /// Puts another text in the place of an entry: one `[[watch]]`.
    ///
    /// # Errors
    /// If there is no such watch, or the text cannot be used.
    pub fn rewrite(&self, id: &str, text: &str) -> Result<(), WatchesError> {
        let mut written = parse(Path::new("the edited entry"), text)?;
        let list = written.remove("watch").and_then(|item| item.into_array_of_tables().ok());
        let mut entries = list.into_iter().flatten();
        let (Some(mut table), None, true) = (entries.next(), entries.next(), written.is_empty()) else {
            return Err(WatchesError::Change("an entry is one `[[watch]]` and nothing else".to_owned()));
        };
        let mut found = self.locate(id)?;
        let number = found.number;
        let old = found.list()?.get(number);
        table.set_position(old.and_then(Table::position));
        if old.is_some_and(entry::has_gap) && !entry::has_gap(&table) {
            entry::put_before(&mut table, "\n");
        }
        found.list()?.replace(number, table);
        self.keep(id, found)
    }

    /// Writes a changed file; the entry keeps its id.
    fn keep(&self, id: &str, mut found: Found) -> Result<(), WatchesError> {
        let number = found.number;
        let now = self.ids(&found.path, &found.document.to_string())?;
        if let Some(table) = found.list()?.get_mut(number)
            && now.get(number).is_none_or(|now| now != id)
            && !table.contains_key("id")
        {
            table.insert("id", toml_edit::value(id));
        }
        self.replace(&found.path, &found.document.to_string())
    }

    /// The file of a watch, and which entry of it it is.
    fn locate(&self, id: &str) -> Result<Found, WatchesError> {
        if let Some((list, _)) = id.split_once('/') {
            return Err(WatchesError::Member { id: id.to_owned(), list: list.to_owned() });
        }
        let watches = Watches::read(&self.data, self.targets)?;
        let path = watches.place(id).ok_or_else(|| unknown(id))?.0.to_owned();
        let text = read_text(&path)?;
        let number = self.ids(&path, &text)?.iter().position(|own| own == id).ok_or_else(|| unknown(id))?;
        Ok(Found { document: parse(&path, &text)?, path, number })
    }

    /// The ids of the entries of a text, in their order.
    fn ids(&self, path: &Path, text: &str) -> Result<Vec<String>, WatchesError> {
        Ok(self.watches(path, text)?.iter().map(|watch| watch.id.to_string()).collect())
    }

    /// The watches of a text, in their order.
    fn watches(&self, path: &Path, text: &str) -> Result<Vec<Watch>, WatchesError> {
        let entries = Reader::new(self.targets).read(text).map_err(|fault| fault.of(path, text))?;
        Ok(entries.into_iter().map(|entry| entry.watch).collect())
    }

    /// Checks a text and puts it in the place of a file.
    fn replace(&self, path: &Path, text: &str) -> Result<(), WatchesError> {
        Watches::read_with(&self.data, self.targets, Some((path, text)))?;
        replace::replace(path, text).map_err(|source| WatchesError::write(path, source))
    }
}

/// A file with a watch.
struct Found {
    path: PathBuf,
    document: DocumentMut,
    number: usize,
}

impl Found {
    fn list(&mut self) -> Result<&mut ArrayOfTables, WatchesError> {
        let list = self.document.get_mut("watch").and_then(Item::as_array_of_tables_mut);
        list.ok_or_else(|| no_list(&self.path))
    }

    fn put_at_end(&mut self, text: &str) {
        let end = format!("{text}{}", self.document.trailing().as_str().unwrap_or_default());
        self.document.set_trailing(end);
    }
}

/// A file with one entry.
fn alone(entry: Table) -> DocumentMut {
    let (mut file, mut entries) = (DocumentMut::new(), ArrayOfTables::new());
    entries.push(entry);
    file.insert("watch", Item::ArrayOfTables(entries));
    file
}

fn unknown(id: &str) -> WatchesError {
    WatchesError::Unknown { asked: id.to_owned() }
}

fn no_list(path: &Path) -> WatchesError {
    let hint = "hint: write each as `[[watch]]`, with its keys below it";
    WatchesError::Change(format!("cannot change `{}`: its watches stand in brackets\n{hint}", path.display()))
}

fn parse(path: &Path, text: &str) -> Result<DocumentMut, WatchesError> {
    text.parse::<DocumentMut>().map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let what = error.message().lines().next().unwrap_or_default().to_owned();
        WatchesError::Wrong { path: path.to_owned(), line: line(text, at), what }
    })
}

#[cfg(test)]
mod tests;
