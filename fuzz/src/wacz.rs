//! Any bytes as a WACZ file: it is refused, or its members share no byte and unpack to no more than they may.

use std::io::Cursor;
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
}
