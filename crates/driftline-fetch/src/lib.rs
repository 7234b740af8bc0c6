//! Bytes from the network: the guard, robots.txt, HTTP, and headless Chromium behind the feature `browser`.
//!
//! [`Fetch`] is all that a check knows of the network, so that a check stays a plain function. [`Fetchers`] implements
//! it over HTTP and through Chromium. A page arrives as captures, one per hop; this crate stores nothing and decides
//! nothing. Every address passes the [`guard`] before it is connected to.

mod agent;
mod arrival;
#[cfg(feature = "browser")]
mod browser;
mod client;
pub mod cookies;
mod defaults;
mod error;
mod fetchers;
pub mod guard;
mod headers;
mod hop;
mod http;
mod proxy;
pub mod reason;
mod record;
pub mod retry;
mod robots;
mod secret;
mod tls;

use std::collections::BTreeMap;

use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::Capture;
use serde::{Deserialize, Serialize};

#[cfg(feature = "browser")]
pub use browser::BrowserFetcher;
pub use defaults::{BrowserDefaults, FetchDefaults};
pub use error::{FetchError, FetcherError};
pub use fetchers::Fetchers;
pub use http::HttpFetcher;
pub use robots::RobotsTxt;
pub use secret::{Secret, SecretError};

/// Brings pages.
pub trait Fetch: Send + Sync {
    /// Fetches a page, redirects and all. Blocks; not to be called on a thread of an asynchronous runtime.
    ///
    /// # Errors
    /// If no answer came; an answer with a status that says "error" is an answer.
    fn fetch(&self, request: &Request<'_>) -> Result<Fetched, FetchError>;

    /// How long a host wants to be left alone between two questions, by what its robots.txt said last.
    fn delay(&self, _host: &str) -> Option<Span> {
        None
    }

    /// Ends what would outlive this process, and what waits for it. Nothing is to be fetched afterwards.
    fn close(&self) {}
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The address.
    pub url: &'a str,
    /// The address to whose origin headers, cookies and passwords of the watch go; the requested one if there is none.
    pub home: Option<&'a str>,
    /// How.
    pub how: &'a How,
    /// What the last answer said it may be asked for again with.
    pub validators: Option<&'a Validators>,
    /// When: the time of the captures.
    pub at: Time,
}

/// What an answer may be asked for again with, so that an unchanged page costs a 304.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Validators {
    /// The address that said it: of all hops, only this one is asked with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `ETag`, as it was sent.
    pub etag: Option<String>,
    /// `Last-Modified`, as it was sent.
    pub last_modified: Option<String>,
}

/// What came.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// An exchange for each hop, the page last; not yet archived. Behind them, for a browser, what it made of them: the rendered
    /// page and the picture of it.
    pub captures: Vec<Capture>,
    /// Which of the captures is compared: the last exchange, or the rendered page.
    pub page: usize,
    /// The status of the last exchange.
    pub status: u16,
    /// Where the page is, after all redirects.
    pub url: String,
    /// The body of the page, decoded; empty if it was not modified.
    pub body: Vec<u8>,
    /// What the page says it is.
    pub content_type: Option<String>,
    /// For the next time.
    pub validators: Validators,
    /// The server asks to be left alone so long.
    pub retry_after: Option<Span>,
    /// The body was longer than the limit, and only its beginning is here.
    pub is_cut: bool,
}

impl Fetched {
    /// Did the server say that the page is as it was?
    #[must_use]
    pub fn is_not_modified(&self) -> bool {
        self.status == 304
    }
}

/// How pages are fetched; a watch's own goes before what is usual.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct How {
    /// By what.
    pub with: With,
    /// Headers to send. As for cookies and the proxy, what is secret may be written as `env:NAME` or `file:PATH`.
    pub headers: BTreeMap<String, Secret>,
    /// Cookies to send.
    pub cookies: BTreeMap<String, Secret>,
    /// A proxy: `http://host:port`, `https://host:port`, `socks5h://user:password@host:port`; `none` for none.
    pub proxy: Option<Secret>,
    /// Who asks.
    pub auth: Option<Auth>,
    /// May the page be asked for against robots.txt?
    pub ignore_robots: bool,
    /// Until a connection is there.
    pub connect_timeout: Option<Span>,
    /// From the question to the first byte of the answer.
    pub first_byte_timeout: Option<Span>,
    /// For all of it.
    pub timeout: Option<Span>,
    /// At most so many bytes of a body, as sent and as decoded.
    pub most_bytes: Option<u64>,
    /// What a browser waits for.
    pub wait: Wait,
}

/// By what a page is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum With {
    /// Over HTTP.
    #[default]
    Http,
    /// By headless Chromium.
    Browser,
}

/// Who asks. A secret may be written as `env:NAME` or `file:PATH`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Auth {
    /// A name and a password.
    Basic {
        /// The name.
        user: String,
        /// The password.
        password: Secret,
    },
    /// A token.
    Bearer {
        /// The token.
        token: Secret,
    },
}

/// What a browser waits for before it takes the page.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Wait {
    /// Until an element is there.
    pub selector: Option<String>,
    /// So long after that.
    pub extra: Option<Span>,
    /// Until the network is quiet.
    pub idle: bool,
}
