//! Which addresses may be asked? Not those of the machine and of its network, unless the operator says so.
//!
//! Whoever may add a watch would otherwise read what only the machine can reach: its own services, the router, the
//! keys that a cloud hands out on 169.254.169.254. So an address is judged three times. [`Guard::check_url`] reads it
//! as a browser does and looks at its scheme, its port and its host. [`Guard::resolve`] looks the host up and judges
//! every answer; only these answers are connected to, so that a name which changes its mind is not asked twice. And
//! all of it is done again for every hop of a redirect, and for every connection of a browser.

mod address;
mod allow;
mod normalise;
#[cfg(feature = "browser")]
pub mod proxy;

use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;

use url::{Host, Url};

use allow::Allow;
pub use allow::NotAllowable;
pub use normalise::reason;

/// Looks names up. Blocks.
pub trait Lookup: Debug + Send + Sync {
    /// All addresses of a name.
    ///
    /// # Errors
    /// If there are none, or nobody knows.
    fn lookup(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// Says which addresses may be asked. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Guard {
    allow: Arc<Allow>,
    lookup: Arc<dyn Lookup>,
}

/// Why an address is not fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GuardError {
    /// It cannot be read as an address.
    #[error("`{url}` is not a valid address: {why}\nhint: write https://example.org/page")]
    NotAUrl {
        /// What it was, cut and cleaned.
        url: String,
        /// Why not.
        why: String,
    },
    /// It leads elsewhere than to the web.
    #[error("`{url}` is not fetched: only http and https are, not `{scheme}`")]
    Scheme {
        /// What it was, cut and cleaned.
        url: String,
        /// What it begins with.
        scheme: String,
    },
    /// Other things than pages are there.
    #[error(
        "port {port} of `{host}` is not fetched: it is not a port of web servers\n\
         hint: the operator may allow it: `allow = [\"{host}:{port}\"]` under `[fetch]` in driftline.toml"
    )]
    Port {
        /// The host.
        host: String,
        /// The port.
        port: u16,
    },
    /// The name, or the address that it leads to, is inside.
    #[error(
        "`{host}` is not fetched: {place} is {what}\n\
         hint: the operator may allow it: `allow = [\"{host}\"]` under `[fetch]` in driftline.toml"
    )]
    Inside {
        /// The host.
        host: String,
        /// The address that was found, or the name again.
        place: String,
        /// What kind of place that is.
        what: &'static str,
    },
    /// Nobody knows the name.
    #[error("cannot find `{host}`: {why}")]
    Unknown {
        /// The host.
        host: String,
        /// Why not.
        why: String,
    },
}

impl Guard {
    /// A guard that lets through what is public, and what is named here: addresses (`127.0.0.1`), networks
    /// (`10.0.0.0/8`), hosts (`intranet.example`), all of them with a port or without.
    ///
    /// # Errors
    /// If something named is neither of these.
    pub fn new<S: AsRef<str>>(allow: &[S]) -> Result<Self, NotAllowable> {
        Ok(Self { allow: Arc::new(Allow::parse(allow)?), lookup: Arc::new(System) })
    }

    /// The same guard, which looks names up elsewhere.
    #[must_use]
    pub fn with_lookup(self, lookup: Arc<dyn Lookup>) -> Self {
        Self { lookup, ..self }
    }

    /// Reads an address as a browser does, and says whether it may be asked as far as can be seen without looking its
    /// name up. What comes back is the address to ask: without user, password and fragment.
    ///
    /// # Errors
    /// If it may not be asked, or is none.
    pub fn check_url(&self, url: &str) -> Result<Url, GuardError> {
        let mut url = normalise::normalise(url)?;
        let port = url.port_or_known_default().unwrap_or_default();
        match url.host() {
            Some(Host::Domain(name)) => self.check_name(name, port)?,
            Some(Host::Ipv4(address)) => self.judge(&address.to_string(), IpAddr::V4(address), port)?,
            Some(Host::Ipv6(address)) => self.judge(&address.to_string(), IpAddr::V6(address), port)?,
            None => return Err(normalise::not_a_url(url.as_str(), "it names no host")),
        }
        // Only addresses without a host refuse these.
        let _ = (url.set_username(""), url.set_password(None));
        url.set_fragment(None);
        Ok(url)
    }

