//! What happens when a target does not take a message.

use driftline::event::Kind;
use driftline_catalog::DeliveryState;
use driftline_testkit::receiver::Receiver;
use driftline_testkit::server::{Request, Response, Server, nobody};

use super::*;

fn hook(url: &str) -> String {
    format!("[hook]\ntype = 'webhook'\nurl = '{url}'\n")
}

/// Runs rounds until nothing is due any more; the number of rounds.
fn run_out(office: &Office) -> usize {
    for rounds in 0..50 {
        match office.catalog.next_delivery().unwrap() {
            Some(due) => office.round(due),
            None => return rounds,
        };
    }
    panic!("it never ends");
}

#[test]
fn a_dead_target_is_described_in_plain_words() {
    let dead = nobody();
    let mail = format!(
        "[mail]\ntype = 'email'\nserver = '127.0.0.1'\nport = {}\nsecurity = 'none'\nfrom = 'a@example.org'\n\
         to = ['b@example.org']\n",
        dead.port()
    );
    for (target, expected) in
        [(hook(&format!("http://{dead}/")), "Connection refused"), (mail, "127.0.0.1: Connection refused")]
    {
        let office = Office::new(&target);
        office.release(&[event(Kind::Changed, 1)], at(0));
        let [told] = office.round(at(0)).told.try_into().unwrap();
        let Outcome::Later { error, .. } = told.outcome else { panic!("{told:?}") };
        assert_eq!(error, expected);
    }
}

#[test]
fn a_busy_target_is_asked_again_with_the_same_key() {
    let receiver = Receiver::scripted([503, 429, 500, 408]);
    let office = Office::new(&hook(&receiver.url()));
    office.release(&[event(Kind::Changed, 1)], at(0));
    assert_eq!(run_out(&office), 5);
    let keys: Vec<_> =
        receiver.take().iter().map(|request| request.header("idempotency-key").unwrap().to_owned()).collect();
    assert_eq!(keys.len(), 5);
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    let [delivery] =
        office.catalog.deliveries(None, Some(DeliveryState::Acknowledged), None, 9).unwrap().items.try_into().unwrap();
    assert_eq!((delivery.attempts, delivery.error.as_str()), (5, ""));
}

#[test]
fn a_target_that_says_no_is_not_asked_again() {
    for status in [400, 413, 422] {
        let receiver = Receiver::scripted([status]);
        let office = Office::new(&hook(&receiver.url()));
        office.release(&[event(Kind::Changed, 1)], at(0));
        assert_eq!(run_out(&office), 1);
        let [dead] =
            office.catalog.deliveries(None, Some(DeliveryState::Dead), None, 9).unwrap().items.try_into().unwrap();
        assert_eq!(dead.error, format!("answered {status}: ok"));
    }
}

#[test]
fn a_target_that_can_be_mended_does_not_lose_its_messages() {
    for status in [301, 401, 403, 404, 410] {
        let receiver = Receiver::scripted([status]);
        let office = Office::new(&hook(&receiver.url()));
        office.release(&[event(Kind::Changed, 1)], at(0));
        assert_eq!(office.outcomes(at(0)), ["later"], "{status}");
        assert_eq!(office.outcomes(at(600)), ["acknowledged"], "{status}");
    }
}

#[test]
fn a_message_is_given_up_after_a_day_and_may_be_revived() {
    let office = Office::new(&hook(&format!("http://{}/", nobody())));
    office.release(&[event(Kind::Changed, 1)], at(0));
    assert_eq!(run_out(&office), 12);
    let [dead] = office.catalog.deliveries(None, Some(DeliveryState::Dead), None, 9).unwrap().items.try_into().unwrap();
    assert!(dead.error.contains("given up after 12 attempts"), "{}", dead.error);
    assert!(dead.settled.unwrap() < at(86_400));
    assert_eq!(office.catalog.revive(&[dead.id], at(90_000)).unwrap(), 1);
    assert_eq!(office.outcomes(at(90_000)), ["later"]);
}

#[test]
fn what_failed_and_waits_may_be_sent_at_once_and_what_arrived_may_not() {
    let receiver = Receiver::scripted([503]);
    let office = Office::new(&hook(&receiver.url()));
    office.release(&[event(Kind::Changed, 1)], at(0));
    assert_eq!(office.outcomes(at(0)), ["later"]);
    let [waiting] =
        office.catalog.deliveries(None, Some(DeliveryState::Pending), None, 9).unwrap().items.try_into().unwrap();
    assert_eq!(office.catalog.revive(&[waiting.id], at(1)).unwrap(), 1);
    assert_eq!(office.catalog.revive(&[waiting.id], at(1)).unwrap(), 0, "it waits no more");
    assert_eq!(office.outcomes(at(1)), ["acknowledged"]);
    assert_eq!(office.catalog.revive(&[waiting.id], at(2)).unwrap(), 0);
}

#[test]
fn a_target_may_say_when_to_come_again() {
    for (after, due) in [("7200", 7_200), ("Mon, 16 Nov 2026 11:00:00 GMT", 10_800), ("999999999999", 86_400)] {
        let server = Server::start(move |_| Response::new(503, "").with("Retry-After", after));
        let office = Office::new(&hook(&server.url("/")));
        office.release(&[event(Kind::Changed, 1)], at(0));
        office.round(at(0));
        assert_eq!(office.catalog.next_delivery().unwrap(), Some(at(due)), "{after}");
    }
}

