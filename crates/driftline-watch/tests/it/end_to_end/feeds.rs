//! Feeds and sitemaps: items and pages that came.

use super::stage::{Stage, short};

#[test]
fn new_and_altered_items_are_told_one_by_one() {
    let stage = Stage::after("hiccup");
    let told = stage.play("feed");
    let items = [("item-added", "/news/piano"), ("item-added", "/news/workshop"), ("item-modified", "/news/regatta")];
    assert_eq!(short(&told), items, "{told:#?}");
    assert!(told[0].text().contains("A piano comes ashore"), "{}", told[0].text());
    assert!(told[2].text().contains("[-1931-] {+1932+}"), "{}", told[2].text());
    // Items are followed: they are pages of the site.
    assert_eq!((stage.site.visits("/news/piano"), stage.site.visits("/news/map-room")), (1, 1));
    assert_eq!(stage.wait(12 * 60), []);
}

#[test]
fn a_new_page_in_a_sitemap_is_told_and_watched() {
    let stage = Stage::after("footer");
    let told = stage.play("new page");
    assert_eq!(short(&told), [("new-page", "/branch/bay")], "{told:#?}");
    let before = stage.site.visits("/branch/bay");
    stage.wait(6 * 60);
    assert!(before > 0 && stage.site.visits("/branch/bay") >= before + 5);
}
