//! Commands in code spans of the documents: those whose files are here are run, and those that need nothing but the data
//! of the demo. All others are parsed, by `src/args/documented.rs`.

use std::fs;

use super::demo::Demo;
use super::{documents, read, run};

/// The files that the spans name, where their readers would have them; `kept` is the data directory.
const FILES: [(&str, &str); 4] = [
    ("crawl.warc.gz", CRAWL),
    ("kept/watches/pages.txt", "https://example.org/\nhttps://example.org/news\n"),
    ("mail.txt", "{{names}}: {{count}}\n"),
    ("today.html", "<main><p>Open from nine to five</p></main>"),
];

const CRAWL: &str = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/\r\n\
    WARC-Date: 2019-03-01T12:00:00Z\r\nContent-Length: 45\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>Open from nine to five.\r\n\r\n\
    WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/\r\n\
    WARC-Date: 2024-03-01T12:00:00Z\r\nContent-Length: 44\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>Open from nine to six.\r\n\r\n";

#[test]
fn every_command_in_a_sentence_that_has_its_files_runs() {
    let (mut wrong, mut ran) = (Vec::new(), Vec::new());
    for file in documents().into_iter().filter(|file| file == "README.md" || file.starts_with("docs/")) {
        for command in spans(&read(&file)).into_iter().filter(|span| has_its_files(span)) {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir_all(folder.path().join("kept/watches")).unwrap();
            FILES.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
            let (code, shown) = run(&format!("DRIFTLINE_DATA=kept; export DRIFTLINE_DATA; {command}"), folder.path());
            if code > 1 {
                wrong.push(format!("{file}: {command}\nexit code {code}\n{shown}"));
            }
            ran.push((command, shown));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let warc =
        ran.iter().find(|(command, _)| command.contains("--warc crawl.warc.gz")).expect("README.md shows `--warc`");
    assert!(
        warc.1.starts_with("https://example.org/@20190301120000 → https://example.org/@20240301120000\n"),
        "{warc:?}"
    );
    assert!(ran.len() >= 5, "{ran:?}");
}

/// Commands that need nothing but data, however they go on.
const OFFLINE: [&str; 8] = [
    "driftline archive rebuild",
    "driftline archive verify",
    "driftline diff https://",
    "driftline events",
    "driftline watch edit ID",
    "driftline watch export",
    "driftline watch preview",
    "driftline measure --with",
];

#[test]
fn every_command_in_a_sentence_that_needs_only_data_runs_on_that_of_the_demo() {
    let demo = Demo::new();
    let (mut wrong, mut count) = (String::new(), 0);
    for file in documents().into_iter().filter(|file| file == "README.md" || file.starts_with("docs/")) {
        let is_offline = |span: &String| OFFLINE.iter().any(|start| span.starts_with(start)) && !has_its_files(span);
        for span in spans(&read(&file)).into_iter().filter(is_offline) {
            let (command, code, shown) = demo.run(&span);
            count += 1;
            if code > 1 {
                wrong += &format!("{file}: {span}\n$ {command}\nexit code {code}\n{shown}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count >= 12, "only {count} commands ran");
}

/// Whether a span is a command that names a file of [`FILES`], or writes its own.
fn has_its_files(span: &str) -> bool {
    let is_here =
        |word: &str| word.starts_with("--save") || FILES.iter().any(|(name, _)| name.rsplit('/').next() == Some(word));
    span.starts_with("driftline ") && span.split([' ', ';']).any(is_here)
}

/// The code spans outside of blocks.
fn spans(text: &str) -> Vec<String> {
    let mut is_block = false;
    let is_prose = |line: &&str| {
        let is_border = line.trim_start().starts_with("```");
        is_block ^= is_border;
        !is_block && !is_border
    };
    let prose = text.lines().filter(is_prose).collect::<Vec<_>>().join(" ");
    prose.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
