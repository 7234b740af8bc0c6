//! How does a page come that scripts make? Headless Chromium opens it, and what it made of it is kept beside what came.
//!
//! The captures are the exchanges of the page itself, redirects and all, then the page as it stands when it is ready
//! (`urn:dom:URL`, which is what is compared) and a picture of it (`urn:view:URL`). One Chromium serves all pages; each
//! page has a profile, a proxy and limits of its own, which go with it.
//!
//! Chromium runs scripts of strangers, so it gets no further than [`guard`](crate::guard) lets it: all its traffic goes
//! through a proxy of ours that judges every connection, it cannot look names up, and its own sandbox is on unless
//! driftline runs as root, where it cannot be.

mod devtools;
mod engine;
mod gate;
mod group;
mod memory;
mod picture;
mod process;
mod protocol;
mod ready;
mod result;
mod tab;
mod traffic;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use driftline::span::Span;
use tokio::runtime::Runtime;
use tokio::select;
use tokio::sync::{Mutex, Semaphore, SemaphorePermit, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::{Fetch, FetchError, Fetched, FetcherError, HttpFetcher, Request};
use engine::Engine;

/// A Chromium that has had nothing to do for so long is closed; another is started when it is needed.
const IDLE: Duration = Duration::from_mins(1);

/// A page waits for its tab so many times as long as it may take itself: others are before it, each with a limit.
const PATIENCE: u64 = 10;

/// Brings pages by headless Chromium.
#[derive(Debug)]
pub struct BrowserFetcher {
    http: Arc<HttpFetcher>,
    tabs: Semaphore,
    slot: Arc<Slot>,
    is_closed: watch::Sender<bool>,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

/// The one Chromium, if it runs.
#[derive(Debug, Default)]
struct Slot {
    engine: Mutex<Option<Arc<Engine>>>,
    uses: AtomicU64,
}

impl BrowserFetcher {
    /// A fetcher that shares robots.txt, guard and settings with another. Nothing is started yet.
    ///
    /// # Errors
    /// If no threads can be had.
    pub fn new(http: Arc<HttpFetcher>) -> Result<Self, FetcherError> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(1).thread_name("driftline-browser").enable_all();
        let runtime = builder.build().map_err(FetcherError::Runtime)?;
        let tabs = Semaphore::new(http.defaults().tabs.max(1));
        Ok(Self { http, tabs, slot: Arc::default(), is_closed: watch::Sender::new(false), runtime: Some(runtime) })
    }

    async fn open(&self, request: &Request<'_>) -> Result<Fetched, FetchError> {
        let [.., most] = self.http.defaults().timeouts(request.how);
        let _tab = self.tab(request.url, most).await?;
        // Chromium has a limit of its own to start: a page with little time would never see one that starts slowly.
        let engine = self.engine().await?;
        let fetched = tab::fetch(&engine, &self.http, request, most.duration()).await;
        let fetched = fetched.map_err(|error| engine.blame(error));
        drop(engine);
        let (slot, use_) = (Arc::clone(&self.slot), self.slot.uses.fetch_add(1, Ordering::SeqCst) + 1);
        tokio::spawn(async move {
            sleep(IDLE).await;
            if slot.uses.load(Ordering::SeqCst) == use_ {
                slot.close().await;
            }
        });
        fetched
    }

    /// Waits for a free tab. That others are slow does not cost the page its own time.
    async fn tab(&self, url: &str, most: Span) -> Result<SemaphorePermit<'_>, FetchError> {
        let most = Span::from_milliseconds(most.milliseconds().saturating_mul(PATIENCE));
        let hint = "more `tabs` under `[fetch]` in driftline.toml, or a longer `timeout`";
        let late = |_| FetchError::Busy(format!("no tab was free for `{url}` within {most}\nhint: {hint}"));
        let tab = timeout(most.duration(), self.tabs.acquire()).await.map_err(late)?;
        tab.map_err(|error| engine::broken(&error))
    }

    /// Waits until nothing more is to be fetched.
    async fn closed(&self) -> FetchError {
        // It fails only if the sender is gone, which is ours.
        let _ = self.is_closed.subscribe().wait_for(|is_closed| *is_closed).await;
        FetchError::Connection("Chromium was closed before the page was ready".to_owned())
    }

    /// Waits until all pages that are open have let go of Chromium, and ends it.
    async fn end(&self) {
        self.is_closed.send_replace(true);
        let tabs = u32::try_from(self.http.defaults().tabs.max(1)).unwrap_or(u32::MAX);
        let _all = timeout(engine::LAST, self.tabs.acquire_many(tabs)).await;
        self.slot.close().await;
    }

    /// The Chromium that runs, or a new one if it went.
    async fn engine(&self) -> Result<Arc<Engine>, FetchError> {
        let mut slot = self.slot.engine.lock().await;
        if let Some(engine) = slot.as_ref() {
            if engine.answers().await {
                return Ok(Arc::clone(engine));
            }
            tracing::warn!("Chromium does not answer; another is started");
        }
        if let Some(hung) = slot.take().and_then(Arc::into_inner) {
            tokio::spawn(hung.close());
        }
        // By a thread of the runtime, because Chromium ends with the thread that started it. With whoever waits for it.
        let (mut starting, defaults) = (JoinSet::new(), self.http.defaults().clone());
        starting.spawn(async move { Engine::start(&defaults).await });
        let started = starting.join_next().await.expect("one was spawned");
        let engine = Arc::new(started.map_err(|error| engine::broken(&error))??);
        *slot = Some(Arc::clone(&engine));
        Ok(engine)
    }
}

impl Slot {
    async fn close(&self) {
        // A page that is still open closes it when it is done, by letting go of it.
        if let Some(engine) = self.engine.lock().await.take().and_then(Arc::into_inner) {
            engine.close().await;
        }
    }
}

impl Fetch for BrowserFetcher {
    fn fetch(&self, request: &Request<'_>) -> Result<Fetched, FetchError> {
        let runtime = self.runtime.as_ref().expect("only a dropped fetcher has no runtime");
        runtime.block_on(async {
            select! {
                biased;
                closed = self.closed() => Err(closed),
                fetched = self.open(request) => fetched,
            }
        })
    }

    fn delay(&self, host: &str) -> Option<Span> {
        self.http.delay(host)
    }

    fn close(&self) {
        if let Some(runtime) = self.runtime.as_ref().filter(|_| tokio::runtime::Handle::try_current().is_err()) {
            runtime.block_on(self.end());
        }
    }
}

impl Drop for BrowserFetcher {
    fn drop(&mut self) {
        self.close();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
