//! The bytes of a WARC file, unpacked: gzip members or zstd frames one after the other, or no compression.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use super::raw::Raw;
use super::{Error, Place};

/// How much is unpacked at once.
const BUFFER: usize = 64 << 10;
/// The longest line in bytes. There are addresses with a picture in them, but not larger ones.
const MOST_LINE: usize = 1 << 20;

const GZIP: [u8; 3] = [0x1f, 0x8b, 0x08];
const ZSTD: [u8; 3] = [0x28, 0xb5, 0x2f];

/// Where a line is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// Where a record may begin.
    Record,
    /// Within the head of one: it ends where a member begins with the next.
    Head,
}

/// Unpacked bytes, and in which member they stand.
pub(super) struct Members<R: BufRead> {
    form: Form<R>,
    /// Unpacked, and read up to `read`.
    buffer: Vec<u8>,
    read: usize,
    /// Why there are no more bytes in the member than the buffer has.
    damage: Option<io::Error>,
    /// Where the member begins that the buffer is from.
    offset: u64,
    /// How many bytes of it stand before the buffer.
    within: u64,
}

/// What the file is at the moment.
enum Form<R: BufRead> {
    /// Between two members, or before the first; then it is not known yet how members begin.
    Between(Raw<R>, Option<Magic>),
    /// Behind a damaged member.
    Damaged(Raw<R>, Magic),
    Plain(Raw<R>),
    Gzip(Box<GzDecoder<Raw<R>>>),
    Zstd(Box<Zstd<R>>),
    End,
}

type Zstd<R> = zstd::Decoder<'static, Raw<R>>;

/// How members begin.
type Magic = &'static [u8; 3];

impl<R: BufRead> Members<R> {
    pub(super) fn new(input: R, offset: u64) -> Self {
        let form = Form::Between(Raw::new(input, offset), None);
        Self { form, buffer: Vec::new(), read: 0, damage: None, offset, within: 0 }
    }

    /// Where the next byte stands.
    fn place(&self) -> Place {
        let within = self.within + self.read as u64;
        match self.form {
            Form::Plain(_) => Place { offset: self.offset + within, within: 0 },
            _ => Place { offset: self.offset, within },
        }
    }

    /// Does a member begin here, and a record with it?
    pub(super) fn begins_record(&self) -> bool {
        let is_first = self.within + self.read as u64 == 0 && !matches!(self.form, Form::Plain(_));
        is_first && self.buffer.starts_with(b"WARC/")
    }

    /// The next bytes, as far as they are unpacked.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.read..]
    }

    /// Takes so many of them.
    pub(super) fn consume(&mut self, count: usize) {
        self.read += count;
    }

    /// Sees to it that there are bytes, unless the file has no more.
    pub(super) fn fill(&mut self) -> Result<(), Error> {
        while self.read == self.buffer.len() {
            self.within += self.read as u64;
            self.buffer.clear();
            self.read = 0;
            if let Some(source) = self.damage.take() {
                let (offset, is_plain) = (self.offset, matches!(self.form, Form::End));
                return Err(if is_plain { Error::Io { offset, source } } else { Error::Damaged { offset, source } });
            }
            self.damage = self.unpack().err();
            if matches!(self.form, Form::End) && self.damage.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Is what was read of this member worth anything, as far as is known? A member may unpack to garbage
    /// before its checksum tells; one that only ends early is good as far as it goes.
    pub(super) fn verify(&mut self) -> Result<(), Error> {
        if self.damage.as_ref().is_none_or(|damage| damage.kind() == io::ErrorKind::UnexpectedEof) {
            return Ok(());
        }
        self.read = self.buffer.len();
        self.fill()
    }

    /// Takes a step: fills the buffer from the member, or goes to the next one.
    fn unpack(&mut self) -> io::Result<()> {
        let buffer = &mut self.buffer;
        let (form, read) = match std::mem::replace(&mut self.form, Form::End) {
            Form::Between(raw, magic) => {
                (self.offset, self.within) = (raw.position(), 0);
                Form::begin(raw, magic)
            }
            Form::Damaged(mut raw, magic) => match raw.seek(magic) {
                Ok(true) => (Form::Between(raw, Some(magic)), Ok(())),
                Ok(false) => (Form::End, Ok(())),
                Err(error) => (Form::End, Err(error)),
            },
            Form::Plain(mut raw) => {
                raw.mark();
                match read_some(&mut raw, buffer) {
                    Ok(0) => (Form::End, Ok(())),
                    Ok(_) => (Form::Plain(raw), Ok(())),
                    Err(error) => (Form::End, Err(error)),
                }
            }
            Form::Gzip(mut decoder) => match read_some(&mut decoder, buffer) {
                Ok(0) => (Form::Between(decoder.into_inner(), Some(&GZIP)), Ok(())),
                Ok(_) => (Form::Gzip(decoder), Ok(())),
                Err(error) => (Form::Damaged(decoder.into_inner(), &GZIP), Err(error)),
            },
            Form::Zstd(mut decoder) => match read_some(&mut decoder, buffer) {
                Ok(0) => (Form::Between(decoder.finish(), Some(&ZSTD)), Ok(())),
                Ok(_) => (Form::Zstd(decoder), Ok(())),
                Err(error) => (Form::Damaged(decoder.finish(), &ZSTD), Err(error)),
            },
            Form::End => (Form::End, Ok(())),
        };
        self.form = form;
        read
    }

    /// The next line without its end, and its place; none at the end of the file.
    pub(super) fn line(&mut self, at: At) -> Result<Option<(Place, Vec<u8>)>, Error> {
        self.fill()?;
        if self.bytes().is_empty() {
            return Ok(None);
        }
        let place = self.place();
        let mut line = Vec::new();
        loop {
            self.fill()?;
            let bytes = self.bytes();
            if bytes.is_empty() || self.begins_record() && (at == At::Head || !line.is_empty()) {
                break;
            }
            let end = memchr::memchr(b'\n', bytes);
            let count = end.map_or(bytes.len(), |end| end + 1);
            line.extend_from_slice(&bytes[..count.min(MOST_LINE - line.len())]);
            self.consume(count);
            if end.is_some() {
                break;
            }
        }
        line.truncate(line.trim_ascii_end().len());
        Ok(Some((place, line)))
    }
}

impl<R: BufRead> Form<R> {
    /// What begins here?
    fn begin(mut raw: Raw<R>, magic: Option<Magic>) -> (Self, io::Result<()>) {
        raw.mark();
        let start = match raw.fill_buf() {
            Ok(start) => start,
            Err(error) => return (Self::End, Err(error)),
        };
        if start.is_empty() {
            (Self::End, Ok(()))
        } else if start.starts_with(&GZIP[..2]) {
            (Self::Gzip(Box::new(GzDecoder::new(raw))), Ok(()))
        } else if start.starts_with(&ZSTD) {
            match zstd::Decoder::with_buffer(raw) {
                Ok(decoder) => (Self::Zstd(Box::new(decoder.single_frame())), Ok(())),
                Err(error) => (Self::End, Err(error)),
            }
        } else if let Some(magic) = magic {
            (Self::Damaged(raw, magic), Err(io::Error::new(io::ErrorKind::InvalidData, "no member begins here")))
        } else {
            (Self::Plain(raw), Ok(()))
        }
    }
}

/// Fills the empty buffer, if there is so much; what was read before an error is kept.
fn read_some(input: &mut impl Read, buffer: &mut Vec<u8>) -> io::Result<usize> {
    input.take(BUFFER as u64).read_to_end(buffer)
}
