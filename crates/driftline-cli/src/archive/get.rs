//! `driftline archive get`: what was a page at a time?

use std::io::{self, IsTerminal, Write};

use anyhow::{Result, bail};
use driftline_archive::Archive;
use driftline_archive::archive::Found;
use driftline_catalog::{Address, StoredCapture};
use driftline_report::summary::safe::for_terminal;

use super::data;
use crate::args::GetArgs;
use crate::exit::Exit;
use crate::output::Output;
use crate::tell;

pub(super) fn run(args: &GetArgs) -> Result<Exit> {
    let address = Address::parse(&args.address)?;
    let most = data::settings(args.data.data.as_deref())?.most_body;
    let archive = data::open_to_read(args.data.data.as_deref())?;
    let Some(capture) = archive.find(&address)? else {
        let is_known = !archive.captures_of(&address.url)?.is_empty();
        let which = if is_known { format!("list {}", address.url) } else { "list".to_owned() };
        bail!("there is no capture `{address}`\nhint: `driftline archive {which}` names those that are there");
    };
    let path = args.output.as_deref();
    let output = if args.record { Output::of_bytes(path, "a record")? } else { Output::new(path) };
    if args.record {
        copy_record(&archive, &capture, &mut *output.writer()?)?;
    } else {
        let found = archive.read(&capture, most)?;
        let head = if args.headers { head(&found) } else { String::new() };
        let mut writer = output.writer()?;
        if path.is_none() && io::stdout().is_terminal() {
            writer.write_all(for_reader(head.as_bytes(), found.body())?.as_bytes())?;
        } else {
            writer.write_all(head.as_bytes())?;
            writer.write_all(found.body())?;
        }
        writer.flush()?;
        warn(&found, most);
    }
    output.keep()?;
    Ok(Exit::Same)
}

fn copy_record(archive: &Archive, capture: &StoredCapture, to: &mut dyn Write) -> Result<()> {
    let (offset, length) = (capture.capture.offset, capture.capture.length);
    let copied = io::copy(&mut archive.bytes(&capture.segment, offset, length)?, to)?;
    if copied < length {
        bail!("the record has {length} bytes, and its WARC file `{}` ends before them", capture.segment);
    }
    Ok(to.flush()?)
}

/// What a terminal may show of it: text without what would command the terminal.
fn for_reader(head: &[u8], body: &[u8]) -> Result<String> {
    if body.contains(&0) {
        bail!("the body is no text, and not for a terminal\nhint: add `--output FILE`, or pipe stdout somewhere");
    }
    let text = [String::from_utf8_lossy(head), String::from_utf8_lossy(body)].concat();
    let lines = text.split_inclusive('\n').map(|line| {
        let own = line.trim_end_matches(['\r', '\n']);
        [for_terminal(own).as_ref(), if line.ends_with('\n') { "\n" } else { "" }].concat()
    });
    Ok(lines.collect())
}

/// The status and the headers as they were received; of a file, what it is.
fn head(found: &Found) -> String {
    match found {
        Found::Http(response) => {
            let headers = response.head.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
            format!("{}\r\n{}\r\n", response.head.line, headers.collect::<String>())
        }
        Found::Resource { content_type, .. } => {
            format!("Content-Type: {}\r\n\r\n", content_type.as_deref().unwrap_or("application/octet-stream"))
        }
    }
}

fn warn(found: &Found, most: usize) {
    let is_cut = match found {
        Found::Http(response) => {
            if let Some(coding) = &response.unknown_coding {
                tell::warning(format_args!(
                    "the body is coded in `{coding}`, which is not known; it is printed as it is"
                ));
            }
            response.is_cut
        }
        Found::Resource { is_cut, .. } => *is_cut,
    };
    if is_cut {
        tell::warning(format_args!(
            "the body is longer than {most} bytes, or cut off; only its beginning is printed\n\
             hint: `--record` prints all of it; `body` under `[limits]` in driftline.toml is the limit"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::for_reader;

    #[test]
    fn a_terminal_is_shown_text_and_takes_no_commands() {
        let shown = for_reader(b"HTTP/1.1 200 OK\r\n\r\n", b"a\x1b[2Jb\r\n\xffc\rd\n").unwrap();
        assert_eq!(shown, "HTTP/1.1 200 OK\n\na\u{fffd}[2Jb\n\u{fffd}c d\n");
        let error = for_reader(b"", b"\x89PNG\0").unwrap_err().to_string();
        assert!(error.contains("hint: add `--output FILE`"), "{error}");
    }
}
