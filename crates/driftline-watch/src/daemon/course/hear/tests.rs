//! Is a watch still checked after whatever happened while it was loaded?

use super::super::super::tests::Stage;
use super::super::Course;
use crate::check::CheckError;
use crate::daemon::Daemon;
use crate::watches::Watch;

/// A course whose watches have their times, and the first of them.
fn begin(daemon: &Daemon) -> (Course<'_>, u32, Watch) {
    let mut course = Course::begin(daemon).unwrap();
    course.schedule_all().unwrap();
    let (slot, watch) = course.roster().iter().next().map(|(slot, watch)| (slot, watch.clone())).unwrap();
    (course, slot, watch)
}

#[test]
fn a_watch_whose_time_could_not_be_looked_up_gets_it_with_the_next_load() {
    let stage = Stage::new("/a 10m");
    let daemon = stage.daemon();
    let (mut course, slot, watch) = begin(&daemon);
    // As a catalog leaves it that failed: the roster has the watch, the queue has no time for it.
    course.queue.cancel(slot);
    course.untimed.push(slot);
    course.loaded(Ok(Some(vec![watch])));
    assert!(course.queue.due(slot).is_some());
    assert!(course.untimed.is_empty());
}

#[test]
fn a_watch_that_is_removed_and_put_back_during_its_check_stays() {
    let stage = Stage::new("/a 10m");
    let daemon = stage.daemon();
    let (mut course, slot, watch) = begin(&daemon);
    assert!(course.queue.take(stage.later(10)).is_some(), "it is being checked");
    course.loaded(Ok(Some(Vec::new())));
    assert!(course.gone.contains(&slot));
    course.loaded(Ok(Some(vec![watch.clone()])));
    let result = Err(CheckError::Panicked { watch: watch.id.to_string() });
    course.ended(slot, &watch, &result);
    course.schedule(slot, &watch, &result);
    assert_eq!(course.roster().get(slot), Some(&watch));
    assert!(course.queue.due(slot).is_some());
}
