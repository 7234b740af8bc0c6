//! What do filters become? Those that choose a part of the page become zones, those that choose lines become texts that
//! trigger or are ignored. What only tidies up is not needed: driftline compares words.

use serde_norway::{Mapping, Value};

use super::scalar;
use crate::watches::import::draft::Draft;

/// What only tidies up.
const NEEDLESS: [&str; 10] = [
    "html2text",
    "strip",
    "strip_each_line",
    "beautify",
    "absolute_links",
    "format-json",
    "format-xml",
    "ical2text",
    "csv2text",
    "remove_repeated",
];

/// Carries filters over: a list of them, or one line with commas.
pub(super) fn take(draft: &mut Draft, value: &Value) {
    match value {
        Value::Sequence(filters) => filters.iter().for_each(|filter| one(draft, filter)),
        Value::String(line) => line.split(',').for_each(|filter| one(draft, &Value::String(filter.trim().to_owned()))),
        filter => one(draft, filter),
    }
}

fn one(draft: &mut Draft, filter: &Value) {
    match filter {
        Value::String(name) => match name.split_once(':') {
            Some((name, value)) => named(draft, name.trim(), &Value::String(value.trim().to_owned())),
            None => named(draft, name.trim(), &Value::Null),
        },
        Value::Mapping(filter) => {
            for (name, value) in filter {
                named(draft, name.as_str().unwrap_or_default(), value);
            }
        }
        _ => draft.tell("a filter that is no text"),
    }
}

fn named(draft: &mut Draft, name: &str, value: &Value) {
    let text = |keys: &[&str]| {
        let inner = |table: &Mapping| keys.iter().find_map(|key| table.get(key)).and_then(scalar);
        value.as_mapping().map_or_else(|| scalar(value), inner)
    };
    match name {
        _ if NEEDLESS.contains(&name) => {}
        "css" => {
            css(draft, value.get("selector").unwrap_or(value), Draft::zone);
            if let Some(exclude) = value.get("exclude") {
                css(draft, exclude, Draft::ignore);
            }
        }
        "element-by-id" => quoted(draft, text(&["id", "value"]), |value| format!("[id=\"{value}\"]")),
        "element-by-class" => quoted(draft, text(&["class", "value"]), |value| format!("[class~=\"{value}\"]")),
        "element-by-style" => quoted(draft, text(&["style", "value"]), |value| format!("[style=\"{value}\"]")),
        "element-by-tag" => css(draft, &text(&["tag", "value"]).map_or(Value::Null, Value::String), Draft::zone),
        "grep" | "keep_lines_containing" => match text(&["re", "text"]) {
            Some(expression) => {
                draft.trigger(&expression);
                draft.tell(format!(
                    "`{name}` became `trigger`: what came or went must match, the rest is still compared"
                ));
            }
            None => draft.tell(format!("`{name}` without a text")),
        },
        "grepi" | "delete_lines_containing" => match text(&["re", "text"]) {
            Some(expression) => {
                draft.ignore_text(&expression);
                draft.tell(format!("`{name}` became `ignore-text`: what matches does not count, not all of its line"));
            }
            None => draft.tell(format!("`{name}` without a text")),
        },
        "sort" | "remove-duplicate-lines" => {
            draft.tell(format!("`{name}` is not needed: words that only moved or were copied are told as such"));
        }
        _ => draft.tell(format!("the filter `{name}` has no counterpart")),
    }
}

fn css(draft: &mut Draft, value: &Value, set: impl Fn(&mut Draft, &str)) {
    match scalar(value) {
        Some(selector) => set(draft, &selector),
        None => draft.tell("the filter `css` without a selector"),
    }
}

/// A selector with a quoted value in it.
fn quoted(draft: &mut Draft, value: Option<String>, selector: impl Fn(&str) -> String) {
    match value {
        Some(value) => draft.zone(&selector(&value.replace('\\', "\\\\").replace('"', "\\\""))),
        None => draft.tell("a filter `element-by-…` without a value"),
    }
}
