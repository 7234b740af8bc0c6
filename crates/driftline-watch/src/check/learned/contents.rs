//! The contents of elements that flicker: the words of an advertisement, or the address of its picture. By them it is
//! known in another design of its page, where its selector matches nothing.

use driftline::page::{NodeId, Page};
use xxhash_rust::xxh3::Xxh3;

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
