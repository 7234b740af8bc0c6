//! The leftover of a change to another template, made while both versions are at hand.
//!
//! A sentence that both versions have is not left over, wherever it is, and neither is one that a version only repeats: the
//! title of a page in its breadcrumb, say. The same holds for runs of at least four words, and for whole sentences of the
//! other version, within a longer sentence.

mod copies;
mod flicker;
mod places;
mod sentences;

use std::collections::{BTreeMap, HashMap, HashSet};

use driftline::change::{Change, Sides};
use driftline::page::{BodyKind, NodeId, Page, ReadOptions, Selectors};
use driftline::region::importance::Places as Importances;
use driftline::region::{ResourceChange, ResourceFate, resource_nodes};
use driftline_report::summary::resources::is_shown;
use xxhash_rust::xxh3::Xxh3;

use self::copies::Copies;
pub(super) use self::flicker::Flickering;
use self::places::Places;
use self::sentences::Sentence;
use super::CheckError;
use super::counts::Looked;
use crate::leftover::{Content, Half, Item, Leftover, TITLE, Words};
use crate::watches::Watch;

/// The most sentences and links of a version that are compared with those of other pages.
const MOST_ITEMS: usize = 1_000;

/// One version of a page.
struct Version<'a> {
    page: &'a Page,
    /// The title, read as a text.
    title: Option<Page>,
    is_newer: bool,
    flickering: &'a Flickering,
}

/// What of a change is left over. What changes by itself is not.
pub(super) fn leftover(
    watch: &Watch,
    pages: Sides<&Page>,
    change: &Change,
    flickering: &Sides<Flickering>,
) -> Result<Leftover, CheckError> {
    let looked = Looked::of(watch, pages)?;
    let has_title = change.title.is_some() || pages.older.title() == pages.newer.title();
    let version = |page, is_newer, flickering| {
        let title = has_title.then(|| title(page));
        Version { page, title, is_newer, flickering }
    };
    let older = version(pages.older, false, &flickering.older);
    let newer = version(pages.newer, true, &flickering.newer);
    let (lost, gained) = (older.sentences(), newer.sentences());
    let resources: Vec<&ResourceChange> = change.resources.iter().filter(|it| is_shown(it.what)).collect();
    let lost_half = older.half(&lost, &Copies::of(&gained), &resources, &looked);
    let gained_half = newer.half(&gained, &Copies::of(&lost), &resources, &looked);
    Ok(Leftover::new(lost_half, gained_half))
}

fn title(page: &Page) -> Page {
    Page::read(page.title(), &ReadOptions { kind: Some(BodyKind::Text), ..ReadOptions::default() })
}

