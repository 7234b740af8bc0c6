//! What is to be imported? Told by what stands in it, not by its name.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::net::IpAddr;
use std::path::Path;

use super::{Error, changedetection, index, urlwatch};

/// How many bytes say what a file is.
const START: u64 = 1 << 10;
/// The most entries of a folder, or of a zip, that are looked at to say what it is.
const MOST_ENTRIES: usize = 100_000;

/// What can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// A WARC or ARC file, however it is packed.
    Warc,
    /// A WACZ file: WARC files in a zip.
    Wacz,
    /// An index, CDX, CDXJ or `ZipNum`, beside the WARC files that it names.
    Cdx,
    /// A folder of WARC, ARC and WACZ files, or of the indexes of such files.
    Collection,
    /// A folder of versions: a page is a folder, its files in the order of their names are its versions.
    Versions,
    /// A backup of changedetection.io: a zip, or its folder.
    Changedetection,
    /// A database of urlwatch.
    Urlwatch,
    /// A database of webchanges.
    Webchanges,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Warc,
        Self::Wacz,
        Self::Cdx,
        Self::Collection,
        Self::Versions,
        Self::Changedetection,
        Self::Urlwatch,
        Self::Webchanges,
    ];

    /// Its name, as a user types it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Warc => "warc",
            Self::Wacz => "wacz",
            Self::Cdx => "cdx",
            Self::Collection => "collection",
            Self::Versions => "versions",
            Self::Changedetection => "changedetection",
            Self::Urlwatch => "urlwatch",
            Self::Webchanges => "webchanges",
        }
    }

    /// All names, for a message.
    pub(super) fn list() -> String {
        Self::ALL.map(|format| format!("`{}`", format.name())).join(", ")
    }

    /// What is at this path.
    ///
    /// # Errors
    /// If it cannot be read, or is nothing that is known.
    pub fn recognise(path: &Path) -> Result<Self, Error> {
        let found = if path.is_dir() { Self::of_folder(path) } else { Self::of_file(path) };
        found.map_err(|source| Error::read(path, source))?.ok_or_else(|| Error::Unknown { path: path.to_owned() })
    }

    /// What a folder holds: a collection if there is an archive in it, or an index of archives elsewhere. Versions may be
    /// anything, so they are what remains.
    fn of_folder(path: &Path) -> io::Result<Option<Self>> {
        if changedetection::INDEXES.iter().any(|index| path.join(index).is_file()) {
            return Ok(Some(Self::Changedetection));
        }
        let is_collected = |path: &Path| {
            is_named_as_archive(path)
                || is_named_as_index(path)
                || is_named_as_blocks(path)
                || matches!(Self::of_file(path), Ok(Some(Self::Warc | Self::Wacz)))
        };
        let mut is_empty = true;
        for file in super::walk(path, MOST_ENTRIES)? {
            is_empty = false;
            if is_collected(&file) {
                return Ok(Some(Self::Collection));
            }
        }
        Ok((!is_empty).then_some(Self::Versions))
    }

    /// What a file is.
    pub(super) fn of_file(path: &Path) -> io::Result<Option<Self>> {
        let mut file = BufReader::new(File::open(path)?);
        let mut start = Vec::new();
        (&mut file).take(START).read_to_end(&mut start)?;
        if start.starts_with(b"PK\x03\x04") {
            file.rewind()?;
            return Ok(of_zip(file));
        }
        if start.starts_with(b"SQLite format 3\0") {
            return Ok(urlwatch::Database::open(path).ok().map(|database| database.format()));
        }
        Ok(of_start(&start))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Warc => "WARC or ARC file",
            Self::Wacz => "WACZ file",
            Self::Cdx => "CDX or CDXJ index",
            Self::Collection => "folder of WARC files",
            Self::Versions => "folder of versions",
            Self::Changedetection => "backup of changedetection.io",
            Self::Urlwatch => "database of urlwatch",
            Self::Webchanges => "database of webchanges",
        })
    }
}

/// Is it named as a WARC, ARC or WACZ file is, packed or not?
fn is_named_as_archive(path: &Path) -> bool {
    const ENDS: [&str; 9] =
        [".warc", ".warc.gz", ".warc.zst", ".warc.lz4", ".arc", ".arc.gz", ".arc.zst", ".arc.lz4", ".wacz"];
    ends_in(path, &ENDS)
}

/// Is it named as an index is, packed or not?
fn is_named_as_index(path: &Path) -> bool {
    ends_in(path, &[".cdx", ".cdx.gz", ".cdxj", ".cdxj.gz"])
}

