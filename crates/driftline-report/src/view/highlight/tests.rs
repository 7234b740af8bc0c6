//! Is the highlighted page safe, whole and readable by everyone?

use super::super::html::sha256;
use super::*;
use crate::sample::{BEFORE, NOW, Pair};
use driftline::page::Page;

fn page(older: &str, newer: &str) -> String {
    let (pair, options, sheets) = (Pair::of(older, newer), ReadOptions::default(), HashMap::new());
    let original = |source| Original { source: Source::from(source), options: &options, sheets: &sheets };
    html(&pair.comparison(), Sides { older: original(older), newer: original(newer) })
}

#[test]
fn the_policy_lets_only_this_script_run() {
    let hash = format!("'sha256-{}'", sha256::base64(SCRIPT.as_bytes()));
    assert!(POLICY.contains(&format!("script-src {hash};")), "put {hash} into POLICY");
}

#[test]
fn both_versions_stand_in_frames_that_cannot_act() {
    let page = page(BEFORE, NOW);
    assert_eq!(page.matches("<iframe ").count(), 2);
    assert_eq!(page.matches("sandbox=\"allow-same-origin\"").count(), 2);
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("default-src 'none'").count(), 3);
}

#[test]
fn regions_and_words_are_marked_in_the_pages_and_listed_with_links_to_them() {
    let page = page("<main><p>one two three</p><p>four</p></main>", "<main><p>one two five</p><p>four</p></main>");
    assert!(page.contains("&lt;p data-driftline=&quot;1&quot; data-driftline-kind=&quot;changed&quot;"), "{page}");
    assert!(page.contains("&lt;ins data-driftline-edit=&quot;replace&quot;&gt;five&lt;/ins&gt;"));
    assert!(page.contains("&lt;del data-driftline-edit=&quot;replace&quot;&gt;three&lt;/del&gt;"));
    assert!(page.contains("<a class=\"go\" href=\"about:srcdoc#driftline-node-4\" target=\"newer\">"), "{page}");
    assert!(page.contains("target=\"older\">where it was</a>"));
}

#[test]
fn a_page_cannot_take_the_place_of_a_mark() {
    let own = "<h1 data-driftline=1 data-driftline-kind=added id=driftline-node-4>Same</h1>";
    let page = page(
        &format!("<main>{own}<p id=driftline-x>one two three</p></main>"),
        &format!("<main>{own}<p id=driftline-x>one two five</p></main>"),
    );
    assert_eq!(page.matches("data-driftline=&quot;1&quot;").count(), 2, "{page}");
    assert_eq!(page.matches("&lt;h1&gt;Same").count(), 2, "{page}");
    let (_, link) = page.split_once("href=\"about:srcdoc#").unwrap();
    let (anchor, _) = link.split_once('"').unwrap();
    assert!(anchor.starts_with("driftline-node-") && page.contains(&format!("id=&quot;{anchor}&quot;")), "{anchor}");
}

#[test]
fn page_text_and_names_cannot_become_markup() {
    let attack = "</iframe><script>alert(1)</script><img src=x onerror=alert(2)>\"'";
    let escaped = attack.replace('<', "&lt;").replace('"', "&quot;");
    let newer = format!("<title>{escaped}</title><p id=\"{escaped}\" title=\"{escaped}\">{escaped}</p>{attack}");
    let page = page("<p>Hello", &newer);
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("</iframe>").count(), 2);
    assert_eq!(page.matches("<img").count(), 0);
    for frame in page.split("srcdoc=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        let inner = frame.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        let inner = Page::read(inner.as_str(), &ReadOptions::default());
        let bad =
            inner.node_ids().find(|&node| inner.tag(node) == "script" || inner.attribute(node, "onerror").is_some());
        assert_eq!(bad, None);
    }
}

#[test]
fn what_is_no_web_page_is_shown_as_text() {
    let options = ReadOptions::default();
    let sheets = HashMap::new();
    let pair = Pair::of("plain words", "other words");
    let original = |source| Original { source: Source::from(source), options: &options, sheets: &sheets };
    let page = html(&pair.comparison(), Sides { older: original("plain words"), newer: original("other words") });
    assert!(page.contains("<main lang") && !page.contains("<iframe"));
}

#[test]
fn style_sheets_beside_the_page_stand_in_it() {
    let source = "<link rel=stylesheet href=own.css><link rel=stylesheet href=other.css><p>a";
    let (pair, options) = (Pair::of(source, source), ReadOptions::default());
    let sheets = HashMap::from([("own.css".to_owned(), "p{color:teal;background:url(x)}".to_owned())]);
    let original = Original { source: Source::from(source), options: &options, sheets: &sheets };
    let page = html(&pair.comparison(), Sides { older: original, newer: original });
    assert!(page.contains("p{color:teal;background:url(&quot;data:,&quot;)}"));
    assert_eq!(linked_sheets(original.source, &options), ["own.css", "other.css"]);
}

#[test]
fn a_link_around_a_page_is_not_listed_whole() {
    let words = "wörd ".repeat(400);
    let page = page(&format!("<p>{words}"), &format!("<p><a href=/next>{words}</a>"));
    let (_, list) = page.split_once("<ul class=\"resources\">").unwrap();
    let (list, _) = list.split_once("</ul>").unwrap();
    assert!(list.contains("<q>wörd wörd ") && list.contains("…</q>") && list.chars().count() < 500, "{list}");
}
