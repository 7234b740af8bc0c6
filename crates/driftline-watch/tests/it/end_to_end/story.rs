//! The whole story: at each step just what it says, and nothing else.

use driftline_demo::story::{Found, STEPS};

use super::stage::Stage;

#[test]
fn each_step_is_told_as_it_should_be_and_nothing_else() {
    let stage = Stage::open();
    for step in STEPS {
        let told = stage.play(step.name);
        let mut left = step.finds.to_vec();
        for told in &told {
            let is_it = |found: &Found| found.kind == told.kind && (found.path == told.path || found.path == "*");
            match left.iter().position(is_it) {
                Some(place) => drop(left.remove(place)),
                None => panic!("step `{}`: {told:?} is not expected", step.name),
            }
        }
        assert!(left.is_empty(), "step `{}`: {left:?} was not told", step.name);
    }
}
