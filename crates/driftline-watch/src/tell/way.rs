//! By which way does a message go? One file for each kind of target.
//!
//! A new one implements [`Way`], and is named in [`read`]; `docs/guides/targets.md` tells people about it.

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

/// The kinds of targets.
pub(super) const KINDS: [&str; 7] = ["email", "webhook", "ntfy", "slack", "discord", "telegram", "apprise"];

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

/// A way from a table of the settings.
pub(super) fn read(kind: &str, table: Table) -> Option<Result<Box<dyn Way>, toml::de::Error>> {
    Some(match kind {
        "email" => way::<email::Email>(table),
        "webhook" => way::<webhook::Webhook>(table),
        "ntfy" => way::<ntfy::Ntfy>(table),
        "slack" => way::<slack::Slack>(table),
        "discord" => way::<discord::Discord>(table),
        "telegram" => way::<telegram::Telegram>(table),
        "apprise" => way::<apprise::Apprise>(table),
        _ => return None,
    })
}

fn way<W: Way + DeserializeOwned + 'static>(table: Table) -> Result<Box<dyn Way>, toml::de::Error> {
    let way: W = table.try_into()?;
    Ok(Box::new(way))
}
