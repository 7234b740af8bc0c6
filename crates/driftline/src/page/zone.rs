//! Which parts of a page does the user care about? Those that CSS selectors point at.
//!
//! A page is watched for its news or its prices, seldom for its clock and its advertisements.
//! Selectors, because a browser's "copy selector" writes them. *Zones* are measured; what is
//! *ignored* is taken out of them. Both are decided on the tree, before a word is read.

use std::fmt;
use std::str::FromStr;

use cssparser::{BasicParseErrorKind, Delimiter, ParseError, ParseErrorKind, Parser, Token};
use selectors::SelectorList;
use selectors::context::{MatchingContext, SelectorCaches};
use selectors::matching::matches_selector_list;
use selectors::parser::{Selector as Alternative, SelectorParseErrorKind as Syntax};

use serde::{Deserialize, Serialize};

use super::tree::{Tree, TreeId};
use crate::written::written_as_text;

mod element;
mod find;

#[cfg(test)]
pub(crate) use element::in_order;
use element::{Css, Dialect, MOST_STEPS, Page, behind, check};
pub(crate) use find::{Matches, find};

/// A CSS selector list, e.g. `main, #news > li:not(.ad)`.
///
/// Case matters in ids, classes and attribute values, but not in names of elements and attributes.
#[derive(Debug, Clone)]
pub struct Selector {
    text: Box<str>,
    alternatives: SelectorList<Css>,
    /// The parts that the matcher decides without looking at the page.
    silent: usize,
}

impl Selector {
    /// The longest text that is read, in bytes.
    pub const MOST_BYTES: usize = 10_000;
    /// The deepest nesting of parentheses and brackets: nobody writes four, and each costs stack.
    pub const MOST_NESTING: u8 = 32;
    /// The most steps (spaces, `>`, `+`, `~`) between two commas: each costs stack while matching.
    pub const MOST_STEPS: usize = 256;

    /// Reads a selector list.
    ///
    /// # Errors
    ///
    /// If the text is not a selector, or asks for more than a saved page can answer (`:hover`).
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        if text.len() > Self::MOST_BYTES {
            return Err(SelectorError::TooLong { bytes: text.len() });
        }
        let start = text.trim_start();
        if start.starts_with('/') && !start.starts_with("/*") {
            let cure = "this looks like XPath; write it in CSS: `main p`, not `//main//p`";
            return Err(SelectorError::Unreadable { column: 1, seen: text.trim().into(), cure });
        }
        let mut input = Parser::new(text);
        input.set_nested_block_limit(Self::MOST_NESTING);
        let (first, mut silent) = parse_alternative(&mut input, text)?;
        let mut alternatives = vec![first];
        while let Ok(Token::Comma) = input.next() {
            let (alternative, its_silent) = parse_alternative(&mut input, text)?;
            alternatives.push(alternative);
            silent += its_silent;
        }
        Ok(Self { text: text.into(), alternatives: SelectorList::from_iter(alternatives.into_iter()), silent })
    }

    /// The text that was read.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Selector {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        Self::parse(text)
    }
}

written_as_text!(Selector);

/// Why a text is not a selector that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectorError {
    /// The text is longer than [`Selector::MOST_BYTES`].
    #[error("the selector has {bytes} bytes, {} are allowed; split it at a comma into several", Selector::MOST_BYTES)]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// More than [`Selector::MOST_NESTING`] parentheses in each other, or than [`Selector::MOST_STEPS`] steps.
    #[error("the selector nests too deep or takes too many steps up to character {column}; shorten it")]
    TooComplex {
        /// Where the alternative ends, in characters from 1.
        column: usize,
    },
    /// The text breaks the grammar, or asks for something that a saved page does not have.
    #[error("cannot read the selector `{seen}` at character {column}: {cure}")]
    Unreadable {
        /// Where reading stopped (behind the parentheses, if the fault is in them), in characters from 1.
        column: usize,
        /// What was read since the last comma.
        seen: String,
        /// What to write instead.
        cure: &'static str,
    },
}

