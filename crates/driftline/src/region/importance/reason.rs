//! Why does a change matter, or not? In words.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::landmark::Landmark;
use super::volatile::Volatile;
use crate::number::grouped;
use crate::region::finding::{ResourceFate, ResourceKind};

/// Something that speaks for or against the importance of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// Where it stands.
    In(Landmark),
    /// The block stands on so many pages of the site.
    Shared(u32),
    /// Nothing marks the content here, and the block is made of links.
    MostlyLinks,
    /// So many words changed, not counting those that change by themselves.
    Words(usize),
    /// Nothing changed but what changes by itself.
    Only(Volatile),
    /// The same words stand in another order or in another place.
    OnlyOrder,
    /// The same words stand in other elements.
    OnlyStructure,
    /// The same words with other commas and dashes.
    OnlyPunctuation,
    /// Only attributes changed.
    OnlyAttributes,
    /// A resource came or went.
    Resource {
        /// Lost or gained.
        #[serde(rename = "kind", alias = "fate")]
        fate: ResourceFate,
        /// What it is for.
        what: ResourceKind,
        /// Is it something to download: data, a document, an archive?
        is_file: bool,
        /// The last part of its address.
        name: String,
    },
    /// The same text, and readers see it now.
    Appeared,
    /// The same text, and readers do not see it any more.
    Vanished,
    /// The title is another one.
    Title,
    /// A sentence of an older driftline, which stored nothing else.
    #[serde(alias = "said")]
    Text(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::In(landmark) => out.write_str(landmark.phrase()),
            Self::Shared(pages) => write!(out, "shared by {} pages of the site", grouped(*pages as usize)),
            Self::MostlyLinks => out.write_str("a block of links"),
            Self::Words(1) => out.write_str("1 word changed"),
            Self::Words(count) => write!(out, "{} words changed", grouped(*count)),
            Self::Appeared => out.write_str("hidden before"),
            Self::Vanished => out.write_str("hidden now"),
            Self::Only(volatile) => write!(out, "only {} changed", volatile.noun()),
            Self::OnlyOrder => out.write_str("the same words in another order"),
            Self::OnlyStructure => out.write_str("the same words in other elements"),
            Self::OnlyPunctuation => out.write_str("the same words with other punctuation"),
            Self::OnlyAttributes => out.write_str("only attributes changed"),
            Self::Resource { fate, what, is_file, name } => resource(out, *fate, *what, *is_file, name),
            Self::Title => out.write_str("the title changed"),
            Self::Text(sentence) => out.write_str(sentence),
        }
    }
}

fn resource(
    out: &mut fmt::Formatter<'_>,
    fate: ResourceFate,
    what: ResourceKind,
    is_file: bool,
    name: &str,
) -> fmt::Result {
    let article = if what == ResourceKind::Image { "an" } else { "a" };
    let aim = if is_file { " to a file" } else { "" };
    let verb = if fate == ResourceFate::Lost { "lost" } else { "gained" };
    write!(out, "{article} {}{aim} was {verb}", what.name())?;
    if name.is_empty() { Ok(()) } else { write!(out, ": {name}") }
}
