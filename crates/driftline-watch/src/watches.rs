//! What is watched, how often, and who is told? TOML files that a person can keep in git.
//!
//! [`Watches`] reads `watches/*.toml` of a data directory: each file has `[[watch]]` entries, and `[defaults]` for
//! them if it likes. Everything is checked when it is read, and what is not known is refused, with the line. The
//! watches of a million pages share their [`Settings`]. [`Editor`] changes files and leaves a person's comments alone.
//! [`import`] and [`export`] talk to other monitors; [`lists`] reads what others publish about their pages.

mod address;
mod edit;
mod error;
pub mod export;
mod family;
mod file;
mod find;
mod id;
pub mod import;
pub mod lists;
mod password;
mod pattern;
mod recognise;
mod set;
mod table;
mod validate;
mod write;

use std::sync::Arc;

use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::care::Retention;
use driftline_fetch::How;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::schedule::Schedule;

pub use address::completed;
pub use edit::{Assignment, Editor, NewWatch, remove_leftovers};
pub use error::WatchesError;
pub use family::{Family, member_watch};
pub use file::parse;
pub use id::{is_id, made_of};
pub use lists::Member;
pub use pattern::{NotAPattern, pattern};
pub use recognise::Content;
pub(crate) use recognise::announced_feeds;
pub use set::{FOLDER, Watches};
pub use write::written;

/// A watch.
#[derive(Debug, Clone, PartialEq)]
pub struct Watch {
    /// Its name for ever: letters, digits, `-`, `_`; for a member of a list `LIST/MEMBER`; never a path.
    pub id: Arc<str>,
    /// The page, the feed, or the list, as browsers write it; of [`Kind::List`] the name of a file beside the watches.
    pub url: Arc<str>,
    /// What people call it.
    pub name: Option<Arc<str>>,
    /// The rest; watches with the same settings share them.
    pub settings: Arc<Settings>,
}

impl Watch {
    /// What people call it: its name, or its address.
    #[must_use]
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.url)
    }

    /// Its site: the host without `www.`.
    #[must_use]
    pub fn site(&self) -> &str {
        site(&self.url)
    }

    /// Its row in the catalog. Without a name its title is empty: checks find it. Its settings stay in the file, because they
    /// may have secrets in them.
    pub(crate) fn row(&self, created: Time) -> driftline_catalog::Watch {
        driftline_catalog::Watch {
            uuid: self.id.to_string(),
            url: self.url.to_string(),
            title: self.name.as_deref().unwrap_or_default().to_owned(),
            tags: self.settings.tags.clone(),
            settings: json!({ "kind": self.settings.kind }),
            created,
            kind: self.settings.kind.name().to_owned(),
            site: self.site().to_owned(),
            list: self.id.split_once('/').map(|(list, _)| list.to_owned()),
            is_paused: self.settings.paused,
        }
    }
}

/// The site of an address as browsers write it: the host, without `www.` and the port.
#[must_use]
pub fn site(url: &str) -> &str {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let end = if host.starts_with('[') {
        host.find(']').map_or(host.len(), |end| end + 1)
    } else {
        host.find(':').unwrap_or(host.len())
    };
    let host = &host[..end];
    host.strip_prefix("www.").unwrap_or(host)
}

/// All that is set for a watch.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Settings {
    /// What kind of thing is watched.
    pub kind: Kind,
    /// Selectors of the parts that count; all of the page if there are none.
    pub zone: Vec<String>,
    /// Selectors of the parts that do not count.
    pub ignore: Vec<String>,
    /// Names of normalisers.
    pub normalise: Vec<String>,
    /// How it is fetched.
    pub fetch: How,
    /// How often.
    pub schedule: Schedule,
    /// What of it counts.
    pub counts: Counts,
    /// Tags.
    pub tags: Vec<String>,
    /// Who is told; if none are named, the targets that are for all.
    pub targets: Vec<String>,
    /// A feed: its new items are fetched too, as documents of the site.
    pub follow: bool,
    /// A page: the feeds that it announces are fetched too, and compared item by item.
    pub feeds: bool,
    /// A sitemap or a list: which of its members are watched.
    pub members: Members,
    /// How long an event waits for others like it on the site.
    pub hold: Option<Span>,
    /// What goes to the archive.
    pub keep: Keep,
    /// Which captures stay there.
    pub retention: Retention,
    /// A page: whether it is learned what flickers, and that is not reported; yes if it says nothing.
    pub learn: Option<bool>,
    /// It is not checked for now.
    pub paused: bool,
    /// Text for people, such as why an import paused it.
    pub note: Option<String>,
}

