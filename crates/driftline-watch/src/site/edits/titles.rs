//! Titles of other pages: menus and lists of related pages have them, and follow when a title is edited.

use std::collections::{HashMap, HashSet};

use super::{Remains, Rest, SIDES, Side};
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

/// Drops lists of pages, the links and the sentences that are their texts, where another page has a list in the same place
/// too, or where most links lead to pages of the redesign. A list that one page alone has is an edit: six new documents.
pub(super) fn drop_lists(remains: &mut [Remains<'_>]) {
    let known: HashSet<&str> = remains.iter().map(|page| path_of(page.page.url)).collect();
    for side in SIDES {
        let lists: Vec<HashMap<u32, Vec<&str>>> = remains.iter().map(|page| lists(page, side)).collect();
        let mut pages_with: HashMap<u32, HashSet<&str>> = HashMap::new();
        for (page, lists) in remains.iter().zip(&lists) {
            for place in lists.keys() {
                pages_with.entry(*place).or_default().insert(page.page.url);
            }
        }
        for (page, mut lists) in remains.iter_mut().zip(lists) {
            lists.retain(|place, addresses| {
                let of_pages = addresses.iter().filter(|address| known.contains(path_of(address))).count();
                pages_with.get(place).is_some_and(|pages| pages.len() > 1) || of_pages * 2 > addresses.len()
            });
            drop_links(page, side, &lists);
        }
    }
}

/// The addresses of each list of a page, by its place.
fn lists<'a>(page: &Remains<'a>, side: Side) -> HashMap<u32, Vec<&'a str>> {
    let mut lists: HashMap<u32, Vec<&str>> = HashMap::new();
    for Link { place, url, .. } in page.side(side).iter().filter_map(|rest| of_list(rest, page.page.url)) {
        lists.entry(place).or_default().push(url);
    }
    lists.retain(|_, addresses| addresses.len() >= LEAST_OF_LIST);
    lists
}

/// Drops the links in some places, and the sentences in their elements that are their texts.
fn drop_links(page: &mut Remains<'_>, side: Side, places: &HashMap<u32, Vec<&str>>) {
    let url = page.page.url;
    let is_dropped = |rest: &Rest<'_>| of_list(rest, url).is_some_and(|link| places.contains_key(&link.place));
    let mut texts: HashMap<Vec<&str>, Vec<&str>> = HashMap::new();
    for rest in page.side(side).iter().filter(|rest| is_dropped(rest)) {
        if let Some(link) = of_list(rest, url) {
            texts.entry(words_of(link.text)).or_default().push(&rest.item.selector);
        }
    }
    for rest in page.side_mut(side).iter_mut().filter(|rest| rest.item.selector != TITLE) {
        let is_listed = match &rest.item.content {
            Content::Words(words) => {
                let forms: Vec<&str> = (0..words.len()).map(|at| words.form(at)).collect();
                let own = &rest.item.selector;
                let mut links = texts.get(&forms).into_iter().flatten();
                links.any(|link| is_around(own, link) || is_around(link, own))
            }
            Content::Resource { .. } => is_dropped(rest),
        };
        if is_listed {
            rest.left.fill(false);
            rest.is_of_design = true;
        }
    }
}

/// Whether an element is another one or around it, by their selectors.
fn is_around(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// An address without its scheme and host.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |path| &rest[path..])
}

/// A link to a page of the same site.
struct Link<'a> {
    place: u32,
    url: &'a str,
    text: &'a str,
}

/// An item as a link to a page of the same site.
fn of_list<'a>(rest: &Rest<'a>, page: &str) -> Option<Link<'a>> {
    let Content::Resource { what, url, text } = &rest.item.content else { return None };
    let host = |url: &'a str| url.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next());
    let own = page.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next());
    let is_own = if url.contains("://") { host(url) == own } else { url.starts_with('/') };
    let place = *rest.item.places.first()?;
    (what == LINK && is_own && !text.is_empty()).then_some(Link { place, url, text })
}

fn words_of(text: &str) -> Vec<&str> {
    text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn titles_of<'a>(page: &Remains<'a>) -> impl Iterator<Item = &'a [String]> + use<'a> {
    let leftover = page.page.leftover;
    let all = leftover.lost.titles.iter().chain(&leftover.gained.titles);
    all.map(Vec::as_slice).filter(|title| !title.is_empty())
}
