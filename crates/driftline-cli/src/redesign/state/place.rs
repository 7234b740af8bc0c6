//! Whose is a file? One run's at a time, and its content changes at once or not at all.
//!
//! The run holds a lock on `FILE.partial`, which becomes the new content at the end. The system lets go of
//! the lock of a run that is killed, so what such a run leaves behind is no obstacle.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A file that this run replaces, or leaves as it is.
pub(super) struct Place {
    path: PathBuf,
    partial: Partial,
}

/// The locked file beside it. It is gone at the end, whatever happens.
struct Partial {
    path: PathBuf,
    file: File,
    is_kept: bool,
}

impl Place {
    /// Takes the file; it need not be there.
    pub(super) fn take(path: &Path) -> Result<Self> {
        let path = resolved(path);
        let name = path.display();
        match fs::metadata(&path) {
            Ok(found) if !found.is_file() => bail!("cannot use the state `{name}`: it is no regular file"),
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot read the state `{name}`"));
            }
            _ => {}
        }
        let writing = || format!("cannot write the state `{name}`");
        let partial = path.with_added_extension("partial");
        // Not emptied before it is locked: it may be another run's.
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&partial).with_context(writing)?;
        let is_free = match file.try_lock() {
            // The other run may have finished in between, and this be its new state.
            Ok(()) => is_at(&file, &partial),
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => return Err(error).with_context(writing),
        };
        if !is_free {
            bail!("another run is using the state `{name}`\nhint: wait for it, or name another file");
        }
        Ok(Self { partial: Partial { path: partial, file, is_kept: false }, path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file a new content.
    pub(super) fn replace(mut self, write: impl FnOnce(&File) -> Result<()>) -> Result<()> {
        let partial = &mut self.partial;
        partial.file.set_len(0)?;
        write(&partial.file)?;
        // On the disk before the old one is gone: a power cut leaves one of them.
        partial.file.sync_all()?;
        fs::rename(&partial.path, &self.path)?;
        partial.is_kept = true;
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.is_kept {
            // It is no obstacle if it stays.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Where links lead, so that they stay links.
fn resolved(path: &Path) -> PathBuf {
    let beside = |target: PathBuf| path.parent().unwrap_or(Path::new("")).join(target);
    // What leads nowhere yet has no canonical name.
    fs::canonicalize(path).or_else(|_| fs::read_link(path).map(beside)).unwrap_or_else(|_| path.to_owned())
}

/// Is this still the file of that name?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    matches!((file.metadata().map(identity), fs::metadata(path).map(identity)), (Ok(own), Ok(there)) if own == there)
}

/// Is there still a file of that name?
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_is_for_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let first = Place::take(&path).unwrap();
        let error = Place::take(&path).err().unwrap().to_string();
        assert!(error.contains("another run is using the state"), "{error}");
        assert!(path.with_extension("partial").exists(), "the other run's file stays");
        first.replace(|mut file| Ok(file.write_all(b"new")?)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        drop(Place::take(&path).unwrap());
        assert!(!path.with_extension("partial").exists());
    }

    #[test]
    fn what_a_killed_run_left_is_no_obstacle() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        fs::write(path.with_extension("partial"), "a longer half of a state").unwrap();
        Place::take(&path).unwrap().replace(|mut file| Ok(file.write_all(b"new")?)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn a_run_that_fails_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        fs::write(&path, "old").unwrap();
        Place::take(&path).unwrap().replace(|_| bail!("no")).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(Place::take(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("state"), folder.path().join("link"));
        std::os::unix::fs::symlink("state", &link).unwrap();
        for content in ["first", "second"] {
            Place::take(&link).unwrap().replace(|mut file| Ok(file.write_all(content.as_bytes())?)).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
            assert!(link.is_symlink());
        }
    }
}
