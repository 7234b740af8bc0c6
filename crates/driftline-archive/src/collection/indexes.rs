//! What do indexes tell? Where captures stand, in archives that are listed or stand beside them.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::Skips;
use driftline::page::BodyKind;

use super::entries::{Entry, Gathered, Kind, digest_hash};
use super::files::Source;
use super::list::Form;
use crate::cdxj::zipnum::{self, Block};
use crate::cdxj::{self, BadLine, Line};

/// The archives that indexes name.
pub(super) struct Named {
    /// By their names, the archives that are listed or were found.
    numbers: HashMap<String, u32>,
    /// Those that were not listed.
    pub(super) found: Vec<Source>,
    listed: usize,
    /// Those that an index has lines of.
    pub(super) indexed: HashSet<u32>,
    /// Those that are nowhere, which is told once.
    missing: HashSet<String>,
}

impl Named {
    pub(super) fn new(archives: &[Source]) -> Self {
        // Members of WACZ files have an index of their own, and names such as `data.warc.gz`.
        let own = archives
            .iter()
            .zip(0..)
            .filter(|(source, _)| source.name() == source.path().file_name().unwrap_or_default().to_string_lossy());
        let numbers = own.map(|(source, number)| (source.name(), number)).collect();
        Self { numbers, found: Vec::new(), listed: archives.len(), indexed: HashSet::new(), missing: HashSet::new() }
    }

    /// The archive of this name: one that is listed, or one beside the index or in `archive` beside its folder.
    fn number(&mut self, name: &str, index: &Path) -> Option<u32> {
        let name = name.rsplit('/').next().unwrap_or(name);
        if let Some(&number) = self.numbers.get(name) {
            self.indexed.insert(number);
            return Some(number);
        }
        if self.missing.contains(name) || name.is_empty() {
            return None;
        }
        let beside = index.with_file_name(name);
        let apart = index.parent().map(|folder| folder.with_file_name("archive").join(name));
        let Some(path) = [Some(beside), apart].into_iter().flatten().find(|path| path.is_file()) else {
            self.missing.insert(name.to_owned());
            return None;
        };
        let number = u32::try_from(self.listed + self.found.len()).ok()?;
        self.found.push(Source::file(path));
        self.numbers.insert(name.to_owned(), number);
        self.indexed.insert(number);
        Some(number)
    }
}

pub(super) fn read_index(path: &Path, form: Form, named: &mut Named, gathered: &mut Gathered, skips: &mut Skips) {
    let mut take = |line: Result<Line, BadLine>, skips: &mut Skips| match line {
        Ok(line) => take_line(&line, path, named, gathered, skips),
        Err(bad) => skips.push(path, bad),
    };
    if form == Form::Index {
        match cdxj::open(path) {
            Ok(lines) => lines.for_each(|line| take(line, skips)),
            Err(error) => skips.push(path, error),
        }
        return;
    }
    let blocks = File::open(path).and_then(|file| zipnum::Blocks::read(BufReader::new(file)));
    match blocks {
        Ok(blocks) => {
            blocks.bad.iter().for_each(|&number| skips.push(path, BadLine::Malformed { number }));
            for block in apart(&blocks.blocks, path, skips) {
                match block.lines(path) {
                    Ok(lines) => lines.for_each(|line| take(line, skips)),
                    Err(error) => {
                        skips.push(path, format!("the block of `{}` at byte {}: {error}", block.part, block.offset));
                    }
                }
            }
        }
        Err(error) => skips.push(path, error),
    }
}

/// The blocks, none of which has a byte of another: an index that names one of them a million times must not be read a
/// million times.
fn apart<'a>(blocks: &'a [Block], path: &Path, skips: &mut Skips) -> Vec<&'a Block> {
    let mut placed: Vec<(PathBuf, &Block)> = blocks.iter().map(|block| (block.path(path), block)).collect();
    placed.sort_by(|one, other| (&one.0, one.1.offset).cmp(&(&other.0, other.1.offset)));
    let mut apart: Vec<&Block> = Vec::new();
    let mut last: Option<(PathBuf, u64)> = None;
    for (file, block) in placed {
        if last.as_ref().is_some_and(|(own, end)| *own == file && block.offset < *end) {
            skips.push(path, format!("the block of `{}` at byte {} was read already", block.part, block.offset));
            continue;
        }
        // A block of no length is read no further than one byte; its place is taken all the same.
        last = Some((file, block.offset.saturating_add(block.length.max(1))));
        apart.push(block);
    }
    apart
}

fn take_line(line: &Line, path: &Path, named: &mut Named, gathered: &mut Gathered, skips: &mut Skips) {
    let Line { url: Some(url), offset: Some(offset), filename: Some(filename), .. } = line else {
        skips.push(path, format!("the line of `{}` does not say where the capture is", line.key));
        return;
    };
    let was_missing = named.missing.len();
    let Some(file) = named.number(filename, path) else {
        if named.missing.len() > was_missing {
            skips.push(path, format!("`{filename}` is not beside it"));
        }
        return;
    };
    let is_revisit = line.mime.as_deref() == Some("warc/revisit");
    let kind = if is_revisit { Kind::Revisit } else { Kind::Response };
    gathered.push(url, entry_of(line, *offset, file, kind));
}

pub(super) fn entry_of(line: &Line, offset: u64, file: u32, kind: Kind) -> Entry {
    let status = line.status_code().unwrap_or(0);
    let is_other = |mime: &String| kind != Kind::Revisit && BodyKind::from_content_type(mime).is_none();
    Entry {
        at: line.at,
        offset,
        digest: line.digest.as_deref().map_or(0, digest_hash),
        url: 0,
        file,
        status,
        kind,
        is_typed: line.mime.is_some(),
        is_other: line.mime.as_ref().is_some_and(is_other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_is_named_often_is_read_once() {
        let block = |part: &str, offset, length| Block { first: String::new(), part: part.to_owned(), offset, length };
        let mut blocks = vec![block("a", 10, 5), block("a", 0, 10), block("a", 12, 9), block("./a", 0, 10)];
        blocks.extend((0..1_000).map(|number| block(&number.to_string(), 0, 10)));
        let mut skips = Skips::default();
        let read: Vec<_> =
            apart(&blocks, Path::new("nowhere/all.idx"), &mut skips).iter().map(|own| own.offset).collect();
        // None of the files is there, so all of them are the one that is called as the index is.
        assert_eq!((read, skips.count()), (vec![0, 10], 1_002));
    }
}
