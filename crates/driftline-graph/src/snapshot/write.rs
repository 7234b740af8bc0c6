//! How is a snapshot written? File by file into a folder that has no name yet.
//!
//! Each writer wants its items in order and leaves its file on disk, synced, when it is finished. [`About::seal`]
//! comes last.
//!
//! [`About::seal`]: super::About::seal

pub(crate) use super::links::build as links;
pub(crate) use super::numbers::NumbersWriter;
pub(crate) use super::sketches::SketchesWriter;
pub(crate) use super::status::StatusWriter;
pub(crate) use super::urls::UrlsWriter;
