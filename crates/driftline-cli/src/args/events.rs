//! What may be typed for `driftline events`.

use std::str::FromStr;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use driftline::event::Kind;
use driftline::span::Span;
use driftline_archive::Time;

use super::archive::DataArgs;

/// What happened to the pages that are watched?
///
/// A line for each event, the latest first: the beginning of its key, when it was found, how much it matters from 0 to
/// 1, what it is, and what happened. Events that wait for others of their site, and those that another event
/// explains, are listed by `--all` only. Exit codes: 0 no events, 1 events, 2 failed.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  driftline events --since 1d
  driftline events --tag news --kind changed --kind page-gone --importance 0.5
  driftline events show 3f2a91c0d4e1
  driftline events deliveries --dead
  driftline events retry --dead"
)]
pub(crate) struct EventsArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<EventsVerb>,
    #[command(flatten)]
    pub(crate) list: ListEventsArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EventsVerb {
    Show(ShowEventArgs),
    Deliveries(DeliveriesArgs),
    Retry(RetryArgs),
}

/// Which events are listed.
#[derive(Debug, Args)]
pub(crate) struct ListEventsArgs {
    /// Only those of this watch: its id, the beginning of it, its name, or its address
    #[arg(long, value_name = "ID")]
    pub(crate) watch: Option<String>,
    /// Only those of this site: a host, without `www.`
    #[arg(long, value_name = "HOST")]
    pub(crate) site: Option<String>,
    /// Only those with this tag
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Option<String>,
    /// Only those of this kind; may be given several times
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::name)))]
    pub(crate) kind: Vec<String>,
    /// Only those found at this time or later, such as 2026-01-31, or so long ago, such as 2h or 7d
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<Moment>,
    /// Only those found before this time
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<Moment>,
    /// Only those that matter at least so much, from 0 to 1
    #[arg(long, value_name = "X", value_parser = share)]
    pub(crate) importance: Option<f64>,
    /// No more than this, the latest
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) limit: u32,
    /// Also those that still wait for others, and those that another event explains
    #[arg(long)]
    pub(crate) all: bool,
    /// Print a JSON object for each line
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

/// Everything about one event, with the words that changed
#[derive(Debug, Args)]
pub(crate) struct ShowEventArgs {
    /// Its key, or the beginning of it
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    /// Print it as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

/// Who was told, who will be, and who could not be
///
/// A line for each delivery, the latest first: when it was or will be sent, how far it has come, how often it was
/// tried, the target, and the event; below it, why it failed. Exit codes: 0 no deliveries, 1 deliveries, 2 failed.
#[derive(Debug, Args)]
pub(crate) struct DeliveriesArgs {
    /// Only those that were given up
    #[arg(long)]
    pub(crate) dead: bool,
    /// Only those of this event: its key, or the beginning of it
    #[arg(long, value_name = "KEY")]
    pub(crate) event: Option<String>,
    /// No more than this, the latest
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) limit: u32,
    /// Print a JSON object for each line
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

/// Send again what was given up, or what failed and waits
///
/// A daemon that runs sends it within ten seconds; without one, the next `driftline watch check` does.
#[derive(Debug, Args)]
pub(crate) struct RetryArgs {
    /// The key of an event, or the beginning of it: what was given up of it, and what waits for another try
    #[arg(value_name = "KEY", required_unless_present = "dead", conflicts_with = "dead")]
    pub(crate) key: Option<String>,
    /// Everything that was given up
    #[arg(long)]
    pub(crate) dead: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

/// A time, or how long ago it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    At(Time),
    Ago(Span),
}

impl Moment {
    /// The time that is meant.
    pub(crate) fn time(self, now: Time) -> Time {
        match self {
            Self::At(time) => time,
            Self::Ago(span) => Time::from_microseconds(now.microseconds().saturating_sub(span.microseconds())),
        }
    }
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(span) = text.parse() {
            return Ok(Self::Ago(span));
        }
        text.parse().map(Self::At).map_err(|_| {
            format!(
                "`{text}` is neither a time nor a span of time\nhint: write how long ago, such as 2h or 7d, or a time, such \
                 as 2026-01-31 or 2026-01-31T12:00:00Z"
            )
        })
    }
}

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("it must be from 0 to 1".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_time_or_so_long_ago() {
        let now: Time = "2026-01-31T12:00:00Z".parse().unwrap();
        let time = |text: &str| text.parse::<Moment>().unwrap().time(now).to_string();
        assert_eq!(time("2h"), "2026-01-31T10:00:00Z");
        assert_eq!(time("2024"), "2024-01-01T00:00:00Z");
        let told = "yesterday".parse::<Moment>().unwrap_err();
        assert!(told.contains("hint: write how long ago, such as 2h") && !told.contains("no span"), "{told}");
        assert!(share("1.5").is_err() && share("NaN").is_err() && share("0.5") == Ok(0.5));
    }
}
