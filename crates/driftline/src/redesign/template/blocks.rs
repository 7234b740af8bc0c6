//! What are the blocks of a template called? As a style sheet calls them: `nav.navbar`, `div#content`.
//!
//! Hashes tell that two templates differ; names tell a reader in what.

use hashbrown::HashSet;
use xxhash_rust::xxh3::Xxh3;

use crate::page::{NameId, Names};

/// The most names that are kept of a document, the first ones: pages that number their elements have many.
const MOST: usize = 512;
/// The most bytes of a name.
const LONGEST: usize = 80;
/// The most classes in a name.
const MOST_CLASSES: usize = 3;

/// The blocks of a document, being collected.
#[derive(Debug)]
pub(super) struct Blocks {
    id: Option<NameId>,
    class: Option<NameId>,
    /// Elements that were seen, by hashes: most elements of a page are like another one.
    seen: HashSet<u64>,
    names: Vec<Box<str>>,
    label: String,
}

impl Blocks {
    pub(super) fn new(names: &Names) -> Self {
        let (id, class) = (names.find("id"), names.find("class"));
        Self { id, class, seen: HashSet::new(), names: Vec::new(), label: String::new() }
    }

    /// Takes in an element: its tag, the hash of it, and its attributes.
    pub(super) fn add<'a>(&mut self, tag: &str, hash: u64, attributes: impl Iterator<Item = (NameId, &'a str)>) {
        if self.names.len() == MOST {
            return;
        }
        let (mut id, mut classes) = ("", "");
        for (name, value) in attributes {
            if Some(name) == self.id {
                id = value;
            } else if Some(name) == self.class {
                classes = value;
            }
        }
        if self.seen.insert(key(hash, id, classes)) {
            self.write(tag, id, classes);
            // Labels that were cut, or whose classes are only set in another way, may be the same.
            if self.seen.insert(key(0, &self.label, "")) {
                self.names.push(self.label.as_str().into());
            }
        }
    }

    fn write(&mut self, tag: &str, id: &str, classes: &str) {
        self.label.clear();
        self.label.push_str(tag);
        let classes = classes.split_ascii_whitespace().take(MOST_CLASSES);
        let parts = id.split_ascii_whitespace().take(1).map(|id| ('#', id)).chain(classes.map(|class| ('.', class)));
        for (sign, part) in parts {
            self.label.push(sign);
            self.label.push_str(&part[..part.floor_char_boundary(LONGEST)]);
        }
        self.label.truncate(self.label.floor_char_boundary(LONGEST));
    }

    /// The names, sorted.
    pub(super) fn finish(mut self) -> Box<[Box<str>]> {
        self.names.sort_unstable();
        self.names.into()
    }
}

fn key(tag: u64, id: &str, classes: &str) -> u64 {
    if id.is_empty() && classes.is_empty() {
        return tag;
    }
    let mut hasher = Xxh3::with_seed(tag);
    hasher.update(id.as_bytes());
    // In no attribute value of a parsed page.
    hasher.update(b"\0");
    hasher.update(classes.as_bytes());
    hasher.digest()
}
#[cfg(test)]
mod tests {
    use crate::page::ReadOptions;
    use crate::redesign::template::Template;

    fn blocks(html: &str) -> Vec<String> {
        let template = Template::read(html, &ReadOptions::default(), 6);
        template.blocks().filter(|block| !["html", "head", "body"].contains(block)).map(str::to_owned).collect()
    }

    #[test]
    fn an_id_with_a_blank_is_not_an_id_and_a_class() {
        assert_eq!(blocks("<p id='a b' class=c></p><p id=a class='b c'></p>"), ["p#a.b.c", "p#a.c"]);
    }

    #[test]
    fn a_block_is_called_by_its_tag_its_id_and_its_first_classes() {
        let html = "<nav class='a  b\nc d'></nav><div id=x class=y></div><div id=' '></div><p>a<p>b";
        assert_eq!(blocks(html), ["div", "div#x.y", "nav.a.b.c", "p"]);
    }

    #[test]
    fn a_name_is_told_once_and_cut_between_two_letters() {
        let html = format!("<p class='a b'></p><p class='a  b'></p><p id={0}1></p><p id={0}2></p>", "ü".repeat(500));
        assert_eq!(blocks(&html), [format!("p#{}", "ü".repeat(39)), "p.a.b".to_owned()]);
    }

    #[test]
    fn of_very_many_names_the_first_are_kept() {
        let html = (0..5_000).map(|number| format!("<p id=a{number:04}></p>")).collect::<Vec<_>>().concat();
        let kept = blocks(&html);
        assert_eq!((kept.len(), kept.last().map(String::as_str)), (509, Some("p#a0508")));
    }
}
