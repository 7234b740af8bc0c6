//! The record of how a page was read: what must be known to read it again.

use serde::{Deserialize, Serialize};

use super::{BodyKind, ReadOptions};
use crate::written::is_usual;

/// The beginning of the address of a capture that is a page as a browser rendered it; the address of the page follows.
pub const RENDERED: &str = "urn:dom:";

/// How a page was read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReadRecord {
    /// The options, with the kind of body that was recognised and the zones as they were on this version.
    #[serde(flatten)]
    pub options: ReadOptions,
    /// Whether the bytes are the page as a browser rendered it, not as it was received: see [`RENDERED`].
    #[serde(default, skip_serializing_if = "is_usual")]
    pub rendered: bool,
}

impl ReadRecord {
    /// The record of a web page that was received and read with the usual options; none in a build without the feature
    /// `segmentation`, whose words are others.
    pub(crate) fn usual() -> Option<Self> {
        let options = ReadOptions { kind: Some(BodyKind::Html), ..ReadOptions::default() };
        cfg!(feature = "segmentation").then_some(Self { options, rendered: false })
    }
}
