//! Which addresses are the same page? One form for all spellings of an address (`N1`).
//!
//! The age of a page hangs on its address: spelt in another way, an old page would be new. So http = https, `www.` or
//! not, no fragment, no user, no port 80 or 443, `index.html` = `/`, and percent-escapes as RFC 3986 has them: a
//! character that may stand for itself does, any other is escaped in upper case. Which characters have a meaning of
//! their own in a query (`&`, `=`, `+`, `;`) stays as written. A bare `?` at the end means nothing and goes.
//!
//! What is left is kept as a key that sorts a host's pages together, and a domain's hosts: `org.apache.flink/news/`.
//! A first label of digits is an IP address, which is not turned around; no name on the web ends in a number.

mod escape;
mod plain;

use std::borrow::Cow;
use std::fmt::Write as _;

use url::{Host, Url};

/// A longer address is none: no server takes it, and traps for crawlers make them.
pub const LONGEST: usize = 8192;

/// What comes before the key's host in an address, at most.
const SCHEME_AND_WWW: usize = "https://www.".len();

/// An address as a series knows it: http = https, `www.` or not, no fragment, `index.html` = `/`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Canonical {
    /// Sorts pages of a host together, and hosts of a domain: `org.apache.flink/news/2019/`.
    key: String,
    /// It was written with `www.`.
    www: bool,
}

impl Canonical {
    /// The canonical form of an absolute http or https address; none for anything else.
    #[must_use]
    pub fn of(url: &str) -> Option<Self> {
        if url.len() > LONGEST {
            return None;
        }
        plain::read(url).or_else(|| Self::parsed(url))
    }

    /// By way of a parser that knows all that browsers know.
    fn parsed(url: &str) -> Option<Self> {
        Self::of_parsed(&Url::parse(url).ok()?)
    }

    /// The canonical form of a parsed address, such as a link that was resolved.
    #[must_use]
    pub fn of_parsed(url: &Url) -> Option<Self> {
        if !matches!(url.scheme(), "http" | "https") || url.as_str().len() > LONGEST {
            return None;
        }
        let mut key = String::with_capacity(url.as_str().len());
        let www = push_host(&mut key, url.host()?)?;
        if let Some(port) = url.port().filter(|port| !matches!(port, 80 | 443)) {
            let _ = write!(key, ":{port}");
        }
        escape::push(&mut key, url.path(), &escape::PATH);
        drop_index(&mut key);
        if let Some(query) = url.query().filter(|query| !query.is_empty()) {
            key.push('?');
            escape::push(&mut key, query, &escape::QUERY);
        }
        (key.len() + SCHEME_AND_WWW <= LONGEST).then_some(Self { key, www })
    }

    /// From what was kept of it.
    #[must_use]
    pub fn from_key(key: String, www: bool) -> Self {
        Self { key, www }
    }

    /// What is the same for all spellings.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The key, to keep.
    #[must_use]
    pub fn into_key(self) -> String {
        self.key
    }

    /// Whether it was written with `www.`.
    #[must_use]
    pub fn www(&self) -> bool {
        self.www
    }

    /// The part of the key that names the host (and port): `org.apache.flink`.
    #[must_use]
    pub fn host_key(&self) -> &str {
        host_of(&self.key)
    }

    /// The address: `https://www.example.org/path?query`.
    #[must_use]
    pub fn url(&self) -> String {
        let host_key = self.host_key();
        let mut url = String::with_capacity(self.key.len() + SCHEME_AND_WWW);
        url.push_str(if self.www { "https://www." } else { "https://" });
        url.push_str(&host_in_order(host_key));
        url.push_str(&self.key[host_key.len()..]);
        url
    }
}

/// The part of a key that names the host (and port).
#[must_use]
pub fn host_of(key: &str) -> &str {
    key.split('/').next().unwrap_or_default()
}

/// `org.apache.flink:8080` is `flink.apache.org:8080`.
fn host_in_order(host_key: &str) -> Cow<'_, str> {
    let is_address = host_key.starts_with('[')
        || host_key.split(['.', ':']).next().is_some_and(|label| label.bytes().all(|byte| byte.is_ascii_digit()));
    if is_address {
        return Cow::Borrowed(host_key);
    }
    let (name, port) = host_key.split_once(':').map_or((host_key, None), |(name, port)| (name, Some(port)));
    let mut host = turned_around(name);
    if let Some(port) = port {
        host.push(':');
        host.push_str(port);
    }
    Cow::Owned(host)
}

fn turned_around(name: &str) -> String {
    let mut turned = String::with_capacity(name.len());
    for (place, label) in name.rsplit('.').enumerate() {
        if place > 0 {
            turned.push('.');
        }
        turned.push_str(label);
    }
    turned
}

/// Writes the host's key and says whether it had a `www.`; none for a name that no server can have.
fn push_host(key: &mut String, host: Host<&str>) -> Option<bool> {
    match host {
        Host::Domain(name) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            if name.split('.').any(str::is_empty) {
                return None;
            }
            Some(push_name(key, name))
        }
        address => {
            let _ = write!(key, "{address}");
            Some(false)
        }
    }
}

/// Writes the labels from the last to the first, without `www.` if it is an addition to a name that stands by itself.
fn push_name(key: &mut String, name: &str) -> bool {
    let bare = name.strip_prefix("www.").filter(|bare| bare.contains('.') && !bare.starts_with("www."));
    key.push_str(&turned_around(bare.unwrap_or(name)));
    bare.is_some()
}

fn drop_index(key: &mut String) {
    if key.ends_with("/index.html") {
        key.truncate(key.len() - "index.html".len());
    }
}

#[cfg(test)]
mod tests;
