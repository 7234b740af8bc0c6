//! Checks of many threads find what checks one after the other find.

use std::thread;

use driftline_watch::check::{State, check_once};
use driftline_watch::watches::Watch;
use proptest::prelude::*;

use super::stage::{Stage, plain};

const PAGES: usize = 6;

/// What is in the catalog after these steps: the keys of all events, and where each watch stands.
fn run(steps: &[Vec<u8>], is_concurrent: bool) -> (Vec<String>, Vec<State>) {
    let mut stage = Stage::new();
    let watches: Vec<Watch> = (0..PAGES).map(|at| plain(&format!("http://example.org/page{at}"))).collect();
    for step in steps {
        stage.pass(10);
        for (watch, text) in watches.iter().zip(step) {
            stage.page(&watch.url, &format!("<main><h1>Page</h1><p>text {text}</p></main><footer>same</footer>"));
        }
        let (context, now) = (&stage.context, stage.now);
        if is_concurrent {
            thread::scope(|scope| {
                watches.iter().for_each(|watch| drop(scope.spawn(move || check_once(watch, context, now).unwrap())));
            });
        } else {
            watches.iter().for_each(|watch| drop(check_once(watch, context, now).unwrap()));
        }
    }
    let state = |watch: &Watch| {
        let stored = stage.context.archive.catalog().state(&watch.id).unwrap().unwrap();
        let mut state = State::read(&stored.body).unwrap();
        // Numbers of captures are given in the order in which they come.
        state.seen.iter_mut().chain(&mut state.base).for_each(|seen| seen.capture = 0);
        state
    };
    (stage.keys(), watches.iter().map(state).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]
    #[test]
    fn concurrent_checks_find_what_serial_checks_find(
        steps in prop::collection::vec(prop::collection::vec(0_u8..3, PAGES), 1..5)
    ) {
        prop_assert_eq!(run(&steps, true), run(&steps, false));
    }
}
