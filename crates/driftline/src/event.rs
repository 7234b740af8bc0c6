//! What is there to tell? One value for each thing that happened, complete in itself: it is stored, sent, listed and
//! put into feeds without looking anything up again.
//!
//! An event has a [`key`](Event::key) made of its cause. The same cause gives the same key, so an event that is found
//! again after a crash is the event that was found before it.

pub mod key;

use serde::{Deserialize, Serialize};

use crate::sides::Sides;
use crate::time::Time;

/// The version of the format in which an [`Event`] is stored and sent.
pub const FORMAT: u32 = 1;

/// Something to tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Event {
    /// The version of its format.
    pub format: u32,
    /// Its name for ever: 32 hexadecimal digits, made of its cause.
    pub key: String,
    /// When it was found.
    pub at: Time,
    /// What happened.
    pub kind: Kind,
    /// The id of the watch; none if it is about a site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<String>,
    /// What people call it: the name of the watch, or the title of the page, or the address.
    pub name: String,
    /// Tags of the watch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The page, the feed, or the site.
    pub url: String,
    /// Its site: the host, without `www.`.
    pub site: String,
    /// What happened, in one line: `24.99 → 21.50 EUR`.
    pub summary: String,
    /// How much it matters, from 0 to 1.
    pub importance: f64,
    /// Why it matters that much, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
    /// How much of the page changed, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degree: Option<f64>,
    /// When the versions were captured that it is about; `URL@=TIME` names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Sides<Time>>,
    /// What changed, word by word, the weightiest part first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excerpts: Vec<Excerpt>,
    /// The parts of the page that changed, each told apart from others by what happened in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// How alike the templates of both versions are, from 0 to 1; none if only a zone is watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<f64>,
    /// The page is as it was at this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned_to: Option<Time>,
    /// Since when it is so: it fails, it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Time>,
    /// How sure it is, from 0 to 1, if it is not certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certainty: Option<f64>,
    /// The pages or items that it is about, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<Mention>,
    /// Events that it explains, by their keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explains: Vec<String>,
    /// What an answer lacks, by the names of limits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// Selectors of elements that flicker, learned since the last message: their changes are not reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<String>,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A page changed.
    Changed,
    /// A page goes back and forth between states that were seen before.
    Flapping,
    /// A site has a new template.
    Redesigned,
    /// A page that was not there before.
    NewPage,
    /// A page is not there any more, for good as it seems.
    PageGone,
    /// A page that was gone is there again.
    PageBack,
    /// A feed has a new item.
    ItemAdded,
    /// An item of a feed was altered.
    ItemModified,
    /// An item of a feed went before its time.
    ItemRemoved,
    /// Checks fail, and go on failing.
    CheckFailing,
    /// Checks work again.
    CheckRecovered,
    /// The zone of a watch is not to be found.
    ZoneLost,
    /// The zone of a watch is found again, perhaps elsewhere.
    ZoneFound,
    /// A site has an earlier template again.
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
#[serde(rename_all = "kebab-case")]
pub struct Part {
    /// Made of what happened to which words, not of the place: 32 hexadecimal digits.
    pub signature: String,
    /// Where, as [`Excerpt::selector`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub selector: String,
    /// What happened, in one line.
    pub summary: String,
    /// How much it matters, from 0 to 1.
    pub importance: f64,
    /// Why it matters that much, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

/// A part of a page that changed, with a few words around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Excerpt {
    /// Where: a selector of the newer page, or of the older one if it is gone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub selector: String,
    /// How much this part matters, from 0 to 1.
    pub importance: f64,
    /// Its text.
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

/// Some words, and what became of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// What became of them.
    pub mark: Mark,
    /// The words.
    pub text: String,
}

/// What became of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// They stayed.
    Kept,
    /// They came.
    Added,
    /// They went.
    Dropped,
    /// They came here from elsewhere on the page.
    Moved,
    /// Some words that stayed are left out here.
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
    /// What happened to it, in one line, if the summary of the event does not say so of all of them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
}
