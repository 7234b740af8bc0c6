//! The files of a backup: a zip, or a folder with the same files.
//!
//! A backup comes from elsewhere and is not trusted. Nothing of it is ever written to a path that it names, and
//! nothing is read but the regular files that stand in it: no links, no `..`, no absolute path. Each file has a
//! limit, and so has the sum of all that is read, however often a history names the same file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::ops::Bound;
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use crate::import::Error;
use crate::import::format::Format;
use crate::import::summary::{Reason, Skip};
use crate::unzip;

/// The most bytes of one file, unpacked. Snapshots are texts.
pub(super) const MOST_BYTES: u64 = 64 << 20;
/// Text packs to a tenth, twice packed to a little less. A backup that unpacks to more than this is made to harm.
const MOST_RATIO: u64 = 200;
/// What any backup may unpack to.
const ALWAYS_ALLOWED: u64 = 256 << 20;
/// The most files: 100,000 watches with nine files each.
const MOST_FILES: usize = 1_000_000;
/// How deep the files of a folder may stand: a backup has two levels, and may stand in a folder of its own.
const MOST_LEVELS: usize = 3;

/// Something to read and to seek in.
pub trait Seekable: Read + Seek {}
impl<R: Read + Seek> Seekable for R {}

/// The files of a backup.
pub(super) struct Files {
    path: PathBuf,
    source: Source,
    /// Places by name. A name is `file` or `folder/file`.
    names: BTreeMap<String, Place>,
    /// What was refused when the names were read.
    pub(super) refused: Vec<Skip>,
    size: u64,
    /// How many bytes may still be read.
    budget: u64,
}

enum Source {
    Zip(Box<ZipArchive<Box<dyn Seekable>>>),
    Folder,
}

#[derive(Debug)]
enum Place {
    Index(usize),
    Path(PathBuf),
}

