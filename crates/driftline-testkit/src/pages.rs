//! Real pages, where they are to be had: `../shared/data` beside the project.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Two consecutive versions of a real page.
pub struct RealPair {
    /// Where it came from: `site/page`.
    pub name: String,
    /// The older version's bytes.
    pub older: Vec<u8>,
    /// The newer version's bytes.
    pub newer: Vec<u8>,
}

/// Documents of one real site in the order of their publication.
pub struct RealStream {
    /// What it is called.
    pub name: String,
    /// The bytes of its documents.
    pub documents: Vec<Vec<u8>>,
    /// The first document of each new design.
    pub redesigns: Vec<usize>,
    /// Where the design was extended, and no more.
    pub minor_changes: Vec<usize>,
}

/// The folder of shared test data, if this machine has it.
#[must_use]
pub fn shared_data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    folder.is_dir().then_some(folder)
}

/// All consecutive pairs of real HTML pages, if this machine has them.
#[must_use]
pub fn real_pairs() -> Option<Vec<RealPair>> {
    pairs_of("html")
}

/// All consecutive pairs of real feeds, if this machine has them.
#[must_use]
pub fn real_feed_pairs() -> Option<Vec<RealPair>> {
    pairs_of("xml")
}

fn pairs_of(extension: &str) -> Option<Vec<RealPair>> {
    let folder = shared_data()?.join("pages");
    let list = std::fs::read_to_string(folder.join("pairs.csv")).ok()?;
    let pairs = list.lines().skip(1).filter_map(|line| {
        let mut fields = line.split(',');
        let name = format!("{}/{}", fields.next()?, fields.next()?);
        let (older, newer) = (fields.next()?, fields.next()?);
        let is_wanted = |path: &str| Path::new(path).extension().is_some_and(|own| own == extension);
        if !is_wanted(older) || !is_wanted(newer) {
            return None;
        }
        let read = |path: &str| std::fs::read(folder.join(path)).ok();
        Some(RealPair { name, older: read(older)?, newer: read(newer)? })
    });
    Some(pairs.collect())
}

/// All streams of real documents, if this machine has them.
#[must_use]
pub fn real_streams() -> Option<Vec<RealStream>> {
    let folder = shared_data()?.join("streams");
    let list: Value = serde_json::from_slice(&std::fs::read(folder.join("streams.json")).ok()?).ok()?;
    list.as_array()?.iter().map(|stream| stream_in(&folder, stream)).collect()
}

fn stream_in(folder: &Path, stream: &Value) -> Option<RealStream> {
    let name = stream["name"].as_str()?.to_owned();
    let positions = |member: &str| -> Option<Vec<usize>> {
        stream[member].as_array()?.iter().map(|position| Some(position.as_u64()? as usize)).collect()
    };
    let count = stream["count"].as_u64()?;
    let document = |index: u64| std::fs::read(folder.join(&name).join(format!("{index:04}.html"))).ok();
    let documents = (0..count).map(document).collect::<Option<_>>()?;
    Some(RealStream { documents, redesigns: positions("redesign")?, minor_changes: positions("minor_changes")?, name })
}
