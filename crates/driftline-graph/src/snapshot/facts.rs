//! Is a file as it was written? Its length and its checksum.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

use super::SnapshotError;

/// How a file was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// How long it is.
    pub bytes: u64,
    /// XXH3 of its bytes, 64 bits.
    pub xxh3: u64,
}

impl FileFacts {
    /// Reads a file through; `advance` is told how many bytes were read.
    pub(super) fn of(file: &mut File, advance: &dyn Fn(u64)) -> io::Result<Self> {
        let mut hash = Xxh3Default::new();
        let mut buffer = vec![0; 1 << 18];
        let mut bytes = 0;
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                return Ok(Self { bytes, xxh3: hash.digest() });
            }
            hash.update(&buffer[..read]);
            bytes += read as u64;
            advance(read as u64);
        }
    }

    /// Is it as long as it was?
    pub(super) fn check_length(&self, path: &Path) -> Result<(), SnapshotError> {
        let bytes = path.metadata().map_err(SnapshotError::unreadable(path))?.len();
        if bytes == self.bytes {
            return Ok(());
        }
        let what = format!("it has {bytes} bytes, and had {}", self.bytes);
        Err(SnapshotError::Damaged { path: path.to_owned(), what })
    }

    /// Is it what it was?
    pub(crate) fn check(&self, path: &Path, advance: &dyn Fn(u64)) -> Result<(), SnapshotError> {
        self.check_length(path)?;
        let now = File::open(path).and_then(|mut file| Self::of(&mut file, advance));
        let now = now.map_err(SnapshotError::unreadable(path))?;
        if now == *self {
            return Ok(());
        }
        Err(SnapshotError::Damaged {
            path: path.to_owned(),
            what: "its bytes are not those that were written".to_owned(),
        })
    }
}
