//! The leftover of a change: what is not the same on both versions of a page after everything that was only moved, wrapped
//! or repeated is set aside.
//!
//! A redesign changes all of a page's markup and some of its text. What it explains is known only when its other pages are
//! seen, hours later perhaps, so a change to another template is stored with its leftover: sentences and links that were
//! lost and gained, each with the places of the template in which it is. [`settle`](crate::site::settle()) compares the
//! leftovers of the pages of one redesign. It is stored beside the event and never sent.

use std::collections::BTreeMap;

use driftline::event::Event;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The format in which it is stored.
const FORMAT: u32 = 1;
/// The member of a stored event that has it.
const MEMBER: &str = "leftover";
/// The selector of items of the title.
pub(crate) const TITLE: &str = "title";

/// What is not the same on both versions of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Leftover {
    format: u32,
    /// Of the older version.
    #[serde(rename = "old")]
    pub(crate) lost: Half,
    /// Of the newer version.
    #[serde(rename = "new")]
    pub(crate) gained: Half,
}

/// What one version has and the other one has not.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Half {
    /// In the order of the page.
    pub(crate) items: Vec<Item>,
    /// How many sentences and links that both versions have are in a place.
    pub(crate) kept: BTreeMap<u32, u32>,
    /// Hashes of the paths of all places, sorted.
    pub(crate) paths: Vec<u32>,
    /// The words of each sentence of the title: other pages have them in lists of links.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) titles: Vec<Vec<String>>,
}

/// A sentence, or a link or an image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Item {
    pub(crate) selector: String,
    /// Hashes of its place in the template: of the path of its element, and of that with its number among those with the
    /// same path, from the first and from the last; of a sentence also with its number in the element.
    pub(crate) places: Vec<u32>,
    pub(crate) importance: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) why: Vec<String>,
    /// Whether it is something that the watch does not look for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_ignored: bool,
    #[serde(flatten)]
    pub(crate) content: Content,
}

/// What an item says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Content {
    /// A sentence.
    Words(Words),
    /// A link, an image or the like.
    Resource {
        /// Its name in files: `image`.
        what: String,
        /// Its address.
        url: String,
        /// The text that a reader sees for it.
        text: String,
    },
}

/// The words of a sentence.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Words {
    pub(crate) text: String,
    /// Where each word begins and ends in the text.
    pub(crate) spans: Vec<(u32, u32)>,
    /// The words as they are compared, if that is not as they are written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) forms: Vec<String>,
    /// The numbers of words that the other version has in the same sequence, or that do not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) known: Vec<u32>,
}

impl Item {
    /// Whether something in it is not on the other version.
    pub(crate) fn is_left(&self) -> bool {
        match &self.content {
            Content::Words(words) => words.known.len() < words.len(),
            Content::Resource { .. } => true,
        }
    }
}

impl Words {
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// A word as it is compared.
    pub(crate) fn form(&self, at: usize) -> &str {
        self.forms.get(at).map_or_else(|| self.written(at), String::as_str)
    }

    /// A word as it is written.
    pub(crate) fn written(&self, at: usize) -> &str {
        let of = |&(start, end): &(u32, u32)| self.text.get(start as usize..end as usize);
        self.spans.get(at).and_then(of).unwrap_or_default()
    }

    /// What is between a word and the one before it.
    pub(crate) fn gap(&self, at: usize) -> &str {
        let start = at.checked_sub(1).and_then(|before| self.spans.get(before)).map_or(0, |(_, end)| *end);
        let end = self.spans.get(at).map_or(self.text.len(), |(start, _)| *start as usize);
        self.text.get(start as usize..end).unwrap_or_default()
    }

    /// For each word, whether the other version has it not.
    pub(crate) fn unknown(&self) -> Vec<bool> {
        let mut unknown = vec![true; self.len()];
        for known in &self.known {
            unknown.get_mut(*known as usize).into_iter().for_each(|unknown| *unknown = false);
        }
        unknown
    }
}

impl Leftover {
    pub(crate) fn new(lost: Half, gained: Half) -> Self {
        Self { format: FORMAT, lost, gained }
    }

    /// The leftover of a stored event; none if it has none, or one of a format that is not known here.
    pub(crate) fn of(body: &Value) -> Option<Self> {
        let stored = body.get(MEMBER)?;
        serde_json::from_value::<Self>(stored.clone()).ok().filter(|leftover| leftover.format == FORMAT)
    }
}

/// An event as it is stored, with the leftover of its change.
pub(crate) fn body(event: &Event, leftover: Option<&Leftover>) -> Value {
    let leftover = leftover.and_then(|leftover| serde_json::to_value(leftover).ok());
    with(event, leftover.as_ref())
}

/// An event as it is stored in place of another one, whose leftover it keeps.
pub(crate) fn updated(event: &Event, stored: &Value) -> Value {
    with(event, stored.get(MEMBER))
}

fn with(event: &Event, leftover: Option<&Value>) -> Value {
    let mut body = serde_json::to_value(event).unwrap_or(Value::Null);
    if let (Some(members), Some(leftover)) = (body.as_object_mut(), leftover) {
        members.insert(MEMBER.to_owned(), leftover.clone());
    }
    body
}
