//! Is everything that a check, a release and a delivery leave behind there, all of it or nothing, and once?

use driftline_catalog::{
    Catalog, Delivery, DeliveryState, EventFilter, Member, NewDelivery, NewEvent, Record, Relocation, Settlement,
    Stream, WatchState,
};
use serde_json::{Value, json};

use super::others::{change, three_versions, watch};
use super::{on_both, time};

on_both!(
    a_check_is_recorded_with_all_that_it_found,
    the_last_of_several_checks_counts,
    a_watch_is_written_again_only_if_it_differs,
    a_million_states_are_read_in_pieces,
    an_event_is_added_once,
    what_a_compaction_took_is_no_reason_to_fail,
    held_events_are_settled,
    what_was_told_is_not_folded_later,
    a_delivery_is_made_once,
    a_delivery_goes_through_its_states,
    what_waits_moves_with_the_clock,
    a_claim_ends_by_itself,
    dead_letters_are_listed_and_revived,
    deliveries_are_listed_by_event_and_state,
    the_pages_of_a_list_are_replaced,
    a_site_keeps_its_stream,
);

pub(crate) fn record(uuid: &str, checked: &str) -> Record {
    let state = WatchState {
        next: Some(time("2031")),
        checked: Some(time(checked)),
        body: json!({"checks": 1, "ä": "\0"}),
        ..WatchState::default()
    };
    let watch = watch(uuid, "http://a/");
    Record { watch, state, change: None, events: Vec::new(), stream: None, members: None }
}

pub(crate) fn event(key: &str, at: &str, watch: Option<&str>) -> NewEvent {
    NewEvent {
        key: key.to_owned(),
        at: time(at),
        kind: "changed".to_owned(),
        url: "http://a/".to_owned(),
        site: "a".to_owned(),
        watch: watch.map(str::to_owned),
        tags: vec!["news".to_owned(), "news".to_owned()],
        capture: None,
        older: None,
        reading: String::new(),
        importance: 0.5,
        release: None,
        body: json!({"key": key, "importance": 0.5}),
    }
}

/// Records events of the watch `w`.
pub(crate) fn put(catalog: &Catalog, events: Vec<NewEvent>) {
    catalog.record(&[Record { events, ..record("w", "2020") }]).unwrap();
}

fn keys(catalog: &Catalog, all: bool) -> Vec<String> {
    let events = catalog.events(&EventFilter { all, ..EventFilter::default() }).unwrap().items;
    events.into_iter().map(|event| event.key).collect()
}

pub(crate) fn delivery(event: &str, target: &str, due: &str) -> NewDelivery {
    let (event, target, batch) = (event.to_owned(), target.to_owned(), "b".to_owned());
    NewDelivery { key: format!("{event}-{target}"), event, target, due: time(due), batch }
}

pub(crate) fn deliver(catalog: &Catalog, deliveries: Vec<NewDelivery>) {
    catalog.settle(&Settlement { deliveries, ..Settlement::default() }).unwrap();
}

fn due(catalog: &Catalog, now: &str) -> Vec<Delivery> {
    catalog.due_deliveries(time(now), 100).unwrap()
}

fn ids(deliveries: &[Delivery]) -> Vec<i64> {
    deliveries.iter().map(|delivery| delivery.id).collect()
}

fn a_check_is_recorded_with_all_that_it_found(catalog: &Catalog) {
    let captures = three_versions(catalog);
    assert_eq!(catalog.state("w").unwrap(), None);
    let mut found = record("w", "2020");
    found.change = Some(change(captures[0], captures[1], 1, 0.25));
    found.events = vec![NewEvent { capture: Some(captures[1]), ..event("k", "2020", Some("w")) }];
    found.stream = Some(Stream { site: "a".to_owned(), body: vec![0, 255] });
    found.members = Some(vec![Member { url: "http://a/1".to_owned(), title: "One".to_owned() }]);
    catalog.record(std::slice::from_ref(&found)).unwrap();
    assert_eq!(catalog.state("w").unwrap(), Some(found.state));
    assert_eq!(catalog.watch("w").unwrap(), Some(found.watch));
    assert_eq!(catalog.change(captures[0], captures[1]).unwrap(), found.change);
    let stored = catalog.event("k").unwrap().unwrap();
    assert_eq!((stored.watch.as_deref(), stored.capture), (Some("w"), Some(captures[1])));
    assert_eq!((stored.site.as_str(), stored.importance, stored.body), ("a", 0.5, found.events[0].body.clone()));
    assert_eq!(catalog.stream("a").unwrap(), Some(vec![0, 255]));
    assert_eq!(catalog.members("w", None, 9).unwrap(), found.members.unwrap());
}

