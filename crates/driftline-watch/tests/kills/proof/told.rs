//! Was everybody told everything, by what it became, and nothing again after it was written down that they have it?

use std::collections::{BTreeSet, HashMap, HashSet};

use driftline_archive::Archive;
use driftline_catalog::{DeliveryState, MOST_ON_A_PAGE, every};

use super::{Evidence, Found};
use crate::world::TARGETS;

pub(super) fn prove(evidence: &Evidence<'_>, archive: &Archive) {
    let by_key: HashMap<&str, &Found> =
        evidence.events.iter().map(|found| (found.stored.key.as_str(), found)).collect();
    let deliveries = every(|after| archive.catalog().deliveries(None, None, after, MOST_ON_A_PAGE))
        .expect("the catalog can be read");
    let mut told: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for delivery in &deliveries {
        assert_eq!(delivery.state, DeliveryState::Acknowledged, "{delivery:?}");
        told.entry(&delivery.event).or_default().insert(&delivery.target);
    }
    for found in &evidence.events {
        let Found { stored, event } = found;
        assert_eq!(stored.held_until, None, "held for ever: {event:?}");
        let explaining = stored.folded_into.as_ref().map(|key| by_key.get(key.as_str()).expect("what explains it"));
        assert!(explaining.is_none_or(|found| found.stored.folded_into.is_none()), "nobody tells {event:?}");
        let wanted = if explaining.is_some() { BTreeSet::new() } else { audience(found) };
        assert_eq!(told.remove(stored.key.as_str()).unwrap_or_default(), wanted, "who is told of {event:?}");
    }
    let posts = &evidence.log.posts;
    let taken: HashSet<&str> = posts.iter().filter(|post| post.is_taken).map(|post| post.delivery.as_str()).collect();
    for delivery in &deliveries {
        assert!(taken.contains(delivery.key.as_str()), "{} was never told {}", delivery.target, delivery.event);
    }
    let is_known: HashSet<(&str, &str)> =
        deliveries.iter().map(|delivery| (delivery.key.as_str(), delivery.target.as_str())).collect();
    for post in posts {
        assert!(is_known.contains(&(&*post.delivery, &*post.target)), "{} was told {}", post.target, post.event);
    }
    nobody_was_told_twice(evidence);
}

/// Who is to be told of an event that nothing else explains. Everybody of a site is told of its design.
fn audience(found: &Found) -> BTreeSet<&'static str> {
    let [hook, digest, even] = TARGETS;
    let is_even = found.event.kind.is_design() || found.event.tags.iter().any(|tag| tag == "even");
    [hook, digest].into_iter().chain(is_even.then_some(even)).collect()
}

/// What was taken is sent again only by another daemon, and only if the one before died before it could write it down.
fn nobody_was_told_twice(evidence: &Evidence<'_>) {
    let mut taken = HashMap::<&str, u32>::new();
    for post in &evidence.log.posts {
        let known = evidence.victim.acknowledged.get(&post.delivery).copied().unwrap_or(u32::MAX);
        assert!(post.round <= known, "{} was acknowledged in round {known}, and sent in {}", post.event, post.round);
        if let Some(round) = taken.get(post.delivery.as_str()) {
            assert!(*round < post.round, "{} was told {} twice by one daemon", post.target, post.event);
        }
        if post.is_taken {
            taken.insert(&post.delivery, post.round);
        }
    }
}
