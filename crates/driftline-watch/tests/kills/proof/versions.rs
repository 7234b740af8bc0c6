//! Is every version there that a check was acknowledged for, and is every change of a page an event?

use std::collections::{BTreeSet, HashMap, HashSet};

use driftline::event::key::Cause;
use driftline::event::{Event, Kind};

use super::Evidence;

pub(super) fn prove(evidence: &Evidence<'_>) {
    let kept: HashMap<&str, HashSet<u64>> =
        evidence.kept.iter().map(|(path, kept)| (path.as_str(), kept.values().copied().collect())).collect();
    for served in evidence.acknowledged() {
        let is_kept = served.version.is_none_or(|version| kept[served.path.as_str()].contains(&version));
        assert!(is_kept, "lost: version {:?} of {}, round {}", served.version, served.path, served.round);
    }
    let is_page = |path: &&String| ["/page/", "/site/", "/member/"].iter().any(|name| path.starts_with(name));
    evidence.kept.keys().filter(is_page).for_each(|path| every_change_is_an_event(evidence, path));
}

/// From each version in the archive to the next there is one event, and there are no others but edits that a redesign would
/// have hidden.
fn every_change_is_an_event(evidence: &Evidence<'_>, path: &str) {
    let kept = &evidence.kept[path];
    let step = |event: &&Event| {
        let versions = event.versions.unwrap_or_else(|| panic!("{path}: {event:?}"));
        (kept[&versions.older], kept[&versions.newer])
    };
    let events = evidence.of(Kind::Changed, path);
    // What of a change is more than a redesign that explains it is an event besides.
    let edit =
        |event: &&Event| Some(Cause::new(Kind::Changed, event.watch.as_deref()?).and(&event.key).and("edit").key());
    let edits: HashSet<String> = events.iter().filter_map(edit).collect();
    let mut told: Vec<(u64, u64)> = events.iter().filter(|event| !edits.contains(&event.key)).map(step).collect();
    told.sort_unstable();
    let all: BTreeSet<u64> = kept.values().copied().collect();
    let mut wanted: Vec<(u64, u64)> = all.iter().copied().zip(all.iter().copied().skip(1)).collect();
    if told.last() != wanted.last() && was_left_unjudged(evidence, path, all.last().copied()) {
        wanted.pop();
    }
    let (before, first) = (wanted.len().saturating_sub(told.len()), evidence.first(path));
    assert_eq!(told, wanted[before..], "changes of {path}");
    assert!(wanted[..before].iter().all(|(_, newer)| *newer <= first), "{path}: {wanted:?} since {first}");
}

/// The last check of a page that has left its list may have died after it kept what came: nobody looks at it again.
fn was_left_unjudged(evidence: &Evidence<'_>, path: &str, last: Option<u64>) -> bool {
    let member = path.strip_prefix("/member/").and_then(|member| member.parse().ok());
    let has_left = member.is_some_and(|member| !evidence.log.list.newest().contains(&member));
    has_left && !evidence.acknowledged().any(|served| served.path == path && served.version == last)
}
