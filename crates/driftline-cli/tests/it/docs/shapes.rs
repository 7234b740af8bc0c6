//! Blocks of `text` that begin with a command: what is shown below it has other words and times than the demo, but the
//! columns are those that the command prints.

use super::demo::Demo;
use super::{documents, read};

/// Commands whose blocks are compared with what they print on the data of the demo. `serve` does not end; the demo has no
/// targets, so nothing waits for one.
const SHOWN: [&str; 1] = ["driftline events"];
const NOT_SHOWN: [&str; 3] = ["driftline serve", "driftline events deliveries", "driftline events retry"];

/// A block: its file and line, its command, and the lines below it.
struct Block {
    place: String,
    command: String,
    lines: Vec<String>,
}

#[test]
fn what_a_block_of_text_shows_has_the_columns_that_its_command_prints() {
    let demo = Demo::new();
    let (mut wrong, mut count) = (String::new(), 0);
    for Block { place, command, lines } in documents().iter().flat_map(|file| blocks(file)) {
        let starts = |all: &[&str]| all.iter().any(|start| command.starts_with(start));
        if starts(&NOT_SHOWN) {
            continue;
        }
        assert!(starts(&SHOWN), "{place}: `{command}` is not run: make it a `console` block, or name it here");
        // The days of the demo are of another year.
        let (_, code, printed) = demo.run(command.split(" --since").next().unwrap_or_default());
        let known: Vec<Vec<&str>> = printed.lines().map(shape).collect();
        for line in lines {
            count += 1;
            if code > 1 || !known.contains(&shape(&line)) {
                wrong += &format!("{place}: {line}\nhas not the columns of\n{printed}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 0, "no block was compared");
}

/// The kinds of columns of a line, which two blanks or more part.
fn shape(line: &str) -> Vec<&'static str> {
    let columns = line.split("  ").map(str::trim).filter(|column| !column.is_empty());
    columns.map(kind).collect()
}

fn kind(column: &str) -> &'static str {
    let is_key = column.len() == 12 && column.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_name = column.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    match column {
        _ if is_key => "key",
        _ if column.parse::<driftline::time::Time>().is_ok() => "time",
        _ if column.parse::<f64>().is_ok() => "number",
        _ if is_name => "name",
        _ => "text",
    }
}

/// The blocks of `text` of a document that begin with a command.
fn blocks(file: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut is_text, mut is_first) = (false, false);
    for (at, line) in read(file).lines().enumerate() {
        if line.starts_with("```") {
            (is_text, is_first) = (line == "```text", true);
            continue;
        }
        if is_text
            && is_first
            && let Some(command) = line.strip_prefix("$ ")
        {
            blocks.push(Block { place: format!("{file}:{}", at + 1), command: command.to_owned(), lines: Vec::new() });
        } else if is_text && is_first {
            is_text = false;
        } else if is_text && let Some(block) = blocks.last_mut() {
            block.lines.push(line.to_owned());
        }
        is_first = false;
    }
    blocks
}
