//! Is it the same change on many pages? Then it is one event with a list of pages.
//!
//! Changes are compared part by part, by their signatures. A page whose parts all changed elsewhere too has nothing of
//! its own to tell; one with a further change keeps its event, without what is told elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use driftline::event::key::Cause;
use driftline::event::{Event, Excerpt, Kind, Part};

use super::settle::{Held, mentions, shorten};

/// What became of events.
#[derive(Debug, Default)]
pub(super) struct Merged {
    /// Events made of several, with the watches of their pages.
    pub(super) new: Vec<(Event, Vec<String>)>,
    /// Events that one of those explains, with its key.
    pub(super) folded: Vec<(i64, String)>,
    /// Events that stay.
    pub(super) kept: Vec<Held>,
}

/// Parts that changed on the same pages: the places of those pages among the events, and the signatures.
type Cluster = (BTreeSet<usize>, BTreeSet<String>);

/// Makes one of events of one kind that say the same.
pub(super) fn merge(events: Vec<Held>) -> Merged {
    match events.first().map(|held| held.event.kind) {
        Some(Kind::Changed) => merge_changes(events),
        Some(_) if pages(&events, &(0..events.len()).collect()) > 1 => merge_all(&events),
        _ => Merged { kept: events, ..Merged::default() },
    }
}

/// All pages of the site fail, are gone, are back, or flap.
fn merge_all(events: &[Held]) -> Merged {
    let all: BTreeSet<usize> = (0..events.len()).collect();
    let first = &events[0].event;
    let verb = match first.kind {
        Kind::PageGone => "are gone",
        Kind::PageBack => "are there again",
        Kind::CheckRecovered => "can be checked again",
        Kind::Flapping => "keep switching between earlier versions",
        _ => "cannot be checked",
    };
    let because =
        if first.kind == Kind::CheckFailing { format!("; the first one: {}", first.summary) } else { String::new() };
    let mut event = Event {
        summary: format!("{} pages of the site {verb}{because}", pages(events, &all)),
        since: events.iter().filter_map(|held| held.event.since).min(),
        explains: events.iter().map(|held| held.event.key.clone()).collect(),
        ..joint(events, &all, &BTreeSet::new())
    };
    shorten(&mut event);
    let folded = events.iter().map(|held| (held.id, event.key.clone())).collect();
    Merged { folded, new: vec![(event, watches(events, &all))], kept: Vec::new() }
}

fn merge_changes(events: Vec<Held>) -> Merged {
    let clusters = clusters(&events);
    let mut merged = Merged::default();
    let mut explained: BTreeMap<usize, (String, BTreeSet<String>)> = BTreeMap::new();
    // The largest first: its event is the one that explains a page with parts of several.
    for (places, signatures) in clusters {
        let event = shared(&events, &places, &signatures);
        for place in &places {
            let entry = explained.entry(*place).or_insert_with(|| (event.key.clone(), BTreeSet::new()));
            entry.1.extend(signatures.iter().cloned());
        }
        merged.new.push((event, watches(&events, &places)));
    }
    for (place, mut held) in events.into_iter().enumerate() {
        let Some((key, signatures)) = explained.remove(&place) else {
            merged.kept.push(held);
            continue;
        };
        held.event.parts.retain(|part| !signatures.contains(&part.signature));
        if held.event.parts.is_empty() {
            let explaining = merged.new.iter_mut().find(|(event, _)| event.key == key);
            explaining.into_iter().for_each(|(event, _)| event.explains.push(held.event.key.clone()));
            merged.folded.push((held.id, key));
        } else {
            merged.kept.push(own(held));
        }
    }
    merged.new.iter_mut().for_each(|(event, _)| shorten(event));
    merged
}

/// Parts that changed on two pages or more, together with others that changed on just the same pages; those on most
/// pages first.
fn clusters(events: &[Held]) -> Vec<Cluster> {
    let mut by_part: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (place, held) in events.iter().enumerate() {
        for part in &held.event.parts {
            by_part.entry(&part.signature).or_default().insert(place);
        }
    }
    let mut by_pages: BTreeMap<BTreeSet<usize>, BTreeSet<String>> = BTreeMap::new();
    for (signature, places) in by_part {
        if pages(events, &places) > 1 {
            by_pages.entry(places).or_default().insert(signature.to_owned());
        }
    }
    let mut clusters: Vec<Cluster> = by_pages.into_iter().collect();
    clusters.sort_by(|one, other| other.0.len().cmp(&one.0.len()).then_with(|| one.cmp(other)));
    clusters
}

