//! Pieces of text, one after the other to a tokenizer, until the guard has enough.
//!
//! Long runs of NUL are shortened without changing the result (the property test below compares). What the parser does
//! with the first NUL of a run decides about the rest:
//!
//! - Between tags NUL is dropped, but for what it does before the body; the second one does nothing more.
//! - Between tags of SVG and `MathML` each becomes U+FFFD, in the element that the first one was written to.
//! - Anywhere else (names, values, scripts, comments) NUL means the same as U+FFFD.

use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{NodeOrText, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::Tokenizer;
use html5ever::tree_builder::TreeBuilder;
use xml5ever::tokenizer::XmlTokenizer;
use xml5ever::tree_builder::XmlTreeBuilder;

use super::guard::{Guard, Null};
use super::pieces::{Piece, Pieces};
use super::{Handle, Sink};

/// What stands for a NUL.
const REPLACEMENT: &str = "\u{fffd}";

/// Feeds a text to the tokenizer of HTML.
pub(super) fn html(tokenizer: &Tokenizer<Guard<TreeBuilder<Handle, Sink>>>, text: &str) {
    for piece in Pieces::of(text) {
        match piece {
            Piece::Text(text) => feed_html(tokenizer, text),
            Piece::Nuls(count) => feed_nuls(tokenizer, count),
        }
        if tokenizer.sink.is_done() {
            return;
        }
    }
}

fn feed_html(tokenizer: &Tokenizer<Guard<TreeBuilder<Handle, Sink>>>, text: &str) {
    let input = queue(text);
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
}

fn feed_nuls(tokenizer: &Tokenizer<Guard<TreeBuilder<Handle, Sink>>>, count: usize) {
    tokenizer.sink.forget_null();
    feed_html(tokenizer, "\0");
    let rest = || REPLACEMENT.repeat(count - 1);
    match tokenizer.sink.null() {
        None => feed_html(tokenizer, &rest()),
        Some(Null::Dropped) => {}
        Some(Null::Replaced(parent)) => {
            tokenizer.sink.sink().append(&parent, NodeOrText::AppendText(StrTendril::from_slice(&rest())));
        }
    }
}

/// Feeds a text to the tokenizer of XML, for which NUL is a letter like any other.
pub(super) fn xml(tokenizer: &XmlTokenizer<Guard<XmlTreeBuilder<Handle, Sink>>>, text: &str) {
    for piece in Pieces::of(text) {
        let input = match piece {
            Piece::Text(text) => queue(text),
            Piece::Nuls(count) => queue(&"\0".repeat(count)),
        };
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        if tokenizer.sink.is_done() {
            return;
        }
    }
}

fn queue(text: &str) -> BufferQueue {
    let input = BufferQueue::default();
    if !text.is_empty() {
        input.push_back(StrTendril::from_slice(text));
    }
    input
}

#[cfg(test)]
mod tests {
    use html5ever::tokenizer::TokenizerOpts;
    use html5ever::tree_builder::TreeBuilderOpts;
    use proptest::prelude::*;

    use super::*;
    use crate::limit::Limit;
    use crate::page::html::{Keeps, parse_look};
    use crate::page::limits::Limits;
    use crate::page::tree::{Content, Tree};
    use crate::page::zone::in_order;

    /// The tree as text, with all that the parser decided.
    fn shown(tree: &Tree) -> String {
        let show = |node| match tree.content(node) {
            Content::Element { name, attributes } => {
                let attributes = tree.attributes(attributes).iter();
                let attributes = attributes.map(|it| (tree.names.get(it.name), it.value.of(&tree.values)));
                format!("{}{:?}", tree.names.get(name), attributes.collect::<Vec<_>>())
            }
            Content::Text(span) => format!("{:?}", tree.text_of(node, span)),
            Content::Fragment => "#".to_owned(),
            Content::Nothing => "!".to_owned(),
        };
        in_order(tree).map(|node| format!("{} {}\n", tree.depth(node), show(node))).collect()
    }

    /// The parser without any pieces.
    fn parse_plainly(text: &str) -> (String, bool) {
        let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
        let sink = Sink { keeps: Keeps::TextAndStyles, ..Sink::new(text.len()) };
        let guard = Guard::new(TreeBuilder::new(sink, options), &Limits::DEFAULT);
        let tokenizer = Tokenizer::new(guard, TokenizerOpts::default());
        feed_html(&tokenizer, text);
        tokenizer.end();
        let sink = tokenizer.sink.into_inner().sink;
        let look = sink.look.take();
        let mut tree = sink.finish();
        tree.finish();
        (shown(&tree), look.quirks)
    }

    fn assert_same(text: &str) {
        let (tree, look) = parse_look(text, &Limits::DEFAULT);
        assert_eq!((shown(&tree), look.quirks), parse_plainly(text), "{text:?}");
    }

    #[test]
    fn a_run_of_nul_means_the_same_wherever_it_is() {
        let run = "\0".repeat(500);
        for before in [
            "",
            "a",
            "<",
            "</",
            "<!",
            "<!-",
            "<!d",
            "<!doctype",
            "<!doctype ",
            "<!doctype html ",
            "<p",
            "<p ",
            "<p a",
            "<p a=",
            "<p a='",
            "<p a=\"x\"",
            "<!--",
            "<!-- -",
            "<?",
            "&",
            "&am",
            "&#",
            "&#x1",
            "<title>",
            "<textarea>",
            "<textarea>\n",
            "<script>",
            "<script><!--",
            "<style>",
            "<plaintext>",
            "<svg>",
            "<svg><title>",
            "<svg><![CDATA[",
            "<math><mi>",
            "<table>",
            "<table> ",
            "<table><tr>",
            "<table><colgroup>",
            "<select>",
            "<template>",
            "<frameset>",
            "<p></body>",
            "<p></html>",
            "<head></head>",
            "<noframes>",
            "<pre>",
            "<svg><g",
            "<svg><table>",
            "\r",
            "<math><annotation-xml encoding='text/html'>",
        ] {
            for after in
                ["", "\u{feff}b", "b>c", "<frameset><frame>", "</title>d", "'>e", "-->f", "]]>g", "</svg>h", "\nb"]
            {
                assert_same(&format!("{before}{run}{after}"));
                assert_same(&format!("<!doctype html><p>x{before}{run}{after}{run}<b>y"));
            }
        }
    }

    #[test]
    fn a_page_of_nul_costs_few_steps() {
        let (tree, _) = parse_look(&"\0".repeat(20_000_000), &Limits::DEFAULT);
        assert_eq!((tree.limits.as_slice(), tree.steps < 1_000), ([].as_slice(), true), "{} steps", tree.steps);
    }

    #[test]
    fn parsing_stops_after_too_many_errors_and_says_so() {
        let (tree, _) = parse_look(&("<p>word</p>".to_owned() + &"<".repeat(20_000_000)), &Limits::DEFAULT);
        assert_eq!(tree.limits, [Limit::Tokens]);
        assert!(tree.text.starts_with("word<<<") && tree.text.len() < 18_000_000, "{}", tree.text.len());
    }

    proptest! {
        #[test]
        fn any_page_with_runs_of_nul_is_parsed_as_without_pieces(
            pieces in prop::collection::vec(prop_oneof![
                3 => "</?(p|b|table|tr|td|svg|math|mi|title|g|foreignObject|desc|select|template|script|style|body|html|head|frameset|pre)( a=?'?)?>?",
                1 => "[a-z <>&'\"=/!?\r\n\u{feff}-]{0,5}",
                1 => "(<!--|-->|<!\\[CDATA\\[|\\]\\]>|<!doctype html>|&amp|&#)",
                2 => (1_usize..80).prop_map(|count| "\0".repeat(count)),
            ], 0..16)
        ) {
            assert_same(&pieces.concat());
        }
    }
}
