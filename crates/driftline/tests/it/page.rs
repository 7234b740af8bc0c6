//! Bytes to a page: what a reader would see, whatever the bytes.

use driftline::Limit;
use driftline::compare::Comparer;
use driftline::page::zone::{Selector, Zones};
use driftline::page::{BodyKind, Limits, LinkKind, Normaliser, Page, ReadOptions, Source, WordRule};
use driftline_testkit::zoo;

fn html(text: &str) -> Page {
    Page::read(text, &ReadOptions { kind: Some(BodyKind::Html), ..ReadOptions::default() })
}

fn words(page: &Page) -> Vec<&str> {
    page.words().collect()
}

fn zone(include: &[&str], ignore: &[&str]) -> ReadOptions {
    let parse = |selectors: &[&str]| selectors.iter().map(|text| Selector::parse(text).unwrap()).collect();
    let zones = Zones { include: parse(include), ignore: parse(ignore) };
    ReadOptions { kind: Some(BodyKind::Html), zones, ..ReadOptions::default() }
}

#[test]
fn only_the_body_counts_and_not_its_scripts_styles_and_templates() {
    let page = html(
        "<title>The  title</title><style>a{}</style><body>one<script>two</script><style>three</style>\
         <template>four</template><noscript>five</noscript></body>",
    );
    assert_eq!(words(&page), ["one", "five"]);
    assert_eq!(page.title(), "The title");
}

#[test]
fn the_text_is_what_a_person_reads() {
    let page = html(
        "<h1> A  title </h1><p>One\n <b>bold</b> word,<br>a break</p><pre>x\n  y</pre><table><tr><td>1<td>2<tr><td>3",
    );
    assert_eq!(page.text(), "A title\nOne bold word,\na break\nx\n  y\n1\t2\n3\n");
}

#[test]
fn each_text_node_is_split_on_its_own() {
    assert_eq!(words(&html("<p>un<b>believ</b>able")), ["un", "believ", "able"]);
}

#[test]
fn a_node_spans_its_words_and_its_text() {
    let page = html("<div><p>one two</p><ul><li>three</li></ul></div><p>four");
    let list = page.node_ids().find(|&node| page.tag(node) == "ul").unwrap();
    assert_eq!(page.text_of(list).trim(), "three");
    assert_eq!(page.nodes()[list.index()].words.range(), 2..3);
    assert_eq!(page.path(list), "html;body;div;ul;");
}

#[test]
fn links_are_resolved_against_the_base() {
    let page = Page::read(
        Source {
            bytes: b"<base href='/sub/'><a href='x?a=1#f'> An <b>anchor</b></a><a href='javascript:x'>no</a><a name=y>no</a>\
                     <area href='//other.example/'><iframe src=frame.html></iframe>\
                     <link rel='Canonical' href='https://site.example/c'><link rel=alternate type='application/rss+xml' href=feed>\
                     <link rel=sitemap href=/map.xml><link rel=stylesheet href=style>",
            content_type: Some("text/html"),
            url: Some("https://site.example/a/b"),
        },
        &ReadOptions::default(),
    );
    let links: Vec<_> = page.links().map(|link| (link.kind, link.url, link.text)).collect();
    assert_eq!(
        links,
        [
            (LinkKind::Anchor, "https://site.example/sub/x?a=1#f".to_owned(), "An anchor"),
            (LinkKind::Anchor, "https://other.example/".to_owned(), ""),
            (LinkKind::Frame, "https://site.example/sub/frame.html".to_owned(), ""),
            (LinkKind::Canonical, "https://site.example/c".to_owned(), ""),
            (LinkKind::Feed, "https://site.example/sub/feed".to_owned(), ""),
            (LinkKind::Sitemap, "https://site.example/map.xml".to_owned(), ""),
        ]
    );
    assert_eq!(page.canonical_url().as_deref(), Some("https://site.example/c"));
}

#[test]
fn links_without_any_base_are_told_as_written() {
    let page = html("<a href='b/c'>x</a><a href='https://site.example'>y</a>");
    let urls: Vec<_> = page.links().map(|link| link.url).collect();
    assert_eq!(urls, ["b/c", "https://site.example/"]);
}

#[test]
fn a_zone_keeps_its_words_and_an_ignored_part_loses_them() {
    let source = "<nav>menu</nav><main>news <span class=ad>buy</span> today</main><footer>c</footer>";
    let page = Page::read(source, &zone(&["main"], &[".ad"]));
    assert_eq!((words(&page), page.zone_matches()), (vec!["news", "today"], Some(1)));
    let page = Page::read(source, &zone(&[], &["nav, footer"]));
    assert_eq!((words(&page), page.zone_matches()), (vec!["news", "buy", "today"], None));
    let page = Page::read(source, &zone(&["#nothing"], &[]));
    assert_eq!((words(&page), page.zone_matches()), (vec![], Some(0)));
}

