//! The bytes of an archive, unpacked: members of gzip, zstd or LZ4 one after the other, or no compression.

use std::io::{self, BufRead, Read};

use super::arc;
use super::gzip::{self, Whole};
use super::packing::{Beginning, Packing, Stream, begin};
use super::window::Window;
use super::{Error, Place};

/// How much is unpacked at once of a member that is too large to be unpacked as a whole.
const BUFFER: usize = 64 << 10;
/// The longest line in bytes. There are addresses with a picture in them, but not larger ones.
const MOST_LINE: usize = 1 << 20;

/// Where a line is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// Where a record may begin.
    Record,
    /// Within the head of one: it ends where a member begins with the next.
    Head,
}

/// Unpacked bytes, and in which member they stand.
pub(super) struct Members<R: Read> {
    form: Form<R>,
    /// How members are packed that were seen last.
    packing: Packing,
    /// Unpacked are `buffer[..end]`, and read up to `read`. What is not packed stays in the window.
    buffer: Vec<u8>,
    read: usize,
    end: usize,
    /// Why there are no more bytes in the member than the buffer has.
    damage: Option<io::Error>,
    /// What stopped a line that was read as far as it goes.
    deferred: Option<Error>,
    /// Where the member begins that the buffer is from; empty ones before it belong to it.
    offset: u64,
    /// How many bytes of it stand before the buffer.
    within: u64,
    /// Where the last two members really begin, the last one first.
    starts: [u64; 2],
    whole: Whole,
    dictionary: Vec<u8>,
    /// Is it an ARC file?
    pub(super) is_arc: bool,
}

/// What the file is at the moment.
enum Form<R: Read> {
    /// Between two members, or before the first.
    Between(Window<R>),
    /// Behind a damaged member.
    Damaged(Window<R>),
    Plain(Window<R>),
    Packed(Stream<R>),
    End(u64),
}

impl<R: Read> Members<R> {
    pub(super) fn new(input: R, offset: u64) -> Self {
        Self {
            form: Form::Between(Window::new(input, offset)),
            packing: Packing::Plain,
            buffer: Vec::new(),
            read: 0,
            end: 0,
            damage: None,
            deferred: None,
            offset,
            within: 0,
            starts: [offset; 2],
            whole: Whole::default(),
            dictionary: Vec::new(),
            is_arc: false,
        }
    }

    /// Where the next byte stands.
    pub(super) fn place(&self) -> Place {
        match &self.form {
            Form::Plain(window) => Place { offset: window.position(), within: 0 },
            &Form::End(offset) if self.packing == Packing::Plain => Place { offset, within: 0 },
            _ => Place { offset: self.offset, within: self.within + self.read as u64 },
        }
    }

    /// Was all of the file read?
    pub(super) fn is_at_end(&self) -> bool {
        matches!(self.form, Form::End(_))
    }

    /// Where the last two members begin, the last one first.
    pub(super) fn starts(&self) -> [u64; 2] {
        self.starts
    }

    pub(super) fn packing(&self) -> Packing {
        self.packing
    }

    /// Does a member begin here, and a record with it?
    pub(super) fn begins_record(&self) -> bool {
        let is_first = self.within + self.read as u64 == 0 && !matches!(self.form, Form::Plain(_));
        let bytes = || self.bytes();
        is_first && (bytes().starts_with(b"WARC/") || self.is_arc && arc::begins(first_line(bytes())))
    }

