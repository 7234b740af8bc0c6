//! What do rules of other monitors mean here?

use std::sync::Arc;

use super::*;
use crate::watches::Operation;
use crate::watches::Operation::{Add, Copy, Drop, Links, Replace, Shrink};

/// The settings of a watch of changedetection.io that has these fields, and what was told.
fn watch(fields: &str) -> (Arc<Settings>, String) {
    let imported = backup("{}", &[], &[&format!(r#"{{"url": "https://a.example/", {fields}}}"#)]);
    let [watch] = imported.watches.as_slice() else { panic!("{imported:?}") };
    (Arc::clone(&watch.settings), told(&imported))
}

fn job(rest: &str) -> (Arc<Settings>, String) {
    let imported = Imported::parse(format!("url: https://a.example/\n{rest}").as_bytes(), Format::Urlwatch).unwrap();
    let [watch] = imported.watches.as_slice() else { panic!("{imported:?}") };
    (Arc::clone(&watch.settings), told(&imported))
}

#[test]
fn a_trigger_there_is_a_text_that_the_page_must_contain() {
    let (settings, told) = watch(r#""trigger_text": ["Library", "/sold \\d+/", "/Sold \\d+/m"]"#);
    assert_eq!(settings.counts.contains, ["(?i)Library", r"(?i)sold \d+", r"(?m)Sold \d+"]);
    assert!(settings.counts.trigger.is_empty() && told.is_empty(), "{told}");
}

#[test]
fn a_text_that_is_ignored_there_takes_its_line_with_it() {
    let (settings, told) = watch(r#""ignore_text": ["visitor", "/^\\d+ views$/"]"#);
    assert_eq!(settings.counts.ignore_lines, ["(?i)visitor", r"(?i)^\d+ views$"]);
    assert!(settings.counts.ignore_text.is_empty() && told.is_empty(), "{told}");
}

#[test]
fn texts_that_must_be_absent_or_are_extracted_come_over() {
    let (settings, told) = watch(
        r#""text_should_not_be_present": ["Sold out"], "extract_text": ["/\\d+ EUR/"], "extract_lines_containing": ["a.b"]"#,
    );
    assert_eq!(settings.counts.not_contains, ["(?i)Sold out"]);
    assert_eq!(settings.counts.only_text, [r"(?i)\d+ EUR"]);
    assert_eq!(settings.counts.only_lines, [r"(?i)a\.b"]);
    assert_eq!((told.as_str(), settings.paused), ("", false));
    let (_, told) = watch(r#""extract_text": ["/(\\d+) EUR/"]"#);
    assert!(told.contains("`extract_text`: of an expression with groups"), "{told}");
}

#[test]
fn an_expression_over_several_lines_is_told() {
    let (settings, told) = watch(r#""ignore_text": ["/begin.*end/s"]"#);
    assert_eq!(settings.counts.ignore_lines, ["(?s)begin.*end"]);
    assert!(told.contains("`ignore_text`: an expression over several lines"), "{told}");
}

#[test]
fn nothing_between_slashes_is_found_everywhere_and_other_flags_are_told() {
    let (settings, told) = watch(r#""trigger_text": ["//", "/Foo/u", "/Bar/a"]"#);
    assert_eq!(settings.counts.contains, ["(?i)", "Foo", "Bar"]);
    assert!(told.contains("`trigger_text`: of the flags of an expression only `i`, `m`, `s`, `u` and `x`"), "{told}");
    let (_, told) = watch(r#""trigger_text": ["//", "/Foo/u"]"#);
    assert_eq!(told, "");
}

#[test]
fn added_removed_and_replaced_lines_are_operations_on_words() {
    let of = |added: bool, removed: bool, replaced: bool| {
        let fields = format!(
            r#""filter_text_added": {added}, "filter_text_removed": {removed}, "filter_text_replaced": {replaced}"#
        );
        let (settings, told) = watch(&fields);
        (settings.counts.only, settings.counts.operations.clone(), told.contains("`filter_text_…`"))
    };
    assert_eq!(of(true, true, true), (None, vec![], false));
    assert_eq!(of(false, false, false), (None, vec![], false), "there it is as if all were on");
    assert_eq!(of(true, false, true), (Some(Only::Added), vec![], true));
    assert_eq!(of(false, true, true), (Some(Only::Removed), vec![], true));
    assert_eq!(of(true, false, false), (None, vec![Add, Copy], true));
    assert_eq!(of(false, true, false), (None, vec![Drop, Shrink], true));
    assert_eq!(of(true, true, false), (None, vec![Add, Copy, Drop, Shrink], true));
    assert_eq!(of(false, false, true), (None, vec![Replace], true));
}

#[test]
fn sorted_lines_are_words_that_may_move() {
    let expected: &[Operation] = &[Add, Drop, Copy, Shrink, Replace, Links];
    for (settings, told) in [watch(r#""sort_text_alphabetically": true"#), job("filter: [html2text, sort]")] {
        assert_eq!(settings.counts.operations, expected);
        assert!(told.contains("moved words do not count here, there moved lines"), "{told}");
    }
}

#[test]
fn a_filter_that_cannot_be_brought_over_pauses_the_watch_and_says_why() {
    for (filter, told_as) in [
        ("xpath://p", "a filter `xpath:…`"),
        ("//p", "a filter `//…`"),
        ("json:$.price", "a filter `json:…`"),
        ("jq:.price", "a filter `jq:…`"),
        ("a:hover", "a part that counts: "),
    ] {
        let (settings, told) = watch(&format!(r#""include_filters": ["main", "{filter}"]"#));
        let note = settings.note.as_deref().unwrap_or_default();
        assert!(settings.paused && note.starts_with(&format!("paused by the import: {told_as}")), "{filter}: {note}");
        assert!(told.contains(&format!("it is paused: {told_as}")), "{told}");
        assert_eq!(settings.zone, ["main"]);
    }
}

#[test]
fn a_watch_whose_noise_cannot_be_left_out_is_paused_rather_than_loud() {
    for (fields, told_as) in [
        (r#""subtractive_selectors": ["//p", "nav,"]"#, "`subtractive_selectors` `//…`"),
        (r#""subtractive_selectors": ["xpath://p", "nav,"]"#, "`subtractive_selectors` `xpath:…`"),
        (r#""subtractive_selectors": ["a:hover", "nav,"]"#, "a part that does not count: "),
        (r#""subtractive_selectors": ["nav,"], "ignore_text": ["/(?<!a)b/"]"#, "cannot use the regular expression"),
        (
            r#""subtractive_selectors": ["nav,"], "text_should_not_be_present": ["/(?<!a)b/"]"#,
            "cannot use the regular expression",
        ),
    ] {
        let (settings, told) = watch(fields);
        let note = settings.note.as_deref().unwrap_or_default();
        assert!(settings.paused && note.starts_with(&format!("paused by the import: {told_as}")), "{fields}: {note}");
        assert!(told.contains(&format!("it is paused: {told_as}")) && told.lines().count() == 1, "{told}");
        assert_eq!(settings.ignore, ["nav"]);
    }
}

#[test]
fn a_watch_with_conditions_is_paused_as_every_change_would_be_reported() {
    let condition = r#"{"field": "extracted_number", "operator": "<", "value": "20"}"#;
    let (settings, told) = watch(&format!(r#""conditions": [{condition}], "conditions_match_logic": "ALL""#));
    let note = settings.note.as_deref().unwrap_or_default();
    assert!(settings.paused && note.starts_with("paused by the import: `conditions`: "), "{note}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(!watch(r#""conditions": []"#).0.paused);
}

#[test]
fn the_length_of_a_history_is_how_many_versions_are_kept() {
    let keep = |general: &str, fields: &str| {
        let general = format!(r#"{{"settings": {{"application": {{{general}}}}}}}"#);
        let imported = backup(&general, &[], &[&format!(r#"{{"url": "https://a.example/"{fields}}}"#)]);
        assert_eq!(super::told(&imported), "");
        imported.watches[0].settings.retention.keep
    };
    let (of_all, own) = (r#""history_snapshot_max_length": 20"#, r#", "history_snapshot_max_length": 7"#);
    assert_eq!(keep("", own), Some(7));
    assert_eq!(keep(of_all, ""), Some(20));
    assert_eq!(keep(of_all, own), Some(7));
    assert_eq!(keep(of_all, r#", "history_snapshot_max_length": null"#), Some(20));
    assert_eq!((keep("", ""), keep("", r#", "history_snapshot_max_length": 0"#)), (None, None));
}

#[test]
fn a_watch_that_would_be_of_something_else_is_paused() {
    for (fields, field) in [
        (r#""method": "POST""#, "method"),
        (r#""processor": "restock_diff""#, "processor"),
        (r##""browser_steps": [{"operation": "Click element", "selector": "#a"}]"##, "browser_steps"),
        (r#""webdriver_js_execute_code": "s3cr3t()""#, "webdriver_js_execute_code"),
        (r#""track_ldjson_price_data": "accepted""#, "track_ldjson_price_data"),
        (r#""trigger_text": ["/(?=a)b/"]"#, "cannot use the regular expression"),
    ] {
        let (settings, told) = watch(fields);
        let note = settings.note.as_deref().unwrap_or_default();
        assert!(settings.paused && note.contains(field) && told.contains("it is paused: "), "{fields}: {told}");
        assert!(!told.contains("s3cr3t") && !note.contains("s3cr3t"), "{told}");
    }
    let (settings, _) =
        watch(r#""method": "get", "processor": "text_json_diff", "browser_steps": [{"operation": "Goto site"}]"#);
    assert!(!settings.paused);
}

#[test]
fn filters_of_lines_are_lines_here() {
    let (settings, told) = job("filter:\n  - html2text\n  - grep: 'Current.*version'\n  - grepi: {re: '^ad'}\n  \
         - keep_lines_containing: 'a.b'\n  - delete_lines_containing: {text: 'c.d'}\n  - delete_lines_containing: {re: 'e.f'}\n");
    assert_eq!(settings.counts.only_lines, ["Current.*version", r"a\.b"]);
    assert_eq!(settings.counts.ignore_lines, ["^ad", r"c\.d", "e.f"]);
    assert!(told.contains("`keep_lines_containing` once more") && told.lines().count() == 1, "{told}");
    let (_, told) = job("filter: ['grep:a']\n");
    assert!(told.contains("`grep` without `html2text` before it"), "{told}");
}

#[test]
fn expressions_that_find_or_replace_are_words_here() {
    let (settings, told) = job("filter:\n  - html2text\n  - re.sub: '\\d+ views'\n  - re.findall: 'v\\d+'\n");
    assert_eq!(
        (settings.counts.ignore_text.join("|"), settings.counts.only_text.join("|")),
        (r"\d+ views".into(), r"v\d+".into())
    );
    assert_eq!(told, "");
    let (_, told) =
        job("filter:\n  - html2text\n  - re.sub: {pattern: a, repl: b}\n  - re.findall: {pattern: a, repl: b}\n");
    assert!(
        told.contains("`re.sub`: nothing of the match") && told.contains("`re.findall`: the whole match"),
        "{told}"
    );
}

#[test]
fn an_element_within_an_element_is_one_zone() {
    let (settings, told) = job("filter:\n  - element-by-id: news\n  - css: {selector: 'p, li', skip: 1}\n");
    assert_eq!(settings.zone, [r#":is([id="news"]) :is(p, li), :is([id="news"]):is(p, li)"#]);
    assert!(told.contains("`skip` of the filter `css`"), "{told}");
}

#[test]
fn a_job_of_something_else_is_paused() {
    for (rest, told_as) in [
        ("filter: ['xpath://p']", "the filter `xpath`: only CSS"),
        ("filter: [{jq: '.a'}]", "the filter `jq`: JSON"),
        ("filter: [{shellpipe: 'rm s3cr3t'}]", "the filter `shellpipe`: no command"),
        ("filter: [pdf2text]", "the filter `pdf2text`: PDF"),
        ("filter: ['case:upper']", "the filter `case` is not known here"),
        ("filter: [css]", "a filter of elements without a value"),
        ("data: s3cr3t", "`data`: only GET"),
        ("method: PURGE", "`method`: only GET"),
        ("kind: custom-login", "`kind`: a kind of job"),
    ] {
        let (settings, told) = job(rest);
        let note = settings.note.as_deref().unwrap_or_default();
        assert!(settings.paused && note.contains(told_as), "{rest}: {note}");
        assert!(told.contains(&format!("it is paused: {told_as}")) && !told.contains("s3cr3t"), "{told}");
    }
}
