//! May the page ask for this, and with what? Each request stops here before it is sent.
//!
//! What a watch sends (headers, a password) goes to its own origin only, though Chromium itself would send it with
//! every picture. Documents of the page are judged as those over HTTP are: only the web, and robots.txt. Whether the
//! address may be asked is not decided here but at the proxy, which nothing gets past.

use std::sync::{Arc, Mutex, PoisonError};

use driftline::time::Time;
use driftline_archive::capture::Credentials;
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, USER_AGENT};
use url::{Origin, Url};

use super::super::headers::{self, Sent};
use super::super::{FetchError, How, HttpFetcher, Request};
use super::devtools::Session;
use super::protocol::{ContinueRequest, FailRequest, HeaderEntry, RequestPaused};

/// Decides about the requests of one page.
#[derive(Debug)]
pub(super) struct Gate {
    http: Arc<HttpFetcher>,
    /// None if robots.txt does not count.
    asks_robots: Option<(How, Time)>,
    home: Origin,
    /// What goes home with each request.
    own: Vec<(String, String)>,
    /// Whether something secret is sent.
    pub(super) credentials: Credentials,
    /// Which headers have values that are secret.
    secret: Vec<HeaderName>,
    /// Why a document was not asked for.
    refused: Mutex<Option<FetchError>>,
}

impl Gate {
    pub(super) fn new(http: Arc<HttpFetcher>, request: &Request<'_>, home: &Url, sent: &Sent) -> Self {
        let is_set = |name: &HeaderName| {
            let is_written = request.how.headers.keys().any(|written| name.as_str().eq_ignore_ascii_case(written));
            (is_written || *name == AUTHORIZATION) && *name != COOKIE && *name != USER_AGENT
        };
        let headers = sent.to(home, None);
        let secret = headers.iter().filter(|(_, value)| value.is_sensitive()).map(|(name, _)| name.clone()).collect();
        let own = headers.iter().filter(|(name, _)| is_set(name));
        let own = own.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
        Self {
            http,
            asks_robots: (!request.how.ignore_robots).then(|| (request.how.clone(), request.at)),
            home: home.origin(),
            own: own.collect(),
            credentials: sent.credentials(),
            secret,
            refused: Mutex::default(),
        }
    }

    /// Marks the values that are secret among headers that were sent.
    pub(super) fn mark(&self, sent: &mut HeaderMap) {
        for name in &self.secret {
            if let Some(value) = sent.get_mut(name) {
                value.set_sensitive(true);
            }
        }
    }

    /// Why a document was not asked for, if one was not.
    pub(super) fn refused(&self) -> Option<FetchError> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Lets a request through, or not.
    pub(super) async fn pass(self: Arc<Self>, session: Session, paused: RequestPaused, is_main: bool) {
        let is_document = is_main && paused.resource_type == "Document";
        let judged = if is_document { self.judge(&paused.request.url).await } else { Ok(()) };
        // A page that has gone is answered by nobody, and needs no answer.
        let _ = match judged {
            Ok(()) => session.send(&self.dressed(&paused)).await,
            Err(error) => {
                self.refused.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                session.send(&FailRequest { request_id: paused.request_id, error_reason: "BlockedByClient" }).await
            }
        };
    }

    async fn judge(&self, url: &str) -> Result<(), FetchError> {
        let url = self.http.guard().check_url(url)?;
        let Some((how, at)) = self.asks_robots.clone() else { return Ok(()) };
        let http = Arc::clone(&self.http);
        let asked = tokio::task::spawn_blocking(move || http.may_ask(&url, &how, at)).await;
        asked.unwrap_or_else(|error| Err(super::engine::broken(&error)))
    }

    /// The request, with what the watch sends if it goes home.
    fn dressed(&self, paused: &RequestPaused) -> ContinueRequest {
        let mut request = ContinueRequest { request_id: paused.request_id.clone(), headers: None };
        let is_home = Url::parse(&paused.request.url).is_ok_and(|url| headers::is_home(&self.home, &url));
        if is_home && !self.own.is_empty() {
            let own = |name: &str| self.own.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
            let entry = |name: &str, value: &str| HeaderEntry { name: name.to_owned(), value: value.to_owned() };
            let sent = paused.request.headers.iter().filter(|(name, _)| !own(name));
            let sent = sent.filter_map(|(name, value)| Some(entry(name, value.as_str()?)));
            let own = self.own.iter().map(|(name, value)| entry(name, value));
            request.headers = Some(sent.chain(own).collect());
        }
        request
    }
}
