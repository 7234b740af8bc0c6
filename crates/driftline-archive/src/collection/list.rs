//! Which files are there? Those that were named, and those in folders that were, by their names.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::Skips;
use super::files::Source;

/// Why a collection cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A file or folder is not there, or cannot be read.
    #[error("cannot open `{}`: {reason}", .path.display())]
    Missing {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

/// What a file is, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Archive,
    Wacz,
    Index,
    /// An index of blocks.
    Blocks,
}

/// How deep folders are looked into.
const MOST_DEPTH: usize = 32;
/// The files that were named, and those in folders that were.
pub(super) struct Listed {
    pub(super) archives: Vec<Source>,
    pub(super) indexes: Vec<(PathBuf, Form)>,
}

pub(super) fn size(paths: &[PathBuf]) -> u64 {
    let listed = list(paths, &mut Skips::default());
    listed.map_or(0, |Listed { archives, indexes }| {
        let indexes = indexes.iter().map(|(path, _)| path.metadata().map_or(0, |about| about.len()));
        archives.iter().map(Source::size).chain(indexes).sum()
    })
}

/// The archives in these files and folders, in order; indexes are left out.
///
/// # Errors
/// If a file or folder is not there.
pub fn sources(paths: &[PathBuf], skips: &mut Skips) -> Result<Vec<Source>, OpenError> {
    list(paths, skips).map(|listed| listed.archives)
}

pub(super) fn list(paths: &[PathBuf], skips: &mut Skips) -> Result<Listed, OpenError> {
    let mut listed = Listed { archives: Vec::new(), indexes: Vec::new() };
    for path in paths {
        let missing = |reason| OpenError::Missing { path: path.clone(), reason };
        if fs::metadata(path).map_err(missing)?.is_dir() {
            let mut files = Vec::new();
            walk(path, MOST_DEPTH, &mut files).map_err(missing)?;
            for file in files {
                // Blocks are read whole, from the file that they are in.
                if let Some(form) = form_by_name(&file).filter(|&form| form != Form::Blocks) {
                    listed.add(file, form, skips);
                }
            }
        } else {
            let form = form_by_name(path).map_or_else(|| form_by_content(path), Ok).map_err(missing)?;
            listed.add(path.clone(), form, skips);
        }
    }
    Ok(listed)
}

impl Listed {
    fn add(&mut self, path: PathBuf, form: Form, skips: &mut Skips) {
        match form {
            Form::Archive => self.archives.push(Source::file(path)),
            Form::Index | Form::Blocks => self.indexes.push((path, form)),
            Form::Wacz => match Source::of_wacz(&path) {
                Ok(sources) => self.archives.extend(sources),
                Err(error) => skips.push(path, error),
            },
        }
    }
}

/// All files in a folder and in its folders, in the order of their names.
fn walk(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_unstable_by_key(fs::DirEntry::file_name);
    for entry in entries {
        // Links to folders are not followed: they may lead round in a circle.
        if entry.file_type()?.is_dir() {
            if depth > 0 {
                walk(&entry.path(), depth - 1, files)?;
            }
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

fn form_by_name(path: &Path) -> Option<Form> {
    let name = path.file_name().and_then(OsStr::to_str)?.to_ascii_lowercase();
    let stem = [".gz", ".zst", ".lz4"].iter().find_map(|packed| name.strip_suffix(packed)).unwrap_or(&name);
    match stem.rsplit_once('.')?.1 {
        "warc" | "arc" => Some(Form::Archive),
        "cdx" | "cdxj" => Some(Form::Index),
        "wacz" => Some(Form::Wacz),
        "idx" => Some(Form::Blocks),
        _ => None,
    }
}

/// What a file is whose name does not tell. Anything but a zip is given to the reader of archives, which tells.
fn form_by_content(path: &Path) -> io::Result<Form> {
    let mut start = [0; 4];
    let count = File::open(path)?.read(&mut start)?;
    Ok(if start[..count] == *b"PK\x03\x04" { Form::Wacz } else { Form::Archive })
}
