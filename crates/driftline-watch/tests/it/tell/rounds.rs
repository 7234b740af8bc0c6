//! Who is told what, how often, and what a kill leaves behind.

use driftline::event::Kind;
use driftline_catalog::DeliveryState;
use driftline_testkit::receiver::Receiver;

use super::*;

fn tags(event: &Event, tags: &[&str]) -> Event {
    Event { tags: tags.iter().map(|tag| (*tag).to_owned()).collect(), ..event.clone() }
}

#[test]
fn an_event_goes_to_whom_it_is_for() {
    let office = Office::new(
        "[everybody]\ntype = 'webhook'\nurl = 'https://a.example/'\n\
         [work]\ntype = 'webhook'\nurl = 'https://a.example/'\ntags = ['work']\n\
         [home]\ntype = 'webhook'\nurl = 'https://a.example/'\ntags = ['home', 'garden']\nall = true\n\
         [named]\ntype = 'webhook'\nurl = 'https://a.example/'\nall = false\n\
         [gone]\ntype = 'webhook'\nurl = 'https://a.example/'\nall = false\nkinds = ['page-gone']\nleast-importance = 0.5\n",
    );
    let changed = tags(&event(Kind::Changed, 1), &[]);
    let names = |event: &Event, named: &[&str]| {
        let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
        let mut names: Vec<String> =
            office.teller.plan(event, &named, at(0)).into_iter().map(|one| one.target).collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(names(&changed, &[]), "everybody home");
    assert_eq!(names(&tags(&changed, &["work"]), &[]), "work");
    assert_eq!(names(&tags(&changed, &["garden", "work"]), &["named"]), "home named work");
    assert_eq!(names(&changed, &["named"]), "named");
    assert_eq!(names(&changed, &["gone"]), "", "it was for a target that does not want it");
    assert_eq!(names(&tags(&event(Kind::PageGone, 2), &[]), &["gone"]), "gone");
    assert_eq!(names(&Event { importance: 0.4, ..tags(&event(Kind::PageGone, 2), &[]) }, &["gone"]), "");
    assert_eq!(names(&changed, &["nobody"]), "everybody home");
}

#[test]
fn what_was_acknowledged_is_never_sent_again() {
    let receiver = Receiver::start();
    let office = Office::new(&format!("[hook]\ntype = 'webhook'\nurl = '{}'\n", receiver.url()));
    let events = [event(Kind::Changed, 1)];
    office.release(&events, at(0));
    office.round(at(0));
    office.release(&events, at(60));
    office.round(at(60));
    office.round(at(86_400));
    assert_eq!(receiver.take().len(), 1);
}

#[test]
fn a_kill_while_sending_sends_again_with_the_same_key() {
    let receiver = Receiver::start();
    let office = Office::new(&format!("[hook]\ntype = 'webhook'\nurl = '{}'\n", receiver.url()));
    office.release(&[event(Kind::Changed, 1), event(Kind::PageGone, 2)], at(0));
    // As `round` does it, but killed before the answer is written down.
    let due = office.catalog.due_deliveries(at(0), 10).unwrap();
    let ids: Vec<i64> = due.iter().map(|delivery| delivery.id).collect();
    office.catalog.begin(&ids, at(0), at(900)).unwrap();
    assert_eq!(office.teller.deliver("hook", &due, &|| at(0)), Outcome::Acknowledged);
    assert!(office.round(at(1)).told.is_empty(), "somebody may still be sending it");
    assert_eq!(office.outcomes(at(900)), ["acknowledged"]);
    let requests = receiver.take();
    let keys: Vec<_> = requests.iter().map(|request| request.header("idempotency-key")).collect();
    assert_eq!(keys.len(), 2);
    assert_eq!(keys[0], keys[1]);
    assert_eq!(requests[0].text().replace("08:00:00", "08:15:00"), requests[1].text().replace("08:00:00", "08:15:00"));
}

#[test]
fn events_of_one_release_and_watch_are_one_message() {
    let receiver = Receiver::start();
    let office = Office::new(&format!("[hook]\ntype = 'webhook'\nurl = '{}'\n", receiver.url()));
    let other = Event { watch: Some("other".to_owned()), ..event(Kind::Changed, 3) };
    office.release(&[event(Kind::Changed, 1), event(Kind::PageGone, 2), other], at(0));
    office.release(&[event(Kind::PageBack, 4)], at(60));
    office.round(at(60));
    let mut counts: Vec<_> = receiver.take_json().iter().map(|body| body["events"].as_array().unwrap().len()).collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 1, 2]);
}

