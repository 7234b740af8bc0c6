//! The rows of one source, taken down in blocks, in a file that counts once it is finished.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use driftline::novelty::crawl::{Crawled, Row, SkipReason};
use driftline::novelty::url::Canonical;
use driftline::time::Time;
use serde::{Deserialize, Serialize};
use tempfile::TempPath;

use super::block::{Block, Written};
use super::known::Page;
use super::skip_reason::{LINK, PAGE, REDIRECT, ROW};
use super::{AddError, Source};
use crate::series::leftovers::UNFINISHED;

/// The writer of what one source holds; each source has its own, on a thread of its own.
pub struct SourceReader {
    path: PathBuf,
    /// Goes with this, unless it is finished.
    part: TempPath,
    to: BufWriter<File>,
    block: Block,
    /// A block is written when it takes so many bytes.
    limit: usize,
    trailer: Trailer,
    /// The source of the last link as it was written: mostly the next one's too.
    last: Option<(String, Canonical)>,
}

/// What ends a harvest: where its blocks are, and what is not in them.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Trailer {
    /// [`VERSION`] of the program that wrote it.
    version: String,
    pub(super) source: Source,
    pub(super) blocks: Vec<Written>,
    /// What could not be read, by [reason](SkipReason).
    pub(super) skipped: BTreeMap<String, u64>,
    /// What every crawl has and no page is, by reason.
    pub(super) left_out: BTreeMap<String, u64>,
}

/// A harvest of another version is made again: its blocks may be laid out in another way, and its keys and links come from
/// other rules. The number is for changes between two versions of the program.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " 3");
/// A longer trailer is none of ours.
const MOST_TRAILER: u64 = 1 << 30;

impl SourceReader {
    pub(super) fn new(path: PathBuf, source: Source, limit: usize) -> Result<Self, AddError> {
        let part = path.with_extension(UNFINISHED);
        let file = driftline_files::create(&part).map_err(AddError::file("make", &part))?;
        let part = TempPath::try_from_path(&part).map_err(AddError::file("make", &part))?;
        let version = VERSION.to_owned();
        let trailer =
            Trailer { version, source, blocks: Vec::new(), skipped: BTreeMap::new(), left_out: BTreeMap::new() };
        Ok(Self { path, part, to: BufWriter::new(file), block: Block::new(), limit, trailer, last: None })
    }

    /// Takes a row of a table or an archive.
    ///
    /// # Errors
    /// If what was read cannot be written.
    pub fn take(&mut self, row: &Row<'_>) -> Result<(), AddError> {
        match *row {
            Row::Crawled(ref page, links) => self.page(page, links),
            Row::Fringe(url) => self.fringe(url),
            Row::Link { source, target } => self.link(source, target),
            Row::Redirect { from, to } => self.redirect(from, to),
            Row::Skipped(reason) => {
                self.skip(reason, 1);
                Ok(())
            }
        }
    }

