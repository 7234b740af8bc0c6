//! Feeds as they are found: five formats, and all the ways in which they are broken.

use driftline::Limit;
use driftline::feed::{Feed, FeedFormat, is_feed};
use driftline::page::{Limits, ReadOptions};
use driftline_testkit::zoo;

fn read<'a>(source: impl Into<driftline::page::Source<'a>>) -> Feed {
    Feed::read(source, &ReadOptions::default())
}

fn titles(feed: &Feed) -> Vec<&str> {
    feed.items.iter().map(|item| item.title.as_str()).collect()
}

const RSS: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>News</title><link>https://site.example/</link><lastBuildDate>Mon, 01 Jan 2024 00:00:00 GMT</lastBuildDate>
<image><title>Logo</title><link>https://logo.example/</link></image>
<item><title>One</title><link>https://site.example/1</link><guid>g1</guid>
<description>&lt;p&gt;Short &amp;amp; sweet&lt;/p&gt;</description><content:encoded><![CDATA[<p>The <b>whole</b> story</p>]]></content:encoded>
<pubDate>Tue, 02 Jan 2024 10:00:00 +0100</pubDate></item>
<item><title>Two</title><link>https://site.example/2</link></item>
</channel></rss>"#;

#[test]
fn rss_2_is_read_with_all_fields() {
    let feed = read(RSS);
    assert_eq!((feed.format, feed.is_broken), (Some(FeedFormat::Rss), false));
    assert_eq!((feed.title.as_str(), feed.link.as_deref()), ("News", Some("https://site.example/")));
    let item = &feed.items[0];
    assert_eq!((item.guid.as_deref(), item.link.as_deref()), (Some("g1"), Some("https://site.example/1")));
    assert_eq!(item.summary, "<p>Short &amp; sweet</p>");
    assert_eq!(item.content, "<p>The <b>whole</b> story</p>");
    assert_eq!(item.published.as_deref(), Some("2024-01-02T09:00:00+00:00"));
    assert_eq!((feed.items[1].guid.as_deref(), feed.items[1].description()), (None, ""));
}

#[test]
fn the_other_formats_are_read_too() {
    let old = r#"<rss version="0.91"><channel><title>c</title><item><title>a</title><link>https://x.example/a</link></item></channel></rss>"#;
    let rdf = r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
        <channel rdf:about="x"><title>c</title></channel>
        <item rdf:about="https://x.example/a"><title>a</title><link>https://x.example/a</link></item></rdf:RDF>"#;
    let atom = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>c</title><entry><id>tag:a</id><title>a</title>
        <link rel="self" href="https://x.example/self"/><link href="https://x.example/a"/>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Some <em>text</em></div></content></entry></feed>"#;
    let json = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "c",
        "items": [{"id": "1", "url": "https://x.example/a", "title": "a", "content_text": "text"}]}"#;
    for (text, format) in
        [(old, FeedFormat::Rss), (rdf, FeedFormat::Rdf), (atom, FeedFormat::Atom), (json, FeedFormat::Json)]
    {
        let feed = read(text);
        assert_eq!((feed.format, feed.is_broken, feed.title.as_str()), (Some(format), false, "c"));
        assert_eq!((titles(&feed), feed.items[0].link.as_deref()), (vec!["a"], Some("https://x.example/a")));
        assert!(is_feed(text));
    }
    assert!(read(atom).items[0].description().contains("Some <em>text</em>"));
}

#[test]
fn what_the_library_leaves_out_is_filled_in() {
    let without_link = r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
        <item><title>a</title></item><item><title>b</title><link>https://x.example/b</link></item></rdf:RDF>"#;
    assert_eq!(titles(&read(without_link)), ["a", "b"]);
    let with_tags = r#"<rss version="2.0"><channel><item><title>a <i>b</i> c</title>
        <description>one <b>two</b> three</description></item></channel></rss>"#;
    let feed = read(with_tags);
    let words: Vec<_> = feed.items[0].summary.split_whitespace().collect();
    assert_eq!(words, ["one", "two", "three"]);
    assert_eq!(titles(&read("<rss><channel><item><title>no version</title></item></channel></rss>")), ["no version"]);
    let empty_title = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title/><entry><title/><summary/></entry></feed>"#;
    assert_eq!(titles(&read(empty_title)), [""]);
}

#[test]
fn a_feed_that_breaks_off_is_read_up_to_there() {
    let end = RSS.find("Two").unwrap() + 2;
    let feed = read(&RSS[..end]);
    assert!(feed.is_broken);
    assert_eq!(titles(&feed), ["One", "Tw"]);
    assert_eq!(feed.items[0].content, "<p>The <b>whole</b> story</p>");
    for cut in 0..RSS.len() {
        let items = read(&RSS.as_bytes()[..cut]).items.len();
        assert_eq!(items, RSS[..cut].matches("<item").count(), "cut at {cut}");
    }
}

