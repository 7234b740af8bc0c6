//! Bytes from files and stdin, never more than the limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Is this the name of stdin?
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a file, or stdin for `-`; one byte more than `limit` at most, so that a cut is noticed.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Vec<u8>> {
    if is_stdin(path) {
        return read_up_to(io::stdin().lock(), limit).context("cannot read stdin");
    }
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot open `{name}`{}", hint(path)))?;
    let metadata = file.metadata().with_context(|| format!("cannot read `{name}`"))?;
    if metadata.is_dir() {
        bail!("`{name}` is a folder, not a page\nhint: `driftline measure {name}` compares the versions in a folder");
    }
    read_up_to(file, limit).with_context(|| format!("cannot read `{name}`"))
}

fn read_up_to(input: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn hint(path: &Path) -> &'static str {
    let is_url = path.to_str().is_some_and(|name| name.starts_with("http://") || name.starts_with("https://"));
    if is_url { "\nhint: driftline reads files here; save the page first, or pipe it in and write `-`" } else { "" }
}
