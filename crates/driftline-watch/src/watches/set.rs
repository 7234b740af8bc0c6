//! Which watches are there? All files of a folder, read one after the other and kept in little memory.
//!
//! A million watches are about 200 MB: what they have in common is kept once, and they are found by a sorted index
//! instead of a hash table. The folder is looked at again, not listened to: [`Watches::is_changed`] compares the times,
//! sizes and numbers of files, which works on every disk.

mod stamp;

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use super::error::line;
use super::file::{Entry, Reader};
use super::lists::{Choice, plain};
use super::{Family, Kind, Watch, WatchesError};
use stamp::Stamp;

/// The folder in the data directory.
pub const FOLDER: &str = "watches";
/// The most bytes of one file.
pub(super) const MOST_BYTES: u64 = 256 << 20;
/// The most files.
const MOST_FILES: usize = 10_000;
/// The most watches.
const MOST_WATCHES: usize = 10_000_000;

/// All watches of a data directory.
#[derive(Debug, Default)]
pub struct Watches {
    folder: PathBuf,
    files: Vec<PathBuf>,
    #[expect(clippy::struct_field_names, reason = "that is what they are")]
    watches: Vec<Watch>,
    /// Where each stands: the file and the line.
    places: Vec<(u32, u32)>,
    /// Numbers of watches, in the order of their ids.
    pub(super) by_id: Vec<u32>,
    stamp: Stamp,
}

impl Watches {
    /// Reads all files `watches/*.toml` of a data directory; none are fine. `targets`: who may be told.
    ///
    /// # Errors
    /// If a file cannot be read, something in it is wrong, or two watches have the same id.
    pub fn read(data: &Path, targets: &BTreeSet<String>) -> Result<Self, WatchesError> {
        Self::read_with(data, targets, None)
    }

    /// The same with another text for one file, which is there or not: what would be if it were written.
    pub(super) fn read_with(
        data: &Path,
        targets: &BTreeSet<String>,
        changed: Option<(&Path, &str)>,
    ) -> Result<Self, WatchesError> {
        let folder = data.join(FOLDER);
        let mut watches = Self { stamp: Stamp::of(&folder)?, folder, ..Self::default() };
        let mut files: BTreeSet<PathBuf> =
            watches.stamp.files().filter(|path| is_toml(path)).map(Path::to_owned).collect();
        files.extend(changed.map(|(path, _)| path.to_owned()));
        if files.len() > MOST_FILES {
            let cure = "put the watches of several files into one";
            return Err(WatchesError::TooMany { what: "files of watches", most: MOST_FILES, cure });
        }
        let mut reader = Reader::new(targets);
        for path in files {
            if let Some((_, text)) = changed.filter(|(changed, _)| *changed == path) {
                watches.add_file(path, text, &mut reader)?;
            } else {
                let text = read_text(&path)?;
                watches.add_file(path, &text, &mut reader)?;
            }
        }
        watches.index()?;
        Ok(watches)
    }

    fn add_file(&mut self, path: PathBuf, text: &str, reader: &mut Reader<'_>) -> Result<(), WatchesError> {
        let entries = reader.read(text).map_err(|fault| fault.of(&path, text))?;
        let number = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        self.files.push(path);
        // Counted on from entry to entry, as they stand in order.
        let (mut row, mut before) = (1, 0);
        for Entry { watch, at } in entries {
            row += line(text.get(before..).unwrap_or_default(), at.saturating_sub(before)) - 1;
            before = before.max(at);
            let list = (watch.settings.kind == Kind::List).then(|| watch.clone());
            self.push(watch, (number, u32::try_from(row).unwrap_or(u32::MAX)))?;
            if let Some(list) = list {
                self.add_list(&list)?;
            }
        }
        Ok(())
    }

    /// The members of a list beside the watches.
    fn add_list(&mut self, list: &Watch) -> Result<(), WatchesError> {
        let path = self.inside(&list.url)?;
        let text = read_text(&path)?;
        let number = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let (choice, mut family, mut seen) = (Choice::of(list), Family::of(list), HashSet::new());
        for (row, text) in text.lines().enumerate() {
            let wrong = |what| WatchesError::Wrong { path: path.clone(), line: row + 1, what };
            let Some(member) = plain::line(text).map_err(wrong)? else { continue };
            let is_asked = choice.has(&member.url) && seen.len() < choice.most;
            if is_asked && seen.insert(xxh3_128(member.url.as_bytes())) {
                self.push(family.watch(&member), (number, u32::try_from(row + 1).unwrap_or(u32::MAX)))?;
            }
        }
        self.files.push(path);
        Ok(())
    }

    fn push(&mut self, watch: Watch, place: (u32, u32)) -> Result<(), WatchesError> {
        if self.watches.len() >= MOST_WATCHES {
            let cure = "watch them from several data directories";
            return Err(WatchesError::TooMany { what: "watches", most: MOST_WATCHES, cure });
        }
        self.watches.push(watch);
        self.places.push(place);
        Ok(())
    }

    /// A file of the folder, wherever links lead.
    fn inside(&self, name: &str) -> Result<PathBuf, WatchesError> {
        let path = self.folder.join(name);
        let real = path.canonicalize().map_err(|source| WatchesError::read(&path, source))?;
        let folder = self.folder.canonicalize().map_err(|source| WatchesError::read(&self.folder, source))?;
        if real.parent() == Some(&folder) {
            return Ok(path);
        }
        let source = std::io::Error::other("it leads out of the folder of watches");
        Err(WatchesError::read(&path, source))
    }

    fn index(&mut self) -> Result<(), WatchesError> {
        let id = |&number: &u32| &self.watches[number as usize].id;
        let mut by_id: Vec<u32> = (0..u32::try_from(self.watches.len()).unwrap_or(u32::MAX)).collect();
        by_id.sort_by(|one, other| id(one).cmp(id(other)).then(one.cmp(other)));
        if let Some(pair) = by_id.windows(2).find(|pair| id(&pair[0]) == id(&pair[1])) {
            let [(path, line), (other, other_line)] = [pair[0], pair[1]].map(|number| self.place_of(number as usize));
            let (path, other) = (path.to_owned(), other.to_owned());
            return Err(WatchesError::Twice { id: id(&pair[0]).to_string(), path, line, other, other_line });
        }
        self.by_id = by_id;
        self.watches.shrink_to_fit();
        self.places.shrink_to_fit();
        Ok(())
    }

    /// The folder that was read.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Has a file changed, come or gone since?
    #[must_use]
    pub fn is_changed(&self) -> bool {
        Stamp::of(&self.folder).ok().is_none_or(|now| now != self.stamp)
    }

    /// All that stand in files, in their order, lists and their members among them. [`Kind::List`] is never checked
    /// itself: its members are.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Watch> {
        self.watches.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.watches.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.watches.is_empty()
    }

    /// The file and the line in which a watch stands.
    #[must_use]
    pub fn place(&self, id: &str) -> Option<(&Path, usize)> {
        self.number(id).map(|number| self.place_of(number))
    }

    fn place_of(&self, number: usize) -> (&Path, usize) {
        let (file, line) = self.places[number];
        (&self.files[file as usize], line as usize)
    }

    pub(super) fn at(&self, number: u32) -> &Watch {
        &self.watches[number as usize]
    }
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// A text, if it is one and not too long.
pub(super) fn read_text(path: &Path) -> Result<String, WatchesError> {
    let failed = |source| WatchesError::read(path, source);
    let mut text = String::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(failed(std::io::Error::other(format!("it has more than {MOST_BYTES} bytes"))));
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
