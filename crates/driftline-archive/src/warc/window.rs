//! The bytes of a file as they stand there: as many at once as a member has, and a way back.
//!
//! A member that is in memory as a whole is unpacked more than twice as fast. And a damaged one may swallow the
//! members behind it before its damage is noticed. So the bytes since the last mark are kept, up to a limit.

use std::io::{self, BufRead, Read};

/// How many bytes are read first: enough for most records, if only one is wanted.
const FIRST: usize = 64 << 10;
/// How many bytes are held at most.
const MOST: usize = 2 << 20;
/// The most bytes that are kept behind the next one, for a way back.
const MOST_KEPT: usize = 1 << 20;
/// The most bytes that are read again in a file, so that one which is damaged all over takes no time
/// worth mentioning.
const MOST_AGAIN: usize = 64 << 20;

/// A part of a file.
pub(super) struct Window<R> {
    input: R,
    /// What is held is in `buffer[..end]`, and the next byte at `start`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Where the mark is in the buffer, if all since then is held.
    mark: Option<usize>,
    /// Where the next byte stands in the file.
    position: u64,
    /// How many bytes may still be read again.
    budget: usize,
}

impl<R: Read> Window<R> {
    pub(super) fn new(input: R, position: u64) -> Self {
        Self { input, buffer: Vec::new(), start: 0, end: 0, mark: None, position, budget: MOST_AGAIN }
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// The next bytes, as far as they are held.
    pub(super) fn held(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Is as much held as can be?
    pub(super) fn is_full(&self) -> bool {
        self.held().len() == MOST
    }

    /// Sets the mark here.
    pub(super) fn mark(&mut self) {
        self.mark = Some(self.start);
    }

    /// The next bytes, `count` of them if the file has so many.
    pub(super) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.held().len() < count && self.more()? {}
        Ok(self.held())
    }

    /// Holds more of the file; false if there is no more, or no room for it.
    pub(super) fn more(&mut self) -> io::Result<bool> {
        self.mark = self.mark.filter(|mark| self.start - mark <= MOST_KEPT);
        let from = self.mark.unwrap_or(self.start);
        self.buffer.copy_within(from..self.end, 0);
        self.start -= from;
        self.end -= from;
        self.mark = self.mark.map(|_| 0);
        let size = (self.buffer.len() * 2).clamp(FIRST, MOST);
        if self.buffer.len() < size {
            self.buffer.resize(size, 0);
        }
        let before = self.end;
        while self.end < self.buffer.len() {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // It is told when all before it was read.
                Err(error) if self.end == before => return Err(error),
                Err(_) => break,
            }
        }
        Ok(self.end > before)
    }

    /// Goes to the next place behind the mark where `start` stands; false when there is none.
    pub(super) fn seek(&mut self, start: &[u8]) -> io::Result<bool> {
        let back = self.mark.take().map_or(0, |mark| self.start - mark);
        if back <= self.budget {
            self.budget -= back;
            self.start -= back;
            self.position -= back as u64;
        }
        // What begins at the mark was tried.
        let tried = self.peek(1)?.len().min(1);
        self.consume(tried);
        self.find(start)
    }

    /// Goes to the next place where `start` stands; false when there is none.
    pub(super) fn find(&mut self, start: &[u8]) -> io::Result<bool> {
        loop {
            if let Some(at) = memchr::memmem::find(self.held(), start) {
                self.consume(at);
                return Ok(true);
            }
            let passed = self.held().len().saturating_sub(start.len() - 1);
            self.consume(passed);
            if !self.more()? {
                let rest = self.held().len();
                self.consume(rest);
                return Ok(false);
            }
        }
    }
}

impl<R: Read> Read for Window<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(to)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Window<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, count: usize) {
        self.start += count;
        self.position += count as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, Read};

    use super::{MOST, MOST_KEPT, Window};

    #[test]
    fn what_was_read_since_the_mark_is_found_again() {
        let bytes: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut window = Window::new(bytes.as_slice(), 7);
        window.consume(0);
        window.fill_buf().unwrap();
        window.consume(4);
        window.mark();
        let mut read = vec![0; 600_000];
        window.read_exact(&mut read).unwrap();
        assert_eq!(read, bytes[4..600_004]);
        assert!(window.seek(&50_000_u32.to_le_bytes()).unwrap());
        assert_eq!((window.position(), &window.held()[..4]), (7 + 200_000, &50_000_u32.to_le_bytes()[..]));
        assert!(!window.seek(b"nowhere").unwrap());
        assert_eq!(window.position(), 7 + bytes.len() as u64);
    }

    #[test]
    fn it_never_holds_more_than_its_limit() {
        let mut window = Window::new(std::io::repeat(1).take(20 << 20), 0);
        window.mark();
        while window.more().unwrap() {}
        assert_eq!(window.held().len(), MOST);
        let mut passed = 0;
        while let held @ 1.. = window.fill_buf().unwrap().len() {
            window.consume(held);
            passed += held;
            assert!(window.buffer.len() <= MOST && window.mark.is_none_or(|_| window.start <= MOST_KEPT + MOST));
        }
        assert_eq!(passed, 20 << 20);
    }
}
