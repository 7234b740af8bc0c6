//! A snapshot, what one crawl found: its addresses, what became of each, and its links in both directions.
//!
//! A snapshot is a folder that never changes. Its large files are mapped, not read: opening one costs nothing, and
//! what a look-up or a pass touches is what the system reads. Lengths are checked when it is opened, checksums when it
//! is first used ([`Series::at`](crate::Series::at)), and those of links when these are opened, as their codes are
//! followed blindly. Only the codes of very many links (more than 256 MiB of `.graph`) are not read through for each
//! answer; [`Series::check`](crate::Series::check) reads them too.

mod about;
mod error;
mod facts;
mod ids;
pub mod links;
#[cfg(test)]
pub(crate) mod made;
mod mapped;
mod numbers;
mod sketches;
mod status;
mod urls;
pub(crate) mod write;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use driftline::novelty::sketch::Sketch;
use driftline::time::Time;
use webgraph::utils::MmapHelper;

pub use about::{About, FORMAT, Source};
pub use error::SnapshotError;
pub use facts::FileFacts;
pub use ids::{Node, Number};
pub use links::{Direction, Links, Successors};
pub use sketches::Sketches;
pub use status::Status;
pub use urls::{Keys, Urls};

use status::Statuses;

/// Codes of links up to this length are compared with their checksum before they are used: 256 MiB.
const CHECKED: u64 = 256 << 20;

/// One snapshot on disk, opened.
#[derive(Debug)]
pub struct Snapshot {
    folder: PathBuf,
    about: About,
    at: Time,
    numbers: MmapHelper<Number>,
    statuses: Statuses,
    sketches: Option<Sketches>,
    out_links: OnceLock<Links>,
    in_links: OnceLock<Links>,
    verified: OnceLock<()>,
}

impl Snapshot {
    /// Opens a snapshot's folder.
    ///
    /// # Errors
    /// If it is none, is of a newer version, or a file is missing or not as long as it was.
    pub fn open(folder: &Path) -> Result<Self, SnapshotError> {
        let about = About::read(folder)?;
        let damaged = |file: &str, what: String| SnapshotError::Damaged { path: folder.join(file), what };
        let unreadable = |file: &str| SnapshotError::unreadable(folder.join(file));
        let at = about.at.parse().map_err(|_| damaged(about::FILE, "its time is no time".to_owned()))?;
        for (name, facts) in &about.files {
            facts.check_length(&folder.join(name))?;
        }
        let numbers = mapped::numbers(&folder.join(numbers::FILE)).map_err(unreadable(numbers::FILE))?;
        if numbers.len() != about.urls as usize {
            return Err(damaged(numbers::FILE, format!("it has {} numbers, not {}", numbers.len(), about.urls)));
        }
        let statuses = Statuses::open(folder, about.urls).map_err(unreadable(status::FILE))?;
        let has_sketches = about.files.contains_key(sketches::FILE);
        let sketches = has_sketches.then(|| Sketches::open(folder)).transpose().map_err(unreadable(sketches::FILE))?;
        let folder = folder.to_owned();
        let (out_links, in_links) = (OnceLock::new(), OnceLock::new());
        Ok(Self { folder, about, at, numbers, statuses, sketches, out_links, in_links, verified: OnceLock::new() })
    }

    /// Compares every file with the checksum that was written beside it; `advance` is told how many bytes were read.
    ///
    /// # Errors
    /// If one differs or cannot be read.
    pub fn check(&self, advance: &dyn Fn(u64)) -> Result<(), SnapshotError> {
        self.about.files.iter().try_for_each(|(name, facts)| facts.check(&self.folder.join(name), advance))?;
        self.admit_sketches()
    }

    /// The same of what says what became of its addresses, and which they are; once.
    pub(crate) fn verify(&self) -> Result<(), SnapshotError> {
        if self.verified.get().is_none() {
            for name in [status::FILE, numbers::FILE] {
                self.facts(name)?.check(&self.folder.join(name), &|_| ())?;
            }
            if self.sketches.is_some() {
                self.facts(sketches::FILE)?.check(&self.folder.join(sketches::FILE), &|_| ())?;
                self.admit_sketches()?;
            }
            self.verified.get_or_init(|| ());
        }
        Ok(())
    }