fn the_last_of_several_checks_counts(catalog: &Catalog) {
    let records: Vec<Record> =
        (0..50).map(|number| record(&format!("w{}", number % 40), &format!("{}", 2000 + number))).collect();
    catalog.record(&records).unwrap();
    let checked = |uuid: &str| catalog.state(uuid).unwrap().unwrap().checked;
    assert_eq!(checked("w0"), Some(time("2040")));
    assert_eq!(checked("w39"), Some(time("2039")));
    catalog.record(&[]).unwrap();
}

fn a_watch_is_written_again_only_if_it_differs(catalog: &Catalog) {
    catalog.record(&[record("w", "2020")]).unwrap();
    let mut later = record("w", "2021");
    later.watch.created = time("2030");
    catalog.record(std::slice::from_ref(&later)).unwrap();
    assert_eq!(catalog.watch("w").unwrap().unwrap().created, time("2024"), "when it was created stays");
    "Renamed".clone_into(&mut later.watch.title);
    later.state = WatchState { next: None, checked: None, body: Value::Null, ..WatchState::default() };
    catalog.record(std::slice::from_ref(&later)).unwrap();
    assert_eq!(catalog.watch("w").unwrap().unwrap().title, "Renamed");
    assert_eq!(catalog.state("w").unwrap(), Some(later.state));
    catalog.remove_watch("w").unwrap();
    assert_eq!(catalog.state("w").unwrap(), None);
}

fn a_million_states_are_read_in_pieces(catalog: &Catalog) {
    let records: Vec<Record> = (0..75).map(|number| record(&format!("w{number:02}"), "2020")).collect();
    catalog.record(&records).unwrap();
    let (mut seen, mut after) = (Vec::new(), 0);
    loop {
        let page = catalog.states(after, 20).unwrap();
        let Some(last) = page.last() else { break };
        after = last.number;
        seen.extend(page.into_iter().map(|standing| (standing.watch, standing.next, standing.checked)));
    }
    let wanted = |number: usize| (format!("w{number:02}"), Some(time("2031")), Some(time("2020")));
    assert_eq!(seen, (0..75).map(wanted).collect::<Vec<_>>());
}

fn an_event_is_added_once(catalog: &Catalog) {
    put(catalog, vec![event("k", "2020", Some("w"))]);
    let again = NewEvent { kind: "page-gone".to_owned(), ..event("k", "2021", Some("w")) };
    put(catalog, vec![again, event("l", "2021", Some("none")), event("m", "2022", None)]);
    assert_eq!(keys(catalog, false), ["m", "l", "k"]);
    assert_eq!(catalog.event("k").unwrap().unwrap().kind, "changed");
    assert_eq!(catalog.event("l").unwrap().unwrap().watch, None, "a watch that was removed meanwhile");
}

fn what_a_compaction_took_is_no_reason_to_fail(catalog: &Catalog) {
    let captures = three_versions(catalog);
    let mut found = record("w", "2020");
    found.events = vec![NewEvent { capture: Some(captures[1]), ..event("k", "2020", Some("w")) }];
    catalog.record(std::slice::from_ref(&found)).unwrap();
    catalog.relocate(&Relocation { dropped: vec![captures[1]], ..Relocation::default() }).unwrap();
    assert_eq!(catalog.event("k").unwrap().unwrap().capture, None, "an event outlives its capture");
    found.change = Some(change(captures[0], captures[1], 1, 0.5));
    found.events = vec![NewEvent { capture: Some(captures[1]), ..event("l", "2021", Some("w")) }];
    catalog.record(&[found]).unwrap();
    assert_eq!(catalog.change(captures[0], captures[1]).unwrap(), None);
    assert_eq!(catalog.event("l").unwrap().unwrap().capture, None);
}

