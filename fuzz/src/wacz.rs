//! Any bytes as a WACZ file: it is refused, or its members share no byte and unpack to no more than they may, when they
//! are read too.

use std::fs;
use std::io::{Cursor, Read, sink};
use std::path::Path;

use driftline_archive::wacz::{Member, Wacz};

/// One run.
pub fn run(bytes: &[u8]) {
    let Ok(wacz) = Wacz::read(Cursor::new(bytes), Path::new("any.wacz")) else {
        return;
    };
    let unpacked = wacz.members().iter().filter(|member| !member.is_stored());
    let unpacked = unpacked.fold(0_u64, |sum, member| sum.saturating_add(member.size));
    let mut ranges: Vec<_> = wacz.members().iter().map(Member::range).filter(|range| !range.is_empty()).collect();
    ranges.sort_by_key(|range| range.start);
    assert!(ranges.is_sorted_by(|one, other| one.end <= other.start), "each byte belongs to one member");
    assert!(unpacked <= (256 << 20) + 200 * bytes.len() as u64);
    if !wacz.members().is_empty() {
        read_members(bytes);
    }
}

/// Reads each member of the file: those that are stored in place too.
fn read_members(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("any.wacz");
    fs::write(&path, bytes).expect("a temporary file");
    let wacz = Wacz::open(&path).expect("it is what was read in memory");
    for member in wacz.members() {
        let range = member.range();
        let (whole, middle) = (range.end - range.start, (range.end - range.start) / 2);
        let most = if member.is_stored() { whole } else { member.size };
        let read = count(wacz.open_member(member).expect("the file is there"));
        // A deflated stream may be torn.
        assert!(read.is_none_or(|read| read <= most), "{read:?} of {most} bytes");
        let rest = wacz.open_member_at(member, middle);
        assert_eq!(rest.is_ok(), member.is_stored());
        if let (Ok(rest), Some(read)) = (rest, read) {
            assert_eq!(count(rest), Some(read.saturating_sub(middle)));
        }
    }
}

/// The bytes that are read to the end; none if that fails.
fn count(mut input: Box<dyn Read + Send>) -> Option<u64> {
    std::io::copy(&mut input, &mut sink()).ok()
}
