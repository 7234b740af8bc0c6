//! Any bytes are read as a WARC file, and what stands in its records as HTTP.
//!
//! The first byte chooses what stands before the rest.

#![no_main]

use std::hint::black_box;

use driftline_archive::http::Response;
use driftline_archive::warc::Reader;
use libfuzzer_sys::fuzz_target;

const LIMIT: usize = 1 << 12;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    let openings: [&[u8]; 4] =
        [b"", b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 50\r\n\r\n", b"\x1f\x8b\x08\0", b"WARC/1.1\r\n"];
    let file = [openings[usize::from(choice) % openings.len()], rest].concat();
    let mut reader = Reader::new(file.as_slice());
    let mut steps = 0;
    while let Some(record) = reader.next() {
        steps += 1;
        assert!(steps <= 2 * file.len() + 2, "every step reads something");
        if let Ok(record) = record {
            assert!(record.place.offset <= file.len() as u64);
            let body = reader.body(LIMIT).map(|body| body.bytes).unwrap_or_default();
            assert!(body.len() <= LIMIT);
            let page = Response::parse(&body, LIMIT / 2);
            assert!(page.is_ok_and(|page| page.body.len() <= LIMIT / 2) || !body.starts_with(b"HTTP/1.1 200 OK\r\n"));
        }
    }
    let _ = black_box(Response::parse(rest, LIMIT));
});
