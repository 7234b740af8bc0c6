//! Why did no page come, and is it worth trying again?

use std::io;
use std::path::PathBuf;

use driftline::span::Span;
use rustls::pki_types::pem;

use crate::guard::{GuardError, NotAllowable};
use crate::secret::SecretError;

/// Why no answer came.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The address, or one that it leads to, may not be asked.
    #[error("{0}")]
    Refused(String),
    /// robots.txt says no.
    #[error("robots.txt of `{0}` does not allow it\nhint: `ignore-robots = true` in the watch asks all the same")]
    Robots(String),
    /// Nobody knows what robots.txt says, so it is as if it said no (RFC 9309, section 2.3.1.4).
    #[error(
        "robots.txt of `{origin}` cannot be read: {why}\nhint: `ignore-robots = true` in the watch asks all the same"
    )]
    RobotsUnknown {
        /// Whose.
        origin: String,
        /// Why not.
        why: String,
        /// The server asks to be left alone so long.
        retry_after: Option<Span>,
    },
    /// A secret that is sent along is not there.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// What is set for the watch cannot be sent.
    #[error("{0}")]
    How(String),
    /// It took too long.
    #[error("no answer in time: {0}")]
    Timeout(String),
    /// There was no room for it here; the server was not asked.
    #[error("Chromium is busy: {0}")]
    Busy(String),
    /// It took too much memory here; the server is not to blame.
    #[error("{0}")]
    Memory(String),
    /// The connection failed, or broke.
    #[error("{0}")]
    Connection(String),
    /// The proxy, and not the server, cannot be reached, or does not go there.
    #[error("{0}")]
    Proxy(String),
    /// The server answered what cannot be used.
    #[error("{0}")]
    Answer(String),
}

impl FetchError {
    /// May it work when it is tried again soon?
    #[must_use]
    pub fn is_transient(&self) -> bool {
        self.is_overload() || matches!(self, Self::Busy(_) | Self::Memory(_) | Self::Proxy(_))
    }

    /// The server asks to be left alone so long.
    #[must_use]
    pub fn retry_after(&self) -> Option<Span> {
        if let Self::RobotsUnknown { retry_after, .. } = self { *retry_after } else { None }
    }

    /// Is it the server that may need a rest?
    #[must_use]
    pub fn is_overload(&self) -> bool {
        matches!(self, Self::Timeout(_) | Self::Connection(_) | Self::RobotsUnknown { .. })
    }
}

impl From<GuardError> for FetchError {
    fn from(error: GuardError) -> Self {
        if error.is_transient() { Self::Connection(error.to_string()) } else { Self::Refused(error.to_string()) }
    }
}

/// Why pages cannot be fetched at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetcherError {
    /// Something is allowed that is no place.
    #[error("cannot use `allow` under `[fetch]`: {0}")]
    Allow(#[from] NotAllowable),
    /// The certificates cannot be read.
    #[error("cannot read certificates from `{}`: {source}\nhint: `ca` names a PEM file with certificates of authorities", path.display())]
    Ca {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: pem::Error,
    },
    /// A value is out of its range.
    #[error("cannot use `[fetch]` in driftline.toml: `{key}` is {what}")]
    Value {
        /// The key.
        key: &'static str,
        /// What it may be.
        what: &'static str,
    },
    /// TLS cannot be set up.
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] rustls::Error),
    /// No threads can be had.
    #[error("cannot start the threads of the network: {0}")]
    Runtime(io::Error),
}