/// Is it named as an index of blocks is (`ZipNum`)?
pub(super) fn is_named_as_blocks(path: &Path) -> bool {
    ends_in(path, &[".idx"])
}

/// Is it named as something that can be imported?
pub(super) fn is_named_as_one(path: &Path) -> bool {
    let is_backup = path.file_name().is_some_and(|name| name.to_string_lossy().contains("backup"));
    is_named_as_archive(path)
        || is_named_as_index(path)
        || ends_in(path, &[".db"])
        || is_backup && ends_in(path, &[".zip"])
}

fn ends_in(path: &Path, ends: &[&str]) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    ends.iter().any(|end| name.ends_with(end))
}

/// A zip, by the names in it.
fn of_zip(file: BufReader<File>) -> Option<Format> {
    let archive = zip::ZipArchive::new(file).ok()?;
    let names = archive.file_names_raw().take(MOST_ENTRIES);
    let of_name = |name: &[u8]| {
        let last = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
        if changedetection::INDEXES.iter().any(|index| last == index.as_bytes()) {
            Some(Format::Changedetection)
        } else if name == b"datapackage.json" || name.starts_with(b"archive/") {
            Some(Format::Wacz)
        } else {
            None
        }
    };
    let found: Vec<Format> = names.filter_map(of_name).collect();
    found.contains(&Format::Wacz).then_some(Format::Wacz).or(found.first().copied())
}

/// A file by its first bytes, unpacked if they are packed.
fn of_start(start: &[u8]) -> Option<Format> {
    let mut unpacked = Vec::new();
    let mut unpack = |input: &mut dyn Read| {
        // What was unpacked before the end of these first bytes is enough.
        let _ = input.take(START).read_to_end(&mut unpacked);
    };
    match start {
        // LZ4, and zstd with a dictionary in front: nobody but archives does that.
        [0x04, 0x22, 0x4d, 0x18, ..] | [0x5d, 0x2a, 0x4d, 0x18, ..] => return Some(Format::Warc),
        [0x1f, 0x8b, ..] => unpack(&mut flate2::read::MultiGzDecoder::new(start)),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => unpack(&mut zstd::Decoder::new(start).ok()?),
        _ => unpacked.extend_from_slice(start),
    }
    of_text(&unpacked)
}

fn of_text(start: &[u8]) -> Option<Format> {
    let start = start.trim_ascii_start();
    if start.starts_with(b"WARC/") || start.starts_with(b"filedesc:") || begins_arc_record(start) {
        return Some(Format::Warc);
    }
    let is_index =
        start.starts_with(b"CDX ") || start.starts_with(b"!OpenWayback-CDXJ") || index::names_blocks(start) || {
            let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let mut words = line.splitn(3, |&byte| byte == b' ');
            let (key, time, rest) = (words.next(), words.next(), words.next());
            key.is_some_and(|key| key.contains(&b')') || key.contains(&b':'))
                && time.is_some_and(|time| (4..=17).contains(&time.len()) && time.iter().all(u8::is_ascii_digit))
                && rest.is_some()
        };
    is_index.then_some(Format::Cdx)
}

/// Does it begin with a record of an ARC file whose description was cut off? `URL IP TIME TYPE LENGTH`.
fn begins_arc_record(start: &[u8]) -> bool {
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let mut words = line.trim_end().rsplit(' ');
    let [length, _, time, ip, url] = [(); 5].map(|()| words.next().unwrap_or_default());
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number(length) && time.len() == 14 && is_number(time) && ip.parse::<IpAddr>().is_ok() && !url.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_what_stands_in_them() {
        assert_eq!(of_text(b"\r\nWARC/1.0\r\n"), Some(Format::Warc));
        assert_eq!(of_text(b"filedesc://a.arc"), Some(Format::Warc));
        assert_eq!(of_text(b"http://a.org/b c 192.0.2.1 20101217223959 text/html 22\nHTTP/1.1"), Some(Format::Warc));
        for index in [
            " CDX N b a",
            "org,example)/ 20140126200624 {\"url\"",
            "com,example)/ 20140127171200 http://x text/html",
            "com,example)/ 2014\tpart-a\t0\t10\t1",
            "!meta 0 {\"format\": \"cdxj-gzip-1.0\"}",
        ] {
            assert_eq!(of_text(index.as_bytes()), Some(Format::Cdx), "{index}");
        }
        for other in ["", "<!doctype html>", "a b c", "Dear all) 2024 was", "hello) 20140101000000"] {
            assert_eq!(of_text(other.as_bytes()), None, "{other}");
        }
    }
}
