//! Does everybody come when due, and no host before it is free?

use std::collections::HashMap;

use driftline::span::Span;
use driftline::time::Time;
use proptest::prelude::*;

use super::{Courtesy, Manners, Queue};

const FINE: Courtesy = Courtesy { is_overloaded: false, retry_after: None, crawl_delay: None };

fn at(seconds: i64) -> Time {
    Time::from_microseconds(seconds * 1_000_000)
}

/// Watches of these addresses, all due at once.
fn queue(manners: Manners, urls: &[&str]) -> Queue {
    let mut queue = Queue::new(manners);
    for (slot, url) in (0..).zip(urls) {
        queue.place(slot, url);
        queue.set(slot, at(0));
    }
    queue
}

/// Who is taken at a time.
fn taken(queue: &mut Queue, now: i64) -> Vec<u32> {
    std::iter::from_fn(|| queue.take(at(now)).map(|(slot, _)| slot)).collect()
}

#[test]
fn a_busy_host_does_not_keep_others_waiting() {
    let mut queue = queue(Manners::default(), &["http://a/1", "http://a/2", "http://a/3", "http://b/"]);
    assert_eq!(taken(&mut queue, 0), [0, 3]);
    assert_eq!((queue.running(), queue.waiting(), queue.next()), (2, 2, None), "only the end of a check helps");
    queue.done(0, at(5), &FINE);
    assert_eq!(queue.next(), Some(at(6)), "a second after the last check");
    assert_eq!(taken(&mut queue, 5), [0_u32; 0]);
    assert_eq!(taken(&mut queue, 6), [1]);
}

#[test]
fn who_waits_for_a_polite_host_is_not_late() {
    let mut queue = queue(Manners::default(), &["http://a/1", "http://a/2"]);
    assert_eq!((queue.take(at(3)), queue.take(at(3))), (Some((0, at(0))), None), "nobody had time for the first");
    queue.done(0, at(5), &FINE);
    assert_eq!(queue.take(at(8)), Some((1, at(6))), "its host was free then, not before");
}

#[test]
fn ports_are_hosts_of_their_own() {
    let mut queue = queue(Manners::default(), &["http://a:81/", "http://a:82/", "http://A:81/x"]);
    assert_eq!(taken(&mut queue, 0), [0, 1]);
}

#[test]
fn several_at_once_are_allowed_if_the_operator_says_so() {
    let manners = Manners { per_host: 2, delay: Span::from_seconds(0) };
    let mut queue = queue(manners, &["http://a/1", "http://a/2", "http://a/3", "http://a/4"]);
    assert_eq!(taken(&mut queue, 0), [0, 1]);
    queue.done(1, at(1), &FINE);
    assert_eq!(taken(&mut queue, 1), [2]);
    queue.done(0, at(1), &FINE);
    queue.done(2, at(1), &FINE);
    assert_eq!(taken(&mut queue, 1), [3]);
    assert_eq!(queue.waiting(), 0);
}

#[test]
fn an_overloaded_host_is_left_alone_longer_each_time() {
    let mut queue = queue(Manners::default(), &["http://a/1", "http://a/2"]);
    let overloaded = Courtesy { is_overloaded: true, ..FINE };
    let mut pauses = Vec::new();
    let mut now = 0;
    for _ in 0..12 {
        let slot = taken(&mut queue, now)[0];
        queue.done(slot, at(now), &overloaded);
        queue.set(slot, at(now));
        assert_eq!(taken(&mut queue, now), [0_u32; 0], "who was put back waits in line");
        let next = queue.next().unwrap().microseconds() / 1_000_000;
        pauses.push(next - now);
        now = next;
    }
    assert_eq!(pauses, [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600]);
    let slot = taken(&mut queue, now)[0];
    queue.done(slot, at(now), &FINE);
    assert_eq!(queue.next(), Some(at(now + 1)), "and is forgiven at once");
}

