//! What is to be done? Every file, in parts if it is large, for as many threads as there are cores.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::claims::Claims;
use super::source::Source;
use super::summary::{Reason, Skip, Summary};
use super::versions::Naming;
use super::{Error, Format, Run, format, index, lock, monitor, records, walk};
use crate::{Archive, Time};

/// The most files of a collection.
const MOST_FILES: usize = 10_000_000;

/// What the user says about an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What all inputs are, if that is not to be found out.
    pub format: Option<Format>,
    /// How addresses are made of folders of versions.
    pub naming: Naming,
    /// The jobs of urlwatch or webchanges, if they do not stand beside their database.
    pub jobs: Option<PathBuf>,
    /// Is nothing to be changed?
    pub is_trial: bool,
    /// Is every file to be read, even if it was imported before and has not changed since?
    pub is_again: bool,
    /// When this is, for the origins of captures.
    pub added: Option<Time>,
    /// Who imports, for the origins of captures.
    pub operator: String,
    /// A file of at least twice so many bytes is read in parts of about this size.
    pub part_bytes: u64,
}

impl Options {
    /// The size of parts, whatever the number of cores: so that a part is the same part when an import goes on.
    pub const PART_BYTES: u64 = 64 << 20;
}

impl Default for Options {
    fn default() -> Self {
        let (naming, part_bytes) = (Naming::Folder, Self::PART_BYTES);
        Self {
            format: None,
            naming,
            jobs: None,
            is_trial: false,
            is_again: false,
            added: None,
            operator: String::new(),
            part_bytes,
        }
    }
}

/// What is to be done.
#[derive(Debug)]
pub struct Plan {
    work: Vec<Work>,
    summary: Summary,
    options: Options,
}

#[derive(Debug)]
enum Work {
    Records(Source),
    Index(PathBuf),
    Other(PathBuf, Format, u64),
}

impl Work {
    fn bytes(&self) -> u64 {
        match self {
            Self::Records(source) => source.size(),
            Self::Index(path) => size(path),
            Self::Other(.., bytes) => *bytes,
        }
    }
}

impl Plan {
    /// Finds out what the inputs are.
    ///
    /// # Errors
    /// If one of them cannot be read, or none is anything that is known.
    pub fn new(inputs: &[PathBuf], options: &Options) -> Result<Self, Error> {
        let mut plan = Self { work: Vec::new(), summary: Summary::default(), options: options.clone() };
        let mut unknown = None;
        for input in inputs {
            std::fs::metadata(input).map_err(|source| Error::read(input, source))?;
            match options.format.map_or_else(|| Format::recognise(input), Ok) {
                Ok(format) => plan.add(input, format)?,
                Err(error @ Error::Unknown { .. }) => {
                    plan.summary.skip(unrecognised(input));
                    unknown = unknown.or(Some(error));
                }
                Err(error) => return Err(error),
            }
        }
        unknown.filter(|_| plan.work.is_empty()).map_or(Ok(plan), Err)
    }

    /// How many bytes are to be read.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.work.iter().map(Work::bytes).sum()
    }

    fn add(&mut self, path: &Path, format: Format) -> Result<(), Error> {
        if format == Format::Collection {
            return self.add_collection(path);
        }
        let work = match format {
            Format::Warc => Source::of_file(path, self.options.part_bytes)?.into_iter().map(Work::Records).collect(),
            Format::Wacz => Source::of_wacz(path)?.into_iter().map(Work::Records).collect(),
            Format::Cdx => vec![Work::Index(path.to_owned())],
            _ => vec![Work::Other(path.to_owned(), format, total(path))],
        };
        self.summary.files += 1;
        self.summary.bytes += total(path);
        self.work.extend(work);
        Ok(())
    }

    /// All archives below a folder. Where there are none, the archives that its indexes name: a folder `indexes` beside
    /// `archive` is how pywb keeps them. An index of blocks counts only where its blocks are not named as indexes. Nothing
    /// else belongs to a collection.
    fn add_collection(&mut self, folder: &Path) -> Result<(), Error> {
        let (mut archives, mut indexes, mut of_blocks) = (Vec::new(), Vec::new(), Vec::new());
        for path in walk(folder, MOST_FILES).map_err(|source| Error::read(folder, source))? {
            match Format::of_file(&path) {
                Ok(Some(format @ (Format::Warc | Format::Wacz))) => archives.push((path, format)),
                Ok(Some(Format::Cdx)) if format::is_named_as_blocks(&path) => of_blocks.push((path, Format::Cdx)),
                Ok(Some(Format::Cdx)) if format::is_named_as_one(&path) => indexes.push((path, Format::Cdx)),
                Ok(None) if format::is_named_as_one(&path) => self.summary.skip(unrecognised(&path)),
                Ok(_) => {}
                Err(error) => self.summary.skip(unreadable(&path, &error)),
            }
        }
        let all = [archives, indexes, of_blocks].into_iter().find(|files| !files.is_empty()).unwrap_or_default();
        for (path, format) in all {
            if let Err(error) = self.add(&path, format) {
                self.summary.skip(unreadable(&path, &error));
            }
        }
        Ok(())
    }

    /// Does it. `advance` is told how many bytes were read. Without an archive, nothing is there yet, and nothing is
    /// kept: then it is a trial in any case.
    ///
    /// # Errors
    /// If another import is on its way, the archive does not take it, or an input cannot be read at all. What was imported by then stays.
    pub fn run(self, archive: Option<&Archive>, advance: &(dyn Fn(u64) + Sync)) -> Result<Summary, Error> {
        let is_trial = self.options.is_trial || archive.is_none();
        let _lock = archive.filter(|_| !is_trial).map(lock::enter).transpose()?;
        let Options { is_again, added, ref operator, .. } = self.options;
        let run =
            Run { archive, is_trial, is_again, by: (added, operator.clone()), claims: Claims::default(), advance };
        let all = Mutex::new((self.summary, BTreeMap::new()));
        self.work.par_iter().try_for_each(|work| {
            let mut done = match work {
                Work::Records(source) => records::read(&run, source),
                Work::Index(path) => index::read(&run, path),
                Work::Other(path, format, bytes) => {
                    let done = monitor::read(&run, path, *format, &self.options);
                    run.advance(*bytes);
                    done
                }
            }?;
            let (summary, files) = &mut *all.lock().unwrap_or_else(PoisonError::into_inner);
            if let Work::Records(source) = work {
                // A file is unchanged if all of its parts are.
                *files.entry(&source.path).or_insert(true) &= std::mem::take(&mut done.unchanged) > 0;
            }
            summary.add(done);
            Ok::<_, Error>(())
        })?;
        let (mut summary, files) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        summary.unchanged += files.values().filter(|is_unchanged| **is_unchanged).count() as u64;
        Ok(summary)
    }
}

/// A file that cannot be read, and why.
fn unreadable(path: &Path, why: &dyn std::fmt::Display) -> Skip {
    Skip::new(path.display().to_string(), Reason::Unreadable, why.to_string())
}

/// A file that is nothing that is known, and why.
fn unrecognised(path: &Path) -> Skip {
    let is_empty = path.is_file() && size(path) == 0;
    let detail = if is_empty { "it is empty" } else { "it does not begin as anything that is known" };
    Skip::new(path.display().to_string(), Reason::Malformed, detail)
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}

/// The bytes of a file, or of all files of a folder.
fn total(path: &Path) -> u64 {
    if path.is_dir() {
        walk(path, MOST_FILES).map_or(0, |files| files.iter().map(|file| size(file)).sum())
    } else {
        size(path)
    }
}
