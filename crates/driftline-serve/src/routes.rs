//! Which questions are answered? Those named here; all else is "not found", said plainly.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use driftline_archive::Archive;
use driftline_catalog::{Catalog, CatalogError};
use driftline_watch::settings::ServeSettings;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::places::Places;
use crate::{Health, ServeError, admission, feeds, gate, health};

/// Threads that read the catalog for feeds at the same time.
pub(crate) const READERS: usize = 4;

/// All threads that read the catalog: those for feeds, and one for `/health`.
pub(crate) const THREADS: usize = READERS + 1;

/// What every route knows.
#[derive(Clone)]
pub(crate) struct Shared {
    /// Under a limit: a database that does not answer keeps nobody waiting.
    catalog: Arc<Catalog>,
    readers: Arc<Semaphore>,
    /// Slow feeds keep no probe waiting.
    health_reader: Arc<Semaphore>,
    limit: Duration,
    pub(crate) health: Arc<dyn Health>,
    pub(crate) places: Places,
    /// The beginning of all links, without a slash at its end.
    pub(crate) base: Arc<str>,
    /// The host of `[serve] url`.
    pub(crate) host: Option<Arc<str>>,
}

/// Why the catalog cannot be read now.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unread {
    /// It failed, or did not answer in time.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// All threads that read it were at work for too long.
    #[error("too many requests wait for the catalog")]
    Busy,
    /// A mistake in driftline.
    #[error("reading the catalog panicked")]
    Panicked,
}

impl Shared {
    pub(crate) fn new(
        archive: &Archive,
        health: Arc<dyn Health>,
        settings: &ServeSettings,
        address: SocketAddr,
        places: Places,
        limit: Duration,
    ) -> Result<Self, ServeError> {
        let host = settings.url.as_deref().map(|url| host_of(url).ok_or_else(|| ServeError::Url(url.to_owned())));
        let host = host.transpose()?.map(Arc::from);
        let base = settings.url.clone().unwrap_or_else(|| format!("http://{address}"));
        let catalog = Arc::new(archive.catalog().within(limit));
        let base = base.trim_end_matches('/').into();
        let (readers, health_reader) = (Arc::new(Semaphore::new(READERS)), Arc::new(Semaphore::new(1)));
        Ok(Self { catalog, readers, health_reader, limit, health, places, base, host })
    }

    /// Reads the catalog for a feed.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Catalog) -> Result<T, CatalogError> + Send + 'static,
    ) -> Result<T, Unread> {
        self.read_by(&self.readers, work).await
    }

    /// Reads the catalog for `/health`, on a thread that no feed takes.
    pub(crate) async fn read_for_health<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Catalog) -> Result<T, CatalogError> + Send + 'static,
    ) -> Result<T, Unread> {
        self.read_by(&self.health_reader, work).await
    }

    /// Reads the catalog, on a thread that may block. The wait for a thread and the reading have one limit.
    async fn read_by<T: Send + 'static>(
        &self,
        readers: &Arc<Semaphore>,
        work: impl FnOnce(&Catalog) -> Result<T, CatalogError> + Send + 'static,
    ) -> Result<T, Unread> {
        let reading = async {
            let reader = Arc::clone(readers).acquire_owned().await.map_err(|_| Unread::Busy)?;
            let catalog = Arc::clone(&self.catalog);
            let read = spawn_blocking(move || {
                let _reader = reader;
                work(&catalog)
            });
            Ok(read.await.map_err(|_| Unread::Panicked)??)
        };
        timeout(self.limit, reading).await.unwrap_or(Err(Unread::Busy))
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Shared").field("base", &self.base).finish_non_exhaustive()
    }
}

/// The host of an address of the web, without a port.
fn host_of(url: &str) -> Option<String> {
    let uri: axum::http::Uri = url.parse().ok()?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    let is_plain = uri.query().is_none() && !url.contains(['@', '"', '<', '>', '#']);
    (is_web && is_plain).then(|| uri.host().map(str::to_owned)).flatten()
}

/// All routes, behind the gate.
pub(crate) fn router(shared: Shared) -> Router {
    Router::new()
        .route("/health", get(health::health))
        .route("/metrics", get(health::metrics))
        .route("/feeds/all.atom", get(feeds::all))
        .route("/feeds/{by}/{name}", get(feeds::some))
        .fallback(nothing)
        .method_not_allowed_fallback(only_read)
        .layer(from_fn_with_state(shared.clone(), admission::admit))
        .layer(from_fn_with_state(shared.clone(), gate::gate))
        .layer(from_fn(admission::note_answer))
        .with_state(shared)
}

/// What is not here.
pub(crate) async fn nothing() -> Response {
    let told = "there is nothing here\nhint: there are /health, /metrics, /feeds/all.atom, /feeds/watch/WATCH.atom, \
                /feeds/tag/TAG.atom and /feeds/site/HOST.atom\n";
    (StatusCode::NOT_FOUND, told).into_response()
}

async fn only_read() -> Response {
    (StatusCode::METHOD_NOT_ALLOWED, "this can only be read: GET or HEAD\n").into_response()
}

#[cfg(test)]
mod tests {
    use super::host_of;

    #[test]
    fn links_begin_with_an_address_of_the_web() {
        assert_eq!(host_of("https://example.org/changes/").as_deref(), Some("example.org"));
        assert_eq!(host_of("http://127.0.0.1:8740").as_deref(), Some("127.0.0.1"));
        for url in
            ["example.org", "javascript://example.org/", "/changes", "https://a@example.org/", "https://e.org/?q"]
        {
            assert_eq!(host_of(url), None, "{url}");
        }
    }
}
