//! What happened to a region, and its place on each version.

use super::finding::RegionKind;
use crate::page::{NodeId, WordRange};
use crate::sides::Sides;

/// The place of a region on one version.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The element; none for a page without elements, such as plain text.
    pub node: Option<NodeId>,
    /// The names of the elements down to it, each followed by `;`.
    pub path: String,
    /// A CSS selector that finds it on this version, and on later ones as long as a selector can.
    pub selector: String,
    /// Its words.
    pub words: WordRange,
}

/// The places of a region that changed where it is: of the whole page, perhaps on one version only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangedPlaces {
    /// On the older version alone.
    OnlyOlder(Place),
    /// On the newer version alone.
    OnlyNewer(Place),
    /// On both.
    Both(Sides<Place>),
}

/// What happened to a region, with its place on each version that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegionChange {
    /// Something in it differs. It has a place on both versions, unless it is the whole page and only one version has
    /// elements.
    Changed(ChangedPlaces),
    /// It is new.
    Added(Place),
    /// It is gone.
    Removed(Place),
    /// It is elsewhere now, perhaps changed as well.
    Moved(Sides<Place>),
    /// It is new, and the older page had one exactly like it, at the older place.
    Copied(Sides<Place>),
    /// It is in another order among its neighbours.
    Reordered(Sides<Place>),
}

impl RegionChange {
    /// The change of this kind with these places; none if the kind has other places.
    pub(crate) fn new(kind: RegionKind, older: Option<Place>, newer: Option<Place>) -> Option<Self> {
        let places = match (older, newer) {
            (Some(older), Some(newer)) => ChangedPlaces::Both(Sides { older, newer }),
            (Some(older), None) => ChangedPlaces::OnlyOlder(older),
            (None, Some(newer)) => ChangedPlaces::OnlyNewer(newer),
            (None, None) => return None,
        };
        match (kind, places) {
            (RegionKind::Changed, places) => Some(Self::Changed(places)),
            (RegionKind::Added, ChangedPlaces::OnlyNewer(newer)) => Some(Self::Added(newer)),
            (RegionKind::Removed, ChangedPlaces::OnlyOlder(older)) => Some(Self::Removed(older)),
            (RegionKind::Moved, ChangedPlaces::Both(places)) => Some(Self::Moved(places)),
            (RegionKind::Copied, ChangedPlaces::Both(places)) => Some(Self::Copied(places)),
            (RegionKind::Reordered, ChangedPlaces::Both(places)) => Some(Self::Reordered(places)),
            _ => None,
        }
    }

    /// The kind, without the places.
    #[must_use]
    pub fn kind(&self) -> RegionKind {
        match self {
            Self::Changed(_) => RegionKind::Changed,
            Self::Added(_) => RegionKind::Added,
            Self::Removed(_) => RegionKind::Removed,
            Self::Moved(_) => RegionKind::Moved,
            Self::Copied(_) => RegionKind::Copied,
            Self::Reordered(_) => RegionKind::Reordered,
        }
    }

    /// The place on the older version, if it is there.
    #[must_use]
    pub fn older(&self) -> Option<&Place> {
        match self {
            Self::Added(_) | Self::Changed(ChangedPlaces::OnlyNewer(_)) => None,
            Self::Removed(older) | Self::Changed(ChangedPlaces::OnlyOlder(older)) => Some(older),
            Self::Changed(ChangedPlaces::Both(places))
            | Self::Moved(places)
            | Self::Copied(places)
            | Self::Reordered(places) => Some(&places.older),
        }
    }

    /// The place on the newer version, if it is there.
    #[must_use]
    pub fn newer(&self) -> Option<&Place> {
        match self {
            Self::Removed(_) | Self::Changed(ChangedPlaces::OnlyOlder(_)) => None,
            _ => Some(self.shown()),
        }
    }

    /// All places.
    pub(crate) fn places_mut(&mut self) -> [Option<&mut Place>; 2] {
        match self {
            Self::Added(place)
            | Self::Removed(place)
            | Self::Changed(ChangedPlaces::OnlyNewer(place) | ChangedPlaces::OnlyOlder(place)) => [Some(place), None],
            Self::Changed(ChangedPlaces::Both(places))
            | Self::Moved(places)
            | Self::Copied(places)
            | Self::Reordered(places) => [Some(&mut places.older), Some(&mut places.newer)],
        }
    }

    /// Where to look: on the newer version if it is there, else on the older.
    #[must_use]
    pub fn shown(&self) -> &Place {
        match self {
            Self::Added(place)
            | Self::Removed(place)
            | Self::Changed(ChangedPlaces::OnlyNewer(place) | ChangedPlaces::OnlyOlder(place)) => place,
            Self::Changed(ChangedPlaces::Both(places))
            | Self::Moved(places)
            | Self::Copied(places)
            | Self::Reordered(places) => &places.newer,
        }
    }
}
