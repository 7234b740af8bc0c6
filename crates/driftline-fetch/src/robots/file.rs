//! One robots.txt, read for driftline: RFC 9309, with `Crawl-delay` and `Sitemap`.
//!
//! The groups that name `driftline` count, or those of `*` if none does. Of the rules that match an address the one
//! with the longest pattern decides, and `Allow` if two are equally long. Matching takes linear time in the length of
//! the address and of the pattern, whatever wildcards there are.

use std::time::Duration;

use robotxt::Robots;
use url::Url;

use crate::agent;

/// The memory that a rule or a sitemap takes in addition to its text.
const ENTRY_WEIGHT: usize = 100;

/// The rules of a robots.txt that are for driftline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsTxt(Robots);

impl RobotsTxt {
    /// Reads a file. Lines that are not understood are skipped, and so is all behind the first 500 KiB.
    #[must_use]
    pub fn parse(body: &[u8]) -> Self {
        Self(Robots::parse(body, agent::TOKEN))
    }

    /// Whether an address of this origin may be fetched; robots.txt itself always may.
    #[must_use]
    pub fn allows(&self, url: &Url) -> bool {
        self.0.is_url_allowed(url)
    }

    /// The time that the server asks for between two requests; the shortest, if it names several.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.0.crawl_delay()
    }

    /// The sitemaps that the file names, for all crawlers.
    #[must_use]
    pub fn sitemaps(&self) -> &[Url] {
        self.0.sitemaps()
    }

    /// An estimate of the memory that it takes, in bytes.
    pub(super) fn weight(&self) -> usize {
        let rules = self.0.rules().iter().map(|rule| rule.pattern().len());
        let sitemaps = self.0.sitemaps().iter().map(|sitemap| sitemap.as_str().len());
        rules.chain(sitemaps).map(|text| text + ENTRY_WEIGHT).sum()
    }
}
