//! What may be typed for `driftline serve`.

use std::net::SocketAddr;

use clap::{Args, ValueEnum};

use super::archive::DataArgs;

/// Watch: check what is due, keep it, and tell what changed.
///
/// Runs until it is told to stop, by Ctrl-C or SIGTERM: it then finishes the checks that are under way. A second signal
/// ends it at once, which loses nothing either. SIGHUP makes it read the files of watches again; it also looks at them
/// every ten seconds. On 127.0.0.1:8740 it answers /health, /metrics and /feeds/all.atom.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline serve --headless
  driftline serve --headless --data /var/lib/driftline --log json
  driftline serve --headless --listen 127.0.0.1:9000 --log-level debug
  curl http://127.0.0.1:8740/health")]
pub(crate) struct ServeArgs {
    /// Without web pages: health, metrics and feeds only
    #[arg(long)]
    pub(crate) headless: bool,
    /// Listen here instead of where `[serve]` in driftline.toml says
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,
    /// How the log on stderr is written
    #[arg(long, value_enum, default_value_t = LogFormat::Text, value_name = "FORMAT")]
    pub(crate) log: LogFormat,
    /// What is logged: error, warn, info, debug or trace [default: `$RUST_LOG`, or info]
    #[arg(long, value_enum, value_name = "LEVEL", hide_possible_values = true)]
    pub(crate) log_level: Option<LogLevel>,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

/// How a log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    Text,
    /// A JSON object for each line
    Json,
}

/// What is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl LogLevel {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }
}
