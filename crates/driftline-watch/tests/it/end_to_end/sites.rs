//! Sites: the same change everywhere, and a redesign, are one event each.

use driftline_catalog::EventFilter;
use driftline_demo::story;

use super::stage::{Stage, short};

#[test]
fn the_same_change_on_many_pages_is_one_event_with_a_list() {
    let stage = Stage::after("calm");
    let told = stage.play("footer");
    assert_eq!(short(&told), [("changed", "*")], "{told:#?}");
    let pages = told[0].pages(&stage);
    assert!(["/", "/cafe", "/prices", "/people"].iter().all(|path| pages.iter().any(|page| page == path)), "{pages:?}");
    assert!(told[0].text().contains("The flap stays open"), "{}", told[0].text());
}

#[test]
fn a_redesign_is_one_event_that_explains_the_others() {
    let stage = Stage::open();
    for step in story::STEPS.iter().take_while(|step| step.name != "redesign") {
        stage.play(step.name);
    }
    let told = stage.play("redesign");
    let seen: Vec<_> =
        told.iter().map(|told| (told, told.event.versions, told.event.since, told.event.template_similarity)).collect();
    assert_eq!(short(&told), [("redesigned", "*")], "{seen:#?}");
    let event = &told[0].event;
    assert!(event.explains.len() >= 8 && event.certainty.is_some_and(|certainty| certainty > 0.5), "{event:?}");
    let filter = EventFilter { all: true, limit: 1_000, ..EventFilter::default() };
    let folded = stage.catalog().events(&filter).unwrap().items;
    let folded = folded.iter().filter(|found| found.folded_into.as_deref() == Some(&event.key)).count();
    assert!(folded >= 8, "{folded}");
}
