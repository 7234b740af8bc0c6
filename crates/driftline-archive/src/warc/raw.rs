//! The bytes of a file as they stand there, with their places, and a way back.
//!
//! A damaged member may swallow the members behind it before its damage is noticed. So the bytes since
//! the last mark are kept, up to a limit, and can be read again.

use std::io::{self, BufRead, Read};

/// The most bytes that are kept for a way back.
const MOST_KEPT: usize = 1 << 20;
/// The most bytes that are read again in a file, so that one which is damaged all over takes no time
/// worth mentioning.
const MOST_AGAIN: usize = 64 << 20;

/// Counts, and keeps what was read since the mark.
pub(super) struct Raw<R> {
    input: R,
    /// Where the next byte stands.
    position: u64,
    /// What was read since the mark.
    kept: Vec<u8>,
    /// How many of `kept` were read again; all of them, if the next byte comes from the input.
    again: usize,
    /// Is all since the mark kept?
    is_whole: bool,
    /// How many bytes may still be read again.
    budget: usize,
}

impl<R: BufRead> Raw<R> {
    pub(super) fn new(input: R, position: u64) -> Self {
        Self { input, position, kept: Vec::new(), again: 0, is_whole: true, budget: MOST_AGAIN }
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Sets the mark here.
    pub(super) fn mark(&mut self) {
        self.kept.drain(..self.again);
        self.again = 0;
        self.is_whole = true;
    }

    /// Goes to the next place where `start` stands, behind the mark; false when there is none.
    pub(super) fn seek(&mut self, start: &[u8; 3]) -> io::Result<bool> {
        if self.again == 0 && self.is_whole && !self.fill_buf()?.is_empty() {
            // Nothing was read since the mark.
            self.consume(1);
        }
        let found = self.kept.get(1..).and_then(|kept| memchr::memmem::find(kept, start));
        if let Some(at) = found.map(|at| at + 1).filter(|at| self.is_whole && self.kept.len() - at <= self.budget) {
            self.budget -= self.kept.len() - at;
            self.position = self.position - self.again as u64 + at as u64;
            self.again = at;
            return Ok(true);
        }
        loop {
            let bytes = self.fill_buf()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            match memchr::memchr(start[0], bytes) {
                None => {
                    let all = bytes.len();
                    self.consume(all);
                }
                Some(at) => {
                    // What stands at the end of the buffer is tried, and found out if it is none.
                    let rest = &bytes[at..];
                    let is_start = rest.iter().zip(start).all(|(byte, expected)| byte == expected);
                    self.consume(if is_start { at } else { at + 1 });
                    if is_start {
                        return Ok(true);
                    }
                }
            }
        }
    }
}

impl<R: BufRead> Read for Raw<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(to)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Raw<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.again < self.kept.len() { Ok(&self.kept[self.again..]) } else { self.input.fill_buf() }
    }

    fn consume(&mut self, count: usize) {
        self.position += count as u64;
        if self.again < self.kept.len() {
            self.again += count;
            return;
        }
        self.is_whole &= self.kept.len() + count <= MOST_KEPT;
        if self.is_whole {
            // The buffer is still there: it is given back without reading.
            if let Ok(bytes) = self.input.fill_buf() {
                self.kept.extend_from_slice(&bytes[..count.min(bytes.len())]);
            }
        } else {
            self.kept.clear();
        }
        self.again = self.kept.len();
        self.input.consume(count);
    }
}
