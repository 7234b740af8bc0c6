//! When did pages really appear? From a file, for those that the series knows.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use driftline::novelty::url::Canonical;
use driftline::time::Time;
use driftline_graph::Series;
use driftline_graph::snapshot::Number;
use flate2::bufread::MultiGzDecoder;

use crate::tell;

/// A longer line is none of an address and a time.
const LONGEST_LINE: u64 = 64 * 1024;

/// When pages appeared, by the number of their address.
#[derive(Debug)]
pub(super) struct KnownBirths {
    by_number: HashMap<Number, Time>,
}

impl KnownBirths {
    /// Reads lines of address, tab, time. A first line that names its columns is left out; what else cannot be read is
    /// counted and told.
    pub(super) fn read(file: &Path, series: &Series) -> Result<Self> {
        let name = file.display();
        let mut lines = open(file).with_context(|| format!("cannot open `{name}`"))?;
        let (mut by_number, mut skipped, mut number, mut line) = (HashMap::new(), 0_u64, 0_u64, Vec::new());
        loop {
            line.clear();
            let length = lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
            if length.with_context(|| format!("cannot read `{name}`"))? == 0 {
                break;
            }
            number += 1;
            match std::str::from_utf8(&line).ok().and_then(birth) {
                Some((url, time)) => {
                    if let Some(number) = series.number_of(url.key())? {
                        by_number.insert(number, time);
                    }
                }
                None if number == 1 || line.trim_ascii().is_empty() => {}
                None => skipped += 1,
            }
        }
        if skipped > 0 {
            let lines = if skipped == 1 { "1 line".to_owned() } else { format!("{skipped} lines") };
            tell::warning(format_args!("{lines} of `{name}` without an address and a time left out"));
        }
        ensure!(
            !by_number.is_empty(),
            "`{name}` says of no page of the series when it appeared\nhint: its lines are address, tab, time: https://example.org/\t2019-03-01"
        );
        Ok(Self { by_number })
    }

    /// When the page of an address appeared, if that is known.
    pub(super) fn of(&self, number: Number) -> Option<Time> {
        self.by_number.get(&number).copied()
    }
}

/// Plain or gzipped, by its first bytes.
fn open(file: &Path) -> std::io::Result<Box<dyn BufRead>> {
    let mut reader = BufReader::new(File::open(file)?);
    let is_gzip = reader.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if is_gzip { Box::new(BufReader::new(MultiGzDecoder::new(reader))) } else { Box::new(reader) })
}

fn birth(line: &str) -> Option<(Canonical, Time)> {
    let mut cells = line.trim_end_matches(['\r', '\n']).split('\t');
    let (url, time) = (cells.next()?, cells.next()?);
    Some((Canonical::of(url)?, time.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_address_and_a_time() {
        let (url, time) = birth("https://example.org/a\t2019-03-01T00:00:00Z\tmore\r\n").unwrap();
        assert_eq!((url.key(), time), ("org.example/a", "2019-03-01".parse().unwrap()));
        for none in ["url\tbirth", "https://example.org/", "https://example.org/\tlong ago", "mailto:me\t2019"] {
            assert!(birth(none).is_none(), "{none}");
        }
    }
}
