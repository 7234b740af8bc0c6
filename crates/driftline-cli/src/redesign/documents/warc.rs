//! The pages in WARC and ARC files, in the order of their dates.
//!
//! Crawlers write several files at once, and archives are joined in any order. So the files are read twice:
//! first for the dates and the places of the pages, then for the pages, each at its place. Of a page
//! only these are kept, some 40 bytes. A record that stands within a compressed member cannot be sought;
//! a file with such records is read from its beginning to its end, and has to be in order itself.

mod date;
mod scan;

use std::collections::HashMap;
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use driftline::page::Source;
use driftline_archive::http::{NotHttp, Response};
use driftline_archive::warc::{Format, Kind, Place, Reader, Record};

use super::{Body, Document};
use scan::{Found, Scan};

/// A page in a WARC file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) bytes: Vec<u8>,
    pub(super) content_type: Option<String>,
    pub(super) url: Option<String>,
    /// Is the page longer than these bytes?
    pub(super) is_cut: bool,
}

impl Page {
    pub(super) fn source(&self) -> Source<'_> {
        Source { bytes: &self.bytes, content_type: self.content_type.as_deref(), url: self.url.as_deref() }
    }
}

type FileReader = Reader<File>;

/// The pages of some files that were looked through.
pub(super) struct Pages {
    files: Vec<Arc<Path>>,
    found: std::vec::IntoIter<Found>,
    /// Files that have to be read in order, and how far they are.
    in_order: HashMap<u32, FileReader>,
    max_bytes: usize,
}

/// The pages of these files, in the order of their dates, after all that cannot be read.
pub(super) fn documents(paths: &[PathBuf], max_bytes: usize) -> impl Iterator<Item = Document> + use<> {
    let mut scan = Scan::default();
    for (file, path) in (0..).zip(paths) {
        scan.file(file, path);
    }
    let Scan { mut found, broken, in_order, .. } = scan;
    found.sort_by_key(|found| found.date);
    let pages = Pages {
        files: paths.iter().map(|path| path.as_path().into()).collect(),
        found: found.into_iter(),
        in_order,
        max_bytes,
    };
    broken.into_iter().chain(pages)
}

impl Iterator for Pages {
    type Item = Document;

    fn next(&mut self) -> Option<Document> {
        let Found { file, place, .. } = self.found.next()?;
        let path = Arc::clone(&self.files[file as usize]);
        let Some(reader) = self.in_order.get_mut(&file) else {
            let name = format!("{} at byte {}", path.display(), place.offset);
            return Some(Document { name, body: Ok(Body::Record { path, offset: place.offset }) });
        };
        Some(match page_at(reader, place, self.max_bytes) {
            Ok(page) => {
                let name = page.url.clone().unwrap_or_else(|| path.display().to_string());
                Document { name, body: Ok(Body::Page(page)) }
            }
            Err(error) => Document::broken(path.display().to_string(), error),
        })
    }
}

/// The page whose record begins at this byte.
pub(super) fn read(path: &Path, offset: u64, max_bytes: usize) -> Result<Page> {
    let mut file = File::open(path).with_context(|| format!("cannot open `{}`", path.display()))?;
    file.seek(SeekFrom::Start(offset))?;
    let mut reader = Reader::from_offset(file, offset);
    page_at(&mut reader, Place { offset, within: 0 }, max_bytes)
}

/// Goes on to the record at this place, and reads its page.
fn page_at(reader: &mut FileReader, place: Place, max_bytes: usize) -> Result<Page> {
    for record in reader.by_ref() {
        match record {
            Ok(record) if record.place == place => return page(reader, &record, max_bytes),
            Err(error) if error.is_last() => return Err(error.into()),
            // Another record; what is malformed was told when the file was looked through.
            _ => {}
        }
    }
    bail!("there is no record at byte {} any more", place.offset)
}

/// Headers and the signs of transfer codings, beside the page itself.
const ROOM: usize = 1 << 20;

fn page(reader: &mut FileReader, record: &Record, max_bytes: usize) -> Result<Page> {
    let body = reader.body(max_bytes.saturating_add(ROOM))?;
    let url = record.target_uri.clone();
    if record.kind == Kind::Resource {
        let content_type = record.headers.get("Content-Type").map(str::to_owned);
        let is_cut = body.is_cut || body.bytes.len() > max_bytes;
        return Ok(Page { bytes: body.bytes, content_type, url, is_cut });
    }
    // One byte more, so that the cut is noticed.
    let response =
        Response::parse(&body.bytes, max_bytes.saturating_add(1)).map_err(|error: NotHttp| anyhow!(error))?;
    if let Some(coding) = response.unknown_coding.filter(|_| !scan::looks_like_html(&response.body)) {
        bail!("its content coding `{coding}` cannot be undone");
    }
    let is_cut = body.is_cut || response.is_cut || response.body.len() > max_bytes;
    let content_type = response.head.headers.get("Content-Type").map(str::to_owned);
    Ok(Page { bytes: response.body, content_type, url, is_cut })
}

/// Is it a WARC file, or something like it that deserves an answer? By its name, or by its first bytes.
pub(super) fn is_warc(path: &Path) -> bool {
    const NAMES: [&str; 9] =
        [".warc", ".warc.gz", ".warc.zst", ".warc.lz4", ".arc", ".arc.gz", ".wacz", ".cdx", ".cdxj"];
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    NAMES.iter().any(|ending| name.ends_with(ending)) || (path.is_file() && begins_as_warc(path))
}

fn begins_as_warc(path: &Path) -> bool {
    let first = File::open(path).ok().and_then(|file| Reader::new(file).next()?.ok());
    // A line of five words could begin a record of ARC, but not the file; and an empty one is hardly a record.
    first.is_some_and(|record| match record.format {
        Format::Warc => record.headers.iter().next().is_some(),
        _ => record.kind == Kind::ArcHeader,
    })
}
