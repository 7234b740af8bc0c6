//! What was in the zone? Enough to know it again, in a few kilobytes.

use std::collections::BTreeMap;

use rapidhash::v3::rapidhash_v3;
use serde::{Deserialize, Serialize};

use crate::page::{NodeId, Page};

/// The most different words that are kept. Of more, those with the smallest hashes are a fair sample.
const MOST_WORDS: usize = 4_096;
/// The most attributes that are kept, and the most bytes of a value.
const MOST_ATTRIBUTES: usize = 32;
const MOST_VALUE_BYTES: usize = 512;
/// The most names of a path that are kept, from the element up.
const MOST_NAMES: usize = 64;

/// What an element and all in it looked like when its selector still matched: words, tags, path and
/// attributes.
///
/// It is stored with a format version; another version is refused, not guessed at.
///
/// ```
/// use driftline::page::{NodeId, Page, ReadOptions};
/// use driftline::region::zone::{ZoneFingerprint, relocate};
///
/// let older = Page::read("<div id=news><p>Rain, wind and more rain until Friday.</div>", &ReadOptions::default());
/// let newer = Page::read("<main><div class=box><p>Rain, wind and more rain until Friday.</div></main>", &ReadOptions::default());
/// let news = ZoneFingerprint::of(&older, NodeId(3));
/// assert_eq!(relocate(&newer, &news).unwrap().selector, ".box");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct ZoneFingerprint {
    version: u32,
    /// The names from the root down to the element.
    pub(super) path: Vec<String>,
    /// The attributes of the element itself.
    pub(super) attributes: Vec<(String, String)>,
    /// The hashes of the different words, sorted, none above `ceiling`.
    pub(super) words: Vec<u32>,
    /// Words whose hashes lie above it were left out.
    pub(super) ceiling: u32,
    /// How often each tag stands in it, by name.
    pub(super) tags: BTreeMap<String, u32>,
}

/// A fingerprint as it was stored, not checked yet.
#[derive(Deserialize)]
struct Stored {
    version: u32,
    path: Vec<String>,
    attributes: Vec<(String, String)>,
    words: Vec<u32>,
    ceiling: u32,
    tags: BTreeMap<String, u32>,
}

/// Why a stored fingerprint cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FingerprintError {
    /// It was written by another version of driftline.
    #[error("the zone's fingerprint has the format {0}, this driftline reads {current}; make it again", current = ZoneFingerprint::VERSION)]
    Version(u32),
    /// The words are not sorted, or one stands twice.
    #[error("the zone's fingerprint is damaged; make it again")]
    Damaged,
}

impl TryFrom<Stored> for ZoneFingerprint {
    type Error = FingerprintError;

    fn try_from(stored: Stored) -> Result<Self, FingerprintError> {
        let Stored { version, path, attributes, words, ceiling, tags } = stored;
        if version != Self::VERSION {
            return Err(FingerprintError::Version(version));
        }
        let is_sorted = words.is_sorted_by(|left, right| left < right);
        if !is_sorted || words.last().is_some_and(|last| *last > ceiling) || words.len() > MOST_WORDS {
            return Err(FingerprintError::Damaged);
        }
        Ok(Self { version, path, attributes, words, ceiling, tags })
    }
}

impl ZoneFingerprint {
    /// The version of the stored form.
    pub const VERSION: u32 = 1;

    /// The fingerprint of an element and all in it. Words are taken in the form in which they are compared.
    #[must_use]
    pub fn of(page: &Page, node: NodeId) -> Self {
        let own = &page.nodes()[node.index()];
        let mut words: Vec<u32> =
            page.words().skip(own.words.start as usize).take(own.words.range().len()).map(hash).collect();
        words.sort_unstable();
        words.dedup();
        let ceiling = if words.len() > MOST_WORDS { words[MOST_WORDS - 1] } else { u32::MAX };
        words.truncate(MOST_WORDS);
        let short = |(_, value): &(&str, &str)| value.len() <= MOST_VALUE_BYTES;
        let attributes = page.attributes(node).filter(short).take(MOST_ATTRIBUTES);
        Self {
            version: Self::VERSION,
            path: path(page, node).into_iter().map(Into::into).collect(),
            attributes: attributes.map(|(name, value)| (name.into(), value.into())).collect(),
            words,
            ceiling,
            tags: tags(page, node).into_iter().map(|(name, count)| (name.into(), count)).collect(),
        }
    }
}

/// A word as a number: the lower half of its `rapidhash` (version 3), which the format fixes.
pub(super) fn hash(word: &str) -> u32 {
    rapidhash_v3(word.as_bytes()) as u32
}

/// The names from the root down to an element; the upper ones are left out if they are very many.
pub(super) fn path(page: &Page, node: NodeId) -> Vec<&str> {
    let climb = std::iter::successors(Some(node), |&node| page.nodes()[node.index()].parent);
    let mut names: Vec<&str> = climb.take(MOST_NAMES).map(|node| page.tag(node)).collect();
    names.reverse();
    names
}

/// How often each tag stands in an element, itself included.
pub(super) fn tags(page: &Page, node: NodeId) -> BTreeMap<&str, u32> {
    let last = page.nodes()[node.index()].last;
    let mut tags = BTreeMap::new();
    (node.0..=last.0).for_each(|node| *tags.entry(page.tag(NodeId(node))).or_insert(0) += 1);
    tags
}
