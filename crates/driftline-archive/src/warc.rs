//! What is in a WARC file, or in one of ARC, the format before it? Its records, one after the other, in little
//! memory.
//!
//! Archives are old, large and often broken: a crawler was killed, a disk was full, two files were
//! joined. So a record that cannot be read is told with its place, and the reader goes on at the next
//! one: the next member, or the next line that begins a record. Gzip, zstd and LZ4 may compress each
//! record by itself, as the standard asks, or the whole file, or blocks of it.
//!
//! What counts as a record, where it begins and how long it is follows warcio, the reader of the field: a head
//! without a length is a record, and one that the file ends in. What is wrong with it is told behind it.

mod arc;
mod body;
mod error;
mod gzip;
mod head;
mod member;
mod packing;
mod part;
mod record;
mod window;
pub mod write;

use std::collections::VecDeque;
use std::io::Read;

pub use body::{Body, BodyReader};
pub use error::Error;
pub use head::Headers;
pub use packing::Packing;
pub use part::{Part, parts, starts, starts_from};
pub use record::{Extent, Format, Kind, Place, Record};

use error::other_format;
use head::Head;
use member::{At, Members};

/// Reads records. Take the next with [`next`](Iterator::next), then its body with [`body`](Self::body) or
/// [`body_reader`](Self::body_reader), and with [`finish`](Self::finish) where all of it stands.
pub struct Reader<R: Read> {
    members: Members<R>,
    /// The head of the last record; or, when it is finished, the first line of the next.
    head: Vec<u8>,
    /// Where the last record begins.
    place: Place,
    /// Bytes of its body that are not read yet.
    remaining: u64,
    /// Is it not finished?
    is_open: bool,
    /// Does it not say where it ends? Then it ends where the next begins.
    is_endless: bool,
    /// Where all of it stands, when it is finished.
    extent: Option<Extent>,
    /// Is that one member, with nothing else in it?
    is_alone: bool,
    /// Where the next record begins, if its first line was read, and its head, if that was.
    ahead: Option<(Place, Option<Head>)>,
    /// What is to be told before the next record.
    errors: VecDeque<Error>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was read.
    Start,
    /// Nothing was read but empty lines.
    Blank,
    /// A record begins here.
    Between,
    /// Something was malformed; what follows it is skipped up to the next record.
    Lost,
    /// Nothing can be read any more.
    End,
}

impl<R: Read> Reader<R> {
    /// A reader of a file from its beginning. It reads large pieces, so the input needs no buffer.
    pub fn new(input: R) -> Self {
        Self::from_offset(input, 0)
    }

    /// A reader of a file that stands at `offset`, where a record or a member begins.
    pub fn from_offset(input: R, offset: u64) -> Self {
        Self {
            members: Members::new(input, offset),
            head: Vec::new(),
            place: Place::default(),
            remaining: 0,
            is_open: false,
            is_endless: false,
            extent: None,
            is_alone: false,
            ahead: None,
            errors: VecDeque::new(),
            state: State::Start,
        }
    }

    /// The head of the last record as it stands there, with the empty line at its end; until it is finished.
    #[must_use]
    pub fn head_bytes(&self) -> &[u8] {
        if self.is_open { &self.head } else { &[] }
    }

    /// How the last record is packed.
    #[must_use]
    pub fn packing(&self) -> Packing {
        self.members.packing()
    }

    /// Reads the last record to its end, and says where all of it stands; none if it shares its member with
    /// another record, or is damaged. What is wrong with it is told by [`next`](Iterator::next).
    pub fn finish(&mut self) -> Option<Extent> {
        if !self.is_open {
            return self.extent;
        }
        if let Err(error) = self.take_body(u64::MAX, |_| {}) {
            let error = self.give_up(error);
            self.errors.push_back(error);
        }
        (self.is_open, self.remaining) = (false, 0);
        let last = self.members.place();
        let is_packed = self.packing() != Packing::Plain;
        let is_one = is_packed && self.members.starts()[0] == self.place.offset;
        let end = if is_packed || self.is_endless {
            self.find_start();
            match self.ahead {
                Some((next, _)) => Some(next).filter(|next| next.within == 0 || next.offset != last.offset),
                None => {
                    Some(self.members.place()).filter(|next| self.members.is_at_end() || next.offset != last.offset)
                }
            }
        } else {
            Some(last)
        };
        let Place { offset, within } = self.place;
        let [start, before] = self.members.starts();
        self.is_alone = is_one && offset == if self.ahead.is_some() { before } else { start };
        self.extent = end.filter(|_| within == 0).map(|end| Extent { offset, length: end.offset - offset });
        self.extent
    }

    /// Are all bytes of the finished record in one member, and nothing else? A head may stand in one, its body in another.
    pub(crate) fn is_alone(&self) -> bool {
        self.is_alone && self.extent.is_some()
    }

