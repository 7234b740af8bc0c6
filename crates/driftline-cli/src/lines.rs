//! Lines of any length from outside: a line that is too long is told, and costs no memory.

use std::io::BufRead;

use anyhow::{Context, Result};

/// The next line, or why it cannot be used; none at the end.
pub(crate) fn next(lines: &mut dyn BufRead, most: usize) -> Result<Option<Result<String, String>>> {
    let (mut line, mut length) = (Vec::new(), 0);
    loop {
        let buffer = lines.fill_buf().context("cannot read the input")?;
        if buffer.is_empty() && length == 0 {
            return Ok(None);
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        if length + part.len() <= most {
            line.extend_from_slice(part);
        }
        length += part.len();
        let consumed = part.len() + usize::from(end.is_some());
        let done = end.is_some() || buffer.is_empty();
        lines.consume(consumed);
        if done {
            break;
        }
        length = length.max(1);
    }
    if length > most {
        return Ok(Some(Err(format!("the line has {length} bytes, more than the {most} allowed"))));
    }
    Ok(Some(String::from_utf8(line).map_err(|error| format!("the line is not UTF-8: {error}"))))
}

/// The first line of a text without the mark that some editors begin a text in UTF-8 with.
pub(crate) fn without_bom(line: String) -> String {
    line.strip_prefix(BOM).map(str::to_owned).unwrap_or(line)
}

/// The mark of Unicode at the beginning of a text.
pub(crate) const BOM: char = '\u{feff}';
