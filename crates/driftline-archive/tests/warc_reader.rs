//! Does the reader find all records, however they are packed, and those behind the damage in a broken file?

use std::io::Write;

use driftline_archive::warc::{Error, Kind, Reader};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

fn record(number: usize, body: &str) -> Vec<u8> {
    let length = body.len();
    let head =
        format!("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: <urn:{number}>\r\nContent-Length: {length}");
    format!("{head}\r\n\r\n{body}\r\n\r\n").into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Ten records with bodies that do not compress well.
fn records() -> Vec<Vec<u8>> {
    let noise = |seed: usize| (0..400).map(move |at| format!("{:x}", (at + seed * 7) * 2_654_435_761 % 65_521));
    (0..10).map(|number| record(number, &noise(number).collect::<String>())).collect()
}

/// The addresses of all records whose body is whole, and all errors.
fn read(bytes: &[u8]) -> (Vec<usize>, Vec<Error>) {
    let mut reader = Reader::new(bytes);
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    while let Some(record) = reader.next() {
        match record.and_then(|record| Ok((record, reader.body(1 << 20)?))) {
            Ok((record, body)) => {
                let number: Option<usize> = record.target_uri.and_then(|uri| uri.strip_prefix("urn:")?.parse().ok());
                found.extend(number.filter(|_| !body.is_cut));
            }
            Err(error) => errors.push(error),
        }
    }
    (found, errors)
}

fn all() -> Vec<usize> {
    (0..10).collect()
}

#[test]
fn packing_does_not_matter() {
    let records = records();
    let plain = records.concat();
    let by_record: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    let by_block: Vec<u8> = plain.chunks(1_000).flat_map(gzip).collect();
    let frames: Vec<u8> = records.iter().flat_map(|record| zstd::encode_all(record.as_slice(), 3).unwrap()).collect();
    let unix = String::from_utf8(plain.clone()).unwrap().replace("\r\n", "\n").into_bytes();
    for packed in [plain.clone(), by_record, gzip(&plain), by_block, frames, unix] {
        let (found, errors) = read(&packed);
        assert_eq!((found, errors.len()), (all(), 0), "{errors:?}");
    }
}

#[test]
fn a_record_with_a_member_of_its_own_can_be_sought() {
    let packed: Vec<u8> = records().iter().flat_map(|record| gzip(record)).collect();
    for place in Reader::new(packed.as_slice()).map(|record| record.unwrap().place).collect::<Vec<_>>() {
        let rest = &packed[usize::try_from(place.offset).unwrap()..];
        let mut again = Reader::from_offset(rest, place.offset);
        assert_eq!(again.next().unwrap().unwrap().place, place);
        assert_eq!(place.within, 0);
    }
    let together = gzip(&records().concat());
    let places: Vec<_> = Reader::new(together.as_slice()).map(|record| record.unwrap().place).collect();
    assert!(places[1..].iter().all(|place| place.offset == 0 && place.within > 0), "{places:?}");
}

#[test]
fn a_damaged_member_costs_only_itself() {
    let members: Vec<Vec<u8>> = records().iter().map(|record| gzip(record)).collect();
    let middle = members[3].len() / 2;
    let [mut holed, mut headless] = [members[3].clone(), members[3].clone()];
    holed[middle..middle + 8].fill(0xff);
    headless[0] = 0;
    for (number, damaged) in [&members[3][..middle], &members[3][..30], &holed, &headless].into_iter().enumerate() {
        let mut members = members.clone();
        members[3] = damaged.to_vec();
        let (found, errors) = read(&members.concat());
        let expected: Vec<_> = all().into_iter().filter(|&record| record != 3).collect();
        assert_eq!(found, expected, "damage {number}: {errors:?}");
        assert!(!errors.is_empty(), "damage {number}");
    }
}

#[test]
fn a_malformed_record_costs_only_itself() {
    for malformed in
        ["WARC/1.0\r\nWARC-Type: x\r\n\r\n", "WARC/1.0\nContent-Length: -1\n\nbody\n", "nonsense\n", "\0\0\n"]
    {
        let mut records = records();
        records.insert(4, malformed.as_bytes().to_vec());
        let (found, errors) = read(&records.concat());
        assert_eq!((found, errors.len()), (all(), 1), "{malformed:?} {errors:?}");
        assert!(matches!(errors[0], Error::Malformed { .. }));
    }
}

#[test]
fn a_file_that_ends_early_ends_with_an_error() {
    let plain = records().concat();
    let packed: Vec<u8> = records().iter().flat_map(|record| gzip(record)).collect();
    for whole in [plain, packed] {
        for end in (whole.len() - 400..whole.len() - 100).step_by(3) {
            let (found, errors) = read(&whole[..end]);
            assert_eq!(found, all()[..9], "{end}");
            assert_eq!(errors.len(), 1, "{end}: {errors:?}");
        }
    }
}

#[test]
fn a_length_that_is_not_there_needs_no_memory() {
    let text = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999999999999\r\n\r\nbody";
    let mut reader = Reader::new(text.as_bytes());
    let record = reader.next().unwrap().unwrap();
    assert_eq!((record.kind, record.length), (Kind::Response, 99_999_999_999_999));
    let body = reader.body(usize::MAX).unwrap();
    assert_eq!((body.bytes.as_slice(), body.is_cut), (b"body".as_slice(), true));
    assert!(matches!(reader.next(), Some(Err(Error::Truncated { .. }))));
    assert!(reader.next().is_none());
}

#[test]
fn a_body_is_read_as_far_as_asked() {
    let bytes = records().concat();
    let mut reader = Reader::new(bytes.as_slice());
    let length = reader.next().unwrap().unwrap().length;
    let body = reader.body(10).unwrap();
    assert_eq!((body.bytes.len(), body.is_cut), (10, true));
    let rest = reader.body(usize::MAX).unwrap();
    assert_eq!((rest.bytes.len() as u64, rest.is_cut), (length - 10, false));
    assert_eq!(reader.next().unwrap().unwrap().target_uri.as_deref(), Some("urn:1"));
}

#[test]
fn other_files_are_told_by_their_name() {
    for (bytes, what) in [
        (gzip(b"filedesc://x.arc 0.0.0.0 1 text/plain 2\n1"), "an ARC file"),
        (b"PK\x03\x04...".to_vec(), "a zip archive (WACZ?)"),
        (b" CDX N b a m s".to_vec(), "a CDX index"),
    ] {
        let mut reader = Reader::new(bytes.as_slice());
        assert!(matches!(reader.next(), Some(Err(Error::NotWarc { what: told })) if told == what), "{what}");
        assert!(reader.next().is_none());
    }
    assert!(Reader::new(&b""[..]).next().is_none());
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_fail(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        read(&bytes);
        read(&[b"WARC/1.0\r\n".as_slice(), &bytes].concat());
        read(&[&[0x1f, 0x8b, 0x08, 0], bytes.as_slice()].concat());
    }

    #[test]
    fn no_damage_makes_the_reader_fail(hits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        for mut bytes in [records().concat(), records().iter().flat_map(|record| gzip(record)).collect()] {
            for (at, byte) in &hits {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            let (found, errors) = read(&bytes);
            prop_assert!(found.len() + errors.len() <= 10 + 20 * 2, "{found:?} {errors:?}");
        }
    }
}
