//! Three crawls of made sites, in the layout of tables that `driftline snapshot add` reads.
//!
//! `demo/ORIGIN.md` says what happens on these sites. When each page really appeared is in `truth.tsv`, for
//! `driftline evaluate novelty`.

use std::path::Path;

use anyhow::{Context, Result};

use crate::tell;

/// The files of one crawl, in the folder of its time.
macro_rules! crawl {
    ($time:literal) => {
        [
            (concat!($time, "/pages.tsv"), include_str!(concat!("../../demo/crawls/", $time, "/pages.tsv"))),
            (concat!($time, "/links.tsv"), include_str!(concat!("../../demo/crawls/", $time, "/links.tsv"))),
            (concat!($time, "/redirects.tsv"), include_str!(concat!("../../demo/crawls/", $time, "/redirects.tsv"))),
        ]
    };
}

const CRAWLS: [[(&str, &str); 3]; 3] = [crawl!("2024-01-01"), crawl!("2024-04-01"), crawl!("2024-07-01")];
const TRUTH: (&str, &str) = ("truth.tsv", include_str!("../../demo/crawls/truth.tsv"));

/// Writes them all into a folder.
pub(super) fn save(folder: &Path) -> Result<()> {
    for (name, text) in CRAWLS.iter().flatten().chain([&TRUTH]) {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).with_context(|| format!("cannot make the folder `{}`", parent.display()))?;
        std::fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let folder = folder.display();
    tell::note(format_args!(
        "saved three crawls of made sites; try `driftline snapshot add town --at 2024-01-01 {folder}/2024-01-01`"
    ));
    Ok(())
}
