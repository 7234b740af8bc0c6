//! Titles of other pages: menus and lists of related pages have them, and follow when a title is edited.

use std::collections::{HashMap, HashSet};

use super::Remains;
use crate::leftover::{Content, TITLE};

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
                    let words = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
                    let words: Vec<&str> = words.collect();
                    if (0..words.len()).any(|at| find(&words, at).is_some()) {
                        rest.left.fill(false);
                        rest.is_of_design = true;
                    }
                }
            }
        }
    }
}

fn titles_of<'a>(page: &Remains<'a>) -> impl Iterator<Item = &'a [String]> + use<'a> {
    let leftover = page.page.leftover;
    let all = leftover.lost.titles.iter().chain(&leftover.gained.titles);
    all.map(Vec::as_slice).filter(|title| !title.is_empty())
}
