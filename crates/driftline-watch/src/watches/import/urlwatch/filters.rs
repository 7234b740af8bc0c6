//! What do filters become? Those that choose a part of the page become zones, those that choose lines or words become
//! rules about these. What only tidies up is not needed: driftline compares words.
//!
//! A filter without which something else would be compared pauses the watch.

use driftline::page::zone::Selector;
use serde_norway::{Mapping, Value};

use super::scalar;
use crate::watches::import::draft::Draft;
use crate::watches::import::fate::Fate::{self, Kept, Needless, Paused, Told};
use crate::watches::import::fate::UNKNOWN;

const WORDS: Fate = Needless("words are compared anyway");
const BYTES: Fate = Told("any byte counts there, here words and links do");
const FILE: Fate = Needless("a file that is no page is compared byte by byte");
const COPIES: Fate = Needless("a line that appears again is reported as copied");
const COMMAND: Fate = Paused("no command is run");
const PDF: Fate = Paused("PDF is not read");
const ORDER: Fate = Kept("counts.operations (all but `move`)");
const LINES: Fate = Kept("counts.only-lines");
const NOT_LINES: Fate = Kept("counts.ignore-lines");
const ZONE: Fate = Kept("zone");
const SOME: Fate = Told("all elements that match count here");

/// Every filter of urlwatch 2.29 and webchanges 3.37.0.
pub(in crate::watches::import) const FILTERS: [(&str, Fate); 41] = [
    ("absolute_links", Needless("addresses are resolved anyway")),
    ("ascii85", FILE),
    ("base64", FILE),
    ("beautify", WORDS),
    ("between", Paused("lines between two others cannot be chosen")),
    ("css", Kept("zone, ignore")),
    ("csv2text", WORDS),
    ("delete_lines_containing", NOT_LINES),
    ("element-by-class", ZONE),
    ("element-by-id", ZONE),
    ("element-by-style", ZONE),
    ("element-by-tag", ZONE),
    ("execute", COMMAND),
    ("format-json", WORDS),
    ("format-xml", WORDS),
    ("grep", LINES),
    ("grepi", NOT_LINES),
    ("hexdump", BYTES),
    ("html2text", WORDS),
    ("ical2text", WORDS),
    ("jq", Paused("JSON is not filtered here")),
    ("jsontoyaml", WORDS),
    ("keep_lines_containing", LINES),
    ("ocr", Paused("pictures are not read")),
    ("pdf2text", PDF),
    ("pretty-xml", WORDS),
    ("pypdf", PDF),
    ("re.findall", Kept("counts.only-text")),
    ("re.sub", Kept("counts.ignore-text")),
    ("remove-duplicate-lines", COPIES),
    ("remove_duplicate_lines", COPIES),
    ("remove_repeated", COPIES),
    ("reverse", WORDS),
    ("sha1sum", BYTES),
    ("sha256sum", BYTES),
    ("shellpipe", COMMAND),
    ("sort", ORDER),
    ("strip", WORDS),
    ("strip_each_line", WORDS),
    ("striplines", WORDS),
    ("xpath", Paused("only CSS selectors are known here")),
];

