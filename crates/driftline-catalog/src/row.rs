//! How does a row become a value, and a value a row?
//!
//! Both databases keep integers of 64 bits. Lengths and offsets of files fit; what a hostile file claims beyond
//! is cut. PostgreSQL cannot keep the character NUL in a text, so it becomes � in both.

use std::borrow::Cow;

use sha2::{Digest, Sha256};
use sqlx::Row;
use sqlx::any::AnyRow;
use sqlx::error::BoxDynError;

use super::{Answer, CaptureKind, NewCapture, Original, SegmentState, StoredCapture};
use crate::Time;

/// A capture with its address and its segment. What follows may use `capture`, `url` and `segment`.
macro_rules! select_capture {
    (versions $($rest:expr),+ $(,)?) => {
        select_capture!(@ ", capture.previous FROM version AS capture", $($rest),+)
    };
    (@ $from:literal, $($rest:expr),+) => {
        concat!(
            "SELECT capture.id, segment.name, url.url, url.key, url.key_rest, capture.at, capture.kind, ",
            "capture.status, capture.mime, capture.digest, capture.payload_length, capture.redirect, ",
            "capture.record_id, capture.original_url, capture.original_at, capture.start, capture.length, ",
            "capture.body_digest",
            $from,
            " JOIN url ON url.id = capture.url_id JOIN segment ON segment.id = capture.segment_id ",
            $($rest),+
        )
    };
    ($($rest:expr),+ $(,)?) => { select_capture!(@ " FROM capture", $($rest),+) };
}
pub(super) use select_capture;

/// A capture for each address of key `$1`, `$2`: the first one in an order.
macro_rules! candidate {
    ($($which:expr),+) => {
        concat!(
            "SELECT (SELECT candidate.id FROM capture AS candidate WHERE candidate.url_id = spelling.id ",
            $($which),+,
            " LIMIT 1) FROM url AS spelling WHERE spelling.key = $1 AND spelling.key_rest = $2"
        )
    };
}
pub(super) use candidate;

/// Reads a row of [`select_capture`].
pub(super) fn capture(row: &AnyRow) -> Answer<StoredCapture> {
    let original: (Option<String>, Option<i64>) = (row.try_get(13)?, row.try_get(14)?);
    let key: String = row.try_get(3)?;
    Ok(StoredCapture {
        id: row.try_get(0)?,
        segment: row.try_get(1)?,
        capture: NewCapture {
            url: row.try_get(2)?,
            key: key + &row.try_get::<String, _>(4)?,
            at: time(row.try_get(5)?),
            kind: capture_kind(row.try_get(6)?)?,
            status: row.try_get::<Option<i64>, _>(7)?.and_then(|status| u16::try_from(status).ok()),
            mime: row.try_get(8)?,
            digest: row.try_get(9)?,
            body_digest: row.try_get(17)?,
            payload_length: row.try_get::<Option<i64>, _>(10)?.map(unsigned),
            redirect: row.try_get(11)?,
            record_id: row.try_get(12)?,
            refers_to: original.0.zip(original.1).map(|(url, at)| Original { url, at: time(at) }),
            origin: None,
            offset: unsigned(row.try_get(15)?),
            length: unsigned(row.try_get(16)?),
        },
    })
}

/// Reads all rows of [`select_capture`].
pub(super) fn captures(rows: &[AnyRow]) -> Answer<Vec<StoredCapture>> {
    rows.iter().map(capture).collect()
}

pub(super) fn time(microseconds: i64) -> Time {
    Time::from_microseconds(microseconds)
}

pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn text(text: &str) -> String {
    match memchr::memchr(0, text.as_bytes()) {
        None => text.to_owned(),
        Some(_) => text.replace('\0', "\u{FFFD}"),
    }
}

pub(super) fn optional_text(value: Option<&str>) -> Option<String> {
    value.map(text)
}

/// Under which an address is found whatever its length: the first 16 bytes of its SHA-256.
pub(super) fn fingerprint(of: &str) -> Vec<u8> {
    Sha256::digest(text(of).as_bytes())[..16].to_vec()
}

/// A key as it is kept: its first 1,024 bytes, which PostgreSQL can index, and the rest.
pub(super) fn split_key(key: &str) -> (String, String) {
    let mut key = text(key);
    let rest = key.split_off(key.floor_char_boundary(1024));
    (key, rest)
}

pub(super) fn json(value: &str) -> Answer<serde_json::Value> {
    serde_json::from_str(value).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// What an event says. What is no JSON stays text: whoever reads that event finds it out, and all others are listed.
pub(super) fn body(value: &str) -> serde_json::Value {
    serde_json::from_str(value).unwrap_or_else(|_| serde_json::Value::from(value))
}

pub(super) fn capture_kind(number: i64) -> Answer<CaptureKind> {
    Ok(match number {
        0 => CaptureKind::Response,
        1 => CaptureKind::Revisit,
        2 => CaptureKind::Resource,
        3 => CaptureKind::Conversion,
        _ => return Err(odd("kind of capture", number)),
    })
}

pub(super) fn capture_kind_number(kind: CaptureKind) -> i64 {
    match kind {
        CaptureKind::Response => 0,
        CaptureKind::Revisit => 1,
        CaptureKind::Resource => 2,
        CaptureKind::Conversion => 3,
    }
}

pub(super) fn segment_state(number: i64) -> Answer<SegmentState> {
    Ok(match number {
        0 => SegmentState::Open,
        1 => SegmentState::Closed,
        2 => SegmentState::Stored,
        3 => SegmentState::Dropped,
        _ => return Err(odd("state of a segment", number)),
    })
}

pub(super) fn segment_state_number(state: SegmentState) -> i64 {
    match state {
        SegmentState::Open => 0,
        SegmentState::Closed => 1,
        SegmentState::Stored => 2,
        SegmentState::Dropped => 3,
    }
}

pub(super) fn odd(what: &str, number: i64) -> sqlx::Error {
    let message: Cow<'static, str> = format!("{number} is no {what}").into();
    sqlx::Error::Decode(BoxDynError::from(message))
}

#[cfg(test)]
mod tests {
    use super::{fingerprint, split_key, text};

    #[test]
    fn a_long_key_is_split_between_characters() {
        let key = format!("{}ü{}", "a".repeat(1023), "b".repeat(10));
        let (head, rest) = split_key(&key);
        assert_eq!(head.len(), 1023);
        assert_eq!(head + &rest, key);
        assert_eq!(split_key("org,example)/"), ("org,example)/".to_owned(), String::new()));
    }

    #[test]
    fn the_character_nul_is_replaced() {
        assert_eq!(text("a\0b"), "a\u{FFFD}b");
        assert_eq!(fingerprint("a\0b"), fingerprint("a\u{FFFD}b"));
        assert_ne!(fingerprint("a"), fingerprint("b"));
    }
}
