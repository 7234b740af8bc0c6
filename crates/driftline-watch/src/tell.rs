//! Who is told, and how do we know that they were?
//!
//! Targets stand in `driftline.toml` ([`Targets`]). When an event is released, [`Teller::plan`] says which of them are to
//! be told, and when: each becomes a delivery in the catalog, in the transaction that releases the event. [`round`] sends
//! what is due. A delivery is claimed before it is sent and acknowledged after it, so that a crash between the two sends it
//! again, with the same key, and never after the target has said that it has it.
//!
//! What a message says is not known here: a [`Compose`] writes it, in the [`Markup`] of each way.

mod digest;
mod http;
mod pace;
mod parcel;
mod retry;
mod round;
mod route;
mod secrets;
mod target;
mod way;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use driftline::event::Event;
use driftline::time::Time;
use driftline_catalog::Delivery;
use driftline_report::summary::{Markup, Message};

pub use digest::{Digest, NotADigest};
pub use parcel::group;
pub use retry::{MOST_ATTEMPTS, back_off};
pub use round::{Left, Round, Told, round};
pub use target::{Own, Target, Targets, TargetsError};

use http::Http;
use pace::Paces;
use parcel::{Failure, Parcel};

/// Writes messages.
pub trait Compose: Send + Sync {
    /// The message about some events.
    ///
    /// # Errors
    /// If a target's own templates cannot be used: what is wrong, and where.
    fn compose(&self, events: &[Event], markup: &Markup, own: &Own) -> Result<Message, String>;
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The target has it.
    Acknowledged,
    /// It is tried again.
    Later {
        /// When.
        due: Time,
        /// Why it failed.
        error: String,
    },
    /// It is given up.
    Dead {
        /// Why.
        error: String,
    },
}

/// Why nobody can be told anything.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TellerError {
    /// No connection can be made at all.
    #[error("cannot prepare connections to targets: {0}")]
    Connections(String),
    /// A file that a target names cannot be used.
    #[error("cannot use `{}` of the target `{target}`: {why}", path.display())]
    File {
        /// The target.
        target: String,
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A target's templates cannot be used.
    #[error("the target `{target}`: {why}")]
    Template {
        /// The target.
        target: String,
        /// What is wrong, and where.
        why: String,
    },
}

/// Tells targets.
pub struct Teller {
    targets: Targets,
    compose: Arc<dyn Compose>,
    http: Http,
    paces: Paces,
}

impl std::fmt::Debug for Teller {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Teller").field("targets", &self.targets).finish_non_exhaustive()
    }
}

impl Teller {
    /// A teller for these targets. Files that they name are relative to the data directory, and read now.
    ///
    /// # Errors
    /// If a file or a template cannot be used.
    pub fn new(mut targets: Targets, compose: Arc<dyn Compose>, data: &Path) -> Result<Self, TellerError> {
        for target in targets.iter_mut() {
            target.read_files(data)?;
            let message = compose.compose(&[], &target.way().markup(), target.own());
            message.map_err(|why| TellerError::Template { target: target.name().to_owned(), why })?;
        }
        let http = Http::new(&targets)?;
        Ok(Self { targets, compose, http, paces: Paces::default() })
    }

    /// Who is told.
    #[must_use]
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// Sends one message about some deliveries to the target that they are for. If it is to be tried again, the wait
    /// begins when the target has failed, which may take minutes.
    #[must_use]
    pub fn deliver(&self, target: &str, deliveries: &[Delivery], clock: &dyn Fn() -> Time) -> Outcome {
        let attempt = deliveries.iter().map(|delivery| delivery.attempts).max().unwrap_or(0).saturating_add(1);
        match self.try_deliver(target, deliveries, clock()) {
            Ok(()) => Outcome::Acknowledged,
            Err(Failure::Never(error)) => Outcome::Dead { error },
            Err(Failure::Again { error, .. }) if attempt >= MOST_ATTEMPTS => {
                Outcome::Dead { error: format!("given up after {attempt} attempts: {error}") }
            }
            Err(Failure::Again { error, after }) => {
                let key = deliveries.first().map_or("", |delivery| &delivery.key);
                Outcome::Later { due: back_off(clock(), attempt, key, after), error }
            }
        }
    }

    /// Sends events to a target now, without a delivery: to try the target.
    ///
    /// # Errors
    /// Why the target did not take it.
    pub fn send(&self, target: &str, events: &[Event], now: Time) -> Result<(), String> {
        let keys = events.iter().map(|event| route::key(&event.key, target)).collect();
        self.send_parcel(target, events.to_vec(), keys, now).map_err(Failure::into_error)
    }

    /// The message that a target would get, with these templates in place of its own, as far as they are given.
    ///
    /// # Errors
    /// If there is no such target, or the templates cannot be used.
    pub fn preview(&self, target: &str, events: &[Event], templates: &Own) -> Result<Message, String> {
        let target = self.targets.get(target).ok_or_else(|| self.unknown(target))?;
        self.compose.compose(events, &target.way().markup(), &templates.or(target.own()))
    }

    fn try_deliver(&self, target: &str, deliveries: &[Delivery], now: Time) -> Result<(), Failure> {
        let read = |delivery: &Delivery| serde_json::from_value::<Event>(delivery.body.clone());
        let events = deliveries.iter().map(read).collect::<Result<Vec<_>, _>>();
        let events =
            events.map_err(|error| Failure::Never(format!("an event in the catalog cannot be read: {error}")))?;
        let keys = deliveries.iter().map(|delivery| delivery.key.clone()).collect();
        self.send_parcel(target, events, keys, now)
    }

    fn send_parcel(&self, name: &str, events: Vec<Event>, keys: Vec<String>, now: Time) -> Result<(), Failure> {
        let target = self.targets.get(name).ok_or_else(|| Failure::Never(self.unknown(name)))?;
        let message = self.compose.compose(&events, &target.way().markup(), target.own()).map_err(Failure::Never)?;
        let parcel = Parcel::new(target, events, keys, message, now);
        target
            .way()
            .send(&parcel, &self.http)
            .map_err(|failure| failure.map(|error| secrets::scrub(error, target.way())))
    }

    fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.targets.iter().map(Target::name).collect();
        let known =
            if names.is_empty() { "there are none".to_owned() } else { format!("there are {}", names.join(", ")) };
        format!("there is no target `{name}` in driftline.toml\nhint: {known}")
    }
}
