//! How is a browser kept from the inside? All that it sends goes through a proxy of ours, which judges each connection.
//!
//! A page of strangers runs in Chromium: its pictures, frames, scripts and sockets ask wherever they like, and so does
//! a redirect. Chromium knows no other way out than this proxy, and the proxy connects only to addresses that the
//! [`Guard`] let through, which it looks up itself: what Chromium thinks of a name does not count. A page has a proxy
//! of its own that ends with it, so that connections, bytes and time are counted for each page.

mod flow;
pub mod head;
mod peer;
mod upstream;

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use super::{Guard, GuardError};
use flow::Meter;
use head::{Asked, Form};
pub(crate) use upstream::Upstream;

/// At most so many connections at once; further ones wait. Chromium itself opens 32 to a proxy.
const MOST_CONNECTIONS: usize = 64;

/// At most so many hosts are remembered.
const MOST_HOSTS: usize = 1_000;

/// Between a connection and all of its first request.
const HEAD: Duration = Duration::from_secs(10);

/// What a proxy lets through, beside what the guard says.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    /// Until a connection is there.
    pub(crate) connect: Duration,
    /// A connection on which nothing goes for so long ends.
    pub(crate) idle: Duration,
    /// At most so many bytes, both ways, of all connections together.
    pub(crate) most_bytes: u64,
    /// Ports of this machine that are never asked, whatever is allowed: that of Chromium's own controls.
    pub(crate) never: Vec<u16>,
}

/// A proxy that runs until it is dropped, and all its connections with it.
#[derive(Debug)]
pub(crate) struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

/// What became of a host and port that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It was connected to, at this address.
    Reached(IpAddr),
    /// It may not be asked.
    Refused(String),
    /// It could not be reached.
    Failed(String),
    /// The operator's proxy, or that of the watch, could not be reached or does not connect to it.
    Upstream(String),
}

#[derive(Debug)]
struct Shared {
    guard: Guard,
    upstream: Option<Upstream>,
    limits: Limits,
    own: SocketAddr,
    meter: Meter,
    fates: Mutex<HashMap<(String, u16), Fate>>,
}

impl Proxy {
    /// Starts a proxy on this machine, on the runtime that it is called on.
    pub(crate) async fn start(guard: Guard, upstream: Option<Upstream>, limits: Limits) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let meter = Meter::new(limits.most_bytes, limits.idle);
        let shared = Shared { guard, upstream, limits, own: address, meter, fates: Mutex::default() };
        let shared = Arc::new(shared);
        let serving = tokio::spawn(serve(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, serving })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// What became of a host and port, if it was asked for.
    pub(crate) fn fate(&self, host: &str, port: u16) -> Option<Fate> {
        self.shared.fates().get(&(super::normalise::host(host), port)).cloned()
    }

    /// Did the page ask for more bytes than it may?
    pub(crate) fn is_used_up(&self) -> bool {
        self.shared.meter.is_used_up()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((client, peer)) => {
                connections.spawn(converse(client, peer, Arc::clone(&shared)));
            }
            // No more files: others end soon.
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
        while connections.try_join_next().is_some() {}
        if connections.len() >= MOST_CONNECTIONS {
            connections.join_next().await;
        }
    }
}

/// One connection of the browser, from its first request to its end.
async fn converse(mut client: TcpStream, peer: SocketAddr, shared: Arc<Shared>) {
    if !peer::is_ours(peer, shared.own) {
        tracing::warn!(%peer, "somebody else asked the browser's proxy, and got nothing");
        return;
    }
    let asked = match timeout(HEAD, head::read(&mut client)).await {
        Ok(Ok(Some(asked))) => asked,
        Ok(Err(_)) => return flow::refuse(&mut client, "400 Bad Request").await,
        Ok(Ok(None)) | Err(_) => return,
    };
    let reached = match shared.reach(&asked).await {
        Ok(reached) => reached,
        Err(fate) => {
            let status = if matches!(fate, Fate::Refused(_)) { "403 Forbidden" } else { "502 Bad Gateway" };
            shared.remember(&asked, fate);
            return flow::refuse(&mut client, status).await;
        }
    };
    // How a connection ends concerns its two ends, which both see it.
    let _ = match &asked.form {
        Form::Tunnel => flow::tunnel(client, reached, &asked.rest, &shared.meter).await,
        Form::Plain { direct, .. } => {
            let head = shared.upstream.as_ref().and_then(|upstream| upstream.head(&asked));
            let question = [head.as_deref().unwrap_or(direct), &asked.rest].concat();
            flow::plain(client, reached, &question, &shared.meter).await
        }
    };
}

impl Shared {
    /// Connects to what is asked for, if it may be.
    async fn reach(&self, asked: &Asked) -> Result<TcpStream, Fate> {
        if self.meter.is_used_up() {
            return Err(Fate::Failed("the page asked for more bytes than it may".to_owned()));
        }
        let found = match &self.upstream {
            Some(upstream) => self.guard.resolve_behind_proxy(&asked.host, asked.port, upstream.is_socks()).await,
            None => self.guard.resolve(&asked.host, asked.port).await,
        };
        let found = found.map_err(|error| match error {
            GuardError::Unknown { .. } => Fate::Failed(error.to_string()),
            _ => Fate::Refused(error.to_string()),
        })?;
        if found.iter().any(|address| self.is_never(*address)) {
            return Err(Fate::Refused(format!("port {} is the browser's own", asked.port)));
        }
        let stream = if let Some(upstream) = &self.upstream {
            let connecting = upstream.connect(&self.guard, asked);
            let late = |_| Err(format!("no connection to `{}` through the proxy {upstream} in time", asked.host));
            timeout(self.limits.connect, connecting).await.unwrap_or_else(late).map_err(Fate::Upstream)?
        } else {
            let failed = |error| Fate::Failed(format!("cannot connect to `{}`: {error}", asked.host));
            self.connect(&found).await.map_err(failed)?
        };
        if let Some(address) = found.first() {
            let at = stream.peer_addr().ok().filter(|_| self.upstream.is_none()).unwrap_or(*address);
            self.remember(asked, Fate::Reached(at.ip()));
        }
        Ok(stream)
    }

    async fn connect(&self, found: &[SocketAddr]) -> io::Result<TcpStream> {
        let mut last = io::Error::from(io::ErrorKind::NotFound);
        for address in found {
            match timeout(self.limits.connect, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => last = error,
                Err(_) => last = timed_out(),
            }
        }
        Err(last)
    }

    fn is_never(&self, address: SocketAddr) -> bool {
        let is_here = address.ip().to_canonical().is_loopback() || address.ip().is_unspecified();
        is_here && (address.port() == self.own.port() || self.limits.never.contains(&address.port()))
    }

    /// A refusal stays, whatever follows; and what was reached once does not become unreachable.
    fn remember(&self, asked: &Asked, fate: Fate) {
        let mut fates = self.fates();
        let key = (super::normalise::host(&asked.host), asked.port);
        let is_new = match (fates.get(&key), &fate) {
            (None, _) => fates.len() < MOST_HOSTS,
            (Some(Fate::Refused(_)), _) | (Some(Fate::Reached(_)), Fate::Failed(_) | Fate::Upstream(_)) => false,
            (Some(_), _) => true,
        };
        if is_new {
            fates.insert(key, fate);
        }
    }

    fn fates(&self) -> std::sync::MutexGuard<'_, HashMap<(String, u16), Fate>> {
        self.fates.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn timed_out() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "no connection in time")
}

#[cfg(test)]
mod tests;
