//! The body of a record: the beginning of it in memory, or all of it piece by piece.

use std::io::{self, BufRead, Read};

use super::{Error, Reader};

/// The body of a record, or the beginning of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Is this less than the record says it has, because of the limit or because the file has no more?
    pub is_cut: bool,
}

/// Reads the body of a record, however long it is, in the memory of the reader.
pub struct BodyReader<'reader, R: Read> {
    reader: &'reader mut Reader<R>,
}

impl<R: Read> Reader<R> {
    /// The body of the last record, `limit` bytes of it at most; empty when it was read already.
    ///
    /// # Errors
    /// If the file ends within it without having any of it, or is damaged there.
    pub fn body(&mut self, limit: usize) -> Result<Body, Error> {
        let mut body = Body::default();
        let read = self.take_body(limit as u64, |bytes| body.bytes.extend_from_slice(bytes));
        body.is_cut = self.remaining > 0;
        let read = match read {
            Err(Error::Truncated { .. }) if !body.bytes.is_empty() => Ok(()),
            read => read,
        };
        match read.and_then(|()| self.members.verify()) {
            Ok(()) => Ok(body),
            Err(error) => Err(self.give_up(error)),
        }
    }

    /// What is left of the body of the last record, to be read or copied piece by piece. It ends with an error if
    /// the file is damaged, or ends before it.
    pub fn body_reader(&mut self) -> BodyReader<'_, R> {
        BodyReader { reader: self }
    }

    /// How many bytes of the body are unpacked; none at its end.
    fn fill_body(&mut self) -> Result<usize, Error> {
        if self.remaining == 0 {
            return Ok(0);
        }
        self.members.fill()?;
        let bytes = self.members.bytes();
        if bytes.is_empty() {
            return Err(Error::Truncated { place: self.place });
        }
        if self.members.begins_record() {
            // Its own member has no more of it.
            return Ok(0);
        }
        Ok(bytes.len().min(usize::try_from(self.remaining).unwrap_or(usize::MAX)))
    }

    fn consume_body(&mut self, count: usize) {
        self.members.consume(count);
        self.remaining -= count as u64;
    }

    /// Passes up to `limit` bytes of the body on.
    pub(super) fn take_body(&mut self, limit: u64, mut take: impl FnMut(&[u8])) -> Result<(), Error> {
        let mut wanted = limit;
        while wanted > 0 {
            let count = self.fill_body()?.min(usize::try_from(wanted).unwrap_or(usize::MAX));
            if count == 0 {
                break;
            }
            take(&self.members.bytes()[..count]);
            self.consume_body(count);
            wanted -= count as u64;
        }
        Ok(())
    }
}

impl<R: Read> BufRead for BodyReader<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.reader.fill_body() {
            Ok(count) => Ok(&self.reader.members.bytes()[..count]),
            Err(error) => Err(self.reader.give_up(error).into()),
        }
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume_body(count);
    }
}

impl<R: Read> Read for BodyReader<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(to)?;
        self.consume(count);
        Ok(count)
    }
}
