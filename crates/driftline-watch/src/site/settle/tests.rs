//! The rules of settling, on events made by hand.

use driftline::change::Sides;
use driftline::event::{FORMAT, Part};
use proptest::prelude::*;

use super::*;
use crate::leftover::{self, Content, Half, Item, Words};

fn time(minutes: i64) -> Time {
    Time::from_microseconds(minutes * 60_000_000)
}

/// A change of a page with these parts, from a version at 10 to one at 20.
fn changed(page: u8, parts: &[u8]) -> Event {
    let part = |&part: &u8| Part {
        signature: format!("part{part}"),
        selector: format!("#p{part}"),
        summary: format!("part {part} changed"),
        importance: f64::from(part) / 10.0,
        why: vec![format!("because of {part}")],
    };
    Event {
        format: FORMAT,
        key: format!("key{page}"),
        at: time(20),
        kind: Kind::Changed,
        watch: Some(format!("w{page}")),
        name: format!("Page {page}"),
        tags: Vec::new(),
        url: format!("http://example.org/{page}"),
        site: "example.org".to_owned(),
        summary: "something changed".to_owned(),
        importance: 0.5,
        why: Vec::new(),
        degree: Some(0.1),
        versions: Some(Sides { older: time(10), newer: time(20) }),
        excerpts: Vec::new(),
        parts: parts.iter().map(part).collect(),
        template_similarity: Some(1.0),
        returned_to: None,
        since: None,
        certainty: None,
        pages: Vec::new(),
        explains: Vec::new(),
        limits: Vec::new(),
        learned: Vec::new(),
    }
}

fn stored(id: i64, event: &Event, until: i64) -> StoredEvent {
    StoredEvent {
        id,
        key: event.key.clone(),
        at: event.at,
        kind: event.kind.name().to_owned(),
        url: event.url.clone(),
        site: event.site.clone(),
        watch: event.watch.clone(),
        capture: None,
        older: None,
        reading: String::new(),
        importance: event.importance,
        held_until: Some(time(until)),
        folded_into: None,
        summary: event.summary.clone(),
        read_at: None,
        is_kept: false,
        body: serde_json::to_value(event).unwrap(),
    }
}

fn settled(events: &[Event]) -> Settled {
    let held: Vec<StoredEvent> = events.iter().zip(1..).map(|(event, id)| stored(id, event, 25)).collect();
    settle_held(&held, &[], time(25), &|_, _| Vec::new())
}

fn summaries(settled: &Settled) -> Vec<&str> {
    settled.told.iter().map(|told| told.event.summary.as_str()).collect()
}

#[test]
fn parts_on_the_same_pages_are_told_together() {
    let settled = settled(&[changed(1, &[1, 2]), changed(2, &[1, 2]), changed(3, &[3])]);
    assert_eq!(
        summaries(&settled),
        ["the same change on 2 pages: part 1 changed; part 2 changed", "something changed"]
    );
    assert_eq!(settled.told[0].watches, ["w1", "w2"]);
    assert_eq!(settled.settlement.folded.len(), 2);
    assert_eq!((settled.settlement.released.as_slice(), settled.settlement.new.len()), ([3].as_slice(), 1));
}

#[test]
fn a_page_keeps_what_it_has_of_its_own() {
    let settled = settled(&[changed(1, &[1]), changed(2, &[1, 9])]);
    assert_eq!(
        summaries(&settled),
        ["the same change on 2 pages: part 1 changed", "part 9 changed (plus a change shared with other pages)"]
    );
    let own = &settled.told[1].event;
    assert_eq!((own.importance, own.why[0].as_str()), (0.9, "because of 9"));
    assert_eq!(settled.settlement.updated.len(), 1);
    assert_eq!(settled.told[0].event.explains, ["key1"]);
}

