//! Where is a capture? A line for each, in an index: its key, its time, and where its record begins.
//!
//! Written is the CDXJ of the field, byte for byte as cdxj-indexer writes it, so that pywb and its kin can use
//! it. Read is whatever collections have lying about: CDXJ of any make, the CDX of old in nine or eleven
//! columns, plain, in gzip, or in blocks with an index of their own (`ZipNum`).

mod date;
mod index;
mod json;
mod legacy;
mod lines;
mod members;
mod sort;
pub mod zipnum;

use std::fmt;

use serde_json::{Map, Value};

use crate::Time;

pub use date::time_of;
pub(crate) use index::lacks_date;
pub use index::{Digests, Index, Indexed, NoLine};

pub use lines::{BadLine, Lines, open};
pub use sort::Sorter;

/// A line of an index: a capture, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// What it is filed under, usually the [key](driftline_catalog::surt::key) of its URL.
    pub key: String,
    /// When it was captured; written in fourteen digits.
    pub at: Time,
    /// The address that it is a capture of.
    pub url: Option<String>,
    /// What it is, such as `text/html`, or `warc/revisit`.
    pub mime: Option<String>,
    /// The status code, as it stands there.
    pub status: Option<String>,
    /// The digest of its payload.
    pub digest: Option<String>,
    /// How many bytes of the file the record takes.
    pub length: Option<u64>,
    /// At which byte of the file the record begins.
    pub offset: Option<u64>,
    /// The file.
    pub filename: Option<String>,
    /// What else is said.
    pub more: Map<String, Value>,
}

/// Names of fields; indexes of some makes have their own.
const NAMES: [(&str, &[&str]); 7] = [
    ("url", &["url", "original_uri", "uri"]),
    ("mime", &["mime", "mime_type", "mct"]),
    ("status", &["status", "status_code", "hsc"]),
    ("digest", &["digest", "sha", "payload_digest"]),
    ("length", &["length", "rle"]),
    ("offset", &["offset"]),
    ("filename", &["filename"]),
];

impl Line {
    /// Reads a line of CDXJ; none if it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (key, rest) = text.split_once(' ')?;
        let (at, rest) = rest.split_once(' ')?;
        // OpenWayback says what the record is in between.
        let Ok(Value::Object(fields)) = serde_json::from_str(&rest[rest.find('{')?..]) else {
            return None;
        };
        let (key, at) = (key.to_owned(), at.parse().ok()?);
        let mut line = Self { key, at, ..Self::default() };
        for (name, value) in fields {
            line.set(name, value)?;
        }
        Some(line)
    }

    /// The status as a number, if it is one.
    #[must_use]
    pub fn status_code(&self) -> Option<u16> {
        self.status.as_deref().and_then(|status| status.parse().ok())
    }

    /// Takes a field; none if it says a number that is none.
    fn set(&mut self, name: String, value: Value) -> Option<()> {
        let known = NAMES.iter().find(|(_, names)| names.contains(&name.as_str()));
        let Some((known, text)) = known.and_then(|&(known, _)| Some((known, text(&value)?))) else {
            if let ("ref", Some(file)) = (name.as_str(), text(&value)) {
                self.refer(&file);
            }
            self.more.insert(name, value);
            return Some(());
        };
        let text = Some(text).filter(|text| text != "-");
        match known {
            "url" => self.url = text,
            "mime" => self.mime = text,
            "status" => self.status = text,
            "digest" => self.digest = text,
            "filename" => self.filename = text,
            "length" => self.length = text.map(|text| text.parse()).transpose().ok()?,
            _ => self.offset = text.map(|text| text.parse()).transpose().ok()?,
        }
        Some(())
    }

    /// `warcfile:name.warc.gz#1234`, as `OpenWayback` writes it.
    fn refer(&mut self, place: &str) {
        if let Some((file, offset)) = place.strip_prefix("warcfile:").and_then(|place| place.rsplit_once('#')) {
            self.filename = Some(file.to_owned());
            self.offset = offset.parse().ok();
        }
    }
}

/// A string or a number, as text.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The line as cdxj-indexer writes it, without its end.
impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {{", self.key, self.at.digits())?;
        let (length, offset) = (self.length.map(|own| own.to_string()), self.offset.map(|own| own.to_string()));
        let fields = [&self.url, &self.mime, &self.status, &self.digest, &length, &offset, &self.filename];
        let mut comma = "";
        for ((name, _), value) in NAMES.iter().zip(fields) {
            if let Some(value) = value {
                write!(formatter, "{comma}\"{name}\": {}", json::Text(value))?;
                comma = ", ";
            }
        }
        for (name, value) in &self.more {
            write!(formatter, "{comma}{}: {}", json::Text(name), json::ascii(value))?;
            comma = ", ";
        }
        formatter.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn a_line_is_written_as_it_was_read() {
        for text in [
            r#"com,example)/ 20140127171200 {"url": "http://example.com", "mime": "text/html", "status": "200", "digest": "sha1:B2", "length": "1046", "offset": "334", "filename": "a.warc.gz"}"#,
            r#"com,example)/ 20140127171200 {"url": "http://example.com/\u00e9\ud83d\ude00\"\\", "offset": "0", "method": "POST"}"#,
        ] {
            assert_eq!(Line::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_makes_have_other_names() {
        let ipwb = r#"edu,odu)/ 20160305192247 {"locator": "urn:ipfs/Q/Q", "original_uri": "http://odu.edu/", "mime_type": "text/html", "status_code": "200"}"#;
        let line = Line::parse(ipwb).unwrap();
        assert_eq!((line.url.as_deref(), line.status_code()), (Some("http://odu.edu/"), Some(200)));
        let wayback = r#"(com,a,)/ 2015-09-03T13:27:52Z response {"uri": "http://a.com/", "ref": "warcfile:a.warc.gz#42", "hsc": 200}"#;
        let line = Line::parse(wayback).unwrap();
        assert_eq!(
            (line.filename.as_deref(), line.offset, line.at.digits().as_str()),
            (Some("a.warc.gz"), Some(42), "20150903132752")
        );
    }

    #[test]
    fn what_is_no_line_is_none() {
        for text in ["", "{", "a {}", "a b {}", "a 2014 {\"offset\": \"x\"}", "a 2014 []", "a 2014 {\"url\": }"] {
            assert_eq!(Line::parse(text), None, "{text}");
        }
    }
}
