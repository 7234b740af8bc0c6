//! What is compared: files, stdin, or captures by their addresses, `URL@TIME`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use driftline::change::Sides;
use driftline::page::{RENDERED, Source};
use driftline_catalog::Address;
use driftline_catalog::address::When;

use super::operands::{self, Operands};
use crate::archive::data;
use crate::holdings::{self, Held, Holdings};
use crate::{input, tell};

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

    /// Reads both versions, with one byte more than `limit` at most. Unless they are wanted as they were `received`, pages
    /// that a browser fetched are those that it made, which is what their watches compare.
    pub(super) fn read_both(
        operands: &Operands<'_>,
        data: Option<&Path>,
        received: bool,
        limit: usize,
    ) -> Result<Sides<Self>> {
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
        let Some(holdings) = &holdings else {
            return Ok(Sides { older: Self::of_file(old, limit)?, newer: Self::of_file(new, limit)? });
        };
        let find = |address: Option<Address>| address.map(|address| holdings.find(&address)).transpose();
        let mut found = [find(old_address)?, find(new_address)?];
        if let ([Some(older), Some(newer)], false) = (&found, received) {
            match [rendered(holdings, older)?, rendered(holdings, newer)?] {
                [Some(older), Some(newer)] => found = [Some(older), Some(newer)],
                [None, None] => {}
                _ => tell::warning(
                    "only one of the versions was kept as a browser made it; both are compared as they were received",
                ),
            }
        }
        let read = |path: &Path, held: Option<Held>| match held {
            Some(held) => Self::of_capture(holdings, &held, limit),
            None => Self::of_file(path, limit),
        };
        let [older, newer] = found;
        Ok(Sides { older: read(old, older)?, newer: read(new, newer)? })
    }

    fn of_file(path: &Path, limit: usize) -> Result<Self> {
        Ok(Self { name: path.to_owned(), bytes: input::read(path, limit)?, content_type: None, url: None })
    }

    fn of_capture(holdings: &Holdings, held: &Held, limit: usize) -> Result<Self> {
        let document = holdings.read(held, limit)?;
        let name = PathBuf::from(format!("{}@{}", document.url, document.at.digits()));
        Ok(Self { name, bytes: document.body, content_type: document.content_type, url: Some(document.url) })
    }
}

/// What a browser made of a capture, if it was kept.
fn rendered(holdings: &Holdings, held: &Held) -> Result<Option<Held>> {
    let (Holdings::Archive(archive), Held::Stored(stored)) = (holdings, held) else { return Ok(None) };
    let at = stored.capture.at;
    let address = Address { url: format!("{RENDERED}{}", stored.capture.url), when: When::Exactly(at) };
    let found = archive.find(&address)?.filter(|found| found.capture.at == at);
    Ok(found.map(|found| Held::Stored(Arc::new(found))))
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
