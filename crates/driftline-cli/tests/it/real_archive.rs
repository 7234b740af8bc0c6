//! An archive of real pairs of pages, each under an address of its own.

use std::path::Path;

use driftline::change::Sides;
use driftline::page::{Page, ReadOptions, Source};
use driftline_archive::capture::{Capture, Content, Exchange};
use driftline_archive::{Archive, Time};
use driftline_testkit::pages::{RealPair, real_pairs};

/// The days of the two captures of a pair, in January 2024.
const DAYS: [u32; 2] = [1, 2];
const CONTENT_TYPE: &str = "text/html";

/// The pairs of a data folder in an archive.
pub(crate) struct RealArchive {
    folder: tempfile::TempDir,
    pub(crate) pairs: Vec<RealPair>,
}

impl RealArchive {
    pub(crate) fn of(data: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open_at(folder.path()).unwrap();
        let pairs = real_pairs(data);
        for (number, RealPair { older, newer, .. }) in pairs.iter().enumerate() {
            let captures = [older, newer].into_iter().zip(DAYS).map(|(body, day)| {
                let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {CONTENT_TYPE}\r\n\r\n").into_bytes();
                let content = Content::Http(Exchange { head, body: body.clone(), ..Exchange::default() });
                let at: Time = format!("2024-01-{day:02}T12:00:00Z").parse().unwrap();
                Capture { url: url(number), at, content, metadata: Vec::new() }
            });
            archive.append_all(&captures.collect::<Vec<_>>()).unwrap();
        }
        archive.close().unwrap();
        Self { folder, pairs }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The two captures of a pair, as the archive has them.
    pub(crate) fn sources<'a>(&'a self, number: usize, url: &'a str) -> Sides<Source<'a>> {
        let RealPair { older, newer, .. } = &self.pairs[number];
        let source = |bytes| Source { bytes, content_type: Some(CONTENT_TYPE), url: Some(url) };
        Sides { older: source(older), newer: source(newer) }
    }

    /// The two pages of a pair, read from them.
    pub(crate) fn pages(&self, number: usize, options: &ReadOptions) -> Sides<Page> {
        let url = url(number);
        let Sides { older, newer } = self.sources(number, &url);
        Sides { older: Page::read(older, options), newer: Page::read(newer, options) }
    }
}

/// The address of a pair.
pub(crate) fn url(number: usize) -> String {
    format!("http://pair-{number}.example/page/")
}
