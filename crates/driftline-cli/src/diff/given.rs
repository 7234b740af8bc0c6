//! What is compared: files, stdin, or captures by their addresses, `URL@TIME`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use driftline::change::Sides;
use driftline::page::Source;
use driftline_archive::Address;

use crate::archive::data;
use crate::args::DiffArgs;
use crate::holdings::{self, Holdings};
use crate::input;

/// A version of a page.
pub(super) struct Given {
    /// What it is called: a path, `-`, or the URL and the time of a capture.
    pub(super) name: PathBuf,
    pub(super) bytes: Vec<u8>,
    content_type: Option<String>,
    url: Option<String>,
}

impl Given {
    pub(super) fn source(&self) -> Source<'_> {
        Source { bytes: &self.bytes, content_type: self.content_type.as_deref(), url: self.url.as_deref() }
    }

    /// Reads both versions, with one byte more than `limit` at most.
    pub(super) fn read_both(args: &DiffArgs, limit: usize) -> Result<Sides<Self>> {
        let addresses = [&args.old, &args.new].map(|path| address(path));
        if !args.warc.is_empty() && addresses.iter().all(Option::is_none) {
            bail!(
                "`--warc` needs a capture to look for\nhint: write OLD or NEW as URL@TIME, for example http://example.org/@2019"
            );
        }
        let holdings = addresses.iter().any(Option::is_some).then(|| open(args)).transpose()?;
        let [older, newer] = [(&args.old, &addresses[0]), (&args.new, &addresses[1])].map(|(path, address)| {
            match (address, &holdings) {
                (Some(text), Some(holdings)) => Self::of_capture(holdings, &Address::parse(text)?, limit),
                _ => Self::of_file(path, limit),
            }
        });
        Ok(Sides { older: older?, newer: newer? })
    }

    fn of_file(path: &Path, limit: usize) -> Result<Self> {
        Ok(Self { name: path.to_owned(), bytes: input::read(path, limit)?, content_type: None, url: None })
    }

    fn of_capture(holdings: &Holdings, address: &Address, limit: usize) -> Result<Self> {
        let document = holdings.read(&holdings.find(address)?, limit)?;
        let name = PathBuf::from(format!("{}@{}", document.url, document.at.digits()));
        let (content_type, url) = (document.content_type, Some(document.url));
        Ok(Self { name, bytes: document.body, content_type, url })
    }
}

/// The address of a capture, if this is one and not a path.
fn address(path: &Path) -> Option<String> {
    path.to_str().filter(|text| Address::is_meant(text)).map(str::to_owned)
}

/// Where captures are looked up: in the files that were named, else in the archive.
fn open(args: &DiffArgs) -> Result<Holdings> {
    // What is wrong with an address is told before anything is looked through.
    for text in [&args.old, &args.new].into_iter().filter_map(|path| address(path)) {
        Address::parse(&text)?;
    }
    if !args.warc.is_empty() {
        return Ok(Holdings::Files(holdings::open(&args.warc, false)?));
    }
    let archive = data::open_to_read(args.data.data.as_deref())
        .context("captures are looked for in the archive\nhint: `--warc FILE` looks for them in WARC files instead")?;
    Ok(Holdings::Archive(archive))
}
