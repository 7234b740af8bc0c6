//! How does the server begin and end? With a runtime of its own, which nothing else runs on.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::serve;
use driftline_archive::Archive;
use driftline_watch::settings::ServeSettings;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::limits::Limits;
use crate::listener::{Bounded, Peer};
use crate::places::Places;
use crate::routes::{self, Shared, THREADS};
use crate::{Health, ServeError};

/// So long may answers take that are under way when the server stops.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// A server that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    /// `None` once it has stopped.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    runtime: Runtime,
    serving: JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl Server {
    /// Starts to answer.
    ///
    /// # Errors
    /// If it cannot listen there, or may not because others could reach it.
    pub fn start(settings: &ServeSettings, archive: &Archive, health: Arc<dyn Health>) -> Result<Self, ServeError> {
        Self::start_within(settings, archive, health, Limits::default())
    }

    /// A server with limits of its own.
    pub(crate) fn start_within(
        settings: &ServeSettings,
        archive: &Archive,
        health: Arc<dyn Health>,
        limits: Limits,
    ) -> Result<Self, ServeError> {
        let wanted = settings.listen;
        if !wanted.ip().is_loopback() {
            if !settings.public {
                return Err(ServeError::Public(wanted));
            }
            tracing::warn!(address = %wanted, "whoever reaches this address reads every feed: there are no accounts");
        }
        let listen = |source| ServeError::Listen { address: wanted, source };
        let listener = TcpListener::bind(wanted).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let places = Places::new(limits, &settings.trusted_proxies);
        let shared = Shared::new(archive, health, settings, address, places.clone(), limits.catalog)?;
        let runtime = Builder::new_multi_thread().worker_threads(1).max_blocking_threads(THREADS).enable_all().build();
        let runtime = runtime.map_err(ServeError::Threads)?;
        let entered = runtime.enter();
        let listener = Bounded::new(tokio::net::TcpListener::from_std(listener).map_err(listen)?, places, limits);
        drop(entered);
        let (stop, stopped) = oneshot::channel();
        let serving = runtime.spawn(async move {
            let asked = async move {
                // A sender that went says the same as one that spoke.
                let _ = stopped.await;
            };
            let service = routes::router(shared).into_make_service_with_connect_info::<Peer>();
            if let Err(error) = serve(listener, service).with_graceful_shutdown(asked).await {
                tracing::error!(%error, "the server ended");
            }
        });
        Ok(Self { address, running: Some(Running { runtime, serving, stop }) })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes no more questions, and returns when those that were asked are answered, or after five seconds.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let Some(Running { runtime, serving, stop }) = self.running.take() else { return };
        // It may have ended by itself.
        let _ = stop.send(());
        let is_done = runtime.block_on(async { tokio::time::timeout(LAST_ANSWERS, serving).await.is_ok() });
        if !is_done {
            tracing::warn!("some answers were cut off");
        }
        runtime.shutdown_timeout(LAST_ANSWERS);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests;
