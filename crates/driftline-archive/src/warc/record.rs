//! A record: what it is, where it stands, and what its head says.

use super::Headers;

/// Where a record begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// The byte of the file at which the record begins, or the compressed member that it begins in.
    pub offset: u64,
    /// How many bytes of that member, uncompressed, stand before it. If there are none, a reader that is
    /// started at `offset` finds this record first.
    pub within: u64,
}

/// All bytes of a record in its file, packed as they are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extent {
    /// The first.
    pub offset: u64,
    /// How many there are: the member of the record with all that is in it, or, if it is not packed, its head
    /// and its body without the empty lines behind them.
    pub length: u64,
}

/// A record without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Where it begins.
    pub place: Place,
    /// How it is written.
    pub format: Format,
    /// What it is.
    pub kind: Kind,
    /// The address that it is about, without blanks.
    pub target_uri: Option<String>,
    /// When it was captured, as it stands there: usually `2024-01-01T00:00:00Z`, and `20240101000000` in ARC.
    pub date: Option<String>,
    /// How long it says its body is; 0 if it does not say so.
    pub length: u64,
    /// All that its head says.
    pub headers: Headers,
}

impl Record {
    /// What its body is by its own word: `application/http; msgtype=response`, for one. ARC gives the type of the
    /// page instead.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.headers.get("Content-Type")
    }

    /// The address of the server that answered.
    #[must_use]
    pub fn ip(&self) -> Option<&str> {
        self.headers.get(match self.format {
            Format::Warc => "WARC-IP-Address",
            Format::Arc => "IP-address",
        })
    }

    /// Does it say how long it is, be it nonsense?
    pub(super) fn says_length(&self) -> bool {
        self.headers.get(if self.format == Format::Warc { "Content-Length" } else { "Archive-length" }).is_some()
    }

    /// Should there be a message of HTTP in it?
    #[must_use]
    pub fn is_http(&self) -> bool {
        let is_message = matches!(self.kind, Kind::Response | Kind::Request);
        let uri = self.target_uri.as_deref().unwrap_or_default();
        is_message && ["http:", "https:"].iter().any(|scheme| uri.starts_with(scheme))
    }
}

/// How a record is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// WARC, of any version.
    Warc,
    /// ARC, the format before it.
    Arc,
}

/// What a record is, by its `WARC-Type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// What a server answered.
    Response,
    /// A file, without the protocol that brought it.
    Resource,
    /// What the crawler asked.
    Request,
    /// How the file was made.
    Warcinfo,
    /// What is known about another record.
    Metadata,
    /// A capture of something that was captured before.
    Revisit,
    /// Another record in another format.
    Conversion,
    /// The rest of a record that did not fit another file.
    Continuation,
    /// How an ARC file was made.
    ArcHeader,
    /// None of these.
    Other,
}

impl Kind {
    pub(super) fn of(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "response" => Self::Response,
            "resource" => Self::Resource,
            "request" => Self::Request,
            "warcinfo" => Self::Warcinfo,
            "metadata" => Self::Metadata,
            "revisit" => Self::Revisit,
            "conversion" => Self::Conversion,
            "continuation" => Self::Continuation,
            _ => Self::Other,
        }
    }
}
