//! Is every whole record found and nothing else, wherever a segment is torn?

use std::io::Write;

use super::{Packing, has_record, last_row, row};
use crate::Time;
use crate::warc::Kind;
use crate::warc::write::NewRecord;

const PACKINGS: [Packing; 2] = [Packing::Gzip, Packing::Zstd];

fn record(kind: Kind, body: &[u8], packing: Packing) -> Vec<u8> {
    let mut bytes = Vec::new();
    let record = NewRecord::new(kind, Time::default()).with("WARC-Target-URI", "http://example.org/").unwrap();
    packing.pack(&mut record.whole(body, &[]).reader(), &mut bytes).unwrap();
    bytes
}

/// Three captures and what is known of each, packed; the ends of all records, and whether they hold a capture.
fn segment(packing: Packing) -> (Vec<u8>, Vec<(u64, bool)>) {
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    for kind in [Kind::Resource, Kind::Metadata, Kind::Resource, Kind::Metadata, Kind::Resource] {
        bytes.extend(record(kind, b"a: b\r\n", packing));
        ends.push((bytes.len() as u64, kind == Kind::Resource));
    }
    (bytes, ends)
}

fn file(bytes: &[u8]) -> std::fs::File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn noise(length: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(1);
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

#[test]
fn a_segment_cut_at_any_byte_keeps_its_whole_records() {
    for packing in PACKINGS {
        let (bytes, ends) = segment(packing);
        let file = file(&bytes);
        for length in 0..=bytes.len() as u64 {
            let found = row(&file, packing, 0, length).unwrap();
            let whole: Vec<_> = ends.iter().filter(|(end, _)| *end <= length).collect();
            assert_eq!(found.end, whole.last().map_or(0, |(end, _)| *end));
            assert_eq!(found.captures.len(), whole.iter().filter(|(_, is_capture)| *is_capture).count());
            assert!(!has_record(&file, packing, found.end + 1, length).unwrap());
        }
    }
}

#[test]
fn any_byte_that_is_wrong_costs_one_record() {
    for packing in PACKINGS {
        let (bytes, ends) = segment(packing);
        let length = bytes.len() as u64;
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 0x55;
            let file = file(&wrong);
            let first = row(&file, packing, 0, length).unwrap();
            let hit = ends.iter().position(|(end, _)| at < *end as usize).unwrap();
            // Some bytes of a head mean nothing to what is in it, such as gzip's time and zstd's window.
            if first.end == length {
                continue;
            }
            let rest = last_row(&file, packing, first.end + 1, length).unwrap();
            let captures = first.captures.len() + rest.as_ref().map_or(0, |rest| rest.captures.len());
            assert_eq!(captures, 3 - usize::from(ends[hit].1), "byte {at} of {packing:?}");
            assert_eq!(rest.is_some(), hit < 4, "byte {at} of {packing:?}");
            assert!(rest.is_none_or(|rest| rest.start == ends[hit].0));
        }
    }
}

#[test]
fn a_record_within_a_page_is_no_record() {
    for packing in PACKINGS {
        let forged = record(Kind::Resource, b"a lie", packing);
        // As a damaged page stands there that could not be compressed.
        let page = [noise(5_000), forged.clone(), noise(5_000)].concat();
        let inside = 5_000;
        let behind = record(Kind::Metadata, b"a: b", packing);
        let bytes = [page.as_slice(), &behind].concat();
        let file = file(&bytes);
        let length = bytes.len() as u64;
        assert_eq!(row(&file, packing, 0, length).unwrap().end, 0);
        // It is there for whoever looks, even at the end of what a crash left.
        let torn = (inside + forged.len()) as u64;
        assert!(has_record(&file, packing, 1, torn).unwrap());
        let rest = last_row(&file, packing, 1, length).unwrap().unwrap();
        assert_eq!((rest.start, rest.captures.len()), (page.len() as u64, 0));
    }
}

#[test]
fn a_page_cannot_reach_over_its_end() {
    // A record whose long head swallows the end of the page and the head of the next record, so that the row goes on.
    let next = record(Kind::Metadata, b"a: b", Packing::Gzip);
    let forged = record(Kind::Resource, b"a lie", Packing::Gzip);
    let lead = |swallowed: u16| [&[0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0][..], &swallowed.to_le_bytes()].concat();
    let page =
        |swallowed| record(Kind::Resource, &[noise(5_000), forged.clone(), lead(swallowed)].concat(), Packing::Gzip);
    let inside = memchr::memmem::find(&page(9), &forged).unwrap();
    let swallowed = page(9).len() - inside - forged.len() - 12 + 10;
    let mut bytes = [page(u16::try_from(swallowed).unwrap()), next].concat();
    let start = memchr::memmem::find(&bytes, &forged).unwrap() as u64;
    bytes[100] ^= 1;
    let (file, length) = (file(&bytes), bytes.len() as u64);
    assert_eq!(row(&file, Packing::Gzip, start, length).unwrap().end, length, "the forgery is good");
    assert!(last_row(&file, Packing::Gzip, 1, length).unwrap().is_none_or(|row| row.captures.is_empty()));
}
