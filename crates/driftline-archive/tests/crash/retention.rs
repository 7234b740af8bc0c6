//! Retention under kills: pages of which few captures are kept, while others are appended.

use std::collections::BTreeMap;
use std::sync::Arc;

use driftline_archive::Time;
use driftline_archive::archive::Archive;
use driftline_archive::care::compact::{Compact, CompactError, Limits, Mode, PageRules, retain};
use driftline_archive::care::retention::Retention;
use driftline_catalog::digest::Digest;

/// Of these pages one capture is kept.
const PAGES: [&str; 2] = ["http://example.org/0", "http://example.org/1"];

/// Applies retention until the program is killed.
pub(crate) fn apply(archive: &Archive) {
    let page = |url: &&str| PageRules {
        urls: vec![Arc::from(*url)],
        rules: vec![Retention { keep: Some(1), ..Retention::default() }],
        watch: Arc::from(*url),
        judged: None,
    };
    let pages = PAGES.iter().map(page).collect();
    let now = Time::from_microseconds(i64::MAX / 2);
    let what = Compact { pages, now, mode: Mode::Real, ..Compact::default() };
    loop {
        match retain(archive, &what, &Limits::default(), &|| false) {
            Ok(_) | Err(CompactError::Busy) => {}
            Err(error) => panic!("retention fails: {error}"),
        }
    }
}

/// What was acknowledged of those pages: how many captures, and of each page the newest one and its digest.
#[derive(Default)]
pub(crate) struct Kept {
    acknowledged: u64,
    newest: BTreeMap<String, (i64, String)>,
}

impl Kept {
    /// Notes a line of a writer, if it is of such a page.
    pub(crate) fn takes(&mut self, line: &str) -> bool {
        let words: Vec<_> = line.split(' ').collect();
        let [url, at, digest] = words[..] else { panic!("no line of a writer: {line}") };
        if !PAGES.contains(&url) {
            return false;
        }
        let at: i64 = at.parse().expect("a time");
        self.acknowledged += 1;
        let newest = self.newest.entry(url.to_owned()).or_default();
        *newest = (at, digest.to_owned()).max(std::mem::take(newest));
        true
    }

    /// Each page says what it said last, all captures that are left can be read, and most of them are gone.
    pub(crate) fn check(&self, archive: &Archive) -> u64 {
        let mut left = 0;
        for (url, (at, digest)) in &self.newest {
            let captures = archive.captures_of(url).expect("the catalog can be read");
            left += captures.len() as u64;
            let says = |stored| {
                let found = archive.read(stored, 1 << 24).unwrap_or_else(|error| panic!("unreadable: {url}: {error}"));
                Digest::sha1(found.body()).to_string()
            };
            let digests: Vec<String> = captures.iter().map(says).collect();
            let is_there =
                captures.iter().zip(&digests).any(|(own, says)| own.capture.at.microseconds() > *at || says == digest);
            assert!(is_there, "the newest version of {url} is lost: {at} {digest}");
        }
        self.acknowledged.saturating_sub(left)
    }
}
