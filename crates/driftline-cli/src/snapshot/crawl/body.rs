//! Where does a page point, and what does it say?

use driftline::novelty::sketch::Sketch;
use driftline::page::{BodyKind, Limits, LinkKind, Page, ReadOptions, Source};
use driftline_archive::http::Response;

use super::records::{About, is_web};
use super::{Captured, Found, reason};

/// Reads bodies.
pub(super) struct Parser {
    read_options: ReadOptions,
}

impl Default for Parser {
    /// Many pages are read at once: a page of eight megabytes is none that anybody reads to its end.
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
        about: &About,
        response: &Response,
        is_cut: bool,
    ) -> Result<Found, &'static str> {
        if response.unknown_coding.is_some() && !is_text(&response.body) {
            return Err(reason::CODED);
        }
        self.text(url, about, (&response.body, response.head.content_type()), is_cut)
    }

    /// The page that these bytes are.
    pub(super) fn text(
        &self,
        url: &str,
        about: &About,
        (bytes, content_type): (&[u8], Option<&str>),
        is_cut: bool,
    ) -> Result<Found, &'static str> {
        if content_type.is_none() && !is_text(bytes) {
            return Err(reason::NOT_A_PAGE);
        }
        let page = Page::read(Source { bytes, content_type, url: Some(url) }, &self.read_options);
        if page.kind() == BodyKind::Json {
            return Err(reason::NOT_A_PAGE);
        }
        let lacks = (is_cut || !page.limits().is_empty()).then_some(reason::CUT);
        Ok(Found::Page(Captured {
            url: url.to_owned(),
            fetched: about.fetched,
            last_modified: about.last_modified,
            sketch: Some(Sketch::of(&page)),
            links: links(&page),
            lacks,
        }))
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
