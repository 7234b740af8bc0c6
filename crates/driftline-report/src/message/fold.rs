//! The entries of a message: one for each event, but one for all changes of a watch, from the first to the last. So are its
//! failures and recoveries, its losses and returns, the losses of its zone, and its flapping.

use std::borrow::Cow;
use std::collections::HashMap;

use driftline::change::Sides;
use driftline::event::{Event, Excerpt, Kind};

use crate::summary::excerpt::MOST_EXCERPTS;
use crate::summary::numbers::grouped;
use crate::summary::replaced::first_to_last;

/// An entry of a message.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    pub(super) event: Cow<'a, Event>,
    /// The number of events in it.
    pub(super) events: usize,
}

/// The entries for some events, by importance.
pub(super) fn entries(events: &[Event]) -> Vec<Entry<'_>> {
    let mut groups: Vec<Vec<&Event>> = Vec::new();
    let mut places = HashMap::<(&str, Kind), usize>::new();
    for event in events {
        let of = event.watch.as_deref().zip(first_of(event.kind));
        let place = of.map_or(groups.len(), |of| *places.entry(of).or_insert(groups.len()));
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(event);
    }
    let mut entries: Vec<Entry<'_>> = groups.into_iter().map(entry).collect();
    entries.sort_by(|Entry { event: one, .. }, Entry { event: other, .. }| {
        other.importance.total_cmp(&one.importance).then(one.at.cmp(&other.at))
    });
    entries
}

fn entry(mut group: Vec<&Event>) -> Entry<'_> {
    let time = |event: &Event| (event.at, event.versions.map(|versions| (versions.newer, versions.older)));
    let is_newest_first = group.windows(2).any(|pair| time(pair[0]) > time(pair[1]));
    // Events of one time are in the order of the others: lists may have the newest first.
    if is_newest_first {
        group.reverse();
    }
    group.sort_by_key(|event| time(event));
    let event = match group[..] {
        [only] => Cow::Borrowed(only),
        [first, ..] if first.kind == Kind::Changed => Cow::Owned(folded(&group)),
        _ => Cow::Owned(standing(&group)),
    };
    Entry { event, events: group.len() }
}

/// The kind that stands for those that are one entry with it; none for news, each of which is an entry of its own.
fn first_of(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::Changed | Kind::Flapping => Some(kind),
        Kind::PageGone | Kind::PageBack => Some(Kind::PageGone),
        Kind::CheckFailing | Kind::CheckRecovered => Some(Kind::CheckFailing),
        Kind::ZoneLost | Kind::ZoneFound => Some(Kind::ZoneLost),
        Kind::Redesigned
        | Kind::DesignRestored
        | Kind::NewPage
        | Kind::ItemAdded
        | Kind::ItemModified
        | Kind::ItemRemoved => None,
    }
}

/// One event for how a watch is, in the order of time: how it is now, and how it was at first if that was something else.
fn standing(events: &[&Event]) -> Event {
    let (first, last) = (events[0], events[events.len() - 1]);
    let count = grouped(events.len());
    let is_same = |event: &&Event| (event.kind, &event.summary) == (last.kind, &last.summary);
    let summary = if events.iter().all(is_same) {
        format!("{} ({count} times)", last.summary)
    } else if first.summary == last.summary {
        format!("{} ({count} events)", last.summary)
    } else {
        format!("{} → {} ({count} events)", first.summary, last.summary)
    };
    let most = events.iter().map(|event| event.importance).fold(last.importance, f64::max);
    Event { summary, importance: most, ..last.clone() }
}

/// One event for the changes of a watch, in the order of time: between the first and the last version, as important as the
/// most important of them, and with the excerpts of all that matter most.
fn folded(changes: &[&Event]) -> Event {
    let (first, last) = (changes[0], changes[changes.len() - 1]);
    // The last of several that matter equally.
    let main = changes.iter().max_by(|one, other| one.importance.total_cmp(&other.importance)).unwrap_or(&last);
    let summary = words(changes).unwrap_or_else(|| last.summary.clone());
    let mut excerpts: Vec<&Excerpt> = changes.iter().flat_map(|change| &change.excerpts).collect();
    excerpts.sort_by(|one, other| other.importance.total_cmp(&one.importance));
    Event {
        summary: format!("{summary} ({} changes)", grouped(changes.len())),
        importance: main.importance,
        why: main.why.clone(),
        degree: main.degree,
        versions: first
            .versions
            .zip(last.versions)
            .map(|(first, last)| Sides { older: first.older, newer: last.newer }),
        excerpts: distinct(excerpts, MOST_EXCERPTS),
        limits: distinct(changes.iter().flat_map(|change| &change.limits), usize::MAX),
        learned: distinct(changes.iter().flat_map(|change| &change.learned), usize::MAX),
        ..last.clone()
    }
}

/// The first words and the last ones, if each change replaced those of the change before it and nothing else.
fn words(changes: &[&Event]) -> Option<String> {
    let place = |change: &Event| match change.excerpts.as_slice() {
        [only] => Some(only.selector.clone()),
        _ => None,
    };
    let first = place(changes[0])?;
    let is_one_place = changes.iter().all(|change| place(change).as_ref() == Some(&first));
    let summaries: Vec<&str> = changes.iter().map(|change| change.summary.as_str()).collect();
    is_one_place.then(|| first_to_last(&summaries)).flatten()
}

/// The first values, each once, at most this many.
fn distinct<'a, T: PartialEq + Clone + 'a>(values: impl IntoIterator<Item = &'a T>, most: usize) -> Vec<T> {
    let mut distinct: Vec<T> = Vec::new();
    for value in values {
        if distinct.len() == most {
            break;
        }
        if !distinct.contains(value) {
            distinct.push(value.clone());
        }
    }
    distinct
}
