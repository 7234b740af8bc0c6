//! Files and folders that only their owner may open, and whose names are on the disk.
//!
//! Captures may be of pages behind a login, and files of watches hold passwords. So what driftline keeps in its data
//! directory has mode 0600, folders 0700, whatever the umask allows; on systems without modes it is as usual there.

#![forbid(unsafe_code)]

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Options that create a file for its owner alone. A file that exists keeps its mode.
#[must_use]
pub fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a file for its owner alone, or empties the one that is there.
///
/// # Errors
/// If it cannot be created or written.
pub fn create(path: &Path) -> io::Result<File> {
    options().write(true).create(true).truncate(true).open(path)
}

/// Creates a folder for its owner alone, with the folders above it that are missing. Its name and theirs are on the disk
/// when this returns; that of a folder that exists too, because the
/// process that created it may have been killed before that.
///
/// # Errors
/// If a folder cannot be created, or its name cannot be put on the disk.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    missing.iter().try_for_each(|folder| sync_folder(folder))?;
    path.ancestors().skip(1).take(missing.len().max(1)).try_for_each(|parent| {
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        match sync_folder(parent) {
            // A folder of others that may not be listed, or a system that knows no such request.
            Err(error) if is_impossible(&error) => Ok(()),
            synced => synced,
        }
    })
}

/// Puts the names in a folder on the disk, where the system knows how.
///
/// # Errors
/// If the folder cannot be opened, or the disk fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Creates an empty file for its owner alone, unless there is one. It appears closed: SQLite loses its locks on a file
/// when anything else in the process closes it.
///
/// # Errors
/// If it cannot be created.
pub fn create_closed(path: &Path) -> io::Result<()> {
    if path.try_exists()? {
        return Ok(());
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let empty = tempfile::Builder::new().prefix(".").tempfile_in(folder)?.into_temp_path();
    match empty.persist_noclobber(path) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
        _ => sync_folder(folder),
    }
}

fn is_impossible(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, ReadOnlyFilesystem, Unsupported};
    matches!(error.kind(), InvalidInput | PermissionDenied | ReadOnlyFilesystem | Unsupported)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::{create, create_closed, create_folder, options};

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn folders_that_are_missing_are_for_their_owner_alone_and_others_keep_their_modes() {
        let above = tempfile::tempdir().unwrap();
        let open = above.path().join("open");
        std::fs::create_dir(&open).unwrap();
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = open.join("a/b/c");
        create_folder(&path).unwrap();
        create_folder(&path).unwrap();
        create_folder(&open).unwrap();
        assert_eq!(
            [&path, &open.join("a/b"), &open.join("a"), &open].map(|path| mode(path)),
            [0o700, 0o700, 0o700, 0o755]
        );
        std::fs::write(open.join("file"), "").unwrap();
        assert!(create_folder(&open.join("file/within")).is_err());
    }

    #[test]
    fn files_are_for_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (opened, closed) = (folder.path().join("opened"), folder.path().join("closed"));
        options().write(true).create_new(true).open(&opened).unwrap();
        create_closed(&closed).unwrap();
        assert_eq!((mode(&opened), mode(&closed)), (0o600, 0o600));
        let created = folder.path().join("created");
        create(&created).unwrap();
        assert_eq!(mode(&created), 0o600);
        // What exists is left as it is.
        std::fs::write(&closed, "text").unwrap();
        std::fs::write(&created, "text").unwrap();
        create(&created).unwrap();
        assert_eq!(created.metadata().unwrap().len(), 0);
        create_closed(&closed).unwrap();
        assert_eq!(std::fs::read_to_string(&closed).unwrap(), "text");
        assert_eq!(folder.path().read_dir().unwrap().count(), 3, "nothing else is left");
        assert!(create_closed(&folder.path().join("missing/file")).is_err());
    }
}
