//! Whole checks: a page is requested, kept, compared with the version before it, requested again to see what flickers,
//! and judged, and what was found is written down.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::capture::{Content, Exchange};
use driftline_archive::{Archive, Capture};
use driftline_fetch::{Fetch, FetchError, Fetched, Request, Validators};
use driftline_watch::check::{Context, Doubt, Memory, Outcome, Patience, Pause, check_once};
use driftline_watch::ledger::Recorder;
use driftline_watch::schedule::plan::{Pacing, Plan};
use driftline_watch::site::Sites;
use driftline_watch::watches::{Kind, Settings, Watch};
use tempfile::TempDir;

use super::Answer;
use super::bombs::Versions;

/// A server of one page.
#[derive(Debug)]
struct Page {
    older: Vec<u8>,
    /// What it answers when there is a newer version, one after the other; the last one again and again.
    newer: Vec<Vec<u8>>,
    kind: &'static str,
    is_newer: AtomicBool,
    requests: AtomicUsize,
}

impl Fetch for Page {
    fn fetch(&self, request: &Request<'_>) -> Result<Fetched, FetchError> {
        let number = self.requests.fetch_add(1, Ordering::SeqCst).min(self.newer.len() - 1);
        let body = if self.is_newer.load(Ordering::SeqCst) { &self.newer[number] } else { &self.older }.clone();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {}\r\n\r\n", self.kind).into_bytes();
        let exchange = Exchange { head, body: body.clone(), ..Exchange::default() };
        let url = request.url.to_owned();
        let capture =
            Capture { url: url.clone(), at: request.at, content: Content::Http(exchange), metadata: Vec::new() };
        Ok(Fetched {
            page: 0,
            captures: vec![capture],
            status: 200,
            url,
            body,
            content_type: Some(self.kind.to_owned()),
            validators: Validators::default(),
            retry_after: None,
            is_cut: false,
        })
    }
}

/// A watch whose older version was checked.
pub(crate) struct Check {
    page: Arc<Page>,
    context: Context,
    watch: Watch,
    _folder: TempDir,
}

/// The first of January 2026.
const START: i64 = 1_767_225_600_000_000;

impl Check {
    pub(crate) fn new(older: Vec<u8>, newer: Vec<Vec<u8>>, kind: &'static str) -> Self {
        let check = Self::unchecked(older, newer, kind);
        let first = check_once(&check.watch, &check.context, Time::from_microseconds(START)).unwrap();
        assert_eq!(first.outcome, Outcome::First, "{:?}", first.failure);
        check
    }

    /// A watch that was never checked, whose older version is a text that another monitor kept.
    pub(crate) fn after_text([body, newer]: Versions, kind: &'static str) -> Self {
        let check = Self::unchecked(Vec::new(), vec![newer], kind);
        let content = Content::Resource { content_type: "text/plain".to_owned(), body };
        let url = check.watch.url.to_string();
        let text = Capture { url, at: Time::from_microseconds(START), content, metadata: Vec::new() };
        check.context.archive.append(&text).unwrap();
        check
    }

    fn unchecked(older: Vec<u8>, newer: Vec<Vec<u8>>, kind: &'static str) -> Self {
        let folder = TempDir::new().unwrap();
        let archive = Arc::new(Archive::open_at(folder.path()).unwrap());
        let page = Page { older, newer, kind, is_newer: AtomicBool::new(false), requests: AtomicUsize::new(0) };
        let page = Arc::new(page);
        let start = Time::from_microseconds(START);
        let context = Context {
            recorder: Recorder::start(Arc::clone(&archive)).unwrap(),
            archive,
            fetch: Arc::clone(&page) as Arc<dyn Fetch>,
            plan: Arc::new(Plan::new(Pacing::default())),
            sites: Arc::new(Sites::default()),
            hold: Span::from_seconds(300),
            has_company: Arc::new(|_| false),
            patience: Patience::default(),
            doubt: Doubt::until(start),
            memory: Arc::<Memory>::default(),
            pause: Pause { delay: Span::default(), wait: Arc::new(|_| true) },
        };
        let watched = if kind == super::RSS { Kind::Feed } else { Kind::Page };
        let settings = Settings { kind: watched, ..Settings::default() };
        let url = "http://hostile.example/";
        let watch = Watch { id: "hostile".into(), url: url.into(), name: None, settings: Arc::new(settings) };
        Self { page, context, watch, _folder: folder }
    }

    /// Checks it once more, when the newer version is there.
    pub(crate) fn run(&self) -> Answer {
        self.page.is_newer.store(true, Ordering::SeqCst);
        self.page.requests.store(0, Ordering::SeqCst);
        let later = Time::from_microseconds(START + 600_000_000);
        let checked = check_once(&self.watch, &self.context, later).unwrap();
        let is_done = matches!(checked.outcome, Outcome::First | Outcome::Changed);
        assert!(is_done, "{:?} {:?}", checked.outcome, checked.failure);
        let named = checked.events.iter().flat_map(|event| event.limits.clone()).collect();
        Answer { steps: checked.steps, named }
    }
}
