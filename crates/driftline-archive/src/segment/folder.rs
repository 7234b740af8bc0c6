//! The folder in which segments are written: names, locks, and what a crash left there.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Segment;
use crate::Time;
use crate::archive::Error;
use crate::private::{self, sync_folder};
use crate::warc::write::{Packing, warcinfo};

/// What the name of a segment ends in while it is written.
pub(crate) const OPEN: &str = ".open";

/// What the name of a torn end that was cut off ends in.
const TORN: &str = ".torn";

/// Who holds it may begin segments, or look for what a crash left: so nobody takes a segment for
/// abandoned between its making and its locking.
const LOCK: &str = "lock";

/// Names are tried in turn; so many segments do not begin in one millisecond.
const MOST_NAMES: u32 = 100_000;

/// The folder of an archive.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    path: PathBuf,
}

/// A segment whose writer is gone. It is locked now.
pub(crate) struct Left {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) file: File,
}

impl Folder {
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Makes the folder if it is not there, and makes sure that it can be written.
    pub(crate) fn make(&self) -> Result<(), Error> {
        private::create_folder(&self.path).map_err(Error::file("make the folder", &self.path))?;
        self.lock().map(drop)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where a closed segment is.
    pub(crate) fn closed(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where it is while it is written.
    pub(crate) fn open(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}{OPEN}"))
    }

    /// Begins a segment: its first record says what it is. `is_taken` knows names that must not come again.
    pub(crate) fn begin(
        &self,
        prefix: &str,
        packing: Packing,
        at: Time,
        mut is_taken: impl FnMut(&str) -> Result<bool, Error>,
    ) -> Result<Segment, Error> {
        let lock = self.lock()?;
        for serial in 0..MOST_NAMES {
            let name = name(prefix, at, serial, packing);
            let path = self.open(&name);
            if path.exists() || self.closed(&name).exists() || is_taken(&name)? {
                continue;
            }
            let file = private::options().append(true).read(true).create_new(true).open(&path);
            let file = file.map_err(Error::file("make", &path))?;
            let made = file.try_lock().map_err(io::Error::from).map_err(Error::file("lock", &path));
            drop(lock);
            let made = made.and_then(|()| self.first_record(&file, &path, packing, &name, at));
            return match made {
                Ok(end) => Ok(Segment { name, path, file, end }),
                Err(error) => {
                    let _ = fs::remove_file(&path);
                    Err(error)
                }
            };
        }
        Err(Error::file("find a name for a segment in", &self.path)(io::ErrorKind::AlreadyExists.into()))
    }

    fn first_record(&self, mut file: &File, path: &Path, packing: Packing, name: &str, at: Time) -> Result<u64, Error> {
        let record = warcinfo(packing, name, at)?;
        file.write_all(&record).and_then(|()| file.sync_all()).map_err(Error::file("write", path))?;
        sync_folder(&self.path).map_err(Error::file("put on the disk", &self.path))?;
        Ok(record.len() as u64)
    }

    /// Gives a segment its final name.
    pub(crate) fn finish(&self, file: &File, name: &str) -> Result<(), Error> {
        let (open, closed) = (self.open(name), self.closed(name));
        file.sync_all().map_err(Error::file("put on the disk", &open))?;
        fs::rename(&open, &closed).map_err(Error::file("close", &open))?;
        sync_folder(&self.path).map_err(Error::file("put on the disk", &self.path))
    }

    /// Locks all segments whose writers are gone; those of others who are alive are left alone.
    pub(crate) fn left(&self) -> Result<Vec<Left>, Error> {
        let _lock = self.lock()?;
        let mut left = Vec::new();
        for (name, _) in self.names()? {
            let Some(name) = name.strip_suffix(OPEN).map(str::to_owned) else { continue };
            if Packing::of_name(&name).is_none() {
                // Nobody here wrote it.
                continue;
            }
            let path = self.open(&name);
            let file = match OpenOptions::new().read(true).write(true).open(&path) {
                // Its writer closed it meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => file.map_err(Error::file("open", &path))?,
            };
            match file.try_lock() {
                // Or did so before the lock was free.
                Ok(()) if !is_at(&file, &path).map_err(Error::file("look at", &path))? => {}
                Ok(()) => left.push(Left { name, path, file }),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(Error::file("lock", &path)(error)),
            }
        }
        Ok(left)
    }

    /// Where the torn end of a segment goes if there may be records in it.
    pub(crate) fn torn(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}{TORN}"))
    }

    /// Closed segments that are here, with their lengths.
    pub(crate) fn all_closed(&self) -> Result<Vec<(String, u64)>, Error> {
        let mut names = self.names()?;
        names.retain(|(name, _)| Packing::of_name(name).is_some());
        Ok(names)
    }

