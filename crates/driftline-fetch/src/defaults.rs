//! What does `[fetch]` in `driftline.toml` say? How pages are fetched unless a watch says otherwise, and what the
//! operator allows.

use std::path::{Path, PathBuf};

use driftline::span::Span;
use serde::Deserialize;

use super::{FetcherError, How, agent};
use crate::Secret;

/// No wait of a check is longer, whatever a watch says: each keeps a thread.
const LONGEST: Span = Span::from_seconds(3_600);

/// No body is longer, whatever a watch says: it is kept in memory.
const MOST_BYTES: u64 = 1_000_000_000;

/// The table `[fetch]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct FetchDefaults {
    /// Where whoever is asked can say what they think of it: an address of a page, or of a person.
    pub contact: Option<String>,
    /// All of what we say we are, instead of `driftline/VERSION (+contact)`.
    pub user_agent: Option<String>,
    /// What may be asked though it is inside: addresses, networks, hosts, with a port or without.
    pub allow: Vec<String>,
    /// Between two questions to one host.
    pub delay: Span,
    /// At most so many questions to one host at a time.
    pub per_host: usize,
    /// The proxy of all watches that name none.
    pub proxy: Option<Secret>,
    /// Certificates of authorities to trust beside those of the machine, as a PEM file.
    pub ca: Option<PathBuf>,
    /// Until a connection is there.
    pub connect_timeout: Span,
    /// From the question to the head of the answer.
    pub first_byte_timeout: Span,
    /// For all of it, redirects too.
    pub timeout: Span,
    /// At most so many bytes of a body, as sent and as decoded.
    pub most_bytes: u64,
    /// The program of Chromium; looked for where it usually is if nothing is said.
    pub chromium: Option<PathBuf>,
    /// At most so many pages are open in Chromium at a time.
    pub tabs: usize,
    /// The table `[browser]`, which stands beside `[fetch]`.
    #[serde(skip)]
    pub browser: BrowserDefaults,
}

/// The table `[browser]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct BrowserDefaults {
    /// The bytes of memory that all processes of Chromium may take together, those of files left out.
    pub memory: u64,
}

/// Chromium needs some 200 MB for an empty page.
const LEAST_MEMORY: u64 = 256_000_000;

impl Default for BrowserDefaults {
    fn default() -> Self {
        Self { memory: 2_000_000_000 }
    }
}

impl BrowserDefaults {
    /// A check of the values.
    ///
    /// # Errors
    /// The key that is out of its range, and the range.
    pub fn check(&self) -> Result<(), String> {
        let is_enough = self.memory >= LEAST_MEMORY;
        is_enough.then_some(()).ok_or_else(|| "`memory` is 256,000,000 bytes or more".to_owned())
    }
}

impl Default for FetchDefaults {
    fn default() -> Self {
        Self {
            contact: None,
            user_agent: None,
            allow: Vec::new(),
            delay: Span::from_seconds(1),
            per_host: 1,
            proxy: None,
            ca: None,
            connect_timeout: Span::from_seconds(10),
            first_byte_timeout: Span::from_seconds(30),
            timeout: Span::from_seconds(60),
            most_bytes: 20_000_000,
            chromium: None,
            tabs: 2,
            browser: BrowserDefaults::default(),
        }
    }
}

