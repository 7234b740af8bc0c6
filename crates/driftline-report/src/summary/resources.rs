//! Links, images and the like that were added or removed, in words.

use driftline::change::Change;
use driftline::region::{ResourceFate, ResourceKind};

use super::numbers::listed;

/// Whether a resource is for readers; style sheets and programs are not.
#[must_use]
pub fn is_shown(kind: ResourceKind) -> bool {
    !matches!(kind, ResourceKind::Style | ResourceKind::Script)
}

/// Whether a link or something that is shown was added or removed.
#[must_use]
pub fn has_shown(change: &Change) -> bool {
    change.resources.iter().any(|resource| is_shown(resource.what))
}

/// The number of links, images and the like that were added and removed: `1 image added, 1 removed`. None if there are
/// none.
#[must_use]
pub fn counts(change: &Change) -> Option<String> {
    let shown = || change.resources.iter().filter(|resource| is_shown(resource.what));
    let count = |fate: ResourceFate| shown().filter(|resource| resource.kind == fate).count();
    let nouns = match shown().next()?.what {
        first if shown().any(|resource| resource.what != first) => ["link or image", "links or images"],
        ResourceKind::Link => ["link", "links"],
        ResourceKind::Image => ["image", "images"],
        ResourceKind::Frame => ["frame", "frames"],
        ResourceKind::Form => ["form", "forms"],
        ResourceKind::Media | ResourceKind::Style | ResourceKind::Script => ["media file", "media files"],
        _ => ["resource", "resources"],
    };
    listed(nouns, [(count(ResourceFate::Gained), "added"), (count(ResourceFate::Lost), "removed")])
}

/// A resource with its text, if it has one: `Download (link https://example.org/a.pdf)`.
#[must_use]
pub fn described(what: &str, url: &str, text: &str) -> String {
    match text.trim() {
        "" => format!("{what} {url}"),
        text => format!("{text} ({what} {url})"),
    }
}
