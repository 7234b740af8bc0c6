//! How do captures leave? As WARC, WACZ and CDXJ, all of them or those of some addresses and times.
//!
//! Records leave byte for byte as they are kept, so whoever reads them sees what the server sent. Only cookies and tokens
//! that a server gave to a request with secrets are masked. The index comes from the catalog, without a look into the WARC
//! files, and is what cdxj-indexer makes of these files.

mod cdxj;
mod mask;
mod pieces;
mod selection;
mod wacz;
mod warc;

use std::io;

pub use cdxj::{cdxj, line};
pub use mask::{MASK, MASKED};
pub use selection::{Selected, Selection};
pub use wacz::wacz;
pub use warc::warc;

use crate::archive;
use driftline_catalog::CatalogError;

/// What an export has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exported {
    /// Captures that were chosen.
    pub captures: u64,
    /// Captures that were not chosen, but hold the body of an unchanged one that was.
    pub originals: u64,
    /// Unchanged captures whose original is not in the archive.
    pub without_original: u64,
    /// Records with headers that were masked.
    pub masked: u64,
    /// Damaged records that were left out, because it cannot be known whether there are secrets in them.
    pub left_out: u64,
    /// Bytes that were written.
    pub bytes: u64,
}

/// What becomes of secrets in the answers of servers: of the values of headers such as `Set-Cookie`, in captures that
/// driftline fetched with a password, cookies or secret headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Secrets {
    /// They are masked.
    #[default]
    Masked,
    /// They leave as they are.
    Kept,
}

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A segment cannot be read.
    #[error(transparent)]
    Archive(#[from] archive::Error),
    /// What is in a segment is not what the catalog says.
    #[error(
        "cannot read on at byte {offset} of the segment `{name}`: {why}\nhint: `driftline archive verify` says what else is damaged"
    )]
    Segment {
        /// The file name of the segment.
        name: String,
        /// Where in it.
        offset: u64,
        /// What is wrong.
        why: String,
    },
    /// The output failed.
    #[error("cannot write the export")]
    Write(#[from] io::Error),
}
