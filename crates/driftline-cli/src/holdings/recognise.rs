//! Are there captures in a file or a folder? By names, or by first bytes; nothing is read in full.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// How the names of files end that hold captures, or say where they are.
const NAMES: [&str; 14] = [
    ".warc",
    ".warc.gz",
    ".warc.zst",
    ".warc.lz4",
    ".arc",
    ".arc.gz",
    ".arc.zst",
    ".wacz",
    ".cdx",
    ".cdxj",
    ".cdx.gz",
    ".cdxj.gz",
    ".wat.gz",
    ".wet.gz",
];
/// How much of a folder is looked at.
const MOST_ENTRIES: usize = 100_000;

/// Are there captures in it? A file by its name or its first bytes, a folder if there is such a file in it.
pub(crate) fn are_in(path: &Path) -> bool {
    if path.is_dir() { folder_has_captures(path) } else { is_named_so(path) || begins_so(path) }
}

fn is_named_so(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    NAMES.iter().any(|ending| name.ends_with(ending))
}

fn begins_so(path: &Path) -> bool {
    let starts: [&[u8]; 8] = [
        b"WARC/",
        b"filedesc://",
        b"\x1f\x8b",
        b"\x28\xb5\x2f\xfd",
        b"\x04\x22\x4d\x18",
        b"PK\x03\x04",
        b" CDX ",
        b"!OpenWayback-CDXJ",
    ];
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(20).read_to_end(&mut first));
    read.is_ok() && starts.iter().any(|start| first.starts_with(start))
}

fn folder_has_captures(folder: &Path) -> bool {
    let (mut folders, mut seen) = (vec![folder.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if seen > MOST_ENTRIES || (!is_folder && is_named_so(&entry.path())) {
                return seen <= MOST_ENTRIES;
            }
            folders.extend(is_folder.then(|| entry.path()));
        }
    }
    false
}