#[test]
fn outside_the_zone_nothing_changes_not_even_the_bytes() {
    let options = zone(&["main"], &[]);
    let older = Page::read("<p>a</p><main>x</main>", &options);
    let newer = Page::read("<p>b</p><main>x</main>", &options);
    let measured = Comparer::default().measure(&older, &newer);
    assert_eq!(measured.degree.bw.get(), 0.0);
}

#[test]
fn a_normaliser_changes_what_is_equal_and_not_what_is_shown() {
    let mut options = ReadOptions { kind: Some(BodyKind::Html), ..ReadOptions::default() };
    options.normalisers = [Normaliser::Case, Normaliser::Dates, Normaliser::Counters].into_iter().collect();
    let older = Page::read("<p>NEWS of 31 January 2024, 1,234 views", &options);
    let newer = Page::read("<p>News of 1 February 2025, 5 views", &options);
    assert!(Comparer::default().compare(&older, &newer).is_empty());
    assert!(newer.text().contains("News of 1 February 2025"));
}

#[test]
fn a_reordered_json_object_has_not_changed() {
    let older = Page::read(r#"{"name": "a b", "tags": ["x", "y"]}"#, &ReadOptions::default());
    let newer = Page::read(r#"{"tags": ["x", "y"], "name": "a b"}"#, &ReadOptions::default());
    assert_eq!(older.kind(), BodyKind::Json);
    assert!(Comparer::default().compare(&older, &newer).is_empty());
}

#[test]
fn xml_counts_with_all_its_text() {
    let page = Page::read(
        "<?xml version='1.0'?><rss><title>One</title><style>Two</style><![CDATA[Three]]></rss>",
        &ReadOptions::default(),
    );
    assert_eq!((page.kind(), words(&page)), (BodyKind::Xml, vec!["One", "Two", "Three"]));
}

#[test]
fn a_charset_is_taken_from_header_meta_or_the_bytes() {
    let korean = b"<p>\xc0\xa5 \xb9\xae\xbc\xad</p>";
    let source = Source { bytes: korean, content_type: Some("text/html; charset=euc-kr"), url: None };
    assert_eq!(words(&Page::read(source, &ReadOptions::default())), ["웹", "문서"]);
    let with_meta = [b"<meta charset=euc-kr>".as_slice(), korean].concat();
    assert_eq!(words(&Page::read(with_meta.as_slice(), &ReadOptions::default())), ["웹", "문서"]);
}

#[test]
fn a_page_over_a_limit_says_which() {
    let cut = |source: &str, limits: Limits| {
        let page = Page::read(source, &ReadOptions { kind: Some(BodyKind::Html), limits, ..ReadOptions::default() });
        (page.limits().to_vec(), page.word_count())
    };
    let few = Limits { bytes: 20, nodes: 6, depth: 4 };
    assert_eq!(cut(&"<p>word ".repeat(10), Limits { bytes: 16, ..Limits::DEFAULT }), (vec![Limit::Bytes], 2));
    assert_eq!(cut(&"<p>word ".repeat(10), Limits { nodes: few.nodes, ..Limits::DEFAULT }).0, [Limit::Nodes]);
    let (limits, count) =
        cut("<div><div><div><div>a</div>b</div>c</div>d</div>e", Limits { depth: few.depth, ..Limits::DEFAULT });
    assert_eq!((limits, count), (vec![Limit::Depth], 5), "the text of elements too deep is kept");
}

#[test]
fn a_hundred_thousand_nested_elements_neither_overflow_the_stack_nor_take_for_ever() {
    let page = html(&format!("{}word", "<div>".repeat(100_000)));
    assert_eq!((words(&page), page.limits()), (vec!["word"], [Limit::Depth].as_slice()));
}

#[test]
fn the_zoo_is_read_compared_and_equal_to_itself() {
    let mut comparer = Comparer::default();
    let ordinary = html("<p>An ordinary page, with words.");
    for (name, body) in zoo::bodies() {
        for kind in [None, Some(BodyKind::Html), Some(BodyKind::Xml), Some(BodyKind::Json), Some(BodyKind::Text)] {
            for words in [WordRule::Unicode, WordRule::Whitespace] {
                let page = Page::read(body.as_slice(), &ReadOptions { kind, words, ..ReadOptions::default() });
                let change = comparer.compare(&page, &page);
                assert!(change.is_empty(), "{name} as {kind:?} differs from itself");
                let measured = comparer.measure(&ordinary, &page);
                assert!((0.0..=1.0).contains(&measured.degree.ied.get()), "{name}");
            }
        }
    }
}

/// The span of the last block was one byte longer than the text.
#[test]
fn a_blank_behind_a_line_break_at_the_end_of_a_block_keeps_its_place() {
    for html in ["<p>a</p><pre>code here\n </pre>", "<pre>code\n </pre><p>\u{e9}t\u{e9}</p>", "<textarea> </textarea>"]
    {
        let page = Page::read(html, &ReadOptions::default());
        for node in page.node_ids() {
            assert!(page.text().contains(page.text_of(node)));
        }
    }
}
