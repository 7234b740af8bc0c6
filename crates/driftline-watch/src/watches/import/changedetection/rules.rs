//! What counts and what does not there, of a watch or of a tag for all its watches.

use driftline_archive::import::changedetection::Settings;
use serde_json::Value;

use super::texts;
use crate::watches::import::draft::Draft;
use crate::watches::{Only, Operation, pattern};

/// The flags of an expression that mean the same here; `u` is how all are read.
const FLAGS: &str = "imsux";

/// The beginnings of filters that are not CSS.
const NOT_CSS: [&str; 7] = ["xpath:", "xpath1:", "json:", "jq:", "jqraw:", "//", "/"];

/// Takes the rules over.
pub(super) fn take(draft: &mut Draft, settings: &Settings) {
    for filter in texts(settings.get("include_filters")) {
        match beginning(filter) {
            Some(other) => draft.pause(format!("a filter `{other}…`: only CSS selectors are known here")),
            None => draft.zone(plain(filter)),
        }
    }
    for selector in texts(settings.get("subtractive_selectors")) {
        match beginning(selector) {
            Some(other) => {
                draft.pause(format!("`subtractive_selectors` `{other}…`: only CSS selectors are known here"));
            }
            None => draft.ignore(plain(selector).trim_matches(',').trim()),
        }
    }
    for phrase in texts(settings.get("extract_lines_containing")) {
        draft.choose(&literal(phrase), |counts| &mut counts.only_lines);
    }
    for expression in expressions(draft, settings, "extract_text") {
        if has_groups(&expression) {
            draft.tell("`extract_text`: of an expression with groups the whole match counts here, there the groups");
        }
        draft.choose(&expression, |counts| &mut counts.only_text);
    }
    for expression in expressions(draft, settings, "trigger_text") {
        draft.choose(&expression, |counts| &mut counts.contains);
    }
    for expression in expressions(draft, settings, "text_should_not_be_present") {
        draft.leave_out(&expression, |counts| &mut counts.not_contains);
    }
    for expression in expressions(draft, settings, "ignore_text") {
        draft.leave_out(&expression, |counts| &mut counts.ignore_lines);
    }
}

/// Lines with one of these phrases do not count.
pub(super) fn ignore(draft: &mut Draft, phrases: &[&str]) {
    for phrase in phrases {
        draft.leave_out(&expression(phrase), |counts| &mut counts.ignore_lines);
    }
}

/// Takes over which operations count: added, removed and replaced lines there, in any order if they are sorted.
pub(super) fn operations(draft: &mut Draft, settings: &Settings) {
    let is = |key: &str, usual: bool| settings.get(key).and_then(Value::as_bool).unwrap_or(usual);
    let counts = &mut draft.settings.counts;
    let sides = ["filter_text_added", "filter_text_removed", "filter_text_replaced"].map(|key| is(key, true));
    let (only, operations): (Option<Only>, &[Operation]) = match sides {
        [true, false, true] => (Some(Only::Added), &[]),
        [false, true, true] => (Some(Only::Removed), &[]),
        [true, false, false] => (None, &[Operation::Add, Operation::Copy]),
        [false, true, false] => (None, &[Operation::Drop, Operation::Shrink]),
        [true, true, false] => (None, &[Operation::Add, Operation::Copy, Operation::Drop, Operation::Shrink]),
        [false, false, true] => (None, &[Operation::Replace]),
        [true, true, true] | [false, false, false] => (None, &[]),
    };
    (counts.only, counts.operations) = (only, operations.to_vec());
    if only.is_some() || !operations.is_empty() {
        draft.tell("`filter_text_…`: here words are added, removed and replaced, there lines");
    }
    if is("sort_text_alphabetically", false) {
        draft.count_no_moves("sort_text_alphabetically");
    }
}

/// How a filter begins that is not CSS.
fn beginning(filter: &str) -> Option<&'static str> {
    NOT_CSS.into_iter().find(|other| filter.starts_with(other))
}

fn plain(selector: &str) -> &str {
    selector.strip_prefix("css:").unwrap_or(selector).trim()
}

/// A phrase in any case.
fn literal(phrase: &str) -> String {
    format!("(?i){}", regex::escape(phrase))
}

/// The expressions of a setting; those that mean several lines at once are told.
fn expressions(draft: &mut Draft, settings: &Settings, key: &str) -> Vec<String> {
    let phrases = texts(settings.get(key));
    let has_other =
        |phrase: &&str| enclosed(phrase).is_some_and(|(_, flags)| !flags.chars().all(|flag| FLAGS.contains(flag)));
    if phrases.iter().any(has_other) {
        draft.tell(format!("`{key}`: of the flags of an expression only `i`, `m`, `s`, `u` and `x` are known here"));
    }
    let is_long =
        |phrase: &&str| enclosed(phrase).is_some_and(|(inner, flags)| flags.contains('s') || inner.contains(r"\n"));
    if phrases.iter().any(is_long) {
        draft.tell(format!("`{key}`: an expression over several lines; here each line is looked at by itself"));
    }
    phrases.into_iter().map(expression).collect()
}

/// A phrase in any case, or `/expression/` with its flags; without flags it is in any case too, as there.
fn expression(phrase: &str) -> String {
    let Some((inner, flags)) = enclosed(phrase) else { return literal(phrase) };
    let known: String = flags.chars().filter(|flag| *flag != 'u' && FLAGS.contains(*flag)).collect();
    match known.as_str() {
        "" if flags.is_empty() => format!("(?i){inner}"),
        "" => inner.to_owned(),
        flags => format!("(?{flags}){inner}"),
    }
}

/// What is between the slashes, and the flags. Between `//` is nothing, which is found everywhere, as there.
fn enclosed(phrase: &str) -> Option<(&str, &str)> {
    let (inner, flags) = phrase.strip_prefix('/')?.rsplit_once('/')?;
    flags.bytes().all(|flag| flag.is_ascii_alphabetic()).then_some((inner, flags))
}

fn has_groups(expression: &str) -> bool {
    pattern(expression).is_ok_and(|pattern| pattern.captures_len() > 1)
}
