//! What does one address answer? One question and one answer, with limits on time and on bytes.

use driftline::span::Span;
use driftline_archive::capture::Credentials;
use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Client, Method, Response, Version};
use tokio::time::timeout;
use url::Url;

use super::FetchError;
use super::proxy::Proxy;
use super::reason;
use crate::guard::GuardError;

/// How long an address may take to answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// Until a connection is there.
    pub connect: Span,
    /// From then to the head of the answer.
    pub first_byte: Span,
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    /// The address that was asked.
    pub url: Url,
    /// What went with the question.
    pub sent: HeaderMap,
    /// Whether something secret went with it, or with a question that led to it.
    pub credentials: Credentials,
    /// The status.
    pub status: u16,
    /// All headers.
    pub headers: HeaderMap,
    /// The body as it was received: still coded.
    pub body: Vec<u8>,
    /// Was the body longer than the limit?
    pub is_cut: bool,
    /// The server's address.
    pub ip: Option<std::net::IpAddr>,
    /// By which HTTP it came.
    pub version: Version,
}

impl Answer {
    /// Where the answer sends us, if it is a redirect.
    pub(super) fn location(&self) -> Option<String> {
        let is_redirect = matches!(self.status, 301 | 302 | 303 | 307 | 308);
        let location = self.headers.get(LOCATION).filter(|_| is_redirect)?;
        let text = String::from_utf8_lossy(location.as_bytes());
        // What cannot be joined is handed on as it is, and refused with its name.
        Some(self.url.join(text.trim()).map_or_else(|_| text.into_owned(), String::from))
    }
}

/// Asks for a page; at most so many bytes of its body are read.
pub(super) async fn ask(
    client: &Client,
    proxy: Option<&Proxy>,
    url: Url,
    sent: HeaderMap,
    patience: Patience,
    most: usize,
) -> Result<Answer, FetchError> {
    let question = client.request(Method::GET, url.clone()).headers(sent.clone()).send();
    let most_time = patience.connect.duration().saturating_add(patience.first_byte.duration());
    let response = match timeout(most_time, question).await {
        Ok(response) => response.map_err(|error| told(&url, proxy, error, patience.connect))?,
        Err(_) => {
            return Err(FetchError::Timeout(format!("`{url}` sent no head within {}", patience.first_byte)));
        }
    };
    let (status, version) = (response.status().as_u16(), response.version());
    let (headers, ip) = (response.headers().clone(), response.remote_addr().map(|address| address.ip()));
    let (body, is_cut) = read(response, most).await.map_err(|error| told(&url, proxy, error, patience.connect))?;
    // Whether something secret was sent, the caller knows.
    let credentials = Credentials::Unknown;
    Ok(Answer { url, sent, credentials, status, headers, body, is_cut, ip, version })
}

/// Reads a body, and stops at the limit.
async fn read(mut response: Response, most: usize) -> reqwest::Result<(Vec<u8>, bool)> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await? {
        let room = most - body.len();
        body.extend_from_slice(&piece[..piece.len().min(room)]);
        if piece.len() > room {
            return Ok((body, true));
        }
    }
    Ok((body, false))
}

/// What went wrong, with all its reasons: that of the guard goes first.
fn told(url: &Url, proxy: Option<&Proxy>, error: reqwest::Error, connect: Span) -> FetchError {
    let error = error.without_url();
    if let Some(refused) = reason::causes(&error).find_map(|reason| reason.downcast_ref::<GuardError>()) {
        // Behind a proxy, only its own name is looked up for the client.
        return proxy.map_or_else(|| refused.clone().into(), |proxy| proxy.not_found(refused));
    }
    if error.is_timeout() {
        // Behind a proxy nobody can tell whose fault it is; the host of the page was perhaps never requested.
        return match proxy {
            Some(proxy) => {
                FetchError::Proxy(format!("no connection to `{url}` through the proxy {proxy} within {connect}"))
            }
            None => FetchError::Timeout(format!("no connection to `{url}` within {connect}")),
        };
    }
    if let Some(blamed) = proxy.and_then(|proxy| proxy.blamed(url, &reason::plain_chain(&error))) {
        return blamed;
    }
    FetchError::Connection(format!("cannot ask `{url}`: {}", reason::plain_line(&error)))
}
