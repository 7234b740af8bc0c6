//! Through which proxy? The operator's may be anywhere; one that a watch names is guarded as pages are, because it is
//! one more way to reach what is inside.
//!
//! A proxy looks names up itself, so a page behind it cannot be pinned. It is looked up here as well, and not asked for
//! if it is inside, or if only the proxy may know the name: unless the operator allows it, or it is a hidden service
//! behind SOCKS.

use std::fmt;

use url::Url;

use super::FetchError;
use super::reason::NO_CONNECTION;
use crate::Secret;
use crate::guard::{Guard, GuardError};

/// What reqwest says before the reason of a proxy over HTTP, and of one over SOCKS.
const TUNNEL: &str = "tunnel error: ";
const SOCKS: &str = "SOCKS error: ";

/// What it says of a proxy over SOCKS that cannot be reached, without a reason.
const SOCKS_UNREACHED: &str = "SOCKS error: failed to create underlying connection";

const NAMED_BY: &str = "`proxy` in the watch, or under `[fetch]` in driftline.toml, names it";

/// A proxy that may be asked.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Proxy {
    url: Url,
    is_trusted: bool,
}

impl fmt::Debug for Proxy {
    /// Its address may hold a password.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Proxy").field("host", &self.url.host_str()).finish_non_exhaustive()
    }
}

impl fmt::Display for Proxy {
    /// Its address in backticks, without a name and a password.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}://{}:{}`", self.url.scheme(), self.url.host_str().unwrap_or_default(), self.port())
    }
}

impl Proxy {
    /// What a watch says, or else what the operator says.
    pub(super) fn choose(own: Option<&Secret>, usual: Option<&Secret>) -> Result<Option<Self>, FetchError> {
        let reveal = |secret: Option<&Secret>| secret.map(Secret::reveal).transpose();
        let usual = reveal(usual)?;
        let chosen = reveal(own)?.or_else(|| usual.clone());
        match chosen.as_deref() {
            None | Some("" | "none") => Ok(None),
            Some(text) => Self::parse(text, usual.as_deref() == Some(text)).map(Some),
        }
    }

    fn parse(text: &str, is_trusted: bool) -> Result<Self, FetchError> {
        let wrong = || {
            let hint = "write http://host:port, https://host:port or socks5h://host:port";
            FetchError::How(format!("the proxy cannot be used\nhint: {hint}"))
        };
        let url = Url::parse(text).map_err(|_| wrong())?;
        // `socks5` without the `h` would look names up here, past the guard.
        let is_known = matches!(url.scheme(), "http" | "https" | "socks5h");
        if !is_known || url.host_str().is_none_or(str::is_empty) {
            return Err(wrong());
        }
        Ok(Self { url, is_trusted })
    }

    pub(super) fn url(&self) -> Url {
        self.url.clone()
    }

    /// The error of a request by its reasons, if they are about the proxy and not about the page.
    pub(super) fn blamed(&self, page: &Url, reasons: &[String]) -> Option<FetchError> {
        let last = reasons.last()?;
        if last == SOCKS_UNREACHED {
            return Some(self.unreachable("it accepts no connection"));
        }
        if reasons.iter().any(|reason| reason == NO_CONNECTION) {
            return Some(self.unreachable(last));
        }
        let why = [TUNNEL, SOCKS].iter().find_map(|library| last.strip_prefix(library))?;
        let why = match why {
            "proxy authorization required" => "it wants a name and a password, or others",
            "unsuccessful" => "it refuses",
            other => other,
        };
        Some(FetchError::Proxy(format!("the proxy {self} does not connect to `{page}`: {why}")))
    }

    /// The error of a proxy that was looked up in vain, or may not be asked.
    pub(super) fn not_found(&self, error: &GuardError) -> FetchError {
        if error.is_transient() {
            return self.unreachable(error);
        }
        FetchError::Refused(format!("the proxy {self} is not used: {error}"))
    }

    fn unreachable(&self, why: impl fmt::Display) -> FetchError {
        FetchError::Proxy(format!("cannot reach the proxy {self}: {why}\nhint: {NAMED_BY}"))
    }

    pub(super) fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    pub(super) fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or(1080)
    }

    /// May the proxy be asked, and may it be asked for this page?
    pub(super) async fn check(&self, guard: &Guard, page: &Url) -> Result<(), FetchError> {
        if !self.is_trusted {
            guard
                .resolve(self.url.host_str().unwrap_or_default(), self.port())
                .await
                .map_err(|error| self.not_found(&error))?;
        }
        let port = page.port_or_known_default().unwrap_or_default();
        let is_socks = self.url.scheme() == "socks5h";
        guard.resolve_behind_proxy(page.host_str().unwrap_or_default(), port, is_socks).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Proxy;
    use crate::Secret;

    fn choose(own: Option<&str>, usual: Option<&str>) -> Result<Option<Proxy>, String> {
        let (own, usual) = (own.map(Secret::from), usual.map(Secret::from));
        Proxy::choose(own.as_ref(), usual.as_ref()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_operators_proxy_is_trusted_and_that_of_a_watch_is_not() {
        assert_eq!(choose(None, None), Ok(None));
        assert!(choose(None, Some("http://proxy:3128")).unwrap().unwrap().is_trusted());
        assert!(!choose(Some("http://other:3128"), Some("http://proxy:3128")).unwrap().unwrap().is_trusted());
        assert_eq!(choose(Some("none"), Some("http://proxy:3128")), Ok(None));
        assert_eq!(choose(Some("socks5h://tor:9050"), None).unwrap().unwrap().port(), 9050);
    }

    #[test]
    fn what_is_no_proxy_is_told_without_its_password() {
        for text in ["socks5://me:hush@host:1", "ftp://me:hush@host", "me:hush@host:80", "socks5h:me:hush"] {
            let error = choose(Some(text), None).unwrap_err();
            assert!(error.contains("socks5h://host:port") && !error.contains("hush"), "{text}: {error}");
        }
        let shown = format!("{:?}", choose(Some("http://me:hush@host:1"), None));
        assert!(!shown.contains("hush"), "{shown}");
    }
}