    /// All files, in the order of their names; none if the folder is not there.
    pub(crate) fn names(&self) -> Result<Vec<(String, u64)>, Error> {
        let failed = || Error::file("list", &self.path);
        let mut names = Vec::new();
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(names),
            entries => entries.map_err(failed())?,
        };
        for entry in entries {
            let entry = entry.map_err(failed())?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            match entry.metadata() {
                Ok(metadata) if metadata.is_file() => names.push((name, metadata.len())),
                // A segment that was renamed or uploaded meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed()(error)),
                Ok(_) => {}
            }
        }
        names.sort();
        Ok(names)
    }

    pub(crate) fn lock(&self) -> Result<File, Error> {
        let path = self.path.join(LOCK);
        let file = private::options().write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(Error::file("open", &path))?;
        file.lock().map_err(Error::file("lock", &path))?;
        Ok(file)
    }
}

/// Is this still the file of that name?
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let named = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        named => named?,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let own = file.metadata()?;
        Ok((own.dev(), own.ino()) == (named.dev(), named.ino()))
    }
    #[cfg(not(unix))]
    Ok(file.metadata()?.len() == named.len())
}

/// As the field names its files: `PREFIX-TIMESTAMP17-SERIAL-PID~HOST.warc.gz`.
pub(super) fn name(prefix: &str, at: Time, serial: u32, packing: Packing) -> String {
    let milliseconds = at.microseconds().rem_euclid(1_000_000) / 1_000;
    let (digits, pid, host, suffix) = (at.digits(), std::process::id(), host(), packing.suffix());
    format!("{}-{digits}{milliseconds:03}-{serial:05}-{pid}~{host}{suffix}", plain(prefix))
}

/// What a name of a file may have.
fn plain(text: &str) -> String {
    let plain: String =
        text.chars().filter(|letter| letter.is_ascii_alphanumeric() || "._".contains(*letter)).collect();
    plain.trim_matches('.').chars().take(64).collect()
}

fn host() -> String {
    #[cfg(unix)]
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let host = String::new();
    let host = plain(&host.replace('-', "_"));
    if host.is_empty() { "localhost".to_owned() } else { host }
}

#[cfg(test)]
mod tests {
    use super::{Folder, is_at, name};
    use crate::Time;
    use crate::warc::write::Packing;

    fn folder() -> (tempfile::TempDir, Folder) {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::new(&temporary.path().join("warc"));
        folder.make().unwrap();
        (temporary, folder)
    }

    #[test]
    fn segments_are_named_as_the_field_does() {
        let at: Time = "2024-01-31T12:00:00.25Z".parse().unwrap();
        let name = name("my/prefix..", at, 7, Packing::Gzip);
        assert!(name.starts_with("myprefix-20240131120000250-00007-"), "{name}");
        assert!(name.contains('~') && name.ends_with(".warc.gz"), "{name}");
    }

    #[test]
    fn a_name_never_comes_twice() {
        let (_temporary, folder) = folder();
        let begin = |taken: &str| {
            let taken = taken.to_owned();
            folder.begin("p", Packing::Gzip, Time::default(), |name| Ok(name == taken)).unwrap()
        };
        let first = begin("");
        let second = begin("");
        let name = second.name().to_owned();
        assert!(first.name().contains("-00000-") && name.contains("-00001-"));
        second.close(&folder).map_err(|failed| failed.1).unwrap();
        assert!(begin(&name.replace("-00001-", "-00002-")).name().contains("-00003-"));
    }

    #[test]
    fn segments_of_the_living_are_left_alone() {
        let (_temporary, folder) = folder();
        let begin = || folder.begin("p", Packing::Zstd, Time::default(), |_| Ok(false)).unwrap();
        let (alive, dead) = (begin(), begin());
        let name = dead.name().to_owned();
        drop(dead);
        let left: Vec<_> = folder.left().unwrap().into_iter().map(|left| left.name).collect();
        assert_eq!(left, [name]);
        drop(alive);
        // What others put there is none of it.
        std::fs::write(folder.path().join("notes.open"), "not a segment").unwrap();
        assert_eq!(folder.left().unwrap().len(), 2);
    }

    #[test]
    fn a_file_that_was_renamed_is_not_the_one_of_that_name() {
        let (_temporary, folder) = folder();
        let path = folder.path().join("a");
        let file = std::fs::File::create(&path).unwrap();
        assert!(is_at(&file, &path).unwrap());
        std::fs::rename(&path, folder.path().join("b")).unwrap();
        assert!(!is_at(&file, &path).unwrap());
        std::fs::write(&path, "another").unwrap();
        assert!(!is_at(&file, &path).unwrap());
    }
}
