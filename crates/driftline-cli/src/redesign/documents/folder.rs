//! The pages in a folder, in name order.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::extension;

/// The files directly in a folder that may be pages: tables, pictures and scripts beside them are none.
pub(crate) fn pages(folder: &Path) -> Result<Vec<PathBuf>> {
    let reading = || format!("cannot read the folder `{}`", folder.display());
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(reading)? {
        let path = entry.with_context(reading)?.path();
        if is_page(&path) {
            pages.push(path);
        }
    }
    pages.sort();
    Ok(pages)
}

/// By its name; pipes and folders are no pages, and a link that leads nowhere is told when it is read.
fn is_page(path: &Path) -> bool {
    const PAGES: [&str; 9] = ["", "html", "htm", "xhtml", "xml", "php", "asp", "aspx", "jsp"];
    let is_hidden = path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    !is_hidden && PAGES.contains(&extension(path).as_str()) && path.metadata().map_or(true, |found| found.is_file())
}
