//! The fetcher of all watches: over HTTP or through Chromium, as each watch says.

use std::sync::Arc;

use driftline::span::Span;

#[cfg(feature = "browser")]
use super::BrowserFetcher;
use super::{Fetch, FetchDefaults, FetchError, Fetched, FetcherError, HttpFetcher, Request, With};
use crate::guard::Guard;

/// The error of a watch that needs Chromium, in a build without it.
#[cfg(not(feature = "browser"))]
const NO_BROWSER: &str = "this build of driftline has no browser, which `fetch = { with = \"browser\" }` needs\n\
    hint: build driftline with the feature `browser` (it is a default feature), or remove `with` from the watch";

/// A fetcher over HTTP and, with the feature `browser`, through Chromium, which is started when it is first needed.
#[derive(Debug)]
pub struct Fetchers {
    http: Arc<HttpFetcher>,
    #[cfg(feature = "browser")]
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
        Ok(Self {
            #[cfg(feature = "browser")]
            browser: BrowserFetcher::new(Arc::clone(&http))?,
            http,
        })
    }
}

impl Fetch for Fetchers {
    fn fetch(&self, request: &Request<'_>) -> Result<Fetched, FetchError> {
        match request.how.with {
            With::Http => self.http.fetch(request),
            #[cfg(feature = "browser")]
            With::Browser => self.browser.fetch(request),
            #[cfg(not(feature = "browser"))]
            With::Browser => Err(FetchError::How(NO_BROWSER.to_owned())),
        }
    }

    fn delay(&self, host: &str) -> Option<Span> {
        self.http.delay(host)
    }

    fn close(&self) {
        #[cfg(feature = "browser")]
        self.browser.close();
    }
}

#[cfg(all(test, not(feature = "browser")))]
mod tests {
    use super::{Fetch as _, FetchDefaults, FetchError, Fetchers, Request, With};
    use crate::How;

    #[test]
    fn a_watch_that_asks_for_the_browser_learns_that_this_build_has_none() {
        let fetchers = Fetchers::new(&FetchDefaults::default()).unwrap();
        let how = How { with: With::Browser, ..How::default() };
        let at = "2026-11-16".parse().unwrap();
        let request = Request { url: "https://example.org/", home: None, how: &how, validators: None, at };
        let error = fetchers.fetch(&request).unwrap_err();
        assert!(matches!(error, FetchError::How(_)) && !error.is_transient(), "{error}");
        let told = error.to_string();
        assert!(told.contains("has no browser") && told.contains("hint: build driftline with"), "{told}");
    }
}
