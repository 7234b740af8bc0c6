//! Where are captures? In files of others, read in place, or in driftline's own archive.

mod find;
mod recognise;

use std::path::PathBuf;
use std::sync::Arc;
use std::vec;

use anyhow::{Result, anyhow};
use driftline::page::{BodyKind, Source};
use driftline_archive::archive::Found;
use driftline_archive::collection::{Collection, Document, Entry, Kind, digest_hash};
use driftline_archive::derive::{SNIFFED, is_readable};
use driftline_archive::{Archive, Time};
use driftline_catalog::address::is_page;
use driftline_catalog::{CaptureKind, Cursor, NewCapture, StoredCapture};

pub(crate) use recognise::are_in;

use crate::measure::Identity;
use crate::progress::Progress;
use crate::tell;

/// Captures, wherever they are.
pub(crate) enum Holdings {
    Files(Collection),
    Archive(Archive),
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Held {
    File(Entry),
    Stored(Arc<StoredCapture>),
}

/// What a capture is, before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Text that was found: HTML, XML, JSON, plain text, or something that does not say what it is and begins as text.
    Page,
    Redirect,
    /// Another status that is no success.
    Failure,
    /// A picture, a style sheet, and so on.
    Other,
}

impl Holdings {
    pub(crate) fn at(held: &Held) -> Time {
        match held {
            Held::File(entry) => entry.at,
            Held::Stored(stored) => stored.capture.at,
        }
    }

    pub(crate) fn url<'a>(&'a self, held: &'a Held) -> &'a str {
        match (self, held) {
            (Self::Files(collection), Held::File(entry)) => collection.url(entry),
            (_, Held::Stored(stored)) => &stored.capture.url,
            (Self::Archive(_), Held::File(_)) => unreachable!("an archive has no entries of files"),
        }
    }

    pub(crate) fn role(&self, held: &Held) -> Role {
        let (status, is_text) = match held {
            Held::File(entry) => (entry.status(), entry.is_typed().then_some(entry.may_be_text())),
            Held::Stored(stored) => {
                let is_text = |mime: &String| BodyKind::from_content_type(mime).is_some();
                (stored.capture.status, stored.capture.mime.as_ref().map(is_text))
            }
        };
        match status {
            Some(300..=399) => Role::Redirect,
            _ if !is_page(status, false) => Role::Failure,
            _ if is_text.unwrap_or_else(|| self.begins_as_text(held)) => Role::Page,
            _ => Role::Other,
        }
    }

    /// Nobody says what it is: is it text by its beginning? What cannot be read is told when it is to be compared.
    fn begins_as_text(&self, held: &Held) -> bool {
        self.read(held, SNIFFED).map_or(true, |document| is_readable(&source(&document)))
    }

    /// By what a capture is known among those of its second, if the digest of its payload is known.
    pub(crate) fn identity(&self, held: &Held) -> Option<Identity> {
        let (status, payload, is_revisit) = match held {
            Held::File(entry) => (entry.status(), entry.payload()?, entry.kind() == Kind::Revisit),
            Held::Stored(stored) => {
                let NewCapture { status, digest, kind, .. } = &stored.capture;
                (*status, digest_hash(digest.as_deref()?), *kind == CaptureKind::Revisit)
            }
        };
        Some(Identity { url: self.url(held).to_owned(), status, payload, is_revisit })
    }

    /// Do both have the same body, by their digests?
    pub(crate) fn have_same_payload(older: &Held, newer: &Held) -> bool {
        match (older, newer) {
            (Held::File(older), Held::File(newer)) => newer.has_same_payload(older),
            (Held::Stored(older), Held::Stored(newer)) => {
                older.capture.digest.is_some() && older.capture.digest == newer.capture.digest
            }
            _ => false,
        }
    }

    /// Reads a capture, with one byte more than `limit` at most, so that a cut is noticed.
    pub(crate) fn read(&self, held: &Held, limit: usize) -> Result<Document> {
        let limit = limit.saturating_add(1);
        match (self, held) {
            (Self::Files(collection), Held::File(entry)) => Ok(collection.read(entry, limit)?),
            (Self::Archive(archive), Held::Stored(stored)) => Ok(document(stored, archive.read(stored, limit)?)),
            _ => Err(anyhow!("the capture is somewhere else")),
        }
    }
}

/// What analysis reads of a capture.
pub(crate) fn source(document: &Document) -> Source<'_> {
    Source { bytes: &document.body, content_type: document.content_type.as_deref(), url: Some(&document.url) }
}

/// Finds the captures in files and folders, with a bar on a terminal. What cannot be read is told, and passed over.
pub(crate) fn open(paths: &[PathBuf], quiet: bool) -> Result<Collection> {
    let progress = Progress::of_bytes(quiet, || Collection::size(paths));
    let opened = Collection::open(paths, &|bytes| progress.advance_by(bytes));
    progress.finish();
    let (collection, skips) = opened?;
    for skipped in skips.first().iter().take(TOLD) {
        tell::warning(skipped);
    }
    if skips.count() > TOLD as u64 {
        tell::warning(format_args!("{} records and lines of indexes in all could not be read", skips.count()));
    }
    Ok(collection)
}

/// How many unreadable records are told one by one.
const TOLD: usize = 10;

fn document(stored: &StoredCapture, found: Found) -> Document {
    let (url, at) = (stored.capture.url.clone(), stored.capture.at);
    match found {
        Found::Http(response) => Document {
            url,
            at,
            status: Some(response.head.status),
            content_type: response.head.content_type().map(str::to_owned),
            body: response.body,
            is_cut: response.is_cut,
        },
        Found::Resource { content_type, body, is_cut } => {
            Document { url, at, status: None, content_type, body, is_cut }
        }
    }
}

/// All captures, page by page in the order of their keys, each page's in time order.
pub(crate) struct Walk {
    holdings: Arc<Holdings>,
    place: Place,
}

enum Place {
    Files { page: usize, next: usize },
    Archive { after: Option<Cursor>, ready: vec::IntoIter<StoredCapture> },
}

/// How many captures of an archive are asked for at once.
const PAGE: u32 = 1_000;

impl Walk {
    pub(crate) fn through(holdings: &Arc<Holdings>) -> Self {
        let place = match **holdings {
            Holdings::Files(_) => Place::Files { page: 0, next: 0 },
            Holdings::Archive(_) => Place::Archive { after: None, ready: Vec::new().into_iter() },
        };
        Self { holdings: Arc::clone(holdings), place }
    }

    /// The next capture, and whether a page begins with it.
    pub(crate) fn next(&mut self) -> Result<Option<(bool, Held)>> {
        match (&*self.holdings, &mut self.place) {
            (Holdings::Files(collection), Place::Files { page, next }) => {
                while *next >= collection.page(*page).len() {
                    if *page >= collection.page_count() {
                        return Ok(None);
                    }
                    (*page, *next) = (*page + 1, 0);
                }
                *next += 1;
                Ok(Some((*next == 1, Held::File(collection.page(*page)[*next - 1]))))
            }
            (Holdings::Archive(archive), Place::Archive { after, ready }) => {
                if ready.len() == 0 {
                    *ready = archive.catalog().by_key(after.as_ref(), PAGE)?.into_iter();
                }
                let Some(stored) = ready.next() else { return Ok(None) };
                let is_first = after.as_ref().is_none_or(|before| before.text != stored.capture.key);
                *after = Some(Cursor::of(&stored));
                Ok(Some((is_first, Held::Stored(Arc::new(stored)))))
            }
            _ => unreachable!("a walk is through the holdings that it was made for"),
        }
    }
}
