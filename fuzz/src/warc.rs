//! Any bytes are read as an archive, as a whole and in parts, and what stands in its records as HTTP.
//!
//! The first byte chooses what stands before the rest.

use std::hint::black_box;
use std::io::Cursor;

use driftline_archive::http::Response;
use driftline_archive::warc::{self, Reader};

const LIMIT: usize = 1 << 12;

/// One run.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    let openings: [&[u8]; 8] = [
        b"",
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 50\r\n\r\n",
        b"\x1f\x8b\x08\0",
        b"WARC/1.1\r\n",
        b"filedesc://x.arc 0.0.0.0 20010101000000 text/plain 76\n1 0 X\nURL\n\nhttp://a.org/ 1.2.3.4 2001 x 5\n",
        b"\x04\x22\x4d\x18",
        b"\x28\xb5\x2f\xfd",
        b"\x5d\x2a\x4d\x18\x04\0\0\0dict",
    ];
    let file = [openings[usize::from(choice) % openings.len()], rest].concat();
    let mut reader = Reader::new(file.as_slice());
    let mut steps = 0;
    while let Some(record) = reader.next() {
        steps += 1;
        assert!(steps <= 2 * file.len() + 2, "every step reads something");
        if let Ok(record) = record {
            assert!(record.place.offset <= file.len() as u64);
            assert!(record.length == 0 || !reader.head_bytes().is_empty());
            let body = reader.body(LIMIT).map(|body| body.bytes).unwrap_or_default();
            assert!(body.len() <= LIMIT);
            let page = Response::parse(&body, LIMIT / 2);
            assert!(page.is_ok_and(|page| page.body.len() <= LIMIT / 2) || !body.starts_with(b"HTTP/1.1 200 OK\r\n"));
            if let (true, Some(extent)) = (choice & 0x80 != 0, reader.finish()) {
                assert_eq!(extent.offset, record.place.offset);
                assert!(extent.offset + extent.length <= file.len() as u64);
            }
        }
    }
    let starts = warc::starts(&mut Cursor::new(&file), 3).unwrap_or_default();
    assert!(starts.is_sorted() && starts.len() <= 3);
    let _ = black_box(Response::parse(rest, LIMIT));
}
