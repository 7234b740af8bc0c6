//! The note of a digest that was wrong already when its record was imported: a record `metadata` beside it in its segment,
//! so that a catalog that is rebuilt from the segments knows it too.
//!
//! It says which record it is about, and has one line per digest: what the record states, and what its bytes have.

use driftline_catalog::Time;
use driftline_catalog::digest::Mismatch;

use super::Mismatches;
use crate::warc::write::{NewRecord, fields, target_uri};
use crate::warc::{Kind, Record};

/// The name of its lines.
const WRONG_DIGEST: &str = "wrong-digest";
/// The content type of its block.
const FIELDS: &str = "application/warc-fields";

/// The bytes of a note about a record; none if nothing is wrong, or if the record has no time.
pub(crate) fn note(about: &Record, mismatches: &Mismatches) -> Option<Vec<u8>> {
    let lines: Vec<String> = mismatches.iter().map(|Mismatch { stated, found }| format!("{stated} {found}")).collect();
    if lines.is_empty() {
        return None;
    }
    let block = fields(lines.iter().map(|line| (WRONG_DIGEST, line.as_str()))).ok()?;
    let at: Time = about.date.as_deref()?.parse().ok()?;
    let mut record = NewRecord::new(Kind::Metadata, at);
    for (name, value) in [
        ("WARC-Target-URI", about.target_uri.as_deref().map(target_uri)),
        ("WARC-Refers-To", about.headers.get("WARC-Record-ID").map(str::to_owned)),
        ("Content-Type", Some(FIELDS.to_owned())),
    ] {
        record = value.map_or(Ok(record.clone()), |value| record.with(name, &value)).ok()?;
    }
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut record.whole(&block, &[]).reader(), &mut bytes).ok()?;
    Some(bytes)
}

/// The digests that a note names; none of any other record.
pub(crate) fn noted(record: &Record, block: &[u8]) -> Vec<Mismatch> {
    if record.kind != Kind::Metadata || record.headers.get("Content-Type") != Some(FIELDS) {
        return Vec::new();
    }
    let Ok(text) = std::str::from_utf8(block) else { return Vec::new() };
    let pair = |line: &str| {
        let (stated, found) = line.strip_prefix(WRONG_DIGEST)?.strip_prefix(':')?.trim().split_once(' ')?;
        Some(Mismatch { stated: stated.parse().ok()?, found: found.parse().ok()? })
    };
    text.lines().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warc::Reader;
    use driftline_catalog::digest::Digest;

    fn records(text: &[u8]) -> Vec<(Record, Vec<u8>)> {
        let mut reader = Reader::new(text);
        let mut all = Vec::new();
        while let Some(record) = reader.next() {
            all.push((record.unwrap(), reader.body(1 << 20).unwrap().bytes));
        }
        all
    }

    #[test]
    fn a_note_says_which_digests_were_wrong_and_of_which_record() {
        let text =
            b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n\
            WARC-Target-URI: http://example.org/\r\nContent-Length: 1\r\n\r\na\r\n\r\n";
        let about = records(text).remove(0).0;
        let mismatch = Mismatch { stated: Digest::sha1(b"b"), found: Digest::sha1(b"a") };
        let mismatches = Mismatches { block: Some(mismatch.clone()), payload: None };
        let bytes = note(&about, &mismatches).unwrap();
        let (record, block) = records(&bytes).remove(0);
        assert_eq!(record.headers.get("WARC-Refers-To"), Some("<urn:uuid:1>"));
        assert_eq!(noted(&record, &block), [mismatch]);
        assert_eq!(noted(&about, &block), []);
        assert_eq!(note(&about, &Mismatches::default()), None);
    }
}