#[test]
fn a_host_gets_the_time_that_it_asks_for() {
    let mut queue = queue(Manners::default(), &["http://a/1", "http://a/2", "http://a/3"]);
    taken(&mut queue, 0);
    queue.done(0, at(0), &Courtesy { retry_after: Some(Span::from_seconds(120)), ..FINE });
    assert_eq!(queue.next(), Some(at(120)));
    assert_eq!(taken(&mut queue, 120), [1]);
    queue.done(1, at(120), &Courtesy { crawl_delay: Some(Span::from_seconds(30)), ..FINE });
    assert_eq!(queue.next(), Some(at(150)));
    assert_eq!(taken(&mut queue, 150), [2]);
    queue.set(0, at(150));
    taken(&mut queue, 150);
    queue.done(2, at(160), &Courtesy { crawl_delay: Some(Span::default()), ..FINE });
    assert_eq!(queue.next(), Some(at(161)), "it asks for no more than others");
}

#[test]
fn who_is_checked_is_not_checked_twice_at_once() {
    let mut queue = queue(Manners::default(), &["http://a/"]);
    taken(&mut queue, 0);
    queue.set(0, at(0));
    queue.cancel(0);
    assert_eq!(taken(&mut queue, 100), [0_u32; 0]);
    queue.done(0, at(100), &FINE);
    queue.done(0, at(100), &FINE);
    assert_eq!((queue.running(), queue.len()), (0, 0));
    queue.set(0, at(90));
    assert_eq!(taken(&mut queue, 101), [0]);
}

#[test]
fn times_that_were_changed_take_no_room() {
    let mut queue = queue(Manners::default(), &["http://a/"]);
    (0..100_000).for_each(|time| queue.set(0, at(time)));
    assert!(queue.heap.len() < 2_000, "{}", queue.heap.len());
    assert_eq!((queue.len(), queue.next()), (1, Some(at(99_999))));
}

#[derive(Debug, Clone)]
enum Step {
    Set(u32, i64),
    Cancel(u32),
    Done(u32),
    Later(i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (0_u32..12, 0_i64..40).prop_map(|(slot, wait)| Step::Set(slot, wait)),
        (0_u32..12).prop_map(Step::Cancel),
        (0_u32..12).prop_map(Step::Done),
        (0_i64..5).prop_map(Step::Later),
    ];
    prop::collection::vec(step, 0..200)
}

proptest! {
    /// Beside a list that is searched through: who is due is taken if the host allows it, and nobody else.
    #[test]
    fn everybody_comes_when_due_and_no_host_before_it_is_free(steps in steps(), per_host in 1_u16..3) {
        let manners = Manners { delay: Span::from_seconds(2), per_host };
        let mut queue = Queue::new(manners);
        let host = |slot: u32| slot % 3;
        (0..12).for_each(|slot| queue.place(slot, &format!("http://{}.example/", host(slot))));
        let (mut due, mut running) = (HashMap::<u32, i64>::new(), Vec::<u32>::new());
        let (mut free, mut now) = (HashMap::<u32, i64>::new(), 0);
        for step in steps {
            match step {
                Step::Set(slot, wait) if !running.contains(&slot) => { due.insert(slot, now + wait); queue.set(slot, at(now + wait)); }
                Step::Set(slot, wait) => queue.set(slot, at(now + wait)),
                Step::Cancel(slot) => { due.remove(&slot); queue.cancel(slot); }
                Step::Done(slot) => {
                    queue.done(slot, at(now), &FINE);
                    if running.contains(&slot) { free.insert(host(slot), now + 2); }
                    running.retain(|own| *own != slot);
                }
                Step::Later(seconds) => now += seconds,
            }
            for slot in taken(&mut queue, now) {
                prop_assert!(due.remove(&slot).is_some_and(|due| due <= now), "{} is not due", slot);
                prop_assert!(free.get(&host(slot)).is_none_or(|free| *free <= now), "the host of {} is not free", slot);
                running.push(slot);
                let same = running.iter().filter(|own| host(**own) == host(slot)).count();
                prop_assert!(same <= usize::from(per_host));
            }
            let left = due.iter().filter(|(slot, due)| {
                let same = running.iter().filter(|own| host(**own) == host(**slot)).count();
                **due <= now && same < usize::from(per_host) && free.get(&host(**slot)).is_none_or(|free| *free <= now)
            });
            prop_assert_eq!(left.count(), 0, "somebody was forgotten");
            prop_assert_eq!((queue.len(), queue.running()), (due.len(), running.len()));
            prop_assert!(queue.next().is_none_or(|next| next > at(now)), "or it would be asked again at once");
        }
    }
}
