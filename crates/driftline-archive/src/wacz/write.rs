//! A WACZ file from archives, lines of an index, and pages: version 1.1.1, as pywb and ReplayWeb.page read it.
//!
//! Archives go in as they are; the index is sorted and written in blocks (`index.cdx.gz`, with `index.idx` of the
//! blocks); `datapackage.json` has the digest of each file, `datapackage-digest.json` the digest of that one.

mod abandoned;

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::Time;
use crate::cdxj::{Line, Sorter};
use abandoned::Abandoned;

/// How many lines are in a block.
const BLOCK: usize = 300;

/// Writes a WACZ file.
pub struct Writer<W: Write + Seek> {
    zip: ZipWriter<Abandoned<W>>,
    about: About,
    lines: Sorter,
    /// Lines of JSON.
    pages: String,
    resources: Vec<Value>,
}

/// What the file says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// What the collection is called.
    pub title: Option<String>,
    /// What made it.
    pub software: String,
    /// When.
    pub created: Time,
}

/// A page that a reader may begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its address.
    pub url: String,
    /// When it was captured.
    pub at: Time,
    /// What it is called.
    pub title: Option<String>,
}

impl<W: Write + Seek> Writer<W> {
    /// Begins a file.
    pub fn new(output: W, about: About) -> Self {
        let zip = ZipWriter::new(Abandoned::new(output));
        Self { zip, about, lines: Sorter::default(), pages: String::new(), resources: Vec::new() }
    }

    /// Adds an archive, by its name without folders.
    ///
    /// # Errors
    /// If it cannot be read, or the file cannot be written.
    pub fn add_archive(&mut self, name: &str, content: impl Read) -> io::Result<()> {
        self.add(&format!("archive/{name}"), content)
    }

    /// Adds a line of the index; its `filename` is the name of an archive.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn add_line(&mut self, line: &Line) -> io::Result<()> {
        self.lines.push(line.to_string())
    }

    /// Adds a page to the list of pages.
    pub fn add_page(&mut self, page: &Page) {
        let id = HEXLOWER.encode(&Sha256::digest(format!("{} {}", page.url, page.at)));
        let mut value = json!({ "id": &id[..20], "url": page.url, "ts": page.at.to_string() });
        if let Some(title) = &page.title {
            value["title"] = json!(title);
        }
        self.pages.push_str(&value.to_string());
        self.pages.push('\n');
    }

    /// Writes the index, the pages and what the file says about itself.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        let (blocks, index) = blocks_of(std::mem::take(&mut self.lines))?;
        self.add("indexes/index.cdx.gz", blocks)?;
        self.add("indexes/index.idx", index.as_bytes())?;
        let about = json!({ "format": "json-pages-1.0", "id": "pages", "title": "All Pages" }).to_string() + "\n";
        let pages = std::mem::take(&mut self.pages);
        self.add("pages/pages.jsonl", about.as_bytes().chain(pages.as_bytes()))?;
        let package = self.package();
        self.add("datapackage.json", package.as_bytes())?;
        let digest = json!({ "path": "datapackage.json", "hash": sha256(package.as_bytes()) }).to_string();
        self.add("datapackage-digest.json", digest.as_bytes())?;
        Ok(self.zip.finish().map_err(plain)?.output)
    }

    /// What the file says about itself.
    fn package(&self) -> String {
        let mut package = json!({
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "software": self.about.software,
            "created": self.about.created.to_string(),
            "resources": self.resources,
        });
        if let Some(title) = &self.about.title {
            package["title"] = json!(title);
        }
        format!("{package:#}")
    }

    /// Adds a file as it is, and notes its digest.
    fn add(&mut self, path: &str, mut content: impl Read) -> io::Result<()> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
        self.zip.start_file(path, options).map_err(plain)?;
        let (mut digest, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; 64 << 10]);
        loop {
            let count = content.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            digest.update(&buffer[..count]);
            self.zip.write_all(&buffer[..count])?;
            bytes += count;
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let hash = format!("sha256:{}", HEXLOWER.encode(&digest.finalize()));
        self.resources.push(json!({ "name": name, "path": path, "hash": hash, "bytes": bytes }));
        Ok(())
    }
}

impl Default for About {
    fn default() -> Self {
        let software = concat!("driftline ", env!("CARGO_PKG_VERSION")).to_owned();
        Self { title: None, software, created: Time::default() }
    }
}

/// The lines in blocks of gzip, and the index of the blocks.
fn blocks_of(lines: Sorter) -> io::Result<(File, String)> {
    let mut blocks = Blocks { file: tempfile::tempfile()?, end: 0, index: META.to_owned() };
    let (mut block, mut first, mut count) = (String::new(), String::new(), 0);
    lines.finish(|line| {
        if count == 0 {
            line.split('{').next().unwrap_or_default().trim_end().clone_into(&mut first);
        }
        block.push_str(line);
        block.push('\n');
        count += 1;
        if count == BLOCK {
            blocks.add(&first, &block)?;
            (block, count) = (String::new(), 0);
        }
        Ok(())
    })?;
    if count > 0 {
        blocks.add(&first, &block)?;
    }
    blocks.file.rewind()?;
    Ok((blocks.file, blocks.index))
}

/// The first line of the index of blocks.
const META: &str = "!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"index.cdx.gz\"}\n";

/// Blocks on their way.
struct Blocks {
    file: File,
    end: usize,
    index: String,
}

impl Blocks {
    fn add(&mut self, first: &str, block: &str) -> io::Result<()> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(block.as_bytes())?;
        let packed = encoder.finish()?;
        let (offset, length, digest) = (self.end, packed.len(), sha256(&packed));
        let line = format!("{first} {{\"offset\": {offset}, \"length\": {length}, \"digest\": \"{digest}\"}}\n");
        self.index.push_str(&line);
        self.end += length;
        self.file.write_all(&packed)
    }
}

/// What the output said, without the words of the library around it.
fn plain(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        error => io::Error::other(error),
    }
}

fn sha256(bytes: &[u8]) -> String {
    format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(bytes)))
}
