//! Files and folders of a data directory that others than their owner may open.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::archive::Options;
use driftline_catalog::Place;

/// A file or folder that others may open.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Exposed {
    /// Where it is.
    pub path: PathBuf,
    /// Its mode, such as `0644`.
    #[serde(serialize_with = "octal")]
    pub mode: u32,
    /// The bits that should not be there.
    #[serde(skip)]
    excess: u32,
}

/// The names of files that SQLite keeps beside a catalog.
const BESIDE_CATALOG: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Folders in each other below a folder that is looked at: a series has three.
const MOST_NESTED: usize = 8;

/// What others may open of an archive and of `more`: the catalog, the folder of segments, and all that is in folders. Links
/// are left out, and so is what is not there. Of a file that belongs to somebody else than the data directory, as an
/// administrator's `driftline.toml` does, the group may be able to read it.
///
/// # Errors
/// If a folder cannot be listed.
pub fn exposed(data: &Path, options: &Options, more: &[PathBuf]) -> io::Result<Vec<Exposed>> {
    let mut paths = vec![data.to_owned()];
    if let Place::File(catalog) = &options.catalog {
        paths.push(catalog.clone());
        paths.extend(BESIDE_CATALOG.iter().map(|end| {
            let mut name = catalog.clone().into_os_string();
            name.push(end);
            name.into()
        }));
    }
    for path in std::iter::once(&options.folder).chain(more) {
        paths.push(path.clone());
        let within = add_contents(path, MOST_NESTED, &mut paths);
        within.map_err(|error| io::Error::new(error.kind(), format!("`{}`: {error}", path.display())))?;
    }
    paths.sort();
    paths.dedup();
    Ok(judge(data, paths))
}

/// Adds what is in a folder, and in the folders in it.
fn add_contents(folder: &Path, nested: usize, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        // A file, or what is gone by now.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            continue;
        }
        paths.push(entry.path());
        if kind.is_dir() && nested > 0 {
            add_contents(&entry.path(), nested - 1, paths)?;
        }
    }
    Ok(())
}

/// Takes the permissions of others away.
///
/// # Errors
/// If the system refuses it: only the owner may do so.
pub fn restrict(exposed: &Exposed) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&exposed.path, fs::Permissions::from_mode(exposed.mode & !exposed.excess))?;
    }
    #[cfg(not(unix))]
    let _ = exposed;
    Ok(())
}

#[cfg(unix)]
fn judge(data: &Path, paths: Vec<PathBuf>) -> Vec<Exposed> {
    use std::os::unix::fs::MetadataExt;
    let owner = fs::metadata(data).map(|metadata| metadata.uid()).ok();
    let judged = paths.into_iter().filter_map(|path| {
        // What is gone by now, as the log of a catalog that was just closed, concerns nobody.
        let metadata = fs::metadata(&path).ok()?;
        let unwanted = if Some(metadata.uid()) == owner { 0o077 } else { 0o007 };
        let (mode, excess) = (metadata.mode() & 0o7777, metadata.mode() & unwanted);
        (excess != 0).then_some(Exposed { path, mode, excess })
    });
    judged.collect()
}

#[cfg(not(unix))]
fn judge(_: &Path, _: Vec<PathBuf>) -> Vec<Exposed> {
    Vec::new()
}

fn octal<S: Serializer>(mode: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{mode:04o}"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::{Exposed, exposed, restrict};
    use crate::archive::{Archive, Options};

    #[test]
    fn what_others_may_open_is_found_and_restricted() {
        let above = tempfile::tempdir().unwrap();
        let data = above.path().join("data");
        let options = Options::at(&data);
        let archive = Archive::open(&options).unwrap();
        let watches = data.join("watches");
        assert_eq!(exposed(&data, &options, std::slice::from_ref(&watches)).unwrap(), []);

        fs::create_dir(&watches).unwrap();
        fs::write(above.path().join("theirs"), "").unwrap();
        std::os::unix::fs::symlink(above.path().join("theirs"), watches.join("linked.toml")).unwrap();
        fs::write(watches.join("own.toml"), "").unwrap();
        let set = |path: &str, mode| fs::set_permissions(data.join(path), Permissions::from_mode(mode)).unwrap();
        for (path, mode) in [("", 0o755), ("catalog.db", 0o644), ("watches", 0o700), ("watches/own.toml", 0o640)] {
            set(path, mode);
        }
        let found = exposed(&data, &options, std::slice::from_ref(&watches)).unwrap();
        let told = |Exposed { path, mode, .. }: &Exposed| {
            (path.strip_prefix(&data).unwrap().to_str().unwrap().to_owned(), *mode)
        };
        let wanted = [("", 0o755), ("catalog.db", 0o644), ("watches/own.toml", 0o640)];
        assert_eq!(found.iter().map(told).collect::<Vec<_>>(), wanted.map(|(path, mode)| (path.to_owned(), mode)));
        assert_eq!(serde_json::to_value(&found[1]).unwrap()["mode"], "0644");
        found.iter().for_each(|exposed| restrict(exposed).unwrap());
        assert_eq!(exposed(&data, &options, &[watches]).unwrap(), []);
        assert_eq!(data.join("catalog.db").metadata().unwrap().permissions().mode() & 0o777, 0o600);
        drop(archive);
    }
}
