//! What is kept of a page in a browser? The exchanges of its document, what it looked like, or why it did not come.

use std::net::IpAddr;
use std::str::FromStr as _;

use data_encoding::BASE64;
use driftline_archive::Capture;
use driftline_archive::capture::Content;
use reqwest::Version;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue};
use url::Url;

use super::super::hop::Answer;
use super::super::{FetchError, Fetched, Validators, reason, record, retry};
use super::picture;
use super::protocol::{GetResponseBody, Headers};
use super::tab::Tab;
use super::traffic::Document;
use crate::guard::proxy::Fate;

/// Chromium hands bodies out decoded, and none of a redirect: how they came is kept under other names.
const AS_SENT: [(HeaderName, &str); 2] =
    [(CONTENT_ENCODING, "x-archive-orig-content-encoding"), (CONTENT_LENGTH, "x-archive-orig-content-length")];

/// What the rendered page is.
const MARKUP_TYPE: &str = "text/html; charset=utf-8";

/// Goes on if the page has come; `error` is what Chromium said about it.
pub(super) fn check(tab: &Tab<'_>, error: Option<&str>) -> Result<(), FetchError> {
    if let Some(refused) = tab.traffic.gate().refused() {
        return Err(refused);
    }
    for document in tab.traffic.documents() {
        match fate(tab, &document) {
            Some(Fate::Refused(why)) => return Err(FetchError::Refused(why)),
            Some(Fate::Failed(why)) => return Err(FetchError::Connection(why)),
            Some(Fate::Upstream(why)) => return Err(FetchError::Proxy(why)),
            Some(Fate::Reached(_)) | None => {}
        }
    }
    if tab.traffic.is_lost() {
        return Err(FetchError::Connection("Chromium failed: its events of the page ended early".to_owned()));
    }
    let failure = tab.traffic.failure();
    match error.or(failure.as_deref()) {
        None => Ok(()),
        Some(error) => Err(told(tab.request.url, error)),
    }
}

fn told(url: &str, error: &str) -> FetchError {
    match error {
        "net::ERR_ABORTED" => FetchError::Answer(format!(
            "`{url}` is nothing that a browser shows\nhint: without `with = \"browser\"` it is fetched over HTTP"
        )),
        "net::ERR_TOO_MANY_REDIRECTS" => FetchError::Answer(format!("`{url}` redirects too often")),
        "net::ERR_TIMED_OUT" | "net::ERR_CONNECTION_TIMED_OUT" => {
            FetchError::Timeout(format!("no connection to `{url}`"))
        }
        _ => FetchError::Connection(format!("cannot ask `{url}`: {}", reason::plain(error))),
    }
}

/// What became of the host of a document, at the proxy.
fn fate(tab: &Tab<'_>, document: &Document) -> Option<Fate> {
    let url = Url::parse(&document.asked.request.url).ok()?;
    tab.proxy.fate(url.host_str()?, url.port_or_known_default()?)
}

/// Takes the page as it stands, with its picture and the exchanges that led to it.
pub(super) async fn take(tab: &Tab<'_>) -> Result<Fetched, FetchError> {
    let markup = picture::markup(tab).await?;
    let view = picture::png(tab).await;
    let mut captures: Vec<Capture> = Vec::new();
    let (mut status, mut retry_after, mut last) = (0, None, None);
    for document in tab.traffic.documents() {
        let Some(answer) = answer(tab, &document).await else { continue };
        (status, retry_after) = (answer.status, retry::after(&answer.headers, tab.request.at));
        let via = captures.last().map(|capture| capture.url.clone());
        last = Some(answer.url.to_string());
        captures.push(record::capture(answer, tab.request.at, via));
    }
    let url = last.ok_or_else(|| FetchError::Answer(format!("`{}` did not answer", tab.request.url)))?;
    let page = captures.len();
    captures.push(made(tab, format!("urn:dom:{url}"), MARKUP_TYPE, markup.text.clone().into_bytes(), &url));
    captures.extend(view.map(|png| made(tab, format!("urn:view:{url}"), "image/png", png, &url)));
    Ok(Fetched {
        captures,
        page,
        status,
        url,
        body: markup.text.into_bytes(),
        content_type: Some(MARKUP_TYPE.to_owned()),
        validators: Validators::default(),
        retry_after,
        is_cut: markup.is_cut || tab.proxy.is_used_up(),
    })
}

/// What Chromium made of the page.
fn made(tab: &Tab<'_>, url: String, content_type: &str, body: Vec<u8>, of: &str) -> Capture {
    let content = Content::Resource { content_type: content_type.to_owned(), body };
    Capture { url, at: tab.request.at, content, metadata: vec![("via".to_owned(), of.to_owned())] }
}

async fn answer(tab: &Tab<'_>, document: &Document) -> Option<Answer> {
    let answer = document.answer.as_ref()?;
    let body = if document.is_redirect { None } else { body(tab, document).await };
    let sent = document.sent.as_ref().map_or(&document.asked.request.headers, |sent| &sent.headers);
    let came = document.came.as_ref();
    let mut headers = headers(came.map_or(&answer.headers, |came| &came.headers));
    for (name, kept) in AS_SENT {
        if let Some(value) = headers.remove(name) {
            headers.insert(HeaderName::from_static(kept), value);
        }
    }
    let ip = match fate(tab, document) {
        Some(Fate::Reached(address)) => Some(address),
        _ => {
            answer.remote_ip_address.as_deref().and_then(|ip| IpAddr::from_str(ip).ok()).filter(|ip| !ip.is_loopback())
        }
    };
    let (gate, mut sent) = (tab.traffic.gate(), self::headers(sent));
    gate.mark(&mut sent);
    Some(Answer {
        url: Url::parse(&document.asked.request.url).ok()?,
        sent,
        credentials: gate.credentials,
        status: u16::try_from(came.map_or(answer.status, |came| came.status_code)).ok()?,
        headers,
        is_cut: body.is_none() && !document.is_redirect,
        body: body.unwrap_or_default(),
        ip,
        version: match answer.protocol.as_deref() {
            Some("h2") => Version::HTTP_2,
            Some("http/1.0") => Version::HTTP_10,
            _ => Version::HTTP_11,
        },
    })
}

/// The body as it came, decoded; none if it is longer than the limit.
async fn body(tab: &Tab<'_>, document: &Document) -> Option<Vec<u8>> {
    let answer = tab.session.send(&GetResponseBody { request_id: document.id.clone() }).await.ok()?;
    let body = answer.body.into_bytes();
    if answer.base64_encoded { BASE64.decode(&body).ok() } else { Some(body) }
}

/// Headers as Chromium tells them: several of one name stand in lines of one value.
fn headers(told: &Headers) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, values) in told {
        let Ok(name) = HeaderName::from_bytes(name.as_bytes()) else { continue };
        for value in values.as_str().unwrap_or_default().split('\n') {
            if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
                headers.append(name.clone(), value);
            }
        }
    }
    headers
}
