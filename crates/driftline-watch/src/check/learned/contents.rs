//! The contents of elements that flicker: the words of an advertisement, or the address of its picture. By them it is
//! known in another design of its page, where its selector matches nothing.

use driftline::change::Sides;
use driftline::page::zone::Selector;
use driftline::page::{NodeId, Page, Selectors, Source};
use xxhash_rust::xxh3::Xxh3;

use super::reading::Answer;
use crate::check::work::Work;

/// An element with fewer words says nothing that only it says.
const LEAST_WORDS: usize = 3;
/// An element with more words is not looked up by them.
const MOST_WORDS: usize = 100;
/// Contents that are remembered for one watch.
const MOST_CONTENTS: usize = 32;

/// Remembers the content of an element, as the newest one.
pub(super) fn note(contents: &mut Vec<u64>, page: &Page, node: NodeId) {
    let words: Vec<&str> = page.words().collect();
    let Some(content) = content(page, node, &words) else { return };
    contents.retain(|known| *known != content);
    if contents.len() == MOST_CONTENTS {
        contents.remove(0);
    }
    contents.push(content);
}

/// The outermost elements of a page with one of these contents.
pub(super) fn known(contents: &[u64], page: &Page) -> Vec<NodeId> {
    let words: Vec<&str> = page.words().collect();
    let mut found: Vec<NodeId> = Vec::new();
    for node in page.node_ids() {
        let is_inside = found.last().is_some_and(|last| node <= page.nodes()[last.index()].last);
        if !is_inside && content(page, node, &words).is_some_and(|content| contents.contains(&content)) {
            found.push(node);
        }
    }
    found
}

/// The selectors of elements that have one of these contents on both versions.
pub(super) fn folds(
    contents: &[u64],
    sources: Sides<Source<'_>>,
    ignore: &[Selector],
    work: &mut Work,
) -> Vec<Selector> {
    if contents.is_empty() {
        return Vec::new();
    }
    let newer = Answer::read(sources.newer, ignore, &[], work);
    let named = Selectors::of(newer.page());
    let nodes = known(contents, newer.page());
    let selectors: Vec<Selector> = nodes.into_iter().filter_map(|node| named.selector(node).parse().ok()).collect();
    let answers = [sources.older, sources.newer].map(|source| Answer::read(source, ignore, &selectors, work));
    let has_known = |answer: &Answer, at: usize| {
        let words: Vec<&str> = answer.page().words().collect();
        let found = answer.nodes(at);
        found.len() == 1 && content(answer.page(), found[0], &words).is_some_and(|it| contents.contains(&it))
    };
    let is_folded = |at: &usize| answers.iter().all(|answer| has_known(answer, *at));
    (0..selectors.len()).filter(is_folded).map(|at| selectors[at].clone()).collect()
}

/// A digest of the words of an element, or of its addresses if it has no words; none of other elements.
fn content(page: &Page, node: NodeId, words: &[&str]) -> Option<u64> {
    let words = words.get(page.nodes()[node.index()].words.range())?;
    let addresses = || {
        let all = page.attributes(node).filter(|(name, value)| matches!(*name, "src" | "href") && !value.is_empty());
        all.map(|(_, value)| value.split(['?', '#']).next().unwrap_or_default())
    };
    let mut hasher = Xxh3::new();
    let mut add = |text: &str| {
        hasher.update(text.as_bytes());
        hasher.update(&[0]);
    };
    match words.len() {
        0 if addresses().next().is_some() => {
            add(page.tag(node));
            addresses().for_each(&mut add);
        }
        LEAST_WORDS..=MOST_WORDS => words.iter().for_each(|word| add(word)),
        _ => return None,
    }
    Some(hasher.digest())
}
