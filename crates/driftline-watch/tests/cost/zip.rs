//! A zip file written by hand, with entries that no honest program writes.

use std::io::Write;

/// A file in a zip, packed already.
#[derive(Clone)]
pub(crate) struct Entry {
    name: String,
    packed: Vec<u8>,
    size: usize,
    checksum: u32,
    /// Does it have no bytes of its own, but those of the entry before it?
    is_shared: bool,
}

impl Entry {
    /// A file that is deflated.
    pub(crate) fn deflated(name: &str, bytes: &[u8]) -> Self {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        let mut checksum = flate2::Crc::new();
        checksum.update(bytes);
        let packed = encoder.finish().unwrap();
        Self { name: name.to_owned(), packed, size: bytes.len(), checksum: checksum.sum(), is_shared: false }
    }

    /// A further name for the same bytes.
    pub(crate) fn again(&self, name: &str) -> Self {
        Self { name: name.to_owned(), is_shared: true, ..self.clone() }
    }
}

/// The bytes of a zip.
pub(crate) fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut out, mut list, mut start) = (Vec::new(), Vec::new(), 0);
    for entry in entries {
        let name_length = u16::try_from(entry.name.len()).unwrap().to_le_bytes();
        let mut about = b"\x14\0\0\0\x08\0\0\0\0\0".to_vec();
        for number in [entry.checksum, long(entry.packed.len()), long(entry.size)] {
            about.extend_from_slice(&number.to_le_bytes());
        }
        about.extend_from_slice(&name_length);
        if !entry.is_shared {
            start = out.len();
            out.extend_from_slice(b"PK\x03\x04");
            out.extend_from_slice(&about);
            out.extend_from_slice(&[0, 0]);
            out.extend_from_slice(entry.name.as_bytes());
            out.extend_from_slice(&entry.packed);
        }
        list.extend_from_slice(b"PK\x01\x02\x14\0");
        list.extend_from_slice(&about);
        list.extend_from_slice(&[0; 12]);
        list.extend_from_slice(&long(start).to_le_bytes());
        list.extend_from_slice(entry.name.as_bytes());
    }
    let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
    let (length, start) = (long(list.len()).to_le_bytes(), long(out.len()).to_le_bytes());
    out.extend_from_slice(&list);
    for part in [b"PK\x05\x06\0\0\0\0".as_slice(), &count, &count, &length, &start, &[0, 0]] {
        out.extend_from_slice(part);
    }
    out
}

fn long(number: usize) -> u32 {
    number.try_into().unwrap()
}
