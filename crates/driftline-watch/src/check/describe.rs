//! The summary of a change: one line for subjects, lists, feeds, pushes and logs.
//!
//! It says what changed (`Monday 9–17 → 9–18`) if that fits in 60 characters, and where and how many words otherwise
//! (`10 words added in Opening hours`). It is made once, and stored with its event.

pub(crate) mod edit;
mod place;
mod words;

use driftline::change::{Change, Sides};
use driftline::degree::ied::Operations;
use driftline::event::Excerpt;
use driftline::feed::compare::{ItemChange, Part};
use driftline::number::grouped;
use driftline::page::{Limit, Page};
use driftline::region::{Region, ResourceFate, ResourceKind};
use driftline_report::summary::excerpt::Excerpts;
use driftline_report::summary::replaced::AND_ALSO;

use super::counts::Looked;
use super::parts;
use super::versions::Version;
use place::Place;

/// The summary of a title that is too long to be shown.
const TITLE: &str = "title changed";
/// The summary of an item of a feed that leads to another page.
const LINK: &str = "link changed";
/// The summary of a change that readers cannot see.
const MARKUP: &str = "only markup changed";

/// A change of a page in words.
pub(super) struct Description<'a> {
    pub(super) pages: Sides<&'a Page>,
    pub(super) change: &'a Change,
    /// The name that is shown before the summary: a place of that name is not repeated.
    name: &'a str,
    excerpts: Excerpts<'a>,
    /// By number of the region: whether the watch looks for a word that changed in it.
    counting: Vec<bool>,
}

impl<'a> Description<'a> {
    pub(super) fn new(pages: Sides<&'a Page>, change: &'a Change, name: &'a str) -> Self {
        let counting = vec![true; change.regions.len()];
        Self { pages, change, name, excerpts: Excerpts::new(pages, change), counting }
    }

    /// The same for a watch that looks for some of the text only: the summary has no other words.
    pub(super) fn looking_for(mut self, looked: &Looked<'_>) -> Self {
        let counting = parts::regions_with(self.pages, self.change, |is_newer, word| looked.word(is_newer, word));
        // A change may count for something that is not words.
        if counting.contains(&true) {
            self.counting = counting;
        }
        self
    }

    /// What changed, in one line: the part that matters most, and the number of further ones.
    pub(super) fn summary(&self) -> String {
        let words = self.words();
        let title = match words {
            Some(_) => self.change.title.is_some().then(|| TITLE.to_owned()),
            None => self.title(),
        };
        let said: Vec<String> = words.into_iter().chain(resources(self.change)).chain(title).collect();
        if said.is_empty() { MARKUP.to_owned() } else { said.join(AND_ALSO) }
    }

    /// What changed in one region, in one line.
    pub(super) fn region(&self, at: usize) -> String {
        let counted = || counts(&self.change.regions[at].operations).map(|counted| counted + &self.within(at));
        self.words_of(at).or_else(counted).unwrap_or_else(|| "links or images changed".to_owned())
    }

    /// The title that changed, in one line.
    pub(super) fn title(&self) -> Option<String> {
        self.change.title.as_ref().map(|Sides { older, newer }| words::title(older, newer))
    }

    /// The changed words with some around them, by importance.
    pub(super) fn excerpts(&self) -> Vec<Excerpt> {
        self.excerpts.ranked()
    }

    /// The words that changed: those of the most important region if they fit, otherwise the counts of all regions.
    fn words(&self) -> Option<String> {
        let regions = &self.change.regions;
        let score = |at: usize| regions[at].importance.score;
        let is_one = |at: &usize| self.counting[*at] && regions[*at].operations.total() > 0;
        let changed: Vec<usize> = (0..regions.len()).filter(is_one).collect();
        // The first of several that matter equally.
        let main = changed.iter().copied().rev().max_by(|&one, &other| score(one).total_cmp(&score(other)));
        if let Some(shown) = main.and_then(|main| self.words_of(main)) {
            return Some(match changed.len() - 1 {
                0 => shown,
                1 => format!("{shown} and 1 more change"),
                more => format!("{shown} and {} more changes", grouped(more)),
            });
        }
        let within = if let [only] = changed.as_slice() { self.within(*only) } else { String::new() };
        Some(counts(&self.operations(&changed))? + &within)
    }

    /// What happened to the words that the watch looks for.
    fn operations(&self, changed: &[usize]) -> Operations {
        if !self.counting.contains(&false) {
            return self.change.measurement.operations;
        }
        let of_regions = changed.iter().map(|&at| self.change.regions[at].operations);
        of_regions.fold(Operations::default(), |sum, one| Operations {
            add: sum.add + one.add,
            drop: sum.drop + one.drop,
            copy: sum.copy + one.copy,
            shrink: sum.shrink + one.shrink,
            replace: sum.replace + one.replace,
            moved: sum.moved + one.moved,
        })
    }

