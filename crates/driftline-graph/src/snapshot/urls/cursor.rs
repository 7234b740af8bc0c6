//! What is the next key? One is made of the one before.

use std::io;

use super::damaged;

/// Reads the keys of a block, one after the other. Whatever the bytes are, a key is no longer than they are.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    key: Vec<u8>,
    is_first: bool,
}

impl<'a> Cursor<'a> {
    /// Before the first key of a block.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, key: Vec::new(), is_first: true }
    }

    /// Goes to the next key.
    pub(super) fn advance(&mut self) -> io::Result<()> {
        let shared = if self.is_first { 0 } else { self.length()? };
        self.is_first = false;
        let own = self.length()?;
        let (own, rest) = self.bytes.split_at_checked(own).ok_or_else(|| damaged("an address is cut off"))?;
        if shared > self.key.len() {
            return Err(damaged("an address shares more than there is"));
        }
        self.key.truncate(shared);
        self.key.extend_from_slice(own);
        self.bytes = rest;
        Ok(())
    }

    pub(super) fn key(&self) -> &[u8] {
        &self.key
    }

    pub(super) fn text(&self) -> io::Result<String> {
        String::from_utf8(self.key.clone()).map_err(|_| damaged("an address is no UTF-8"))
    }

    /// A length of up to 35 bits: seven a byte, the lowest first.
    fn length(&mut self) -> io::Result<usize> {
        let mut length = 0;
        for shift in (0..35).step_by(7) {
            let (&byte, rest) = self.bytes.split_first().ok_or_else(|| damaged("an address is cut off"))?;
            self.bytes = rest;
            length |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(length);
            }
        }
        Err(damaged("an address is too long"))
    }
}

/// Writes a length as it is read.
pub(super) fn write_length(out: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
}
