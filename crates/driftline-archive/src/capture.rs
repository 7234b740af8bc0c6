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
}