    /// The next bytes, as far as they are unpacked.
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.form {
            Form::Plain(window) => window.held(),
            _ => &self.buffer[self.read..self.end],
        }
    }

    /// Takes so many of them.
    pub(super) fn consume(&mut self, count: usize) {
        match &mut self.form {
            Form::Plain(window) => window.consume(count),
            _ => self.read += count,
        }
    }

    /// Sees to it that there are bytes, unless the file has no more.
    pub(super) fn fill(&mut self) -> Result<(), Error> {
        if let Some(error) = self.deferred.take() {
            return Err(error);
        }
        while self.bytes().is_empty() {
            self.within += self.end as u64;
            (self.read, self.end) = (0, 0);
            if let Some(source) = self.damage.take() {
                let offset = self.place().offset;
                let is_last = matches!(self.form, Form::End(_));
                return Err(if is_last { Error::Io { offset, source } } else { Error::Damaged { offset, source } });
            }
            self.damage = self.unpack().err();
            if matches!(self.form, Form::End(_)) && self.damage.is_none() {
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
        self.read = self.end;
        self.fill()
    }

    /// Takes a step: fills the buffer from the member, or goes to the next one.
    fn unpack(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.form, Form::End(self.offset)) {
            Form::Between(window) => self.begin(window),
            Form::Damaged(mut window) => {
                let is_found = window.seek(self.packing.magic());
                self.form = match is_found {
                    Ok(true) => Form::Between(window),
                    _ => self.stop(window.position()),
                };
                is_found.map(|_| ())
            }
            Form::Plain(mut window) => {
                let read = window.fill_buf().map(<[u8]>::is_empty);
                self.form = if matches!(read, Ok(false)) { Form::Plain(window) } else { self.stop(window.position()) };
                read.map(|_| ())
            }
            Form::Packed(stream) => self.unpack_some(stream),
            end @ Form::End(_) => {
                self.form = end;
                Ok(())
            }
        }
    }

    /// Nothing is read any more; what was read last ends here.
    fn stop(&mut self, position: u64) -> Form<R> {
        (self.offset, self.within) = (position, 0);
        Form::End(position)
    }

    /// Begins with the next member.
    fn begin(&mut self, mut window: Window<R>) -> io::Result<()> {
        if self.within > 0 {
            (self.offset, self.within) = (window.position(), 0);
        }
        window.mark();
        let is_first = self.packing == Packing::Plain;
        let start = window.position();
        let beginning = begin(&mut window, &mut self.dictionary)?;
        if matches!(beginning, Beginning::Member(_) | Beginning::Other) {
            self.starts = [start, self.starts[0]];
        }
        self.form = match beginning {
            Beginning::Nothing => Form::End(window.position()),
            Beginning::Skipped => Form::Between(window),
            Beginning::Member(packing) => {
                self.packing = packing;
                return self.begin_member(window);
            }
            Beginning::Other if is_first || window.held().starts_with(b"WARC/") => {
                self.packing = Packing::Plain;
                Form::Plain(window)
            }
            Beginning::Other => {
                self.form = Form::Damaged(window);
                return Err(io::Error::new(io::ErrorKind::InvalidData, "no member begins here"));
            }
        };
        Ok(())
    }

    /// Unpacks the member that begins here as a whole if that is possible, and piece by piece if not.
    fn begin_member(&mut self, mut window: Window<R>) -> io::Result<()> {
        if self.packing == Packing::Gzip
            && let Some(bytes) = self.whole.unpack_from(&mut window, &mut self.buffer)
        {
            self.end = bytes;
            self.form = Form::Between(window);
            return Ok(());
        }
        let stream = Stream::new(window, self.packing, &self.dictionary)?;
        self.unpack_some(stream)
    }

    /// Fills the empty buffer; what was unpacked before an error is kept.
    fn unpack_some(&mut self, mut stream: Stream<R>) -> io::Result<()> {
        let size = self.buffer.len().max(BUFFER);
        self.buffer.resize(size, 0);
        while self.end < BUFFER {
            match stream.read(&mut self.buffer[self.end..BUFFER]) {
                Ok(0) => {
                    self.form = Form::Between(stream.into_inner());
                    return Ok(());
                }
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.form = Form::Damaged(stream.into_inner());
                    return Err(error);
                }
            }
        }
        self.form = Form::Packed(stream);
        Ok(())
    }

    /// Where a record should begin behind one that is not packed: does a member? Files of both kinds were joined.
    pub(super) fn look_for_member(&mut self) -> Result<(), Error> {
        self.fill()?;
        if self.bytes().starts_with(&gzip::MAGIC) && matches!(self.form, Form::Plain(_)) {
            (self.offset, self.within) = (self.place().offset, 0);
            self.form = match std::mem::replace(&mut self.form, Form::End(self.offset)) {
                Form::Plain(window) => Form::Between(window),
                other => other,
            };
        }
        Ok(())
    }

    /// Adds the next line with its end, and says its place; none at the end of the file.
    pub(super) fn line(&mut self, at: At, to: &mut Vec<u8>) -> Result<Option<Place>, Error> {
        self.fill()?;
        if self.bytes().is_empty() {
            return Ok(None);
        }
        let (place, start) = (self.place(), to.len());
        loop {
            let bytes = self.bytes();
            if bytes.is_empty() || self.begins_record() && (at == At::Head || to.len() > start) {
                break;
            }
            let end = memchr::memchr(b'\n', bytes);
            let count = end.map_or(bytes.len(), |end| end + 1);
            to.extend_from_slice(&bytes[..count.min(MOST_LINE - (to.len() - start))]);
            self.consume(count);
            if end.is_some() {
                break;
            }
            self.deferred = self.fill().err();
            if self.deferred.is_some() {
                break;
            }
        }
        Ok(Some(place))
    }
}

/// The line that begins these bytes.
pub(super) fn first_line(bytes: &[u8]) -> &[u8] {
    let start = &bytes[..bytes.len().min(MOST_LINE)];
    &start[..memchr::memchr(b'\n', start).unwrap_or(start.len())]
}
