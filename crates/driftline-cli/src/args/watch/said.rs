//! What may be said about a watch, when it is added and when it is changed.

use clap::builder::UnknownArgumentValueParser;
use clap::{Arg, ArgAction, Args, ValueEnum};
use driftline::page::Normaliser;
use driftline::page::zone::Selector;
use driftline::span::Span;
use driftline_archive::care::Retention;
use driftline_watch::schedule::Schedule;

use crate::args::shared::normalisers;

/// All that may be said about a watch.
#[derive(Debug, Default, Args)]
pub(crate) struct SaidArgs {
    /// What people call it
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
    /// A tag; repeatable
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// How often: `auto`, `10m`, `2d`, or a cron line such as `0 9 * * mon-fri`
    #[arg(long, value_name = "WHEN")]
    pub(crate) schedule: Option<Schedule>,
    /// Only at these times, such as `mon-fri 08:00-18:00`; repeatable
    #[arg(long = "window", value_name = "TIMES")]
    pub(crate) windows: Vec<String>,
    /// The time zone of windows and cron lines, such as Europe/Paris [default: this machine's]
    #[arg(long, value_name = "ZONE")]
    pub(crate) time_zone: Option<String>,
    /// Only these parts count: a CSS selector; repeatable
    #[arg(long = "zone", value_name = "CSS")]
    pub(crate) zones: Vec<Selector>,
    /// These parts do not count; repeatable
    #[arg(long = "ignore", value_name = "CSS")]
    pub(crate) ignores: Vec<Selector>,
    #[arg(long = "normalise", value_name = "NAME", alias = "normalize", value_delimiter = ',', help = normalisers())]
    pub(crate) normalisers: Vec<Normaliser>,
    /// A target that is notified, by its name in driftline.toml; repeatable
    #[arg(long = "target", value_name = "NAME")]
    pub(crate) targets: Vec<String>,
    /// Pause; `--paused false` resumes
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) paused: Option<bool>,
    /// A note, which `watch show` prints
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// How long an event waits for others like it on the site
    #[arg(long, value_name = "SPAN")]
    pub(crate) hold: Option<Span>,
    /// What goes to the archive
    #[arg(long, value_enum)]
    pub(crate) keep: Option<Kept>,
    /// Which captures stay, such as `keep=50,older-than=1y`: also `most-bytes=SIZE`, `thin`, `reported-too`; or `all`
    #[arg(long, value_name = "RULES")]
    pub(crate) retention: Option<Retention>,
    /// Elements that flicker are learned, and their changes not reported [default: true]
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) learn: Option<bool>,
    #[command(flatten)]
    pub(crate) counts: CountsArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    #[command(flatten)]
    pub(crate) members: MembersArgs,
}

/// What goes to the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kept {
    /// What differs from the last kept capture in more than what flickers [default]
    Changes,
    /// What differs from the capture before in any byte
    Versions,
    /// Every check, an unchanged one as a `revisit`
    Checks,
}

/// What of a change counts.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "What counts")]
pub(crate) struct CountsArgs {
    /// The least share of the page that has to change, from 0 to 1
    #[arg(long, value_name = "SHARE")]
    pub(crate) degree: Option<f64>,
    /// The least importance of a change, from 0 to 1
    #[arg(long, value_name = "SHARE")]
    pub(crate) importance: Option<f64>,
    /// At least one of these happened: add, drop, copy, shrink, replace, move, markup, links; repeatable
    #[arg(long = "operation", value_name = "NAME", value_delimiter = ',')]
    pub(crate) operations: Vec<String>,
    /// The words that were added or removed match this regular expression; repeatable: one of them
    #[arg(long = "trigger", value_name = "REGEX")]
    pub(crate) triggers: Vec<String>,
    /// The new text of the page (or of its zones) matches this regular expression; repeatable: one of them
    #[arg(long = "contains", value_name = "REGEX")]
    pub(crate) contains: Vec<String>,
    /// The new text does not match this regular expression; repeatable: none of them
    #[arg(long = "not-contains", value_name = "REGEX")]
    pub(crate) not_contains: Vec<String>,
    /// Words that match this regular expression are as if they were not there; repeatable
    #[arg(long = "ignore-text", value_name = "REGEX")]
    pub(crate) ignore_texts: Vec<String>,
    /// Lines with a match of this regular expression are as if they were not there; repeatable
    #[arg(long = "ignore-lines", value_name = "REGEX")]
    pub(crate) ignore_lines: Vec<String>,
    /// Only words that match this regular expression count; repeatable
    #[arg(long = "only-text", value_name = "REGEX")]
    pub(crate) only_texts: Vec<String>,
    /// Only lines with a match of this regular expression count; repeatable
    #[arg(long = "only-lines", value_name = "REGEX")]
    pub(crate) only_lines: Vec<String>,
    /// Only what was added, or only what was removed
    #[arg(long, value_name = "added|removed")]
    pub(crate) only: Option<String>,
}

