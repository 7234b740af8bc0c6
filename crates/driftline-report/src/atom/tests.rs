//! Is a feed the same for ever, and does nothing that strangers write act in a reader?

use driftline::event::{Event, FORMAT, Kind, Mention};
use serde_json::json;

use super::{Feed, LONGEST_TITLE, write};

fn event(name: &str, summary: &str) -> Event {
    let piece = |mark: &str, text: &str| json!({ "mark": mark, "text": text });
    let pieces = [
        piece("kept", "only "),
        piece("dropped", "5 €"),
        piece("added", "7 €"),
        piece("gap", ""),
        piece("moved", "while stocks last"),
    ];
    let event = json!({
        "format": FORMAT,
        "key": "0123456789abcdef0123456789abcdef",
        "at": "2026-11-16T14:12:05.25Z",
        "kind": "changed",
        "name": name,
        "tags": ["prices"],
        "url": "https://example.org/shop?a=1&b=2",
        "site": "example.org",
        "summary": summary,
        "importance": 0.5,
        "why": ["a price changed"],
        "excerpts": [{ "importance": 0.5, "pieces": pieces }],
    });
    serde_json::from_value(event).unwrap()
}

fn written(events: &[Event]) -> String {
    write(&Feed {
        id: "urn:driftline:feed:all",
        title: "driftline",
        url: "http://127.0.0.1:8740/feeds/all.atom",
        events,
    })
}

#[test]
fn an_event_is_one_entry_with_all_that_happened() {
    insta::assert_snapshot!(written(&[event("Shop", "1 word replaced")]));
}

#[test]
fn a_feed_without_events_is_a_feed() {
    assert!(written(&[]).contains("<updated>1970-01-01T00:00:00Z</updated>"));
}

/// CVE-2026-27645 and CVE-2026-29038: an error text in a feed became markup. CVE-2025-52558: an error text did in a
/// page.
#[test]
fn markup_in_an_error_text_stays_text() {
    let mut failing = event("x", "<script>alert(1)</script>]]><img src=x onerror=alert(1)>");
    failing.kind = Kind::CheckFailing;
    failing.why = vec!["</content><script>alert(2)</script>".to_owned()];
    failing.excerpts[0].pieces[0].text = "<svg onload=alert(3)>".to_owned();
    let feed = written(&[failing]);
    assert!(!feed.contains("<script") && !feed.contains("<img") && !feed.contains("<svg"), "{feed}");
    let content = content_of(&feed);
    assert!(!content.contains("<script") && !content.contains("<img") && !content.contains("<svg"), "{content}");
    assert!(content.contains("&lt;script&gt;alert(1)"), "escaped as HTML, then as XML: {content}");
}

/// Issue 1359 and the modal of tag names: titles, tags and addresses are written by strangers too.
#[test]
fn markup_in_titles_tags_and_addresses_stays_text_and_scripts_are_no_links() {
    let mut odd = event("\"><script>alert(1)</script>", "x");
    odd.tags = vec!["\"/><script>alert(2)</script>".to_owned()];
    odd.url = "javascript:alert(3)".to_owned();
    let mention =
        |url: &str, title: &str| Mention { url: url.to_owned(), title: title.to_owned(), summary: "<s>".to_owned() };
    odd.pages = vec![
        mention("JavaScript:alert(4)", "<b>"),
        mention("data:text/html,x", ""),
        mention("https://example.org/\"><script>alert(5)</script>", "<i>"),
    ];
    let feed = written(&[odd]);
    assert!(!feed.contains("<script") && !feed.contains("rel=\"alternate\""), "{feed}");
    let content = content_of(&feed);
    assert!(!content.contains("<script") && !content.contains("<b>") && !content.contains("<i>"), "{content}");
    assert_eq!(content.matches("href=").count(), 1, "{content}");
}

#[test]
fn what_xml_cannot_hold_is_left_out_and_long_titles_are_cut() {
    let odd = event(&format!("a\u{0}b\u{1b}[2J\u{ffff}{}", "é".repeat(1000)), "c\rd");
    let feed = written(&[odd]);
    assert!(!feed.contains(|char: char| (char.is_control() && char != '\n') || char == '\u{ffff}'), "{feed}");
    let title = feed.split("<title type=\"text\">").nth(2).unwrap().split('<').next().unwrap();
    assert_eq!(title.chars().count(), LONGEST_TITLE + 1);
}

/// The HTML of the first entry, as a reader has it after XML is undone.
fn content_of(feed: &str) -> String {
    let start = feed.split("<content type=\"html\">").nth(1).unwrap();
    let escaped = start.split("</content>").next().unwrap();
    escaped.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