    fn words_of(&self, at: usize) -> Option<String> {
        words::words(&self.excerpts.of_region(at)?, self.place(at).as_ref())
    }

    /// ` in Opening hours`, or nothing.
    fn within(&self, at: usize) -> String {
        self.place(at).map(|place| place.within()).unwrap_or_default()
    }

    /// The place of a region: on the newer page if it is still there.
    fn place(&self, at: usize) -> Option<Place> {
        let Region { place: Sides { older, newer }, .. } = &self.change.regions[at];
        let (page, place) = match (newer, older) {
            (Some(newer), _) => (self.pages.newer, newer),
            (None, older) => (self.pages.older, older.as_ref()?),
        };
        Place::of(page, place.node?).filter(|place| !place.is_named(page.title()) && !place.is_named(self.name))
    }
}

/// What changed in an item of a feed that is in both versions, in one line: its words, or how many, and its link.
pub(super) fn item(change: &ItemChange) -> Option<String> {
    let has = |part: Part| change.differs.contains(&part);
    let words = change.words.as_ref().filter(|_| has(Part::Title) || has(Part::Text)).map(|words| {
        let Sides { older, newer } = &words.pages;
        Description::new(Sides { older, newer }, &words.change, &change.title).summary()
    });
    let said: Vec<String> = words.into_iter().chain(has(Part::Link).then(|| LINK.to_owned())).collect();
    match change.differs.as_slice() {
        [] => None,
        _ if said.is_empty() => Some(MARKUP.to_owned()),
        _ => Some(said.join(AND_ALSO)),
    }
}

/// The number of words that changed: `3 words added, 1 removed`. Words that were copied count as added, and fewer of
/// the same words as removed.
fn counts(operations: &Operations) -> Option<String> {
    listed(
        ["word", "words"],
        [
            (operations.add + operations.copy, "added"),
            (operations.drop + operations.shrink, "removed"),
            (operations.replace, "replaced"),
            (operations.moved, "moved"),
        ],
    )
}

/// The number of links, images and the like that were added and removed: `1 image added, 1 removed`.
fn resources(change: &Change) -> Option<String> {
    let shown = || change.resources.iter().filter(|resource| is_shown(resource.what));
    let count = |fate: ResourceFate| shown().filter(|resource| resource.kind == fate).count();
    let nouns = match shown().next()?.what {
        first if shown().any(|resource| resource.what != first) => ["link or image", "links or images"],
        ResourceKind::Link => ["link", "links"],
        ResourceKind::Image => ["image", "images"],
        ResourceKind::Frame => ["frame", "frames"],
        ResourceKind::Form => ["form", "forms"],
        ResourceKind::Media | ResourceKind::Style | ResourceKind::Script => ["media file", "media files"],
    };
    listed(nouns, [(count(ResourceFate::Gained), "added"), (count(ResourceFate::Lost), "removed")])
}

/// Counts in a row, with the noun once: `3 words added, 1 removed`. None if all are zero.
fn listed<const N: usize>([one, several]: [&str; 2], counts: [(usize, &str); N]) -> Option<String> {
    let mut said = String::new();
    for (count, participle) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let noun = if count == 1 { one } else { several };
        let start =
            if said.is_empty() { format!("{} {noun}", grouped(count)) } else { format!(", {}", grouped(count)) };
        said += &format!("{start} {participle}");
    }
    (!said.is_empty()).then_some(said)
}

/// Whether a link or something that is shown was added or removed.
pub(super) fn has_resources(change: &Change) -> bool {
    change.resources.iter().any(|resource| is_shown(resource.what))
}

/// Whether a resource is for readers; style sheets and programs are not.
pub(super) fn is_shown(kind: ResourceKind) -> bool {
    !matches!(kind, ResourceKind::Style | ResourceKind::Script)
}

/// The summary of a change of a file that cannot be read as text.
pub(super) fn opaque(older: &Version, newer: &Version) -> String {
    let [before, after] = [older, newer].map(|version| grouped(version.body.len()));
    let kind = |version: &Version| version.content_type.clone().unwrap_or_else(|| "a file".to_owned());
    if kind(older) == kind(newer) {
        format!("the file changed ({after} bytes, was {before})")
    } else {
        format!("the kind of file changed ({}, was {})", words::clean(&kind(newer)), words::clean(&kind(older)))
    }
}

/// What the answer lacks, by the names of limits.
pub(super) fn limits(limits: &[Limit], newer: &Version) -> Vec<String> {
    let mut names: Vec<String> = limits.iter().map(|limit| limit.name().to_owned()).collect();
    names.extend(newer.is_cut.then(|| Limit::Bytes.name().to_owned()));
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests;