fn held_events_are_settled(catalog: &Catalog) {
    let held = |key: &str, at: &str, until: &str| NewEvent { release: Some(time(until)), ..event(key, at, Some("w")) };
    let other = NewEvent { site: "b".to_owned(), ..held("x", "2020", "2025") };
    put(catalog, vec![held("k", "2020", "2023"), held("l", "2021", "2024"), held("m", "2022", "2026"), other]);
    assert_eq!(catalog.next_release().unwrap(), Some(time("2023")));
    assert!(keys(catalog, false).is_empty(), "nobody sees them before");
    assert_eq!(keys(catalog, true).len(), 4);
    let names = |events: Vec<driftline_catalog::StoredEvent>| -> Vec<String> {
        events.into_iter().map(|event| event.key).collect()
    };
    assert_eq!(catalog.held_sites(time("2024"), 9).unwrap(), ["a"], "once, however many events it has");
    assert_eq!(catalog.held_sites(time("2025"), 9).unwrap(), ["a", "b"]);
    assert_eq!(catalog.held_sites(time("2025"), 1).unwrap(), ["a"]);
    assert!(catalog.held_sites(time("2022"), 9).unwrap().is_empty());
    let of_site = catalog.held_of("a", 9).unwrap();
    let numbers: Vec<i64> = of_site.iter().map(|event| event.id).collect();
    assert_eq!(names(of_site), ["k", "l", "m"]);
    let settlement = Settlement {
        new: vec![event("all", "2022", None)],
        updated: vec![(numbers[2], json!({"importance": 0.75, "summary": "more"}))],
        folded: vec![(numbers[0], "all".to_owned()), (numbers[1], "all".to_owned())],
        released: vec![numbers[2]],
        deliveries: vec![delivery("all", "mail", "2023")],
        streams: vec![Stream { site: "a".to_owned(), body: b"s".to_vec() }],
    };
    // The second time nothing is left to do.
    catalog.settle(&settlement).unwrap();
    catalog.settle(&settlement).unwrap();
    assert_eq!(keys(catalog, false), ["all", "m"]);
    let folded = catalog.event("k").unwrap().unwrap();
    assert_eq!((folded.folded_into.as_deref(), folded.held_until), (Some("all"), None));
    let updated = catalog.event("m").unwrap().unwrap();
    assert_eq!((updated.importance, &updated.body["summary"]), (0.75, &json!("more")));
    assert_eq!(catalog.next_release().unwrap(), Some(time("2025")));
    assert_eq!(due(catalog, "2023").len(), 1);
    assert_eq!(catalog.stream("a").unwrap(), Some(b"s".to_vec()));
}

fn what_was_told_is_not_folded_later(catalog: &Catalog) {
    put(catalog, vec![NewEvent { release: Some(time("2023")), ..event("k", "2020", Some("w")) }]);
    let id = catalog.held_of("a", 1).unwrap()[0].id;
    catalog.settle(&Settlement { released: vec![id], ..Settlement::default() }).unwrap();
    catalog.settle(&Settlement { folded: vec![(id, "all".to_owned())], ..Settlement::default() }).unwrap();
    assert_eq!(keys(catalog, false), ["k"], "another process that was slower");
    assert_eq!(catalog.event("k").unwrap().unwrap().folded_into, None);
}

fn a_delivery_is_made_once(catalog: &Catalog) {
    put(catalog, vec![event("k", "2020", Some("w"))]);
    deliver(
        catalog,
        vec![delivery("k", "mail", "2021"), delivery("k", "mail", "2021"), delivery("none", "mail", "2021")],
    );
    let begun = due(catalog, "2021");
    assert_eq!(catalog.begin(&ids(&begun), time("2021"), time("2022")).unwrap(), ids(&begun));
    catalog.acknowledge(&ids(&begun), time("2021")).unwrap();
    deliver(catalog, vec![delivery("k", "mail", "2021")]);
    assert_eq!(catalog.deliveries(None, None, None, 9).unwrap().items.len(), 1);
    assert!(due(catalog, "2040").is_empty());
    catalog.remove_watch("w").unwrap();
    assert!(
        catalog.deliveries(None, None, None, 9).unwrap().items.is_empty(),
        "a watch takes its events and deliveries along"
    );
}

