//! Events: what a check found, one value per thing that happened.
//!
//! An event is complete in itself: it is stored, sent, listed and put into feeds without looking anything up again.
//! Its [`key`](Event::key) is made of its cause. The same cause gives the same key, so an event that is found again
//! after a crash is the event that was found before it. The members of its JSON are in `docs/reference/events.md`.

pub mod key;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::sides::Sides;
use crate::time::Time;

/// The version of the format in which an [`Event`] is stored and sent: it grows when a member changes its meaning or
/// goes, not when one comes.
pub const FORMAT: u32 = 2;

/// A finding of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The version of its format; an event of an older one is read as one of [`FORMAT`].
    #[serde(deserialize_with = "known_format")]
    pub format: u32,
    /// Its permanent name: 32 hexadecimal digits, made of its cause.
    pub key: String,
    /// The time of the check that found it.
    pub at: Time,
    /// The kind of finding.
    pub kind: Kind,
    /// The id of the watch; none if it is about a site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<String>,
    /// The name for people: of the watch, else the title of the page, else the address.
    pub name: String,
    /// The tags of the watch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The address of the page, the feed, or the site.
    pub url: String,
    /// Its site: the host, without `www.`.
    pub site: String,
    /// The finding in one line: `24.99 → 21.50 EUR`.
    pub summary: String,
    /// How much it matters, from 0 to 1.
    pub importance: f64,
    /// The reasons for the importance, as sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
    /// How much of the page changed, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degree: Option<f64>,
    /// The capture times of the two versions that it is about; `URL@=TIME` names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Sides<Time>>,
    /// The words that changed, the most important part of the page first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excerpts: Vec<Excerpt>,
    /// The parts of the page that changed, each with a signature of what changed in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// The similarity of the templates of both versions, from 0 to 1; none if only a zone is watched.
    #[serde(default, alias = "template", skip_serializing_if = "Option::is_none")]
    pub template_similarity: Option<f64>,
    /// The time of an earlier version or design that the page or the site has returned to.
    #[serde(default, alias = "returned-to", skip_serializing_if = "Option::is_none")]
    pub returned_to: Option<Time>,
    /// The beginning of the state: of failures, absence, flapping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Time>,
    /// The certainty of the finding, from 0 to 1, if it is not certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certainty: Option<f64>,
    /// The pages or items that it is about, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<Mention>,
    /// The keys of events that it explains, which are not sent themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explains: Vec<String>,
    /// The names of limits that cut the work short.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// The selectors of flickering elements that were learned since the last message: their changes are not reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<String>,
}

/// The format of an event that can be read, which is then one of [`FORMAT`].
fn known_format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let format = u32::deserialize(deserializer)?;
    if (1..=FORMAT).contains(&format) {
        return Ok(FORMAT);
    }
    Err(D::Error::custom(format_args!(
        "the event has the format {format}, this driftline reads 1 to {FORMAT}\nhint: use the newer driftline that wrote it"
    )))
}

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A page that changed.
    Changed,
    /// A page that alternates between earlier versions.
    Flapping,
    /// A site with a new template.
    Redesigned,
    /// A page that a list did not name before.
    NewPage,
    /// A page that is no longer there, apparently permanently.
    PageGone,
    /// A page that was gone and is there again.
    PageBack,
    /// A new item of a feed.
    ItemAdded,
    /// An item of a feed that was altered.
    ItemModified,
    /// An item of a feed that was removed before it expired.
    ItemRemoved,
    /// Checks that keep failing.
    CheckFailing,
    /// Checks that work again.
    CheckRecovered,
    /// The zone of a watch that cannot be found.
    ZoneLost,
    /// The zone of a watch that is found again, or was found elsewhere.
    ZoneFound,
    /// A site with an earlier template again.
    DesignRestored,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::Changed,
        Self::Flapping,
        Self::Redesigned,
        Self::NewPage,
        Self::PageGone,
        Self::PageBack,
        Self::ItemAdded,
        Self::ItemModified,
        Self::ItemRemoved,
        Self::CheckFailing,
        Self::CheckRecovered,
        Self::ZoneLost,
        Self::ZoneFound,
        Self::DesignRestored,
    ];

    /// Its name in files: `page-gone`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Flapping => "flapping",
            Self::Redesigned => "redesigned",
            Self::NewPage => "new-page",
            Self::PageGone => "page-gone",
            Self::PageBack => "page-back",
            Self::ItemAdded => "item-added",
            Self::ItemModified => "item-modified",
            Self::ItemRemoved => "item-removed",
            Self::CheckFailing => "check-failing",
            Self::CheckRecovered => "check-recovered",
            Self::ZoneLost => "zone-lost",
            Self::ZoneFound => "zone-found",
            Self::DesignRestored => "design-restored",
        }
    }

    /// Whether it is about the template of a site, which explains changes of pages.
    #[must_use]
    pub fn is_design(self) -> bool {
        matches!(self, Self::Redesigned | Self::DesignRestored)
    }
}

/// A part of a page that changed. The same signature on another page is the same change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// 32 hexadecimal digits, made of the changed words and their changes, not of the place.
    pub signature: String,
    /// The element, as [`Excerpt::selector`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub selector: String,
    /// The change in one line.
    pub summary: String,
    /// How much it matters, from 0 to 1.
    pub importance: f64,
    /// The reasons for the importance, as sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

/// A part of a page that changed, with a few words around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Excerpt {
    /// A selector of the element on the newer page, or on the older one if it was removed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub selector: String,
    /// How much this part matters, from 0 to 1.
    pub importance: f64,
    /// Its text, piece by piece.
    pub pieces: Vec<Piece>,
}

impl Excerpt {
    /// All that it says of one kind, in one string: the words that were added, say.
    #[must_use]
    pub fn words(&self, mark: Mark) -> String {
        let texts: Vec<&str> =
            self.pieces.iter().filter(|piece| piece.mark == mark).map(|piece| &*piece.text).collect();
        texts.join(" ")
    }
}

/// A run of words with one mark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// What happened to the words.
    pub mark: Mark,
    /// The words.
    pub text: String,
}

/// The mark of a piece: what happened to its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Words on both versions.
    Kept,
    /// Words on the newer version alone.
    Added,
    /// Words on the older version alone.
    Dropped,
    /// Words that were elsewhere on the older version.
    Moved,
    /// Words on both versions that are left out here.
    Gap,
}

/// A page or an item in a list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Mention {
    /// Its address.
    pub url: String,
    /// Its title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The finding about it in one line, if the summary of the event does not say it for all of them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
}