/// The options of filters that do not pause a watch. The option without a name is the first of its filter; `html2text`
/// hands its options on to a library, so any name may be one.
pub(in crate::watches::import) const OPTIONS: [(&str, &str, Fate); 40] = [
    ("beautify", "indent", WORDS),
    ("beautify", "absolute_links", WORDS),
    ("css", "selector", ZONE),
    ("css", "exclude", Kept("ignore")),
    ("css", "maxitems", SOME),
    ("css", "method", Told("a page is read as its type and its beginning say")),
    ("css", "namespaces", Told("elements have no namespaces here")),
    ("css", "skip", SOME),
    ("css", "sort", ORDER),
    ("csv2text", "format_message", Told("columns that it leaves out count here")),
    ("csv2text", "has_header", WORDS),
    ("csv2text", "ignore_header", WORDS),
    ("delete_lines_containing", "text", NOT_LINES),
    ("delete_lines_containing", "re", NOT_LINES),
    ("element-by-class", "class", ZONE),
    ("element-by-id", "id", ZONE),
    ("element-by-style", "style", ZONE),
    ("element-by-tag", "tag", ZONE),
    ("format-json", "indentation", WORDS),
    ("format-json", "sort_keys", WORDS),
    ("grep", "re", LINES),
    ("grepi", "re", NOT_LINES),
    ("jsontoyaml", "indentation", WORDS),
    ("keep_lines_containing", "text", LINES),
    ("keep_lines_containing", "re", LINES),
    ("pretty-xml", "indentation", WORDS),
    ("re.findall", "pattern", Kept("counts.only-text")),
    ("re.findall", "repl", Told("the whole match counts here")),
    ("re.sub", "pattern", Kept("counts.ignore-text")),
    ("re.sub", "repl", Told("nothing of the match counts here")),
    ("remove-duplicate-lines", "separator", COPIES),
    ("remove_repeated", "separator", COPIES),
    ("remove_repeated", "adjacent", COPIES),
    ("remove_repeated", "ignore_case", COPIES),
    ("reverse", "separator", WORDS),
    ("sort", "separator", ORDER),
    ("sort", "reverse", ORDER),
    ("strip", "chars", Told("the signs that it takes away count here")),
    ("strip", "side", WORDS),
    ("strip", "splitlines", WORDS),
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

/// What becomes of a filter.
fn fate(name: &str) -> Option<Fate> {
    FILTERS.iter().find(|(known, _)| *known == name).map(|(_, fate)| *fate)
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
                let plain = if value.is_mapping() { value.get("text").and_then(scalar) } else { scalar(value) };
                let expression = || value.get("re").and_then(scalar);
                self.lines(name, plain.map(|text| regex::escape(&text)).or_else(expression));
            }
            "re.findall" => self.found(text(&["pattern"])),
            "re.sub" => self.replaced(text(&["pattern"])),
            "sort" => self.draft.count_no_moves("sort"),
            _ => self.other(name),
        }
        self.options(name, value);
    }

    /// Tells of the options of a filter that have no counterpart. Those of a filter that pauses the watch do not matter.
    fn options(&mut self, name: &str, value: &Value) {
        let is_open = matches!(fate(name), None | Some(Paused(_))) || name == "html2text";
        let table = value.as_mapping().into_iter().flatten();
        let named = table.filter_map(|(option, value)| Some((option.as_str()?, value)));
        let first = OPTIONS.iter().find(|(filter, ..)| *filter == name && !value.is_mapping());
        for (option, value) in named.chain(first.map(|(_, option, _)| (*option, value))) {
            let is_said = !value.is_null() && value.as_bool() != Some(false) && value.as_str() != Some("");
            match OPTIONS.iter().find(|(filter, known, _)| (*filter, *known) == (name, option)).map(|(.., fate)| *fate)
            {
                Some(Told(why)) if is_said => self.draft.tell(format!("`{option}` of the filter `{name}`: {why}")),
                Some(_) => {}
                None if is_open || option == "value" => {}
                None => self.draft.tell(format!("`{option}` of the filter `{name}` is {UNKNOWN}")),
            }
        }
    }

    /// A filter that needs nothing, or cannot be carried over.
    fn other(&mut self, name: &str) {
        match fate(name) {
            Some(Paused(why)) => self.draft.pause(format!("the filter `{name}`: {why}")),
            Some(Told(why)) => self.draft.tell(format!("the filter `{name}`: {why}")),
            Some(_) => self.is_text |= name.ends_with("2text") || name.starts_with("format-"),
            None => self.draft.pause(format!("the filter `{name}` is {UNKNOWN}")),
        }
    }

    fn css(&mut self, value: &Value) {
        self.narrow(scalar(value.get("selector").unwrap_or(value)).as_deref());
        if let Some(exclude) = value.get("exclude").and_then(scalar) {
            self.draft.ignore(&exclude);
        }
        if value.get("sort").and_then(Value::as_bool) == Some(true) {
            self.draft.count_no_moves("sort");
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
    fn found(&mut self, expression: Option<String>) {
        let Some(expression) = expression else { return self.draft.tell("`re.findall` without a pattern") };
        self.tell_of_source("re.findall");
        self.tell_of_lines("re.findall", &expression);
        self.draft.choose(&expression, |counts| &mut counts.only_text);
    }

    /// What an expression finds does not count.
    fn replaced(&mut self, expression: Option<String>) {
        let Some(expression) = expression else { return self.draft.tell("`re.sub` without a pattern") };
        self.tell_of_source("re.sub");
        self.tell_of_lines("re.sub", &expression);
        self.draft.leave_out(&expression, |counts| &mut counts.ignore_text);
    }

    /// There an expression sees the whole text, here each line by itself.
    fn tell_of_lines(&mut self, name: &str, expression: &str) {
        let flags = expression.strip_prefix("(?").and_then(|rest| rest.split_once([')', ':', '-']));
        if expression.contains(r"\n") || flags.is_some_and(|(flags, _)| flags.contains('s')) {
            self.draft
                .tell(format!("`{name}`: an expression over several lines; here each line is looked at by itself"));
        }
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
