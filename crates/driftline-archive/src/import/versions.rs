//! What does a folder of versions hold? Every folder with files in it is a page, and its files in the order of
//! their names are its versions: `page/2024-01-01T00:00:00Z.html`.
//!
//! The time of a version is the one in its name, else the moment at which its file was last modified. The address
//! of a page is the one that the user says, or a prefix and the path of its folder.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::kept::{Kept, Take, Version, moment};
use super::summary::{Reason, Skip};
use super::{Error, walk};
use crate::Time;

/// The most bytes of a version.
const MOST_BYTES: u64 = 256 << 20;
/// The most files of a folder.
const MOST_FILES: usize = 10_000_000;

/// How addresses are made of folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Naming {
    /// All versions are of this one page.
    Url(String),
    /// The page's address is this, and the path of its folder below the one that was named.
    Prefix(String),
    /// As a prefix `http://FOLDER/`, with the name of the folder that was named.
    Folder,
}

/// Passes all versions below a folder on, page by page.
///
/// # Errors
/// If the folder cannot be read, or `take` fails.
pub fn read(root: &Path, naming: &Naming, take: &mut Take<'_>) -> Result<(), Error> {
    for path in walk(root, MOST_FILES).map_err(|source| Error::read(root, source))? {
        let kept = match version(root, &path, naming) {
            Ok(version) => Kept::Version(version),
            Err((reason, detail)) => Kept::Skipped(Skip::new(path.display().to_string(), reason, detail)),
        };
        take(kept)?;
    }
    Ok(())
}

fn version(root: &Path, path: &Path, naming: &Naming) -> Result<Version, (Reason, String)> {
    let unreadable = |error: std::io::Error| (Reason::Unreadable, error.to_string());
    let metadata = path.metadata().map_err(unreadable)?;
    if metadata.len() > MOST_BYTES {
        return Err((Reason::TooLarge, format!("it has more than {MOST_BYTES} bytes")));
    }
    let at = time_in(path).or_else(|| modified(&metadata)).ok_or((Reason::NoTime, "it has no time".to_owned()))?;
    let body = std::fs::read(path).map_err(unreadable)?;
    Ok(Version { url: naming.address(root, path), at, content_type: content_type(path, &body), body, text: None })
}

impl Naming {
    /// The address of the page that this file is a version of.
    fn address(&self, root: &Path, file: &Path) -> String {
        let prefix = match self {
            Self::Url(url) => return url.clone(),
            Self::Prefix(prefix) => prefix.clone(),
            Self::Folder => format!("http://{}/", escaped(&name(root))),
        };
        let below = file.parent().and_then(|folder| folder.strip_prefix(root).ok());
        let parts =
            below.into_iter().flat_map(Path::components).map(|part| escaped(&part.as_os_str().to_string_lossy()));
        let path = parts.collect::<Vec<_>>().join("/");
        let slash = if prefix.ends_with('/') || path.is_empty() { "" } else { "/" };
        prefix + slash + &path
    }
}

/// The name of a folder, however it was typed.
fn name(folder: &Path) -> String {
    let absolute: Option<PathBuf> = folder.canonicalize().ok();
    let name = absolute.as_deref().unwrap_or(folder).file_name();
    name.map_or_else(|| "versions".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// A part of a path as an address writes it.
fn escaped(part: &str) -> String {
    let escape = |byte: u8| {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte);
        if is_plain { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    part.bytes().map(escape).collect()
}

/// The time in the name of a file: `2024-01-31T12:00:00Z.html`, `20240131120000.html`, `page-2024-01-31.html`.
fn time_in(path: &Path) -> Option<Time> {
    let name = path.file_name()?.to_str()?;
    let stem = path.file_stem()?.to_str()?;
    // A name with a time and without an ending: what looks like one is a part of the time.
    [name, stem].into_iter().find_map(|text| {
        let starts = text.char_indices().filter(|&(at, character)| {
            character.is_ascii_digit() && !text[..at].ends_with(|before: char| before.is_ascii_digit())
        });
        let mut times = starts.filter_map(|(at, _)| plausible(&text[at..]));
        times.next()
    })
}

/// A time with a year of the web, written with eight digits at least, or as `2024-01-31`.
fn plausible(text: &str) -> Option<Time> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let year: u32 = text.get(..4)?.parse().ok()?;
    ((1990..2200).contains(&year) && digits >= 8).then(|| text.replace('_', ":").parse().ok()).flatten()
}

fn modified(metadata: &Metadata) -> Option<Time> {
    let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    moment(since.as_secs_f64())
}

/// What a file is, by the end of its name, else by how it begins.
fn content_type(path: &Path, body: &[u8]) -> String {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let start = body.trim_ascii_start();
    match extension.as_deref() {
        Some("html" | "htm") => "text/html",
        Some("txt" | "md") => "text/plain",
        Some("xhtml") => "application/xhtml+xml",
        Some("xml" | "rss" | "atom") => "application/xml",
        Some("json") => "application/json",
        Some("pdf") => "application/pdf",
        _ if start.starts_with(b"<") => "text/html",
        _ if str::from_utf8(body).is_ok() => "text/plain",
        _ => "application/octet-stream",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_found_in_a_name() {
        let digits = |name: &str| time_in(Path::new(name)).map(Time::digits);
        for name in
            ["2024-01-31T12:00:00Z.html", "20240131120000.html", "page-20240131120000.html", "2024-01-31T12_00_00Z"]
        {
            assert_eq!(digits(name).as_deref(), Some("20240131120000"), "{name}");
        }
        assert_eq!(digits("news-2024-01-31.txt").as_deref(), Some("20240131000000"));
        for name in ["1.html", "version-12.html", "99999999.html", "2024.html", "é.html"] {
            assert_eq!(digits(name), None, "{name}");
        }
    }

    #[test]
    fn addresses_are_made_of_folders() {
        let (root, file) = (Path::new("/tmp/site"), Path::new("/tmp/site/a b/c/1.html"));
        let address = |naming: Naming| naming.address(root, file);
        assert_eq!(address(Naming::Url("http://example.org/x".to_owned())), "http://example.org/x");
        assert_eq!(address(Naming::Prefix("http://example.org".to_owned())), "http://example.org/a%20b/c");
        assert_eq!(address(Naming::Folder), "http://site/a%20b/c");
        assert_eq!(Naming::Folder.address(root, Path::new("/tmp/site/1.html")), "http://site/");
    }

    #[test]
    fn a_file_is_known_by_its_name_or_its_beginning() {
        assert_eq!(content_type(Path::new("a.HTML"), b""), "text/html");
        assert_eq!(content_type(Path::new("a"), b"\n<p>"), "text/html");
        assert_eq!(content_type(Path::new("a"), b"text"), "text/plain");
        assert_eq!(content_type(Path::new("a"), b"\xff\0"), "application/octet-stream");
    }
}
