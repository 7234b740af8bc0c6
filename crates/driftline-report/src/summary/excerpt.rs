//! Excerpts of a change: the parts that matter most, a few words around them, and never more than a screen.
//!
//! An [`Event`](driftline::event::Event) is read where there is no page to look at: in a mail, on a telephone. So an excerpt has
//! the words that went and came, in reading order, within the line that they stand in. Parts are the regions of the
//! change: each changed word belongs to the innermost region around it. What is not words (a link that leads
//! elsewhere, a title) has an excerpt if nothing else shows it.

mod passages;
mod pieces;
mod resources;

use driftline::change::{Change, Sides};
use driftline::event::{Excerpt, Mark, Piece};
use driftline::feed::Item;
use driftline::feed::compare::{ItemChange, ItemKind};
use driftline::page::{BodyKind, Page, ReadOptions};

pub use pieces::Pieces;

use passages::Merged;

/// The most excerpts of one change.
pub const MOST_EXCERPTS: usize = 10;
/// The most characters of one excerpt.
pub const MOST_CHARACTERS: usize = 500;

/// The excerpts of one change, region by region.
pub struct Excerpts<'a> {
    pages: Sides<&'a Page>,
    change: &'a Change,
    merged: Merged<'a>,
}

impl<'a> Excerpts<'a> {
    /// The excerpts of a change between these pages.
    #[must_use]
    pub fn new(pages: Sides<&'a Page>, change: &'a Change) -> Self {
        Self::within(pages, change, change)
    }

    /// The excerpts of what is left of a change [in a scope](Change::within()).
    #[must_use]
    pub fn within(pages: Sides<&'a Page>, change: &Change, left: &'a Change) -> Self {
        Self { pages, change: left, merged: Merged::new(pages, change, left) }
    }

    /// The words of one region, without those of the regions inside it. None if no word changed there.
    #[must_use]
    pub fn of_region(&self, at: usize) -> Option<Excerpt> {
        self.merged.parts().find(|(region, _)| *region == Some(at)).map(|(region, words)| self.of_words(region, words))
    }

    /// The parts that matter most, the weightiest first; those that matter equally, in the order of the page.
    #[must_use]
    pub fn ranked(&self) -> Vec<Excerpt> {
        let mut parts: Vec<(Option<usize>, &[u32])> = self.merged.parts().collect();
        parts.sort_by(|(one, _), (other, _)| self.score(*other).total_cmp(&self.score(*one)));
        let of_words = parts.iter().take(MOST_EXCERPTS).map(|&(region, words)| self.of_words(region, words));
        let mut all: Vec<Excerpt> = title(self.change).into_iter().chain(of_words).collect();
        all.extend(resources::excerpts(self.pages, self.change, |at| self.merged.has_words(at)));
        all.sort_by(|one, other| other.importance.total_cmp(&one.importance));
        all.truncate(MOST_EXCERPTS);
        all
    }

    fn of_words(&self, region: Option<usize>, words: &[u32]) -> Excerpt {
        Excerpt {
            selector: region.map_or_else(String::new, |at| self.change.regions[at].shown().selector.clone()),
            importance: self.score(region),
            pieces: self.merged.pieces(words),
        }
    }

    fn score(&self, region: Option<usize>) -> f64 {
        region.map_or(self.change.importance.score, |at| self.change.regions[at].importance.score)
    }
}

/// What an item of a feed says, or what became of its words. `item` is the item itself: the newer one, or the older one
/// if it was removed.
#[must_use]
pub fn of_item(change: &ItemChange, item: Option<&Item>) -> Vec<Excerpt> {
    if let Some(words) = &change.words {
        let Sides { older, newer } = &words.pages;
        return Excerpts::new(Sides { older, newer }, &words.change).ranked();
    }
    let mark = match change.kind {
        ItemKind::Added => Mark::Added,
        ItemKind::Removed => Mark::Dropped,
        ItemKind::Modified | ItemKind::Reordered => Mark::Kept,
    };
    let mut pieces = Pieces::default();
    pieces.push(mark, "", &change.title);
    let options = ReadOptions { kind: Some(BodyKind::Html), ..ReadOptions::default() };
    let text = item.map(|item| Page::read(item.description(), &options).text().trim().to_owned());
    for line in text.iter().flat_map(|text| text.lines()).filter(|line| !line.trim().is_empty()) {
        pieces.push(mark, "\n", line.trim());
    }
    let pieces = pieces.finish();
    if pieces.is_empty() { Vec::new() } else { vec![Excerpt { selector: String::new(), importance: 1.0, pieces }] }
}

/// Another title.
fn title(change: &Change) -> Option<Excerpt> {
    let Sides { older, newer } = change.title.as_ref()?;
    let mut pieces = Pieces::default();
    pieces.push(Mark::Dropped, "", older);
    pieces.push(Mark::Added, " ", newer);
    Some(Excerpt { selector: "title".to_owned(), importance: change.importance.score, pieces: pieces.finish() })
}

#[cfg(test)]
mod tests;
