//! A list of files: one path a line, relative to the folder of the list.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::Document;
use crate::lines;

/// The longest path of a list in bytes; systems allow no longer one.
const MOST_BYTES: usize = 1 << 16;

/// The files of a list, in its order. Empty lines are skipped.
pub(super) fn files(list: &Path) -> Result<impl Iterator<Item = Document> + use<>> {
    let name = list.display().to_string();
    let mut input = BufReader::new(File::open(list).with_context(|| format!("cannot open `{name}`"))?);
    let folder = list.parent().unwrap_or(Path::new("")).to_owned();
    let (mut has_failed, mut is_first) = (false, true);
    let lines = std::iter::from_fn(move || {
        let line = lines::next(&mut input, MOST_BYTES).transpose().filter(|_| !has_failed)?;
        has_failed = line.is_err();
        let is_first = std::mem::take(&mut is_first);
        Some(match line {
            Ok(Ok(line)) if is_first => Ok(lines::without_bom(line)),
            Ok(Ok(line)) => Ok(line),
            Ok(Err(error)) => Err(anyhow!(error)),
            Err(error) => Err(error),
        })
    });
    let files = lines.filter_map(move |line| match line {
        Ok(line) if line.trim().is_empty() => None,
        Ok(line) => Some(Document::file(folder.join(line.trim_end_matches('\r')))),
        Err(error) => Some(Document::broken(name.clone(), error)),
    });
    Ok(files)
}
