//! Every `driftline …` command line of the README, of the book and of the examples after `--help`, read by the parser of
//! the program: code spans as well as blocks.
//!
//! The commands of `console` blocks, and those whose files are there, are also run: `tests/it/docs.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use super::Cli;

#[test]
fn every_command_line_of_the_documents_is_one_that_the_program_understands() {
    let of_file = |file: PathBuf| {
        let lines = code(&fs::read_to_string(&file).unwrap());
        lines.into_iter().map(move |line| (file.display().to_string(), line))
    };
    let of_help = examples(&Cli::command()).into_iter().map(|line| ("--help".to_owned(), line));
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (place, line) in documents().into_iter().flat_map(of_file).chain(of_help) {
        for words in commands(&line).into_iter().filter(|words| !names_a_command(words)) {
            count += 1;
            let error = Cli::try_parse_from(&words).err();
            let is_asked = |kind| matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            let error = error.filter(|error| !is_asked(error.kind()));
            wrong.extend(error.map(|error| format!("{place}: {line}\n{error}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 150, "only {count} command lines were found");
}

#[test]
fn a_command_line_is_split_as_a_shell_does() {
    let words = |line: &str| commands(line).into_iter().map(|words| words.join("|")).collect::<Vec<_>>();
    assert_eq!(words("curl -s x | driftline diff a - > c 2>&1"), ["driftline|diff|a|-"]);
    assert_eq!(words("driftline demo && driftline a 'b  c' \"d;e\" # f"), ["driftline|demo", "driftline|a|b  c|d;e"]);
    assert_eq!(words("*/15 * * * *  driftline watch check --all"), ["driftline|watch|check|--all"]);
    assert_eq!(words("cargo bench -p driftline --bench a; driftline_watches"), Vec::<String>::new());
}

/// Whether these words are the name of a command without arguments, as in prose.
fn names_a_command(words: &[String]) -> bool {
    let mut command = Cli::command();
    words[1..].iter().all(|word| {
        let found = command.find_subcommand(word).cloned();
        found.map(|below| command = below).is_some()
    })
}

/// The README and the pages of the book.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut found, mut folders) = (vec![root.join("README.md")], vec![root.join("docs")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found
}

/// The lines after the help of a command and of all commands below it.
fn examples(command: &clap::Command) -> Vec<String> {
    let own = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let own = own.lines().map(|line| line.trim().to_owned());
    own.chain(command.get_subcommands().flat_map(examples)).collect()
}

/// The code of a document: spans, and the lines of blocks that are commands.
fn code(text: &str) -> Vec<String> {
    let (mut prose, mut lines) = (String::new(), Vec::new());
    let mut block = None;
    for line in text.replace("\\\n", " ").lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            block = if block.is_none() { Some(language.to_owned()) } else { None };
            continue;
        }
        match block.as_deref() {
            None => prose = prose + line + "\n",
            Some("sh") => lines.push(line.to_owned()),
            Some(_) => lines.extend(line.strip_prefix("$ ").map(str::to_owned)),
        }
    }
    let spans = prose.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " "));
    lines.extend(spans);
    lines
}

/// The commands of a line that are ours, without redirections: the words of each.
fn commands(line: &str) -> Vec<Vec<String>> {
    let (mut all, mut words, mut word) = (Vec::new(), Vec::new(), None::<String>);
    let mut quote = None;
    for letter in line.chars().chain([';']) {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '#') if word.is_none() => break,
            (None, ';' | '|' | '&') if !word.as_deref().is_some_and(|word| word.ends_with('>')) => {
                words.extend(word.take());
                all.push(std::mem::take(&mut words));
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    all.push(words);
    all.into_iter().filter_map(ours).collect()
}

/// The words of a command if it is ours, from `driftline` on.
fn ours(words: Vec<String>) -> Option<Vec<String>> {
    let is_schedule = |word: &String| word.bytes().all(|byte| b"*/,-0123456789".contains(&byte));
    let mut words = words.into_iter().skip_while(is_schedule).peekable();
    if words.peek().is_none_or(|word| word != "driftline") {
        return None;
    }
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        match word.trim_start_matches(|letter: char| letter.is_ascii_digit()) {
            ">" | ">>" | "<" => drop(words.next()),
            redirected if redirected.starts_with(['>', '<']) => {}
            _ => kept.push(word),
        }
    }
    Some(kept)
}
