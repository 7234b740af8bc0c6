//! The lock of a data directory, and the lease of a catalog on a server: two daemons would check everything twice and
//! notify twice.
//!
//! The lock goes with the process that holds it, however that ends. Daemons on several hosts, or with several data directories,
//! may share a catalog on a server, which has a [lease](DaemonLease) for one of them.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use driftline_archive::private;
use driftline_catalog::{Catalog, CatalogError, DAEMON_LEASE, DaemonLease, DaemonName};

use super::Handle;

/// The file in the data directory; whoever watches holds an exclusive lock on it and has put its number in.
pub const FILE: &str = "watch.lock";

/// Says that somebody watches, until it is dropped.
#[derive(Debug)]
pub struct Lock {
    /// The lock is on it while it is open.
    file: File,
    what: String,
}

/// Why nobody may watch.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// Somebody else does.
    #[error(
        "{who} watches from `{data}` already\nhint: stop it first, or name another data directory with `--data DIR`"
    )]
    Held {
        /// Who it is, as far as is known.
        who: String,
        /// The data directory.
        data: PathBuf,
    },
    /// The file cannot be made or locked.
    #[error("cannot lock `{path}`: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// No note in the file is longer.
const MOST_BYTES: u64 = 200;

impl Lock {
    /// Says that this process watches. `what` is for others: `driftline serve`.
    ///
    /// # Errors
    /// If somebody else does, or the file cannot be written.
    pub fn take(data: &Path, what: &str) -> Result<Self, LockError> {
        let path = data.join(FILE);
        let failed = |source| LockError::File { path: path.clone(), source };
        private::create_folder(data).map_err(failed)?;
        let mut options = private::options();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held { who: holder(&file), data: data.to_owned() });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        file.set_len(0).map_err(failed)?;
        write!(file, "{what} (process {})", std::process::id()).and_then(|()| file.flush()).map_err(failed)?;
        Ok(Self { file, what: what.to_owned() })
    }

    /// Takes the lease of the catalog, if it is on a server. The daemon is stopped when it loses it.
    ///
    /// # Errors
    /// If another daemon watches from this catalog, or the catalog fails.
    pub fn lease(&self, catalog: &Catalog, daemon: &Handle) -> Result<DaemonLease, CatalogError> {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let description = format!("{} (process {}) on {}", self.what, std::process::id(), host.trim());
        let name = DaemonName { owner: self.owner(), description };
        let daemon = daemon.clone();
        catalog.lease_daemon(&name, DAEMON_LEASE, move || {
            tracing::error!("the catalog is out of reach or another daemon watches from it: this one stops");
            daemon.stop();
        })
    }

    /// The same for two processes only if they lock the same file of one running kernel: then the one that had it before has
    /// ended, and need not be waited for.
    fn owner(&self) -> String {
        let file = self.file.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()));
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
        match (boot, file) {
            (Ok(boot), Some((device, number))) => format!("{}/{device}/{number}", boot.trim()),
            _ => format!("{}/{:?}", std::process::id(), std::time::SystemTime::now()),
        }
    }
}

/// Who holds the lock, by what it wrote.
fn holder(file: &File) -> String {
    let mut text = String::new();
    let read = file.take(MOST_BYTES).read_to_string(&mut text);
    if read.is_err() || text.is_empty() { "another process".to_owned() } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::Lock;

    #[test]
    fn who_watches_is_named_to_whoever_comes_second() {
        let data = tempfile::tempdir().unwrap();
        let first = Lock::take(data.path(), "driftline serve").unwrap();
        let told = Lock::take(data.path(), "driftline watch check").unwrap_err().to_string();
        let named = format!("`driftline serve (process {})` watches", std::process::id());
        assert!(told.starts_with(&named) && told.contains("hint: stop it first"), "{told}");
        drop(first);
        Lock::take(data.path(), "driftline watch check").unwrap();
    }
}
