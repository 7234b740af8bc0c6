//! What began before the clock was set fits the time that the clock shows now.

use driftline::span::Span;
use driftline::time::Time;

use super::super::super::tests::Stage;
use super::super::Course;
use crate::check::check_once;

fn minutes(from: Time, minutes: i64) -> Time {
    Time::from_microseconds(from.microseconds() + minutes * 60_000_000)
}

#[test]
fn a_check_that_began_before_the_clock_was_set_back_does_not_put_the_next_one_off() {
    let stage = Stage::new("/a 10m");
    let daemon = stage.daemon();
    let mut course = Course::begin(&daemon).unwrap();
    course.schedule_all().unwrap();
    let (slot, watch) = course.roster().iter().next().map(|(slot, watch)| (slot, watch.clone())).unwrap();
    let (began, stepped) = (course.now(), course.stepped);
    assert!(course.queue.take(stage.later(10)).is_some(), "it is being checked");
    let mut result = check_once(&watch, &daemon.context, began);
    stage.clock.step(minutes(began, -120));
    course.keep_time();
    course.after_steps(&watch, stepped, result.as_mut().unwrap());
    course.ended(slot, &watch, &result);
    course.schedule(slot, &watch, &result);
    let due = course.queue.due(slot).unwrap();
    assert!(due > course.now() && due <= minutes(course.now(), 15), "{due}");
}

#[test]
fn errands_are_due_after_the_same_time_as_before() {
    let mut stage = Stage::new("/a 10m");
    stage.options.look = Some(Span::from_seconds(10));
    let daemon = stage.daemon();
    let mut course = Course::begin(&daemon).unwrap();
    course.schedule_all().unwrap();
    for days in [-400, 3_650, 0] {
        stage.clock.step(minutes(super::super::super::tests::start(), days * 24 * 60));
        course.keep_time();
        let left = course.agenda.load.at.unwrap().microseconds() - course.now().microseconds();
        assert_eq!(left, 10_000_000, "after {days} days");
    }
}
