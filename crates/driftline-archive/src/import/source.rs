//! Where do records come from? From a file, from a part of one, or from a file in a WACZ file.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::Error;
use super::kept::moment;
use crate::wacz::{Member, Wacz};
use crate::{Time, warc};
use driftline_catalog::Progress;

/// Some records of a file.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// How it is called in messages.
    pub(super) name: String,
    from: Stretch,
}

#[derive(Debug, Clone)]
enum Stretch {
    /// These bytes of the file; all places count from `base`.
    Range { base: u64, start: u64, end: u64 },
    /// A deflated member, which cannot be read from its middle.
    Stream(Wacz, Member),
}

/// What is read.
pub(super) type Input = BufReader<Box<dyn Read + Send>>;

impl Source {
    /// The parts of a file, each of about so many bytes.
    pub(super) fn of_file(path: &Path, part_bytes: u64) -> Result<Vec<Self>, Error> {
        let failed = |source| Error::read(path, source);
        let size = path.metadata().map_err(failed)?.len();
        let count = usize::try_from(size / part_bytes.max(1)).unwrap_or(1);
        let borders = if count < 2 {
            vec![(0, size)]
        } else {
            warc::parts(path, count).map_err(failed)?.into_iter().map(|part| (part.start, part.end)).collect()
        };
        let part = |(start, end)| Self::range(path, path.display().to_string(), (0, start, end));
        Ok(borders.into_iter().map(part).collect())
    }

    /// A file as a whole.
    pub(super) fn whole(path: &Path) -> io::Result<Self> {
        let size = path.metadata()?.len();
        Ok(Self::range(path, path.display().to_string(), (0, 0, size)))
    }

    /// The archives in a WACZ file.
    pub(super) fn of_wacz(path: &Path) -> Result<Vec<Self>, Error> {
        let wacz = Wacz::open(path).map_err(|error| Error::read(path, io::Error::other(error)))?;
        let member = |member: &Member| {
            let name = format!("{}/{}", path.display(), member.name);
            match member.stored_at() {
                Some((base, length)) => Self::range(path, name, (base, 0, length)),
                None => Self { path: path.to_owned(), name, from: Stretch::Stream(wacz.clone(), member.clone()) },
            }
        };
        Ok(wacz.archives().map(member).collect())
    }

    fn range(path: &Path, name: String, (base, start, end): (u64, u64, u64)) -> Self {
        Self { path: path.to_owned(), name, from: Stretch::Range { base, start, end } }
    }

    /// Where its first record begins.
    pub(super) fn start(&self) -> u64 {
        match self.from {
            Stretch::Range { start, .. } => start,
            Stretch::Stream(..) => 0,
        }
    }

    /// How many bytes it has.
    pub(super) fn size(&self) -> u64 {
        match &self.from {
            Stretch::Range { start, end, .. } => end.saturating_sub(*start),
            Stretch::Stream(_, member) => member.size,
        }
    }

    /// A reader of its bytes from a place on.
    pub(super) fn open(&self, offset: u64) -> io::Result<Input> {
        let input: Box<dyn Read + Send> = match &self.from {
            &Stretch::Range { base, end, .. } => {
                let mut file = File::open(&self.path)?;
                file.seek(SeekFrom::Start(base.saturating_add(offset)))?;
                Box::new(file.take(end.saturating_sub(offset)))
            }
            Stretch::Stream(wacz, member) => wacz.open_member(member)?,
        };
        Ok(BufReader::with_capacity(256 << 10, input))
    }

    /// Can it be read from anywhere?
    pub(super) fn is_range(&self) -> bool {
        matches!(self.from, Stretch::Range { .. })
    }

    /// The file once more, to copy records from, and where in it places count from; if it can be read anywhere.
    pub(super) fn file(&self) -> io::Result<Option<(File, u64)>> {
        match self.from {
            Stretch::Range { base, .. } => Ok(Some((File::open(&self.path)?, base))),
            Stretch::Stream(..) => Ok(None),
        }
    }

    /// How far it is when everything before `offset` is in the archive.
    pub(super) fn progress(&self, offset: u64, done: bool) -> io::Result<Progress> {
        let start = self.start();
        let part = if start == 0 { String::new() } else { format!("#{start}") };
        Ok(Progress { source: format!("{}{part}", absolute(&self.name)), ..progress(&self.path, offset, done)? })
    }
}

/// How far a file is that is imported as a whole.
pub(super) fn progress(path: &Path, offset: u64, done: bool) -> io::Result<Progress> {
    let metadata = path.metadata()?;
    let source = absolute(&path.display().to_string());
    Ok(Progress { source, size: metadata.len(), modified: modified(&metadata), offset, done })
}

/// A path from the root, so that it means the same from everywhere.
fn absolute(path: &str) -> String {
    std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

fn modified(metadata: &Metadata) -> Option<Time> {
    let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    moment(since.as_secs_f64())
}
