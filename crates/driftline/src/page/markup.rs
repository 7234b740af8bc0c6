//! How does a page look with marks in it? Its own markup, written again from the parsed tree.
//!
//! To show a change on the page itself, elements and words have to be marked where they stand. The
//! source cannot be marked: a browser repairs what people write, and a mark put into broken markup
//! ends up elsewhere. So the page is parsed as for analysis, with the same numbers of elements and
//! words, and written from the tree. Text stays as it is, apart from escaping; scripts lose their
//! text and comments go.
//!
//! The markup is as hostile as its source: whoever shows it has to clean it first.

mod text;
mod writer;

use std::ops::Range;

use hashbrown::HashMap;

use super::read::{self, Trail};
use super::words::Splitter;
use super::{BodyKind, NodeId, ReadOptions, Reading, Source, html, zone};

use writer::Writer;

/// Attributes to write: names and values.
pub type Attributes = Vec<(String, String)>;

/// What is written into a page's markup.
///
/// Attributes that begin with `data-driftline` and ids that begin with `driftline-` are for marks:
/// those of the page itself are not written.
#[derive(Debug, Clone, Default)]
pub struct Marking {
    /// Attributes for elements, before their own.
    pub elements: HashMap<NodeId, Attributes>,
    /// Words to stand in an element of their own, in reading order, no word twice.
    pub words: Vec<MarkedWords>,
    /// Elements that are written under another name: `("frame", "img")`. The name that they had is
    /// kept in the attribute `data-driftline-was`.
    pub renamed: Vec<(&'static str, &'static str)>,
    /// What becomes of the rules of the page's own style sheets; they stay as they are if not given.
    pub rules: Option<fn(&str) -> String>,
}

/// A run of words to mark.
#[derive(Debug, Clone)]
pub struct MarkedWords {
    /// Their numbers.
    pub words: Range<u32>,
    /// The element around them; one for every text node that they stand in.
    pub tag: &'static str,
    /// Its attributes.
    pub attributes: Attributes,
}

/// The markup of a page.
#[derive(Debug, Clone, Default)]
pub struct Markup {
    /// Was the page made for browsers that followed no standard?
    pub quirks: bool,
    /// The attributes of `html`.
    pub html: Attributes,
    /// The attributes of `body`.
    pub body: Attributes,
    /// The style sheets of the head, in order.
    pub sheets: Vec<Sheet>,
    /// What stands in `body`.
    pub content: String,
    /// Would the content have been too long, so that its end is missing?
    pub is_cut: bool,
}

/// A style sheet of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The media it is for; everything if empty.
    pub media: String,
    /// Where it is.
    pub rules: Rules,
}

/// The rules of a style sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rules {
    /// They stand in the page.
    Own(String),
    /// They stand at this address.
    Linked(String),
}

