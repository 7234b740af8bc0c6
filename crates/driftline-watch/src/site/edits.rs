//! What of the pages of one redesign is more than the design.
//!
//! The leftovers of its pages are compared by content: what two thirds of the other pages lost or gained in the same words
//! belongs to the design. What is left after that is compared by place: what each page has of its own in a place of the
//! template where two thirds of the other pages lost or gained something too, and few kept anything, comes with the
//! template: dates, authors, related pages. The rest is an edit. Pages of a site are of several kinds, so all pages are
//! asked, and those that are built alike.
//!
//! The answer depends on which pages are known, not on their order: it is asked again when more of them are.

pub(super) mod events;
mod fragments;
mod pairs;
mod report;
mod rewritten;
mod shares;
mod titles;

use std::collections::{BTreeMap, HashSet};

use xxhash_rust::xxh3::Xxh3;

use self::pairs::Pair;
use self::shares::{Scopes, Shares, Tallies};
use crate::leftover::{Content, Half, Item, Leftover, Words};

/// A page that went over to another design.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page<'a> {
    /// The key of its change.
    pub(super) key: &'a str,
    pub(super) url: &'a str,
    pub(super) leftover: &'a Leftover,
}

/// What the change of a page is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verdict {
    /// There is no other page to compare it with.
    Unknown,
    /// The design.
    Design,
    /// The design, and edits.
    Edited(Vec<report::Edit>),
}

/// A version of a page: the one before the redesign, or the one after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Lost,
    Gained,
}

const SIDES: [Side; 2] = [Side::Lost, Side::Gained];

/// An item of a leftover, as far as the design does not explain it.
#[derive(Debug, Clone)]
struct Rest<'a> {
    item: &'a Item,
    /// For each word, whether it is left; one for a resource.
    left: Vec<bool>,
    /// Whether other pages have the same in other places, as menus have the titles of pages.
    is_elsewhere: bool,
    /// Whether most of the other pages have it too.
    is_shared: bool,
    /// Whether something in it is known to come with the template: the title of another page.
    is_of_design: bool,
}

/// The rest of a page.
#[derive(Debug, Clone)]
struct Remains<'a> {
    page: Page<'a>,
    lost: Vec<Rest<'a>>,
    gained: Vec<Rest<'a>>,
    /// Sentences that were replaced.
    pairs: Vec<Pair>,
}

/// Compares the pages of one redesign. The answer has the verdict of each, by its key.
pub(super) fn judge<'a>(pages: &[Page<'a>]) -> BTreeMap<&'a str, Verdict> {
    let mut pages = pages.to_vec();
    pages.sort_by_key(|page| (page.url, page.key));
    let urls: HashSet<&str> = pages.iter().map(|page| page.url).collect();
    if urls.len() < 2 {
        return pages.iter().map(|page| (page.key, Verdict::Unknown)).collect();
    }
    let scopes = Scopes::of(&pages);
    let mut remains: Vec<Remains<'_>> = pages.iter().map(|page| Remains::of(*page)).collect();
    without_shared_items(&mut remains, &scopes);
    titles::drop_those_of_others(&mut remains);
    titles::drop_lists(&mut remains);
    rewritten::drop_files_that_moved(&mut remains);
    remains.iter_mut().for_each(Remains::pair);
    fragments::drop_shared(&mut remains, &scopes);
    without_places_of_the_design(&mut remains, &scopes);
    remains.iter().map(|remains| (remains.page.key, remains.verdict())).collect()
}

