//! How is a small number written in few bytes? Seven bits a byte, the last one without the highest bit.
//!
//! Sorted numbers are small as differences: [`Deltas`] writes them, [`Summed`] reads them.

use std::io::{self, BufRead, Write};

/// 64 bits need so many bytes at most.
const LONGEST: usize = 10;

pub(crate) fn write(mut number: u64, to: &mut impl Write) -> io::Result<()> {
    let mut bytes = [0; LONGEST];
    let mut length = 0;
    while number >= 0x80 {
        bytes[length] = number as u8 | 0x80;
        number >>= 7;
        length += 1;
    }
    bytes[length] = number as u8;
    to.write_all(&bytes[..=length])
}

pub(crate) fn read(from: &mut impl BufRead) -> io::Result<u64> {
    let ready = from.fill_buf()?;
    // Mostly all of it is there.
    if let Some((number, length)) = first(ready) {
        from.consume(length);
        return Ok(number);
    }
    let mut bytes = [0; LONGEST];
    for length in 0..LONGEST {
        from.read_exact(&mut bytes[length..=length])?;
        if let Some((number, _)) = first(&bytes[..=length]) {
            return Ok(number);
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "a number is longer than 64 bits"))
}

/// The number that some bytes begin with, and its length; none if it is cut off or too long.
fn first(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut number = 0;
    for (place, byte) in bytes.iter().take(LONGEST).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * place);
        if *byte < 0x80 {
            return Some((number, place + 1));
        }
    }
    None
}

/// Writes numbers that never fall.
#[derive(Debug)]
pub(crate) struct Deltas<W> {
    to: W,
    last: u64,
    count: u64,
}

impl<W: Write> Deltas<W> {
    pub(crate) fn new(to: W) -> Self {
        Self { to, last: 0, count: 0 }
    }

    pub(crate) fn push(&mut self, number: u64) -> io::Result<()> {
        debug_assert!(number >= self.last, "numbers fall");
        write(number - self.last, &mut self.to)?;
        self.last = number;
        self.count += 1;
        Ok(())
    }

    /// What they were written to, and how many they are.
    pub(crate) fn finish(self) -> (W, u64) {
        (self.to, self.count)
    }
}

/// Reads so many numbers that never fall.
#[derive(Debug)]
pub(crate) struct Summed<R> {
    from: R,
    last: u64,
    left: u64,
}

impl<R> Summed<R> {
    pub(crate) fn new(from: R, count: u64) -> Self {
        Self { from, last: 0, left: count }
    }
}

impl<R: BufRead> Iterator for Summed<R> {
    type Item = io::Result<u64>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let number = read(&mut self.from).map(|delta| self.last.wrapping_add(delta));
        if let Ok(number) = number {
            self.last = number;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::{Deltas, Summed};

    proptest! {
        #[test]
        fn sorted_numbers_come_back_through_buffers_of_any_size(
            mut numbers in prop::collection::vec(prop_oneof![any::<u64>(), 0..300_u64], 0..50),
            buffer in 1..20_usize,
        ) {
            numbers.sort_unstable();
            let mut deltas = Deltas::new(Vec::new());
            numbers.iter().for_each(|number| deltas.push(*number).unwrap());
            let (bytes, count) = deltas.finish();
            let mut reader = BufReader::with_capacity(buffer, bytes.as_slice());
            let read: Vec<_> = Summed::new(&mut reader, count).map(Result::unwrap).collect();
            prop_assert_eq!(read, numbers);
            prop_assert!(super::read(&mut reader).is_err());
        }
    }

    #[test]
    fn a_number_that_never_ends_is_an_error() {
        assert!(super::read(&mut [0xff_u8; 40].as_slice()).is_err());
    }
}
