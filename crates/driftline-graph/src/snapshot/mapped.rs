//! Large files, mapped into memory: the system reads what is touched, and keeps what it has room for.
//!
//! The files of a snapshot never change, which is what a mapping relies on. Who shortens one under a running program
//! ends that program.

use std::io;
use std::path::Path;

use webgraph::graphs::bvgraph::MemoryFlags;
use webgraph::utils::MmapHelper;

use super::Number;

/// Numbers on disk are little-endian, and are used as they stand there.
const _: () = assert!(cfg!(target_endian = "little"), "a snapshot's files are little-endian");

/// A file of bytes, mapped.
pub(super) fn bytes(path: &Path) -> io::Result<MmapHelper<u8>> {
    std::fs::metadata(path)?;
    MmapHelper::mmap(path, MemoryFlags::empty().into()).map_err(other)
}

/// A file of numbers, mapped.
pub(super) fn numbers(path: &Path) -> io::Result<MmapHelper<Number>> {
    std::fs::metadata(path)?;
    MmapHelper::mmap(path, MemoryFlags::empty().into()).map_err(other)
}

/// What went wrong in webgraph, as one line.
pub(super) fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    let error = error.into();
    let mut text = error.to_string();
    let kind_of = |error: &(dyn std::error::Error + 'static)| error.downcast_ref().map(io::Error::kind);
    // A full disk stays one.
    let mut kind = kind_of(&*error);
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        kind = kind.or(kind_of(inner));
        cause = inner.source();
    }
    io::Error::new(kind.unwrap_or(io::ErrorKind::Other), text)
}

/// A file that is not as it has to be.
pub(super) fn damaged(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}
