//! The head of a record: a version, then `name: value` a line.

use std::io::BufRead;

use super::member::{At, Members};
use super::{Error, Place, Record};

/// The most bytes of a head.
const MOST_BYTES: usize = 4 << 20;

/// What a record is, by its `WARC-Type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// What a server answered.
    Response,
    /// A file, without the protocol that brought it.
    Resource,
    /// What the crawler asked.
    Request,
    /// How the file was made.
    Warcinfo,
    /// What is known about another record.
    Metadata,
    /// A capture of something that was captured before.
    Revisit,
    /// Another record in another format.
    Conversion,
    /// The rest of a record that did not fit another file.
    Continuation,
    /// None of these.
    Other,
}

impl Kind {
    fn of(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "response" => Self::Response,
            "resource" => Self::Resource,
            "request" => Self::Request,
            "warcinfo" => Self::Warcinfo,
            "metadata" => Self::Metadata,
            "revisit" => Self::Revisit,
            "conversion" => Self::Conversion,
            "continuation" => Self::Continuation,
            _ => Self::Other,
        }
    }
}

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
        let text = String::from_utf8_lossy(line);
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

/// A head that makes sense.
pub(super) struct Head {
    headers: Headers,
    pub(super) length: u64,
}

impl Head {
    /// Reads what follows the version.
    pub(super) fn read<R: BufRead>(members: &mut Members<R>, place: Place) -> Result<Self, Error> {
        let malformed = |what| Error::Malformed { place, what };
        let (mut headers, mut bytes) = (Headers::default(), 0);
        loop {
            let (_, line) = members.line(At::Head)?.ok_or(Error::Truncated { place })?;
            if line.is_empty() {
                break;
            }
            bytes += line.len();
            if bytes > MOST_BYTES {
                return Err(malformed("its head is too long"));
            }
            headers.add(&line);
        }
        let length = headers.get("Content-Length").ok_or_else(|| malformed("it has no `Content-Length`"))?;
        let length = length.parse().map_err(|_| malformed("its `Content-Length` is no number"))?;
        Ok(Self { headers, length })
    }

    pub(super) fn record(self, place: Place) -> Record {
        let Self { headers, length } = self;
        let own = |name| headers.get(name).map(str::to_owned);
        Record {
            place,
            kind: Kind::of(headers.get("WARC-Type").unwrap_or_default()),
            // Some writers took the angle brackets of WARC 1.0's grammar for a part of the address.
            target_uri: own("WARC-Target-URI").map(|uri| uri.trim_matches(['<', '>']).to_owned()),
            date: own("WARC-Date"),
            length,
            headers,
        }
    }
}
