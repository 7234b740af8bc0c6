//! Made cases: what a rebuilt page does to a zone.

use proptest::prelude::*;

use super::search::distinct_words;
use super::{Fate, Followed, Purpose, ZoneFingerprint, fingerprint, relocate};
use crate::page::zone::{Selector, Zones};
use crate::page::{NodeId, Page, ReadOptions};
use crate::sides::Sides;

const NEWS: &str =
    "<ul><li>Bridge closed until Friday<li>New library opens in Garden Street<li>Council votes on trees</ul>";
const MENU: &str = "<ul><li>Home<li>Contact<li>Imprint<li>Terms of use</ul>";
const TEXT: &str = "<p>Our town lies between two rivers and has had a market since the year of its founding.</p>";

fn page(body: &str) -> Page {
    Page::read(body, &ReadOptions::default())
}

fn options(include: &str, ignore: &str) -> ReadOptions {
    let list = |text: &str| text.split_terminator(';').map(|it| Selector::parse(it).unwrap()).collect();
    ReadOptions { zones: Zones { include: list(include), ignore: list(ignore) }, ..ReadOptions::default() }
}

fn follow(older: &str, newer: &str, options: &ReadOptions) -> Followed {
    let sources = Sides { older: older.into(), newer: newer.into() };
    super::follow(sources, Sides { older: options, newer: options })
}

fn followed(older: &str, newer: &str, include: &str) -> (Fate, String) {
    let followed = follow(older, newer, &options(include, ""));
    (followed.zones[0].fate.clone(), followed.newer.text().to_owned())
}

fn older() -> String {
    format!("<nav>{MENU}</nav><div id=news>{NEWS}</div><div id=about>{TEXT}</div>")
}

#[test]
fn a_zone_is_found_in_new_wrappers_under_new_names_and_edited() {
    let edited = NEWS.replace("Friday", "Sunday").replace("votes", "argues");
    for newer in [
        format!("<header>{MENU}</header><main><div><div class=latest>{NEWS}</div></div><div>{TEXT}</div></main>"),
        format!("<div class=about>{TEXT}</div><section><h2>Latest</h2>{NEWS}</section><footer>{MENU}</footer>"),
        format!("<nav>{MENU}</nav><div class=news>{edited}</div><div id=about>{TEXT}</div>"),
    ] {
        let (fate, text) = followed(&older(), &newer, "#news");
        assert!(matches!(fate, Fate::Moved { certainty, .. } if certainty > 0.4), "{newer}: {fate:?}");
        assert!(
            text.contains("Bridge closed until") && !text.contains("market") && !text.contains("Imprint"),
            "{text}"
        );
    }
}

#[test]
fn a_kept_zone_is_not_looked_for_even_if_all_its_words_are_new() {
    let newer = older().replace(NEWS, "<ul><li>Rain<li>Snow</ul>");
    assert_eq!(followed(&older(), &newer, "#news"), (Fate::Kept, "Rain\nSnow\n".into()));
    assert_eq!(followed(&older(), &older(), "#news").0, Fate::Kept);
}

#[test]
fn a_selector_that_now_means_something_else_is_not_believed() {
    let newer = format!("<nav>{MENU}</nav><div id=news>{TEXT}</div><div id=latest>{NEWS}</div>");
    let (fate, text) = followed(&older(), &newer, "#news");
    assert!(matches!(&fate, Fate::Moved { to, .. } if to == "#latest"), "{fate:?}");
    assert!(text.starts_with("Bridge"), "{text}");
}

