//! Real pages, feeds and streams of documents in a data folder: [`subset`](crate::data::subset) or
//! [`shared`](crate::data::shared).

use std::path::Path;

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

/// All consecutive pairs of HTML pages in a data folder.
///
/// # Panics
/// If a file that the list names cannot be read.
#[must_use]
pub fn real_pairs(data: &Path) -> Vec<RealPair> {
    pairs_of(data, "html")
}

/// All consecutive pairs of feeds in a data folder.
///
/// # Panics
/// If a file that the list names cannot be read.
#[must_use]
pub fn real_feed_pairs(data: &Path) -> Vec<RealPair> {
    pairs_of(data, "xml")
}

fn pairs_of(data: &Path, extension: &str) -> Vec<RealPair> {
    let folder = data.join("pages");
    let list = read(&folder.join("pairs.csv"));
    let records = csv::Reader::from_reader(&*list).into_records();
    let is_wanted = |path: &str| Path::new(path).extension().is_some_and(|own| own == extension);
    let pair = |record: csv::StringRecord| {
        let [site, page, older, newer] = [0, 1, 2, 3].map(|column| &record[column]);
        let name = format!("{site}/{page}");
        (is_wanted(older) && is_wanted(newer)).then(|| RealPair {
            name,
            older: read(&folder.join(older)),
            newer: read(&folder.join(newer)),
        })
    };
    let pairs: Vec<RealPair> = records
        .filter_map(|record| pair(record.expect("every row of pairs.csv has the columns of the first")))
        .collect();
    assert!(!pairs.is_empty(), "there are no pairs of .{extension} files in {}", folder.display());
    pairs
}

/// All streams of documents in a data folder.
///
/// # Panics
/// If the list is not of streams, or a document cannot be read.
#[must_use]
pub fn real_streams(data: &Path) -> Vec<RealStream> {
    let folder = data.join("streams");
    let list: Value = serde_json::from_slice(&read(&folder.join("streams.json"))).expect("streams.json is JSON");
    let streams = list.as_array().expect("streams.json is an array");
    assert!(!streams.is_empty(), "there are no streams in {}", folder.display());
    streams.iter().map(|stream| stream_in(&folder, stream)).collect()
}

fn stream_in(folder: &Path, stream: &Value) -> RealStream {
    let name = stream["name"].as_str().expect("a stream has a name").to_owned();
    let number = |value: &Value| value.as_u64().expect("positions and counts are numbers") as usize;
    let positions = |member: &str| -> Vec<usize> {
        stream[member].as_array().expect("a stream has lists of positions").iter().map(number).collect()
    };
    let document = |index: usize| read(&folder.join(&name).join(format!("{index:04}.html")));
    let documents = (0..number(&stream["count"])).map(document).collect();
    RealStream { documents, redesigns: positions("redesign"), minor_changes: positions("minor_changes"), name }
}

/// The bytes of a file of test data.
pub(crate) fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("cannot read `{}`: {error}", path.display()))
}
