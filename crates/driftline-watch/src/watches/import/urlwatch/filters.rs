//! What do filters become? Those that choose a part of the page become zones, those that choose lines or words become
//! rules about these. What only tidies up is not needed: driftline compares words.
//!
//! A filter without which something else would be compared pauses the watch.

use driftline::page::zone::Selector;
use serde_norway::{Mapping, Value};

use super::scalar;
use crate::watches::import::draft::Draft;
use crate::watches::import::fate::Fate::{self, Kept, Needless, Paused};

const WORDS: Fate = Needless("words are compared anyway");
const ORDER: Fate = Kept("counts.operations, without `move`");
const LINES: Fate = Kept("counts.only-lines");
const NOT_LINES: Fate = Kept("counts.ignore-lines");

/// Every filter of urlwatch 2.29, and those of webchanges that are known here.
pub(super) const FILTERS: [(&str, Fate); 35] = [
    ("absolute_links", Needless("addresses are resolved anyway")),
    ("beautify", WORDS),
    ("css", Kept("zone, ignore")),
    ("csv2text", WORDS),
    ("delete_lines_containing", NOT_LINES),
    ("element-by-class", Kept("zone")),
    ("element-by-id", Kept("zone")),
    ("element-by-style", Kept("zone")),
    ("element-by-tag", Kept("zone")),
    ("format-json", WORDS),
    ("format-xml", WORDS),
    ("grep", LINES),
    ("grepi", NOT_LINES),
    ("hexdump", WORDS),
    ("html2text", WORDS),
    ("ical2text", WORDS),
    ("jq", Paused("JSON is not filtered here")),
    ("jsontoyaml", WORDS),
    ("keep_lines_containing", LINES),
    ("ocr", Paused("pictures are not read")),
    ("pdf2text", Paused("PDF is not read")),
    ("pretty-xml", WORDS),
    ("re.findall", Kept("counts.only-text")),
    ("re.sub", Kept("counts.ignore-text")),
    ("remove-duplicate-lines", Needless("a line that appears again is reported as copied")),
    ("remove_duplicate_lines", Needless("a line that appears again is reported as copied")),
    ("remove_repeated", Needless("a line that appears again is reported as copied")),
    ("reverse", WORDS),
    ("sha1sum", WORDS),
    ("shellpipe", Paused("no command is run")),
    ("sort", ORDER),
    ("strip", WORDS),
    ("strip_each_line", WORDS),
    ("striplines", WORDS),
    ("xpath", Paused("only CSS selectors are known here")),
];

/// Carries filters over: a list of them, or one line with commas. Each works on what the ones before it left.
pub(super) fn take(draft: &mut Draft, value: &Value) {
    let mut steps = Steps { draft, is_text: false };
    match value {
        Value::Sequence(filters) => filters.iter().for_each(|filter| steps.one(filter)),
        Value::String(line) => {
            line.split(',').for_each(|filter| steps.one(&Value::String(filter.trim().to_owned())));
        }
        filter => steps.one(filter),
    }
}

struct Steps<'a> {
    draft: &'a mut Draft,
    /// What the next filter works on is text already, not the source of a page.
    is_text: bool,
}

