//! The members of a gzip file, each ending with the end of a line: pywb wrote blocks whose last line has none.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Unpacks members one after the other.
pub(super) struct Members<R> {
    state: State<R>,
    /// The last byte of the member.
    last: u8,
}

enum State<R> {
    Within(Box<GzDecoder<R>>),
    Between(R),
    End,
}

impl<R: BufRead> Members<R> {
    pub(super) fn new(input: R) -> Self {
        Self { state: State::Between(input), last: b'\n' }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, State::End) {
                State::Within(mut decoder) => {
                    let count = decoder.read(to)?;
                    if let Some(&last) = to[..count].last() {
                        self.last = last;
                        self.state = State::Within(decoder);
                        return Ok(count);
                    }
                    self.state = State::Between(decoder.into_inner());
                    if let (true, Some(first)) = (self.last != b'\n', to.first_mut()) {
                        (*first, self.last) = (b'\n', b'\n');
                        return Ok(1);
                    }
                }
                State::Between(mut input) => {
                    if input.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    self.state = State::Within(Box::new(GzDecoder::new(input)));
                }
                State::End => return Ok(0),
            }
            if to.is_empty() {
                return Ok(0);
            }
        }
    }
}
