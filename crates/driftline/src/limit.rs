//! The limits that can cut work short, which every answer names.
//!
//! Pages come from strangers. Each limit has a documented poorer answer, and the answer names the
//! limit that cut it short ([`Limit`]), so that nobody takes a part for the whole.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A limit that cut the work short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// The body was longer than [`Limits::bytes`](crate::page::Limits::bytes); only its beginning was read.
    Bytes,
    /// The page had more elements than [`Limits::nodes`](crate::page::Limits::nodes); only its beginning was read.
    Nodes,
    /// The page had so many tags, pieces of text and errors that parsing it stopped; only its beginning
    /// was read.
    Tokens,
    /// The JSON repeats long paths so often that later values have only the last part of theirs.
    Paths,
    /// A tag had more than 1,024 attributes, or all tags together far more than their source; only
    /// the first ones were read.
    Attributes,
    /// Elements were nested deeper than [`Limits::depth`](crate::page::Limits::depth); the deeper ones were left out, not their text.
    Depth,
    /// The zone's selectors match nothing on the page, so that nothing of it was read.
    Zone,
    /// The zone's selectors cost too many steps; the last elements of the page match none of them.
    Selectors,
    /// The pages are so long and so different that only alignments near the diagonal were
    /// searched: the degree is an estimate, as a rule too high
    /// (see [`MOST_BLOCK_STEPS`](crate::degree::lcs::MOST_BLOCK_STEPS)).
    Alignment,
    /// So much changed that changed parts were paired in their order instead of by their similarity
    /// (see [`MOST_STEPS`](crate::region::detect::MOST_STEPS)), or that only the outermost or the most important ones are
    /// here (see [`MOST_REGION_BYTES`](crate::change::MOST_REGION_BYTES)).
    Regions,
    /// So many elements are alike in part that the rest were compared only with the element at
    /// their place: similarities are estimates, as a rule too low
    /// (see [`MOST_STEPS`](crate::region::comparison::MOST_STEPS)).
    Similarity,
    /// The feed had more items than [`Feed::MOST_ITEMS`](crate::feed::Feed::MOST_ITEMS); only the
    /// first ones were read.
    Items,
    /// Two feeds had so many words in common that the last items were only compared with those with
    /// which they share a rare word (see [`MOST_STEPS`](crate::feed::MOST_STEPS)).
    Resemblance,
    /// The change was stored without some of its edits: it has more than
    /// [`MOST_EDITS`](crate::change::MOST_EDITS), or an older driftline stored none.
    Edits,
    /// The change has more resources than [`MOST_RESOURCE_BYTES`](crate::change::MOST_RESOURCE_BYTES) have room for; the
    /// first ones are stored.
    Resources,
    /// Titles, addresses, or paths longer than [`MOST_TEXT_BYTES`](crate::change::MOST_TEXT_BYTES) are stored without
    /// their ends.
    Texts,
}

impl Limit {
    /// All limits.
    pub const ALL: &[Self] = &[
        Self::Bytes,
        Self::Nodes,
        Self::Tokens,
        Self::Paths,
        Self::Attributes,
        Self::Depth,
        Self::Zone,
        Self::Selectors,
        Self::Alignment,
        Self::Regions,
        Self::Similarity,
        Self::Items,
        Self::Resemblance,
        Self::Edits,
        Self::Resources,
        Self::Texts,
    ];

    /// Its name in records: `alignment`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Nodes => "nodes",
            Self::Tokens => "tokens",
            Self::Paths => "paths",
            Self::Attributes => "attributes",
            Self::Depth => "depth",
            Self::Zone => "zone",
            Self::Selectors => "selectors",
            Self::Alignment => "alignment",
            Self::Regions => "regions",
            Self::Similarity => "similarity",
            Self::Items => "items",
            Self::Resemblance => "resemblance",
            Self::Edits => "edits",
            Self::Resources => "resources",
            Self::Texts => "texts",
        }
    }

    /// What the limit means for the answer, for people.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Bytes => "the page is longer than the byte limit; only its beginning was read",
            Self::Nodes => "the page has more elements than the limit; only its beginning was read",
            Self::Tokens => "the page has too many tags and errors to parse them all; only its beginning was read",
            Self::Paths => "the JSON repeats long paths too often; later values have only the last part of theirs",
            Self::Attributes => "a tag has too many attributes; only its first ones were read",
            Self::Depth => "elements nested too deep were left out; their text was kept",
            Self::Zone => "the zone matches nothing on a page, so that nothing of it was read",
            Self::Selectors => "the selectors cost too many steps on this page; its last elements match none",
            Self::Alignment => "the pages are too long to align fully; the degree is an estimate, as a rule too high",
            Self::Regions => {
                "too much changed to show it finely; regions are coarse, and only the most important ones are shown"
            }
            Self::Similarity => {
                "the pages have too many elements to compare them all; similarities are estimates, as a rule too low"
            }
            Self::Items => "the feed has more items than the limit; only its first ones were read",
            Self::Edits => "the change was stored without some of its edits",
            Self::Resources => "the change was stored without some of its resources",
            Self::Texts => "the change was stored with the beginnings of long titles, addresses and paths",
            Self::Resemblance => "too many items resemble each other; the last ones were paired by rare words only",
        }
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = Self::ALL.iter().find(|limit| limit.name() == name);
        found.copied().ok_or_else(|| serde::de::Error::custom(format_args!("`{name}` is not a known limit")))
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
