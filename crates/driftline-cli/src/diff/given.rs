//! What is compared: files, stdin, or captures by their addresses, `URL@TIME`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use driftline::change::Sides;
use driftline::page::Source;
use driftline_archive::Address;

use super::operands::{self, Operands};
use crate::archive::data;
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
    pub(super) fn read_both(operands: &Operands<'_>, data: Option<&Path>, limit: usize) -> Result<Sides<Self>> {
        let Operands { old, new, warc } = operands;
        let addresses = [old, new].map(|path| operands::address(path));
        if !warc.is_empty() && addresses.iter().all(Option::is_none) {
            bail!(
                "`--warc` needs a capture to look for\nhint: write OLD or NEW as URL@TIME, for example http://example.org/@2019"
            );
        }
        // An invalid address is reported before any file is read.
        let [old_address, new_address] = addresses.map(|text| text.map(Address::parse).transpose());
        let (old_address, new_address) = (old_address?, new_address?);
        let holdings = (old_address.is_some() || new_address.is_some()).then(|| open(warc, data)).transpose()?;
        let read = |path: &Path, address: Option<Address>| match (address, &holdings) {
            (Some(address), Some(holdings)) => Self::of_capture(holdings, &address, limit),
            _ => Self::of_file(path, limit),
        };
        Ok(Sides { older: read(old, old_address)?, newer: read(new, new_address)? })
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

/// Where captures are looked up: in the files of `--warc`, else in the archive.
fn open(warc: &[PathBuf], data: Option<&Path>) -> Result<Holdings> {
    if !warc.is_empty() {
        return Ok(Holdings::Files(holdings::open(warc, false)?));
    }
    let archive = data::open_to_read(data)
        .context("captures are looked for in the archive\nhint: `--warc FILE` looks for them in WARC files instead")?;
    Ok(Holdings::Archive(archive))
}
