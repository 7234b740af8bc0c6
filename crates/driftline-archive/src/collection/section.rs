//! A part of a file as a file of its own: an archive within a WACZ file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes of a file from one place to another.
pub(super) struct Section {
    file: File,
    start: u64,
    length: u64,
    position: u64,
}

impl Section {
    pub(super) fn new(file: File, (start, length): (u64, u64)) -> io::Result<Self> {
        let mut section = Self { file, start, length, position: 0 };
        section.rewind()?;
        Ok(section)
    }
}

impl Read for Section {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let rest = self.length.saturating_sub(self.position);
        let count = self.file.by_ref().take(rest).read(to)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for Section {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        let place = position.and_then(|position| self.start.checked_add(position));
        let place = place.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "before the beginning"))?;
        self.file.seek(SeekFrom::Start(place))?;
        self.position = place - self.start;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn only_its_own_bytes_are_read() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"before own after").unwrap();
        let mut section = Section::new(file, (7, 3)).unwrap();
        assert_eq!(io::read_to_string(&mut section).unwrap(), "own");
        for (to, expected) in [(SeekFrom::End(-1), "n"), (SeekFrom::Current(-2), "wn"), (SeekFrom::Start(9), "")] {
            section.seek(to).unwrap();
            assert_eq!(io::read_to_string(&mut section).unwrap(), expected, "{to:?}");
        }
        assert!(section.seek(SeekFrom::End(-4)).is_err());
    }
}
