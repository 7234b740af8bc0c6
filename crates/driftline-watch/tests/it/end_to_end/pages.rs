//! Pages: what changed is told once, what did not is not told at all.

use super::stage::{Stage, short};

#[test]
fn a_page_that_did_not_change_costs_a_304_and_nobody_hears_of_it() {
    let stage = Stage::open();
    assert!(stage.play("opening").is_empty());
    let _ = stage.site.take_counts();
    assert!(stage.play("quiet").is_empty());
    let counts = stage.site.take_counts();
    // Only the ferry has another clock for each visitor, and lists are read whole.
    let whole = counts.answers - counts.not_modified;
    let (ferry, lists) = (6, 6);
    assert!(counts.not_modified >= 8 * 6 && whole <= ferry + lists + 1, "{counts:?}");
}

#[test]
fn a_price_that_changes_and_returns_is_told_both_times() {
    let stage = Stage::open();
    stage.play("opening");
    let told = stage.play("price");
    assert_eq!(short(&told), [("changed", "/prices")]);
    assert!(told[0].text().contains("Grown-ups [-24-] {+26+} euros"), "{}", told[0].text());
    assert!(told[0].event.returned_to.is_none() && told[0].event.degree.is_some_and(|degree| degree < 0.02));
    stage.play("move");
    let told = stage.play("return");
    assert_eq!(short(&told), [("changed", "/prices")]);
    assert!(told[0].event.returned_to.is_some(), "{:?}", told[0].event);
}

#[test]
fn a_block_that_moved_is_told_as_moved() {
    let stage = Stage::after("price");
    let told = stage.play("move");
    assert_eq!(short(&told), [("changed", "/events")]);
    assert!(told[0].event.summary.contains("63 words moved"), "{told:?}");
}

#[test]
fn a_clock_and_an_advert_that_do_not_count_are_told_to_nobody() {
    let stage = Stage::with("", |site| {
        format!("[[watch]]\nurl = '{}'\nschedule = '10m'\nignore = ['.clock', '.advert']", site.url("/ferry"))
    });
    assert!(stage.wait(600).is_empty());
    assert!(stage.site.visits("/ferry") >= 55);
}

#[test]
fn a_page_that_flaps_is_told_once_as_flapping() {
    let stage = Stage::after("feed");
    let told = stage.play("flapping");
    let flapping: Vec<_> = told.iter().filter(|told| told.kind == "flapping").collect();
    assert_eq!((flapping.len(), flapping[0].path.as_str()), (1, "/cafe"), "{told:#?}");
    assert!(told.iter().all(|told| told.path == "/cafe") && told.len() <= 5, "{told:#?}");
    assert_eq!(stage.wait(24 * 60), []);
}

#[test]
fn a_zone_that_moved_is_found_again_and_its_words_did_not_change() {
    let stage = Stage::after("recovery");
    let told = stage.play("zone");
    assert_eq!(short(&told), [("zone-found", "/hours")], "{told:#?}");
    assert_eq!(stage.wait(24 * 60), []);
}
