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

#[test]
fn a_watch_that_cannot_be_checked_is_tried_less_often_and_named_until_it_is_removed() {
    let stage = Stage::new("/a 10m");
    let daemon = stage.daemon();
    let (mut course, slot, watch) = begin(&daemon);
    let mut minutes = Vec::new();
    for _ in 0..8 {
        course.queue.set(slot, stage.later(0));
        assert!(course.queue.take(stage.later(10)).is_some(), "it is being checked");
        let result = Err(CheckError::Panicked { watch: watch.id.to_string() });
        course.count(&watch, 0.0, &result);
        course.ended(slot, &watch, &result);
        course.schedule(slot, &watch, &result);
        minutes.push(course.now().distance(course.queue.due(slot).unwrap()) / 60_000_000);
    }
    assert_eq!(minutes, [1, 2, 4, 8, 16, 32, 60, 60]);
    let troubles = daemon.status.troubles();
    assert!(
        troubles.iter().any(|trouble| trouble.starts_with("the watch `a` could not be checked 8 times")),
        "{troubles:?}"
    );
    course.loaded(Ok(Some(Vec::new())));
    assert!(daemon.status.troubles().is_empty(), "{:?}", daemon.status.troubles());
}
