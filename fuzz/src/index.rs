//! Any bytes are read as a URL, as lines of CDXJ and of CDX in any columns, as an index of blocks, and as a WACZ file.

use std::hint::black_box;
use std::io::Cursor;
use std::path::Path;

use driftline_archive::cdxj::{Digests, Index, Line, Lines, zipnum};
use driftline_archive::wacz::Wacz;
use driftline_archive::warc::Reader;
use driftline_catalog::surt;

/// One run.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let key = surt::key(&text);
    assert!(key == text || key.is_ascii(), "a key is in ASCII, or what it was");
    assert!(Lines::new(bytes).count() <= bytes.len() + 1);
    // The first line of a CDX says what its columns are; without one there are eleven or nine.
    for columns in ["", " CDX N b a m s k r M S V g\n", " CDX a b\n"] {
        let lines = [columns.as_bytes(), bytes].concat();
        for line in Lines::new(lines.as_slice()).flatten() {
            let written = line.to_string();
            assert!(!written.contains('\n') && Line::parse(&written).is_some_and(|own| own.key == line.key));
        }
    }
    let _ = black_box(zipnum::Blocks::read(bytes).map(|blocks| blocks.of_key(&key).len()));
    let _ = black_box(Wacz::read(Cursor::new(bytes), Path::new("a.wacz")));
    for indexed in Index::new(Reader::new(bytes), "a.warc", Digests::Computed).flatten() {
        assert!(indexed.line.offset.is_some_and(|offset| offset <= bytes.len() as u64));
    }
}
