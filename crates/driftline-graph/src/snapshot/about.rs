//! What does a snapshot say of itself? `snapshot.json`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use driftline_files::sync_folder;
use serde::{Deserialize, Serialize};

use super::{FileFacts, Number, SnapshotError};

/// The version of the format; a program refuses what a newer one wrote.
pub const FORMAT: u32 = 1;

/// The file of a snapshot's folder.
pub(crate) const FILE: &str = "snapshot.json";

/// What a snapshot says of itself (`snapshot.json`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The version of the format.
    pub format: u32,
    /// Its nominal time, `t_k`: fourteen digits.
    pub at: String,
    /// The place in the order in which snapshots were added, from 0: numbers were given out in it.
    pub added: u32,
    /// The first number that was given out by it.
    pub first_number: Number,
    /// How many addresses it was the first to name.
    pub new_urls: u32,
    /// |V|: addresses crawled or linked to.
    pub urls: u32,
    /// |W|: addresses crawled.
    pub crawled: u32,
    /// |E|: links, without self links and repetitions.
    pub links: u64,
    /// Addresses that redirect, each counted once, whether or not something links to them.
    pub redirects: u64,
    /// Bits on disk for each link, from page to its targets.
    pub out_bits_per_link: f64,
    /// Bits on disk for each link, from target to the pages that link to it.
    pub in_bits_per_link: f64,
    /// Records, rows and links that could not be read, by [reason](driftline::novelty::crawl::SkipReason).
    pub skipped: BTreeMap<String, u64>,
    /// What is in every crawl and no page, by reason: pictures, errors, revisits without links.
    #[serde(default)]
    pub left_out: BTreeMap<String, u64>,
    /// What it was made of.
    pub sources: Vec<Source>,
    /// Its other files, as they were written.
    pub files: BTreeMap<String, FileFacts>,
}

/// A file that a snapshot was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// As it was named.
    pub path: String,
    /// How long it was.
    pub bytes: u64,
    /// What could not be read in it, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: BTreeMap<String, u64>,
}

/// What every version has: enough to refuse it.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

impl About {
    /// Reads it from a snapshot's folder.
    ///
    /// # Errors
    /// If it is missing, is not one, or is of a newer version.
    pub fn read(folder: &Path) -> Result<Self, SnapshotError> {
        let path = folder.join(FILE);
        let text = std::fs::read(&path).map_err(SnapshotError::unreadable(&path))?;
        let damaged = |error: serde_json::Error| SnapshotError::Damaged { path: path.clone(), what: error.to_string() };
        let Version { format } = serde_json::from_slice(&text).map_err(damaged)?;
        if format != FORMAT {
            return Err(SnapshotError::Format { path: folder.to_owned(), format, known: FORMAT });
        }
        serde_json::from_slice(&text).map_err(damaged)
    }

    /// Writes it into a snapshot's folder as its last file: the folder's other files are listed in it with lengths and
    /// checksums, and all is on disk when this returns. Then the folder may be given its name.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn seal(mut self, folder: &Path) -> io::Result<Self> {
        self.files.clear();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().into_string().map_err(|_| io::Error::other("a file with a strange name"))?;
            if name != FILE && entry.file_type()?.is_file() {
                let mut file = File::open(entry.path())?;
                self.files.insert(name, FileFacts::of(&mut file, &|_| ())?);
                file.sync_all()?;
            }
        }
        let mut file = driftline_files::create(&folder.join(FILE))?;
        file.write_all(serde_json::to_string_pretty(&self)?.as_bytes())?;
        file.sync_all()?;
        sync_folder(folder)?;
        Ok(self)
    }

    /// How many records, rows and links could not be read.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped.values().sum()
    }
}
