//! By which way does a message go? One file for each kind of target.
//!
//! A new one implements [`Way`], and is a line of [`KINDS`]; `docs/guides/targets.md` describes it for people.

mod apprise;
mod discord;
mod email;
mod ntfy;
mod slack;
mod telegram;
mod webhook;

use std::fmt::Debug;
use std::path::PathBuf;

use driftline_fetch::Secret;
use driftline_report::summary::Markup;
use serde::de::DeserializeOwned;
use toml::Table;

use super::http::Http;
use super::parcel::{Failure, Parcel};

/// The kinds of targets, and how each is read from its table of the settings.
const KINDS: &[(&str, Reader)] = &[
    ("email", way::<email::Email>),
    ("webhook", way::<webhook::Webhook>),
    ("ntfy", way::<ntfy::Ntfy>),
    ("slack", way::<slack::Slack>),
    ("discord", way::<discord::Discord>),
    ("telegram", way::<telegram::Telegram>),
    ("apprise", way::<apprise::Apprise>),
];

/// A reader of a table of the settings.
type Reader = fn(Table) -> Result<Box<dyn Way>, toml::de::Error>;

/// The names of all kinds of targets, for a message.
pub(super) fn kinds() -> String {
    KINDS.iter().map(|(kind, _)| *kind).collect::<Vec<_>>().join(", ")
}

/// A way for messages.
pub(super) trait Way: Debug + Send + Sync {
    /// How the text of a message is written for it.
    fn markup(&self) -> Markup;

    /// Sends a message, and comes back when the target has taken it or has not.
    fn send(&self, parcel: &Parcel<'_>, http: &Http) -> Result<(), Failure>;

    /// All that may not be seen in what is told about a failure.
    fn secrets(&self) -> Vec<&Secret>;

    /// At most so many messages a minute, unless it is set.
    fn most_a_minute(&self) -> u32;

    /// A file with authorities to trust, besides those that the machine trusts.
    fn authorities(&self) -> Option<&PathBuf> {
        None
    }

    /// What is wrong with its settings.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// A way from a table of the settings; none if there is no such kind.
pub(super) fn read(kind: &str, table: Table) -> Option<Result<Box<dyn Way>, toml::de::Error>> {
    let (_, read) = KINDS.iter().find(|(known, _)| *known == kind)?;
    Some(read(table))
}

fn way<W: Way + DeserializeOwned + 'static>(table: Table) -> Result<Box<dyn Way>, toml::de::Error> {
    let way: W = table.try_into()?;
    Ok(Box::new(way))
}