#[test]
fn two_watches_of_one_page_are_not_many_pages() {
    let twin = Event { key: "other".to_owned(), watch: Some("other".to_owned()), ..changed(1, &[1]) };
    assert_eq!(summaries(&settled(&[changed(1, &[1]), twin])), ["something changed", "something changed"]);
}

#[test]
fn events_for_different_people_stay_apart() {
    let events = [changed(1, &[1]), changed(2, &[1])];
    let held: Vec<StoredEvent> = events.iter().zip(1..).map(|(event, id)| stored(id, event, 25)).collect();
    let told = settle_held(&held, &[], time(25), &|watch, _| vec![watch.to_owned()]).told;
    assert_eq!(told.len(), 2);
}

#[test]
fn what_waits_goes_with_the_first_that_is_due_and_the_rest_on_its_own() {
    let lost = Event { kind: Kind::ZoneLost, key: "lost".to_owned(), ..changed(3, &[]) };
    let held = [stored(1, &changed(1, &[1]), 25), stored(2, &changed(2, &[2]), 99), stored(3, &lost, 99)];
    assert_eq!(settle_held(&held, &[], time(24), &|_, _| Vec::new()).told.len(), 0);
    assert_eq!(settle_held(&held, &[], time(25), &|_, _| Vec::new()).settlement.released, [1, 2]);
}

#[test]
fn a_redesign_folds_only_pages_that_went_over_to_it() {
    let page = |page, similarity| Event { template_similarity: similarity, ..changed(page, &[page]) };
    let early = Event { versions: Some(Sides { older: time(1), newer: time(5) }), ..page(1, Some(0.2)) };
    let events = [early, page(2, Some(0.2)), page(3, Some(0.99)), page(4, None)];
    let held: Vec<StoredEvent> = events.iter().zip(1..).map(|(event, id)| stored(id, event, 25)).collect();
    let known = [Known {
        since: time(15),
        key: "redesign".to_owned(),
        certainty: None,
        audience: Vec::new(),
        pages: Vec::new(),
    }];
    let settled = settle_held(&held, &known, time(25), &|_, _| Vec::new());
    assert_eq!(settled.settlement.folded, [(2, "redesign".to_owned())]);
    assert_eq!(settled.settlement.released, [1, 3, 4]);
}

#[test]
fn a_redesign_that_others_were_told_swallows_nothing() {
    let event = Event { template_similarity: Some(0.2), ..changed(1, &[1]) };
    let known = |name: &str| {
        [Known {
            since: time(15),
            key: "new".to_owned(),
            certainty: None,
            audience: vec![name.to_owned()],
            pages: Vec::new(),
        }]
    };
    let held = [stored(1, &event, 25)];
    let settled = |name| settle_held(&held, &known(name), time(25), &|_, _| vec!["me".to_owned()]).settlement;
    assert_eq!((settled("me").folded.len(), settled("other").released), (1, vec![1]));
}

#[test]
fn events_with_tags_for_different_people_stay_apart() {
    let tagged = Event { tags: vec!["x".to_owned()], ..changed(2, &[1]) };
    let held = [stored(1, &changed(1, &[1]), 25), stored(2, &tagged, 25)];
    assert_eq!(settle_held(&held, &[], time(25), &|_, tags| tags.to_vec()).told.len(), 2);
}

#[test]
fn two_watches_of_one_address_are_not_pages_that_are_gone() {
    let gone = |watch: &str| Event { kind: Kind::PageGone, key: watch.to_owned(), ..changed(1, &[]) };
    assert_eq!(settled(&[gone("a"), gone("b")]).told.len(), 2);
}

#[test]
fn an_event_of_an_unknown_format_is_released() {
    let odd = StoredEvent { body: serde_json::json!({ "format": 99 }), ..stored(1, &changed(1, &[]), 25) };
    let settled = settle_held(&[odd], &[], time(25), &|_, _| Vec::new());
    assert_eq!((settled.settlement.released, settled.told.len()), (vec![1], 0));
}

