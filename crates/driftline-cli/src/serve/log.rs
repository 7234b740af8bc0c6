//! How is logged? To stderr, as lines or as JSON.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result, anyhow};
use tracing_subscriber::EnvFilter;

use crate::args::{LogFormat, LogLevel};

/// Logs from now on: what the level says of driftline, and warnings of the libraries that it uses.
pub(super) fn start(format: LogFormat, level: Option<LogLevel>) -> Result<()> {
    let filter = match (level, std::env::var("RUST_LOG")) {
        (None, Ok(filter)) if !filter.is_empty() => {
            EnvFilter::try_new(&filter).with_context(|| format!("cannot use RUST_LOG `{filter}`"))?
        }
        (level, _) => {
            let level = level.unwrap_or(LogLevel::Info).name();
            let own = ["driftline", "driftline_watch", "driftline_serve", "driftline_archive"];
            let own: String = own.iter().map(|name| format!(",{name}={level}")).collect();
            EnvFilter::try_new(format!("warn{own}"))?
        }
    };
    let is_coloured = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(is_coloured);
    let begun = match format {
        LogFormat::Text => log.with_target(false).try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
    begun.map_err(|error| anyhow!("cannot begin the log: {error}"))
}