/// How many different pages those are.
fn pages(events: &[Held], places: &BTreeSet<usize>) -> usize {
    places.iter().map(|place| &events[*place].event.url).collect::<BTreeSet<_>>().len()
}

fn watches(events: &[Held], places: &BTreeSet<usize>) -> Vec<String> {
    let watches: BTreeSet<&String> = places.iter().map(|place| &events[*place].watch).collect();
    watches.into_iter().filter(|watch| !watch.is_empty()).cloned().collect()
}

/// One event for the parts that some pages share.
fn shared(events: &[Held], places: &BTreeSet<usize>, signatures: &BTreeSet<String>) -> Event {
    let joint = joint(events, places, signatures);
    let first = &events[*places.first().unwrap_or(&0)].event;
    let parts: Vec<Part> = first.parts.iter().filter(|part| signatures.contains(&part.signature)).cloned().collect();
    let weightiest = weightiest(&parts);
    Event {
        summary: format!("the same change on {} pages: {}", pages(events, places), summary(&parts)),
        importance: weightiest.map_or(joint.importance, |part| part.importance),
        why: weightiest.map(|part| part.why.clone()).unwrap_or_default(),
        excerpts: excerpts(&first.excerpts, &parts),
        parts,
        ..joint
    }
}

/// What events have in common. The key is made of the causes of all of them.
fn joint(events: &[Held], places: &BTreeSet<usize>, signatures: &BTreeSet<String>) -> Event {
    let all: Vec<&Event> = places.iter().map(|place| &events[*place].event).collect();
    let first = all[0];
    let cause = signatures.iter().fold(Cause::new(first.kind, &first.site), |cause, part| cause.and(part));
    let cause = all.iter().fold(cause, |cause, event| cause.and(&event.key));
    let tags: BTreeSet<&String> = all.iter().flat_map(|event| &event.tags).collect();
    let limits: BTreeSet<&String> = all.iter().flat_map(|event| &event.limits).collect();
    Event {
        key: cause.key(),
        at: all.iter().map(|event| event.at).max().unwrap_or(first.at),
        watch: None,
        name: first.site.clone(),
        tags: tags.into_iter().cloned().collect(),
        importance: all.iter().map(|event| event.importance).fold(0.0, f64::max),
        degree: None,
        versions: None,
        excerpts: Vec::new(),
        parts: Vec::new(),
        template_similarity: None,
        returned_to: None,
        pages: mentions(all.iter().copied()),
        explains: Vec::new(),
        limits: limits.into_iter().cloned().collect(),
        // What was learned is of one page; its next event names it.
        learned: Vec::new(),
        ..first.clone()
    }
}

/// A page that keeps what it has of its own.
fn own(mut held: Held) -> Held {
    let event = &mut held.event;
    event.excerpts = excerpts(&event.excerpts, &event.parts);
    if let Some(part) = weightiest(&event.parts) {
        event.importance = part.importance;
        event.why.clone_from(&part.why);
    }
    event.summary = format!("{} (plus a change shared with other pages)", summary(&event.parts));
    held.is_altered = true;
    held
}

fn weightiest(parts: &[Part]) -> Option<&Part> {
    parts.iter().max_by(|one, other| one.importance.total_cmp(&other.importance))
}

fn summary(parts: &[Part]) -> String {
    let said: BTreeSet<&str> = parts.iter().map(|part| part.summary.as_str()).collect();
    said.into_iter().collect::<Vec<_>>().join("; ")
}

/// The excerpts of some parts.
fn excerpts(excerpts: &[Excerpt], parts: &[Part]) -> Vec<Excerpt> {
    let is_of = |excerpt: &&Excerpt| parts.iter().any(|part| part.selector == excerpt.selector);
    excerpts.iter().filter(is_of).cloned().collect()
}
