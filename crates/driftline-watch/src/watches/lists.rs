//! Which pages does a list name? Sitemaps, lists of feeds, and plain files with an address a line.
//!
//! Lists are made by strangers: each parser has a limit of members and of bytes, resolves no entities but those of XML
//! itself, and says when it left something out.

pub mod opml;
pub mod plain;
pub mod sitemap;
mod xml;

use std::collections::HashSet;

use regex::Regex;

use super::password::without_password;
use super::{Kind, Members, Watch, address, pattern, site};

/// The most members of one file, as the protocol of sitemaps has it.
pub const MOST_MEMBERS: usize = 50_000;
/// The most bytes of one file, unpacked, as the protocol of sitemaps has it.
pub const MOST_BYTES: usize = 50 << 20;
/// How deep indexes of sitemaps may name indexes.
pub const MOST_DEPTH: usize = 3;

/// What a list names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Member {
    /// Its address, as browsers write it.
    pub url: String,
    /// Its title; empty if the list does not say.
    pub title: String,
    /// When it was changed last, as the list says it; empty if it does not.
    pub lastmod: String,
    /// Its tags.
    pub tags: Vec<String>,
}

/// What a file names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// Its members, each once, in the order of the file.
    pub members: Vec<Member>,
    /// Other lists, in which to look for more.
    pub lists: Vec<String>,
    /// Something that stands there and is no address of the web, or has a password in it, at most so many: what it is,
    /// without the password.
    pub skipped: Vec<String>,
    /// Was the file longer than the limits?
    pub is_cut: bool,
}

/// Why something is no list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAList {
    /// It is no XML.
    #[error("it is no XML: {0}")]
    Xml(String),
    /// It is no YAML.
    #[error("it is no YAML{0}")]
    Yaml(
        /// Where it breaks off, if that is known: ` at line 7`.
        String,
    ),
    /// So many brackets are open that reading would take minutes.
    #[error("too many brackets are open at line {line}; a job has three or four in each other")]
    Nested {
        /// The line, from 1.
        line: usize,
    },
    /// It is something else.
    #[error("it is no {expected}")]
    Other {
        /// What it should be.
        expected: &'static str,
    },
}

/// At most so many things that were left out are named.
const MOST_SKIPPED: usize = 100;

impl Listed {
    /// Takes a member, if it has an address of the web that was not named before and there is room.
    fn take(&mut self, seen: &mut HashSet<String>, member: Member) {
        match address::address(&member.url) {
            Err(_) if self.skipped.len() < MOST_SKIPPED => {
                self.skipped.push(without_password(&member.url).chars().take(200).collect());
            }
            Err(_) => {}
            Ok(_) if self.members.len() >= MOST_MEMBERS => self.is_cut = true,
            Ok(url) => {
                if seen.insert(url.clone()) {
                    self.members.push(Member { url, ..member });
                }
            }
        }
    }
}

/// Which members of a list are watched.
#[derive(Debug)]
pub struct Choice {
    include: Vec<Regex>,
    exclude: Vec<Regex>,
    /// Only those of this site; empty: of any.
    site: String,
    /// At most so many.
    pub(crate) most: usize,
}

impl Choice {
    /// As the list says it. Expressions were checked when it was read, so that none is lost here.
    #[must_use]
    pub fn of(list: &Watch) -> Self {
        let Members { include, exclude, most, other_hosts } = &list.settings.members;
        let compiled = |texts: &[String]| texts.iter().filter_map(|text| pattern(text).ok()).collect();
        // Feeds of a list of feeds are on other hosts by their nature.
        let is_bound = list.settings.kind == Kind::Sitemap && !other_hosts;
        let site = if is_bound { list.site().to_owned() } else { String::new() };
        let usual = if list.settings.kind == Kind::List { usize::MAX } else { MOST_MEMBERS };
        Self { include: compiled(include), exclude: compiled(exclude), site, most: most.unwrap_or(usual) }
    }

    /// Is this address one?
    #[must_use]
    pub fn has(&self, url: &str) -> bool {
        (self.site.is_empty() || site(url) == self.site)
            && (self.include.is_empty() || self.include.iter().any(|expression| expression.is_match(url)))
            && !self.exclude.iter().any(|expression| expression.is_match(url))
    }

    /// The members that are watched, in the order of the list, at most as many as it says; and whether there were more.
    #[must_use]
    pub fn choose(&self, members: Vec<Member>) -> (Vec<Member>, bool) {
        let mut chosen: Vec<Member> = members.into_iter().filter(|member| self.has(&member.url)).collect();
        let is_cut = chosen.len() > self.most;
        chosen.truncate(self.most);
        (chosen, is_cut)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Choice, Kind, Member, Members, Watch};
    use crate::watches::Settings;

    fn list(kind: Kind, members: Members) -> Watch {
        let settings = Arc::new(Settings { kind, members, ..Settings::default() });
        Watch { id: "l".into(), url: "https://www.example.org/sitemap.xml".into(), name: None, settings }
    }

    #[test]
    fn a_sitemap_speaks_for_its_own_host_only() {
        let choice = Choice::of(&list(Kind::Sitemap, Members::default()));
        assert!(choice.has("http://example.org/a") && !choice.has("http://other.example/a"));
        let members = Members { other_hosts: true, ..Members::default() };
        assert!(Choice::of(&list(Kind::Sitemap, members)).has("http://other.example/a"));
        assert!(Choice::of(&list(Kind::Opml, Members::default())).has("http://other.example/a"));
    }

    #[test]
    fn members_are_chosen_by_expressions_and_cut_at_the_end() {
        let members = Members {
            include: vec!["/news/".to_owned()],
            exclude: vec![r"\.pdf$".to_owned()],
            most: Some(1),
            other_hosts: true,
        };
        let member = |url: &str| Member { url: url.to_owned(), ..Member::default() };
        let named =
            ["http://a.example/", "http://a.example/news/1.pdf", "http://a.example/news/2", "http://b.example/news/3"];
        let (chosen, is_cut) = Choice::of(&list(Kind::Sitemap, members)).choose(named.map(member).to_vec());
        assert_eq!((chosen, is_cut), (vec![member("http://a.example/news/2")], true));
    }
}
