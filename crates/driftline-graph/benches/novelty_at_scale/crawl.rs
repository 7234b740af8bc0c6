//! What did the made crawls find? The files of `evograph`, read as rules N1 to N3 say.
//!
//! A page's links at a crawl are those to pages born by then. What an earlier crawl has seen is found while the links
//! of the last one are read for the graph, so that they may come through a pipe.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use driftline_graph::novelty::{Before, Facts};
use driftline_graph::snapshot::Node;

/// Crawls of the same pages, the last of which is measured.
pub(crate) struct Crawl {
    /// A bit for each crawl that fetched the page.
    crawled: Vec<u8>,
    born: Vec<u8>,
    modified: Vec<u8>,
    /// Whether an earlier crawl fetched the page or a link to it.
    seen: Vec<bool>,
    last: u8,
}

impl Crawl {
    pub(crate) fn open(prefix: &Path) -> io::Result<Self> {
        let crawled = std::fs::read(beside(prefix, "crawl"))?;
        let last = epochs(prefix)? - 1;
        let seen = crawled.iter().map(|crawls| crawls & before(last) != 0).collect();
        Ok(Self { crawled, born: std::fs::read(beside(prefix, "birth"))?, modified: Vec::new(), seen, last })
    }

    /// With what was [kept](Self::keep_seen).
    pub(crate) fn open_seen(prefix: &Path, folder: &Path) -> io::Result<Self> {
        let crawled = std::fs::read(beside(prefix, "crawl"))?;
        let modified = std::fs::read(beside(prefix, "lm"))?;
        let seen = std::fs::read(folder.join("seen"))?.into_iter().map(|byte| byte == 1).collect();
        Ok(Self { crawled, born: Vec::new(), modified, seen, last: epochs(prefix)? - 1 })
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.crawled.len() as u32
    }

    pub(crate) fn crawled(&self) -> usize {
        self.crawled.iter().filter(|crawls| *crawls >> self.last & 1 == 1).count()
    }

    /// The links of the last crawl, in order.
    pub(crate) fn links(&mut self, prefix: &Path) -> io::Result<impl Iterator<Item = io::Result<(Node, Node)>> + Send> {
        let open = |kind| Ok::<_, io::Error>(BufReader::with_capacity(1 << 20, File::open(beside(prefix, kind))?));
        let (mut degrees, mut targets) = (open("deg")?, open("adj")?);
        let (mut page, mut left) = (0, 0);
        Ok(std::iter::from_fn(move || {
            loop {
                if left == 0 {
                    if page == self.nodes() {
                        return None;
                    }
                    page += 1;
                    left = match next(&mut degrees) {
                        Ok(degree) => degree,
                        Err(error) => return Some(Err(error)),
                    };
                    continue;
                }
                left -= 1;
                match next(&mut targets) {
                    Err(error) => return Some(Err(error)),
                    Ok(target) if self.follow(page - 1, target) => {
                        return Some(Ok((Node::new(page - 1), Node::new(target))));
                    }
                    Ok(_) => (),
                }
            }
        }))
    }

    /// Marks what earlier crawls saw of a link; is it one of the last crawl?
    fn follow(&mut self, source: u32, target: u32) -> bool {
        let crawls = self.crawled[source as usize];
        let unborn = before(self.born[target as usize]);
        self.seen[target as usize] |= crawls & before(self.last) & !unborn != 0;
        crawls >> self.last & 1 == 1
    }

    pub(crate) fn keep_seen(&self, folder: &Path) -> io::Result<()> {
        let bytes: Vec<u8> = self.seen.iter().map(|&is_seen| u8::from(is_seen)).collect();
        std::fs::write(folder.join("seen"), bytes)
    }

    pub(crate) fn facts(&self, node: Node) -> Facts {
        let crawls = self.crawled[node.index()];
        let before = match (crawls >> (self.last - 1) & 1 == 1, self.seen[node.index()]) {
            (true, _) => Before::CrawledLastTime,
            (false, true) => Before::Seen,
            (false, false) => Before::Unknown,
        };
        // What changed in an epoch changed before its crawl; 255 is a page that does not say.
        let is_unmodified = self.modified[node.index()] < self.last;
        Facts { is_crawled: crawls >> self.last & 1 == 1, before, is_unmodified }
    }
}

/// All crawls before one, as bits.
fn before(crawl: u8) -> u8 {
    (1 << crawl) - 1
}

fn beside(prefix: &Path, kind: &str) -> PathBuf {
    prefix.with_added_extension(kind)
}

fn epochs(prefix: &Path) -> io::Result<u8> {
    let meta = std::fs::read_to_string(beside(prefix, "meta"))?;
    let epochs = meta.lines().find_map(|line| line.strip_prefix("epochs ")).and_then(|number| number.parse().ok());
    epochs.filter(|number| (2..=8).contains(number)).ok_or_else(|| io::Error::other("not the meta of 2 to 8 crawls"))
}

fn next(from: &mut impl Read) -> io::Result<u32> {
    let mut word = [0; 4];
    from.read_exact(&mut word)?;
    Ok(u32::from_le_bytes(word))
}