    /// The addresses of a host, all of which may be asked: connect to these and to no others. The host is a name, or
    /// an address with or without its brackets.
    ///
    /// # Errors
    /// If one of them may not be asked, or none is known.
    pub async fn resolve(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, GuardError> {
        let host = normalise::host(host);
        if let Ok(address) = host.parse() {
            self.judge(&host, address, port)?;
            return Ok(vec![SocketAddr::new(address, port)]);
        }
        self.check_name(&host, port)?;
        let found = self.look_up(&host).await?;
        for address in &found {
            self.judge(&host, *address, port)?;
        }
        Ok(found.into_iter().map(|address| SocketAddr::new(address, port)).collect())
    }

    /// The addresses of a host that a proxy will look up once more, all of which may be asked. None are needed of a
    /// host that the operator allows by its name, nor of a hidden service (`….onion`) if the proxy speaks SOCKS. Any
    /// other name that only the proxy knows may lead to the inside.
    ///
    /// # Errors
    /// If one of them may not be asked, or none is known.
    pub(crate) async fn resolve_behind_proxy(
        &self,
        host: &str,
        port: u16,
        is_socks: bool,
    ) -> Result<Vec<SocketAddr>, GuardError> {
        match self.resolve(host, port).await {
            Err(GuardError::Unknown { host, .. })
                if (is_socks && host.rsplit('.').next() == Some("onion")) || self.allow.has_host(&host, port) =>
            {
                Ok(Vec::new())
            }
            Err(GuardError::Unknown { host, why }) => {
                let hint =
                    format!("the operator may allow it: `allow = [\"{host}\"]` under `[fetch]` in driftline.toml");
                let why = format!("{why}; what only a proxy knows may be inside\nhint: {hint}");
                Err(GuardError::Unknown { host, why })
            }
            judged => judged,
        }
    }

    /// The addresses of a host that the operator chose, such as that of a proxy: they are not judged.
    ///
    /// # Errors
    /// If none is known.
    pub async fn resolve_unguarded(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, GuardError> {
        let host = normalise::host(host);
        let found = match host.parse() {
            Ok(address) => vec![address],
            Err(_) => self.look_up(&host).await?,
        };
        Ok(found.into_iter().map(|address| SocketAddr::new(address, port)).collect())
    }

    async fn look_up(&self, host: &str) -> Result<Vec<IpAddr>, GuardError> {
        let unknown = |why: String| GuardError::Unknown { host: host.to_owned(), why };
        let (lookup, name) = (Arc::clone(&self.lookup), host.to_owned());
        let found = tokio::task::spawn_blocking(move || lookup.lookup(&name)).await;
        match found {
            Ok(Ok(found)) if found.is_empty() => Err(unknown("it has no address".to_owned())),
            Ok(Ok(found)) => Ok(found),
            Ok(Err(error)) => Err(unknown(crate::reason::plain(&error.to_string()))),
            Err(error) => Err(unknown(error.to_string())),
        }
    }

    /// Names that stand for the inside wherever they lead, and ports.
    fn check_name(&self, name: &str, port: u16) -> Result<(), GuardError> {
        let name = normalise::host(name);
        if self.allow.has_host(&name, port) {
            return Ok(());
        }
        if let Some(what) = normalise::inside_name(&name) {
            return Err(GuardError::Inside { host: name.clone(), place: format!("`{name}`"), what });
        }
        normalise::check_port(&name, port)
    }

    /// May this address of a host be asked?
    fn judge(&self, host: &str, address: IpAddr, port: u16) -> Result<(), GuardError> {
        if self.allow.has_host(host, port) {
            return Ok(());
        }
        let is_named = self.allow.has_port(address, port);
        if !is_named {
            normalise::check_port(host, port)?;
        }
        // A machine that reaches the old internet through a gateway only allows the gateway's prefix, and not all
        // that lies behind it.
        let judged = match address::embedded(address).filter(|_| self.allow.has(address, port)) {
            Some(inner) => IpAddr::V4(inner),
            None => address,
        };
        match address::inside(judged) {
            Some(what) if !self.allow.has(judged, port) => {
                Err(GuardError::Inside { host: host.to_owned(), place: address.to_string(), what })
            }
            _ => Ok(()),
        }
    }
}

impl GuardError {
    /// May it work when it is tried again soon? A name may be found later; what is refused stays refused.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }
}

/// As the machine looks names up.
#[derive(Debug)]
struct System;

impl Lookup for System {
    fn lookup(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let mut found: Vec<_> = (host, 0).to_socket_addrs()?.map(|address| address.ip()).collect();
        found.dedup();
        Ok(found)
    }
}