impl Steps<'_> {
    fn one(&mut self, filter: &Value) {
        match filter {
            Value::String(name) => match name.split_once(':') {
                Some((name, value)) => self.named(name.trim(), &Value::String(value.trim().to_owned())),
                None => self.named(name.trim(), &Value::Null),
            },
            Value::Mapping(filter) => {
                for (name, value) in filter {
                    self.named(name.as_str().unwrap_or_default(), value);
                }
            }
            _ => self.draft.tell("a filter that is no text"),
        }
    }

    fn named(&mut self, name: &str, value: &Value) {
        let text = |keys: &[&str]| {
            let inner = |table: &Mapping| keys.iter().find_map(|key| table.get(key)).and_then(scalar);
            value.as_mapping().map_or_else(|| scalar(value), inner)
        };
        match name {
            "css" => self.css(value),
            "element-by-id" => self.quoted(text(&["id", "value"]), |value| format!("[id=\"{value}\"]")),
            "element-by-class" => self.quoted(text(&["class", "value"]), |value| format!("[class~=\"{value}\"]")),
            "element-by-style" => self.quoted(text(&["style", "value"]), |value| format!("[style=\"{value}\"]")),
            "element-by-tag" => self.narrow(text(&["tag", "value"]).as_deref()),
            "grep" | "grepi" => self.lines(name, text(&["re"])),
            "keep_lines_containing" | "delete_lines_containing" => {
                let expression = value.get("re").and_then(scalar);
                self.lines(name, expression.or_else(|| text(&["text"]).map(|text| regex::escape(&text))));
            }
            "re.findall" => self.found(text(&["pattern"]), value),
            "re.sub" => self.replaced(text(&["pattern"]), value),
            "sort" => self.draft.count_no_moves("sort"),
            _ => self.other(name),
        }
    }

    /// A filter that needs nothing, or cannot be carried over.
    fn other(&mut self, name: &str) {
        match FILTERS.iter().find(|(known, _)| *known == name).map(|(_, fate)| *fate) {
            Some(Paused(why)) => self.draft.pause(format!("the filter `{name}`: {why}")),
            Some(_) => self.is_text |= name.ends_with("2text") || name.starts_with("format-"),
            None => self.draft.pause(format!("the filter `{name}` is not known here")),
        }
    }

    fn css(&mut self, value: &Value) {
        self.narrow(scalar(value.get("selector").unwrap_or(value)).as_deref());
        if let Some(exclude) = value.get("exclude").and_then(scalar) {
            self.draft.ignore(&exclude);
        }
        for key in ["skip", "maxitems"] {
            if value.get(key).is_some() {
                self.draft.tell(format!("`{key}` of the filter `css`: all elements that match count here"));
            }
        }
    }

    /// A selector with a quoted value in it.
    fn quoted(&mut self, value: Option<String>, selector: impl Fn(&str) -> String) {
        self.narrow(value.map(|value| selector(&value.replace('\\', "\\\\").replace('"', "\\\""))).as_deref());
    }

    /// Only these elements count, of those that counted so far.
    fn narrow(&mut self, selector: Option<&str>) {
        let Some(selector) = selector else {
            return self.draft.pause("a filter of elements without a value");
        };
        let zone = &mut self.draft.settings.zone;
        if zone.is_empty() {
            return self.draft.zone(selector);
        }
        let outer = zone.join(", ");
        let both = format!(":is({outer}) :is({selector}), :is({outer}):is({selector})");
        match Selector::parse(&both) {
            Ok(_) => *zone = vec![both],
            Err(_) => self.draft.zone(selector),
        }
    }

    /// Only lines that match count, or those that do not.
    fn lines(&mut self, name: &str, expression: Option<String>) {
        let Some(expression) = expression else { return self.draft.tell(format!("`{name}` without a text")) };
        self.tell_of_source(name);
        if matches!(name, "grepi" | "delete_lines_containing") {
            return self.draft.leave_out(&expression, |counts| &mut counts.ignore_lines);
        }
        if !self.draft.settings.counts.only_lines.is_empty() {
            self.draft.tell(format!("`{name}` once more: lines that match one of them count here, there all of them"));
        }
        self.draft.choose(&expression, |counts| &mut counts.only_lines);
    }

    /// Only what an expression finds counts.
    fn found(&mut self, expression: Option<String>, value: &Value) {
        let Some(expression) = expression else { return self.draft.tell("`re.findall` without a pattern") };
        self.tell_of_source("re.findall");
        if value.get("repl").is_some() {
            self.draft.tell("`repl` of the filter `re.findall`: the whole match counts here");
        }
        self.draft.choose(&expression, |counts| &mut counts.only_text);
    }

    /// What an expression finds does not count.
    fn replaced(&mut self, expression: Option<String>, value: &Value) {
        let Some(expression) = expression else { return self.draft.tell("`re.sub` without a pattern") };
        self.tell_of_source("re.sub");
        if value.get("repl").and_then(scalar).is_some_and(|repl| !repl.is_empty()) {
            self.draft.tell("`repl` of the filter `re.sub`: nothing of the match counts here");
        }
        self.draft.leave_out(&expression, |counts| &mut counts.ignore_text);
    }

    /// There a filter works on the source of the page unless another made text of it.
    fn tell_of_source(&mut self, name: &str) {
        if !self.is_text {
            self.draft.tell(format!(
                "`{name}` without `html2text` before it: there it sees the page's source, here its text"
            ));
        }
    }
}
