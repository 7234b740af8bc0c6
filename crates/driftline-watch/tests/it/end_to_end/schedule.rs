//! When: checks are spread, a machine that slept catches up politely, and `auto` goes where most happens.

use driftline_demo::{Site, story};

use super::stage::Stage;

/// Pages of the site, each checked so often and fetched once in each check.
fn pages(site: &Site, schedule: &str) -> String {
    let paths = ["/", "/hours", "/prices", "/cafe", "/events", "/people", "/branch/harbour", "/branch/hill"];
    let watch = |path| format!("[[watch]]\nurl = '{}'\nschedule = '{schedule}'\nlearn = false\n", site.url(path));
    paths.map(watch).concat()
}

#[test]
fn a_restart_checks_nothing_before_its_time() {
    let mut stage = Stage::with("", |site| pages(site, "4h"));
    stage.wait(9 * 60);
    let _ = stage.site.take_counts();
    stage.stop();
    stage.start();
    stage.wait(1);
    let at_once = stage.site.take_counts().answers;
    assert!(at_once <= 2, "{at_once} checks in the minute after a restart");
    stage.wait(4 * 60);
    assert!(stage.site.take_counts().answers >= 8);
}

#[test]
fn checks_are_spread_over_the_interval() {
    let stage = Stage::with("", |site| pages(site, "4h"));
    stage.wait(8 * 60);
    let _ = stage.site.take_counts();
    let quarters: Vec<usize> = (0..4).map(|_| (stage.wait(60), stage.site.take_counts().answers).1).collect();
    // Nine with robots.txt; a herd would come in one quarter.
    assert!(quarters.iter().all(|count| *count <= 6), "{quarters:?}");
    assert!(quarters.iter().sum::<usize>() >= 8, "{quarters:?}");
}

#[test]
fn a_machine_that_slept_checks_each_page_once_and_one_after_the_other() {
    let stage = Stage::with("", |site| pages(site, "1h"));
    stage.wait(3 * 60);
    let _ = stage.site.take_counts();
    stage.clock.set(stage.later(24 * 60));
    stage.wait(59);
    let counts = stage.site.take_counts().answers;
    assert!((8..=17).contains(&counts), "{counts} checks in the hour after a day of sleep");
}

#[test]
fn auto_looks_more_often_where_more_happens() {
    let settings = "[watch]\nbudget = 16.0\nleast-interval = '5m'\nmost-interval = '12h'\n";
    let stage = Stage::with(settings, |site| pages(site, "auto"));
    // The café changes with every visit, the others stay.
    stage.site.set(story::step("flapping").unwrap());
    stage.wait(48 * 60);
    let (cafe, hill) = (stage.site.visits("/cafe"), stage.site.visits("/branch/hill"));
    stage.wait(24 * 60);
    let (cafe, hill) = (stage.site.visits("/cafe") - cafe, stage.site.visits("/branch/hill") - hill);
    assert!(cafe >= 2 * hill && hill >= 1, "{cafe} looks at the café, {hill} at the hill");
}
