//! The text of a page in pieces for a tokenizer: parsing stops between two of them, and long runs of NUL are parts of
//! their own.
//!
//! html5ever writes a message for each NUL, which makes it 20 times slower than a letter: 20 MB of NUL took 3 s.

use memchr::memchr;

/// The length of a piece, in bytes: short, so that a parser that has read enough stops soon.
const PIECE: usize = 256 << 10;
/// A shorter run of NUL is not worth a piece of its own.
const LONG_RUN: usize = 32;

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text, with short runs of NUL only.
    Text(&'a str),
    /// A long run of NUL, of this many.
    Nuls(usize),
}

/// Cuts a text into pieces.
#[derive(Debug)]
pub(super) struct Pieces<'a> {
    rest: &'a str,
    /// The length of the text before the next long run of NUL, if it is known.
    before_run: Option<usize>,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: text, before_run: None }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let before = self.before_run.take().unwrap_or_else(|| find_run(self.rest.as_bytes()));
        if before == 0 {
            let length = run_length(self.rest.as_bytes());
            // The last one goes with the text that follows: a tokenizer drops a byte order mark at the start of a piece.
            self.rest = &self.rest[length - 1..];
            self.before_run = Some(1 + find_run(&self.rest.as_bytes()[1..]));
            return Some(Piece::Nuls(length - 1));
        }
        let end = end_of_piece(self.rest, before);
        self.before_run = Some(before - end);
        let (piece, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(Piece::Text(piece))
    }
}

/// The bytes before the first long run of NUL.
fn find_run(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(length) = memchr(0, &bytes[at..]) {
        at += length;
        match run_length(&bytes[at..]) {
            LONG_RUN.. => return at,
            short => at += short,
        }
    }
    bytes.len()
}

fn run_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| byte != 0).unwrap_or(bytes.len())
}

/// The end of a piece of `text` that has no more than `most` bytes; no byte order mark follows it.
fn end_of_piece(text: &str, most: usize) -> usize {
    if most <= PIECE {
        return most;
    }
    let is_end = |&end: &usize| text.is_char_boundary(end) && !text[end..].starts_with('\u{feff}');
    (PIECE..most).find(is_end).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> String {
        let mut pieces = String::new();
        for piece in Pieces::of(text) {
            match piece {
                Piece::Text(text) => pieces.push_str(text),
                Piece::Nuls(count) => pieces.extend(std::iter::repeat_n('\0', count)),
            }
        }
        pieces
    }

    #[test]
    fn pieces_are_the_whole_text_in_its_order() {
        let run = "\0".repeat(1_000);
        for text in ["", "a", "\0", &run, &format!("{run}\u{feff}a\0\0b{run}c{run}"), &"é\u{feff}\0".repeat(200_000)] {
            assert_eq!(joined(text), text);
        }
        let pieces: Vec<_> = Pieces::of(&run).collect();
        assert_eq!(pieces, [Piece::Nuls(999), Piece::Text("\0")]);
    }

    #[test]
    fn no_piece_begins_with_a_byte_order_mark() {
        let text = "\u{feff}".repeat(PIECE) + "a";
        assert!(
            Pieces::of(&text).skip(1).all(|piece| !matches!(piece, Piece::Text(text) if text.starts_with('\u{feff}')))
        );
    }
}
