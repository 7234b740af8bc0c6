//! An archive in a folder of its own, and servers that answer what a test says.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use driftline::event::{Event, Kind};
use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::capture::{Content, Exchange};
use driftline_archive::{Archive, Capture};
use driftline_catalog::EventFilter;
use driftline_fetch::{Fetch, FetchError, Fetched, Request, Validators, With};
use driftline_watch::check::{Checked, Context, Doubt, Patience, Pause, check_once};
use driftline_watch::ledger::Recorder;
use driftline_watch::schedule::Schedule;
use driftline_watch::schedule::plan::{Pacing, Plan};
use driftline_watch::site::{Settled, Sites, settle};
use driftline_watch::watches::{Settings, Watch};
use tempfile::TempDir;

/// What a server answers.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// A page.
    Page(String),
    /// These pages in turn, one for each request, over and over.
    InTurn(Vec<String>),
    /// These answers in turn, the last one over and over.
    First(Vec<Reply>),
    /// Bytes that say what they are.
    File(Vec<u8>, &'static str),
    /// A page with this `ETag`, or 304.
    Tagged(String, &'static str),
    /// A status and nothing else.
    Status(u16),
    /// Too busy: a status, and for how many seconds.
    Busy(u16, u64),
    /// Elsewhere.
    To(String),
    /// Nothing.
    Timeout,
    /// It may not be asked.
    Refused,
    /// robots.txt says no.
    Robots,
    /// What the watch says cannot be sent.
    Unsendable,
    /// It redirects for ever.
    Circle,
}

/// Answers by a script.
#[derive(Debug, Default)]
pub(crate) struct Script {
    replies: Mutex<HashMap<String, Reply>>,
    asked: Mutex<Vec<String>>,
    /// How each address was requested last: to whose origin secrets went, and by what.
    ways: Mutex<HashMap<String, (Option<String>, With)>>,
    /// What robots.txt asks for between two requests.
    delay: Mutex<Option<Span>>,
}

impl Script {
    pub(crate) fn ask_for(&self, delay: Span) {
        *self.delay.lock().unwrap() = Some(delay);
    }

    pub(crate) fn set(&self, url: &str, reply: Reply) {
        self.replies.lock().unwrap().insert(url.to_owned(), reply);
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    /// To whose origin secrets went when an address was requested last, and by what it was fetched.
    pub(crate) fn way(&self, url: &str) -> (Option<String>, With) {
        self.ways.lock().unwrap().get(url).cloned().expect("it was requested")
    }

    fn reply(&self, url: &str) -> Reply {
        self.asked.lock().unwrap().push(url.to_owned());
        match self.replies.lock().unwrap().get_mut(url) {
            Some(Reply::InTurn(pages)) => {
                pages.rotate_left(1);
                Reply::Page(pages.last().cloned().unwrap_or_default())
            }
            Some(Reply::First(replies)) if replies.len() > 1 => replies.remove(0),
            Some(Reply::First(replies)) => replies[0].clone(),
            reply => reply.cloned().unwrap_or(Reply::Status(404)),
        }
    }
}

impl Fetch for Script {
    fn delay(&self, _: &str) -> Option<Span> {
        *self.delay.lock().unwrap()
    }

    fn fetch(&self, request: &Request<'_>) -> Result<Fetched, FetchError> {
        let mut captures = Vec::new();
        let mut url = request.url.to_owned();
        let way = (request.home.map(str::to_owned), request.how.with);
        self.ways.lock().unwrap().insert(url.clone(), way);
        loop {
            let mut retry_after = None;
            let (status, content_type, etag, body) = match self.reply(&url) {
                Reply::Timeout => return Err(FetchError::Timeout("no first byte in 30s".to_owned())),
                Reply::Refused => return Err(FetchError::Refused("the address is private".to_owned())),
                Reply::Robots => return Err(FetchError::Robots(url)),
                Reply::Unsendable => return Err(FetchError::How("the header `x` cannot be set".to_owned())),
                Reply::Circle => return Err(FetchError::Answer(format!("`{url}` redirects too often"))),
                Reply::Status(status) => (status, "text/html", "", Vec::new()),
                Reply::Busy(status, seconds) => {
                    retry_after = Some(Span::from_seconds(seconds));
                    (status, "text/html", "", Vec::new())
                }
                Reply::InTurn(_) | Reply::First(_) => unreachable!("one of them is the reply"),
                Reply::Page(body) => (200, "text/html", "", body.into_bytes()),
                Reply::File(body, content_type) => (200, content_type, "", body),
                Reply::Tagged(body, etag) => {
                    let is_same = request.validators.is_some_and(|known| known.etag.as_deref() == Some(etag));
                    if is_same {
                        (304, "text/html", etag, Vec::new())
                    } else {
                        (200, "text/html", etag, body.into_bytes())
                    }
                }
                Reply::To(target) => {
                    captures.push(capture(
                        &url,
                        request.at,
                        &format!("HTTP/1.1 302 Found\r\nLocation: {target}\r\n\r\n"),
                        &[],
                    ));
                    url = target;
                    continue;
                }
            };
            let head = format!("HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\n\r\n");
            captures.push(capture(&url, request.at, &head, &body));
            return Ok(Fetched {
                page: captures.len() - 1,
                captures,
                status,
                url,
                body,
                content_type: Some(content_type.to_owned()),
                validators: Validators { etag: (!etag.is_empty()).then(|| etag.to_owned()), ..Validators::default() },
                retry_after,
                is_cut: false,
            });
        }
    }
}

fn capture(url: &str, at: Time, head: &str, body: &[u8]) -> Capture {
    let exchange = Exchange { head: head.as_bytes().to_vec(), body: body.to_vec(), ..Exchange::default() };
    Capture { url: url.to_owned(), at, content: Content::Http(exchange), metadata: Vec::new() }
}

/// An archive, a script, and a time that tests set.
pub(crate) struct Stage {
    pub(crate) script: Arc<Script>,
    pub(crate) context: Context,
    pub(crate) now: Time,
    folder: Arc<TempDir>,
    pauses: Arc<Pauses>,
}

/// The pauses within checks.
#[derive(Debug, Default)]
struct Pauses {
    all: Mutex<Vec<Span>>,
    /// The process stops during the next one.
    is_stopping: AtomicBool,
}

/// The beginning of all tests: the first of January 2026.
const START: i64 = 1_767_225_600_000_000;

impl Stage {
    pub(crate) fn new() -> Self {
        Self::at(Arc::new(TempDir::new().unwrap()), Arc::default(), Time::from_microseconds(START))
    }

    fn at(folder: Arc<TempDir>, script: Arc<Script>, now: Time) -> Self {
        let archive = Arc::new(Archive::open_at(folder.path()).unwrap());
        let pauses = Arc::<Pauses>::default();
        let noted = Arc::clone(&pauses);
        let wait = move |span| {
            noted.all.lock().unwrap().push(span);
            !noted.is_stopping.load(Ordering::SeqCst)
        };
        let context = Context {
            recorder: Recorder::start(Arc::clone(&archive)).unwrap(),
            archive,
            fetch: Arc::clone(&script) as Arc<dyn Fetch>,
            plan: Arc::new(Plan::new(Pacing::default())),
            sites: Arc::new(Sites::default()),
            hold: Span::from_seconds(300),
            has_company: Arc::new(|_| true),
            patience: Patience::default(),
            doubt: Doubt::until(now),
            memory: Arc::default(),
            pause: Pause { delay: Span::default(), wait: Arc::new(wait) },
        };
        Self { script, context, now, folder, pauses }
    }

    /// The process ends, and another one begins.
    pub(crate) fn restart(self) -> Self {
        let Self { script, context, now, folder, .. } = self;
        drop(context);
        Self::at(folder, script, now)
    }

    /// All that was kept so far is in closed files, and the process begins anew: it has nothing of them in memory.
    pub(crate) fn seal(self) -> Self {
        self.context.archive.seal().unwrap();
        self.restart()
    }

    /// The closed files of the archive.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let all = std::fs::read_dir(self.folder.path().join("warc")).unwrap();
        all.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "gz")).collect()
    }

    pub(crate) fn page(&self, url: &str, html: &str) {
        self.script.set(url, Reply::Page(html.to_owned()));
    }

    /// The pauses within checks since this was last asked.
    pub(crate) fn pauses(&self) -> Vec<Span> {
        std::mem::take(&mut self.pauses.all.lock().unwrap())
    }

    /// The process stops, or does not, during the next pause.
    pub(crate) fn stop(&self, is_stopping: bool) {
        self.pauses.is_stopping.store(is_stopping, Ordering::SeqCst);
    }

    /// Time goes by.
    pub(crate) fn pass(&mut self, minutes: i64) {
        self.now = Time::from_microseconds(self.now.microseconds() + minutes * 60_000_000);
    }

    /// Checks a watch, ten minutes after the last check.
    pub(crate) fn check(&mut self, watch: &Watch) -> Checked {
        self.pass(10);
        self.check_now(watch)
    }

    /// Checks a watch.
    pub(crate) fn check_now(&self, watch: &Watch) -> Checked {
        check_once(watch, &self.context, self.now).unwrap()
    }

    /// Checks a watch after this many minutes, and again whenever that is wanted within 90 s. All events.
    pub(crate) fn follow(&mut self, watch: &Watch, minutes: i64) -> Vec<Event> {
        self.pass(minutes);
        let mut events = Vec::new();
        loop {
            let checked = self.check_now(watch);
            events.extend(checked.events);
            let Some(soon) = checked.next.filter(|next| self.now.distance(*next) <= 90_000_000) else { return events };
            self.now = soon;
        }
    }

    /// Serves a page, and checks it.
    pub(crate) fn serve(&mut self, watch: &Watch, html: &str) -> Checked {
        self.page(&watch.url, html);
        self.check(watch)
    }

    /// Settles what waits, as the daemon does.
    pub(crate) fn settle(&mut self, site: &str) -> Vec<Event> {
        self.pass(60);
        let catalog = self.context.archive.catalog();
        let Settled { settlement, told, .. } = settle(catalog, site, self.now, &|_, _| Vec::new()).unwrap();
        catalog.settle(&settlement).unwrap();
        told.into_iter().map(|told| told.event).collect()
    }

    /// The keys of all events in the catalog.
    pub(crate) fn keys(&self) -> Vec<String> {
        let filter = EventFilter { all: true, ..EventFilter::default() };
        let events = self.context.archive.catalog().events(&filter).unwrap().items;
        let mut keys: Vec<String> = events.into_iter().map(|event| event.key).collect();
        keys.sort_unstable();
        keys
    }
}

/// A watch with these settings, checked every ten minutes.
pub(crate) fn watch(id: &str, url: &str, settings: Settings) -> Watch {
    let schedule = Schedule::every(Span::from_seconds(600));
    Watch { id: id.into(), url: url.into(), name: None, settings: Arc::new(Settings { schedule, ..settings }) }
}

/// A watch of a page.
pub(crate) fn plain(url: &str) -> Watch {
    watch(url.rsplit('/').next().filter(|id| !id.is_empty()).unwrap_or("page"), url, Settings::default())
}

pub(crate) fn kinds(events: &[Event]) -> Vec<Kind> {
    events.iter().map(|event| event.kind).collect()
}
