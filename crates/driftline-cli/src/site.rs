//! `--site`: other pages of the site, so that blocks which they share count less.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use driftline::page::ReadOptions;
use driftline::region::importance::Site;

use crate::input;
use crate::tell;

/// The most pages that are learned from: a block that stands on a thousand pages is known.
const MOST_PAGES: usize = 1_000;

/// Learns the blocks of pages: files, or all files of folders.
pub(crate) fn learn(paths: &[PathBuf], read_options: &ReadOptions) -> Result<Site> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() { files.extend(files_of(path)?) } else { files.push(path.clone()) }
    }
    if files.len() > MOST_PAGES {
        tell::warning(format_args!("`--site` names {} pages; only {MOST_PAGES} are learned from", files.len()));
        files.truncate(MOST_PAGES);
    }
    let mut site = Site::default();
    for file in files {
        site.shared_blocks.learn(&input::page(&file, read_options)?);
    }
    Ok(site)
}

/// The files directly in a folder, in name order.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let reading = || format!("cannot read the folder `{}`", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(reading)? {
        let path = entry.with_context(reading)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
