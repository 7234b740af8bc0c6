//! What went from a site's template, and what came? Blocks by name, for those who are told of a redesign.
//!
//! Contents differ from document to document, so a block belongs to the template of some documents only if
//! it stands in more than half of them. It **went** if it belongs to the older template and stands in no
//! more than a quarter of the newer documents, and **came** the other way round: a block that half of the
//! documents have on both sides is neither.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Template;

/// How the templates of two groups of documents differ.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Difference {
    /// Blocks of the older template that the newer documents do not have, such as `nav.navbar`: those that
    /// shape a page first, then in alphabetical order.
    pub went: Vec<String>,
    /// Blocks of the newer template that the older documents do not have, in the same order.
    pub came: Vec<String>,
    /// How many blocks belong to both templates.
    pub stayed: usize,
    /// The same for tag shingles, which have no names.
    pub shingles: ShingleCounts,
}

/// How many tag shingles went and came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ShingleCounts {
    /// Belonged to the older template only.
    pub went: usize,
    /// Belong to the newer template only.
    pub came: usize,
    /// Belong to both.
    pub stayed: usize,
}

impl Difference {
    /// Compares the documents before with the documents after.
    #[must_use]
    pub fn between(older: &[&Template], newer: &[&Template]) -> Self {
        let mut difference = Self::default();
        for (block, fate) in fates(older, newer, Template::blocks) {
            match fate {
                Fate::Went => difference.went.push(block.to_owned()),
                Fate::Came => difference.came.push(block.to_owned()),
                Fate::Stayed => difference.stayed += 1,
            }
        }
        difference.went.sort_by_key(|block| rank(block));
        difference.came.sort_by_key(|block| rank(block));
        for (_, fate) in fates(older, newer, |template| template.shingles.iter()) {
            match fate {
                Fate::Went => difference.shingles.went += 1,
                Fate::Came => difference.shingles.came += 1,
                Fate::Stayed => difference.shingles.stayed += 1,
            }
        }
        difference
    }
}

/// What became of a part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Went,
    Came,
    Stayed,
}

/// What became of each part that belongs to a template, in order.
fn fates<'a, Part: Ord, Parts: Iterator<Item = Part>>(
    older: &[&'a Template],
    newer: &[&'a Template],
    parts: impl Fn(&'a Template) -> Parts,
) -> impl Iterator<Item = (Part, Fate)> {
    let documents = [older.len(), newer.len()];
    let mut counts: BTreeMap<Part, [usize; 2]> = BTreeMap::new();
    for (side, templates) in [older, newer].into_iter().enumerate() {
        for part in templates.iter().flat_map(|template| parts(template)) {
            counts.entry(part).or_default()[side] += 1;
        }
    }
    let belongs = move |side: usize, count: usize| 2 * count > documents[side];
    let is_rare = move |side: usize, count: usize| 4 * count <= documents[side];
    counts.into_iter().filter_map(move |(part, [before, after])| {
        let fate = match () {
            () if belongs(0, before) && belongs(1, after) => Fate::Stayed,
            () if belongs(0, before) && is_rare(1, after) => Fate::Went,
            () if belongs(1, after) && is_rare(0, before) => Fate::Came,
            () => return None,
        };
        Some((part, fate))
    })
}

/// Elements that shape a page, as they usually follow each other on it.
const LANDMARKS: [&str; 10] =
    ["body", "header", "nav", "main", "article", "section", "aside", "footer", "form", "dialog"];

/// Where a block stands in a list: landmarks first.
fn rank(block: &str) -> usize {
    let tag = block.split(['#', '.']).next().unwrap_or_default();
    LANDMARKS.iter().position(|landmark| *landmark == tag).unwrap_or(LANDMARKS.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::ReadOptions;

    fn template(html: &str) -> Template {
        Template::read(html, &ReadOptions::default(), Template::SHINGLE_LENGTH)
    }

    fn between(older: &[&str], newer: &[&str]) -> Difference {
        let [older, newer] = [older, newer].map(|side| side.iter().map(|html| template(html)).collect::<Vec<_>>());
        Difference::between(&older.iter().collect::<Vec<_>>(), &newer.iter().collect::<Vec<_>>())
    }

    #[test]
    fn blocks_that_went_and_came_are_named_landmarks_first() {
        let older = ["<div id=a><table class='grid wide'></table></div><nav class=top></nav><p>x"; 3];
        let newer = ["<header></header><main id=a></main><p>x"; 3];
        let difference = between(&older, &newer);
        assert_eq!(difference.went, ["nav.top", "div#a", "table.grid.wide"]);
        assert_eq!(difference.came, ["header", "main#a"]);
        assert_eq!(difference.stayed, 4, "html, head, body, p");
        assert!(difference.shingles.went > 0 && difference.shingles.came > 0);
    }

    #[test]
    fn what_a_document_has_for_itself_is_not_part_of_the_template() {
        let difference = between(&["<p>a", "<p>b", "<p>c<ul>"], &["<p>a", "<p id=x>b", "<p>c"]);
        assert_eq!((difference.went.len(), difference.came.len()), (0, 0));
    }

    #[test]
    fn what_half_of_the_documents_have_on_both_sides_neither_went_nor_came() {
        let difference = between(&["<p>a<ul>", "<p>b<ul>", "<p>c"], &["<p>a<ul>", "<p>b", "<p>c"]);
        assert_eq!((difference.went.len(), difference.came.len()), (0, 0));
        let difference = between(&["<p>a<ul>", "<p>b<ul>", "<p>c"], &["<p>a", "<p>b", "<p>c"]);
        assert_eq!(difference.went, ["ul"]);
    }

    #[test]
    fn nothing_has_no_template() {
        assert_eq!(Difference::between(&[], &[]), Difference::default());
        let all = between(&[], &["<p>a"]);
        assert_eq!((all.went.len(), all.came.len(), all.stayed), (0, 4, 0));
    }
}
