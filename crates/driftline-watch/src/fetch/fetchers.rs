//! By what is a page fetched? By what its watch says: over HTTP, or by a browser.

use std::sync::Arc;

use super::{BrowserFetcher, Fetch, FetchDefaults, FetchError, Fetched, FetcherError, HttpFetcher, Request, With};
use crate::guard::Guard;
use crate::span::Span;

/// Brings pages by whatever their watches ask for. Chromium is started when it is first needed.
#[derive(Debug)]
pub struct Fetchers {
    http: Arc<HttpFetcher>,
    browser: BrowserFetcher,
}

impl Fetchers {
    /// Both fetchers, by what the operator says.
    ///
    /// # Errors
    /// If something there cannot be used.
    pub fn new(defaults: &FetchDefaults) -> Result<Self, FetcherError> {
        HttpFetcher::new(defaults)?.try_into()
    }

    /// Who says what may be asked.
    #[must_use]
    pub fn guard(&self) -> &Guard {
        self.http.guard()
    }
}

impl TryFrom<HttpFetcher> for Fetchers {
    type Error = FetcherError;

    fn try_from(http: HttpFetcher) -> Result<Self, FetcherError> {
        let http = Arc::new(http);
        Ok(Self { browser: BrowserFetcher::new(Arc::clone(&http))?, http })
    }
}

impl Fetch for Fetchers {
    fn fetch(&self, request: &Request<'_>) -> Result<Fetched, FetchError> {
        match request.how.with {
            With::Http => self.http.fetch(request),
            With::Browser => self.browser.fetch(request),
        }
    }

    fn delay(&self, host: &str) -> Option<Span> {
        self.http.delay(host)
    }

    fn close(&self) {
        self.browser.close();
    }
}
