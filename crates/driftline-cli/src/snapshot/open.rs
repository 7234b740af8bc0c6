//! Which series is meant? One by its name, or the only one there is.

use std::path::Path;

use anyhow::{Result, bail};
use driftline_graph::{Series, Snapshot};

use crate::args::At;
use crate::tell;

/// The series of this name.
pub(crate) fn named(name: &str, data: Option<&Path>) -> Result<Series> {
    Ok(Series::open(&Series::folder_of(&super::all_series(data)?, name)?)?)
}

/// The series of this name, or the only one.
pub(super) fn named_or_only(name: Option<&str>, data: Option<&Path>) -> Result<Series> {
    if let Some(name) = name {
        return named(name, data);
    }
    match names(data)?.as_slice() {
        [] => bail!("there is no series\nhint: put a crawl into one with `driftline snapshot add`"),
        [only] => named(only, data),
        several => bail!("there are {} series\nhint: name one with `--series`: {}", several.len(), several.join(", ")),
    }
}

/// The series of this name, or all of them; each with its name.
pub(super) fn named_or_all(name: Option<&str>, data: Option<&Path>) -> Result<Vec<(String, Series)>> {
    let names = name.map_or_else(|| names(data), |name| Ok(vec![name.to_owned()]))?;
    if names.is_empty() {
        tell::note("there is no series\nhint: put a crawl into one with `driftline snapshot add`");
    }
    names.into_iter().map(|name| named(&name, data).map(|series| (name, series))).collect()
}

/// The snapshot of a time, or the latest without one.
pub(crate) fn at<'a>(series: &'a Series, at: Option<&At>) -> Result<&'a Snapshot> {
    let at = at.map(|at| at.of(series)).transpose()?;
    Ok(series.at(at)?)
}

/// The names of all series.
fn names(data: Option<&Path>) -> Result<Vec<String>> {
    Ok(Series::names(&super::all_series(data)?)?)
}
