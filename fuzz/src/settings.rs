//! Any text as `driftline.toml`, and as the values that settings are made of: it is refused without a secret in the
//! message, or read; what can be written is read again as the same.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display};
use std::path::Path;
use std::str::FromStr;

use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::care::Retention;
use driftline_archive::settings::{Secrets, Settings};
use driftline_watch::schedule::Schedule;
use driftline_watch::settings::{Network, WatchSettings};
use driftline_watch::watches::{self, completed, is_id, pattern};
use toml::{Table, Value};

use crate::watches::again;

/// Keys whose values are in no message and in no log.
const SECRET: [&str; 4] = ["password", "secret", "secret-access-key", "token"];
/// Shorter ones are in a message by accident.
const LEAST: usize = 8;

/// One run.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let secrets = secrets(&text);
    let shown = program(&text);
    assert!(!secrets.iter().any(|secret| shown.contains(secret)), "{shown}");
    let _ = watches::parse(&text).map(|watches| again(&watches));
    for line in text.lines().take(100) {
        round_trip::<Span>(line);
        round_trip::<Time>(line);
        round_trip::<Schedule>(line);
        let _ = (line.parse::<Network>(), line.parse::<Retention>(), pattern(line), completed(line), is_id(line));
    }
}

/// All that is shown of settings: what was read, or why it is refused.
fn program(text: &str) -> String {
    let data = Path::new("/data");
    match Settings::parse(text, data, &Secrets::default()) {
        Ok(settings) => match WatchSettings::read(&settings.watching, data) {
            Ok(read) => format!("{settings:?}{:?}{:?}", read.fetch, read.targets),
            Err(error) => format!("{settings:?}{error}{error:?}"),
        },
        Err(error) => format!("{error}{error:?}"),
    }
}

/// What is written says the same.
fn round_trip<T: FromStr + Display + PartialEq + Debug>(text: &str) {
    let Ok(read) = text.parse::<T>() else { return };
    let written = read.to_string();
    assert_eq!(written.parse::<T>().ok(), Some(read), "{text:?} is written as {written:?}");
}

/// The values of secret keys that are nowhere else in the text.
fn secrets(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if let Ok(table) = text.parse::<Table>() {
        collect(&table, &mut found);
    }
    found.retain(|secret| secret.len() >= LEAST && text.matches(secret.as_str()).count() == 1);
    found
}

/// The values of secret keys in a table, and in the tables in it.
fn collect(table: &Table, found: &mut BTreeSet<String>) {
    for (key, value) in table {
        match value {
            Value::String(value) if SECRET.contains(&key.as_str()) => _ = found.insert(value.clone()),
            Value::Table(table) => collect(table, found),
            _ => {}
        }
    }
}
