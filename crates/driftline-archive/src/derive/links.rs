//! The pages, links and redirects of a crawl, read from its WARC, ARC, WACZ and WAT files.
//!
//! [`read`] gives the [rows](Row) of a file, in its order; a link database takes them as they are:
//!
//! ```no_run
//! use std::path::Path;
//!
//! use driftline_archive::derive::links;
//! use driftline_graph::{Series, add::Source};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let file = Path::new("crawl.warc.gz");
//! let builder = Series::open_or_make(Path::new("series"))?.add("2020-01".parse()?, 1 << 30)?;
//! if let Some(mut reader) = builder.reader(&Source::of(file)?)? {
//!     links::read::<Box<dyn std::error::Error>>(file, &|_bytes| (), |row| Ok(reader.take(&row)?))?;
//!     reader.finish()?;
//! }
//! println!("{} pages", builder.build(&|_step| ())?.crawled);
//! # Ok(())
//! # }
//! ```
//!
//! Which answers are pages is [one rule](driftline::novelty::answer) for all crawls. An answer that redirects is a
//! redirect, not a page. A revisit ("as captured before") was crawled too; its links are those of the capture that it
//! refers to, if that is in the same file. Everything else is skipped; what should have been a page or cannot be read is
//! counted by [reason](skip_reason).

mod answer;
mod body;
mod error;
mod originals;
mod records;
pub mod skip_reason;
#[cfg(test)]
mod tests;
mod wat;

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use driftline::novelty::crawl::{Crawled, Row, SkipReason};
use driftline::novelty::sketch::Sketch;
use flate2::read::GzDecoder;

use crate::Time;
use crate::collection::Source;

pub use error::LinksError;

/// How many bytes of a file are read to see what it is.
const FIRST_BYTES: u64 = 4 << 10;
/// The beginning of a zip archive, such as a WACZ file.
const ZIP: &[u8] = b"PK\x03\x04";

/// The content of a record.
#[derive(Debug, Clone, PartialEq)]
enum Extracted {
    /// A page that was crawled.
    Page(Box<LinkedPage>),
    /// A redirect.
    Redirect { from: String, to: String },
    /// Nothing that counts, for this reason.
    Skipped(SkipReason),
}

/// A page that was crawled, and where it links to.
#[derive(Debug, Clone, PartialEq)]
struct LinkedPage {
    url: String,
    fetched: Option<Time>,
    last_modified: Option<Time>,
    /// None if only its links are known.
    sketch: Option<Sketch>,
    /// Absolute http and https addresses.
    links: Vec<String>,
    /// Why not all of it was read.
    lacks: Option<SkipReason>,
}

/// Whether a file holds a crawl, by its name.
#[must_use]
pub fn is_crawl(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let stem = [".gz", ".zst", ".lz4"].iter().find_map(|packed| name.strip_suffix(packed)).unwrap_or(&name);
    stem.rsplit_once('.').is_some_and(|(_, form)| matches!(form, "warc" | "arc" | "wat" | "wacz"))
}

/// Whether a file begins as one of a crawl, whatever its name is: as a WARC file, packed with gzip or not, or as a WACZ
/// file.
///
/// # Errors
/// If it cannot be read.
pub fn begins_as_crawl(path: &Path) -> Result<bool, LinksError> {
    let start = start(path, FIRST_BYTES)?;
    let mut unpacked = Vec::new();
    // What is not gzip, or only the beginning of it, leaves what there was.
    let _ = GzDecoder::new(start.as_slice()).take(FIRST_BYTES).read_to_end(&mut unpacked);
    Ok(start.starts_with(ZIP) || [start, unpacked].iter().any(|bytes| bytes.starts_with(b"WARC/")))
}

/// Reads the pages, links and redirects of a file, and why other records of it do not count; `advance` is called with
/// the number of bytes that were read since its last call. A damaged file is read as far as it can be.
///
/// # Errors
/// If the file cannot be opened or the disk fails, or `each` fails.
pub fn read<E: From<LinksError>>(
    path: &Path,
    advance: &dyn Fn(u64),
    mut each: impl FnMut(Row<'_>) -> Result<(), E>,
) -> Result<(), E> {
    extract(path, advance, &mut |extracted: Extracted| extracted.rows(&mut each))
}

impl Extracted {
    fn rows<E>(&self, each: &mut impl FnMut(Row<'_>) -> Result<(), E>) -> Result<(), E> {
        match self {
            Self::Page(page) => {
                each(Row::Crawled(page.crawled(), &page.links))?;
                page.lacks.map_or(Ok(()), |reason| each(Row::Skipped(reason)))
            }
            Self::Redirect { from, to } => each(Row::Redirect { from, to }),
            Self::Skipped(reason) => each(Row::Skipped(*reason)),
        }
    }
}

impl LinkedPage {
    fn crawled(&self) -> Crawled<'_> {
        let Self { url, fetched, last_modified, sketch, .. } = self;
        Crawled { url, fetched: *fetched, last_modified: *last_modified, sketch: sketch.as_ref() }
    }
}

/// Extracts the records of a file, in its order.
fn extract<E: From<LinksError>>(
    path: &Path,
    advance: &dyn Fn(u64),
    take: &mut dyn FnMut(Extracted) -> Result<(), E>,
) -> Result<(), E> {
    if start(path, ZIP.len() as u64)? != ZIP {
        return records::read(&Source::file(path), advance, take);
    }
    match Source::of_wacz(path) {
        Ok(archives) => archives.iter().try_for_each(|archive| records::read(archive, advance, take)),
        Err(_) => take(Extracted::Skipped(skip_reason::BAD_WACZ)),
    }
}

/// The first bytes of a file, this many or all.
fn start(path: &Path, length: u64) -> Result<Vec<u8>, LinksError> {
    let failed = |source| LinksError::Open { path: path.to_owned(), source };
    let mut start = Vec::new();
    File::open(path).and_then(|file| file.take(length).read_to_end(&mut start)).map_err(failed)?;
    Ok(start)
}