#[test]
fn broken_markup_costs_no_item() {
    let cases = [
        ("unescaped ampersand", "<title>Q & A</title><link>https://x.example/?a=1&b=2</link>", "Q & A"),
        ("undeclared entity", "<title>a&nbsp;b</title>", "a&nbsp;b"),
        ("stray end tag", "</b><title>a</title></i>", "a"),
        ("unescaped less-than", "<title>a</title><description>if x < y</description>", "a"),
        ("control character", "<title>a</title><description>\u{1}\u{8}</description>", "a"),
    ];
    for (name, inside, title) in cases {
        let text = format!(
            "<rss version='2.0'><channel><item>{inside}</item><item><title>last</title></item></channel></rss>"
        );
        let feed = read(text.as_str());
        assert_eq!(feed.items.len(), 2, "{name}");
        assert_eq!(feed.items[0].title.replace('\u{a0}', "&nbsp;"), title, "{name}");
        assert_eq!(feed.items[1].title, "last", "{name}");
    }
}

#[test]
fn rubbish_and_wrong_declarations_before_a_feed_do_no_harm() {
    let plain = read(RSS);
    for before in [
        "\u{feff}",
        "\n\n  ",
        "Warning: cannot open cache < 3 in feed.php\n",
        "<!-- <rss> --><!DOCTYPE rss [<!ENTITY a 'b'>]>",
    ] {
        let text = format!("{before}{RSS}");
        assert_eq!(read(text.as_str()), plain, "{before:?}");
        assert!(is_feed(&text), "{before:?}");
    }
    let declared = RSS.replacen("utf-8", "utf-16", 1).replacen("One", "Ein grünes", 1);
    assert_eq!(read(declared.as_bytes()).items[0].title, "Ein grünes");
    let latin: Vec<u8> =
        RSS.replacen("utf-8", "iso-8859-1", 1).replacen("One", "n\u{fc}", 1).chars().map(|c| c as u8).collect();
    assert_eq!(read(latin.as_slice()).items[0].title, "nü");
}

#[test]
fn broken_json_feeds_are_read_as_far_as_they_go() {
    let whole = r#"{"version":"https://jsonfeed.org/version/1","title":"t","items":[{"id":1,"title":"a } \" ]","content_html":"<p>x"},{"id":"2","title":"b","attachments":[{}]},{"id":"3","ti"#;
    let feed = read(whole);
    assert_eq!((titles(&feed), feed.is_broken), (vec!["a } \" ]", "b"], true));
    assert_eq!(feed.items[0].guid.as_deref(), Some("1"));
    assert_eq!(titles(&read(r#"{"items":[{"title":"no version"}]}"#)), ["no version"]);
    assert_eq!(read(r#"{"a": 1}"#).format, None);
}

#[test]
fn what_is_no_feed_has_no_items() {
    for text in [
        "",
        "   ",
        "hello",
        "<!doctype html><title>Not found</title><p>Sorry",
        "<urlset></urlset>",
        "[1]",
        "{",
        "<",
        "<!--",
        "<rdf:RDF/>",
    ] {
        let feed = read(text);
        assert_eq!((feed.format, feed.items.len()), (None, 0), "{text:?}");
        assert!(!is_feed(text), "{text:?}");
    }
    for (name, bytes) in zoo::bodies() {
        assert!(read(bytes.as_slice()).items.is_empty(), "{name}");
    }
}

#[test]
fn hostile_feeds_are_cut_and_say_so() {
    let many =
        format!("<rss version='2.0'><channel>{}</channel></rss>", "<item><title>a</title></item>".repeat(10_050));
    let feed = read(many.as_str());
    assert_eq!((feed.items.len(), feed.limits.as_slice()), (Feed::MOST_ITEMS, &[Limit::Items][..]));
    let deep = format!("<rss version='2.0'><channel><item><description>{}x", "<b>".repeat(100_000));
    assert_eq!(read(deep.as_str()).limits, [Limit::Depth]);
    let base = format!(
        "<feed xml:base='https://x.example/{}'>{}</feed>",
        "a".repeat(1 << 20),
        "<entry><id>a</id></entry>".repeat(9_000)
    );
    assert_eq!(read(base.as_str()).items.len(), 9_000);
    let options = ReadOptions { limits: Limits { bytes: 400, ..Limits::DEFAULT }, ..ReadOptions::default() };
    let cut = Feed::read(RSS, &options);
    assert_eq!((cut.items.len(), cut.limits.as_slice(), cut.is_broken), (1, &[Limit::Bytes][..], true));
    let authors: Vec<String> = (0..50_000).map(|at| format!("{{\"name\":\"{at}\"}},")).collect();
    let authors = authors.concat();
    let json = format!(
        "{{\"version\":\"https://jsonfeed.org/version/1\",\"title\":\"\",\"items\":[{}{{}}],\"authors\":[{authors}{{}}]}}",
        "{},".repeat(9_000)
    );
    assert_eq!((read(json.as_str()).items.len(), read(json.as_str()).is_broken), (9_001, false));
}
