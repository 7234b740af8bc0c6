//! What is there to measure? Paths as they were named; web archives beside each other are one collection.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use crate::archive::data;
use crate::args::MeasureArgs;
use crate::holdings::{self, Holdings};
use crate::input;

/// Something with pairs in it.
pub(crate) enum Input {
    /// A folder of versions, a list, JSON lines, or stdin.
    Path(PathBuf),
    /// Captures, and where each of them is.
    Captures(Arc<Holdings>),
}

/// Everything that was named, opened as far as it has to be: captures are found before they are paired.
pub(super) fn open(args: &MeasureArgs) -> Result<Vec<Input>> {
    if let Some(folder) = &args.data {
        let archive = data::open_to_read(Some(folder))?;
        return Ok(vec![Input::Captures(Arc::new(Holdings::Archive(archive)))]);
    }
    if args.inputs.is_empty() {
        return Ok(vec![Input::Path(PathBuf::from("-"))]);
    }
    let mut opened = Vec::new();
    for group in args.inputs.chunk_by(|one, other| has_captures(one) && has_captures(other)) {
        if has_captures(&group[0]) {
            let collection = holdings::open(group, args.quiet)?;
            opened.push(Input::Captures(Arc::new(Holdings::Files(collection))));
        } else {
            opened.extend(group.iter().cloned().map(Input::Path));
        }
    }
    Ok(opened)
}

/// Lists and JSON lines may be packed by nobody we know, so their names are believed.
fn has_captures(path: &Path) -> bool {
    const NAMES: [&str; 4] = ["csv", "jsonl", "ndjson", "json"];
    let extension = path.extension().map(|own| own.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    !input::is_stdin(path) && !NAMES.contains(&extension.as_str()) && holdings::are_in(path)
}
