//! Do the documents tell the truth? Their commands are run, their links followed, their usage compared.
//!
//! `UPDATE_DOCS=1 cargo test -p driftline-cli --test it docs` writes the generated parts anew: the usage in
//! `README.md` and all of `docs/reference/cli.md`. Commands are run by `sh`.

mod demo;
mod rules;
mod shapes;
mod spans;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::{env, fs, process};

use assert_cmd::cargo::cargo_bin;

const UPDATE: &str = "UPDATE_DOCS=1 cargo test -p driftline-cli --test it docs";

#[test]
fn the_readme_shows_the_usage_that_help_prints() {
    let readme = read("README.md");
    let (before, rest) = readme.split_once("<!-- usage").expect("README.md marks its usage block");
    let (marker, rest) = rest.split_once("```text\n").expect("a block of text follows the mark");
    let (_, after) = rest.split_once("```\n").expect("the block ends");
    let expected = format!("{before}<!-- usage{marker}```text\n{}```\n{after}", help(&[]));
    assert_up_to_date("README.md", &expected);
}

#[test]
fn the_reference_of_the_command_line_is_what_help_prints() {
    let mut text = format!("# The command line\n\nWhat `--help` prints, for every command. Generated: `{UPDATE}`.\n");
    for command in commands(&[]) {
        let _ = write!(text, "\n## {}\n\n```text\n{}```\n", name(&command), help(&command));
    }
    assert_up_to_date("docs/reference/cli.md", &text);
}

