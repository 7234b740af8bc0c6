//! What is kept of each capture in memory, and in which order.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::Time;
use driftline_catalog::digest::Digest;
use driftline_catalog::{address, surt};

/// Where a capture stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// When it was captured.
    pub at: Time,
    pub(super) offset: u64,
    /// A hash of the digest of its payload; 0 if there is none.
    pub(super) digest: u64,
    pub(super) url: u32,
    pub(super) file: u32,
    /// 0 if it is not known.
    pub(super) status: u16,
    pub(super) kind: Kind,
    pub(super) is_other: bool,
    pub(super) is_typed: bool,
}

/// What was captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An answer of a server.
    Response,
    /// A file, without the protocol that brought it.
    Resource,
    /// An answer that had been captured before.
    Revisit,
}

impl Entry {
    /// What was captured.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What the server answered, if it is known; indexes do not always tell.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        (self.status != 0).then_some(self.status)
    }

    /// Is it a page, as far as is known? A redirect has no body of its own, an error tells of the server, and a 304
    /// is one only if it stands for the page before it.
    #[must_use]
    pub fn is_page(&self) -> bool {
        address::is_page(self.status(), self.kind == Kind::Revisit)
    }

    /// May it be text: HTML, XML, JSON, plain text? So it may if it does not say what it is.
    #[must_use]
    pub fn may_be_text(&self) -> bool {
        !self.is_other
    }

    /// Does it say what it is?
    #[must_use]
    pub fn is_typed(&self) -> bool {
        self.is_typed
    }

    /// A hash of the digest of its payload, if that is known.
    #[must_use]
    pub fn payload(&self) -> Option<u64> {
        (self.digest != 0).then_some(self.digest)
    }

    /// Is its payload the same as the other's, by their digests?
    #[must_use]
    pub fn has_same_payload(&self, other: &Self) -> bool {
        self.digest != 0 && self.digest == other.digest
    }
}

/// A hash of a digest, whether its algorithm is named before it or not, and however it is spelt.
#[must_use]
pub fn digest_hash(digest: &str) -> u64 {
    let named = ["", "sha1:", "sha256:", "sha512:"].iter().map(|algorithm| format!("{algorithm}{digest}"));
    let known = named.into_iter().find_map(|digest| digest.parse::<Digest>().ok());
    let own = known.map_or_else(|| digest.rsplit(':').next().unwrap_or(digest).to_ascii_uppercase(), |own| own.hex());
    let mut hasher = DefaultHasher::new();
    own.hash(&mut hasher);
    hasher.finish().max(1)
}

/// So many captures are kept in memory; they take about 5 GB, and what is more is left out and told.
const MOST_ENTRIES: usize = 50_000_000;
/// So many bytes of URLs.
const MOST_URL_BYTES: usize = 4 << 30;

/// Entries on their way in.
pub(super) struct Gathered {
    urls: HashMap<Box<str>, u32>,
    url_bytes: usize,
    entries: Vec<Entry>,
    most: usize,
    /// How many did not fit.
    left_out: u64,
}

impl Default for Gathered {
    fn default() -> Self {
        Self { urls: HashMap::new(), url_bytes: 0, entries: Vec::new(), most: MOST_ENTRIES, left_out: 0 }
    }
}

impl Gathered {
    /// Takes an entry with its URL, if there is room.
    pub(super) fn push(&mut self, url: &str, entry: Entry) {
        if self.entries.len() >= self.most {
            self.left_out += 1;
            return;
        }
        match self.url(url) {
            Some(url) => self.entries.push(Entry { url, ..entry }),
            None => self.left_out += 1,
        }
    }

    /// The number of a URL; none if there is no room for it.
    fn url(&mut self, url: &str) -> Option<u32> {
        if let Some(&number) = self.urls.get(url) {
            return Some(number);
        }
        self.url_bytes = self.url_bytes.checked_add(url.len()).filter(|&bytes| bytes <= MOST_URL_BYTES)?;
        let number = u32::try_from(self.urls.len()).ok()?;
        self.urls.insert(url.into(), number);
        Some(number)
    }

    /// Takes entries of a file, each with its URL.
    pub(super) fn take(&mut self, file: u32, entries: Vec<(Box<str>, Entry)>) {
        for (url, entry) in entries {
            self.push(&url, Entry { file, ..entry });
        }
    }

    /// Forgets the entries of these files.
    pub(super) fn drop_files(&mut self, files: &BTreeSet<u32>) {
        if !files.is_empty() {
            self.entries.retain(|entry| !files.contains(&entry.file));
        }
    }

