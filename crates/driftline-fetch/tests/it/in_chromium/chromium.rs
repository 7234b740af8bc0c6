//! What the tests of the browser share.

use driftline::time::Time;
use driftline_fetch::{Fetch as _, FetchDefaults, FetchError, Fetched, Fetchers, How, Request, With};
use driftline_testkit::chromium;
use driftline_testkit::server::Server;

/// Fetchers that may ask these servers; none if there is no Chromium here, and a person goes without.
pub(crate) fn fetchers(servers: &[&Server]) -> Option<Fetchers> {
    fetchers_with(servers, FetchDefaults::default())
}

/// The same, with other settings.
pub(crate) fn fetchers_with(servers: &[&Server], defaults: FetchDefaults) -> Option<Fetchers> {
    let allow = servers.iter().map(|server| server.address().to_string()).collect();
    let defaults = FetchDefaults { allow, contact: Some("https://example.org/bot".to_owned()), ..defaults };
    let fetchers = Fetchers::new(&defaults).unwrap();
    // Nothing is asked at this address; only whether there is a Chromium is found out.
    match fetch(&fetchers, "http://127.0.0.1:1/", &how()) {
        Err(FetchError::How(why)) => {
            chromium::skip(&why);
            None
        }
        _ => Some(fetchers),
    }
}

/// By a browser, whatever robots.txt says.
pub(crate) fn how() -> How {
    How { with: With::Browser, ignore_robots: true, ..How::default() }
}

/// When all of it happens.
pub(crate) fn at() -> Time {
    "2026-11-16T12:00:00Z".parse().unwrap()
}

pub(crate) fn fetch(fetchers: &Fetchers, url: &str, how: &How) -> Result<Fetched, FetchError> {
    fetchers.fetch(&Request { url, home: None, how, validators: None, at: at() })
}
