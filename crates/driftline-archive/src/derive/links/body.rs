//! The body of a page: its links, and a sketch of its text.

use driftline::novelty::crawl::SkipReason;
use driftline::novelty::sketch::Sketch;
use driftline::page::{BodyKind, Limits, LinkKind, Page, ReadOptions, Source};

use super::records::{PageTimes, is_web};
use super::{Extracted, LinkedPage, skip_reason};
use crate::http::Response;

/// The reader of bodies.
pub(super) struct Parser {
    read_options: ReadOptions,
}

impl Default for Parser {
    /// Many pages are read at once, and no reader reads more than eight megabytes.
    fn default() -> Self {
        Self {
            read_options: ReadOptions {
                limits: Limits { bytes: 8 << 20, ..Limits::DEFAULT },
                ..ReadOptions::default()
            },
        }
    }
}

impl Parser {
    /// The page that an answer holds.
    pub(super) fn page(
        &self,
        url: &str,
        times: &PageTimes,
        response: &Response,
        is_cut: bool,
    ) -> Result<Extracted, SkipReason> {
        if response.unknown_coding.is_some() && !is_text(&response.body) {
            return Err(skip_reason::CODED);
        }
        self.text(url, times, (&response.body, response.head.content_type()), is_cut)
    }

    /// The page that these bytes are.
    pub(super) fn text(
        &self,
        url: &str,
        times: &PageTimes,
        (bytes, content_type): (&[u8], Option<&str>),
        is_cut: bool,
    ) -> Result<Extracted, SkipReason> {
        if content_type.is_none() && !is_text(bytes) {
            return Err(SkipReason::NOT_A_PAGE);
        }
        let page = Page::read(Source { bytes, content_type, url: Some(url) }, &self.read_options);
        if page.kind() == BodyKind::Json {
            return Err(SkipReason::NOT_A_PAGE);
        }
        let lacks = (is_cut || !page.limits().is_empty()).then_some(skip_reason::CUT);
        Ok(Extracted::Page(Box::new(LinkedPage {
            url: url.to_owned(),
            fetched: times.fetched,
            last_modified: times.last_modified,
            sketch: Some(Sketch::of(&page)),
            links: links(&page),
            lacks,
        })))
    }
}

/// Anchors, areas, frames and the preferred address.
fn links(page: &Page) -> Vec<String> {
    let is_wanted = |kind| matches!(kind, LinkKind::Anchor | LinkKind::Frame | LinkKind::Canonical);
    page.links().filter(|link| is_wanted(link.kind) && is_web(&link.url)).map(|link| link.url).collect()
}

/// Does it begin as text does?
fn is_text(bytes: &[u8]) -> bool {
    !bytes.iter().take(1024).any(|&byte| byte == 0)
}
