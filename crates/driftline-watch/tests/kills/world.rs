//! The pages that are watched and the webhook that is told, both in this process, and what they saw.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use driftline_testkit::server::{Request, Response, Server};
use serde_json::Value;

/// So many pages are watched.
pub(crate) const PAGES: usize = 6;

/// By this header each daemon tells the webhook which one it is; pages are told so by who asks.
const ROUND: &str = "X-Round";

/// Pages and a webhook.
pub(crate) struct World {
    pages: Server,
    hook: Server,
    shared: Arc<(Mutex<Log>, Condvar)>,
}

/// What they saw.
pub(crate) struct Log {
    random: fastrand::Rng,
    is_frozen: bool,
    /// The version that each page has now.
    versions: [u64; PAGES],
    /// What was answered, in order.
    pub(crate) served: Vec<Served>,
    /// What the webhook was told, in order.
    pub(crate) posts: Vec<Post>,
}

/// A page that was asked for.
pub(crate) struct Served {
    pub(crate) round: u32,
    pub(crate) page: usize,
    pub(crate) version: u64,
}

/// An event that the webhook was told.
pub(crate) struct Post {
    pub(crate) round: u32,
    /// The key of the event.
    pub(crate) event: String,
    /// The key of the delivery.
    pub(crate) delivery: String,
    pub(crate) is_taken: bool,
}

impl World {
    pub(crate) fn start(random: fastrand::Rng) -> Self {
        let log = Log { random, is_frozen: false, versions: [1; PAGES], served: Vec::new(), posts: Vec::new() };
        let shared = Arc::new((Mutex::new(log), Condvar::new()));
        let (asked, told) = (Arc::clone(&shared), Arc::clone(&shared));
        let pages = Server::start(move |request| {
            let response = hold(&asked.0).page(request);
            asked.1.notify_all();
            response
        });
        let hook = Server::start(move |request| hold(&told.0).hook(request));
        Self { pages, hook, shared }
    }

    pub(crate) fn url(&self, page: usize) -> String {
        self.pages.url(&format!("/page/{page}"))
    }

    pub(crate) fn log(&self) -> MutexGuard<'_, Log> {
        hold(&self.shared.0)
    }

    /// Pages change no more.
    pub(crate) fn freeze(&self) {
        self.log().is_frozen = true;
    }

    /// Waits until a daemon has asked for pages so often; for a minute at most.
    pub(crate) fn wait_for(&self, questions: usize, round: u32) -> bool {
        // Daemons come one after the other.
        let asked = |log: &Log| log.served.iter().rev().take_while(|served| served.round == round).count();
        let is_waiting = |log: &mut Log| asked(log) < questions;
        let waited = self.shared.1.wait_timeout_while(self.log(), Duration::from_mins(1), is_waiting);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// How often a daemon asked for the page that it asked for least.
    pub(crate) fn least_questions(&self, round: u32) -> usize {
        let log = self.log();
        let count = |page| log.served.iter().filter(|served| (served.round, served.page) == (round, page)).count();
        (0..PAGES).map(count).min().unwrap_or(0)
    }

    /// Writes what a daemon is to watch and to tell, with its number.
    pub(crate) fn write_settings(&self, data: &Path, round: u32) {
        let watch = |page| format!("[[watch]]\nid = \"page-{page}\"\nurl = \"{}\"\n", self.url(page));
        let watches: String = (0..PAGES).map(watch).collect();
        let defaults = "[defaults]\nschedule = \"1s\"\nhold = \"0s\"\nfetch = { ignore-robots = true }\n\n";
        let targets = format!(
            "[hook]\ntype = \"webhook\"\nurl = \"{}\"\nheaders = {{ {ROUND} = \"{round}\" }}\nmost-per-minute = 60000\n",
            self.hook.url("/hook")
        );
        std::fs::create_dir_all(data.join("watches")).expect("a folder");
        std::fs::write(data.join("watches/pages.toml"), defaults.to_owned() + &watches).expect("a file");
        std::fs::write(data.join("targets.toml"), targets).expect("a file");
    }
}

impl Log {
    /// Every other time a page is asked for it has changed.
    fn page(&mut self, request: &Request) -> Response {
        let page = request.path.strip_prefix("/page/").and_then(|page| page.parse::<usize>().ok());
        let Some((page, round)) = page.zip(round(request, "User-Agent")) else { return Response::status(404) };
        if !self.is_frozen && self.random.bool() {
            self.versions[page] += 1;
        }
        let version = self.versions[page];
        self.served.push(Served { round, page, version });
        let mut words = fastrand::Rng::with_seed(version * PAGES as u64 + page as u64);
        let news: Vec<String> = (0..20).map(|_| format!("word{}", words.u32(..100_000))).collect();
        let html = format!(
            "<!doctype html><title>Page {page}</title><main><h1>Page {page}</h1><p>What never changes on page {page} \
             stands here.</p><p>{}</p></main><!-- version={version}; -->",
            news.join(" ")
        );
        Response::html(html).with_etag(&format!("\"{version}\"")).conditional(request)
    }

    /// Every eighth time the webhook refuses.
    fn hook(&mut self, request: &Request) -> Response {
        let body: Value = serde_json::from_slice(&request.body).expect("a webhook gets JSON");
        let round = round(request, ROUND).expect("the daemon says which one it is");
        let is_taken = self.random.u8(..8) > 0;
        let text = |event: &Value, name: &str| event[name].as_str().expect("an event has keys").to_owned();
        for event in body["events"].as_array().expect("a message has events") {
            let (event, delivery) = (text(event, "key"), text(event, "delivery"));
            self.posts.push(Post { round, event, delivery, is_taken });
        }
        Response::status(if is_taken { 200 } else { 503 })
    }
}

/// The version that a page says it has.
pub(crate) fn version(body: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(body);
    let version = text.split_once("version=").and_then(|(_, rest)| rest.split_once(';')).map(|(version, _)| version);
    version.expect("a page says its version").parse().expect("a number")
}

fn round(request: &Request, header: &str) -> Option<u32> {
    request.header(header)?.parse().ok()
}

fn hold(log: &Mutex<Log>) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}