#[test]
fn a_command_without_its_verb_prints_its_help() {
    let (code, text) = run("driftline archive 2>&1", Path::new("."));
    assert_eq!(code, 2);
    let verbs = commands(&["archive".to_owned()]);
    assert!(verbs.len() > 9 && text.contains("Usage: driftline archive <COMMAND>"), "{text}");
    for verb in &verbs[1..] {
        assert!(text.contains(&format!("  {} ", verb[1])) && help(verb).contains("\nExamples:\n"), "{verb:?}");
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut anchors = HashMap::new();
    let mut broken = Vec::new();
    for file in documents() {
        for target in links(&read(&file)) {
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let folder = Path::new(&file).parent().unwrap_or(Path::new(""));
            let led_to = if path.is_empty() { PathBuf::from(&file) } else { folder.join(path) };
            let there = root().join(&led_to);
            if !there.exists() {
                broken.push(format!("{file}: `{target}` leads to no file"));
            } else if !anchor.is_empty() {
                let known = anchors.entry(led_to).or_insert_with(|| headings(&fs::read_to_string(there).unwrap()));
                if !known.iter().any(|heading| heading == anchor) {
                    broken.push(format!("{file}: `{target}` leads to no heading"));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_page_of_the_book_is_in_its_table_of_contents() {
    let contents = links(&read("docs/SUMMARY.md"));
    let pages = documents().into_iter().filter_map(|file| Some(file.strip_prefix("docs/")?.to_owned()));
    let missing: Vec<_> = pages.filter(|page| page != "SUMMARY.md" && !contents.contains(page)).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

#[test]
fn every_command_in_the_documents_prints_what_they_say() {
    let mut wrong = String::new();
    for file in documents() {
        let runs = runs(&read(&file));
        if runs.is_empty() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        run("driftline demo --save pages", folder.path());
        for Run { line, command, expected } in runs {
            let (code, actual) = run(&command, folder.path());
            let actual: Vec<&str> = actual.lines().map(str::trim_end).collect();
            if code > 1 || !matches(&expected, &actual) {
                let _ = writeln!(wrong, "{file}:{line}: $ {command}\nexit code {code}\n{}\n", actual.join("\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "these commands print something else:\n\n{wrong}");
}

#[test]
fn the_reference_of_measure_names_every_column() {
    let folder = tempfile::tempdir().unwrap();
    run("driftline demo --save pages", folder.path());
    let (_, table) = run("driftline measure --format csv pages", folder.path());
    let reference = read("docs/reference/measure.md");
    let columns = table.lines().next().expect("a table has a line of names").split(',');
    let missing: Vec<_> = columns.filter(|column| !reference.contains(&format!("| `{column}` |"))).collect();
    assert!(missing.is_empty(), "not in docs/reference/measure.md: {missing:?}");
}

#[test]
fn a_line_of_dots_stands_for_any_lines() {
    let expected = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&expected("a\n…\nc"), &["a", "b", "b", "c"]));
    assert!(matches(&expected("a\n…"), &["a"]));
    assert!(!matches(&expected("a\n…\nc"), &["a", "b"]));
    assert!(!matches(&expected("a"), &["a", "b"]));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("cannot read {file}: {error}"))
}

/// Compares a file with what it should be, or writes it if that was asked for.
#[track_caller]
fn assert_up_to_date(file: &str, expected: &str) {
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(root().join(file), expected).unwrap();
    } else {
        assert!(read(file) == expected, "{file} is not what `--help` prints\nhint: run `{UPDATE}`");
    }
}

/// All documents for people: those of the root and those of the book.
fn documents() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("docs")];
    let in_root = fs::read_dir(root()).unwrap().map(|entry| PathBuf::from(entry.unwrap().file_name()));
    found.extend(in_root.filter(|path| is_document(path)));
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if is_document(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.iter().map(|path| path.to_str().expect("a name in UTF-8").replace('\\', "/")).collect()
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// A command and all commands below it.
fn commands(command: &[String]) -> Vec<Vec<String>> {
    let text = help(command);
    let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let below = names.flat_map(|name| commands(&[command, &[name.to_owned()]].concat()));
    [vec![command.to_vec()], below.collect()].concat()
}

fn name(command: &[String]) -> String {
    [&["driftline".to_owned()], command].concat().join(" ")
}

/// What `--help` prints, 100 columns wide, without blanks at the ends of lines.
fn help(command: &[String]) -> String {
    let (code, text) = run(&format!("{} --help", name(command)), Path::new("."));
    assert_eq!(code, 0, "{command:?}");
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// Runs a command line with nobody at the terminal; its exit code and stdout.
fn run(command: &str, folder: &Path) -> (i32, String) {
    let binary = cargo_bin!("driftline");
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders = binary.parent().map(Path::to_owned).into_iter().chain(env::split_paths(&folders));
    let output = process::Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", env::join_paths(folders).unwrap())
        .env("NO_COLOR", "1")
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.code().unwrap_or(i32::MAX), String::from_utf8(output.stdout).unwrap())
}

/// A command of a document and what it is said to print.
struct Run {
    line: usize,
    command: String,
    expected: Vec<String>,
}

/// The commands of all `console` blocks: lines that begin with `$ `, and what follows them.
fn runs(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut is_inside = false;
    for (at, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            is_inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_inside) {
            runs.push(Run { line: at + 1, command: command.to_owned(), expected: Vec::new() });
        } else if is_inside {
            runs.last_mut().expect("a block begins with a command").expected.push(line.trim_end().to_owned());
        }
    }
    for run in &mut runs {
        // An empty line before the next command is for the reader.
        while run.expected.last().is_some_and(String::is_empty) {
            run.expected.pop();
        }
    }
    runs
}

/// Are these the expected lines? A line `…` stands for any number of them.
fn matches(expected: &[String], actual: &[&str]) -> bool {
    match expected.split_first() {
        None => actual.iter().all(|line| line.is_empty()),
        Some((first, rest)) if first == "…" => (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..])),
        Some((first, rest)) => actual.split_first().is_some_and(|(line, more)| line == first && matches(rest, more)),
    }
}

/// What stands outside blocks and spans of code.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut is_block = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if !is_block {
            line.split('`').step_by(2).for_each(|part| prose.push_str(part));
            prose.push('\n');
        }
    }
    prose
}

/// The targets of links within the repository.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:")).map(str::to_owned).collect()
}

/// The anchors of all headings, as GitHub and mdBook make them.
fn headings(text: &str) -> Vec<String> {
    let mut is_block = false;
    let mut found = Vec::new();
    for line in text.lines() {
        is_block ^= line.trim_start().starts_with("```");
        if let Some(heading) = line.strip_prefix('#').filter(|_| !is_block) {
            let kept = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
            found.push(kept.collect::<String>().replace(' ', "-"));
        }
    }
    found
}
