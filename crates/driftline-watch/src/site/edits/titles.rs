//! Titles of other pages: menus and lists of related pages have them, and follow when a title is edited.

use std::collections::{HashMap, HashSet};

use super::{Remains, Rest, SIDES};
use crate::leftover::{Content, TITLE};

/// This many links to pages of the same site that are new in one place, or were lost there, are a list of pages. It belongs to
/// the design, also while most of its pages were not seen in that design.
const LEAST_OF_LIST: usize = 6;
/// The name of links.
const LINK: &str = "link";

/// A title with fewer words is looked for only as all of a sentence.
const LEAST_WORDS: usize = 2;

/// The titles of all pages by their first word, each with the address of its page.
type Titles<'a> = HashMap<&'a str, Vec<(&'a [String], &'a str)>>;

/// Drops the titles of other pages, links with such a text, and links of a page to itself.
pub(super) fn drop_those_of_others(remains: &mut [Remains<'_>]) {
    let mut titles = Titles::new();
    for page in remains.iter() {
        for title in titles_of(page) {
            titles.entry(&title[0]).or_default().push((title, page.page.url));
        }
    }
    for page in remains.iter_mut() {
        let own: HashSet<&[String]> = titles_of(page).collect();
        let url = page.page.url;
        let find = |words: &[&str], at: usize| {
            let candidates = titles.get(words[at]).into_iter().flatten();
            let fits = |(title, of): &&(&[String], &str)| {
                let is_there = words[at..].iter().zip(*title).all(|(word, other)| word == other)
                    && (title.len() == words.len() || title.len() >= LEAST_WORDS && words.len() - at >= title.len());
                is_there && *of != url && !own.contains(title)
            };
            candidates.filter(fits).map(|(title, _)| title.len()).max()
        };
        for rest in page.lost.iter_mut().chain(&mut page.gained).filter(|rest| rest.item.selector != TITLE) {
            match &rest.item.content {
                Content::Words(words) => {
                    let forms: Vec<&str> = (0..words.len()).map(|at| words.form(at)).collect();
                    for at in 0..forms.len() {
                        if let Some(length) = find(&forms, at) {
                            rest.left[at..at + length].fill(false);
                            rest.is_of_design = true;
                        }
                    }
                }
                Content::Resource { url: to, .. } if to == url => {
                    rest.left.fill(false);
                    rest.is_of_design = true;
                }
                Content::Resource { text, .. } => {
                    let words = words_of(text);
                    if (0..words.len()).any(|at| find(&words, at).is_some()) {
                        rest.left.fill(false);
                        rest.is_of_design = true;
                    }
                }
            }
        }
    }
}

/// Drops lists of pages: the links, and the sentences that are their texts.
pub(super) fn drop_lists(remains: &mut [Remains<'_>]) {
    for page in remains.iter_mut() {
        let url = page.page.url;
        for side in SIDES {
            let mut by_place: HashMap<u32, Vec<&str>> = HashMap::new();
            for (place, text) in page.side(side).iter().filter_map(|rest| of_list(rest, url)) {
                by_place.entry(place).or_default().push(text);
            }
            by_place.retain(|_, texts| texts.len() >= LEAST_OF_LIST);
            let texts: HashSet<Vec<&str>> = by_place.values().flatten().map(|text| words_of(text)).collect();
            for rest in page.side_mut(side).iter_mut().filter(|rest| rest.item.selector != TITLE) {
                let is_listed = match &rest.item.content {
                    Content::Words(words) => {
                        let forms: Vec<&str> = (0..words.len()).map(|at| words.form(at)).collect();
                        texts.contains(&forms)
                    }
                    Content::Resource { .. } => {
                        of_list(rest, url).is_some_and(|(place, _)| by_place.contains_key(&place))
                    }
                };
                if is_listed {
                    rest.left.fill(false);
                    rest.is_of_design = true;
                }
            }
        }
    }
}

/// The place and the text of a link to a page of the same site.
fn of_list<'a>(rest: &Rest<'a>, page: &str) -> Option<(u32, &'a str)> {
    let Content::Resource { what, url, text } = &rest.item.content else { return None };
    let host = |url: &'a str| url.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next());
    let own = page.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next());
    let is_own = if url.contains("://") { host(url) == own } else { url.starts_with('/') };
    (what == LINK && is_own && !text.is_empty()).then_some((*rest.item.places.first()?, text))
}

fn words_of(text: &str) -> Vec<&str> {
    text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn titles_of<'a>(page: &Remains<'a>) -> impl Iterator<Item = &'a [String]> + use<'a> {
    let leftover = page.page.leftover;
    let all = leftover.lost.titles.iter().chain(&leftover.gained.titles);
    all.map(Vec::as_slice).filter(|title| !title.is_empty())
}