impl Files {
    /// The files of what is at this path.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        if path.is_dir() {
            return Self::folder(path);
        }
        let file = File::open(path).map_err(|source| Error::read(path, source))?;
        Self::zip(path, Box::new(BufReader::new(file)))
    }

    /// The files of a zip, which is called `path` in messages.
    pub(super) fn zip(path: &Path, mut input: Box<dyn Seekable>) -> Result<Self, Error> {
        let size = input.seek(io::SeekFrom::End(0)).map_err(|source| Error::read(path, source))?;
        let not = |detail: String| Error::Not { path: path.to_owned(), format: Format::Changedetection, detail };
        let archive = ZipArchive::new(input)
            .map_err(|error| not(format!("{}\nhint: create the backup anew, and copy it whole", unzip::why(&error))))?;
        if archive.len() > MOST_FILES {
            return Err(not(format!("it has more than {MOST_FILES} files")));
        }
        let mut files = Self::empty(path, Source::Zip(Box::new(archive)), size);
        files.list_zip();
        files.strip_folder();
        Ok(files)
    }

    fn folder(path: &Path) -> Result<Self, Error> {
        let mut files = Self::empty(path, Source::Folder, 0);
        files.list_folder(path, "", MOST_LEVELS).map_err(|source| Error::read(path, source))?;
        files.budget = budget(files.size);
        files.strip_folder();
        Ok(files)
    }

    fn empty(path: &Path, source: Source, size: u64) -> Self {
        let (names, refused) = (BTreeMap::new(), Vec::new());
        Self { path: path.to_owned(), source, names, refused, size, budget: budget(size) }
    }

    fn list_zip(&mut self) {
        let Source::Zip(archive) = &mut self.source else { return };
        for index in 0..archive.len() {
            // Raw, so that a method of compression that is not known here is told only if the file is wanted.
            let Ok(entry) = archive.by_index_raw(index) else { continue };
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            if entry.is_dir() {
                continue;
            }
            if entry.is_symlink() || !is_within(&name) {
                let detail = "its name or kind leads out of the backup";
                self.refused.push(Skip::new(told(&self.path, &name), Reason::Unsafe, detail));
            } else {
                self.names.insert(name, Place::Index(index));
            }
        }
    }

    fn list_folder(&mut self, folder: &Path, prefix: &str, levels: usize) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            // Not followed: a link may lead anywhere.
            let metadata = entry.metadata()?;
            let name = format!("{prefix}{name}");
            if metadata.is_dir() && levels > 1 {
                self.list_folder(&entry.path(), &format!("{name}/"), levels - 1)?;
            } else if metadata.is_file() && self.names.len() < MOST_FILES {
                self.size += metadata.len();
                self.names.insert(name, Place::Path(entry.path()));
            } else if metadata.is_symlink() {
                let skip = Skip::new(told(&self.path, &name), Reason::Unsafe, "it is a link");
                self.refused.push(skip);
            }
        }
        Ok(())
    }

    /// Somebody may have packed the folder itself, not what is in it: then its name stands before all names.
    fn strip_folder(&mut self) {
        let is_index = |name: &&String| super::INDEXES.iter().any(|index| name.rsplit('/').next() == Some(index));
        let Some(index) = self.names.keys().filter(is_index).min_by_key(|name| name.matches('/').count()) else {
            return;
        };
        let Some((folder, _)) = index.rsplit_once('/') else { return };
        let prefix = format!("{folder}/");
        let names = std::mem::take(&mut self.names);
        let inner = names.into_iter().filter_map(|(name, place)| Some((name.strip_prefix(&prefix)?.to_owned(), place)));
        self.names = inner.collect();
    }

    /// Is there a file of this name?
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// All names that begin so, in their order.
    pub(super) fn names(&self, prefix: &str) -> impl Iterator<Item = &str> {
        let from = self.names.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        from.map(|(name, _)| name.as_str()).take_while(move |name| name.starts_with(prefix))
    }

    /// The number of files.
    pub(super) fn count(&self) -> usize {
        self.names.len()
    }

    /// How a file is called in a message.
    pub(super) fn told(&self, name: &str) -> String {
        told(&self.path, name)
    }

    /// What a file says, unpacked from brotli if its name ends so.
    ///
    /// The outer error ends the reading of the backup, the inner one only that of the file.
    pub(super) fn read(&mut self, name: &str) -> Result<Result<Vec<u8>, Skip>, Error> {
        let limit = MOST_BYTES.min(self.budget);
        let skip = |reason, detail: String| Ok(Err(Skip::new(told(&self.path, name), reason, detail)));
        let read = match (self.names.get(name), &mut self.source) {
            (None, _) => return skip(Reason::Missing, "it is not in the backup".to_owned()),
            (Some(Place::Path(path)), _) => File::open(path).and_then(|file| unpacked(file, name, limit)),
            (Some(&Place::Index(index)), Source::Zip(archive)) => match archive.by_index(index) {
                Ok(entry) => unpacked(entry, name, limit),
                Err(error) => return skip(Reason::Damaged, error.to_string()),
            },
            (Some(Place::Index(_)), Source::Folder) => Err(io::ErrorKind::NotFound.into()),
        };
        match read {
            Ok(bytes) if bytes.len() as u64 > limit => {
                self.budget = self.budget.saturating_sub(limit);
                if self.budget == 0 {
                    return Err(Error::Bomb { path: self.path.clone(), size: self.size, limit: budget(self.size) });
                }
                skip(Reason::TooLarge, format!("it has more than {limit} bytes"))
            }
            Ok(bytes) => {
                self.budget -= bytes.len() as u64;
                Ok(Ok(bytes))
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => skip(Reason::Truncated, error.to_string()),
            Err(error) => skip(Reason::Damaged, error.to_string()),
        }
    }
}

fn budget(size: u64) -> u64 {
    size.saturating_mul(MOST_RATIO).saturating_add(ALWAYS_ALLOWED)
}

fn told(path: &Path, name: &str) -> String {
    format!("{}/{name}", path.display())
}

/// Does this name stay where it is?
fn is_within(name: &str) -> bool {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\0', ':']);
    name.split(['/', '\\']).all(is_plain)
}

/// All bytes, but for one more than the limit at most.
fn unpacked(input: impl Read, name: &str, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if Path::new(name).extension().is_some_and(|extension| extension == "br") {
        let input = brotli_decompressor::Decompressor::new(input, 16 << 10);
        input.take(limit + 1).read_to_end(&mut bytes)?;
    } else {
        input.take(limit + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::is_within;

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for name in ["../a", "a/../../b", "/etc/passwd", "a//b", "a\\..\\b", "C:\\a", "a/./b", ""] {
            assert!(!is_within(name), "{name}");
        }
        assert!(is_within("uuid/history.txt"));
    }
}
