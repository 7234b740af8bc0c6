//! How does a file get new contents? In one step, and for good once that is done.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// The beginning of the name of a file that is being written.
pub(super) const PREFIX: &str = ".watches";
/// The end of it.
pub(super) const SUFFIX: &str = ".partial";

/// Puts a text in the place of a file, or of the file that a link leads to. It keeps its permissions.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut temporary = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)?;
    // Locked, so that nobody takes it for what an interrupted edit left.
    temporary.as_file().lock()?;
    temporary.write_all(text.as_bytes())?;
    if let Ok(metadata) = path.metadata() {
        temporary.as_file().set_permissions(metadata.permissions())?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(&path)?;
    // The name is in the folder, which has to reach the disk too; not every system can do that.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}