/// Reads up to the next comma; the second is the number of parts that the matcher decides alone.
fn parse_alternative(input: &mut Parser<'_>, text: &str) -> Result<(Alternative<Css>, usize), SelectorError> {
    let start = input.position().byte_index();
    let mut end = start;
    let parsed = input.parse_until_before(Delimiter::Comma, |input| {
        let parsed = Alternative::parse(&Dialect, input);
        end = input.position().byte_index();
        parsed.and_then(|selector| check(&selector, Selector::MOST_STEPS).map(|silent| (selector, silent)))
    });
    parsed.map_err(|ParseError { kind }| {
        let column = text[..end].chars().count() + 1;
        match kind {
            ParseErrorKind::Basic(BasicParseErrorKind::TooManyNestedBlocks)
            | ParseErrorKind::Custom(Syntax::NonCompoundSelector) => SelectorError::TooComplex { column },
            kind => SelectorError::Unreadable { column, seen: text[start..end].trim().into(), cure: cure(&kind) },
        }
    })
}

fn cure(kind: &ParseErrorKind<Syntax>) -> &'static str {
    let ParseErrorKind::Custom(kind) = kind else { return cure(&ParseErrorKind::Custom(Syntax::EmptySelector)) };
    match kind {
        Syntax::EmptySelector | Syntax::PseudoElementExpectedIdent | Syntax::ExplicitNamespaceUnexpectedToken => {
            "write a name, `.class`, `#id`, `[attribute]` or `:pseudo-class` here, a leading digit as `\\31 `"
        }
        Syntax::UnsupportedPseudoClassOrElement | Syntax::InvalidState => {
            "a saved page has no such pseudo-class or pseudo-element; use `:not`, `:is`, `:where`, `:has` \
             (not inside `:has`), `:nth-child` and its kin, `:empty`, `:root` or `:link`"
        }
        Syntax::DanglingCombinator => "write a selector on both sides of ` `, `>`, `+` and `~`",
        Syntax::ClassNeedsIdent => "write a class name behind `.`, a leading digit as `\\31 `",
        Syntax::ExpectedNamespace => "leave out the prefix and the `|`: namespaces are not kept",
        _ => "write attributes as `[name]` or `[name=\"value\"]`",
    }
}

/// The zones of a page and what to ignore in them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Zones {
    /// What is measured; the whole page if empty.
    #[serde(rename = "zone", default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<Selector>,
    /// What is left out, also inside the zones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<Selector>,
}

impl Zones {
    /// Is the whole page measured, with nothing ignored?
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.include.is_empty() && self.ignore.is_empty()
    }
}

/// What becomes of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "`Keep::Keep` is what the mark says")]
pub(crate) enum Keep {
    /// No text, and not a node of the page.
    Drop,
    /// An ancestor of a zone: a node, but its own text does not count.
    Bridge,
    /// Inside a zone.
    Keep,
}

/// What becomes of each node of a tree.
#[derive(Debug)]
pub(crate) struct Marks {
    keep: Vec<Keep>,
    matched: usize,
    cut_short: bool,
    steps: u64,
}

impl Marks {
    /// What becomes of a node.
    pub(crate) fn get(&self, id: TreeId) -> Keep {
        self.keep[id.index()]
    }

    /// How many elements the include selectors matched, not counting those in ignored parts.
    pub(crate) fn matched(&self) -> usize {
        self.matched
    }

    /// Did matching take so long that the later elements match no selector?
    pub(crate) fn is_cut_short(&self) -> bool {
        self.cut_short
    }

    /// The steps that matching cost.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Keeps a zone, and its ancestors as bridges to it.
    fn keep_zone(&mut self, tree: &Tree, root: TreeId) {
        self.matched += 1;
        self.keep[root.index()] = Keep::Keep;
        let mut above = tree.parent(root);
        while let Some(node) = above.filter(|&node| self.get(node) == Keep::Drop) {
            self.keep[node.index()] = Keep::Bridge;
            above = tree.parent(node);
        }
    }
}

/// Marks the nodes of the page; what hangs nowhere (the inside of templates) is dropped.
pub(crate) fn mark(tree: &Tree, zones: &Zones) -> Marks {
    mark_within(MOST_STEPS, tree, zones)
}

