//! The stage: the evolving site, a real daemon with everything behind it, a receiver that is told, and a clock that is
//! set. Nothing is made up but the time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use driftline::event::Event;
use driftline::time::Time;
use driftline_archive::Archive;
use driftline_archive::settings::{Secrets, Settings};
use driftline_catalog::Catalog;
use driftline_demo::{Site, story};
use driftline_fetch::HttpFetcher;
use driftline_report::message::{self, Templates};
use driftline_report::summary::{Markup, Message};
use driftline_testkit::receiver::Receiver;
use driftline_watch::clock::{Clock, ManualClock};
use driftline_watch::daemon::{Daemon, Files, Handle, Options, Parts};
use driftline_watch::settings::WatchSettings;
use driftline_watch::tell::{Compose, Own, Teller};
use serde_json::Value;
use tempfile::TempDir;

/// Monday, the 2nd of March 2026, six o'clock.
pub(crate) const START: i64 = 1_772_431_200;

/// A site that is watched.
pub(crate) struct Stage<S = Site> {
    pub(crate) site: S,
    pub(crate) receiver: Receiver,
    pub(crate) clock: ManualClock,
    data: TempDir,
    show: Option<Show>,
}

/// A daemon that runs.
struct Show {
    handle: Handle,
    archive: Arc<Archive>,
    thread: JoinHandle<()>,
}

/// Writes messages as the command does.
pub(crate) struct Writer;

impl Compose for Writer {
    fn compose(&self, events: &[Event], markup: &Markup, own: &Own) -> Result<Message, String> {
        let templates = Templates::read(own.subject.as_deref(), own.text.as_deref(), own.html.as_deref());
        Ok(message::compose(events, markup, &templates.map_err(|error| error.to_string())?))
    }
}

impl Stage {
    /// The whole site, watched as its own file says.
    pub(crate) fn open() -> Self {
        Self::with("", Site::watches)
    }

    /// The whole site, watched for six hours after a step: what happened until then nobody saw happen.
    pub(crate) fn after(step: &str) -> Self {
        let stage = Self::with("", |site| {
            site.set(story::step(step).unwrap());
            site.watches()
        });
        assert_eq!(stage.wait(6 * 60), []);
        stage
    }

    /// The site with other watches. More lines for `driftline.toml` stand behind those of the target `hook`.
    pub(crate) fn with(settings: &str, watches: impl FnOnce(&Site) -> String) -> Self {
        let site = Site::start().unwrap();
        let watches = watches(&site);
        let clock = ManualClock::new(Time::from_microseconds(START * 1_000_000));
        Self::raise(site, &watches, clock, settings)
    }

    /// So many minutes pass. What was told meanwhile.
    pub(crate) fn wait(&self, minutes: i64) -> Vec<Told> {
        self.clock.go_to(self.later(minutes));
        self.told()
    }

    /// A step of the story happens, and lasts as long as it does. What was told meanwhile.
    pub(crate) fn play(&self, step: &str) -> Vec<Told> {
        let number = story::step(step).unwrap();
        self.site.set(number);
        self.wait(i64::from(story::STEPS[number].hours) * 60)
    }

    /// What was told since this was last asked, sorted.
    pub(crate) fn told(&self) -> Vec<Told> {
        let origin = self.site.url("");
        let events = |message: Value| match message["events"].clone() {
            Value::Array(events) => events,
            other => panic!("a message has events: {other}"),
        };
        let mut told: Vec<Told> =
            self.receiver.take_json().into_iter().flat_map(events).map(|event| Told::read(&event, &origin)).collect();
        told.sort();
        told
    }
}

