//! Two versions of a real page, and the documents of a made site, to try commands on.

use std::path::Path;

use anyhow::{Context, Result};
use driftline_evaluation::redesign::synthesis::{MadeStream, Scenario};

use crate::tell;

/// A page of the Apache Flink web site (Apache-2.0); `demo/ORIGIN.md` says where it is from.
const OLDER: (&str, &str) = ("2016-10-07.html", include_str!("../../demo/2016-10-07.html"));
const NEWER: (&str, &str) = ("2019-12-11.html", include_str!("../../demo/2019-12-11.html"));

/// Writes the two versions into a folder.
pub(super) fn save(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    for (name, text) in [OLDER, NEWER] {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let folder = folder.display();
    tell::note(format_args!(
        "saved two versions of a page; try `driftline diff {folder}/{} {folder}/{}`",
        OLDER.0, NEWER.0
    ));
    Ok(())
}

/// Writes a site with a redesign and some pages that are like no other into a folder.
pub(super) fn save_site(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    let stream = MadeStream::new(Scenario::OutliersAndRedesign, 0, 2);
    for (number, document) in stream.documents.iter().enumerate() {
        let path = folder.join(format!("{number:04}.html"));
        std::fs::write(&path, document).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    tell::note(format_args!("saved the pages of a made site; try `driftline redesign {}`", folder.display()));
    Ok(())
}