    fn admit_sketches(&self) -> Result<(), SnapshotError> {
        let unreadable = SnapshotError::unreadable(self.folder.join(sketches::FILE));
        self.sketches.as_ref().map_or(Ok(()), |sketches| sketches.admit(self.nodes())).map_err(unreadable)
    }

    fn facts(&self, name: &str) -> Result<&FileFacts, SnapshotError> {
        let missing = || SnapshotError::Damaged { path: self.folder.join(name), what: "it is not listed".to_owned() };
        self.about.files.get(name).ok_or_else(missing)
    }

    /// What it says of itself.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Its folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its nominal time, `t_k`.
    #[must_use]
    pub fn at(&self) -> Time {
        self.at
    }

    /// |V|: how many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.about.urls
    }

    /// How many bytes it takes on disk.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.about.files.values().map(|facts| facts.bytes).sum()
    }

    /// What became of an address.
    ///
    /// # Panics
    /// If there is no such node; so do the others here.
    #[must_use]
    pub fn status(&self, node: Node) -> Status {
        self.statuses.get(node)
    }

    /// Whether an address was crawled, or only linked to.
    #[must_use]
    pub fn is_crawled(&self, node: Node) -> bool {
        self.statuses.is_crawled(node)
    }

    /// When it was fetched, to the second.
    #[must_use]
    pub fn fetched(&self, node: Node) -> Option<Time> {
        self.status(node).fetched
    }

    /// What it said of its last modification, to the second.
    #[must_use]
    pub fn last_modified(&self, node: Node) -> Option<Time> {
        self.status(node).last_modified
    }

    /// The number that its address keeps.
    #[must_use]
    pub fn number(&self, node: Node) -> Number {
        self.numbers()[node.index()]
    }

    /// The numbers of all nodes; mapped.
    #[must_use]
    pub fn numbers(&self) -> &[Number] {
        self.numbers.as_ref()
    }

    /// Links of one direction; opened and checked when they are first asked for.
    ///
    /// # Errors
    /// If their files are damaged.
    pub fn links(&self, direction: Direction) -> Result<&Links, SnapshotError> {
        let links = if direction == Direction::Out { &self.out_links } else { &self.in_links };
        if let Some(links) = links.get() {
            return Ok(links);
        }
        let opened = self.opened(direction)?;
        Ok(links.get_or_init(|| opened))
    }

    fn opened(&self, direction: Direction) -> Result<Links, SnapshotError> {
        for name in direction.files() {
            let facts = self.facts(&name)?;
            if facts.bytes <= CHECKED || Path::new(&name).extension() != Some("graph".as_ref()) {
                facts.check(&self.folder.join(name), &|_| ())?;
            }
        }
        let links = Links::open(&self.folder, direction)
            .map_err(SnapshotError::unreadable(self.folder.join(direction.name())))?;
        if (links.nodes(), links.links()) != (self.about.urls, self.about.links) {
            let what = "it is of another snapshot".to_owned();
            return Err(SnapshotError::Damaged { path: self.folder.join(direction.name()), what });
        }
        Ok(links)
    }

    /// The pages that it links to.
    ///
    /// # Errors
    /// If the files of the links are damaged.
    pub fn out_links(&self, node: Node) -> Result<Vec<Node>, SnapshotError> {
        Ok(self.links(Direction::Out)?.of(node))
    }

    /// The pages that link to it.
    ///
    /// # Errors
    /// If the files of the links are damaged.
    pub fn in_links(&self, node: Node) -> Result<Vec<Node>, SnapshotError> {
        Ok(self.links(Direction::In)?.of(node))
    }

    /// What a page said, in a few bytes, where that is known.
    #[must_use]
    pub fn sketch(&self, node: Node) -> Option<Sketch> {
        self.sketches()?.get(node)
    }

    /// All sketches, by node; none if pages came as tables.
    #[must_use]
    pub fn sketches(&self) -> Option<&Sketches> {
        self.sketches.as_ref()
    }
}

#[cfg(test)]
mod tests;
