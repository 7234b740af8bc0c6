//! Did the page change at all, and in what? Asked of a tree that driftline did not build.
//!
//! A detector misses nothing if it reports a change exactly when this does (rule S10). So nothing
//! here is driftline's: scraper's tree, lists of words, tags and attributes, and `!=`.
//!
//! The golden cases settle what the rule leaves open: an attribute counts by its place only while
//! the tags are the same (else every new `<p>` would shift them all), and words have changed their
//! places only if words and tags are otherwise the same. They do not settle whether the head
//! counts; as in rule S1, a node is an element of the whole document. Two things never count: the
//! order of attributes within one tag, which no browser shows, and the title's words.

use std::borrow::Cow;

use ego_tree::NodeRef;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, QualName, parse_document};
use scraper::node::Element;
use scraper::{Html, HtmlTreeSink, Node};

/// In which ways two pages differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "four independent answers of rule S10")]
pub struct Truth {
    /// The body's words in reading order.
    pub content: bool,
    /// The sequence of start and end tags.
    pub structure: bool,
    /// Names and values of attributes: element by element if the structure is the same, else as a bag.
    pub attributes: bool,
    /// The same words and the same tags, but words stand between other tags.
    pub placement: bool,
}

impl Truth {
    /// Do they differ?
    #[must_use]
    pub fn any(self) -> bool {
        self.content || self.structure || self.attributes || self.placement
    }
}

/// What is true of two bodies of HTML.
#[must_use]
pub fn truth(older: &[u8], newer: &[u8]) -> Truth {
    let (older, newer) = (Seen::on(older), Seen::on(newer));
    let content = !older.words().eq(newer.words());
    let structure = !older.tags().eq(newer.tags());
    let mut attributes = [older.attributes, newer.attributes];
    if structure {
        for attribute in attributes.iter_mut().flatten() {
            attribute.0 = 0;
        }
        attributes.iter_mut().for_each(|attributes| attributes.sort_unstable());
    }
    Truth {
        content,
        structure,
        attributes: attributes[0] != attributes[1],
        placement: !content && !structure && older.pieces != newer.pieces,
    }
}

/// A tag or a word.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Start(String),
    End,
    Word(String),
}

/// What stands on a page, in document order.
#[derive(Debug, Default)]
struct Seen {
    pieces: Vec<Piece>,
    elements: usize,
    /// The number of the element, name and value; those of one element in the order of the alphabet.
    attributes: Vec<(usize, String, String)>,
}

/// What the walk does next.
enum Step<'a> {
    Enter(NodeRef<'a, Node>, Words),
    Leave,
}

/// Whether words count where the walk is.
#[derive(Clone, Copy, PartialEq)]
enum Words {
    Counted,
    Ignored,
}

impl Seen {
    fn on(bytes: &[u8]) -> Self {
        let mut options = ParseOpts::default();
        options.tree_builder.scripting_enabled = false;
        let sink = HtmlTreeSink::new(Html::new_document());
        let document = parse_document(sink, options).one(&*decoded(bytes));
        let mut seen = Self::default();
        let mut steps = vec![Step::Enter(document.tree.root(), Words::Ignored)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(node, words) => seen.enter(node, words, &mut steps),
                Step::Leave => seen.pieces.push(Piece::End),
            }
        }
        seen
    }

    fn enter<'a>(&mut self, node: NodeRef<'a, Node>, mut words: Words, steps: &mut Vec<Step<'a>>) {
        match node.value() {
            Node::Text(text) if words == Words::Counted => {
                self.pieces.extend(text.split_whitespace().map(|word| Piece::Word(word.to_owned())));
            }
            Node::Element(element) => {
                let tag = element.name().to_ascii_lowercase();
                self.elements += 1;
                let number = self.elements;
                self.attributes.extend(attributes(element).into_iter().map(|(name, value)| (number, name, value)));
                steps.push(Step::Leave);
                match &*tag {
                    "body" => words = Words::Counted,
                    "script" | "style" | "template" => words = Words::Ignored,
                    _ => {}
                }
                let is_template = tag == "template";
                self.pieces.push(Piece::Start(tag));
                if is_template {
                    return;
                }
            }
            _ => {}
        }
        let first = steps.len();
        steps.extend(node.children().map(|child| Step::Enter(child, words)));
        steps[first..].reverse();
    }

    fn words(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(|piece| matches!(piece, Piece::Word(_)))
    }

    fn tags(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(|piece| !matches!(piece, Piece::Word(_)))
    }
}

