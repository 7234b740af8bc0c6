//! What is kept of an exchange? All that the server said, as it said it, and what was asked, less what could be a secret.

use driftline::time::Time;
use driftline_archive::Capture;
use driftline_archive::capture::{Content, Exchange};
use reqwest::StatusCode;
use reqwest::Version;
use reqwest::header::{HOST, HeaderMap, TRANSFER_ENCODING};
use url::{Position, Url};

use super::headers;
use super::hop::Answer;

/// How the body came is not how it is kept: the pieces have been joined, and a reader must not look for them.
const JOINED: &str = "x-archive-orig-transfer-encoding";

/// An answer as a capture, with the address that led there.
pub(super) fn capture(answer: Answer, at: Time, via: Option<String>) -> Capture {
    let mut metadata = Vec::new();
    if let Some(via) = via {
        metadata.push(("via".to_owned(), via));
    }
    if answer.is_cut {
        metadata.push(("truncated".to_owned(), "length".to_owned()));
    }
    let exchange = Exchange {
        request: Some(request(&answer.url, &answer.sent)),
        head: head(answer.status, &answer.headers),
        body: answer.body,
        ip: answer.ip,
        protocols: vec![protocol(answer.version).to_owned()],
        cipher: None,
        credentials: answer.credentials,
    };
    Capture { url: answer.url.into(), at, content: Content::Http(exchange), metadata }
}

/// The head of an answer. Its first line is that of HTTP/1.1 for all versions, since that is what readers of WARC
/// files know; which one it was stands beside it.
pub(super) fn head(status: u16, headers: &HeaderMap) -> Vec<u8> {
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or_default();
    let mut head = format!("HTTP/1.1 {status} {reason}\r\n").into_bytes();
    for (name, value) in headers {
        let name = if *name == TRANSFER_ENCODING { JOINED } else { name.as_str() };
        line(&mut head, name, value.as_bytes());
    }
    head.extend_from_slice(b"\r\n");
    head
}

/// The request, less what could be a secret.
fn request(url: &Url, sent: &HeaderMap) -> Vec<u8> {
    let mut request = format!("GET {} HTTP/1.1\r\n", &url[Position::BeforePath..Position::AfterQuery]).into_bytes();
    let host = &url[Position::BeforeHost..Position::AfterPort];
    line(&mut request, HOST.as_str(), host.as_bytes());
    for (name, value) in sent.iter().filter(|(name, value)| headers::is_kept(name, value)) {
        line(&mut request, name.as_str(), value.as_bytes());
    }
    request.extend_from_slice(b"\r\n");
    request
}

fn line(out: &mut Vec<u8>, name: &str, value: &[u8]) {
    for part in [name.as_bytes(), b": ", value, b"\r\n"] {
        out.extend_from_slice(part);
    }
}

fn protocol(version: Version) -> &'static str {
    match version {
        Version::HTTP_2 => "h2",
        Version::HTTP_10 => "http/1.0",
        _ => "http/1.1",
    }
}
