//! What do captures say that they do not say themselves? Text, links, template, and what changed between two versions.
//!
//! Everything here can be made again from the WARC files alone, so it carries the number of the recipe that made it:
//! a better recipe has a higher number, and [`rebuild()`] makes again what has another one. A better recipe measures
//! *both* sides again and tells nobody: no event comes from here.

mod change;
mod index;
pub mod links;
pub mod rebuild;
mod value;

use std::panic::{AssertUnwindSafe, catch_unwind};

use driftline::change::Change;
use driftline::compare::Comparer;
use driftline::page::{self, Page, Source};

pub use change::{change, row};
pub use rebuild::{Extent, Rebuild, Rebuilt, measure, rebuild};
pub use value::{DamagedValue, Link, unpack};

use crate::http;

/// What is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The words in reading order, one line a block.
    Text,
    /// What the page points to.
    Links,
    /// The shingles of its tags.
    Template,
    /// What differs from the version before.
    Change,
}

/// The numbers of the recipes. Who alters what a recipe makes counts its number up: a test holds what each makes.
pub enum Recipe {}

impl Recipe {
    /// Of [`Kind::Text`].
    pub const TEXT: u32 = 1;
    /// Of [`Kind::Links`].
    pub const LINKS: u32 = 1;
    /// Of [`Kind::Template`].
    pub const TEMPLATE: u32 = 1;
    /// Of [`Kind::Change`].
    pub const CHANGE: u32 = 3;
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Text, Self::Links, Self::Template, Self::Change];
    /// Those that are made from one capture.
    pub const OF_ONE: [Self; 3] = [Self::Text, Self::Links, Self::Template];

    /// Its name in the catalog: `links`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Links => "links",
            Self::Template => "template",
            Self::Change => "change",
        }
    }

    /// The number of the recipe that makes it now.
    #[must_use]
    pub fn recipe(self) -> u32 {
        match self {
            Self::Text => Recipe::TEXT,
            Self::Links => Recipe::LINKS,
            Self::Template => Recipe::TEMPLATE,
            Self::Change => Recipe::CHANGE,
        }
    }
}

/// Derives values, one capture after the other; each thread has one.
#[derive(Default)]
pub struct Deriver {
    read_options: page::ReadOptions,
    comparer: Comparer,
}

/// What analysis reads of a capture.
#[derive(Debug, Clone)]
pub enum Reading {
    /// Words and elements.
    Page(Box<Page>),
    /// Nothing that can be read: a picture, say. Two of them differ wholly or not at all.
    Opaque,
}

impl Deriver {
    /// Reads what a capture holds. A panic would be a bug of ours, and costs one value, not the job.
    #[must_use]
    pub fn read(&self, source: Source<'_>) -> Reading {
        if !is_readable(&source) {
            return Reading::Opaque;
        }
        catch_unwind(AssertUnwindSafe(|| Page::read(source, &self.read_options)))
            .map_or(Reading::Opaque, |page| Reading::Page(Box::new(page)))
    }

    /// The value of a kind that is made from one capture, packed for the catalog; none for a change.
    #[must_use]
    pub fn value(&self, kind: Kind, reading: &Reading) -> Option<Vec<u8>> {
        value::make(kind, reading).map(|bytes| value::pack(&bytes))
    }

    /// The change between two versions; none if one of them cannot be read.
    pub fn change(&mut self, older: &Reading, newer: &Reading) -> Option<Change> {
        let (Reading::Page(older), Reading::Page(newer)) = (older, newer) else { return None };
        let compared = catch_unwind(AssertUnwindSafe(|| self.comparer.compare(older, newer)));
        compared.inspect_err(|_| self.comparer = Comparer::default()).ok()
    }
}

/// Is this text of some sort? By what it says it is, or by its beginning if that says nothing.
#[must_use]
pub fn is_readable(source: &Source<'_>) -> bool {
    let declared = source.content_type.map(http::essence).filter(|essence| !essence.is_empty());
    if let Some(declared) = declared {
        if page::BodyKind::from_content_type(declared).is_some() {
            return true;
        }
        let declared = declared.to_ascii_lowercase();
        let text = declared.starts_with("text/") || declared.contains("javascript");
        // Servers send pages as these when they know no better.
        let unknown = ["application/octet-stream", "unknown/unknown", "application/x-unknown-content-type"];
        if !unknown.contains(&declared.as_str()) {
            return text;
        }
    }
    let beginning = &source.bytes[..source.bytes.len().min(SNIFFED)];
    !beginning.contains(&0) || beginning.starts_with(&[0xff, 0xfe]) || beginning.starts_with(&[0xfe, 0xff])
}

/// How many bytes are looked at to tell text from other things; browsers look at so many too.
pub const SNIFFED: usize = 1445;

#[cfg(test)]
mod tests;
