//! The head of a record: a version, then `name: value` a line; or the one line of ARC.

use std::borrow::Cow;
use std::io::Read;

use super::arc;
use super::member::{At, Members};
use super::{Error, Format, Kind, Place, Record};

/// The most bytes of a head.
const MOST_BYTES: usize = 4 << 20;
/// The versions that there are, as far as they go.
const VERSIONS: [&[u8]; 4] = [b"WARC/1.1", b"WARC/1.0", b"WARC/0.17", b"WARC/0.18"];

/// Names and values, in the order of the record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// The first value of this name, in whatever case it is written.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Adds a line: a name and a value, or more of the value before. Anything else is ignored.
    fn add(&mut self, line: &[u8]) {
        let text = decode(line);
        if let (Some((_, value)), true) = (self.0.last_mut(), text.starts_with([' ', '\t'])) {
            let space = if value.is_empty() { "" } else { " " };
            value.extend([space, text.trim()]);
        } else if let Some((name, value)) = text.split_once(':') {
            self.push(name.trim(), value.trim());
        }
    }

    pub(crate) fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }
}

/// Text in UTF-8, or else in Latin-1, as old crawlers wrote it.
pub(super) fn decode(line: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(line) {
        Ok(text) => text.into(),
        Err(_) => line.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// What the head of a record says, and what is wrong with it.
pub(super) struct Head {
    format: Format,
    headers: Headers,
    /// How long the body is; none if that is not said.
    length: Option<u64>,
    fault: Option<Error>,
}

impl Head {
    /// Reads what follows the first line, which `bytes` has; they get the rest of the head.
    pub(super) fn read<R: Read>(members: &mut Members<R>, place: Place, bytes: &mut Vec<u8>) -> Result<Self, Error> {
        if !begins_warc(bytes) {
            return Self::of_arc(members, place, bytes);
        }
        let mut headers = Headers::default();
        let mut fault = loop {
            let start = bytes.len();
            match members.line(At::Head, bytes) {
                Ok(Some(_)) => {}
                Ok(None) => break Some(Error::Truncated { place }),
                Err(error) if error.is_early_end() => break Some(error),
                Err(error) => return Err(error),
            }
            let line = bytes[start..].trim_ascii_end();
            if line.is_empty() {
                break None;
            }
            if bytes.len() > MOST_BYTES {
                return Err(Error::Malformed { place, what: "its head is too long" });
            }
            headers.add(line);
        };
        let length = length(headers.get("Content-Length"), place, &mut fault);
        Ok(Self { format: Format::Warc, headers, length, fault })
    }

    /// The head is one line, and two more if it is the first of the file.
    fn of_arc<R: Read>(members: &mut Members<R>, place: Place, bytes: &mut Vec<u8>) -> Result<Self, Error> {
        let fields = arc::fields(&decode(bytes.trim_ascii_end()));
        let headers = fields.ok_or(Error::Malformed { place, what: "its line has less than five fields" })?;
        let line = bytes.len();
        if arc::is_file(&headers) {
            let _ = members.line(At::Head, bytes)?;
            let _ = members.line(At::Head, bytes)?;
        }
        let mut fault = None;
        let length = length(headers.get("Archive-length"), place, &mut fault);
        let length = length.map(|length| length.saturating_sub((bytes.len() - line) as u64));
        Ok(Self { format: Format::Arc, headers, length, fault })
    }

    /// Is this more than a line that looks like the beginning of a record?
    pub(super) fn is_credible(&self) -> bool {
        self.length.is_some() && self.fault.is_none()
    }

    /// No head at all.
    pub(super) fn nameless(place: Place) -> Self {
        let fault = Some(Error::Malformed { place, what: "it has no head" });
        Self { format: Format::Warc, headers: Headers::default(), length: None, fault }
    }

    /// The record, and what is wrong with it.
    pub(super) fn record(self, place: Place) -> (Record, Option<Error>) {
        let Self { headers, length, format, fault } = self;
        let (uri, date) = match format {
            Format::Warc => ("WARC-Target-URI", "WARC-Date"),
            Format::Arc => ("URL", "Archive-date"),
        };
        let record = Record {
            place,
            format,
            kind: match format {
                Format::Warc => Kind::of(headers.get("WARC-Type").unwrap_or_default()),
                Format::Arc if arc::is_file(&headers) => Kind::ArcHeader,
                Format::Arc => Kind::Response,
            },
            target_uri: headers.get(uri).map(address),
            date: headers.get(date).map(str::to_owned),
            length: length.unwrap_or(0),
            headers,
        };
        (record, fault)
    }
}

/// Does a record of WARC begin with this line?
pub(super) fn begins_warc(line: &[u8]) -> bool {
    line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"WARC/"))
}

/// Is this the line of a version that there is?
pub(super) fn is_known(line: &[u8]) -> bool {
    VERSIONS.iter().any(|known| line.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known)))
}

/// An address without the angle brackets that some writers took for a part of it, and without blanks.
fn address(text: &str) -> String {
    let bare = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(text);
    bare.replace(' ', "%20")
}

/// How long a body is. What is wrong with that is told, if nothing else is.
fn length(text: Option<&str>, place: Place, fault: &mut Option<Error>) -> Option<u64> {
    let digits = text.map(|text| text.strip_prefix('+').unwrap_or(text));
    let is_number = digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    if is_number {
        // More than can be counted is more than there is.
        return digits.map(|digits| digits.parse().unwrap_or(u64::MAX));
    }
    let what = if text.is_none() { "it does not say how long it is" } else { "its length is no number" };
    fault.get_or_insert(Error::Malformed { place, what });
    None
}