/// The markup of a web page with marks in it; none for a body of another kind.
///
/// Elements and words have the numbers that they have on the [`Page`](super::Page) that is read from
/// the same source by the same options. What its zones leave out is written, without marks.
#[must_use]
pub fn markup<'a>(source: impl Into<Source<'a>>, options: &ReadOptions, marking: &Marking) -> Option<Markup> {
    let reading = Reading::new(source.into(), options);
    if reading.kind() != BodyKind::Html {
        return None;
    }
    let (tree, look) = html::parse_look(&reading.text, &options.limits);
    let marks = (!options.zones.is_everything()).then(|| zone::mark(&tree, &options.zones));
    let splitter = Splitter::new(options.words);
    let (parts, trail) = read::trace(&tree, marks.as_ref(), &splitter, options.normalisers);
    let Trail { elements, texts } = trail;
    let quirks = look.quirks;
    // End tags and escapes make markup longer, a hostile page a thousand times.
    let most = 8 * reading.text.len() + 65_536;
    let mut writer = Writer::new(&tree, look.foreign, marking, most);
    writer.number(&elements);
    writer.place(&parts, &texts);
    let markup = writer.write();
    Some(Markup { quirks, ..markup })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    fn written(source: &str, marking: &Marking) -> Markup {
        let options = ReadOptions { kind: Some(BodyKind::Html), ..ReadOptions::default() };
        markup(source, &options, marking).unwrap()
    }

    fn content(source: &str) -> String {
        written(source, &Marking::default()).content
    }

    fn with_words(source: &str, runs: &[(u32, u32)]) -> String {
        let mark = |&(start, end): &(u32, u32)| MarkedWords { words: start..end, tag: "ins", attributes: Vec::new() };
        written(source, &Marking { words: runs.iter().map(mark).collect(), ..Marking::default() }).content
    }

    #[test]
    fn markup_is_written_as_a_browser_repairs_it() {
        assert_eq!(
            content("<!DOCTYPE html><p>a<p>b<table>c<td>d"),
            "<p>a</p><p>b</p>c<table><tbody><tr><td>d</td></tr></tbody></table>"
        );
        assert_eq!(content("<b>1<p>2</b>3</p>"), "<b>1</b><p><b>2</b>3</p>");
        assert_eq!(
            content("<a href='a\"b&amp;c<'>&lt;x&gt;</a><br>"),
            "<a href=\"a&quot;b&amp;c&lt;\">&lt;x&gt;</a><br>"
        );
    }

    #[test]
    fn text_that_is_no_markup_stays_raw_and_a_first_line_break_is_kept() {
        assert_eq!(
            content("<p><style>a > b {}</style><script>x < y</script>"),
            "<p><style>a > b {}</style><script></script></p>"
        );
        assert_eq!(
            content("<pre>\n\na</pre><textarea>\n<b>&lt;"),
            "<pre>\n\na</pre><textarea>&lt;b&gt;&lt;</textarea>"
        );
    }

    #[test]
    fn elements_of_svg_keep_their_names_and_end_tags() {
        let drawing = "<svg viewBox=\"0 0 1 1\"><linearGradient></linearGradient><track></track><p2></p2></svg>";
        assert_eq!(content(drawing), drawing);
    }

    #[test]
    fn words_are_marked_where_they_stand() {
        assert_eq!(
            with_words("<p>Open  from\n nine, to <b>five</b>.", &[(1, 5)]),
            "<p>Open  <ins>from\n nine, to</ins> <b><ins>five</ins></b>.</p>"
        );
        assert_eq!(
            with_words(" <p> a &amp; b <i> c </i>", &[(0, 1), (2, 3)]),
            "<p> <ins>a</ins> &amp; b <i> <ins>c</ins> </i></p>"
        );
        assert_eq!(with_words("<pre>  a\n  b</pre>", &[(1, 2)]), "<pre>  a\n  <ins>b</ins></pre>");
        assert_eq!(
            with_words("<select><option>a</select><textarea>b</textarea>c", &[(0, 3)]),
            "<select><option>a</option></select><textarea>b</textarea><ins>c</ins>"
        );
    }

    #[test]
    fn elements_get_attributes_and_other_names() {
        let attribute = vec![("data-x".to_owned(), "\"1\"".to_owned())];
        let marking = Marking {
            elements: [(NodeId(2), attribute.clone()), (NodeId(3), attribute)].into(),
            renamed: vec![("iframe", "img")],
            ..Marking::default()
        };
        let markup = written("<html lang=de><body class=a><iframe src=x>text</iframe><p>b", &marking);
        assert_eq!(markup.content, "<img data-x=\"&quot;1&quot;\" data-driftline-was=\"iframe\" src=\"x\"><p>b</p>");
        assert_eq!(markup.html, [("lang".to_owned(), "de".to_owned())]);
        assert_eq!(markup.body[1], ("class".to_owned(), "a".to_owned()));
    }

    #[test]
    fn a_page_cannot_mark_itself() {
        let source = "<html data-driftline=1><body id=driftline-node-2 data-driftline-kind=added>\
            <p DATA-DRIFTLINE=7 id=driftline-node-1 data-drift=x>a<a name=driftline-nowhere>b</a><svg data-driftline-edit=add id=x></svg>";
        let marking = Marking {
            elements: [(NodeId(3), vec![("data-driftline".to_owned(), "1".to_owned())])].into(),
            ..Marking::default()
        };
        let markup = written(source, &marking);
        assert_eq!(markup.content, "<p data-driftline=\"1\" data-drift=\"x\">a<a>b</a><svg id=\"x\"></svg></p>");
        assert!(markup.html.is_empty() && markup.body.is_empty());
    }

    #[test]
    fn style_sheets_of_the_head_are_told_apart() {
        let markup = written(
            "<style media=print>p{}</style><link rel='a StyleSheet' href=b.css><noscript><link rel=icon href=c>",
            &Marking::default(),
        );
        let own = Sheet { media: "print".to_owned(), rules: Rules::Own("p{}".to_owned()) };
        let linked = Sheet { media: String::new(), rules: Rules::Linked("b.css".to_owned()) };
        assert_eq!(markup.sheets, [own, linked]);
        assert!(!markup.quirks || markup.content.is_empty());
    }

    #[test]
    fn frames_without_a_body_are_content() {
        assert_eq!(
            content("<frameset cols=1,2><frame src=a></frameset>"),
            "<frameset cols=\"1,2\"><frame src=\"a\"></frameset>"
        );
    }

    #[test]
    fn what_is_no_web_page_has_no_markup() {
        assert!(markup("{\"a\": 1}", &ReadOptions::default(), &Marking::default()).is_none());
    }

    #[test]
    fn a_hostile_page_is_cut_and_closed() {
        let source = "<b title=0123456789>".repeat(300) + &"<p>x".repeat(300);
        let markup = written(&source, &Marking::default());
        assert!(markup.content.len() < 8 * source.len() + 70_000 && markup.content.ends_with("</b>"));
    }

    proptest::proptest! {
        #[test]
        fn marks_change_no_word(source in "(<p>|<b>|</b>|<i>|</p>|<table>|<td>|<pre>|<li>|<a>|</a>|&amp;|&lt;| |\n|\t|[a-c]{1,3}|[.,é漢]){0,30}") {
            let options = ReadOptions { kind: Some(BodyKind::Html), ..ReadOptions::default() };
            let page = Page::read(source.as_str(), &options);
            let runs: Vec<_> = (0..page.word_count() as u32).step_by(3).map(|at| (at, at + 1)).collect();
            let marked = format!("<!DOCTYPE html>{}", with_words(&source, &runs));
            let again = Page::read(marked.as_str(), &options);
            let plain = |text: &str| text.split_whitespace().collect::<String>();
            proptest::prop_assert_eq!(plain(again.text()), plain(page.text()));
        }
    }
}
