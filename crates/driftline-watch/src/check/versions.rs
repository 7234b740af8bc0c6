//! Where is the version before? In the archive, as it came.

use std::sync::Arc;

use driftline::Limit;
use driftline::page::{Limits, RENDERED, Source};
use driftline::redesign::template::Template;
use driftline_archive::archive::Found;
use driftline_archive::derive::is_readable;
use driftline_catalog::StoredCapture;
use driftline_fetch::Fetched;
use driftline_report::summary::line::File;
use xxhash_rust::xxh3::xxh3_128;

use super::case::Case;
use super::{CheckError, Seen};
use crate::site::Document;
use crate::watches;

/// A version in hand.
#[derive(Debug, Clone)]
pub(super) struct Version {
    pub(super) seen: Seen,
    pub(super) body: Arc<Vec<u8>>,
    pub(super) content_type: Option<String>,
    /// Only its beginning is here.
    pub(super) is_cut: bool,
}

impl Version {
    /// For those who read pages.
    pub(super) fn source(&self) -> Source<'_> {
        Source { bytes: &self.body, content_type: self.content_type.as_deref(), url: Some(&self.seen.url) }
    }

    /// The address of the page.
    pub(super) fn url(&self) -> &str {
        self.seen.url.strip_prefix(RENDERED).unwrap_or(&self.seen.url)
    }

    /// Is it what a browser made of a page?
    pub(super) fn is_rendered(&self) -> bool {
        self.seen.url.starts_with(RENDERED)
    }

    /// For a sentence about a file that is not text.
    pub(super) fn file(&self) -> File<'_> {
        File { bytes: self.body.len(), kind: self.content_type.as_deref() }
    }

    /// The names of the limits that cut it short, and of these.
    pub(super) fn limits(&self, others: &[Limit]) -> Vec<String> {
        let mut names: Vec<String> = others.iter().map(|limit| limit.name().to_owned()).collect();
        names.extend(self.is_cut.then(|| Limit::Bytes.name().to_owned()));
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Is it text of some sort?
    pub(super) fn is_readable(&self) -> bool {
        is_readable(&self.source())
    }
}

impl Document {
    /// A version as a document of a site; none if it has no elements, or a redirect led to another site.
    pub(super) fn of(version: &Version, template: Template, site: &str) -> Option<Self> {
        let is_one = !template.is_empty() && watches::site(version.url()) == site;
        let url = version.url().to_owned();
        is_one.then_some(Self { capture: version.seen.capture, at: version.seen.at, template, url, older: None })
    }
}

/// Whether an answer is what a browser made of a page.
pub(super) fn is_rendered(fetched: &Fetched) -> bool {
    fetched.captures.get(fetched.page).is_some_and(|capture| capture.url.starts_with(RENDERED))
}

/// A digest of a body.
pub(super) fn digest(body: &[u8]) -> String {
    format!("{:032x}", xxh3_128(body))
}

impl Case<'_> {
    /// Keeps what came in the archive, all hops of it.
    pub(super) fn keep(&self, fetched: Fetched) -> Result<Option<Version>, CheckError> {
        let kept = self.context.archive.append_all(&fetched.captures)?;
        let Some(page) = kept.get(fetched.page) else { return Ok(None) };
        let seen = seen(page, &fetched.body);
        let Fetched { body, content_type, is_cut, .. } = fetched;
        Ok(Some(Version { seen, body: Arc::new(body), content_type, is_cut }))
    }

    /// A version that was seen before; none if the archive has given it up since, or cannot read it any more.
    pub(super) fn recall(&self, seen: &Seen) -> Result<Option<Version>, CheckError> {
        let remembered = self.context.memory.version(seen.capture);
        if remembered.is_some() {
            return Ok(remembered);
        }
        let Some(stored) = self.context.archive.catalog().capture(seen.capture)? else { return Ok(None) };
        let Some(version) = self.version(&stored)? else { return Ok(None) };
        let version = Version { seen: Seen { digest: seen.digest.clone(), ..version.seen }, ..version };
        self.context.memory.keep_version(&version);
        Ok(Some(version))
    }

    /// A capture of the archive, as a version; none if it is lost. A watch must go on without it.
    pub(super) fn version(&self, stored: &StoredCapture) -> Result<Option<Version>, CheckError> {
        let most = Limits::DEFAULT.bytes;
        let found = match self.context.archive.read(stored, most) {
            Err(error) if error.is_lost() => return Ok(self.lose(stored, &error.to_string())),
            found => found?,
        };
        let (content_type, body, is_cut) = match found {
            Found::Http(response) => (response.head.content_type().map(str::to_owned), response.body, response.is_cut),
            Found::Resource { content_type, body, is_cut } => (content_type, body, is_cut),
        };
        if is_cut && body.len() < most {
            return Ok(
                self.lose(stored, "its record is cut off\nhint: `driftline archive verify` says what else is damaged")
            );
        }
        Ok(Some(Version { seen: seen(stored, &body), body: Arc::new(body), content_type, is_cut }))
    }

    /// Says that a version is lost, and how to find out what else is.
    fn lose(&self, stored: &StoredCapture, why: &str) -> Option<Version> {
        let (watch, url, at) = (&self.watch.id, &stored.capture.url, stored.capture.at);
        tracing::warn!(%watch, %url, %at, why, "a version is lost; the watch goes on without it");
        None
    }
}

fn seen(stored: &StoredCapture, body: &[u8]) -> Seen {
    let capture = &stored.capture;
    Seen { capture: stored.id, url: capture.url.clone(), at: capture.at, digest: digest(body) }
}