#[test]
fn a_target_that_never_answers_costs_its_time_only() {
    let silent = Server::raw(|stream| {
        let _ = std::io::Read::read_to_end(&mut &stream, &mut Vec::new());
    });
    let dripping = Server::raw(|mut stream| {
        use std::io::Write;
        let _ = Request::read(&mut std::io::BufReader::new(&stream));
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n";
        let mut is_there = stream.write_all(head).is_ok();
        while is_there {
            is_there = stream.write_all(&[b'x'; 16]).is_ok();
        }
    });
    let silent = Office::new(&format!("{}timeout = '300ms'\n", hook(&silent.url("/"))));
    silent.release(&[event(Kind::Changed, 1)], at(0));
    let [told] = silent.round(at(0)).told.try_into().unwrap();
    let Outcome::Later { error, .. } = told.outcome else { panic!("{told:?}") };
    assert_eq!(error, "no answer within 300ms");
    let endless = Office::new(&hook(&dripping.url("/")));
    endless.release(&[event(Kind::Changed, 1)], at(0));
    assert_eq!(endless.outcomes(at(0)), ["acknowledged"], "an endless answer is read only at its beginning");
}

#[test]
fn secrets_are_not_in_what_is_told_about_a_failure() {
    let server =
        Server::start(|request| Response::new(400, format!("bad path {} and {}", request.path, request.text())));
    let url = server.url("/services/T00/B00/hushhush?token=sesame");
    let office = Office::new(&format!(
        "[hook]\ntype = 'webhook'\nurl = '{url}'\nsecret = 'topsecret'\n[chat]\ntype = 'telegram'\nurl = '{}'\n\
         token = '123:hushhush'\nchat = '1'\n[phone]\ntype = 'ntfy'\nurl = '{}'\ntopic = 'hushhush'\ntoken = 'tk_sesame'\n",
        server.url(""),
        server.url("/"),
    ));
    office.release(&[event(Kind::Changed, 1)], at(0));
    office.round(at(0));
    let dead = office.catalog.deliveries(None, Some(DeliveryState::Dead), None, 9).unwrap().items;
    assert_eq!(dead.len(), 3);
    for delivery in dead {
        let error = delivery.error;
        assert!(error.starts_with("answered 400: bad path"), "{error}");
        assert!(!error.contains("hushhush") && !error.contains("sesame") && !error.contains("topsecret"), "{error}");
    }
    let unreachable = format!("http://user:hushhush@{}/hushhush", nobody());
    let teller = teller(&hook(&unreachable), office.folder.path());
    let error = teller.send("hook", &[event(Kind::Changed, 1)], at(0)).unwrap_err();
    assert!(!error.contains("hushhush"), "{error}");
}

#[test]
fn a_secret_that_is_missing_is_waited_for() {
    let receiver = Receiver::start();
    let more = format!("{}secret = 'file:{}'\n", hook(&receiver.url()), "/nowhere/at/all");
    let office = Office::new(&more);
    office.release(&[event(Kind::Changed, 1)], at(0));
    assert_eq!(office.outcomes(at(0)), ["later"]);
    assert!(receiver.take().is_empty());
}

#[test]
fn an_event_that_cannot_be_read_is_a_dead_letter_and_no_panic() {
    let receiver = Receiver::start();
    let office = Office::new(&hook(&receiver.url()));
    let broken = event(Kind::Changed, 1);
    office.release(std::slice::from_ref(&broken), at(0));
    let stored = office.catalog.event(&broken.key).unwrap().unwrap();
    let settlement =
        Settlement { updated: vec![(stored.id, serde_json::json!({"format": 99}))], ..Settlement::default() };
    office.catalog.settle(&settlement).unwrap();
    assert_eq!(office.outcomes(at(0)), ["dead"]);
}

#[test]
fn an_event_that_cannot_be_read_takes_no_other_of_its_digest_with_it() {
    let receiver = Receiver::start();
    let office = Office::new(&format!("{}digest = 'hourly'\n", hook(&receiver.url())));
    let events = [1, 2, 3].map(|number| event(Kind::Changed, number));
    office.release(&events, at(1));
    let broken = office.catalog.event(&events[1].key).unwrap().unwrap();
    let updated = vec![(broken.id, serde_json::json!({"format": 99}))];
    office.catalog.settle(&Settlement { updated, ..Settlement::default() }).unwrap();
    assert_eq!(office.outcomes(at(3_600)), ["dead", "acknowledged"]);
    let [message] = receiver.take_json().try_into().unwrap();
    assert_eq!(message["events"].as_array().unwrap().len(), 2);
    let [dead] = office.catalog.deliveries(None, Some(DeliveryState::Dead), None, 9).unwrap().items.try_into().unwrap();
    assert_eq!(dead.event, events[1].key);
}

#[test]
fn a_target_that_is_gone_from_the_settings_is_a_dead_letter() {
    let receiver = Receiver::start();
    let office = Office::new(&hook(&receiver.url()));
    office.release(&[event(Kind::Changed, 1)], at(0));
    let teller = teller(&hook(&receiver.url()).replace("[hook]", "[other]"), office.folder.path());
    let round = tell::round(&office.catalog, &teller, &|| at(0)).unwrap();
    let Outcome::Dead { error } = &round.told[0].outcome else { panic!("{round:?}") };
    assert!(error.contains("no target `hook`") && error.contains("there are other"), "{error}");
}