fn a_delivery_goes_through_its_states(catalog: &Catalog) {
    put(catalog, vec![event("k", "2020", Some("w"))]);
    deliver(catalog, vec![delivery("k", "mail", "2021")]);
    assert_eq!(catalog.next_delivery().unwrap(), Some(time("2021")));
    assert!(due(catalog, "2020").is_empty());
    let all = due(catalog, "2021");
    assert_eq!((all[0].event.as_str(), all[0].key.as_str(), all[0].state), ("k", "k-mail", DeliveryState::Pending));
    assert_eq!((all[0].attempts, all[0].batch.as_str(), &all[0].body["key"]), (0, "b", &json!("k")));
    catalog.begin(&ids(&all), time("2021"), time("2022")).unwrap();
    catalog.put_off(&[(all[0].id, time("2023"), "no \0 route".to_owned())]).unwrap();
    assert!(due(catalog, "2022").is_empty());
    let again = due(catalog, "2023");
    assert_eq!((again[0].attempts, again[0].error.as_str()), (1, "no \u{FFFD} route"));
    catalog.begin(&ids(&again), time("2023"), time("2024")).unwrap();
    catalog.acknowledge(&ids(&again), time("2023")).unwrap();
    // What is acknowledged stays so, whatever a slower process thinks.
    catalog.put_off(&[(all[0].id, time("2024"), "late".to_owned())]).unwrap();
    catalog.bury(&ids(&all), time("2024"), "late").unwrap();
    assert!(catalog.begin(&ids(&all), time("2040"), time("2041")).unwrap().is_empty());
    let told = catalog.deliveries(Some("k"), Some(DeliveryState::Acknowledged), None, 9).unwrap().items;
    assert_eq!((told[0].settled, told[0].error.as_str(), told[0].attempts), (Some(time("2023")), "", 2));
    assert_eq!(catalog.next_delivery().unwrap(), None);
}

fn what_waits_moves_with_the_clock(catalog: &Catalog) {
    let held = |key: &str, at: &str, until: &str| NewEvent { release: Some(time(until)), ..event(key, at, Some("w")) };
    put(catalog, vec![event("k", "2020", Some("w")), held("held", "2020-01-01", "2020-02-11")]);
    let digest = |due: &str| NewDelivery { batch: "digest@x".to_owned(), ..delivery("k", "digest", due) };
    deliver(catalog, vec![delivery("k", "mail", "2020-02-11"), digest("2020-02-12")]);
    // Ten days forward, and back again.
    let days = 10 * 86_400_000_000;
    let next = [("digest".to_owned(), time("2020-02-20"))];
    catalog.rebase(days, time("2020-02-10"), time("2020-02-20"), &next).unwrap();
    assert_eq!(catalog.next_release().unwrap(), Some(time("2020-02-21")));
    assert_eq!(ids(&due(catalog, "2020-02-12")).len(), 1, "the digest is due by the time of day");
    catalog.rebase(-days, time("2020-02-20"), time("2020-02-10"), &next).unwrap();
    assert_eq!(catalog.next_release().unwrap(), Some(time("2020-02-11")));
    assert_eq!(due(catalog, "2020-02-11").len(), 1);
    // What was found and planned while the clock was ten years ahead is due now.
    put(catalog, vec![held("ahead", "2030-01-01", "2030-01-02")]);
    deliver(
        catalog,
        vec![
            delivery("ahead", "mail", "2030-01-01"),
            NewDelivery { event: "ahead".to_owned(), key: "ahead".to_owned(), ..digest("2030-01-02") },
        ],
    );
    catalog.rebase(0, time("2020-02-10"), time("2020-02-10"), &[("digest".to_owned(), time("2020-02-11"))]).unwrap();
    assert_eq!(catalog.next_release().unwrap(), Some(time("2020-02-10")));
    assert_eq!(due(catalog, "2020-02-10").iter().map(|due| due.event.as_str()).collect::<Vec<_>>(), ["ahead"]);
    assert_eq!(due(catalog, "2020-02-11").len(), 4);
}

