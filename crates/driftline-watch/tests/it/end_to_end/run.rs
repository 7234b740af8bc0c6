//! The daemon: digests, targets that fail, files that change, and an end in good order.

use driftline_catalog::DeliveryState;
use driftline_demo::{Site, story};

use super::stage::{Stage, short};

#[test]
fn what_was_told_is_not_told_again_after_a_restart() {
    let mut stage = Stage::open();
    stage.play("opening");
    assert_eq!(short(&stage.play("price")), [("changed", "/prices")]);
    for _ in 0..3 {
        stage.stop();
        stage.start();
        assert_eq!(short(&stage.wait(120)), []);
    }
}

#[test]
fn a_stop_before_the_release_loses_nothing() {
    let mut stage = Stage::open();
    stage.play("opening");
    stage.site.set(story::step("price").unwrap());
    assert_eq!(short(&stage.wait(61)), [], "it is held");
    stage.stop();
    stage.start();
    assert_eq!(short(&stage.wait(120)), [("changed", "/prices")]);
}

#[test]
fn a_target_that_fails_is_told_later_with_the_same_key() {
    let stage = Stage::open();
    stage.play("opening");
    stage.receiver.answer([503, 500]);
    stage.site.set(story::step("price").unwrap());
    stage.clock.go_to(stage.later(8 * 60));
    let requests = stage.receiver.take();
    let keys: Vec<_> = requests.iter().map(|request| request.header("idempotency-key").unwrap()).collect();
    assert_eq!(keys.len(), 3, "{keys:?}");
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
}

#[test]
fn a_dead_letter_that_somebody_revives_is_sent_by_the_daemon_that_runs() {
    let stage = Stage::open();
    stage.play("opening");
    stage.receiver.answer([422]);
    stage.play("price");
    let dead = stage.catalog().deliveries(None, Some(DeliveryState::Dead), None, 9).unwrap().items;
    let ids: Vec<i64> = dead.iter().map(|delivery| delivery.id).collect();
    assert_eq!(stage.catalog().revive(&ids, stage.later(0)).unwrap(), 1);
    stage.reload();
    assert_eq!(short(&stage.wait(1)), [("changed", "/prices")]);
}

#[test]
fn a_digest_is_one_message_with_what_matters_most_first() {
    let stage = Stage::with("digest = 'daily 18:00'", Site::watches);
    stage.play("opening");
    stage.site.set(story::step("move").unwrap());
    stage.clock.go_to(stage.later(10 * 60));
    let messages = stage.receiver.take_json();
    assert_eq!(messages.len(), 1, "{messages:#?}");
    let about: Vec<&str> =
        messages[0]["events"].as_array().unwrap().iter().map(|event| event["url"].as_str().unwrap()).collect();
    // The price matters more than what was only moved.
    assert_eq!(about, [stage.site.url("/prices"), stage.site.url("/events")]);
}

#[test]
fn a_watch_that_is_added_to_the_file_is_checked() {
    let stage = Stage::with("", |site| format!("[[watch]]\nurl = '{}'\nschedule = '1h'\n", site.url("/prices")));
    stage.wait(120);
    let more = format!("[[watch]]\nurl = '{}'\nschedule = '1h'\n", stage.site.url("/cafe"));
    let text = std::fs::read_to_string(stage.watches()).unwrap();
    std::fs::write(stage.watches(), text + &more).unwrap();
    stage.reload();
    stage.wait(120);
    assert!(stage.site.visits("/cafe") >= 1);
}