fn mark_within(most_steps: u64, tree: &Tree, zones: &Zones) -> Marks {
    let page = Page::new(tree, most_steps);
    let mut caches = SelectorCaches::default();
    let mut context = Page::context(&mut caches);
    let mut marks = Marks { keep: vec![Keep::Drop; tree.len()], matched: 0, cut_short: false, steps: 0 };
    if zones.include.is_empty() {
        marks.keep[TreeId::DOCUMENT.index()] = Keep::Keep;
    }
    let mut next = tree.first_child(TreeId::DOCUMENT);
    while let Some(node) = next {
        let is_ignored = any_matches(&zones.ignore, &page, node, &mut context);
        if !is_ignored && any_matches(&zones.include, &page, node, &mut context) {
            marks.keep_zone(tree, node);
        } else if !is_ignored && tree.parent(node).is_some_and(|parent| marks.get(parent) == Keep::Keep) {
            marks.keep[node.index()] = Keep::Keep;
        }
        next = tree.first_child(node).filter(|_| !is_ignored).or_else(|| behind(tree, node));
    }
    marks.cut_short = page.is_spent();
    marks.steps = page.steps();
    marks
}

fn any_matches(selectors: &[Selector], page: &Page<'_>, node: TreeId, context: &mut MatchingContext<'_, Css>) -> bool {
    let Some(element) = page.element(node) else { return false };
    selectors.iter().any(|selector| {
        if page.is_spent() {
            return false;
        }
        page.begin(selector.silent);
        matches_selector_list(&selector.alternatives, element, context) && !page.is_spent()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{html, limits::Limits, tree::Content};

    const PAGE: &str = "<main id=Top class='a b'><h2>1</h2><p lang=en-GB class=ad>2</p><p>3<b></b></p>\
        <a href=/>4</a><a>5</a></main><ul><li>6<li>7<li>8</ul>";

    fn zones(include: &str, ignore: &str) -> Zones {
        let list = |text: &str| text.split_terminator(';').map(|it| it.parse().unwrap()).collect();
        Zones { include: list(include), ignore: list(ignore) }
    }

    /// The nodes in page order with their marks: `+` kept, `.` a bridge, `-` dropped.
    fn marked(html: &str, zones: &Zones) -> String {
        let tree = html::parse(html, &Limits::DEFAULT);
        let marks = mark(&tree, zones);
        let show = |node| match tree.content(node) {
            Content::Element { name, .. } => tree.names.get(name),
            Content::Text(span) => span.of(&tree.text),
            Content::Fragment | Content::Nothing => "",
        };
        let shown =
            element::in_order(&tree).map(|node| format!("{}{}", ["-", ".", "+"][marks.get(node) as usize], show(node)));
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_kind_of_selector_finds_its_elements() {
        let cases = "h2 → 1; H2 → 1; #Top → 12345; #top →; .b > p → 23; .B →; * → 12345678; main p → 23; h2 + p → 2;
            h2 ~ p → 23; [lang] → 2; [LANG|=en] → 2; [class=AD] →; [class=AD i] → 2; [class~=b] → 12345; [href^='/'] → 4;
            p:not(.ad, h2) → 3; :is(h2, li:last-child) → 18; main :where(h2) → 1; main:has(> h2) → 12345; p:has(b) → 3;
            p:has(+ a) → 3; li:nth-child(2n+1) → 68; li:nth-last-child(2) → 7; li:nth-child(1 of :not(:first-child)) → 7;
            p:nth-of-type(2) → 3; li:first-child → 6; h2:only-of-type → 1; p:has(:empty) → 3; a:empty →; :root → 12345678;
            :link → 4; a:Any-Link → 4; h2, a:not(:link) → 15; /* the second */ #Top > p\n+ p → 3";
        for (selector, expected) in cases.split(';').map(|case| case.split_once('→').unwrap()) {
            let shown = marked(PAGE, &zones(selector.trim(), ""));
            let kept = shown.split(' ').filter(|it| it.parse::<u8>().is_ok()).collect::<String>().replace('+', "");
            assert_eq!(kept, expected.trim(), "{selector}");
        }
    }

    #[test]
    fn ancestors_of_a_zone_are_bridges_without_their_text() {
        let shown = marked("<p>a<b>c<i>d</i></b>e</p>f", &zones("b;i", ""));
        assert_eq!(shown, ". .html -head .body .p -a +b +c +i +d -e -f");
    }

    #[test]
    fn what_is_ignored_goes_with_all_zones_in_it() {
        let html = "<p>a<b>c<i>d</i></b></p><i>e</i>";
        assert_eq!(marked(html, &zones("p;i", "b")), ". .html -head .body +p +a -b -c -i -d +i +e");
        assert_eq!(marked(html, &zones("", "b")), "+ +html +head +body +p +a -b -c -i -d +i +e");
        assert_eq!(marked(html, &zones("i", "p, i")), "- -html -head -body -p -a -b -c -i -d -i -e");
    }

    #[test]
    fn an_error_says_where_it_is_and_what_to_write() {
        for (text, expected) in [
            ("main, li..x", "selector `li..` at character 11: write a class name behind `.`"),
            ("é:hover", "selector `é:hover` at character 8: a saved page has no such pseudo-class"),
            ("p::before", "`p::before` at character 10: a saved page has no such"),
            (":is(a, :hover)", "`:is(a, :hover)` at character 15: a saved page has no such"),
            (":host(p)", "`:host(p)` at character 9: a saved page has no such"),
            ("ul >", "`ul >` at character 5: write a selector on both sides"),
            ("a, , b", "at character 4: write a name, `.class`"),
            ("[=x]", "`[=x]` at character 5: write attributes as `[name]`"),
            ("svg|a", "namespaces are not kept"),
            (&":not(".repeat(40), "too many steps up to character 201; shorten it"),
            (&"a ".repeat(300), "too many steps up to character 601; shorten it"),
            (&"a".repeat(10_001), "has 10001 bytes, 10000 are allowed"),
        ] {
            let message = Selector::parse(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn a_hundred_thousand_nested_elements_are_marked_and_costly_selectors_stop() {
        let mut tree = Tree::with_capacity(0);
        (0..100_000).fold(TreeId::DOCUMENT, |parent, _| {
            let child = tree.create_element("div", std::iter::empty());
            tree.append(parent, child);
            child
        });
        let steps = "* > ".repeat(256) + ":empty";
        for (selector, matched) in [("div", 100_000), (":has(p)", 0), (":empty", 1), (&steps, 1)] {
            assert_eq!(mark(&tree, &zones(selector, "")).matched(), matched, "{selector}");
        }
        assert!(mark_within(1_000_000, &tree, &zones("p div", "")).is_cut_short());
    }

    #[test]
    fn every_look_at_an_element_is_counted_whatever_the_selector_says() {
        let siblings = |count| html::parse(&("<div>".to_owned() + &"<i></i>".repeat(count)), &Limits::DEFAULT);
        let classes: Vec<String> = (0..1_200).map(|number| format!(".c{number}")).collect();
        let texts = [
            (":has(~ b)".to_owned(), 2_000),
            (format!(":is({})", classes.join(",")), 1_000),
            (format!(":is({}b)", ":not(*),".repeat(1_200)), 1_000),
            (format!("i:has(+ :is({}b))", "*:not(*),".repeat(1_000)), 1_200),
            (":has(b)".to_owned(), 40_000),
            ("i:nth-last-child(odd of i)".to_owned(), 60_000),
        ];
        for (text, count) in texts {
            let zones = Zones { include: vec![text.parse().unwrap()], ignore: vec![] };
            let marks = mark_within(1_000_000, &siblings(count), &zones);
            assert!(marks.is_cut_short(), "{} takes {} steps", &text[..text.len().min(40)], marks.steps());
        }
    }

    #[test]
    fn an_ordinary_selector_on_a_large_page_is_not_cut_short() {
        let items = "<li class='item new'><a href=/>a</a><p>b<p class=price>c</li>".repeat(50_000);
        let tree = html::parse(&format!("<main><ul>{items}</ul></main>"), &Limits::DEFAULT);
        let text = "main ul > li.item:not(.ad, .old) > p.price, [role=main] h2 + p, li:has(> p.price) > a[href^='/']";
        let marks = mark(&tree, &zones(text, ".ad;.cookie;footer;#banner;nav a"));
        assert_eq!((marks.matched(), marks.is_cut_short()), (100_000, false), "{} steps", marks.steps());
    }

    proptest::proptest! {
        #[test]
        fn no_text_breaks_the_parser_and_no_selector_the_matcher(
            text in "(li|p|[.]ad|#Top|[*.#:>+~ ,|&]|\\PC|:not\\(|:has\\(|:is\\(|:nth-child\\(|2n| of |\\[|\\]|\\)|=|\"|\\\\|:empty){0,12}"
        ) {
            if let Ok(selector) = Selector::parse(&text) {
                marked(PAGE, &Zones { include: vec![selector.clone()], ignore: vec![selector] });
            }
        }
    }
}
