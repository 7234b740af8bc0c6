//! Are people told, once, and by every way? With real receivers on loopback: a mail server from `PyPI`, web servers that look
//! at what they get as the services do, and the real `apprise`.

mod apprise;
mod digest;
mod failures;
mod rounds;
mod services;
mod smtp;
mod webhook;

use std::path::Path;
use std::sync::Arc;

use driftline::event::{Event, Kind};
use driftline::time::Time;
use driftline_catalog::{Catalog, NewEvent, Settlement};
use driftline_report::message::{self, Templates, sample};
use driftline_report::summary::{Markup, Message};
use driftline_watch::tell::{self, Compose, Outcome, Own, Round, Targets, Teller};

/// Writes messages as the command does.
struct Writer;

impl Compose for Writer {
    fn compose(&self, events: &[Event], markup: &Markup, own: &Own) -> Result<Message, String> {
        let templates = Templates::read(own.subject.as_deref(), own.text.as_deref(), own.html.as_deref());
        Ok(message::compose(events, markup, &templates.map_err(|error| error.to_string())?))
    }
}

/// A teller for the tables of `[targets]`.
fn teller(targets: &str, data: &Path) -> Teller {
    try_teller(targets, data).unwrap()
}

fn try_teller(targets: &str, data: &Path) -> Result<Teller, String> {
    let targets = Targets::read(&targets.parse().unwrap()).map_err(|error| error.to_string())?;
    Teller::new(targets, Arc::new(Writer), data).map_err(|error| error.to_string())
}

/// So many seconds after the start of the tests' time: 2026-11-16 08:00 UTC.
fn at(seconds: i64) -> Time {
    Time::from_microseconds((1_794_816_000 + seconds) * 1_000_000)
}

/// A made event with a key of its own.
fn event(kind: Kind, number: u32) -> Event {
    Event { key: format!("{number:032x}"), ..sample(kind) }
}

/// A catalog, and a teller for it.
struct Office {
    folder: tempfile::TempDir,
    catalog: Catalog,
    teller: Teller,
}

impl Office {
    fn new(targets: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let catalog = Catalog::open(folder.path().join("catalog.db")).unwrap();
        let teller = teller(targets, folder.path());
        Self { folder, catalog, teller }
    }

    /// Releases events, as the daemon does.
    fn release(&self, events: &[Event], now: Time) {
        let deliveries = events.iter().flat_map(|event| self.teller.plan(event, &[], now)).collect();
        let new = events.iter().map(|event| NewEvent {
            key: event.key.clone(),
            at: event.at,
            kind: event.kind.name().to_owned(),
            url: event.url.clone(),
            site: event.site.clone(),
            watch: None,
            tags: event.tags.clone(),
            capture: None,
            older: None,
            reading: String::new(),
            importance: event.importance,
            release: None,
            body: serde_json::to_value(event).unwrap(),
        });
        let settlement = Settlement { new: new.collect(), deliveries, ..Settlement::default() };
        self.catalog.settle(&settlement).unwrap();
    }

    fn round(&self, now: Time) -> Round {
        tell::round(&self.catalog, &self.teller, &|| now).unwrap()
    }

    /// What became of the messages of a round, in a word each.
    fn outcomes(&self, now: Time) -> Vec<&'static str> {
        let name = |outcome: &Outcome| match outcome {
            Outcome::Acknowledged => "acknowledged",
            Outcome::Later { .. } => "later",
            Outcome::Dead { .. } => "dead",
        };
        self.round(now).told.iter().map(|told| name(&told.outcome)).collect()
    }
}