/// Drops items that two thirds of the other pages have too. What a page has in several places, as its title in a menu that
/// all pages have, is dropped only from the places where those pages have it.
fn without_shared_items(remains: &mut [Remains<'_>], scopes: &Scopes) {
    let all = remains.iter().map(|page| {
        let contents =
            SIDES.iter().flat_map(|&side| page.side(side).iter().map(move |rest| (rest, rest.content(side))));
        let hashes = contents.filter_map(|(rest, content)| Some([content?, rest.at_its_place(content?)]));
        hashes.flatten().collect()
    });
    let shares = Shares::of(scopes, all);
    for (at, page) in remains.iter_mut().enumerate() {
        for side in SIDES {
            let contents: Vec<Option<u64>> = page.side(side).iter().map(|rest| rest.content(side)).collect();
            for (rest, content) in page.side_mut(side).iter_mut().zip(&contents) {
                let Some(content) = content.filter(|content| shares.is_shared(scopes, at, *content)) else { continue };
                let is_repeated = contents.iter().filter(|other| **other == Some(content)).count() > 1;
                rest.is_elsewhere = is_repeated && !shares.is_shared(scopes, at, rest.at_its_place(content));
                if !rest.is_elsewhere {
                    rest.left.fill(false);
                    rest.is_shared = true;
                    // A place where all pages have new links is a menu.
                    rest.is_of_design = rest.words().is_none();
                }
            }
        }
    }
}

/// What is in a place where two thirds of the other pages have something of their own too.
fn without_places_of_the_design(remains: &mut [Remains<'_>], scopes: &Scopes) {
    for side in SIDES {
        let own = |page: &Remains<'_>| -> Vec<u32> {
            let left = page.side(side).iter().filter(|rest| rest.is_left() || rest.is_of_design);
            left.flat_map(|rest| &rest.item.places).copied().collect()
        };
        let pages = remains.iter().map(|page| (own(page), &page.half(side).kept));
        let tallies = Tallies::of(scopes, pages);
        for (at, page) in remains.iter_mut().enumerate() {
            for rest in page.side_mut(side).iter_mut().filter(|rest| rest.is_left()) {
                if rest.item.places.iter().any(|place| tallies.is_of_the_design(scopes, at, *place)) {
                    rest.left.fill(false);
                }
            }
        }
    }
}

impl<'a> Remains<'a> {
    fn of(page: Page<'a>) -> Self {
        let rests = |half: &'a Half| half.items.iter().map(Rest::of).collect();
        let Leftover { lost, gained, .. } = page.leftover;
        Self { page, lost: rests(lost), gained: rests(gained), pairs: Vec::new() }
    }

    fn side(&self, side: Side) -> &[Rest<'a>] {
        match side {
            Side::Lost => &self.lost,
            Side::Gained => &self.gained,
        }
    }

    fn side_mut(&mut self, side: Side) -> &mut Vec<Rest<'a>> {
        match side {
            Side::Lost => &mut self.lost,
            Side::Gained => &mut self.gained,
        }
    }

    fn half(&self, side: Side) -> &'a Half {
        match side {
            Side::Lost => &self.page.leftover.lost,
            Side::Gained => &self.page.leftover.gained,
        }
    }

    /// Finds sentences of the newer version that replace those of the older one: the words that both have are not left.
    fn pair(&mut self) {
        self.pairs = pairs::find(&self.lost, &self.gained);
        for Pair { lost, gained, common } in &self.pairs {
            for (older, newer) in common {
                self.lost[*lost].left[*older] = false;
                self.gained[*gained].left[*newer] = false;
            }
        }
    }

    fn verdict(&self) -> Verdict {
        let edits = report::edits(self);
        if edits.is_empty() { Verdict::Design } else { Verdict::Edited(edits) }
    }
}

impl<'a> Rest<'a> {
    fn of(item: &'a Item) -> Self {
        let left = match &item.content {
            Content::Words(words) => words.unknown(),
            Content::Resource { .. } => vec![true],
        };
        Self { item, left, is_elsewhere: false, is_shared: false, is_of_design: false }
    }

    fn is_left(&self) -> bool {
        self.left.contains(&true)
    }

    fn words(&self) -> Option<&'a Words> {
        match &self.item.content {
            Content::Words(words) => Some(words),
            Content::Resource { .. } => None,
        }
    }

    /// What it says and where, by a hash of what it says.
    fn at_its_place(&self, content: u64) -> u64 {
        let place = self.item.places.first().copied().unwrap_or_default();
        content.rotate_left(1) ^ u64::from(place).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// What it says, without numbers; none if it is nothing but numbers.
    fn content(&self, side: Side) -> Option<u64> {
        match &self.item.content {
            Content::Words(words) => {
                let left: Vec<&str> = (0..words.len()).filter(|at| self.left[*at]).map(|at| words.form(at)).collect();
                without_numbers(side, &left)
            }
            Content::Resource { what, url, .. } => Some(hash(side, "resource", [what.as_str(), url])),
        }
    }
}

/// A hash of words with the digits left out; none of nothing but digits.
fn without_numbers(side: Side, words: &[&str]) -> Option<u64> {
    let is_said = words.iter().any(|word| word.chars().any(char::is_alphabetic));
    let masked = words.iter().map(|word| word.replace(|char: char| char.is_numeric(), "0"));
    // The number of digits says nothing.
    let masked: Vec<String> =
        masked.map(|word| if word.chars().all(|char| char == '0') { "0".to_owned() } else { word }).collect();
    is_said.then(|| hash(side, "words", masked.iter().map(String::as_str)))
}

fn hash<'a>(side: Side, sort: &'a str, parts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hasher = Xxh3::with_seed(side as u64);
    for part in std::iter::once(sort).chain(parts) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.digest()
}

#[cfg(test)]
mod tests;
