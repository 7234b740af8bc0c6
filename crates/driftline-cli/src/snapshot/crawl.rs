//! What does a WARC, ARC, WACZ or WAT file say of pages and links?
//!
//! Which answers are pages is [one rule](driftline::novelty::answer) for all crawls. What redirects is a redirect and no
//! page. A revisit ("as captured before") was crawled too; its links are those of the capture that it
//! refers to, if that stands in the same file. All else is passed over, and what should have been a page or cannot be
//! read is counted by reason.

mod answer;
mod body;
mod originals;
mod records;
#[cfg(test)]
mod tests;
mod wat;

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Result;
use driftline::novelty::sketch::Sketch;
use driftline::time::Time;
use driftline_archive::collection::Source;
use driftline_graph::add::{Crawled, Harvester, reason};

/// What a record says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found {
    /// A page that was crawled.
    Page(Captured),
    /// What was asked for is elsewhere.
    Redirect { from: String, to: String },
    /// Nothing of it counts, for this reason.
    Skipped(&'static str),
}

/// A page that was crawled.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Captured {
    pub(super) url: String,
    pub(super) fetched: Option<Time>,
    pub(super) last_modified: Option<Time>,
    /// What it says; none if only its links are known.
    pub(super) sketch: Option<Sketch>,
    /// Absolute http and https addresses.
    pub(super) links: Vec<String>,
    /// Why not all of it was read.
    pub(super) lacks: Option<&'static str>,
}

/// Is this a file of a crawl, by its name?
pub(super) fn is_crawl(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let stem = [".gz", ".zst", ".lz4"].iter().find_map(|packed| name.strip_suffix(packed)).unwrap_or(&name);
    stem.rsplit_once('.').is_some_and(|(_, form)| matches!(form, "warc" | "arc" | "wat" | "wacz"))
}

/// Takes down the pages, links and redirects of a file; `advance` hears how many bytes were read.
pub(super) fn harvest(path: &Path, harvester: &mut Harvester, advance: &dyn Fn(u64)) -> Result<()> {
    read(path, advance, &mut |found| {
        match found {
            Found::Page(page) => {
                let crawled = Crawled {
                    url: &page.url,
                    fetched: page.fetched,
                    last_modified: page.last_modified,
                    sketch: page.sketch.as_ref(),
                };
                harvester.page(&crawled, &page.links)?;
                if let Some(reason) = page.lacks {
                    harvester.skip(reason, 1);
                }
            }
            Found::Redirect { from, to } => harvester.redirect(&from, &to)?,
            Found::Skipped(reason) => harvester.skip(reason, 1),
        }
        Ok(())
    })
}

/// Reads what a file holds, in its order.
fn read(path: &Path, advance: &dyn Fn(u64), take: &mut dyn FnMut(Found) -> Result<()>) -> Result<()> {
    if !is_zip(path)? {
        return records::read(&Source::file(path), advance, take);
    }
    match Source::of_wacz(path) {
        Ok(archives) => archives.iter().try_for_each(|archive| records::read(archive, advance, take)),
        Err(_) => take(Found::Skipped(reason::BAD_WACZ)),
    }
}

fn is_zip(path: &Path) -> Result<bool> {
    let failed = |error| anyhow::anyhow!("cannot open `{}`: {error}", path.display());
    let mut start = Vec::new();
    File::open(path).map_err(failed)?.take(4).read_to_end(&mut start).map_err(failed)?;
    Ok(start == b"PK\x03\x04")
}
