//! What templates do, and what they refuse.

use super::super::fields::{Field, Fields};
use super::*;
use crate::summary::safe;

fn fields() -> Fields {
    let event = |name: &str, why: &str| {
        Fields::of([("name", Field::Text(name.to_owned())), ("why", Field::Text(why.to_owned()))])
    };
    let events = Field::List(vec![event("One", "because"), event("<Two>", "")]);
    Fields::of([("count", Field::Text("2".to_owned())), ("several", Field::Flag(true)), ("events", events)])
}

fn written(template: &str) -> String {
    Template::read(template).unwrap().write(&fields(), safe::escaped)
}

fn refused(template: &str) -> String {
    Template::read(template).unwrap_err().to_string()
}

#[test]
fn fields_lists_and_conditions_are_written() {
    assert_eq!(written("{{count}}:{{#events}} {{name}}{{/events}}"), "2: One &lt;Two&gt;");
    assert_eq!(written("{{#several}}many{{/several}}{{^several}}one{{/several}}"), "many");
    assert_eq!(written("{{#events}}{{#why}}({{why}}){{/why}}{{^why}}-{{/why}}{{/events}}"), "(because)-");
    assert_eq!(written("a{{! a remark }}b"), "ab");
}

#[test]
fn outer_fields_are_seen_inside() {
    assert_eq!(written("{{#events}}{{count}}{{/events}}"), "22");
}

#[test]
fn a_tag_alone_on_its_line_takes_the_line() {
    assert_eq!(written("Hello\n  {{#events}}\n- {{name}}\n{{/events}}\nBye\n"), "Hello\n- One\n- &lt;Two&gt;\nBye\n");
    assert_eq!(written("{{#several}}\nx\n{{/several}}"), "x\n");
    assert_eq!(written("{{count}}\n"), "2\n", "a field is never alone");
}

#[test]
fn a_name_that_does_not_exist_is_told_with_those_that_do() {
    let told = refused("Hello\n{{#events}}{{nmae}}{{/events}}");
    assert!(told.contains("line 2") && told.contains("no field `nmae`") && told.contains("name,"), "{told}");
    let told = refused("{{name}}");
    assert!(told.contains("no field `name` here") && told.contains("events"), "{told}");
}

#[test]
fn what_a_template_cannot_do_is_refused() {
    for (template, why) in [
        ("{{{name}}}", "`{{{` is not known"),
        ("{{&count}}", "`{{&` is not known"),
        ("{{>partial}}", "`{{>` is not known"),
        ("{{=<% %>=}}", "`{{=` is not known"),
        ("{{count.__class__}}", "no field `count.__class__`"),
        ("{{#events}}", "is not closed"),
        ("{{/events}}", "closes nothing"),
        ("{{#events}}{{#several}}{{/events}}", "closes `several`"),
        ("{{count", "is not closed"),
        ("{{#events}}{{#events}}{{/events}}{{/events}}", "inside itself"),
        ("{{}}", "no field ``"),
    ] {
        assert!(refused(template).contains(why), "{template}: {}", refused(template));
    }
    assert!(refused(&"x".repeat(MOST_BYTES + 1)).contains("longer than 65,536 bytes"));
    let deep = "{{#several}}".repeat(MOST_DEPTH + 1) + &"{{/several}}".repeat(MOST_DEPTH + 1);
    assert!(refused(&deep).contains("more than 16"));
}

#[test]
fn any_text_is_a_template_or_an_error() {
    let parts = ["{{", "}}", "#", "^", "/", "!", "events", "name", "pieces", "excerpts", "\n", " ", "x", "{", "é"];
    let (mut state, mut good) = (1_u64, 0);
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..14 {
            // Knuth's generator: a test that is the same each time.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(parts[(state >> 33) as usize % parts.len()]);
        }
        if let Ok(template) = Template::read(&text) {
            good += 1;
            template.write(&fields(), safe::escaped);
        }
    }
    assert!(good > 100, "{good}");
}
