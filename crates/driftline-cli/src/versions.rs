//! A folder of versions: every folder with files in it is a page, its files in name order are the
//! versions (`page/2024-01-01T00:00:00Z.html`).
//!
//! Folders are read one at a time, so that a collection of any size is walked in little memory.

use std::path::{Path, PathBuf};
use std::vec;

use anyhow::{Context, Result};

use crate::args::Against;

/// Two versions of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePair {
    /// `page/older..newer`, without the folder's own name.
    pub(crate) id: String,
    pub(crate) old: PathBuf,
    pub(crate) new: PathBuf,
}

/// All pairs of versions below a folder, page after page.
pub(crate) struct VersionPairs {
    root: PathBuf,
    against: Against,
    folders: Vec<PathBuf>,
    ready: vec::IntoIter<FilePair>,
    singles: Singles,
}

/// What becomes of a page with one version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Singles {
    /// It has no pair.
    Skip,
    /// It is paired with itself, so that it is seen.
    PairWithItself,
}

impl VersionPairs {
    pub(crate) fn below(root: &Path, against: Against) -> Self {
        let (folders, ready) = (vec![root.to_owned()], Vec::new().into_iter());
        Self { root: root.to_owned(), against, folders, ready, singles: Singles::Skip }
    }

    pub(crate) fn with_singles(self, singles: Singles) -> Self {
        Self { singles, ..self }
    }

    /// Reads the next folder; false when there is none.
    fn read_folder(&mut self) -> Result<bool> {
        let Some(folder) = self.folders.pop() else {
            return Ok(false);
        };
        let (mut folders, mut files) = (Vec::new(), Vec::new());
        let reading = || format!("cannot read the folder `{}`", folder.display());
        for entry in std::fs::read_dir(&folder).with_context(reading)? {
            let entry = entry.with_context(reading)?;
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            // Pipes and devices are no versions; a link that leads nowhere is told when it is read.
            let path = entry.path();
            match path.metadata() {
                Ok(metadata) if metadata.is_dir() && !path.is_symlink() => folders.push(path),
                Ok(metadata) if !metadata.is_file() => {}
                _ => files.push(path),
            }
        }
        files.sort();
        folders.sort();
        self.folders.extend(folders.into_iter().rev());
        self.ready = self.pairs(&files).into_iter();
        Ok(true)
    }

    fn pairs(&self, files: &[PathBuf]) -> Vec<FilePair> {
        let older = |at: usize| match self.against {
            Against::Previous => &files[at - 1],
            Against::First => &files[0],
        };
        if let ([only], Singles::PairWithItself) = (files, self.singles) {
            return vec![FilePair { id: self.id(only, only), old: only.clone(), new: only.clone() }];
        }
        (1..files.len())
            .map(|at| FilePair { id: self.id(older(at), &files[at]), old: older(at).clone(), new: files[at].clone() })
            .collect()
    }

    fn id(&self, old: &Path, new: &Path) -> String {
        let old = old.strip_prefix(&self.root).unwrap_or(old).with_extension("");
        let new = new.file_stem().unwrap_or_default().to_string_lossy();
        format!("{}..{new}", old.display())
    }
}

impl Iterator for VersionPairs {
    type Item = Result<FilePair>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(pair) = self.ready.next() {
                return Some(Ok(pair));
            }
            match self.read_folder() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(against: Against) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for file in ["b/2.html", "b/1.html", "b/3.html", "a/x/1.html", "a/x/2.html", "a/1.html", ".git/1", ".git/2"] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        VersionPairs::below(folder.path(), against).map(|pair| pair.unwrap().id).collect()
    }

    #[test]
    fn consecutive_versions_are_paired_page_by_page() {
        assert_eq!(ids(Against::Previous), ["a/x/1..2", "b/1..2", "b/2..3"]);
    }

    #[test]
    fn every_version_can_be_paired_with_the_first() {
        assert_eq!(ids(Against::First), ["a/x/1..2", "b/1..2", "b/1..3"]);
    }

    #[test]
    fn a_folder_that_cannot_be_read_is_an_error() {
        let pairs: Vec<_> = VersionPairs::below(Path::new("/no/such/folder"), Against::First).collect();
        assert!(pairs[0].as_ref().unwrap_err().to_string().contains("/no/such/folder"));
    }
}
