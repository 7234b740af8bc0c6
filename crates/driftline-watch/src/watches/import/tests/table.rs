//! The reference of imports is what the tables of the importer say.
//!
//! `UPDATE_DOCS=1 cargo test -p driftline-watch --lib import::tests::table` writes it anew.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use crate::watches::import::changedetection::{fields, general, tags};
use crate::watches::import::fate::Fate::{self, Kept, Needless, Paused, Told};
use crate::watches::import::urlwatch::filters::{FILTERS, OPTIONS};
use crate::watches::import::urlwatch::keys::KEYS;

const UPDATE: &str = "UPDATE_DOCS=1 cargo test -p driftline-watch --lib import::tests::table";

#[test]
fn the_reference_of_imports_is_what_the_importer_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/imports.md");
    let text = fs::read_to_string(&path).unwrap();
    let mut expected = text.clone();
    let options = OPTIONS.map(|(filter, option, fate)| (format!("`{filter}`: `{option}`"), fate));
    for (name, table) in [
        ("watch", table("field", fields::FIELDS.map(coded))),
        ("tag", table("field", tags::FIELDS.map(coded))),
        ("settings", table("setting", general::SETTINGS.map(coded))),
        ("keys", table("key", KEYS.map(coded))),
        ("filters", table("filter", FILTERS.map(coded))),
        ("options", table("option", options)),
    ] {
        expected = replaced(&expected, name, &table);
    }
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, expected).unwrap();
    } else {
        assert!(text == expected, "docs/reference/imports.md is not what the importer does\nhint: run `{UPDATE}`");
    }
}

fn coded((name, fate): (&str, Fate)) -> (String, Fate) {
    (format!("`{name}`"), fate)
}

fn table(what: &str, rows: impl IntoIterator<Item = (String, Fate)>) -> String {
    let mut text = format!("| {what} | what becomes of it |\n|---|---|\n");
    for (name, fate) in rows {
        let _ = writeln!(text, "| {name} | {} |", described(fate));
    }
    text
}

fn described(fate: Fate) -> String {
    match fate {
        Kept(settings) => {
            let (names, rest) = settings.split_once(" (").map_or((settings, ""), |(names, rest)| (names, rest));
            let is_name = |name: &&str| name.bytes().all(|sign| matches!(sign, b'a'..=b'z' | b'.' | b'-'));
            let names =
                names.split(", ").map(|name| if is_name(&name) { format!("`{name}`") } else { name.to_owned() });
            let names: Vec<String> = names.collect();
            let rest = if rest.is_empty() { String::new() } else { format!(" ({rest}") };
            format!("{}{rest}", names.join(", "))
        }
        Told(why) => format!("a note: {why}"),
        Paused(why) => format!("**paused**: {why}"),
        Needless(why) => format!("not needed: {why}"),
    }
}

/// The text with a table between its marks.
fn replaced(text: &str, name: &str, table: &str) -> String {
    let (begin, end) = (format!("<!-- table: {name} -->\n\n"), "\n<!-- end -->");
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("there is no mark `{begin}`"));
    let (_, after) = rest.split_once(end).expect("the table ends");
    format!("{before}{begin}{table}{end}{after}")
}