    /// What is to be told of those that did not fit.
    pub(super) fn left_out(&self) -> Option<String> {
        (self.left_out > 0).then(|| {
            let (kept, left_out) = (self.entries.len(), self.left_out);
            format!(
                "only {kept} captures fit in memory, {left_out} are left out\nhint: name fewer files at once, or import \
                 them with `driftline archive import`"
            )
        })
    }
}

/// All entries, page by page in the order of their keys, each page's in time order.
pub(super) struct Entries {
    urls: Vec<Box<str>>,
    all: Vec<Entry>,
    /// Where each page begins, and the end of the last.
    starts: Vec<u32>,
}

impl Entries {
    pub(super) fn new(gathered: Gathered) -> Self {
        let Gathered { urls: numbers, mut entries, .. } = gathered;
        let mut urls: Vec<Box<str>> = vec!["".into(); numbers.len()];
        for (url, number) in numbers {
            urls[number as usize] = url;
        }
        let page_of = page_numbers(&urls);
        let page = |entry: &Entry| page_of[entry.url as usize];
        entries.sort_unstable_by_key(|entry| (page(entry), entry.at, entry.file, entry.offset, entry.kind));
        // Two indexes may tell of the same record.
        entries.dedup_by_key(|entry| (page(entry), entry.at, entry.file, entry.offset));
        let mut starts = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            if number == 0 || page(entry) != page(&entries[number - 1]) {
                starts.push(u32::try_from(number).unwrap_or(u32::MAX));
            }
        }
        starts.push(u32::try_from(entries.len()).unwrap_or(u32::MAX));
        Self { urls, all: entries, starts }
    }

    pub(super) fn all(&self) -> &[Entry] {
        &self.all
    }

    pub(super) fn page_count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn page(&self, number: usize) -> &[Entry] {
        let bounds = self.starts.get(number).zip(self.starts.get(number + 1));
        bounds.map_or(&[], |(&start, &end)| &self.all[start as usize..end as usize])
    }

    pub(super) fn url(&self, entry: &Entry) -> &str {
        &self.urls[entry.url as usize]
    }

    /// The page with this key.
    pub(super) fn search(&self, key: &str) -> Option<usize> {
        let number = self.position(key);
        (number < self.page_count() && self.key(number) == key).then_some(number)
    }

    /// Pages that would stand beside this key, nearest first.
    pub(super) fn around(&self, key: &str, count: usize) -> impl Iterator<Item = usize> {
        let at = self.position(key);
        let all = self.page_count();
        (0..count)
            .flat_map(move |step| [at.checked_sub(step + 1), Some(at + step).filter(|&number| number < all)])
            .flatten()
    }

    fn position(&self, key: &str) -> usize {
        let (mut low, mut high) = (0, self.page_count());
        while low < high {
            let middle = low.midpoint(high);
            if self.key(middle).as_str() < key { low = middle + 1 } else { high = middle }
        }
        low
    }

    fn key(&self, number: usize) -> String {
        self.page(number).first().map(|entry| surt::key(self.url(entry))).unwrap_or_default()
    }
}

/// The number of each URL's page: pages are in the order of their keys.
fn page_numbers(urls: &[Box<str>]) -> Vec<u32> {
    let mut keys: Vec<(String, u32)> = urls.iter().map(|url| surt::key(url)).zip(0..).collect();
    keys.sort_unstable();
    let mut pages = vec![0; urls.len()];
    let mut page = 0;
    for (at, (key, url)) in keys.iter().enumerate() {
        if at > 0 && *key != keys[at - 1].0 {
            page += 1;
        }
        pages[*url as usize] = page;
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_the_same_however_it_is_spelt() {
        let of_nothing = digest_hash("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        for other in ["3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709"] {
            assert_eq!(digest_hash(other), of_nothing, "{other}");
        }
        assert_eq!(digest_hash("md5:ab"), digest_hash("AB"));
        assert_ne!(digest_hash("md5:ac"), digest_hash("AB"));
    }

    #[test]
    fn what_does_not_fit_is_left_out_and_told() {
        let mut gathered = Gathered { most: 2, ..Gathered::default() };
        let at = Time::default();
        let entry = Entry {
            at,
            offset: 0,
            digest: 0,
            url: 0,
            file: 0,
            status: 200,
            kind: Kind::Response,
            is_other: false,
            is_typed: true,
        };
        gathered.take(0, (0..2).map(|offset| ("http://a/".into(), Entry { offset, ..entry })).collect());
        assert_eq!(gathered.left_out(), None);
        gathered.push("http://b/", entry);
        assert!(gathered.left_out().unwrap().starts_with("only 2 captures fit in memory, 1 are left out\nhint: "));
        assert_eq!(Entries::new(gathered).all().len(), 2);
    }
}
