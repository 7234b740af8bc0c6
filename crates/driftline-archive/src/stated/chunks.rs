//! The digest of a body without its chunks, as it streams by. Most writers digest the body as it was received, some what
//! it says: both are right.

use driftline_catalog::digest::{Algorithm, Digest, Digester};

/// The longest line with the length of a chunk.
const MOST_LINE: usize = 1 << 12;

/// Joins chunks, and digests what they hold.
pub(super) struct Joined {
    digester: Digester,
    state: State,
    line: Vec<u8>,
}

enum State {
    /// In the line with the length of the next chunk.
    Line,
    /// In a chunk with so many bytes left.
    Chunk(u64),
    /// Between a chunk and the next line.
    Behind,
    /// At the end, or at something that is no chunk.
    End,
}

impl Joined {
    pub(super) fn new(algorithm: Algorithm) -> Self {
        Self { digester: Digester::new(algorithm), state: State::Line, line: Vec::new() }
    }

    pub(super) fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            bytes = match self.state {
                State::Line => self.line(bytes),
                State::Chunk(left) => {
                    let count = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
                    self.digester.update(&bytes[..count]);
                    let left = left - count as u64;
                    self.state = if left == 0 { State::Behind } else { State::Chunk(left) };
                    &bytes[count..]
                }
                State::Behind => {
                    if bytes[0] != b'\r' {
                        self.state = State::Line;
                    }
                    &bytes[usize::from(matches!(bytes[0], b'\r' | b'\n'))..]
                }
                State::End => return,
            };
        }
    }

    fn line<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let end = memchr::memchr(b'\n', bytes);
        let own = &bytes[..end.unwrap_or(bytes.len())];
        if self.line.len() + own.len() > MOST_LINE {
            self.state = State::End;
            return &[];
        }
        self.line.extend_from_slice(own);
        let Some(end) = end else { return &[] };
        let number = self.line.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
        let length = str::from_utf8(number).ok().and_then(|number| u64::from_str_radix(number, 16).ok());
        self.state = length.filter(|&length| length > 0).map_or(State::End, State::Chunk);
        self.line.clear();
        &bytes[end + 1..]
    }

    pub(super) fn finish(self) -> Digest {
        self.digester.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_joined_wherever_they_are_cut() {
        let body = b"3\r\nabc\r\n2;name=value\r\nde\r\n0\r\n\r\nbehind";
        for size in 1..=body.len() {
            let mut joined = Joined::new(Algorithm::Sha1);
            body.chunks(size).for_each(|piece| joined.update(piece));
            assert_eq!(joined.finish(), Digest::sha1(b"abcde"), "{size}");
        }
        for odd in [b"nonsense\r\n".to_vec(), vec![b'0'; 3 * MOST_LINE], b"ffffffffffffffffff\r\nabc".to_vec()] {
            let mut joined = Joined::new(Algorithm::Sha1);
            joined.update(&odd);
            assert_eq!(joined.finish(), Digest::sha1(b""));
        }
    }
}