impl FetchDefaults {
    /// The same, with its paths relative to a folder: the data directory.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        self.ca = self.ca.map(|path| folder.join(path));
        self
    }

    /// Who we say we are.
    #[must_use]
    pub fn agent(&self) -> String {
        agent::name(self.user_agent.as_deref(), self.contact.as_deref())
    }

    /// Says what cannot be meant.
    pub(super) fn check(&self) -> Result<(), FetcherError> {
        let span = |key, span: Span| (key, span > Span::default() && span <= LONGEST, "more than 0s and at most 1h");
        let is_sendable = self.agent().bytes().all(|byte| (b' '..=b'~').contains(&byte));
        let rules = [
            span("connect-timeout", self.connect_timeout),
            span("first-byte-timeout", self.first_byte_timeout),
            span("timeout", self.timeout),
            ("most-bytes", (1..=MOST_BYTES).contains(&self.most_bytes), "from 1 to 1,000,000,000"),
            ("per-host", (1..=64).contains(&self.per_host), "from 1 to 64"),
            ("tabs", (1..=32).contains(&self.tabs), "from 1 to 32"),
            ("user-agent", is_sendable, "of letters, digits and signs of ASCII, and so is `contact`"),
        ];
        match rules.into_iter().find(|(_, holds, _)| !holds) {
            Some((key, _, what)) => Err(FetcherError::Value { key, what }),
            None => Ok(()),
        }
    }

    /// How long is waited for a connection, for the head that follows, and for all of it.
    pub(super) fn timeouts(&self, how: &How) -> [Span; 3] {
        [
            how.connect_timeout.unwrap_or(self.connect_timeout).min(LONGEST),
            how.first_byte_timeout.unwrap_or(self.first_byte_timeout).min(LONGEST),
            how.timeout.unwrap_or(self.timeout).min(LONGEST),
        ]
    }

    /// How much of a body is read.
    pub(super) fn most_bytes(&self, how: &How) -> usize {
        usize::try_from(how.most_bytes.unwrap_or(self.most_bytes).min(MOST_BYTES)).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::{BrowserDefaults, FetchDefaults, How};

    fn read(text: &str) -> Result<FetchDefaults, String> {
        let defaults: FetchDefaults = toml::from_str(text).map_err(|error| error.to_string())?;
        defaults.check().map_err(|error| error.to_string()).map(|()| defaults)
    }

    #[test]
    fn nothing_needs_to_be_set_and_everything_may() {
        assert_eq!(read("").unwrap(), FetchDefaults::default());
        let text = "contact = 'me@example.org'\nuser-agent = 'Mine/1'\nallow = ['10.0.0.0/8']\ndelay = '5s'\nper-host = 2\n\
                    proxy = 'env:PROXY'\nca = 'ca.pem'\nconnect-timeout = '1s'\nfirst-byte-timeout = '2s'\ntimeout = '3s'\n\
                    most-bytes = 1000\nchromium = '/usr/bin/chromium'\ntabs = 4";
        let all = read(text).unwrap().in_folder(std::path::Path::new("/data"));
        assert_eq!((all.agent().as_str(), all.per_host, all.ca), ("Mine/1", 2, Some("/data/ca.pem".into())));
    }

    #[test]
    fn a_browser_has_memory_for_a_page_at_least() {
        let read = |text: &str| toml::from_str::<BrowserDefaults>(text).map_err(|error| error.to_string());
        assert_eq!(read("").unwrap().memory, 2_000_000_000);
        assert_eq!(read("memory = 256000000").unwrap().check(), Ok(()));
        assert!(read("memory = 1000").unwrap().check().unwrap_err().contains("256,000,000"));
        assert!(read("memroy = 1").unwrap_err().contains("unknown field"));
        assert!(toml::from_str::<FetchDefaults>("browser = {}").is_err(), "it is a table of its own");
    }

    #[test]
    fn what_cannot_be_meant_is_told() {
        for (text, told) in [
            ("per-host = 0", "from 1 to 64"),
            ("timeout = '2h'", "at most 1h"),
            ("first-byte-timeout = '0s'", "more than 0s"),
            ("most-bytes = 0", "from 1"),
            ("contact = \"a\\nb\"", "ASCII"),
            ("verify = false", "unknown field"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(told), "{text}: {error}");
        }
    }

    #[test]
    fn a_watch_goes_before_what_is_usual_within_limits() {
        let defaults = FetchDefaults::default();
        let how = How { timeout: Some("9w".parse().unwrap()), most_bytes: Some(u64::MAX), ..How::default() };
        assert_eq!(defaults.timeouts(&how).map(|span| span.to_string()), ["10s", "30s", "1h"]);
        assert_eq!((defaults.most_bytes(&how), defaults.most_bytes(&How::default())), (1_000_000_000, 20_000_000));
    }
}
