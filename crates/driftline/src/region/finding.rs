//! Findings about a changed part of a page: what changed, how badly, and lost or gained resources.

use std::ops::{BitOr, BitOrAssign};

use serde::{Deserialize, Serialize};

use super::importance::Importance;
use super::place::{Place, RegionChange};
use crate::degree::ied::Operations;
use crate::page::{NodeId, Page};
use crate::sides::Sides;

/// A part of a page that changed: a subtree of one version and its counterpart on the other.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Region {
    /// What happened to it, and where it is.
    pub change: RegionChange,
    /// Which aspects changed.
    pub changed: Aspects,
    /// The similarity of both subtrees as Artail and Fawaz have it (equation 6), from -1 to 1; -1
    /// without a counterpart.
    pub similarity: f64,
    /// How far from equal, from 0 to 1; never 0. See [`grade`](super::grade).
    pub severity: f64,
    /// The words that changed in it and in no region inside it.
    pub operations: Operations,
    /// How much it matters, and why.
    pub importance: Importance,
}

impl Region {
    /// What happened to it.
    #[must_use]
    pub fn kind(&self) -> RegionKind {
        self.change.kind()
    }

    /// Its place on the older version, if it is there. Of a copied region, that of the original.
    #[must_use]
    pub fn older(&self) -> Option<&Place> {
        self.change.older()
    }

    /// Its place on the newer version, if it is there.
    #[must_use]
    pub fn newer(&self) -> Option<&Place> {
        self.change.newer()
    }

    /// Where to look for it: on the newer version if it is there, else on the older.
    #[must_use]
    pub fn shown(&self) -> &Place {
        self.change.shown()
    }

    /// Where to look for it, and on which of the two pages.
    #[must_use]
    pub fn shown_on<'a>(&self, pages: Sides<&'a Page>) -> (&'a Page, &Place) {
        let page = if self.newer().is_some() { pages.newer } else { pages.older };
        (page, self.shown())
    }
}

/// What happened to a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RegionKind {
    /// Something in it differs.
    Changed,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is elsewhere now, perhaps changed as well.
    Moved,
    /// It is new, and the page already had one exactly like it.
    Copied,
    /// It is in another order among its neighbours.
    Reordered,
}

impl RegionKind {
    /// All kinds.
    pub const ALL: &[Self] = &[Self::Changed, Self::Added, Self::Removed, Self::Moved, Self::Copied, Self::Reordered];

    /// Its name in files: `reordered`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Moved => "moved",
            Self::Copied => "copied",
            Self::Reordered => "reordered",
        }
    }

    /// What it means, for people.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Changed => "something in it differs",
            Self::Added => "new",
            Self::Removed => "gone; see the older version",
            Self::Moved => "stands elsewhere now",
            Self::Copied => "one more of what the page had",
            Self::Reordered => "stands in another order",
        }
    }
}

/// Which aspects of a page or a region changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "any of the four can change without the others")]
#[non_exhaustive]
pub struct Aspects {
    /// The words, or their order.
    pub content: bool,
    /// The elements, their nesting, or which of them the words stand in.
    pub structure: bool,
    /// Attributes of elements.
    pub attributes: bool,
    /// Text that is not part of any word: commas, dashes. Always false if words are split at white
    /// space, for then it belongs to them.
    pub punctuation: bool,
}

impl Aspects {
    /// Did anything change?
    #[must_use]
    pub fn any(self) -> bool {
        self.content || self.structure || self.attributes || self.punctuation
    }

    /// The names of those that changed.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let named = [
            (self.content, "content"),
            (self.structure, "structure"),
            (self.attributes, "attributes"),
            (self.punctuation, "punctuation"),
        ];
        named.into_iter().filter(|(changed, _)| *changed).map(|(_, name)| name)
    }
}

impl BitOr for Aspects {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            content: self.content || other.content,
            structure: self.structure || other.structure,
            attributes: self.attributes || other.attributes,
            punctuation: self.punctuation || other.punctuation,
        }
    }
}

impl BitOrAssign for Aspects {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// A link or another resource that one version names and the other does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResourceChange {
    /// Lost or gained?
    pub kind: ResourceFate,
    /// What it is for.
    pub what: ResourceKind,
    /// Its address, resolved where that is possible.
    pub url: String,
    /// The text that a reader sees for it: of the link, or instead of the image.
    pub text: String,
    /// The element: on the older version if it was lost, on the newer if it was gained.
    pub selector: String,
    /// The same, by number; that of the document in a change of format 2.
    #[serde(default)]
    pub node: NodeId,
}

/// What became of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResourceFate {
    /// The newer version does not name it any more.
    Lost,
    /// The older version did not name it.
    Gained,
}

/// What a resource is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ResourceKind {
    /// Something that a reader can go to.
    Link,
    /// A picture.
    Image,
    /// Sound, film, or something embedded.
    Media,
    /// Another page shown inside this one.
    Frame,
    /// Where a form is sent to.
    Form,
    /// A style sheet.
    Style,
    /// A program.
    Script,
}

impl ResourceKind {
    /// Its name for people: `image`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Image => "image",
            Self::Media => "media",
            Self::Frame => "frame",
            Self::Form => "form",
            Self::Style => "style sheet",
            Self::Script => "script",
        }
    }
}