impl Version<'_> {
    /// The sentences of the page, those of the title last.
    fn sentences(&self) -> Vec<Sentence<'_>> {
        let mut all = sentences::of(self.page);
        let of_title = self.title.iter().flat_map(sentences::of);
        all.extend(of_title.map(|sentence| Sentence { is_title: true, node: None, ..sentence }));
        all
    }

    fn half(
        &self,
        sentences: &[Sentence<'_>],
        other: &Copies<'_>,
        resources: &[&ResourceChange],
        looked: &Looked<'_>,
    ) -> Half {
        let places = Places::of(self.page);
        let mut half = Half::default();
        let mut seen: HashMap<&[&str], usize> = HashMap::new();
        let (mut importances, selectors) = (Importances::new(self.page), Selectors::of(self.page));
        for (sentence, at) in sentences.iter().zip(places.of_sentences(sentences)) {
            half.paths.extend(at.first());
            if sentence.is_title {
                half.titles.push(sentence.forms.iter().map(|word| (*word).to_owned()).collect());
            }
            let selector = || sentence.node.map_or_else(String::new, |node| selectors.selector(node));
            let occurrence = seen.entry(&sentence.forms).or_insert(0_usize);
            *occurrence += 1;
            let known = other.known(sentence);
            let is_copy = other.count(sentence) > 0;
            if is_copy && (*occurrence <= other.count(sentence) || sentence.is_title) {
                keep(&mut half.kept, &at);
                continue;
            }
            match self.of_sentence(sentence, &at, &known, &mut importances, selector, looked) {
                // The other version may have only a part of it in this place.
                Some(item) if item.is_left() || is_copy => {
                    half.items.extend((half.items.len() < MOST_ITEMS).then_some(item));
                }
                _ => keep(&mut half.kept, &at),
            }
        }
        self.add_resources(&mut half, &places, resources, &mut importances, looked);
        half.paths.sort_unstable();
        half.paths.dedup();
        half
    }

    /// The item of a sentence with those of its words that the other version has; none if nothing in it counts.
    fn of_sentence(
        &self,
        sentence: &Sentence<'_>,
        places: &[u32],
        known: &[bool],
        importances: &mut Importances<'_>,
        selector: impl Fn() -> String,
        looked: &Looked<'_>,
    ) -> Option<Item> {
        let numbers = || sentence.first..sentence.first + sentence.forms.len();
        let counts = |at: usize| {
            let word = sentence.first + at;
            sentence.is_title || looked.word(self.is_newer, word) && !self.flickering.has_word(word)
        };
        let is_known = |at: usize| known[at] || !counts(at);
        let unknown: Vec<u32> =
            numbers().enumerate().filter(|(at, _)| !is_known(*at)).map(|(_, word)| word as u32).collect();
        if !numbers().enumerate().any(|(at, _)| counts(at)) {
            return None;
        }
        let (importance, is_looked_for, selector) = if sentence.is_title {
            (Importances::title(), looked.title(sentence.text), TITLE.to_owned())
        } else {
            (importances.words(&unknown), looked.sentence(self.is_newer, numbers()), selector())
        };
        Some(Item {
            selector,
            places: places.to_vec(),
            importance: importance.score,
            why: importance.why(),
            is_ignored: !is_looked_for || !looked.is_enough(importance.score),
            content: Content::Words(Words {
                text: sentence.text.to_owned(),
                spans: sentence.spans.clone(),
                forms: if sentence.is_written() {
                    Vec::new()
                } else {
                    sentence.forms.iter().map(|it| (*it).to_owned()).collect()
                },
                known: (0..sentence.forms.len()).filter(|at| is_known(*at)).map(|at| at as u32).collect(),
            }),
        })
    }

    fn add_resources(
        &self,
        half: &mut Half,
        places: &Places,
        resources: &[&ResourceChange],
        importances: &mut Importances<'_>,
        looked: &Looked<'_>,
    ) {
        let fate = if self.is_newer { ResourceFate::Gained } else { ResourceFate::Lost };
        let is_own = |resource: &&&ResourceChange| resource.kind == fate && !self.flickering.has_node(resource.node);
        let own: Vec<&&ResourceChange> = resources.iter().filter(is_own).collect();
        let others = resources.iter().filter(|resource| resource.kind != fate);
        let addresses: HashSet<_> = others.map(|resource| (resource.what, address(&resource.url))).collect();
        let nodes: HashSet<NodeId> = own.iter().map(|resource| resource.node).collect();
        for (node, ..) in resource_nodes(self.page).filter(|(node, ..)| !nodes.contains(node)) {
            keep(&mut half.kept, &places.of_resource(node));
        }
        // Those that are only written otherwise are no others.
        let lone = own.into_iter().filter(|resource| !addresses.contains(&(resource.what, address(&resource.url))));
        half.items.extend(lone.take(MOST_ITEMS).map(|resource| {
            let importance = importances.resource(resource);
            Item {
                selector: resource.selector.clone(),
                places: places.of_resource(resource.node),
                importance: importance.score,
                why: importance.why(),
                is_ignored: !looked.resource(resource) || !looked.is_enough(importance.score),
                content: Content::Resource {
                    what: resource.what.name().to_owned(),
                    url: resource.url.clone(),
                    text: resource.text.clone(),
                },
            }
        }));
    }
}

fn keep(kept: &mut BTreeMap<u32, u32>, places: &[u32]) {
    for place in places {
        *kept.entry(*place).or_default() += 1;
    }
}

/// An address without what two ways to write it differ in: the scheme, `www.`, a slash at the end.
fn address(url: &str) -> &str {
    let bare = url.strip_prefix("https:").or_else(|| url.strip_prefix("http:")).unwrap_or(url);
    let bare = bare.strip_prefix("//").map_or(bare, |rest| rest.strip_prefix("www.").unwrap_or(rest));
    bare.strip_suffix('/').unwrap_or(bare)
}

/// A hash of words, each apart from the next.
fn hash<'a>(words: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hasher = Xxh3::new();
    for word in words {
        hasher.update(&(word.len() as u64).to_le_bytes());
        hasher.update(word.as_bytes());
    }
    hasher.digest()
}

#[cfg(test)]
mod tests;