impl Settings {
    /// Whether elements that flicker are learned. What a zone or a rule about text asks for is reported, whatever it is.
    #[must_use]
    pub fn learns(&self) -> bool {
        let Self { learn, zone, counts, .. } = self;
        let rules = [&counts.trigger, &counts.contains, &counts.not_contains, &counts.only_text, &counts.only_lines];
        learn.unwrap_or(true) && zone.is_empty() && rules.iter().all(|rule| rule.is_empty())
    }
}

/// Which members of a list are watched.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Members {
    /// Regular expressions, one of which the address must match; none: all.
    pub include: Vec<String>,
    /// Regular expressions, none of which the address may match.
    pub exclude: Vec<String>,
    /// At most so many, in the order of the list; usual are 50,000, but all of a file beside the watches.
    pub most: Option<usize>,
    /// Also those that are on other hosts than the list.
    pub other_hosts: bool,
}

/// What kind of thing is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A page.
    #[default]
    Page,
    /// A feed, item by item.
    Feed,
    /// A sitemap: each page in it is watched.
    Sitemap,
    /// A list of feeds, each of which is watched.
    Opml,
    /// A file with an address a line, each of which is watched.
    List,
}

impl Kind {
    /// How it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Feed => "feed",
            Self::Sitemap => "sitemap",
            Self::Opml => "opml",
            Self::List => "list",
        }
    }

    /// Is it a list of other things to watch?
    #[must_use]
    pub fn is_list(self) -> bool {
        matches!(self, Self::Sitemap | Self::Opml | Self::List)
    }
}

/// What goes to the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// What differs from the last kept capture in more than what flickers.
    #[default]
    Changes,
    /// What differs from the capture before in any byte.
    Versions,
    /// Every check, an unchanged one as a `revisit`.
    Checks,
}

/// What of a change counts: all of these must hold.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Counts {
    /// At least so much of it changed, from 0 to 1.
    pub degree: Option<f64>,
    /// It matters at least so much, from 0 to 1.
    pub importance: Option<f64>,
    /// At least one of these: `add`, `drop`, `copy`, `shrink`, `replace`, `move`, `markup`, `links`.
    pub operations: Vec<Operation>,
    /// Regular expressions, one of which the words that came or went must match.
    pub trigger: Vec<String>,
    /// Regular expressions, one of which the new text must match; what of it changed does not matter.
    pub contains: Vec<String>,
    /// Regular expressions, none of which the new text may match.
    pub not_contains: Vec<String>,
    /// Regular expressions; words that match are as if they were not there.
    pub ignore_text: Vec<String>,
    /// Regular expressions; lines with a match are as if they were not there.
    pub ignore_lines: Vec<String>,
    /// Regular expressions; only words that match count.
    pub only_text: Vec<String>,
    /// Regular expressions; only lines with a match count.
    pub only_lines: Vec<String>,
    /// Only what came, or only what went.
    pub only: Option<Only>,
}

/// What happened to words, or to what is not words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Words were added.
    Add,
    /// Words were dropped.
    Drop,
    /// Words were copied.
    Copy,
    /// One of several copies went.
    Shrink,
    /// Words were replaced.
    Replace,
    /// Words were moved.
    Move,
    /// Elements or attributes changed.
    Markup,
    /// Links or images came or went.
    Links,
}

/// Which side counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Only {
    /// What came.
    Added,
    /// What went.
    Removed,
}

#[cfg(test)]
mod tests {
    use super::site;

    #[test]
    fn a_site_is_the_host_without_www() {
        for (url, expected) in [
            ("https://www.example.org/a/b?c", "example.org"),
            ("http://example.org:8080", "example.org"),
            ("http://me@news.example.org/", "news.example.org"),
            ("http://[::1]:80/", "[::1]"),
            ("http://[::1", "[::1"),
            ("no address", ""),
        ] {
            assert_eq!(site(url), expected, "{url}");
        }
    }
}
