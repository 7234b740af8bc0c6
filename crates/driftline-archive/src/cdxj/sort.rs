//! Lines in order, however many there are: what does not fit memory goes into temporary files, in order each,
//! which are merged at the end. Equal lines are one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Lines, Seek, Write};

/// How many bytes of lines are kept in memory.
const MOST_BYTES: usize = 64 << 20;
/// How many files are merged at once; a process may open a thousand or so.
const MOST_RUNS: usize = 128;

/// Sorts lines bytewise.
pub struct Sorter {
    lines: Vec<String>,
    bytes: usize,
    most_bytes: usize,
    runs: Vec<File>,
}

impl Default for Sorter {
    fn default() -> Self {
        Self::with_memory(MOST_BYTES)
    }
}

impl Sorter {
    /// Keeps so many bytes of lines in memory.
    #[must_use]
    pub fn with_memory(most_bytes: usize) -> Self {
        Self { lines: Vec::new(), bytes: 0, most_bytes, runs: Vec::new() }
    }

    /// Takes a line, without its end.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, line: String) -> io::Result<()> {
        self.bytes += line.len() + size_of::<String>();
        self.lines.push(line);
        if self.bytes > self.most_bytes {
            self.spill()?;
        }
        Ok(())
    }

    /// Gives all lines in order.
    ///
    /// # Errors
    /// If a temporary file cannot be read, or `take` fails.
    pub fn finish(mut self, mut take: impl FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        if self.runs.is_empty() {
            self.lines.sort_unstable();
            self.lines.dedup();
            return self.lines.iter().try_for_each(|line| take(line));
        }
        self.spill()?;
        merge(self.runs, take)
    }

    fn spill(&mut self) -> io::Result<()> {
        if self.runs.len() == MOST_RUNS {
            let runs = std::mem::take(&mut self.runs);
            self.runs.push(run(|write| merge(runs, write))?);
        }
        self.lines.sort_unstable();
        let lines = std::mem::take(&mut self.lines);
        self.bytes = 0;
        self.runs.push(run(|write| lines.iter().try_for_each(|line| write(line)))?);
        Ok(())
    }
}

/// Writes lines into a temporary file, which then stands at its beginning.
fn run(fill: impl FnOnce(&mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()>) -> io::Result<File> {
    let mut output = BufWriter::new(tempfile::tempfile()?);
    fill(&mut |line| output.write_all(line.as_bytes()).and_then(|()| output.write_all(b"\n")))?;
    let mut written = output.into_inner().map_err(io::IntoInnerError::into_error)?;
    written.rewind()?;
    Ok(written)
}

fn merge(runs: Vec<File>, mut take: impl FnMut(&str) -> io::Result<()>) -> io::Result<()> {
    let mut inputs: Vec<Lines<BufReader<File>>> = runs.into_iter().map(|file| BufReader::new(file).lines()).collect();
    let mut heap = BinaryHeap::new();
    for (number, input) in inputs.iter_mut().enumerate() {
        heap.extend(input.next().transpose()?.map(|line| Reverse((line, number))));
    }
    let mut last: Option<String> = None;
    while let Some(Reverse((line, number))) = heap.pop() {
        if last.as_ref() != Some(&line) {
            take(&line)?;
        }
        last = Some(line);
        heap.extend(inputs[number].next().transpose()?.map(|line| Reverse((line, number))));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Sorter;

    fn sorted(lines: &[String], memory: usize) -> Vec<String> {
        let mut sorter = Sorter::with_memory(memory);
        for line in lines {
            sorter.push(line.clone()).unwrap();
        }
        let mut all = Vec::new();
        sorter
            .finish(|line| {
                all.push(line.to_owned());
                Ok(())
            })
            .unwrap();
        all
    }

    #[test]
    fn little_memory_gives_the_same_order() {
        let mut random = fastrand::Rng::with_seed(5);
        let lines: Vec<_> = (0..5_000).map(|_| format!("com,{})/ é", random.u16(..3_000))).collect();
        let mut expected = lines.clone();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(sorted(&lines, 1 << 30), expected);
        // Runs of about twenty lines, and more of them than are merged at once.
        assert_eq!(sorted(&lines, 800), expected);
    }
}