#[test]
fn a_deleted_zone_is_lost_and_its_twins_are_no_find() {
    let newer = format!("<nav>{MENU}</nav><div id=about>{TEXT}</div>");
    assert_eq!(followed(&older(), &newer, "#news"), (Fate::Lost, String::new()));
    assert_eq!(followed(&older(), "", "#news").0, Fate::Lost);
    let twins = format!("<div>{NEWS}</div><div>{NEWS}</div>");
    assert_eq!(followed(&older(), &twins, "#news").0, Fate::Lost, "which of the two?");
    let pair = format!("<div id=a>{NEWS}</div><div id=b>{NEWS}</div>");
    assert_eq!(followed(&pair, &format!("<div id=b>{NEWS}</div>"), "#a").0, Fate::Lost, "that was the other one");
    assert_eq!(followed(&newer, &older(), "#news").0, Fate::Absent);
    assert_eq!(followed("plain text", "plain text", "#news").0, Fate::Absent);
}

#[test]
fn several_selectors_and_ignored_parts_are_followed_one_by_one() {
    let newer = format!("<nav>{MENU}</nav><div class=latest>{NEWS}</div><div id=about>{TEXT}</div>");
    let two = follow(&older(), &newer, &options("#news;#about", "nav"));
    let fates: Vec<_> = two.zones.iter().map(|zone| (zone.purpose, matches!(zone.fate, Fate::Kept))).collect();
    assert_eq!(fates, [(Purpose::Zone, false), (Purpose::Zone, true), (Purpose::Ignore, true)]);
    assert!(two.newer.text().starts_with("Bridge") && two.newer.text().contains("market"));
    let ignored = follow(&older(), &newer, &options("", "#news"));
    assert!(matches!(ignored.zones[0].fate, Fate::Moved { .. }), "{:?}", ignored.zones);
    assert!(!ignored.newer.text().contains("Bridge") && ignored.newer.text().contains("Imprint"));
    let both = follow(&older(), &newer.replace("about", "town"), &options("#news, #about", ""));
    assert!(matches!(&both.zones[0].fate, Fate::Moved { to, .. } if to == "#town, .latest"), "{:?}", both.zones);
}

#[test]
fn a_fingerprint_is_stored_and_another_version_refused() {
    let page = page(&older());
    let zone = ZoneFingerprint::of(&page, NodeId(8));
    let stored = serde_json::to_value(&zone).unwrap();
    assert_eq!(serde_json::from_value::<ZoneFingerprint>(stored.clone()).unwrap(), zone);
    for (member, value, expected) in
        [("version", 2, "has the format 2, this driftline reads 1"), ("ceiling", 0, "damaged")]
    {
        let mut other = stored.clone();
        other[member] = value.into();
        let message = serde_json::from_value::<ZoneFingerprint>(other).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn of_many_words_a_sample_is_enough() {
    let words = |range: std::ops::Range<u32>| range.map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ");
    let older = page(&format!("<div id=a>{}</div>", words(0..20_000)));
    let newer = page(&format!("<p>{}</p><div>{}</div>", words(30_000..40_000), words(5_000..22_000)));
    let zone = ZoneFingerprint::of(&older, NodeId(3));
    assert!(serde_json::to_string(&zone).unwrap().len() < 50_000);
    let found = relocate(&newer, &zone).unwrap();
    assert_eq!((newer.tag(found.node), found.selector.as_str()), ("div", "body > div"));
}

proptest! {
    #[test]
    fn different_words_are_counted_as_by_hand(body in "(<p>|</p>|<b>|</b>|[a-e] ){0,40}", zone in "[a-e ]{0,6}") {
        let (zoned, page) = (page(&format!("<p>{zone}")), page(&format!("<p>{body}")));
        let zone = ZoneFingerprint::of(&zoned, NodeId(0));
        let words: Vec<u32> = page.words().map(fingerprint::hash).collect();
        for (node, counts) in page.nodes().iter().zip(distinct_words(&page, &words, &zone)) {
            let own: std::collections::BTreeSet<u32> = words[node.words.range()].iter().copied().collect();
            let common = own.iter().filter(|word| zone.words.contains(word)).count();
            prop_assert_eq!(counts, (own.len() as u32, common as u32));
        }
    }
}
