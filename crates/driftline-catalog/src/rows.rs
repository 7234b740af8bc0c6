//! The rows of the catalog, as the rest of driftline sees them.

use serde_json::Value;

use crate::Time;

/// A capture on its way into the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCapture {
    /// The address, as it was asked for.
    pub url: String,
    /// Its SURT, under which it is found.
    pub key: String,
    /// When it was captured.
    pub at: Time,
    /// Which sort of record holds it.
    pub kind: CaptureKind,
    /// The status of the answer.
    pub status: Option<u16>,
    /// What the answer says that it is, such as `text/html`.
    pub mime: Option<String>,
    /// The digest of its body, such as `sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ`.
    pub digest: Option<String>,
    /// The digest of its body without its codings, if it is known: what tells versions apart.
    pub body_digest: Option<String>,
    /// How many bytes its body has.
    pub payload_length: Option<u64>,
    /// Where it sends the reader on to.
    pub redirect: Option<String>,
    /// The record's own name, such as `urn:uuid:…`.
    pub record_id: Option<String>,
    /// Of a revisit: the capture that holds the body.
    pub refers_to: Option<Original>,
    /// Where it is imported from; of one that is in the catalog, [`Catalog::origin`](crate::Catalog::origin) says so.
    pub origin: Option<Origin>,
    /// Where the record begins in its segment.
    pub offset: u64,
    /// How many bytes of the segment it takes, compressed as it is there.
    pub length: u64,
}

/// Where a capture was imported from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file, as the importer names it.
    pub source: String,
    /// Where its record begins in the file.
    pub offset: u64,
    /// When it was imported.
    pub added: Option<Time>,
    /// Who imported it; empty if that was not said.
    pub operator: String,
}

/// The capture that a revisit refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// Its address.
    pub url: String,
    /// When it was captured.
    pub at: Time,
}

/// Which sort of record holds a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CaptureKind {
    /// An answer with its headers.
    Response,
    /// An answer whose body was there before.
    Revisit,
    /// A file without the protocol that brought it.
    Resource,
    /// Something made from another capture.
    Conversion,
}

/// A capture that the catalog knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCapture {
    /// Its number in this catalog; never given twice.
    pub id: i64,
    /// The file name of the segment that holds it.
    pub segment: String,
    /// All else.
    pub capture: NewCapture,
}

/// Captures that were appended to one segment, and what else becomes true with them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch {
    /// The file name of the segment.
    pub segment: String,
    /// How many bytes of the segment are acknowledged with this batch.
    pub segment_end: u64,
    /// The captures.
    pub captures: Vec<NewCapture>,
    /// How far an import has come with them.
    pub imported: Option<Progress>,
}

/// How far an import of one file has come. A file of another size or another time is another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The file, as the importer names it.
    pub source: String,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last modified.
    pub modified: Option<Time>,
    /// Everything before this byte is in the archive.
    pub offset: u64,
    /// Nothing is left to do.
    pub done: bool,
}

/// A file of captures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Its file name.
    pub name: String,
    /// What may be done with it.
    pub state: SegmentState,
    /// How many of its bytes are acknowledged; what lies behind may be torn.
    pub bytes: u64,
}

/// What may be done with a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SegmentState {
    /// A writer appends to it.
    Open,
    /// It is complete, in the local folder.
    Closed,
    /// It is complete, where segments are stored for good.
    Stored,
    /// No capture is in it any more; its file may go, or is gone.
    Dropped,
}

/// A URL with captures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlSummary {
    /// The address.
    pub url: String,
    /// Its SURT.
    pub key: String,
    /// How many captures it has.
    pub captures: u64,
    /// Its first capture.
    pub first: Time,
    /// Its latest capture.
    pub latest: Time,
}

/// A capture that differs from the one before it of the same URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The capture.
    pub capture: StoredCapture,
    /// The number of the capture right before it, if it is not the first.
    pub previous: Option<i64>,
}

/// What is looked at again and again.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Watch {
    /// Its permanent name.
    pub uuid: String,
    /// The address that is watched.
    pub url: String,
    /// What the user calls it.
    pub title: String,
    /// What the user groups it by.
    pub tags: Vec<String>,
    /// How it is watched.
    pub settings: Value,
    /// When the user began to watch it.
    pub created: Time,
    /// What sort of watch it is, such as `page` or `feed`.
    pub kind: String,
    /// Its site: a host without `www.`.
    pub site: String,
    /// The list that it is a member of, by its UUID.
    pub list: Option<String>,
    /// Whether it is not checked for now.
    pub is_paused: bool,
}

/// What differs between two captures.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Change {
    /// The number of the older capture.
    pub older: i64,
    /// The number of the newer capture.
    pub newer: i64,
    /// How both pages were read, as text; empty if they were read as a whole and as they are.
    pub reading: String,
    /// The version of the recipe that measured it.
    pub recipe: u32,
    /// How much changed, from 0 to 1.
    pub degree: f64,
    /// How much it matters, from 0 to 1.
    pub importance: Option<f64>,
    /// The whole change.
    pub body: Value,
}

/// Something that was made from a capture and can be made again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// The number of the capture.
    pub capture: i64,
    /// What it is, such as `text` or `links`.
    pub kind: String,
    /// The version of the recipe that made it.
    pub recipe: u32,
    /// Its bytes.
    pub body: Vec<u8>,
}

/// Captures that lie elsewhere from now on, captures that are no longer there, and what becomes of the segments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Relocation {
    /// Captures that were copied to another place.
    pub moved: Vec<Moved>,
    /// Revisits whose originals are given up.
    pub turned: Vec<Turned>,
    /// The numbers of captures that are given up, with all that was derived from them.
    pub dropped: Vec<i64>,
    /// Segments as they are from now on; new ones are added.
    pub segments: Vec<Segment>,
}

/// Where a capture lies from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The number of the capture.
    pub capture: i64,
    /// The file name of the segment.
    pub segment: String,
    /// Where the record begins in it.
    pub offset: u64,
    /// How many bytes of the segment it takes.
    pub length: u64,
}

/// What becomes of a revisit whose original is given up: it holds the body itself, or refers to one that does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turned {
    /// The number of the capture.
    pub capture: i64,
    /// Which sort of record holds it now.
    pub kind: CaptureKind,
    /// The status of the answer.
    pub status: Option<u16>,
    /// What the answer says that it is.
    pub mime: Option<String>,
    /// How many bytes its body has, if it has one.
    pub payload_length: Option<u64>,
    /// Of a revisit: the capture that holds the body now.
    pub refers_to: Option<Original>,
}

/// What belongs to some addresses, and where to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfUrls<T> {
    /// What belongs to them.
    pub items: Vec<T>,
    /// The number of the last of those addresses.
    pub next: i64,
}
