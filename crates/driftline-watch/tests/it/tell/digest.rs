//! What comes once a day.

use driftline::event::Kind;
use driftline_testkit::receiver::Receiver;

use super::*;

#[test]
fn a_digest_comes_at_its_time_ranked_by_importance() {
    let receiver = Receiver::start();
    let digest = "digest = 'daily 18:00'\nzone = 'Europe/Berlin'\n";
    let office = Office::new(&format!("[hook]\ntype = 'webhook'\nurl = '{}'\n{digest}", receiver.url()));
    let other = Event { watch: Some("other".to_owned()), name: "Prices".to_owned(), ..event(Kind::CheckRecovered, 1) };
    office.release(&[other], at(0));
    office.release(&[event(Kind::Changed, 2)], at(3_600));
    office.release(&[event(Kind::PageGone, 3)], at(7_200));
    assert!(office.round(at(8 * 3_600)).told.is_empty());
    // 18:00 in Berlin is 17:00 UTC.
    let evening = at(9 * 3_600);
    assert_eq!(office.catalog.next_delivery().unwrap(), Some(evening));
    assert_eq!(office.outcomes(evening), ["acknowledged"]);
    let [body] = receiver.take_json().try_into().unwrap();
    assert_eq!(body["message"]["subject"], "3 changes: Opening hours and Prices");
    let text = body["message"]["text"].as_str().unwrap();
    let places = ["is gone", "five → six", "work again"].map(|part| text.find(part).unwrap());
    assert!(places.is_sorted(), "{text}");
    office.release(&[event(Kind::PageBack, 4)], evening);
    assert!(office.round(evening).told.is_empty(), "it is for the next one");
    assert_eq!(office.catalog.next_delivery().unwrap(), Some(at(33 * 3_600)));
}

#[test]
fn a_digest_folds_the_changes_of_a_watch_from_the_first_to_the_last() {
    let receiver = Receiver::start();
    let office = Office::new(&format!("[hook]\ntype = 'webhook'\nurl = '{}'\ndigest = '1h'\n", receiver.url()));
    for (number, words) in (1..).zip([["24.99", "21.50"], ["21.50", "20.00"], ["20.00", "19.99"]]) {
        let mut change = event(Kind::Changed, number);
        change.excerpts.truncate(1);
        let (at, summary) = (at(i64::from(number) * 600), format!("{} → {} EUR", words[0], words[1]));
        office.release(&[Event { at, summary, name: "Prices".to_owned(), ..change }], at);
    }
    assert_eq!(office.outcomes(at(3_600)), ["acknowledged"]);
    let [body] = receiver.take_json().try_into().unwrap();
    assert_eq!(body["message"]["subject"], "Prices: 24.99 → 19.99 EUR (3 changes)");
    assert_eq!(body["events"].as_array().unwrap().len(), 3, "programs get all of them");
}

#[test]
fn a_digest_that_fails_is_sent_again_as_it_was() {
    let receiver = Receiver::scripted([500]);
    let office = Office::new(&format!("[hook]\ntype = 'webhook'\nurl = '{}'\ndigest = '1h'\n", receiver.url()));
    office.release(&[event(Kind::Changed, 1)], at(60));
    office.release(&[event(Kind::PageGone, 2)], at(120));
    assert_eq!(office.outcomes(at(3_600)), ["later"]);
    office.release(&[event(Kind::PageBack, 3)], at(3_610));
    let again = office.catalog.next_delivery().unwrap().unwrap();
    assert_eq!(office.outcomes(again), ["acknowledged"]);
    let bodies = receiver.take_json();
    assert_eq!(bodies[0]["events"], bodies[1]["events"]);
    assert_eq!(bodies[0]["key"], bodies[1]["key"]);
}
