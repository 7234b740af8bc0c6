//! Bytes, fixtures and real files that several modules read.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

/// One gzip member.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The path of a backup or a database that another monitor wrote.
pub(crate) fn monitor(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/monitors").join(name)
}

/// A row of the manifest of real archives.
pub(crate) struct RealFile {
    pub(crate) path: PathBuf,
    pub(crate) name: String,
    pub(crate) kind: String,
    /// The error of warcio, or empty.
    pub(crate) warcio_error: String,
    /// The error of cdxj-indexer, or empty.
    pub(crate) cdxj_error: String,
}

impl RealFile {
    /// A file with this ending in the folder of expectations.
    pub(crate) fn expected(&self, ending: &str) -> PathBuf {
        self.path.parent().unwrap().with_file_name("expected").join(format!("{}.{ending}", self.name))
    }
}

/// All files of the manifest in a folder of data.
pub(crate) fn real_files(data: &Path) -> Vec<RealFile> {
    let folder = data.join("warc");
    let mut rows = csv::Reader::from_path(folder.join("manifest.csv")).unwrap();
    let files = rows.deserialize::<BTreeMap<String, String>>().map(|row| {
        let row = row.unwrap();
        let cell = |name: &str| row[name].clone();
        RealFile {
            path: folder.join("files").join(&row["file"]),
            name: cell("file"),
            kind: cell("kind"),
            warcio_error: cell("warcio_error"),
            cdxj_error: cell("cdxj_error"),
        }
    });
    files.collect()
}