    /// What is wrong with the record that begins here, if it is known and not told yet.
    pub(crate) fn damage_of(&mut self, offset: u64) -> Option<Error> {
        self.errors.pop_front_if(|error| {
            matches!(error, Error::Damaged { .. } | Error::Truncated { .. }) && error.offset() == Some(offset)
        })
    }

    /// Reads up to the first line of the next record. Before it there should only be empty lines.
    fn find_start(&mut self) {
        while self.ahead.is_none() && self.state != State::End {
            self.head.clear();
            // Where the reader is lost, a member may be the body of an answer.
            let looked = if self.state == State::Between { self.members.look_for_member() } else { Ok(()) };
            match looked.and_then(|()| self.members.line(At::Record, &mut self.head)) {
                Ok(Some(place)) => self.look(place),
                Ok(None) if self.state == State::Blank => self.begin_nameless(),
                Ok(None) => self.state = State::End,
                Err(error) => {
                    let error = self.give_up(error);
                    self.errors.push_back(error);
                    return;
                }
            }
        }
    }

    /// Is this line the first of a record?
    fn look(&mut self, place: Place) {
        let line = self.head.trim_ascii_end();
        let is_first = matches!(self.state, State::Start | State::Blank);
        let is_lost = self.state == State::Lost;
        let is_arc = || if is_lost { arc::is_head(line) } else { arc::begins(line) };
        if head::begins_warc(line) || (is_first || self.members.is_arc) && is_arc() {
            if is_lost { self.look_closer(place) } else { self.ahead = Some((place, None)) }
        } else if line.is_empty() {
            if self.state == State::Start && place.offset == 0 {
                self.state = State::Blank;
            }
        } else if let (true, Some(what)) = (is_first, other_format(line)) {
            let error = self.give_up(Error::NotWarc { what });
            self.errors.push_back(error);
        } else if self.state == State::Blank {
            self.begin_nameless();
        } else if !is_lost {
            self.state = State::Lost;
            self.errors.push_back(Error::Malformed { place, what: "it does not begin with `WARC/`" });
        }
    }

    /// Is it the first of a record where there may be anything? Only if it has a head that makes sense.
    fn look_closer(&mut self, place: Place) {
        match Head::read(&mut self.members, place, &mut self.head) {
            Ok(head) if head.is_credible() => self.ahead = Some((place, Some(head))),
            Ok(_) => {}
            Err(error) => {
                let error = self.give_up(error);
                self.errors.push_back(error);
            }
        }
    }

    /// A file that begins with an empty line, and not with a record after it, is taken for one by warcio.
    fn begin_nameless(&mut self) {
        self.head.clear();
        self.ahead = Some((Place::default(), None));
    }

    /// Reads the head of the record that begins here, if it was not read yet.
    fn read_head(&mut self, place: Place, head: Option<Head>) -> Result<Record, Error> {
        self.state = State::Lost;
        let head = match head {
            Some(head) => head,
            None if self.head.is_empty() => Head::nameless(place),
            None => Head::read(&mut self.members, place, &mut self.head)?,
        };
        if !head.is_credible() && head::begins_warc(&self.head) && !head::is_known(&self.head) {
            return Err(Error::Malformed { place, what: "its version is unknown" });
        }
        let (record, fault) = head.record(place);
        self.state = match fault {
            None => State::Between,
            Some(Error::Truncated { .. }) => State::End,
            Some(_) => State::Lost,
        };
        self.members.is_arc = record.format == Format::Arc;
        (self.place, self.is_open, self.extent) = (place, true, None);
        self.remaining = if fault.is_none() { record.length } else { 0 };
        self.is_endless = !record.says_length();
        if record.is_http() && (record.length > 0 || self.is_endless) && !self.has_body() {
            return Err(fault.unwrap_or_else(|| self.no_body()));
        }
        self.errors.extend(fault);
        Ok(record)
    }

    /// Is there anything of the body? What stops it is told later.
    fn has_body(&mut self) -> bool {
        match self.members.fill() {
            Ok(()) => !self.members.bytes().is_empty() && !self.members.begins_record(),
            Err(error) => {
                let error = self.give_up(error);
                self.errors.push_back(error);
                true
            }
        }
    }

    /// A head of a message that has nothing of the message is no record.
    fn no_body(&self) -> Error {
        let place = self.place;
        if self.members.is_at_end() {
            Error::Truncated { place }
        } else {
            Error::Malformed { place, what: "it has no body" }
        }
    }

    /// Remembers how to go on after an error.
    fn give_up(&mut self, error: Error) -> Error {
        self.remaining = 0;
        self.state = if error.is_last() { State::End } else { State::Lost };
        error
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.finish();
        if self.errors.is_empty() {
            self.find_start();
        }
        if let Some(error) = self.errors.pop_front() {
            return Some(Err(error));
        }
        let (place, head) = self.ahead.take()?;
        Some(self.read_head(place, head).map_err(|error| {
            self.is_open = false;
            self.give_up(error)
        }))
    }
}