impl<S> Stage<S> {
    /// A site with a file of watches, a clock, and more lines for `driftline.toml` after those of the target `hook`.
    pub(crate) fn raise(site: S, watches: &str, clock: ManualClock, settings: &str) -> Self {
        let receiver = Receiver::start();
        let data = tempfile::tempdir().unwrap();
        let all = format!(
            "[fetch]\nallow = ['127.0.0.1']\n[targets.hook]\ntype = 'webhook'\nurl = '{}'\n{settings}\n",
            receiver.url()
        );
        std::fs::write(data.path().join("driftline.toml"), all).unwrap();
        let folder = data.path().join("watches");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("library.toml"), watches).unwrap();
        let mut stage = Self { site, receiver, clock, data, show: None };
        stage.start();
        stage
    }

    /// Starts a daemon, with all that `driftline serve` gives it.
    pub(crate) fn start(&mut self) {
        let data = self.data.path();
        let settings = Settings::read(data, &Secrets::default()).unwrap();
        let watching = WatchSettings::read(&settings.watching, data).unwrap();
        let archive = Arc::new(Archive::open(&settings.archive).unwrap());
        let names = watching.target_names();
        let daemon = Daemon::new(Parts {
            archive: Arc::clone(&archive),
            fetch: Arc::new(HttpFetcher::new(&watching.fetch).unwrap()),
            options: Options { look: None, ..Options::of(&watching.watch, &watching.fetch) },
            teller: Arc::new(Teller::new(watching.targets, Arc::new(Writer), data).unwrap()),
            clock: Arc::new(self.clock.clone()),
            source: Box::new(Files::new(data.to_owned(), names)),
        })
        .unwrap();
        let handle = daemon.handle();
        let thread = thread::spawn(move || {
            daemon.run(|| {}).unwrap();
            daemon.close();
        });
        self.show = Some(Show { handle, archive, thread });
    }

    /// Stops it, and waits until it has ended.
    pub(crate) fn stop(&mut self) {
        if let Some(show) = self.show.take() {
            show.handle.stop();
            show.thread.join().unwrap();
        }
    }

    /// What the catalog says.
    pub(crate) fn catalog(&self) -> &Catalog {
        self.show.as_ref().expect("a daemon runs").archive.catalog()
    }

    /// The data directory.
    pub(crate) fn data(&self) -> &Path {
        self.data.path()
    }

    /// The file of watches.
    pub(crate) fn watches(&self) -> PathBuf {
        self.data().join("watches/library.toml")
    }

    /// Reads the files of watches again.
    pub(crate) fn reload(&self) {
        self.show.as_ref().expect("a daemon runs").handle.reload();
    }

    /// The time in so many minutes.
    pub(crate) fn later(&self, minutes: i64) -> Time {
        Time::from_microseconds(self.clock.now().microseconds() + minutes * 60_000_000)
    }
}

impl<S> Drop for Stage<S> {
    fn drop(&mut self) {
        if let Some(show) = self.show.take() {
            show.handle.stop();
            // A test that failed has told why already.
            let _ = show.thread.join();
        }
    }
}

/// An event that somebody was told.
#[derive(Clone, PartialEq)]
pub(crate) struct Told {
    /// `changed`, `page-gone`.
    pub(crate) kind: String,
    /// `/prices`; `*` if it is about several pages or the site.
    pub(crate) path: String,
    /// All of it.
    pub(crate) event: Event,
}

impl Told {
    fn read(event: &Value, origin: &str) -> Self {
        let event: Event = serde_json::from_value(event.clone()).unwrap();
        let path = if event.pages.is_empty() && event.watch.is_some() {
            event.url.strip_prefix(origin).unwrap_or(&event.url).to_owned()
        } else {
            "*".to_owned()
        };
        Self { kind: event.kind.name().to_owned(), path, event }
    }

    /// The pages that it is about.
    pub(crate) fn pages(&self, stage: &Stage) -> Vec<String> {
        let origin = stage.site.url("");
        let path = |url: &str| url.strip_prefix(&origin).unwrap_or(url).to_owned();
        let mut pages: Vec<String> = self.event.pages.iter().map(|page| path(&page.url)).collect();
        pages.sort();
        pages
    }

    /// The words that came, as a message marks them.
    pub(crate) fn text(&self) -> String {
        message::compose(std::slice::from_ref(&self.event), &Markup::PLAIN, &Templates::default()).text
    }
}

impl Eq for Told {}

impl PartialOrd for Told {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Told {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (&self.kind, &self.path, self.event.at).cmp(&(&other.kind, &other.path, other.event.at))
    }
}

impl std::fmt::Debug for Told {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} {}: {}", self.kind, self.path, self.event.summary)
    }
}

/// Kinds and pages alone, to compare.
pub(crate) fn short(told: &[Told]) -> Vec<(&str, &str)> {
    told.iter().map(|told| (told.kind.as_str(), told.path.as_str())).collect()
}
