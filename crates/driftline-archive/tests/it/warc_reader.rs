//! Does the reader find all records, however they are packed, and those behind the damage in a broken file?

use std::io::{self, BufRead, Cursor, Read, Write};

use driftline_archive::warc::{self, Error, Extent, Kind, Packing, Reader};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

use crate::support::gzip;

fn record(number: usize, body: &str) -> Vec<u8> {
    let length = body.len();
    let head =
        format!("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: <urn:{number}>\r\nContent-Length: {length}");
    format!("{head}\r\n\r\n{body}\r\n\r\n").into_bytes()
}

fn lz4(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Frames of zstd, and before them their dictionary in a frame that is skipped, compressed itself.
fn with_dictionary(records: &[Vec<u8>]) -> Vec<u8> {
    let dictionary = records[0].as_slice();
    let packed = zstd::encode_all(dictionary, 3).unwrap();
    let length = u32::try_from(packed.len()).unwrap().to_le_bytes();
    let mut file = [b"\x5d\x2a\x4d\x18".as_slice(), &length, &packed].concat();
    for record in records {
        let mut encoder = zstd::Encoder::with_dictionary(Vec::new(), 3, dictionary).unwrap();
        encoder.write_all(record).unwrap();
        file.extend(encoder.finish().unwrap());
    }
    file
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
    let lz4: Vec<u8> = records.iter().flat_map(|record| lz4(record)).collect();
    let with_dictionary = with_dictionary(&records);
    for packed in [plain.clone(), by_record, gzip(&plain), by_block, frames, unix, lz4, with_dictionary] {
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
fn all_bytes_of_a_record_are_known_when_it_is_finished() {
    let (records, mut expected, mut file) = (records(), Vec::new(), Vec::new());
    for record in &records {
        let member = gzip(record);
        expected.push(Extent { offset: file.len() as u64, length: member.len() as u64 });
        file.extend(member);
    }
    let mut reader = Reader::new(file.as_slice());
    for (record, expected) in records.iter().zip(&expected) {
        reader.next().unwrap().unwrap();
        let head = record.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        assert_eq!(reader.head_bytes(), &record[..head]);
        assert_eq!(reader.packing(), Packing::Gzip);
        assert_eq!(reader.finish(), Some(*expected));
    }
    assert!(reader.next().is_none());
    for (shared, is_known) in [(gzip(&records.concat()), false), (records.concat(), true)] {
        let mut reader = Reader::new(shared.as_slice());
        reader.next().unwrap().unwrap();
        assert_eq!(reader.finish().is_some(), is_known, "records in one member have no bytes of their own");
    }
}

#[test]
fn a_large_record_is_read_in_little_memory() {
    const LENGTH: u64 = 128 << 20;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    write!(encoder, "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: {LENGTH}\r\n\r\n").unwrap();
    io::copy(&mut io::repeat(0).take(LENGTH), &mut encoder).unwrap();
    let file = [encoder.finish().unwrap(), gzip(&record(1, "small"))].concat();
    let mut reader = Reader::new(file.as_slice());
    reader.next().unwrap().unwrap();
    let (mut body, mut length, mut largest) = (reader.body_reader(), 0, 0);
    while let count @ 1.. = body.fill_buf().unwrap().len() {
        body.consume(count);
        length += count as u64;
        largest = largest.max(count);
    }
    assert_eq!(length, LENGTH);
    assert!(largest <= 8 << 20, "{largest}");
    assert_eq!(reader.next().unwrap().unwrap().target_uri.as_deref(), Some("urn:1"));
}

#[test]
fn a_body_that_ends_early_is_told_while_it_is_copied() {
    let text = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 50\r\n\r\nbody";
    let mut reader = Reader::new(text.as_bytes());
    reader.next().unwrap().unwrap();
    let mut copy = Vec::new();
    let error = io::copy(&mut reader.body_reader(), &mut copy).unwrap_err();
    assert_eq!((error.kind(), copy.as_slice()), (io::ErrorKind::UnexpectedEof, b"body".as_slice()));
    assert!(reader.next().is_none());
}

/// What warcio takes for a record is one, and what is wrong with it is told behind it.
#[test]
fn a_record_that_is_not_whole_is_told_after_it() {
    let cut = gzip(b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n");
    for (file, kind) in [
        (b"WARC/1.0\r\nWARC-Type: metadata".to_vec(), Kind::Metadata),
        (b"WARC/1.0\r\nWARC-Type: metadata\r\n\r\nbody".to_vec(), Kind::Metadata),
        (b"\r\nno record\r\n".to_vec(), Kind::Other),
        (cut[..cut.len() - 30].to_vec(), Kind::Resource),
    ] {
        let mut reader = Reader::new(file.as_slice());
        let record = reader.next().unwrap().unwrap();
        assert_eq!((record.kind, record.place.offset), (kind, 0));
        assert_eq!(reader.finish(), Some(Extent { offset: 0, length: file.len() as u64 }));
        assert!(matches!(reader.next(), Some(Err(_))));
        assert!(reader.next().is_none());
    }
    let nothing = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.org/\r\nContent-Length: 9\r\n\r\n";
    assert!(matches!(Reader::new(nothing.as_slice()).next(), Some(Err(Error::Truncated { .. }))));
    assert!(matches!(Reader::new(&b"WARC/3.14\r\n"[..]).next(), Some(Err(Error::Malformed { .. }))));
}

/// An archive that was captured itself stands in its member as it is, if it is not compressed further.
#[test]
fn a_part_does_not_begin_within_a_captured_archive() {
    let mut noise = fastrand::Rng::with_seed(5);
    let mut page = || (0..30_000).map(|_| char::from(noise.u8(b' '..b'~'))).collect::<String>();
    let captured: Vec<u8> = (0..40).flat_map(|number| gzip(&record(number, &page()))).collect();
    let mut file = Vec::new();
    for number in 100..103 {
        let length = captured.len();
        let head = format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: urn:{number}\r\nContent-Length: {length}\r\n\r\n"
        );
        let mut stored = GzEncoder::new(Vec::new(), Compression::none());
        stored.write_all(&[head.as_bytes(), &captured, b"\r\n\r\n"].concat()).unwrap();
        file.extend(stored.finish().unwrap());
        for small in 0..20 {
            file.extend(gzip(&record(small, &page())));
        }
    }
    let places: Vec<u64> = Reader::new(file.as_slice()).map(|record| record.unwrap().place.offset).collect();
    for count in 1..20 {
        let starts = warc::starts(&mut Cursor::new(&file), count).unwrap();
        assert!(starts.iter().all(|start| places.contains(start)), "{count}: {starts:?}");
        assert!(count == 1 || starts.len() > 1);
    }
}

#[test]
fn records_in_members_and_without_are_joined() {
    let file: Vec<u8> = records()
        .iter()
        .enumerate()
        .flat_map(|(number, record)| if number % 3 == 1 { gzip(record) } else { record.clone() })
        .collect();
    let (found, errors) = read(&file);
    assert!(found == all() && errors.is_empty(), "{found:?} {errors:?}");
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
    for (bytes, what) in
        [(b"PK\x03\x04...".to_vec(), "a zip archive (WACZ?)"), (b" CDX N b a m s".to_vec(), "a CDX index")]
    {
        let mut reader = Reader::new(bytes.as_slice());
        assert!(matches!(reader.next(), Some(Err(Error::NotWarc { what: told })) if told == what), "{what}");
        assert!(reader.next().is_none());
    }
    assert!(Reader::new(&b""[..]).next().is_none());
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_fail(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        let openings: [&[u8]; 7] = [
            b"",
            b"WARC/1.0\r\n",
            b"filedesc://x.arc 0.0.0.0 20010101000000 text/plain 76\n1 0 X\nURL\n\nhttp://a.org/ 1.2.3.4 2001 x 5\n",
            &[0x1f, 0x8b, 0x08, 0],
            b"\x04\x22\x4d\x18",
            b"\x28\xb5\x2f\xfd",
            b"\x5d\x2a\x4d\x18\x04\0\0\0dict",
        ];
        for opening in openings {
            let file = [opening, bytes.as_slice()].concat();
            read(&file);
            let mut reader = Reader::new(file.as_slice());
            while let Some(record) = reader.next() {
                if let (Ok(record), Some(extent)) = (record, reader.finish()) {
                    prop_assert_eq!(extent.offset, record.place.offset);
                    prop_assert!(extent.offset + extent.length <= file.len() as u64);
                }
            }
            prop_assert!(warc::starts(&mut Cursor::new(&file), 3).is_ok_and(|starts| starts.is_sorted()));
        }
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
