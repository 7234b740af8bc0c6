//! One line about a change: for subjects, lists, feeds, pushes and logs.
//!
//! It says what changed (`Monday 9–17 → 9–18`) if that fits in 60 characters, and where and how many words otherwise
//! (`10 words added in Opening hours`). It is made once, and stored with its event.

pub mod edit;
mod place;
mod words;

use driftline::change::{Change, Sides};
use driftline::event::Excerpt;
use driftline::feed::compare::{ItemChange, Part};
use driftline::page::Page;
use driftline::region::{Region, RegionKind};

use super::excerpt::Excerpts;
use super::numbers::{counted, grouped};
use super::replaced::AND_ALSO;
use super::{resources, sentence};
use place::Place;
pub use words::title;

/// The summary of a title that is too long to be shown.
const TITLE: &str = "title changed";
/// The summary of an item of a feed that leads to another page.
const LINK: &str = "link changed";
/// The summary of a change that readers cannot see.
const MARKUP: &str = "only markup changed";

/// A change of a page in words.
pub struct Description<'a> {
    pages: Sides<&'a Page>,
    change: &'a Change,
    /// The name that is shown before the summary: a place of that name is not repeated.
    name: &'a str,
    excerpts: Excerpts<'a>,
}

impl<'a> Description<'a> {
    /// `name` is what is shown before the line.
    #[must_use]
    pub fn new(pages: Sides<&'a Page>, change: &'a Change, name: &'a str) -> Self {
        Self::of_rest(pages, change, change, name)
    }

    /// What is left of a change [in a scope](Change::within()), in words.
    #[must_use]
    pub fn of_rest(pages: Sides<&'a Page>, change: &Change, left: &'a Change, name: &'a str) -> Self {
        Self { pages, change: left, name, excerpts: Excerpts::within(pages, change, left) }
    }

    /// What changed, in one line: the part that matters most, and the number of further ones.
    #[must_use]
    pub fn summary(&self) -> String {
        let words = self.words();
        let title = match words {
            Some(_) => self.change.title.is_some().then(|| TITLE.to_owned()),
            None => self.title(),
        };
        let said: Vec<String> = words.into_iter().chain(resources::counts(self.change)).chain(title).collect();
        if said.is_empty() { MARKUP.to_owned() } else { said.join(AND_ALSO) }
    }

    /// What changed in one region, in one line.
    #[must_use]
    pub fn region(&self, at: usize) -> String {
        let region = &self.change.regions[at];
        let counts = || {
            let part = whole_part(region).map_or_else(String::new, |part| format!("{part}: "));
            Some(part + &sentence::operations(&region.operations)? + &self.within(at))
        };
        self.words_of(at).or_else(counts).unwrap_or_else(|| "links or images changed".to_owned())
    }

    /// The title that changed, in one line.
    #[must_use]
    pub fn title(&self) -> Option<String> {
        self.change.title.as_ref().map(words::short_title)
    }

    /// The changed words with some around them, by importance.
    #[must_use]
    pub fn excerpts(&self) -> Vec<Excerpt> {
        self.excerpts.ranked()
    }

    /// The words that changed: those of the most important region if they fit, otherwise the counts of all regions.
    fn words(&self) -> Option<String> {
        let regions = &self.change.regions;
        let score = |at: usize| regions[at].importance.score;
        let is_one = |at: &usize| regions[*at].operations.total() > 0;
        let changed: Vec<usize> = (0..regions.len()).filter(is_one).collect();
        // The first of several that matter equally.
        let main = changed.iter().copied().rev().max_by(|&one, &other| score(one).total_cmp(&score(other)));
        let and_more = match changed.len().saturating_sub(1) {
            0 => String::new(),
            more => format!(" and {}", counted(more, "more change")),
        };
        if let Some(shown) = main.and_then(|main| self.words_of(main)) {
            return Some(shown + &and_more);
        }
        let counts = sentence::operations(&self.change.measurement.operations)?;
        let within = if let [only] = changed.as_slice() { self.within(*only) } else { String::new() };
        let part = main.and_then(|main| whole_part(&regions[main]));
        Some(part.map_or_else(String::new, |part| format!("{part}{and_more}: ")) + &counts + &within)
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
        let (page, place) = self.change.regions[at].shown_on(self.pages);
        Place::of(page, place.node?).filter(|place| !place.is_named(page.title()) && !place.is_named(self.name))
    }
}

/// What happened to a region as a whole, `part removed`; none if something in it changed.
fn whole_part(region: &Region) -> Option<&'static str> {
    match region.kind() {
        RegionKind::Added => Some("part added"),
        RegionKind::Removed => Some("part removed"),
        RegionKind::Moved => Some("part moved"),
        RegionKind::Copied => Some("part copied"),
        _ => None,
    }
}

/// What changed in an item of a feed that is in both versions, in one line: its words, or how many, and its link.
#[must_use]
pub fn item(change: &ItemChange) -> Option<String> {
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

/// A version of a file that cannot be read as text.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// The number of its bytes.
    pub bytes: usize,
    /// Its media type, if the server said one.
    pub kind: Option<&'a str>,
}

/// A change of a file that cannot be read as text, in one line.
#[must_use]
pub fn file(versions: Sides<File<'_>>) -> String {
    let Sides { older, newer } = versions;
    let kind = |version: File<'_>| words::clean(version.kind.unwrap_or("a file"));
    if older.kind == newer.kind {
        format!("the file changed ({} bytes, was {})", grouped(newer.bytes), grouped(older.bytes))
    } else {
        format!("the kind of file changed ({}, was {})", kind(newer), kind(older))
    }
}

#[cfg(test)]
mod tests;
