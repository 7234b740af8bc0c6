//! Claims: each check and each site is one worker's at a time, and a claim ends by itself.

use std::collections::BTreeSet;
use std::thread;

use driftline_catalog::{Catalog, Record, Time, Watch, WatchState};

use super::ledger::record;
use super::others::watch;
use super::{on_both, time};

on_both!(
    a_check_that_is_due_is_claimed_by_one_worker,
    a_claim_on_a_check_is_renewed_released_or_ends,
    workers_that_claim_at_once_share_the_checks,
    a_site_is_claimed_by_one_worker,
);

fn due(uuid: &str, next: &str) -> Record {
    let state = WatchState { next: Some(time(next)), checked: Some(time("2019")), ..WatchState::default() };
    Record { state, ..record(uuid, "2019") }
}

fn a_check_that_is_due_is_claimed_by_one_worker(catalog: &Catalog) {
    catalog.record(&[due("late", "2020"), due("later", "2021"), due("not yet", "2030"), due("gone", "2020")]).unwrap();
    let paused = Watch { is_paused: true, ..watch("paused", "http://a/") };
    catalog.record(&[Record { watch: paused.clone(), ..due("paused", "2020") }]).unwrap();
    let kept = ["late", "later", "not yet"].map(|uuid| watch(uuid, "http://a/"));
    catalog.sync_watches(kept.into_iter().chain([paused]), time("2022")).unwrap();
    let claim = |owner: &str, now: &str, limit| catalog.claim_checks(owner, time(now), time("2023"), limit).unwrap();
    assert_eq!(claim("one", "2022", 1), ["late"]);
    assert_eq!(claim("two", "2022", 9), ["later"]);
    assert!(claim("three", "2022", 9).is_empty());
    let mut again = claim("three", "2023", 9);
    again.sort();
    assert_eq!(again, ["late", "later"], "claims have ended");
}

fn a_claim_on_a_check_is_renewed_released_or_ends(catalog: &Catalog) {
    catalog.record(&[due("a", "2020"), due("b", "2020"), due("c", "2020")]).unwrap();
    let watches = ["a", "b", "c"];
    assert_eq!(catalog.claim_checks("one", time("2021"), time("2022"), 9).unwrap().len(), 3);
    assert!(catalog.renew_checks("two", &watches, time("2021"), time("2030")).unwrap().is_empty());
    assert_eq!(catalog.renew_checks("one", &watches[..1], time("2021"), time("2025")).unwrap(), ["a"]);
    catalog.release_checks("two", &watches).unwrap();
    catalog.release_checks("one", &watches[1..2]).unwrap();
    assert_eq!(catalog.claim_checks("two", time("2021"), time("2022"), 9).unwrap(), ["b"]);
    assert_eq!(catalog.claim_checks("three", time("2023"), time("2024"), 1).unwrap().len(), 1);
    assert_eq!(
        catalog.renew_checks("one", &watches, time("2023"), time("2026")).unwrap(),
        ["a"],
        "the others have ended"
    );
}

fn workers_that_claim_at_once_share_the_checks(catalog: &Catalog) {
    let records: Vec<Record> = (0..200).map(|number| due(&format!("{number:03}"), "2020")).collect();
    catalog.record(&records).unwrap();
    let claimed: Vec<String> = thread::scope(|scope| {
        let work = |owner: usize| {
            let mut claimed = Vec::new();
            loop {
                let some = catalog.claim_checks(&owner.to_string(), time("2021"), time("2022"), 7).unwrap();
                if some.is_empty() {
                    return claimed;
                }
                claimed.extend(some);
            }
        };
        let workers: Vec<_> = (0..4).map(|owner| scope.spawn(move || work(owner))).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let once: BTreeSet<&String> = claimed.iter().collect();
    assert_eq!((claimed.len(), once.len()), (200, 200));
}

fn a_site_is_claimed_by_one_worker(catalog: &Catalog) {
    let claim = |owner: &str, now: &str, until: &str| -> bool {
        let (now, until): (Time, Time) = (time(now), time(until));
        catalog.claim_site("a.example", owner, now, until).unwrap()
    };
    assert!(claim("one", "2020", "2021") && !claim("two", "2020", "2021"));
    assert!(claim("one", "2020", "2022"), "it is renewed");
    assert!(!claim("two", "2021", "2023") && claim("two", "2022", "2023"));
    catalog.release_site("a.example", "one").unwrap();
    assert!(!claim("three", "2022", "2023"), "it is not its owner who gave it up");
    catalog.release_site("a.example", "two").unwrap();
    assert!(claim("three", "2022", "2023"));
    assert!(catalog.claim_site("b.example", "one", time("2022"), time("2023")).unwrap());
}
