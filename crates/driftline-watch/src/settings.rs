//! What does `driftline.toml` say about watching? The tables `[watch]`, `[fetch]`, `[browser]`,
//! `[serve]` and `[targets]`.
//!
//! Everything in them is optional, and what is not known is refused. A message names the table and the key, never the
//! value, which may be a password.

mod network;
mod serve;
mod watch;

use std::collections::BTreeSet;
use std::path::Path;

use driftline_archive::settings::{Watching, plain};
use driftline_fetch::{BrowserDefaults, FetchDefaults};
use serde::de::DeserializeOwned;
use toml::Table;

use crate::tell::{Targets, TargetsError};
pub use network::{Network, NotANetwork};
pub use serve::ServeSettings;
pub use watch::WatchDefaults;

/// What is said about watching.
#[derive(Debug)]
pub struct WatchSettings {
    /// The table `[watch]`.
    pub watch: WatchDefaults,
    /// The tables `[fetch]` and `[browser]`.
    pub fetch: FetchDefaults,
    /// The table `[serve]`.
    pub serve: ServeSettings,
    /// The tables `[targets.NAME]`.
    pub targets: Targets,
}

/// Why settings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WrongSettings {
    /// A table says what is not known, or out of its range.
    #[error("cannot use `[{table}]` in driftline.toml: {what}")]
    Table {
        /// The table.
        table: &'static str,
        /// What is wrong, without any value that may be a password.
        what: String,
    },
    /// A target cannot be used.
    #[error(transparent)]
    Targets(#[from] TargetsError),
}

impl WatchSettings {
    /// Reads the tables of a data directory.
    ///
    /// # Errors
    /// If something in them is not known, or out of its range.
    pub fn read(watching: &Watching, data: &Path) -> Result<Self, WrongSettings> {
        let watch: WatchDefaults = table("watch", &watching.watch)?;
        watch.check().map_err(|what| WrongSettings::Table { table: "watch", what })?;
        let browser: BrowserDefaults = table("browser", &watching.browser)?;
        browser.check().map_err(|what| WrongSettings::Table { table: "browser", what })?;
        let fetch = table::<FetchDefaults>("fetch", &watching.fetch)?.in_folder(data);
        Ok(Self {
            watch,
            fetch: FetchDefaults { browser, ..fetch },
            serve: table("serve", &watching.serve)?,
            targets: Targets::read(&watching.targets)?,
        })
    }

    /// Who may be told, by name.
    #[must_use]
    pub fn target_names(&self) -> BTreeSet<String> {
        self.targets.iter().map(|target| target.name().to_owned()).collect()
    }
}

/// What a table says.
///
/// # Errors
/// If it does not say what a `T` is.
pub(crate) fn table<T: DeserializeOwned>(name: &'static str, table: &Table) -> Result<T, WrongSettings> {
    Table::clone(table).try_into().map_err(|error| WrongSettings::Table { table: name, what: told(&error, &[]) })
}

/// The key that is wrong and what it may be, without its value; `also` are keys of the same table that are read
/// elsewhere.
pub(crate) fn told(error: &toml::de::Error, also: &[&str]) -> String {
    // After the message comes the key, such as "in `delay`".
    let all = error.to_string();
    let key = all.lines().rev().find_map(|line| line.strip_prefix("in "));
    let what = plain(error.message(), also);
    key.map_or_else(|| what.clone(), |key| format!("{key}: {what}"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use driftline::span::Span;

    use super::{WatchSettings, Watching};

    fn read(text: &str) -> Result<WatchSettings, String> {
        let mut tables: toml::Table = text.parse().unwrap();
        let mut take = |name: &str| tables.remove(name).and_then(|table| table.try_into().ok()).unwrap_or_default();
        let watching = Watching {
            watch: take("watch"),
            fetch: take("fetch"),
            browser: take("browser"),
            serve: take("serve"),
            targets: take("targets"),
        };
        WatchSettings::read(&watching, Path::new("/data")).map_err(|error| error.to_string())
    }

    #[test]
    fn tables_are_read_and_paths_are_in_the_data_directory() {
        let settings = read("[watch]\nhold = '1m'\n[fetch]\nca = 'own.pem'\n[browser]\nmemory = 3_000_000_000\n[targets.me]\ntype = 'ntfy'\nurl = 'https://ntfy.example/me'").unwrap();
        assert_eq!(settings.watch.hold, Span::from_seconds(60));
        assert_eq!(settings.fetch.ca.as_deref(), Some(Path::new("/data/own.pem")));
        assert_eq!(settings.fetch.browser.memory, 3_000_000_000);
        assert!(settings.target_names().contains("me"));
    }

    #[test]
    fn what_cannot_be_used_is_told_with_its_key_and_without_its_value() {
        for (text, told) in [
            ("[watch]\nbudjet = 3", "`[watch]` in driftline.toml: unknown key `budjet`; known keys: "),
            ("[watch]\nbudget = 's3cr3t'", "`budget`: expected"),
            ("[fetch]\nproxy = ['s3cr3t']", "`proxy`: expected a string"),
            ("[watch]\nhold = 'long'", "`hold`: `long` is no span of time\nhint: write 30s"),
            ("[watch]\nbudget = -1", "`budget` is from"),
            ("[watch]\nworkers = 0", "`workers` is from"),
            ("[browser]\nmemory = 5", "`[browser]` in driftline.toml: `memory` is 256,000,000 bytes or more"),
            ("[browser]\nmemroy = 5", "unknown key `memroy`"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(told) && !error.contains("s3cr3t"), "{text}: {error}");
        }
    }
}
