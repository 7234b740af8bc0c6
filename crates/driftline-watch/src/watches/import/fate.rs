//! What becomes of a setting of another monitor.

/// What becomes of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It becomes this setting.
    Kept(&'static str),
    /// It has no counterpart, which a note says.
    Told(&'static str),
    /// Without it the watch would be of something else, so the watch is paused and a note says why.
    Paused(&'static str),
    /// There is nothing to bring over.
    Needless(&'static str),
}

/// What the note on a setting says that no table of this importer names.
pub(super) const UNKNOWN: &str = "not known here";
