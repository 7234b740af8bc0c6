//! An output that is left alone once it has failed.
//!
//! The writer of a zip file tries to finish it when it is dropped, and prints an error of its own if that fails. After a
//! full disk it is told that everything went well: the error that counts has been returned before.

use std::io::{self, Seek, SeekFrom, Write};

/// Passes everything on until the first failure, and nothing after it.
pub(super) struct Abandoned<W> {
    pub(super) output: W,
    has_failed: bool,
    /// Where the next byte would go.
    position: u64,
}

impl<W> Abandoned<W> {
    pub(super) fn new(output: W) -> Self {
        Self { output, has_failed: false, position: 0 }
    }

    fn noted<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        // A call that was interrupted is repeated.
        self.has_failed |= result.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        result
    }
}

impl<W: Write> Write for Abandoned<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = if self.has_failed {
            bytes.len()
        } else {
            let written = self.output.write(bytes);
            self.noted(written)?
        };
        self.position += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.has_failed {
            return Ok(());
        }
        let flushed = self.output.flush();
        self.noted(flushed)
    }
}

impl<W: Seek> Seek for Abandoned<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = if self.has_failed {
            match to {
                SeekFrom::Start(at) => at,
                SeekFrom::Current(by) | SeekFrom::End(by) => self.position.saturating_add_signed(by),
            }
        } else {
            let reached = self.output.seek(to);
            self.noted(reached)?
        };
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor, Seek, SeekFrom, Write};

    use super::super::{About, Writer};

    /// A disk with room for this many bytes; it counts what is tried after it is full.
    struct Disk<'a> {
        file: Cursor<Vec<u8>>,
        room: usize,
        late: &'a mut usize,
    }

    impl Write for Disk<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.file.get_ref().len() + bytes.len() > self.room {
                *self.late += 1;
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.file.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.file.flush()
        }
    }

    impl Seek for Disk<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.file.seek(to)
        }
    }

    /// The library would print what it meets when it is dropped; here it meets nothing.
    #[test]
    fn a_full_disk_is_met_once_and_is_the_error() {
        let written = |room| {
            let mut late = 0;
            let disk = Disk { file: Cursor::default(), room, late: &mut late };
            let mut writer = Writer::new(disk, About::default());
            let added = writer.add_archive("data.warc.gz", [7; 1_000].as_slice());
            let result = added.and_then(|()| writer.finish().map(drop));
            (result, late)
        };
        assert!(written(10_000).0.is_ok());
        for room in (0..2_000).step_by(97) {
            let (result, late) = written(room);
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull, "{room}");
            assert_eq!(late, 1, "{room}");
        }
    }
}