/// A page that went over to another design and lost and gained these words.
fn rebuilt(page: u8, words: &[(u8, u8)]) -> (Event, Leftover) {
    let item = |(side, word): &(u8, u8)| {
        let text = format!("word{word}");
        let words = Words { spans: vec![(0, text.len() as u32)], text, ..Words::default() };
        let (places, content) = (vec![u32::from(side / 2)], Content::Words(words));
        Item { selector: String::new(), places, importance: 0.5, why: Vec::new(), is_ignored: false, content }
    };
    let half = |newer: u8| Half {
        items: words.iter().filter(|(side, _)| side % 2 == newer).map(item).collect(),
        ..Half::default()
    };
    let event = Event { template_similarity: Some(0.2), key: format!("rebuilt{page}"), ..changed(page, &[page]) };
    (event, Leftover::new(half(0), half(1)))
}

fn stored_with(id: i64, (event, leftover): &(Event, Leftover)) -> StoredEvent {
    StoredEvent { body: leftover::body(event, Some(leftover)), ..stored(id, event, 25) }
}

fn design() -> Known {
    Known { since: time(15), key: "redesign".to_owned(), certainty: None, audience: Vec::new(), pages: Vec::new() }
}

#[test]
fn what_of_a_page_is_more_than_the_design_is_an_event_of_its_own() {
    let pages = [rebuilt(1, &[(1, 1), (3, 9)]), rebuilt(2, &[(1, 1)]), rebuilt(3, &[(1, 1)])];
    let held: Vec<StoredEvent> = pages.iter().zip(1..).map(|(page, id)| stored_with(id, page)).collect();
    let settled = settle_held(&held, &[design()], time(25), &|_, _| Vec::new());
    assert_eq!(summaries(&settled), ["“word9” added; besides the redesign"]);
    assert_eq!(settled.settlement.folded.len(), 3);
    assert_eq!(settled.settlement.new[0].watch.as_deref(), Some("w1"));
    assert_eq!(settled.settlement.new[0].body.get("leftover"), None);
    assert_eq!(
        settle_held(&held, &[design()], time(25), &|_, _| Vec::new()),
        settled,
        "settling again gives the same keys"
    );
}

#[test]
fn a_page_that_can_be_compared_with_no_other_is_reported_whole() {
    let held = [stored_with(1, &rebuilt(1, &[(1, 1)]))];
    let settled = settle_held(&held, &[design()], time(25), &|_, _| Vec::new());
    assert_eq!((summaries(&settled), settled.settlement.folded.len()), (vec!["something changed"], 0));
}

#[test]
fn a_change_that_was_stored_without_a_leftover_is_folded_whole() {
    let (event, _) = rebuilt(1, &[]);
    let settled = settle_held(&[stored(1, &event, 25)], &[design()], time(25), &|_, _| Vec::new());
    assert_eq!((settled.told.len(), settled.settlement.folded.len()), (0, 1));
}

#[test]
fn an_edit_that_the_first_pages_share_is_reported_when_the_others_come_without_it() {
    let same = [(1, 1), (3, 9)];
    let before = |page| {
        let (event, leftover) = rebuilt(page, &same);
        fold::Evidence { event, leftover, is_open: true }
    };
    let known = Known { pages: vec![before(1), before(2)], ..design() };
    let settled = |pages: &[(Event, Leftover)]| {
        let held: Vec<StoredEvent> = pages.iter().zip(1..).map(|(page, id)| stored_with(id, page)).collect();
        settle_held(&held, std::slice::from_ref(&known), time(25), &|_, _| Vec::new())
    };
    assert_eq!(settled(&[rebuilt(3, &same)]).told.len(), 0);
    let settled = settled(&[rebuilt(3, &[(1, 1)]), rebuilt(4, &[(1, 1)])]);
    assert_eq!(summaries(&settled), ["the same edit on 2 pages: “word9” added; besides the redesign"]);
    assert_eq!(settled.told[0].event.explains, ["rebuilt1", "rebuilt2"]);
}