fn a_claim_ends_by_itself(catalog: &Catalog) {
    put(catalog, vec![event("k", "2020", Some("w"))]);
    deliver(catalog, vec![delivery("k", "mail", "2021"), delivery("k", "chat", "2021")]);
    let all = ids(&due(catalog, "2021"));
    assert_eq!(catalog.begin(&all[..1], time("2021"), time("2022")).unwrap(), &all[..1]);
    assert_eq!(catalog.begin(&all, time("2021"), time("2022")).unwrap(), &all[1..], "the other has the first");
    assert!(due(catalog, "2021").is_empty());
    assert_eq!(catalog.next_delivery().unwrap(), Some(time("2022")));
    let left = due(catalog, "2022");
    assert_eq!((left.len(), left[0].state), (2, DeliveryState::Sending));
    assert_eq!(catalog.begin(&all, time("2022"), time("2023")).unwrap().len(), 2);
}

fn dead_letters_are_listed_and_revived(catalog: &Catalog) {
    put(catalog, vec![event("k", "2020", Some("w")), event("l", "2020", Some("w"))]);
    deliver(catalog, vec![delivery("k", "mail", "2021"), delivery("l", "mail", "2021")]);
    let all = ids(&due(catalog, "2021"));
    catalog.begin(&all, time("2021"), time("2022")).unwrap();
    catalog.bury(&all[..1], time("2022"), "no such mailbox").unwrap();
    let dead = catalog.deliveries(None, Some(DeliveryState::Dead), None, 9).unwrap().items;
    assert_eq!(
        (ids(&dead), dead[0].error.as_str(), dead[0].settled),
        (all[..1].to_vec(), "no such mailbox", Some(time("2022")))
    );
    assert_eq!(catalog.revive(&all, time("2025")).unwrap(), 1, "only the dead are revived");
    let revived = due(catalog, "2025").into_iter().find(|delivery| delivery.id == all[0]).unwrap();
    assert_eq!((revived.state, revived.attempts, revived.settled), (DeliveryState::Pending, 0, None));
}

fn deliveries_are_listed_by_event_and_state(catalog: &Catalog) {
    put(catalog, vec![event("k", "2020", Some("w")), event("l", "2020", Some("w"))]);
    deliver(catalog, vec![delivery("k", "mail", "2021"), delivery("l", "mail", "2021"), delivery("l", "chat", "2022")]);
    let listed = |event, state, limit| -> Vec<String> {
        catalog.deliveries(event, state, None, limit).unwrap().items.into_iter().map(|delivery| delivery.key).collect()
    };
    assert_eq!(listed(None, None, 2), ["l-chat", "l-mail"]);
    assert_eq!(listed(Some("k"), None, 9), ["k-mail"]);
    assert_eq!(listed(Some("l"), Some(DeliveryState::Pending), 9), ["l-chat", "l-mail"]);
    assert!(listed(None, Some(DeliveryState::Dead), 9).is_empty());
}

fn the_pages_of_a_list_are_replaced(catalog: &Catalog) {
    let member = |number: usize, title: &str| Member { url: format!("http://a/{number}"), title: title.to_owned() };
    let put = |members: &[Member]| {
        catalog.record(&[Record { members: Some(members.to_vec()), ..record("w", "2020") }]).unwrap();
    };
    let before: Vec<Member> = (0..70).map(|number| member(number, "")).collect();
    put(&before);
    let after: Vec<Member> = (10..80).map(|number| member(number, if number % 2 == 0 { "Even" } else { "" })).collect();
    put(&after);
    let (mut seen, mut last) = (Vec::new(), None);
    loop {
        let page = catalog.members("w", last.as_deref(), 30).unwrap();
        let Some(end) = page.last() else { break };
        last = Some(end.url.clone());
        seen.extend(page);
    }
    seen.sort();
    let mut wanted = after;
    wanted.sort();
    assert_eq!(seen, wanted);
}

fn a_site_keeps_its_stream(catalog: &Catalog) {
    let long = "ä".repeat(3000);
    for (site, body) in [("a.example", b"1".to_vec()), (&long, Vec::new()), ("a.example", vec![0; 100_000])] {
        let stream = Some(Stream { site: site.to_owned(), body: body.clone() });
        catalog.record(&[Record { stream, ..record("w", "2020") }]).unwrap();
        assert_eq!(catalog.stream(site).unwrap(), Some(body));
    }
    assert_eq!(catalog.stream("b.example").unwrap(), None);
}
