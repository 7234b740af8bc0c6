//! Over which connections is a page asked for? Over those of a client that only connects to what the guard let
//! through, and goes nowhere by itself: it follows no redirect, undoes no coding, and asks the environment for no proxy.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use driftline::span::Span;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, redirect};
use rustls::ClientConfig;

use super::FetchError;
use super::proxy::Proxy;
use crate::guard::Guard;

/// At most so many clients are kept: one for each port and each proxy, which are few.
const MOST_CLIENTS: usize = 64;

/// A head with more lines is refused.
const MOST_HEADERS: usize = 256;

/// A head with more bytes is refused (HTTP/2; for HTTP/1.1 it is what hyper has set, some 400 KB).
const MOST_HEAD_BYTES: u32 = 256 << 10;

/// An unused connection is closed after so long: enough for the pages of a host that are checked one after another,
/// and not so long that a thousand hosts keep a thousand connections open.
const IDLE: Duration = Duration::from_secs(3);

/// The clients, by what they differ in.
#[derive(Debug)]
pub(super) struct Clients {
    tls: ClientConfig,
    kept: Mutex<HashMap<Key, Client>>,
}

/// What clients differ in. The port is part of it because the operator may allow a host with one port only, and
/// whoever looks a name up for a client is told the name alone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    proxy: Option<Proxy>,
    port: u16,
    connect: Span,
}

/// Looks names up through the guard.
struct Pinned {
    guard: Guard,
    port: u16,
    is_trusted: bool,
}

impl Clients {
    pub(super) fn new(tls: ClientConfig) -> Self {
        Self { tls, kept: Mutex::default() }
    }

    /// The client for this port, or for this proxy.
    pub(super) fn get(
        &self,
        guard: &Guard,
        proxy: Option<&Proxy>,
        port: u16,
        connect: Span,
    ) -> Result<Client, FetchError> {
        let port = proxy.map_or(port, Proxy::port);
        let key = Key { proxy: proxy.cloned(), port, connect };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = kept.get(&key) {
            return Ok(client.clone());
        }
        let client = self.build(guard, &key).map_err(|error| FetchError::How(error.without_url().to_string()))?;
        if kept.len() >= MOST_CLIENTS {
            kept.clear();
        }
        kept.insert(key, client.clone());
        Ok(client)
    }

    fn build(&self, guard: &Guard, key: &Key) -> reqwest::Result<Client> {
        let is_trusted = key.proxy.as_ref().is_some_and(Proxy::is_trusted);
        let builder = Client::builder()
            .tls_backend_preconfigured(self.tls.clone())
            .dns_resolver(Pinned { guard: guard.clone(), port: key.port, is_trusted })
            .redirect(redirect::Policy::none())
            .referer(false)
            .connect_timeout(key.connect.duration())
            .pool_idle_timeout(IDLE)
            .http1_max_headers(MOST_HEADERS)
            .http2_max_header_list_size(MOST_HEAD_BYTES);
        match &key.proxy {
            None => builder.no_proxy().build(),
            Some(proxy) => builder.proxy(reqwest::Proxy::all(proxy.url())?).build(),
        }
    }
}

impl Resolve for Pinned {
    fn resolve(&self, name: Name) -> Resolving {
        let (guard, port, is_trusted) = (self.guard.clone(), self.port, self.is_trusted);
        Box::pin(async move {
            let found = if is_trusted {
                guard.resolve_unguarded(name.as_str(), port).await?
            } else {
                guard.resolve(name.as_str(), port).await?
            };
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
