//! What is to be seen of a page that was never seen before? The signs of its age, and its labels.

use std::ops::Range;

use driftline::novelty::dated::{Age, month_of};
use driftline::novelty::{Class, Novelty};
use driftline::time::Time;
use rayon::prelude::*;

use crate::snapshot::{Direction, Node};
use crate::{Series, Snapshot};

use super::super::hosts::{Hosts, code};
use super::super::in_links::scan_wanted;
use super::super::{Classes, InLinks, NoveltyError, Reasons, Scores};
use super::directories::{Around, Directories, Modified};

/// How many signs there are, with the constant.
pub(super) const FEATURES: usize = 7;

/// Nodes that a thread passes over at a time.
const CHUNK: u32 = 1 << 16;

/// A page that is unidentified, or would be but for its own Last-Modified.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) node: Node,
    pub(super) host: u32,
    directory: u32,
    links: Linked,
    pub(super) modified: Option<Modified>,
    /// Whether its address names a month since the previous snapshot, or one before it.
    pub(super) is_dated_new: Option<bool>,
}

/// Who links to a page.
#[derive(Debug, Clone, Copy, Default)]
struct Linked {
    all: u32,
    from_old: u32,
    novelty: f32,
}

/// A site with such pages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Site {
    /// The hash of its name.
    pub(super) code: u64,
    is_known: bool,
    /// How many such pages it has.
    pub(super) pages: u32,
    /// How many of these have a Last-Modified.
    pub(super) modified: u32,
}

/// Such pages of one snapshot, in node order.
#[derive(Debug)]
pub(super) struct Candidates {
    pages: Vec<Candidate>,
    sites: Vec<Site>,
    directories: Directories,
}

impl Candidates {
    /// Those of the `place`-th snapshot of a series; `known` are the sites that were crawled before it.
    ///
    /// # Errors
    /// If the links or the addresses cannot be read.
    pub(super) fn find(series: &Series, place: usize, scores: &Scores, known: &Hosts) -> Result<Self, NoveltyError> {
        let snapshot = &series.snapshots()[place];
        let previous = series.snapshots()[place - 1].at();
        let classes = scores.classes();
        let mut links = linked(snapshot.links(Direction::In)?, scores).into_iter();
        let mut found = Self { pages: Vec::new(), sites: Vec::new(), directories: Directories::default() };
        for (node, url) in Node::first(snapshot.nodes()).zip(snapshot.urls(series)) {
            let url = url?;
            if classes.of(node).is_none() {
                continue;
            }
            let modified = modified(snapshot, node, previous);
            let links = if is_candidate(classes, node) { links.next() } else { None };
            if links.is_none() && modified.is_none() {
                continue;
            }
            let is_seen = classes.reasons(node).contains(Reasons::SEEN);
            let directory = found.directories.enter(url.key(), is_seen, modified);
            let Some(links) = links else { continue };
            let host = found.site(url.key(), modified.is_some(), known);
            let age = month_of(url.key()).map(|month| month.age(previous, snapshot.at()));
            let is_dated_new = age.map(|age| age != Age::Old);
            found.pages.push(Candidate { node, host, directory, links, modified, is_dated_new });
        }
        Ok(found)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.pages.iter()
    }

    pub(super) fn site_of(&self, page: &Candidate) -> &Site {
        &self.sites[page.host as usize]
    }

    /// What the folders say around a page.
    pub(super) fn around(&self, page: &Candidate) -> Around {
        self.directories.around(page.directory, page.modified)
    }

    /// The signs of a page's age; the month in its address only if it is not its label.
    pub(super) fn features(&self, page: &Candidate, with_month: bool) -> [f64; FEATURES] {
        let flag = |holds: bool| f64::from(u8::from(holds));
        let Linked { all, from_old, novelty } = page.links;
        let recent = self.around(page).recent;
        let odds = (recent / (1.0 - recent)).ln();
        let month = page.is_dated_new.filter(|_| with_month);
        [
            1.0,
            flag(novelty > 0.0),
            f64::from(novelty),
            f64::from(from_old) / f64::from(all.max(1)),
            // Pages that changed lately are young or busy, those that did not are old: the former says half as much
            // (chosen on the development series).
            if odds > 0.0 { odds / 2.0 } else { odds },
            flag(!self.site_of(page).is_known),
            month.map_or(0.0, |is_new| if is_new { 1.0 } else { -1.0 }),
        ]
    }

    /// The site of the next page, counted.
    fn site(&mut self, key: &str, is_modified: bool, known: &Hosts) -> u32 {
        let code = code(key);
        if self.sites.last().is_none_or(|site| site.code != code) {
            self.sites.push(Site { code, is_known: known.contains(key), pages: 0, modified: 0 });
        }
        if let Some(site) = self.sites.last_mut() {
            site.pages += 1;
            site.modified += u32::from(is_modified);
        }
        self.sites.len() as u32 - 1
    }
}

fn is_candidate(classes: &Classes, node: Node) -> bool {
    match classes.of(node) {
        Some(Class::Unidentified) => true,
        Some(Class::Old) => classes.reasons(node) == Reasons::LAST_MODIFIED,
        _ => false,
    }
}

fn modified(snapshot: &Snapshot, node: Node, previous: Time) -> Option<Modified> {
    let time = snapshot.last_modified(node)?;
    Some(if time < previous { Modified::Before } else { Modified::Since })
}

/// Who links to each candidate, in node order: one pass over their links, on all cores.
fn linked<L: InLinks>(links: &L, scores: &Scores) -> Vec<Linked> {
    let chunks: Vec<Range<Node>> = Node::ranges(links.nodes(), CHUNK).collect();
    let found: Vec<Vec<Linked>> = chunks.into_par_iter().map(|range| linked_in(links, range, scores)).collect();
    found.concat()
}

fn linked_in<L: InLinks>(links: &L, range: Range<Node>, scores: &Scores) -> Vec<Linked> {
    let is_wanted = |node| is_candidate(scores.classes(), node);
    let mut found = Vec::new();
    scan_wanted(links, range, is_wanted, |node, sources| {
        if is_wanted(node) {
            found.push(Linked::of(node, sources, scores));
        }
    });
    found
}

impl Linked {
    fn of(node: Node, sources: impl ExactSizeIterator<Item = Node>, scores: &Scores) -> Self {
        let all = sources.len();
        let (mut from_old, mut sum) = (0, 0.0);
        for source in sources {
            match (scores.classes().of(source), scores.of(source)) {
                (Some(Class::SeenTwice), _) => sum += 1.0,
                (Some(Class::Old), _) => from_old += 1,
                (_, Some(Novelty::Unidentified(novelty))) => sum += novelty,
                _ => (),
            }
        }
        let novelty = match scores.of(node) {
            Some(Novelty::Unidentified(novelty)) => novelty,
            // Old by its own Last-Modified alone: definition (2), as it would score without.
            _ => (1.0 - scores.delta().get()) * sum / all.max(1) as f64,
        };
        Self { all: all as u32, from_old, novelty: novelty as f32 }
    }
}