#[test]
fn edits_for_different_people_stay_apart() {
    let pages = [rebuilt(1, &[(3, 9)]), rebuilt(2, &[(3, 9)]), rebuilt(3, &[]), rebuilt(4, &[]), rebuilt(5, &[])];
    let held: Vec<StoredEvent> = pages.iter().zip(1..).map(|(page, id)| stored_with(id, page)).collect();
    let known = Known { audience: pages.iter().map(|(event, _)| event.watch.clone().unwrap()).collect(), ..design() };
    let told = settle_held(&held, &[known], time(25), &|watch, _| vec![watch.to_owned()]).told;
    assert_eq!(told.iter().map(|told| told.watches.clone()).collect::<Vec<_>>(), [["w1"], ["w2"]]);
}

proptest! {
    #[test]
    fn the_order_of_pages_of_a_redesign_does_not_matter(
        pages in prop::collection::vec((0_u8..6, prop::collection::vec((0_u8..4, 0_u8..4), 0..4)), 0..8),
        before in prop::collection::vec(prop::collection::vec((0_u8..4, 0_u8..4), 0..4), 0..4),
        turn in 0_usize..8,
    ) {
        let mut held: Vec<StoredEvent> = Vec::new();
        for (id, (page, words)) in (1_i64..).zip(&pages) {
            let (event, leftover) = rebuilt(*page, words);
            held.push(stored_with(id, &(Event { key: format!("key{}", id - 1), ..event }, leftover)));
        }
        let settled_before = |(at, words): (usize, &Vec<(u8, u8)>)| {
            let (event, leftover) = rebuilt(100 + at as u8, words);
            fold::Evidence { event, leftover, is_open: at % 2 == 0 }
        };
        let mut known = Known { pages: before.iter().enumerate().map(settled_before).collect(), ..design() };
        let one = settle_held(&held, std::slice::from_ref(&known), time(25), &|_, _| Vec::new());
        let middle = turn.min(held.len());
        held.rotate_left(middle);
        held.reverse();
        known.pages.reverse();
        prop_assert_eq!(&settle_held(&held, &[known], time(25), &|_, _| Vec::new()), &one);
        // Every page is folded or released, and nothing is reported twice.
        prop_assert_eq!(one.settlement.released.len() + one.settlement.folded.len(), pages.len());
        let keys: std::collections::BTreeSet<&str> = one.told.iter().map(|told| told.event.key.as_str()).collect();
        prop_assert_eq!(keys.len(), one.told.len());
        let of_before = before.len().div_ceil(2);
        prop_assert!(one.told.len() <= pages.len() + of_before);
    }

    #[test]
    fn the_order_of_events_does_not_matter(
        pages in prop::collection::vec((0_u8..6, prop::collection::vec(0_u8..5, 0..4)), 0..8),
        turn in 0_usize..8,
    ) {
        let events: Vec<Event> = pages.iter().enumerate().map(|(at, (page, parts))| {
            Event { key: format!("key{at}"), ..changed(*page, parts) }
        }).collect();
        let mut held: Vec<StoredEvent> = events.iter().zip(1..).map(|(event, id)| stored(id, event, 25)).collect();
        let one = settle_held(&held, &[], time(25), &|_, _| Vec::new());
        let middle = turn.min(held.len());
        held.rotate_left(middle);
        held.reverse();
        prop_assert_eq!(&settle_held(&held, &[], time(25), &|_, _| Vec::new()), &one);
        // Every event is told, or explained by one that is.
        prop_assert_eq!(one.settlement.released.len() + one.settlement.folded.len(), events.len());
        for (_, key) in &one.settlement.folded {
            prop_assert!(one.told.iter().any(|told| told.event.key == *key));
        }
    }
}
