//! What is new in a feed? Items instead of text: added, modified, removed, reordered.
//!
//! A feed compared as a page would report one new item as words everywhere, since every item moves
//! down. So a feed is read into [`Item`]s ([`Feed::read`]), and those are matched one to one:
//!
//! - [`compare`]: driftline's own way, by guid, then link, then similarity.
//! - [`artail`]: the way of Artail and Fawaz, section 4.3, by similarity only.
//!
//! Rules F1 to F5: `docs/reference/rules.md`.

pub mod artail;
pub mod compare;
mod html;
mod json;
mod order;
mod pair;
mod read;
mod similarity;
mod xml;

use serde::Serialize;

use crate::limit::Limit;

pub use read::is_feed;
pub use similarity::MOST_STEPS;

/// A feed as analysis reads it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Feed {
    /// Which format it has; none if it is no feed at all.
    pub format: Option<FeedFormat>,
    /// Its title, as HTML.
    pub title: String,
    /// The page that it belongs to.
    pub link: Option<String>,
    /// Its items, in its own order.
    pub items: Vec<Item>,
    /// Was it broken, or so unusual that the library refused it, and read as far as it made sense?
    pub is_broken: bool,
    /// What cut the reading short.
    pub limits: Vec<Limit>,
}

/// The formats of feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FeedFormat {
    /// RSS 0.9x and 2.0.
    Rss,
    /// RSS 0.90 and 1.0, which are RDF.
    Rdf,
    /// Atom.
    Atom,
    /// JSON Feed.
    Json,
}

/// An item of a feed: one story, release, episode.
///
/// Fields that a feed left out are empty. Title, summary and content are HTML, whatever the feed
/// declares (rule F2): most feeds that declare plain text have escaped HTML in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Item {
    /// What the feed itself calls it, for ever: `guid`, `id`.
    pub guid: Option<String>,
    /// Its own page.
    pub link: Option<String>,
    /// Its title.
    pub title: String,
    /// `description` or `summary`.
    pub summary: String,
    /// `content` or `content:encoded`.
    pub content: String,
    /// When it was published or, if that is not told, updated: as RFC 3339 where the date could be
    /// read, else as written.
    pub published: Option<String>,
}

impl Item {
    /// An item that has only what Artail and Fawaz look at.
    #[must_use]
    pub fn new(title: impl Into<String>, description: impl Into<String>) -> Self {
        Self { title: title.into(), summary: description.into(), ..Self::default() }
    }

    /// The first of `description`, `summary`, `content` and `encoded` that says anything (rule F1).
    #[must_use]
    pub fn description(&self) -> &str {
        if self.summary.trim().is_empty() { &self.content } else { &self.summary }
    }
}
