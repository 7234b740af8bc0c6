//! What is captured? One fetched copy of a URL, with all that the server said, as it said it.

use crate::Time;

/// One fetched copy of a URL. A chain of redirects is a capture for each hop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// The address that was asked for.
    pub url: String,
    /// When it was asked for.
    pub at: Time,
    /// What came back.
    pub content: Content,
    /// What else is known: lines of the record `metadata` that is kept beside it, such as `via` or `fetchTimeMs`.
    pub metadata: Vec<(String, String)>,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// An answer over HTTP.
    Http(Exchange),
    /// A file, without the protocol that brought it.
    Resource {
        /// What it is, such as `text/html`.
        content_type: String,
        /// Its bytes.
        body: Vec<u8>,
    },
}

/// The field of a record that says whether secrets were sent for it: `sent` or `none`.
pub const CREDENTIALS: &str = "Driftline-Credentials";

/// Whether secrets of the user were sent on the way to an answer: a password, cookies, or headers that may hold a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Credentials {
    /// Not known: the record says nothing.
    #[default]
    Unknown,
    /// None were sent.
    None,
    /// Some were sent, if not in this request, then in one before it that led there.
    Sent,
}

impl Credentials {
    /// The value of [`CREDENTIALS`], if there is one.
    #[must_use]
    pub fn said(self) -> Option<&'static str> {
        match self {
            Self::Unknown => None,
            Self::None => Some("none"),
            Self::Sent => Some("sent"),
        }
    }
}

/// A question and its answer, as they went over the wire.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exchange {
    /// The request with its headers and its body, if it is kept.
    pub request: Option<Vec<u8>>,
    /// Status line and headers of the answer, with the empty line at their end.
    pub head: Vec<u8>,
    /// The body as it was received: still coded as the headers say.
    pub body: Vec<u8>,
    /// The address of the server.
    pub ip: Option<std::net::IpAddr>,
    /// What it went over, such as `h2` and `tls/1.3`: a header `WARC-Protocol` each.
    pub protocols: Vec<String>,
    /// The cipher, as `WARC-Cipher-Suite`.
    pub cipher: Option<String>,
    /// Whether secrets were sent. Exports mask the secrets in the answer if so, or if it is not known.
    pub credentials: Credentials,
}