/// How it is fetched.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "How it is fetched", arg = not_browser())]
pub(crate) struct FetchArgs {
    /// Fetch over HTTP, or by headless Chromium
    #[arg(long, value_name = "http|browser")]
    pub(crate) fetch: Option<String>,
    /// A header to send, as `Name: value`; repeatable
    #[arg(long = "header", value_name = "NAME: VALUE")]
    pub(crate) headers: Vec<String>,
    /// A cookie to send, as `name=value`; repeatable
    #[arg(long = "cookie", value_name = "NAME=VALUE")]
    pub(crate) cookies: Vec<String>,
    /// A proxy, such as `http://host:8080` or `socks5h://host:1080`
    #[arg(long, value_name = "URL")]
    pub(crate) proxy: Option<String>,
    /// HTTP basic authentication: `user:env:NAME`, with the password in the environment, `user:file:PATH`, or `user:password`
    #[arg(long, value_name = "USER:PASSWORD", conflicts_with = "bearer")]
    pub(crate) basic: Option<String>,
    /// A bearer token: `env:NAME`, `file:PATH`, or the token itself
    #[arg(long, value_name = "TOKEN")]
    pub(crate) bearer: Option<String>,
    /// Fetch also what robots.txt disallows
    #[arg(long)]
    pub(crate) ignore_robots: bool,
    /// The longest time that a whole fetch may take
    #[arg(long, value_name = "SPAN")]
    pub(crate) timeout: Option<Span>,
    /// The most bytes of an answer
    #[arg(long, value_name = "BYTES")]
    pub(crate) most_bytes: Option<u64>,
    /// The browser waits until this element is there
    #[arg(long, value_name = "CSS")]
    pub(crate) wait_for: Option<Selector>,
    /// The browser waits this much longer after the page is ready
    #[arg(long, value_name = "SPAN")]
    pub(crate) wait: Option<Span>,
    /// The browser waits until the network is quiet
    #[arg(long)]
    pub(crate) wait_idle: bool,
}

/// `--browser` is no option: by its letters clap would take it for `--bearer`, so whoever types it is told what it is.
fn not_browser() -> Arg {
    let unknown = UnknownArgumentValueParser::suggest_arg("--fetch browser");
    Arg::new("browser").long("browser").action(ArgAction::SetTrue).value_parser(unknown).hide(true)
}

/// Which members of a list are watched.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Feeds and lists")]
pub(crate) struct MembersArgs {
    /// New items of a feed are fetched too, as documents of the site
    #[arg(long)]
    pub(crate) follow: bool,
    /// The feeds that a page announces are fetched too, and compared item by item
    #[arg(long)]
    pub(crate) feeds: bool,
    /// Only members of a list whose address matches this regular expression; repeatable
    #[arg(long = "include", value_name = "REGEX")]
    pub(crate) includes: Vec<String>,
    /// No members whose address matches this; repeatable
    #[arg(long = "exclude", value_name = "REGEX")]
    pub(crate) excludes: Vec<String>,
    /// The most members
    #[arg(long = "most", value_name = "N")]
    pub(crate) most: Option<u32>,
    /// Members on other hosts than the list too
    #[arg(long)]
    pub(crate) other_hosts: bool,
}