#[test]
fn a_target_is_not_flooded() {
    let receiver = Receiver::start();
    let office = Office::new(&format!("[hook]\ntype = 'webhook'\nurl = '{}'\nmost-per-minute = 6\n", receiver.url()));
    let events: Vec<Event> = (0..20)
        .map(|number| Event { watch: Some(format!("watch-{number}")), ..event(Kind::Changed, number) })
        .collect();
    office.release(&events, at(0));
    let mut minutes = Vec::new();
    for minute in 0..4 {
        for second in 0..60 {
            office.round(at(minute * 60 + second));
        }
        minutes.push(receiver.take().len());
    }
    assert_eq!(minutes, [10, 6, 4, 0], "five at once, then one in ten seconds");
    let told = office.catalog.deliveries(None, Some(DeliveryState::Acknowledged), None, 99).unwrap().items;
    assert!(told.iter().all(|delivery| delivery.attempts == 1), "to wait is no attempt");
}

#[test]
fn one_target_that_is_down_does_not_hold_up_others_nor_try_all_its_messages() {
    let (down, up) = (Receiver::scripted([503]), Receiver::start());
    let office = Office::new(&format!(
        "[down]\ntype = 'webhook'\nurl = '{}'\n[up]\ntype = 'webhook'\nurl = '{}'\n",
        down.url(),
        up.url()
    ));
    let events: Vec<Event> =
        (0..4).map(|number| Event { watch: Some(format!("watch-{number}")), ..event(Kind::Changed, number) }).collect();
    office.release(&events, at(0));
    office.round(at(0));
    assert_eq!((down.take().len(), up.take().len()), (1, 4));
    office.round(at(90));
    assert_eq!((down.take().len(), up.take().len()), (4, 0));
}

#[test]
fn two_processes_do_not_send_the_same_message() {
    let receiver = Receiver::start();
    let office =
        Office::new(&format!("[hook]\ntype = 'webhook'\nurl = '{}'\nmost-per-minute = 6000\n", receiver.url()));
    let events: Vec<Event> =
        (0..5).map(|number| Event { watch: Some(format!("watch-{number}")), ..event(Kind::Changed, number) }).collect();
    office.release(&events, at(0));
    let other = teller(&format!("[hook]\ntype = 'webhook'\nurl = '{}'\n", receiver.url()), office.folder.path());
    std::thread::scope(|scope| {
        scope.spawn(|| office.round(at(0)));
        scope.spawn(|| tell::round(&office.catalog, &other, &|| at(0)).unwrap());
    });
    office.round(at(0));
    assert_eq!(receiver.take().len(), 5);
}

#[test]
fn targets_are_told_at_the_same_time() {
    use std::sync::{Arc, Barrier};
    // Each answers only once the other has been asked.
    let both = Arc::new(Barrier::new(2));
    let meeting = || {
        let both = Arc::clone(&both);
        driftline_testkit::server::Server::start(move |_| {
            both.wait();
            driftline_testkit::server::Response::new(200, "ok")
        })
    };
    let (one, other) = (meeting(), meeting());
    let targets = [("one", &one), ("other", &other)]
        .map(|(name, server)| format!("[{name}]\ntype = 'webhook'\nurl = '{}'\n", server.url("/")));
    let office = Office::new(&targets.concat());
    office.release(&[event(Kind::Changed, 1)], at(0));
    assert_eq!(office.outcomes(at(0)), ["acknowledged", "acknowledged"]);
}
