//! Is nobody else watching from this data directory? Two daemons would check everything twice and tell it twice.
//!
//! The lock goes with the process that holds it, however that ends.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use driftline_archive::private;

/// The file in the data directory; whoever watches holds an exclusive lock on it and has put its number in.
pub const FILE: &str = "watch.lock";

/// Says that somebody watches, until it is dropped.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "the lock is on it while it is open")] File);

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
        Ok(Self(file))
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
