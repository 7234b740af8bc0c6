//! Bytes from files and stdin, never more than the limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use driftline::page::{Page, ReadOptions};

use crate::settings;

/// Is this the name of stdin?
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a file, or stdin for `-`, as a page; its name may say what kind of body it is.
pub(crate) fn page(path: &Path, read_options: &ReadOptions) -> Result<Page> {
    Ok(page_of(&read(path, read_options.limits.bytes)?, path, read_options))
}

/// What was read from `path`, as a page.
pub(crate) fn page_of(bytes: &[u8], path: &Path, read_options: &ReadOptions) -> Page {
    Page::read(bytes, &options_of(path, read_options))
}

/// How what is read from `path` is read: its name may say what kind of body it is.
pub(crate) fn options_of(path: &Path, read_options: &ReadOptions) -> ReadOptions {
    ReadOptions { kind: read_options.kind.or_else(|| settings::body_kind_of(path)), ..read_options.clone() }
}

/// What to do about something that holds pages and is none, for a command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Advice {
    pub(crate) folder: &'static str,
    pub(crate) warc: &'static str,
}

impl Advice {
    /// For commands that compare two pages.
    const PAIR: Self = Self {
        folder: "`driftline measure FOLDER` compares the versions in a folder",
        warc: "`driftline diff URL@TIME URL@TIME --warc FILE` compares captures in it",
    };
}

/// Reads a file, or stdin for `-`; one byte more than `limit` at most, so that a cut is noticed.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Vec<u8>> {
    read_or_advise(path, limit, Advice::PAIR)
}

/// The same, for a command that has other advice.
pub(crate) fn read_or_advise(path: &Path, limit: usize, advice: Advice) -> Result<Vec<u8>> {
    if is_stdin(path) {
        return read_up_to(io::stdin().lock(), limit, advice).context("cannot read stdin");
    }
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot open `{name}`{}", hint(path)))?;
    let metadata = file.metadata().with_context(|| format!("cannot read `{name}`"))?;
    if metadata.is_dir() {
        bail!("`{name}` is a folder, not a page\nhint: {}", advice.folder);
    }
    read_up_to(file, limit, advice).with_context(|| format!("cannot read `{name}`"))
}

fn read_up_to(input: impl Read, limit: usize, advice: Advice) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    match container(&bytes, advice) {
        Some((what, hint)) => bail!("this is {what}, not a page\nhint: {hint}"),
        None => Ok(bytes),
    }
}

/// What the first bytes show, if it is something that holds pages or pictures and is none itself.
fn container(bytes: &[u8], advice: Advice) -> Option<(&'static str, &'static str)> {
    const UNPACK: &str = "unpack it first";
    const NO_TEXT: &str = "driftline compares text";
    let signatures: [(&[u8], _, _); 9] = [
        (b"\x1f\x8b", "gzip data", "`gunzip` it first"),
        (b"PK\x03\x04", "a zip archive", UNPACK),
        (b"\x28\xb5\x2f\xfd", "zstd data", "`unzstd` it first"),
        (b"WARC/", "a WARC file", advice.warc),
        (b"HTTP/1.", "an HTTP response with its headers", "cut the headers off first"),
        (b"%PDF-", "a PDF file", "`pdftotext` it first"),
        (b"\x89PNG", "a picture", NO_TEXT),
        (b"GIF8", "a picture", NO_TEXT),
        (b"\xff\xd8\xff", "a picture", NO_TEXT),
    ];
    signatures.iter().find(|(start, ..)| bytes.starts_with(start)).map(|&(_, what, hint)| (what, hint))
}

fn hint(path: &Path) -> &'static str {
    let is_url = path.to_str().is_some_and(|name| name.starts_with("http://") || name.starts_with("https://"));
    if is_url { "\nhint: driftline reads files here; save the page first, or pipe it in and write `-`" } else { "" }
}
