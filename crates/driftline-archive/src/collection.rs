//! What do these files hold? Archives of others, read in place: WARC, ARC, WACZ, their indexes, and folders.
//!
//! Nothing is copied or imported. Each file is read through once, by all cores, and what is kept in memory is where
//! each capture stands: about a hundred bytes, so that ten million of them fit a gigabyte. A file that an index (CDX,
//! CDXJ) names is not read through: the index is believed. The index within a WACZ file is not used: its archives are
//! read through as other files are.
//!
//! Captures are filed by [key](driftline_catalog::surt::key), as the field does it: `http://www.example.org/` and
//! `https://example.org` are one page. [`Collection::find`] follows the rule of [`address`](driftline_catalog::address).

mod entries;
mod files;
mod indexes;
mod list;
mod open;
mod piece;
mod read;
mod scan;
mod section;
mod skips;

use std::path::PathBuf;

use crate::Time;
use driftline_catalog::address::{Address, When};
use driftline_catalog::seconds::{SECOND, is_whole, second};
use driftline_catalog::surt;

pub use entries::{Entry, Kind, digest_hash};
pub use files::Source;
pub use list::{OpenError, sources};
pub use piece::{Counted, Piece, Readers};
pub use read::{Document, ReadError};
pub use scan::scan;
pub use skips::{Skipped, Skips};

use entries::Entries;
use files::Files;

/// Files of others, and where each capture stands in them.
pub struct Collection {
    files: Files,
    entries: Entries,
}

/// Why there is no such capture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotFound {
    /// There is none of this URL.
    #[error("there is no capture of `{url}`{}", hint_of_near(.near))]
    Url {
        /// The URL.
        url: String,
        /// URLs beside it that there are captures of.
        near: Vec<String>,
    },
    /// There are captures of this URL, but none of this time.
    #[error("there is no capture of `{url}` at {}; the nearest is of {}\nhint: write `{url}@={}` for that one; there are {count}, from {} to {}",
        .at.digits(), .nearest.digits(), .nearest.digits(), .first.digits(), .last.digits())]
    Time {
        /// The URL.
        url: String,
        /// The time that was asked for.
        at: Time,
        /// The nearest that there is.
        nearest: Time,
        /// How many captures there are.
        count: usize,
        /// The first of them.
        first: Time,
        /// The last of them.
        last: Time,
    },
}

fn hint_of_near(near: &[String]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let near: Vec<_> = near.iter().map(|url| format!("`{url}`")).collect();
    format!("\nhint: there are captures of {}", near.join(", "))
}

/// How many URLs are named beside one that is not there.
const MOST_NEAR: usize = 3;

impl Collection {
    /// Reads where captures stand in these files and folders. `advance` is told how many more bytes were read, of
    /// [`size`](Self::size) in all.
    ///
    /// What cannot be read is skipped and told.
    ///
    /// # Errors
    /// If a file or folder that was named is not there, or is none of these.
    pub fn open(paths: &[PathBuf], advance: &(dyn Fn(u64) + Sync)) -> Result<(Self, Skips), OpenError> {
        Self::open_with(paths, Readers::default(), advance)
    }

    /// The same, with these readers.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(
        paths: &[PathBuf],
        readers: Readers,
        advance: &(dyn Fn(u64) + Sync),
    ) -> Result<(Self, Skips), OpenError> {
        open::open(paths, readers, advance)
    }

    /// How many bytes will be read to open these files and folders.
    #[must_use]
    pub fn size(paths: &[PathBuf]) -> u64 {
        list::size(paths)
    }

    /// How many captures there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.all().len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many pages there are captures of.
    #[must_use]
    pub fn page_count(&self) -> usize {
        self.entries.page_count()
    }

    /// All captures of a page, in time order. Pages are numbered from 0 in the order of their keys.
    #[must_use]
    pub fn page(&self, number: usize) -> &[Entry] {
        self.entries.page(number)
    }

    /// All captures of all pages, page by page.
    #[must_use]
    pub fn pages(&self) -> impl ExactSizeIterator<Item = &[Entry]> {
        (0..self.page_count()).map(|number| self.page(number))
    }

    /// All captures of this URL, in time order: of all URLs with its key.
    #[must_use]
    pub fn captures_of(&self, url: &str) -> &[Entry] {
        self.entries.search(&surt::key(url)).map_or(&[], |number| self.page(number))
    }

    /// The URL of a capture.
    #[must_use]
    pub fn url(&self, entry: &Entry) -> &str {
        self.entries.url(entry)
    }

    /// The file that a capture is in.
    #[must_use]
    pub fn file(&self, entry: &Entry) -> &std::path::Path {
        self.files.path(entry.file)
    }

    /// The capture that is meant.
    ///
    /// # Errors
    /// If there is none; what there is instead is told.
    pub fn find(&self, address: &Address) -> Result<&Entry, NotFound> {
        let captures = self.captures_of(&address.url);
        let (Some(first), Some(last)) = (captures.first(), captures.last()) else {
            return Err(NotFound::Url { url: address.url.clone(), near: self.near(&address.url) });
        };
        if let When::Exactly(at) = address.when {
            return self.exact(&address.url, captures, at).ok_or_else(|| NotFound::Time {
                url: address.url.clone(),
                at,
                nearest: captures.iter().map(|own| own.at).min_by_key(|own| own.distance(at)).unwrap_or(first.at),
                count: captures.len(),
                first: first.at,
                last: last.at,
            });
        }
        let is_other = |entry: &Entry| self.url(entry) != address.url;
        let order = |entry: &&Entry| match address.when {
            When::First => (i128::from(second(entry.at)), is_other(entry), i128::from(entry.at.microseconds())),
            When::Latest => (-i128::from(second(entry.at)), is_other(entry), -i128::from(entry.at.microseconds())),
            When::Nearest(at) | When::Exactly(at) => {
                let distance = i128::from(entry.at.distance(at));
                (distance / i128::from(SECOND), is_other(entry), distance)
            }
        };
        let page = captures.iter().filter(|entry| entry.is_page()).min_by_key(order);
        Ok(page.or_else(|| captures.iter().min_by_key(order)).unwrap_or(first))
    }

    /// The capture of this second; of this very moment, if a fraction of a second is said.
    fn exact<'a>(&self, url: &str, captures: &'a [Entry], at: Time) -> Option<&'a Entry> {
        let same = |own: Time| own == at || is_whole(at) && second(own) == second(at);
        captures.iter().filter(|entry| same(entry.at)).min_by_key(|entry| self.url(entry) != url)
    }

    /// URLs of the same host that are filed beside this one.
    fn near(&self, url: &str) -> Vec<String> {
        let key = surt::key(url);
        let host = key.split(')').next().unwrap_or_default();
        let numbers = self.entries.around(&key, MOST_NEAR);
        let urls = numbers.filter_map(|number| self.page(number).first()).map(|entry| self.url(entry));
        urls.filter(|own| surt::key(own).split(')').next() == Some(host)).take(MOST_NEAR).map(str::to_owned).collect()
    }
}
