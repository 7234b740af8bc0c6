//! Any bytes as a WACZ file: it is refused, or its members share no byte and unpack to no more than they may.

#![no_main]

use std::io::Cursor;
use std::path::Path;

use driftline_archive::wacz::Wacz;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(wacz) = Wacz::read(Cursor::new(bytes), Path::new("any.wacz")) else {
        return;
    };
    let unpacked = wacz.members().iter().filter(|member| !member.is_stored());
    let unpacked = unpacked.fold(0_u64, |sum, member| sum.saturating_add(member.size));
    assert!(unpacked <= (256 << 20) + 200 * bytes.len() as u64);
});
