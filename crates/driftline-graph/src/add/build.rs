//! The build of a snapshot from harvests: keys are merged, links follow.
//!
//! The keys of all blocks are merged into one list ([`addresses`]), in which each address has a place. Links name
//! places of their block, so each block's are told in places of the list, led through redirects, and sorted
//! ([`links`]). What is crawled, listed or linked to is in V: places of these, counted through, are the nodes. As
//! nodes are in the order of places, and places in the order of keys, nothing has to be sorted again.

mod addresses;
mod bits;
mod links;
mod numbers;
mod redirects;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use driftline::time::Time;

use super::block::Written;
use super::skip_reason::NOT_CRAWLED;
use super::source_reader::Trailer;
use super::staging::{SNAPSHOT, Staging, WORK};
use super::{AddError, Step};
use crate::series::Series;
use crate::snapshot::{self, About, FORMAT, write};
use addresses::Addresses;
use bits::Ranked;
use links::{Arcs, Led};
use redirects::Redirects;

/// So many steps are taken before the progress is told.
const STEPS: u64 = 1 << 16;

/// What a build needs to know.
pub(super) struct Build<'a> {
    pub(super) series: &'a Series,
    pub(super) staging: &'a Staging,
    pub(super) budget: usize,
    pub(super) progress: &'a (dyn Fn(Step) + Sync),
}

/// A block, and the harvest that it is in.
struct Block {
    path: PathBuf,
    written: Written,
}

/// All harvests.
#[derive(Default)]
struct Harvests {
    blocks: Vec<Block>,
    sources: Vec<snapshot::Source>,
    skipped: BTreeMap<String, u64>,
    left_out: BTreeMap<String, u64>,
}

impl Build<'_> {
    /// The folder of the finished snapshot, which has no name yet.
    pub(super) fn run(&self, paths: &BTreeSet<PathBuf>, at: Time) -> Result<(PathBuf, About), AddError> {
        let failed = |what| self.staging.failed(what);
        let harvests = Harvests::read(paths)?;
        let work = self.staging.empty(WORK).map_err(failed("write into"))?;
        let addresses = Addresses::merge(self, &work, &harvests.blocks)?;
        if addresses.crawled.count() == 0 {
            return Err(harvests.nothing());
        }
        let redirects = Redirects::read(self, &harvests.blocks, &addresses)?;
        let Led { sorted, not_crawled } =
            links::led(self, &work, &harvests.blocks, &addresses, &redirects).map_err(failed("sort links in"))?;
        let folder = self.staging.empty(SNAPSHOT).map_err(failed("write into"))?;
        let nodes = Ranked::new(addresses.in_v);
        let arcs = Arcs::new(sorted, &nodes, self.progress);
        let keys = &addresses.keys;
        // The second thread is mostly done first.
        let (built, numbers) = std::thread::scope(|scope| {
            let numbers = scope.spawn(|| numbers::write(self.series, keys, &nodes, &folder));
            let built = write::links(&folder, nodes.count(), arcs, self.budget / 2);
            (built, numbers.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let (built, new_urls) = (built.map_err(failed("write links into"))?, numbers?);
        let mut skipped = harvests.skipped;
        if not_crawled > 0 {
            *skipped.entry(NOT_CRAWLED.text().to_owned()).or_default() += not_crawled;
        }
        let about = About {
            format: FORMAT,
            at: at.digits(),
            added: self.series.next_added(),
            first_number: self.series.next_number(),
            new_urls,
            urls: nodes.count(),
            crawled: addresses.crawled.count() as u32,
            links: built.links,
            redirects: redirects.count(),
            out_bits_per_link: built.out_bits_per_link,
            in_bits_per_link: built.in_bits_per_link,
            skipped,
            left_out: harvests.left_out,
            sources: harvests.sources,
            files: BTreeMap::new(),
        };
        self.tell("syncing", 0, 1);
        let about = about.seal(&folder).map_err(failed("write into"))?;
        self.tell("syncing", 1, 1);
        Ok((folder, about))
    }

    fn tell(&self, phase: &'static str, done: u64, total: u64) {
        (self.progress)(Step { phase, done, total });
    }

    /// Tells it now and then.
    fn tell_some(&self, phase: &'static str, done: u64, total: u64) {
        if done.is_multiple_of(STEPS) {
            self.tell(phase, done, total);
        }
    }
}

impl Harvests {
    /// Finished ones; of the others nothing was kept.
    fn read(paths: &BTreeSet<PathBuf>) -> Result<Self, AddError> {
        let mut all = Self::default();
        for path in paths.iter().filter(|path| path.exists()) {
            let trailer = Trailer::read(path).map_err(AddError::file("read", path))?;
            all.blocks.extend(trailer.blocks.into_iter().map(|written| Block { path: path.clone(), written }));
            count(&trailer.left_out, &mut all.left_out);
            count(&trailer.skipped, &mut all.skipped);
            let (path, bytes) = (trailer.source.name, trailer.source.size);
            all.sources.push(snapshot::Source { path, bytes, skipped: trailer.skipped });
        }
        all.sources.sort_by(|one, other| (&one.path, one.bytes).cmp(&(&other.path, other.bytes)));
        Ok(all)
    }

    /// What there was in place of pages.
    fn nothing(&self) -> AddError {
        let reasons = self.left_out.iter().chain(&self.skipped).map(|(reason, count)| format!("{reason}: {count}"));
        AddError::NothingCrawled { files: self.sources.len(), instead: reasons.collect::<Vec<_>>().join("; ") }
    }
}

fn count(more: &BTreeMap<String, u64>, all: &mut BTreeMap<String, u64>) {
    for (reason, count) in more {
        *all.entry(reason.clone()).or_default() += count;
    }
}
