//! The lines of an index of any make. What is no line is told with its number, and passed over.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::Line;
use super::legacy::Columns;
use super::members::Members;

/// The longest line in bytes; a line holds an address, and there are some with a picture in them.
const MOST_LINE: u64 = 1 << 20;

/// Reads lines.
pub struct Lines<R> {
    input: R,
    columns: Option<Columns>,
    number: u64,
    is_over: bool,
}

/// Why a line was passed over.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadLine {
    /// It is no line of an index.
    #[error("line {number} is no line of an index")]
    Malformed {
        /// Which one, from 1.
        number: u64,
    },
    /// The file cannot be read on.
    #[error("cannot read on after line {number}: {source}")]
    Io {
        /// How many lines could be read.
        number: u64,
        /// Why.
        source: io::Error,
    },
}

/// The lines of this file, which may be in gzip.
///
/// # Errors
/// If it cannot be opened.
pub fn open(path: &Path) -> io::Result<Lines<Box<dyn BufRead + Send>>> {
    unpacked(BufReader::new(File::open(path)?)).map(Lines::new)
}

/// These bytes, unpacked if they are in gzip.
pub(crate) fn unpacked<'a, R: BufRead + Send + 'a>(mut input: R) -> io::Result<Box<dyn BufRead + Send + 'a>> {
    let is_gzip = input.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if is_gzip { Box::new(BufReader::new(Members::new(input))) } else { Box::new(input) })
}

impl<R: BufRead> Lines<R> {
    /// Reads lines from here.
    pub fn new(input: R) -> Self {
        Self { input, columns: None, number: 0, is_over: false }
    }

    /// The next line, without its end; none at the end of the file.
    fn text(&mut self) -> Option<Result<String, BadLine>> {
        let mut bytes = Vec::new();
        let number = self.number;
        match self.input.by_ref().take(MOST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) => return None,
            Ok(_) => self.number += 1,
            Err(source) => return Some(Err(self.stop(number, source))),
        }
        if !bytes.ends_with(b"\n") && bytes.len() as u64 == MOST_LINE {
            if let Err(source) = self.input.skip_until(b'\n') {
                return Some(Err(self.stop(number, source)));
            }
            return Some(Err(BadLine::Malformed { number: self.number }));
        }
        while bytes.pop_if(|byte| b"\r\n".contains(byte)).is_some() {}
        Some(Ok(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn stop(&mut self, number: u64, source: io::Error) -> BadLine {
        self.is_over = true;
        BadLine::Io { number, source }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Line, BadLine>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            let text = match self.text()? {
                Ok(text) => text,
                Err(bad) => return Some(Err(bad)),
            };
            // `!meta`, `!OpenWayback-CDXJ 1.0`, `@meta`: about the index, and before all keys.
            if text.trim().is_empty() || text.starts_with(['!', '@', '#']) {
                continue;
            }
            if let Some(columns) = Columns::parse(&text) {
                self.columns = Some(columns);
                continue;
            }
            let line = Line::parse(&text).or_else(|| Columns::line(self.columns.as_ref(), &text));
            return Some(line.ok_or(BadLine::Malformed { number: self.number }));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{BadLine, Lines, MOST_LINE};

    #[test]
    fn what_is_no_line_is_told_by_its_number() {
        let long = "x".repeat(3 << 20);
        assert!(long.len() as u64 > MOST_LINE);
        let text =
            format!("!meta {{}}\n CDX N b a\ncom,a)/ 2014 http://a.com/\r\nnonsense\n\n{long}\ncom,b)/ 2014 {{}}");
        let lines: Vec<_> = Lines::new(text.as_bytes()).collect();
        let keys: Vec<_> = lines.iter().flatten().map(|line| line.key.as_str()).collect();
        let bad = lines.iter().filter_map(|line| match line {
            Err(BadLine::Malformed { number }) => Some(*number),
            _ => None,
        });
        assert_eq!((keys, bad.collect::<Vec<_>>()), (vec!["com,a)/", "com,b)/"], vec![4, 6]));
    }
}
