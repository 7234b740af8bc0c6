//! How fast can pages be had? A page server that is faster than what it measures.
//!
//! Pages of a thousand words are made once for each generation and sent from memory; a new generation changes a
//! sentence of each page. `/page/7` is the eighth page.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use fastrand::Rng;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH};
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::text;

/// A page server on loopback, which ends when it is dropped.
#[derive(Debug)]
pub struct FastPages {
    address: SocketAddr,
    shared: Arc<Shared>,
    _runtime: Runtime,
}

#[derive(Debug)]
struct Shared {
    pages: RwLock<(u64, Vec<Bytes>)>,
    hits: AtomicU64,
    not_modified: AtomicU64,
    has_etags: AtomicBool,
}

impl FastPages {
    /// Serves so many pages with so many threads.
    ///
    /// # Panics
    /// If there is no free port on loopback.
    #[must_use]
    pub fn start(pages: usize, threads: usize) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads.max(1)).enable_all().build();
        let runtime = runtime.expect("a runtime can be made");
        let listener = runtime.block_on(TcpListener::bind(("127.0.0.1", 0))).expect("loopback has a free port");
        let address = listener.local_addr().expect("it is bound");
        let shared = Arc::new(Shared {
            pages: RwLock::new((0, generation(pages, 0))),
            hits: AtomicU64::new(0),
            not_modified: AtomicU64::new(0),
            has_etags: AtomicBool::new(false),
        });
        let served = Arc::clone(&shared);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                let shared = Arc::clone(&served);
                let service = service_fn(move |request| {
                    let answer = answer(&shared, &request);
                    async move { Ok::<_, Infallible>(answer) }
                });
                tokio::spawn(Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
        Self { address, shared, _runtime: runtime }
    }

    /// The address of a page.
    #[must_use]
    pub fn url(&self, page: usize) -> String {
        format!("http://{}/page/{page}", self.address)
    }

    /// Changes a sentence of every page.
    pub fn change(&self) {
        let mut pages = self.shared.pages.write().unwrap_or_else(PoisonError::into_inner);
        *pages = (pages.0 + 1, generation(pages.1.len(), pages.0 + 1));
    }

    /// Says from now on which version a page is, so that an unchanged one costs a 304; or does not.
    pub fn set_etags(&self, has_etags: bool) {
        self.shared.has_etags.store(has_etags, Ordering::Relaxed);
    }

    /// How often it was asked, and how often it said "not modified", since this was last called.
    #[must_use]
    pub fn take_counts(&self) -> (u64, u64) {
        let take = |count: &AtomicU64| count.swap(0, Ordering::Relaxed);
        (take(&self.shared.hits), take(&self.shared.not_modified))
    }
}

fn answer(shared: &Shared, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    shared.hits.fetch_add(1, Ordering::Relaxed);
    let pages = shared.pages.read().unwrap_or_else(PoisonError::into_inner);
    let number: Option<usize> = request.uri().path().strip_prefix("/page/").and_then(|number| number.parse().ok());
    let mut response = Response::new(Full::default());
    let Some(page) = number.and_then(|number| pages.1.get(number)) else {
        *response.status_mut() = StatusCode::NOT_FOUND;
        return response;
    };
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    if shared.has_etags.load(Ordering::Relaxed) {
        let etag = format!("\"{}\"", pages.0);
        let is_same = request.headers().get(IF_NONE_MATCH).is_some_and(|asked| asked.as_bytes() == etag.as_bytes());
        response.headers_mut().insert(ETAG, HeaderValue::from_str(&etag).expect("a number in quotes is a header"));
        if is_same {
            shared.not_modified.fetch_add(1, Ordering::Relaxed);
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
    }
    *response.body_mut() = Full::new(page.clone());
    response
}

/// The pages of a generation: a thousand words each, of which a dozen are of this generation.
fn generation(pages: usize, generation: u64) -> Vec<Bytes> {
    (0..pages).map(|number| page(number as u64, generation)).collect()
}

fn page(number: u64, generation: u64) -> Bytes {
    let paragraphs: Vec<String> = (0..20)
        .map(|place| {
            let seed = number * 1_000 + place + if place == 7 { (generation + 1) * 1_000_003 } else { 0 };
            let words = text::zipf_words(&mut Rng::with_seed(seed), 50, 5_000);
            let words: Vec<String> = words.iter().map(|word| format!("word{word}")).collect();
            format!("<p>{}</p>", words.join(" "))
        })
        .collect();
    let html = format!(
        "<!doctype html><html lang=en><head><title>Page {number}</title></head><body><header><h1>Page {number}</h1>\
         </header><main>{}</main><footer><p>All pages</p></footer></body></html>",
        paragraphs.join("\n")
    );
    Bytes::from(html)
}