    /// A page that was crawled, and the absolute addresses that it links to. What is no http or https address is
    /// skipped and counted. Repetitions and links to itself count for nothing.
    ///
    /// # Errors
    /// If what was read cannot be written.
    pub fn page<L>(&mut self, page: &Crawled<'_>, links: L) -> Result<(), AddError>
    where
        L: IntoIterator,
        L::Item: AsRef<str>,
    {
        let Some(address) = self.address(page.url, PAGE) else { return Ok(()) };
        let mut source = self.block.id(&address);
        let crawled = Page {
            fetched: page.fetched.map(Time::microseconds),
            last_modified: page.last_modified.map(Time::microseconds),
            is_bare: !address.www(),
            sketch: page.sketch.copied().map(Box::new),
        };
        self.block.page(source, crawled);
        for link in links {
            let Some(target) = self.address(link.as_ref(), LINK) else { continue };
            if self.write_if_full()? {
                source = self.block.id(&address);
            }
            let target = self.block.target(&target);
            self.block.link(source, target);
        }
        self.write_if_full().map(drop)
    }

    /// A link. Only those of pages that were crawled count, whichever source says so.
    ///
    /// # Errors
    /// If what was read cannot be written.
    pub fn link(&mut self, source: &str, target: &str) -> Result<(), AddError> {
        let Some(target) = self.address(target, LINK) else { return Ok(()) };
        if self.last.as_ref().is_none_or(|(last, _)| last != source) {
            let Some(address) = self.address(source, LINK) else { return Ok(()) };
            self.last = Some((source.to_owned(), address));
        }
        if let Some((_, source)) = &self.last {
            let source = self.block.id(source);
            let target = self.block.target(&target);
            self.block.link(source, target);
        }
        self.write_if_full().map(drop)
    }

    /// A redirect: links to `from` become links to where it leads in the end, unless `from` is a page that was crawled.
    ///
    /// # Errors
    /// If what was read cannot be written.
    pub fn redirect(&mut self, from: &str, to: &str) -> Result<(), AddError> {
        let Some(from) = self.address(from, REDIRECT) else { return Ok(()) };
        let Some(to) = self.address(to, REDIRECT) else { return Ok(()) };
        if from.key() != to.key() {
            let (from, to) = (self.block.id(&from), self.block.target(&to));
            self.block.redirect(from, to);
        }
        self.write_if_full().map(drop)
    }

    /// An address that is known without having been crawled.
    ///
    /// # Errors
    /// If what was read cannot be written.
    pub fn fringe(&mut self, url: &str) -> Result<(), AddError> {
        let Some(address) = self.address(url, ROW) else { return Ok(()) };
        self.block.list(&address);
        self.write_if_full().map(drop)
    }

    /// Something that does not count, and how often.
    pub fn skip(&mut self, reason: SkipReason, count: u64) {
        let Trailer { skipped, left_out, .. } = &mut self.trailer;
        let counts = if reason.is_ordinary() { left_out } else { skipped };
        if let Some(so_far) = counts.get_mut(reason.text()) {
            *so_far += count;
        } else if count > 0 {
            counts.insert(reason.text().to_owned(), count);
        }
    }

    /// Keeps the harvest: from now on it survives a kill. Dropped without this, nothing of the source is kept.
    ///
    /// # Errors
    /// If what was read cannot be written.
    pub fn finish(mut self) -> Result<(), AddError> {
        self.write_block()?;
        let Self { path, part, mut to, trailer, .. } = self;
        let unfinished = part.to_path_buf();
        let finish = || -> io::Result<()> {
            let json = serde_json::to_vec(&trailer)?;
            to.write_all(&json)?;
            to.write_all(&(json.len() as u64).to_le_bytes())?;
            to.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            Ok(part.persist(&path)?)
        };
        finish().map_err(AddError::file("write", &unfinished))
    }

    fn address(&mut self, url: &str, reason: SkipReason) -> Option<Canonical> {
        let address = Canonical::of(url);
        if address.is_none() {
            self.skip(reason, 1);
        }
        address
    }

    fn write_if_full(&mut self) -> Result<bool, AddError> {
        let is_full = self.block.bytes() >= self.limit;
        if is_full {
            self.write_block()?;
        }
        Ok(is_full)
    }

    fn write_block(&mut self) -> Result<(), AddError> {
        if !self.block.is_empty() {
            let written = self.block.write(&mut self.to).map_err(AddError::file("write", &self.part))?;
            self.trailer.blocks.push(written);
        }
        Ok(())
    }
}

impl Trailer {
    /// Is it what this program would write of a source?
    pub(super) fn is_of(&self, source: &Source) -> bool {
        self.version == VERSION && self.source == *source
    }

    /// Reads the end of a harvest.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let end = file.seek(SeekFrom::End(-8))?;
        let mut length = [0; 8];
        file.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        let begin = end.checked_sub(length).filter(|_| length <= MOST_TRAILER);
        let begin = begin.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a harvest is damaged"))?;
        file.seek(SeekFrom::Start(begin))?;
        Ok(serde_json::from_reader(BufReader::new(file.take(length)))?)
    }
}

impl std::fmt::Debug for SourceReader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SourceReader").field("source", &self.trailer.source).finish_non_exhaustive()
    }
}
