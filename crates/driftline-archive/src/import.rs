//! How do captures of others come in? Archives, backups and databases, each told by what stands in it.
//!
//! ```no_run
//! use driftline_archive::import::{Options, Plan};
//!
//! let archive = driftline_archive::Archive::open_at("data".as_ref())?;
//! let plan = Plan::new(&["crawl.warc.gz".into()], &Options::default())?;
//! let summary = plan.run(Some(&archive), &|_bytes| {})?;
//! println!("{} captures", summary.captures);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Records are copied as they are, on all cores, in little memory. What is malformed is passed over and told. How
//! far each file is goes into the catalog together with its captures, so an import that was killed goes on where
//! it was; and what is in the archive already is not taken again.

mod arc;
mod batch;
pub mod changedetection;
mod claims;
mod error;
mod format;
mod index;
mod kept;
mod lock;
mod made;
mod monitor;
mod plan;
mod records;
mod source;
mod summary;
pub mod urlwatch;
pub mod versions;

use std::io;
use std::path::{Path, PathBuf};

pub use error::Error;
pub use format::Format;
pub use kept::{Kept, Take, Version, Watched};
pub use plan::{Options, Plan};
pub use summary::{Reason, Skip, Summary};

use crate::{Archive, Time};
use claims::Claims;
use driftline_catalog::Progress;

/// An import while it runs.
struct Run<'run> {
    /// None if nothing is there yet.
    archive: Option<&'run Archive>,
    /// Is nothing to be changed?
    is_trial: bool,
    /// Is every file to be read, whatever was imported before?
    is_again: bool,
    /// When this is, and who imports, for the origins of captures.
    by: (Option<Time>, String),
    claims: Claims,
    advance: &'run (dyn Fn(u64) + Sync),
}

impl Run<'_> {
    fn advance(&self, bytes: u64) {
        (self.advance)(bytes);
    }

    /// From where a file is to be read, if it has to be read at all. `file` stands at its beginning.
    fn begin(&self, file: &Progress) -> Result<Option<u64>, Error> {
        if self.is_again {
            return Ok(Some(file.offset));
        }
        let known = self.archive.map(|archive| archive.catalog().progress(&file.source)).transpose()?.flatten();
        let same = known.filter(|known| known.size == file.size && known.modified == file.modified);
        Ok(match same {
            Some(known) if known.done => None,
            Some(known) => Some(known.offset.max(file.offset)),
            None => Some(file.offset),
        })
    }

    /// Says that a file is done.
    fn end(&self, file: &Progress) -> Result<(), Error> {
        match self.archive {
            Some(archive) if !self.is_trial => Ok(archive.catalog().put_progress(file)?),
            _ => Ok(()),
        }
    }
}

/// All files below a folder in the order of their paths, at most so many; hidden ones are passed over.
fn walk(root: &Path, most: usize) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop().filter(|_| files.len() < most) {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = entry.path();
            match path.metadata() {
                // A link to a folder may lead in a circle.
                Ok(metadata) if metadata.is_dir() && !path.is_symlink() => folders.push(path),
                Ok(metadata) if metadata.is_file() => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files.truncate(most);
    Ok(files)
}
