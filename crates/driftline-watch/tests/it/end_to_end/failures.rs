//! Failures: silence while they may pass, one event when they last, one when they end.

use driftline_demo::story;

use super::stage::{Stage, short};

#[test]
fn what_fails_once_is_tried_again_without_a_word() {
    let stage = Stage::after("return");
    assert_eq!(short(&stage.play("hiccup")), []);
    assert!(stage.site.visits("/prices") > 0);
}

#[test]
fn an_outage_is_one_event_for_the_site_and_its_end_another() {
    for (before, outage) in [("gone", "busy"), ("recovery", "silence")] {
        let stage = Stage::after(before);
        let told = stage.play(outage);
        assert_eq!(told.len(), 1, "{outage}: {told:#?}");
        assert_eq!(told[0].kind, "check-failing");
        assert!(told[0].event.since.is_some());
        let told = stage.play("recovery");
        assert_eq!(told.len(), 1, "{outage}: {told:#?}");
        assert_eq!(told[0].kind, "check-recovered");
    }
}

#[test]
fn a_page_that_stays_away_is_gone_and_may_come_back() {
    let stage = Stage::after("new page");
    let told = stage.play("gone");
    assert_eq!(short(&told), [("page-gone", "/people")], "{told:#?}");
    assert_eq!(stage.wait(24 * 60), []);
    stage.site.set(story::step("new page").unwrap());
    let told = stage.wait(6 * 60);
    assert_eq!(short(&told), [("page-back", "/people")], "{told:#?}");
}
