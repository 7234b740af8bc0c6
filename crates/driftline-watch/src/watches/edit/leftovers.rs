//! Files that interrupted edits left beside files of watches, with all that is in those, passwords too.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::super::set::FOLDER;
use super::LOCK;
use super::replace::{PREFIX, SUFFIX};

/// Letters and digits between the beginning and the end of the name.
const RANDOM: usize = 6;

/// Removes what interrupted edits left in a data directory; how many files that were. Nothing is done while somebody
/// edits: an editor removes them itself.
#[must_use]
pub fn remove_leftovers(data: &Path) -> usize {
    let folder = data.join(FOLDER);
    match File::open(folder.join(LOCK)).map(|lock| lock.try_lock().map(|()| lock)) {
        Ok(Ok(_lock)) => remove(&folder),
        // Nobody ever edited, or somebody does.
        _ => 0,
    }
}

/// The same for whoever holds the lock of the folder.
pub(super) fn remove(folder: &Path) -> usize {
    let mut folders = BTreeSet::from([folder.to_owned()]);
    folders.extend(linked(folder));
    folders.iter().flat_map(|folder| entries(folder)).filter(|path| is_leftover(path) && remove_file(path)).count()
}

/// The folders of the files that links lead to: they are written there.
fn linked(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let links = entries(folder).into_iter().filter(|path| path.is_symlink());
    links.filter_map(|path| Some(path.canonicalize().ok()?.parent()?.to_owned()))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn is_leftover(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let random = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    let is_ours = |random: &str| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
    random.is_some_and(is_ours) && path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Removes a file that nobody holds. What cannot be removed is left to the next one who tries.
fn remove_file(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok() && fs::remove_file(path).is_ok())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs::{self, File};

    use super::super::super::set::FOLDER;
    use super::super::Editor;
    use super::remove_leftovers;

    #[test]
    fn what_a_killed_edit_left_is_removed_and_nothing_else() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join(FOLDER);
        assert_eq!(remove_leftovers(data.path()), 0);
        let targets = BTreeSet::new();
        let editor = Editor::open(data.path(), &targets).unwrap();
        let others = [".watches.partial", ".watchesabcdef.partial~", "watchesabcdef.partial", ".watchesab-def.partial"];
        for name in others.iter().chain(&[".watchesabcdef.partial", ".watchesABC123.partial"]) {
            fs::write(folder.join(name), "password = 'hush'").unwrap();
        }
        fs::create_dir(folder.join(".watchesfolder.partial")).unwrap();
        let held = File::open(folder.join(".watchesABC123.partial")).unwrap();
        held.lock().unwrap();
        assert_eq!(remove_leftovers(data.path()), 0, "somebody edits");
        drop(editor);
        assert_eq!(remove_leftovers(data.path()), 1);
        assert!(!folder.join(".watchesabcdef.partial").exists());
        assert!(folder.join(".watchesABC123.partial").exists(), "its writer holds it");
        assert!(others.iter().all(|name| folder.join(name).exists()));
        drop(held);
        // The next edit removes them too.
        drop(Editor::open(data.path(), &BTreeSet::new()).unwrap());
        assert!(!folder.join(".watchesABC123.partial").exists());
    }

    #[cfg(unix)]
    #[test]
    fn what_was_left_where_a_link_leads_is_removed() {
        let (data, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        drop(Editor::open(data.path(), &BTreeSet::new()).unwrap());
        fs::write(elsewhere.path().join("real.toml"), "").unwrap();
        fs::write(elsewhere.path().join(".watchesabcdef.partial"), "password = 'hush'").unwrap();
        let link = data.path().join(FOLDER).join("watches.toml");
        std::os::unix::fs::symlink(elsewhere.path().join("real.toml"), link).unwrap();
        assert_eq!(remove_leftovers(data.path()), 1);
        assert_eq!(elsewhere.path().read_dir().unwrap().count(), 1);
    }
}
