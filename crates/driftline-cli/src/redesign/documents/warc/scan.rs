//! The first look at WARC files: which records are pages, when were they captured, and where are they?

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use driftline::page::BodyKind;
use driftline_archive::http::{self, Head, NotHttp, Response};
use driftline_archive::warc::{Error, Kind, Place, Reader, Record};

use super::date::Date;
use super::{Document, FileReader, ROOM};
use crate::lines::BOM;

/// A page that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) date: Date,
    /// Which file, from 0.
    pub(super) file: u32,
    pub(super) place: Place,
}

/// How much of a record is looked at for the head of its response.
const MOST_HEAD: usize = 1 << 16;
/// How much of a body shows whether it is a page.
const MOST_LOOK: usize = 1 << 12;
/// After so many records that are malformed, the rest of a file is not worth reading.
const MOST_BROKEN: usize = 1_000;

/// What some files hold.
#[derive(Default)]
pub(super) struct Scan {
    pub(super) found: Vec<Found>,
    pub(super) broken: Vec<Document>,
    /// Files of which no record can be sought, to be read in order.
    pub(super) in_order: HashMap<u32, FileReader>,
}

impl Scan {
    /// Looks through a file.
    pub(super) fn file(&mut self, file: u32, path: &Path) {
        let before = self.found.len();
        if let Err(error) = self.look(file, path) {
            self.found.truncate(before);
            self.broken.push(Document::broken(path.display().to_string(), error));
        }
    }

    fn look(&mut self, file: u32, path: &Path) -> Result<()> {
        let (before, mut date, mut broken) = (self.found.len(), Date::default(), 0);
        let mut reader = open(path)?;
        while let Some(record) = reader.next() {
            let page = record.and_then(|record| Ok(is_page(&record, &mut reader)?.then_some(record)));
            match page {
                Ok(None) => {}
                Ok(Some(record)) => {
                    // A page without a date was captured when the page before it was.
                    date = record.date.as_deref().and_then(Date::of).unwrap_or(date);
                    self.found.push(Found { date, file, place: record.place });
                }
                Err(Error::NotWarc { what }) => return Err(anyhow!("this is {what}, not a WARC file{NOT_PAGES}")),
                Err(error) => {
                    // What is left of a page is not a page as well.
                    if let (Error::Truncated { place }, Some(last)) = (&error, self.found[before..].last())
                        && last.place == *place
                    {
                        self.found.pop();
                    }
                    broken += 1;
                    self.broken.push(Document::broken(path.display().to_string(), error.into()));
                }
            }
            if broken == MOST_BROKEN {
                let error = anyhow!("too many records are malformed; the rest of the file is not read");
                self.broken.push(Document::broken(path.display().to_string(), error));
                break;
            }
        }
        let found = &self.found[before..];
        if found.iter().any(|found| found.place.within > 0) {
            if !found.is_sorted_by_key(|found| found.date) {
                return Err(anyhow!("{NOT_SEEKABLE}"));
            }
            self.in_order.insert(file, open(path)?);
        }
        Ok(())
    }
}

const NOT_PAGES: &str = "\nhint: name the WARC or ARC files themselves; a WACZ file is a zip archive of them";
const NOT_SEEKABLE: &str = "its pages are not in the order of their dates, and cannot be sought, as they are \
    compressed together\nhint: unpack it first, or compress each record by itself with `warcio recompress`";

fn open(path: &Path) -> Result<FileReader> {
    let file = File::open(path).with_context(|| format!("cannot open `{}`", path.display()))?;
    Ok(Reader::new(file))
}

/// Is it a page, by its own word, or by its looks if it says nothing?
fn is_page(record: &Record, reader: &mut FileReader) -> Result<bool, Error> {
    match record.kind {
        Kind::Resource => Ok(record.headers.get("Content-Type").is_some_and(http::is_html)),
        Kind::Response => {
            let mut bytes = reader.body(MOST_HEAD)?.bytes;
            if bytes.len() == MOST_HEAD && Head::parse(&bytes).is_ok_and(|(_, body)| body.is_empty()) {
                // The head is longer than is usual.
                bytes.extend(reader.body(ROOM - MOST_HEAD)?.bytes);
            }
            let Response { head, body, .. } = match Response::parse(&bytes, MOST_LOOK) {
                Ok(response) => response,
                // A head that cannot be read is told when the page is; what has none is not HTTP's.
                Err(error) => return Ok(error == NotHttp::Headers),
            };
            Ok(head.is_success() && head.content_type().map_or_else(|| looks_like_html(&body), http::is_html))
        }
        _ => Ok(false),
    }
}

/// Does it begin as a page does?
pub(super) fn looks_like_html(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_LOOK)]);
    let begins = start.trim_start_matches(BOM).trim_start().starts_with('<');
    begins && BodyKind::sniff(&start) == BodyKind::Html
}
