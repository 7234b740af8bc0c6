//! The rules that comments of the code cite, looked up in `docs/reference/rules.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::{links, read, root};

const RULES: &str = "docs/reference/rules.md";

/// The first letters of all rules.
const FAMILIES: [char; 6] = ['R', 'C', 'S', 'F', 'T', 'N'];

#[test]
fn every_rule_that_a_comment_cites_is_in_the_reference() {
    let known: BTreeSet<_> = sections().into_iter().map(|(rule, _)| rule).collect();
    let (mut cited, mut missing) = (BTreeSet::new(), Vec::new());
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            for rule in rules_in(comment(line)) {
                if !known.contains(rule) {
                    missing.push(format!("{}:{number}: {rule}", file.strip_prefix(root()).unwrap().display()));
                }
                cited.insert(rule.to_owned());
            }
        }
    }
    assert!(missing.is_empty(), "not in {RULES}:\n{}", missing.join("\n"));
    let families: BTreeSet<_> = cited.iter().filter_map(|rule| rule.chars().next()).collect();
    assert_eq!(families, FAMILIES.into_iter().collect(), "each family is cited: {cited:?}");
}

#[test]
fn every_rule_names_the_code_that_applies_it() {
    let sections = sections();
    let linked = |text: &str| links(text).iter().any(|link| link.starts_with("../../crates/"));
    let bare: Vec<_> = sections.iter().filter(|(_, text)| !linked(text)).map(|(rule, _)| rule).collect();
    assert!(!sections.is_empty() && bare.is_empty(), "no link to code: {bare:?}");
}

#[test]
fn a_rule_is_a_letter_of_a_family_and_a_number() {
    let cited = |text| rules_in(text).collect::<Vec<_>>();
    assert_eq!(cited("Rules R6 to R9, T7: (`N1`)."), ["R6", "R9", "T7", "N1"]);
    assert!(cited("T10:45, %C3%A4, WARC1, T, A1, s3, N_1 and R2D2 are none").is_empty());
    assert_eq!(comment("let url = \"http://host/R1\"; // rule R5"), "rule R5");
    assert_eq!(comment("    //! rule R5"), "! rule R5");
    assert_eq!(comment("let url = \"http://host/R1\";"), "");
}

/// The rules of the reference, each with the text below its heading.
fn sections() -> Vec<(String, String)> {
    let text = read(RULES);
    let sections = text.split("\n### ").skip(1).filter_map(|section| section.split_once(':'));
    sections.map(|(rule, text)| (rule.to_owned(), text.to_owned())).collect()
}

/// All Rust sources of the workspace.
fn sources() -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root().join("crates")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else if entry.path().extension().is_some_and(|extension| extension == "rs") {
                found.push(entry.path());
            }
        }
    }
    assert!(found.len() > 100, "only {} sources", found.len());
    found.sort();
    found
}

/// The comment of a line, empty without one.
fn comment(line: &str) -> &str {
    let line = line.trim_start();
    line.strip_prefix("//").or_else(|| Some(line.split_once(" //")?.1)).unwrap_or_default().trim_start()
}

/// The rules that a text cites. A time of day (`T10:45`) or an escape (`%C3`) is not one.
fn rules_in(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || [':', '%', '_'].contains(&letter);
    let words = text.split(move |letter| !is_part(letter)).map(|word| word.trim_end_matches(':'));
    words.filter(|word| {
        let number = word.strip_prefix(FAMILIES).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}
