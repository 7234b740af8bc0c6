//! A sitemap whose members come, go and come back, and their pages.
//!
//! Of those that are not in the list, every other page is gone too.

use std::collections::{BTreeMap, BTreeSet};

use super::{Chance, Shown, Version, marked, plain};

/// So few and so many members there are at a time.
const MEMBERS: [usize; 2] = [2, 5];

pub(crate) struct List {
    members: u64,
    /// The members of each version. A version is known by its place.
    pub(crate) versions: Vec<BTreeSet<u64>>,
    /// The version of each page.
    pages: BTreeMap<u64, u64>,
}

impl Default for List {
    fn default() -> Self {
        Self { members: 3, versions: vec![(0..3).collect()], pages: BTreeMap::new() }
    }
}

impl List {
    /// Every third time something has changed. `host` is where its members are.
    pub(crate) fn ask(&mut self, host: &str, chance: &mut Chance) -> Version {
        if chance.one_in(3) {
            let mut members = self.newest().clone();
            let is_full = members.len() >= MEMBERS[1];
            match chance.below(4) {
                0 | 1 if !is_full => {
                    members.insert(self.members);
                    self.members += 1;
                }
                2 if !is_full => {
                    members.insert(chance.below(usize::try_from(self.members).expect("a few")) as u64);
                }
                _ if members.len() > MEMBERS[0] => {
                    let at = chance.below(members.len());
                    let gone = *members.iter().nth(at).expect("there are more");
                    members.remove(&gone);
                }
                _ => {}
            }
            if members != *self.newest() {
                self.versions.push(members);
            }
        }
        let number = self.versions.len() as u64 - 1;
        let entries: String =
            self.newest().iter().map(|member| format!("<url><loc>{host}/member/{member}</loc></url>")).collect();
        let body = format!(
            "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{}{entries}</urlset>",
            marked(number)
        );
        Version { number, body }
    }

    /// A page of a member changes every third time.
    pub(crate) fn page(&mut self, member: u64, chance: &mut Chance) -> Shown {
        if !self.newest().contains(&member) && !member.is_multiple_of(2) {
            return None;
        }
        let version = self.pages.entry(member).or_default();
        *version += u64::from(chance.one_in(3));
        Some(plain(&format!("member {member}"), *version))
    }

    /// How many members there were so far.
    pub(crate) fn members(&self) -> u64 {
        self.members
    }

    pub(crate) fn newest(&self) -> &BTreeSet<u64> {
        self.versions.last().expect("there is a first version")
    }
}
