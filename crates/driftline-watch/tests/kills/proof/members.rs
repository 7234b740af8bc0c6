//! Is every page told that came into the list, and every one that left it?
//!
//! A list is not judged again when a check died, so of its versions only those of acknowledged checks are sure to have
//! been compared with the ones before.

use std::collections::BTreeSet;

use driftline::event::{Event, Kind};

use super::Evidence;

pub(super) fn prove(evidence: &Evidence<'_>) {
    let versions = &evidence.log.list.versions;
    let of = |version: u64| &versions[usize::try_from(version).expect("a few")];
    let first = evidence.first("/list");
    // Whichever version was the first: its members are no news.
    let early = evidence.kept["/list"].values().filter(|version| **version <= first);
    let early: BTreeSet<u64> = early.flat_map(|version| of(*version)).copied().collect();
    let answers = evidence.acknowledged().filter(|served| served.path == "/list");
    let sure: BTreeSet<u64> = answers.filter_map(|served| served.version).flat_map(of).copied().collect();
    for member in 0..evidence.log.list.members() {
        let told = told(evidence, member);
        let new = told.iter().filter(|event| event.kind == Kind::NewPage).count();
        let is_listed = versions.iter().any(|members| members.contains(&member));
        assert!(new <= usize::from(is_listed), "member {member} was told {new} times to be new");
        if !sure.contains(&member) {
            continue;
        }
        assert!(new == 1 || early.contains(&member), "nobody was told that member {member} is new");
        let is_gone = told.last().is_some_and(|event| event.kind == Kind::PageGone);
        let is_there = evidence.log.list.newest().contains(&member);
        let said: Vec<_> = told.iter().map(|event| (event.at, event.kind, &event.watch)).collect();
        assert_eq!(is_gone, !is_there, "member {member}: {said:?}");
    }
}

/// What was told of a page as a member, the first first.
fn told<'a>(evidence: &'a Evidence<'_>, member: u64) -> Vec<&'a Event> {
    let path = format!("/member/{member}");
    let kinds = [Kind::NewPage, Kind::PageGone, Kind::PageBack];
    let mut told: Vec<&Event> = kinds.into_iter().flat_map(|kind| evidence.of(kind, &path)).collect();
    told.sort_by_key(|event| event.at);
    told
}