fn attributes(element: &Element) -> Vec<(String, String)> {
    let full = |name: &QualName| match &name.prefix {
        Some(prefix) => format!("{prefix}:{}", &*name.local),
        None => name.local.to_string(),
    };
    let mut attributes: Vec<_> = element.attrs.iter().map(|(name, value)| (full(name), value.to_string())).collect();
    attributes.sort_unstable();
    attributes
}

/// The text by its mark, else by what it declares, else as UTF-8 if it is, else as most of the rest.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let mark = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let likely = || if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 };
    mark.or_else(|| declared(bytes)).unwrap_or_else(likely).decode(bytes).0
}

/// The first `charset=` within the first 1,024 bytes.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_ascii_lowercase();
    let (_, behind) = start.split_once("charset=")?;
    let label = behind.trim_start_matches(['"', '\'']).split(['"', '\'', '>', ' ', ';', '/']).next()?;
    Encoding::for_label(label.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_truth(older: &str, newer: &str, [content, structure, attributes, placement]: [bool; 4]) {
        let found = truth(older.as_bytes(), newer.as_bytes());
        assert_eq!(found, Truth { content, structure, attributes, placement });
        assert_eq!(found.any(), content || structure || attributes || placement);
        assert!(!truth(older.as_bytes(), older.as_bytes()).any());
    }

    #[test]
    fn text_of_scripts_and_comments_and_what_a_template_holds_do_not_count() {
        let page = |script: &str, held: &str| {
            format!("<p>a<!--{script}--><script>{script}</script><template>{held}</template><style>{script}</style>")
        };
        assert_truth(&page("x", "<b>c</b>"), &page("y", "d"), [false; 4]);
    }

    #[test]
    fn an_attribute_of_another_element_is_another_attribute() {
        assert_truth("<ul id=x></ul><ul></ul>", "<ul></ul><ul id=x></ul>", [false, false, true, false]);
    }

    #[test]
    fn what_stands_in_noscript_is_markup() {
        assert_truth(
            "<noscript><img src=a></noscript>",
            "<noscript><img src=b></noscript>",
            [false, false, true, false],
        );
        assert_truth("<p><noscript>a</noscript>", "<p><noscript><b>a</b></noscript>", [false, true, false, false]);
    }

    #[test]
    fn the_head_counts_by_tags_and_attributes_but_not_by_words() {
        assert_truth("<title>a</title><p>b", "<title>c</title><p>b", [false; 4]);
        assert_truth("<meta name=a><p>b", "<meta name=c><p>b", [false, false, true, false]);
    }

    #[test]
    fn attributes_of_one_tag_have_no_order() {
        assert_truth("<p id=a class=b>c", "<p class=b id=a>c", [false; 4]);
        assert_truth("<p id=a>c<p id=b>c", "<p id=b>c<p id=a>c", [false, false, true, false]);
    }

    #[test]
    fn words_that_only_change_their_tag_are_placed_anew() {
        assert_truth("<p>a<p>b c", "<p>a b<p>c", [false, false, false, true]);
        assert_truth("<p>a b", "<p>a\n b ", [false; 4]);
    }

    #[test]
    fn a_declared_charset_is_obeyed() {
        let page = |charset: &str, word: &[u8]| [b"<meta charset='", charset.as_bytes(), b"'><p>", word].concat();
        let found = truth(&page("euc-kr", b"\xc7\xd1"), &page("utf-8", "한".as_bytes()));
        assert_eq!(found, Truth { attributes: true, ..Truth::default() });
    }

    #[test]
    fn two_thousand_nested_elements_are_walked() {
        let deep = "<div>".repeat(2_000);
        assert_truth(&deep, &format!("{deep}a"), [true, false, false, false]);
    }
}
