//! What happened at all, so that nothing is shown by what never was.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::ops::AddAssign;

use driftline::event::Kind;

use super::{Evidence, Found};

/// What must have happened.
const WANTED: [&str; 13] = [
    "changed",
    "merged",
    "redesigned",
    "explained by a redesign",
    "item-added",
    "item-modified",
    "item-removed",
    "items fetched",
    "new-page",
    "page-gone",
    "page-back",
    "page-gone of several pages",
    "digests of several events",
];

/// What was counted.
#[derive(Default)]
pub(crate) struct Sum {
    checks: u64,
    versions: u64,
    events: u64,
    posts: u64,
    /// Events that were told again, because nobody knew that they had been taken.
    repeated: u64,
    /// How often each thing happened that must have.
    happened: BTreeMap<&'static str, u64>,
}

impl Sum {
    pub(super) fn of(evidence: &Evidence<'_>) -> Self {
        let versions = evidence.kept.values().map(|kept| kept.values().collect::<BTreeSet<_>>().len() as u64).sum();
        let checks = evidence.acknowledged().filter(|served| served.checked() == served.path).count() as u64;
        let (mut taken, mut repeated) = (HashSet::new(), 0);
        for post in &evidence.log.posts {
            repeated += u64::from(taken.contains(post.delivery.as_str()));
            if post.is_taken {
                taken.insert(post.delivery.as_str());
            }
        }
        let mut sum = Self {
            checks,
            versions,
            events: evidence.events.len() as u64,
            posts: evidence.log.posts.len() as u64,
            repeated,
            happened: BTreeMap::new(),
        };
        sum.count_events(evidence);
        sum.count_digests(evidence);
        let items = evidence.acknowledged().filter(|served| served.checked() != served.path).count() as u64;
        sum.happened.insert("items fetched", items);
        sum
    }

    fn count_events(&mut self, evidence: &Evidence<'_>) {
        let redesigns: HashSet<&str> = evidence
            .events
            .iter()
            .filter(|found| found.event.kind.is_design())
            .map(|found| found.stored.key.as_str())
            .collect();
        let designs = evidence.log.site.designs;
        assert!(redesigns.len() as u64 <= designs, "{} redesigns, and {designs} designs", redesigns.len());
        for Found { stored, event } in &evidence.events {
            let is_explained = stored.folded_into.as_ref().is_some_and(|key| redesigns.contains(key.as_str()));
            let name = match (event.kind, event.watch.is_some()) {
                (Kind::Changed, true) if is_explained => "explained by a redesign",
                (Kind::Changed, false) => "merged",
                (Kind::PageGone, false) => "page-gone of several pages",
                (kind, _) => kind.name(),
            };
            *self.happened.entry(name).or_default() += 1;
        }
    }

    fn count_digests(&mut self, evidence: &Evidence<'_>) {
        let mut sizes: HashMap<u64, u64> = HashMap::new();
        for post in evidence.log.posts.iter().filter(|post| post.is_taken && post.target == "digest") {
            *sizes.entry(post.message).or_default() += 1;
        }
        let digests = sizes.values().filter(|size| **size > 1).count() as u64;
        self.happened.insert("digests of several events", digests);
    }

    /// Did enough happen to show anything?
    pub(crate) fn is_telling(&self, kills: u32) -> bool {
        let kills = u64::from(kills);
        let has_happened = |name: &&str| self.happened.get(name).is_some_and(|count| *count > 0);
        self.checks > kills && self.events > kills && self.posts >= self.events && WANTED.iter().all(has_happened)
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.checks += other.checks;
        self.versions += other.versions;
        self.events += other.events;
        self.posts += other.posts;
        self.repeated += other.repeated;
        for (name, count) in other.happened {
            *self.happened.entry(name).or_default() += count;
        }
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let happened: Vec<String> = self.happened.iter().map(|(name, count)| format!("{count} {name}")).collect();
        write!(
            out,
            "{} checks acknowledged, {} versions, 0 lost; {} events ({}), told {} times, {} of them again after a kill \
             that came before it was written down that they were taken, 0 after that",
            self.checks,
            self.versions,
            self.events,
            happened.join(", "),
            self.posts,
            self.repeated
        )
    }
}
