//! Events of edits that were made together with a redesign: one for each edited page, one for the same edit on several
//! pages, and one with a list if there are many.

use std::collections::{BTreeMap, BTreeSet};

use driftline::event::key::Cause;
use driftline::event::{Event, Kind, Mention};
use driftline_report::summary::excerpt::MOST_EXCERPTS;

use super::report::Edit;
use crate::site::settle::{mentions, shorten};

/// More edits than this that are found together are one event with a list.
const MOST_EDITS: usize = 5;
/// What else happened to the pages.
const BESIDES: &str = "besides the redesign";

/// A page that was edited together with a redesign.
#[derive(Debug, Clone)]
pub(in crate::site) struct Edited {
    pub(in crate::site) watch: String,
    /// Its change, which the redesign explains otherwise.
    pub(in crate::site) event: Event,
    pub(in crate::site) edits: Vec<Edit>,
    pub(in crate::site) audience: Vec<String>,
}

/// The events of edits, each with the watches that it is about. Edits for different people are not made one.
pub(in crate::site) fn events(edited: Vec<Edited>) -> Vec<(Event, Vec<String>)> {
    let mut by_audience: BTreeMap<Vec<String>, Vec<Edited>> = BTreeMap::new();
    for page in edited {
        by_audience.entry(page.audience.clone()).or_default().push(page);
    }
    let mut events: Vec<(Event, Vec<String>)> = by_audience.into_values().flat_map(for_one_audience).collect();
    events.sort_by(|(one, _), (other, _)| one.key.cmp(&other.key));
    events
}

fn for_one_audience(mut edited: Vec<Edited>) -> Vec<(Event, Vec<String>)> {
    edited.sort_by(|one, other| (&one.event.url, &one.event.key).cmp(&(&other.event.url, &other.event.key)));
    let mut same: BTreeMap<Vec<String>, Vec<Edited>> = BTreeMap::new();
    for page in edited {
        let signatures = page.edits.iter().map(|edit| edit.part.signature.clone()).collect();
        same.entry(signatures).or_default().push(page);
    }
    if same.len() > MOST_EDITS {
        let pages: Vec<Edited> = same.into_values().flatten().collect();
        return vec![(listed(&pages), watches(&pages))];
    }
    same.into_values()
        .flat_map(|pages| {
            if addresses(&pages) > 1 {
                return vec![(shared(&pages), watches(&pages))];
            }
            pages.into_iter().map(|page| (page.own(), vec![page.watch.clone()])).collect()
        })
        .collect()
}

fn addresses(pages: &[Edited]) -> usize {
    pages.iter().map(|page| &page.event.url).collect::<BTreeSet<_>>().len()
}

fn watches(pages: &[Edited]) -> Vec<String> {
    pages.iter().map(|page| page.watch.clone()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The key of the event of an edit, made of the key of the change that it is a part of.
pub(in crate::site) fn key(watch: &str, change: &str) -> String {
    Cause::new(Kind::Changed, watch).and(change).and("edit").key()
}

impl Edited {
    /// The event of one page.
    fn own(&self) -> Event {
        Event {
            key: key(&self.watch, &self.event.key),
            summary: format!("{}; {BESIDES}", self.said()),
            ..self.restricted()
        }
    }

    /// Its change, with nothing but the edits.
    fn restricted(&self) -> Event {
        let main = self.edits.first().map(|edit| &edit.part);
        Event {
            importance: main.map_or(self.event.importance, |part| part.importance),
            why: main.map(|part| part.why.clone()).unwrap_or_default(),
            degree: None,
            excerpts: self.edits.iter().take(MOST_EXCERPTS).map(|edit| edit.excerpt.clone()).collect(),
            parts: self.edits.iter().map(|edit| edit.part.clone()).collect(),
            template_similarity: None,
            learned: Vec::new(),
            ..self.event.clone()
        }
    }

    fn said(&self) -> String {
        let first = self.edits.first().map(|edit| edit.part.summary.as_str()).unwrap_or_default();
        match self.edits.len() {
            0 | 1 => first.to_owned(),
            2 => format!("{first} and 1 more change"),
            more => format!("{first} and {} more changes", more - 1),
        }
    }
}

/// One event for the same edit on several pages.
fn shared(pages: &[Edited]) -> Event {
    let first = pages[0].restricted();
    let summary = format!("the same edit on {} pages: {}; {BESIDES}", addresses(pages), pages[0].said());
    Event { summary, versions: None, pages: mentions(pages.iter().map(|page| &page.event)), ..joint(pages, first) }
}

/// One event for many edits, with the summary of each.
fn listed(pages: &[Edited]) -> Event {
    let mention =
        |page: &Edited| Mention { url: page.event.url.clone(), title: page.event.name.clone(), summary: page.said() };
    let mut all: Vec<Mention> = pages.iter().map(mention).collect();
    all.sort_by(|one, other| (&one.url, &one.title, &one.summary).cmp(&(&other.url, &other.title, &other.summary)));
    all.dedup();
    let main = pages.iter().max_by(|one, other| {
        let importance = |page: &Edited| page.restricted().importance;
        importance(one).total_cmp(&importance(other)).then_with(|| other.event.key.cmp(&one.event.key))
    });
    let first = main.unwrap_or(&pages[0]).restricted();
    let summary = format!("{} pages were edited {BESIDES}", addresses(pages));
    Event { summary, versions: None, excerpts: Vec::new(), parts: Vec::new(), pages: all, ..joint(pages, first) }
}

/// What the events of several pages have in common. The key is made of the keys of all of them.
fn joint(pages: &[Edited], first: Event) -> Event {
    let keys: BTreeSet<String> = pages.iter().map(|page| key(&page.watch, &page.event.key)).collect();
    let cause = keys.iter().fold(Cause::new(Kind::Changed, &first.site).and("edits"), |cause, key| cause.and(key));
    let set = |of: fn(&Event) -> &Vec<String>| -> Vec<String> {
        pages.iter().flat_map(|page| of(&page.event)).collect::<BTreeSet<_>>().into_iter().cloned().collect()
    };
    let mut event = Event {
        key: cause.key(),
        at: pages.iter().map(|page| page.event.at).max().unwrap_or(first.at),
        watch: None,
        name: first.site.clone(),
        tags: set(|event| &event.tags),
        returned_to: None,
        explains: pages.iter().map(|page| page.event.key.clone()).collect::<BTreeSet<_>>().into_iter().collect(),
        limits: set(|event| &event.limits),
        ..first
    };
    shorten(&mut event);
    event
}
