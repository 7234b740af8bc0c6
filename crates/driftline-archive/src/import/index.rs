//! How do the records come in that an index names? Each from its place, in the archives beside the index.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::records::Reading;
use super::source::{Source, progress};
use super::summary::{Reason, Skip, Summary};
use super::{Error, Run};
use crate::cdxj::zipnum::Blocks;
use crate::cdxj::{self, BadLine, Line};
use crate::warc::Reader;

/// Reads all records that an index names.
pub(super) fn read(run: &Run<'_>, path: &Path) -> Result<Summary, Error> {
    let failed = |error| Error::read(path, error);
    let size = path.metadata().map_err(failed)?.len();
    let mut summary = Summary::default();
    if run.begin(&progress(path, 0, false).map_err(failed)?)?.is_none() {
        run.advance(size);
        return Ok(Summary { unchanged: 1, ..summary });
    }
    for (file, offsets) in places(path, &mut summary)? {
        summary.add(read_places(run, &file, offsets)?);
    }
    run.advance(size);
    run.end(&progress(path, size, true).map_err(failed)?)?;
    Ok(summary)
}

/// The places of records, file by file.
fn places(path: &Path, summary: &mut Summary) -> Result<BTreeMap<PathBuf, Vec<u64>>, Error> {
    let mut places: BTreeMap<PathBuf, Vec<u64>> = BTreeMap::new();
    let mut found: BTreeMap<String, Option<PathBuf>> = BTreeMap::new();
    let name = path.display().to_string();
    let take = &mut |line: Result<Line, String>| {
        let place = line.and_then(|line| {
            line.filename.zip(line.offset).ok_or_else(|| "a line names no file or no place in it".to_owned())
        });
        let (file, offset) = match place {
            Ok(place) => place,
            Err(detail) => return summary.skip(Skip::new(&name, Reason::Malformed, detail)),
        };
        if let Some(file) = found.entry(file.clone()).or_insert_with_key(|file| beside(path, file)) {
            places.entry(file.clone()).or_default().push(offset);
        } else {
            let detail = format!("the archive `{file}` that it names is not beside it");
            summary.skip(Skip::new(&name, Reason::Missing, detail));
        }
    };
    each_line(path, take).map_err(|error| Error::read(path, error))?;
    Ok(places)
}

/// All lines of an index, or of the blocks that an index of blocks names.
fn each_line(path: &Path, take: &mut dyn FnMut(Result<Line, String>)) -> io::Result<()> {
    let told = |bad: BadLine| bad.to_string();
    let mut file = BufReader::new(File::open(path)?);
    if !names_blocks(file.fill_buf()?) {
        cdxj::open(path)?.for_each(|line| take(line.map_err(told)));
        return Ok(());
    }
    let Blocks { blocks, bad } = Blocks::read(file)?;
    bad.into_iter().for_each(|number| take(Err(told(BadLine::Malformed { number }))));
    for block in blocks {
        match block.lines(path) {
            Ok(lines) => lines.for_each(|line| take(line.map_err(told))),
            Err(error) => take(Err(format!("the block of `{}` at byte {}: {error}", block.part, block.offset))),
        }
    }
    Ok(())
}

/// Is this the beginning of an index of blocks (`ZipNum`)?
pub(super) fn names_blocks(start: &[u8]) -> bool {
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut words = line.split(|&byte| byte == b'\t').skip(2);
    let is_number = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    start.starts_with(b"!meta") || words.next().is_some_and(is_number) && words.next().is_some_and(is_number)
}

/// The archive of this name beside an index: in its folder, or where collections of pywb and WACZ have theirs.
fn beside(index: &Path, name: &str) -> Option<PathBuf> {
    // Only the last part counts: a name is not to lead anywhere else.
    let name = name.rsplit(['/', '\\']).next().filter(|name| !matches!(*name, "" | "." | ".."))?;
    let folder = index.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folders = ["", "archive", "warcs", "../archive", "../warcs"];
    folders.iter().map(|other| folder.join(other).join(name)).find(|path| path.is_file())
}

fn read_places(run: &Run<'_>, path: &Path, mut offsets: Vec<u64>) -> Result<Summary, Error> {
    offsets.sort_unstable();
    offsets.dedup();
    let failed = |error| Error::read(path, error);
    let source = Source::whole(path).map_err(failed)?;
    let mut reading = Reading::new(run, &source)?;
    let mut file = File::open(path).map_err(failed)?;
    for offset in offsets {
        if reading.batch.is_full() {
            reading.batch.flush(None)?;
        }
        // The system refuses to look for what is too far away for any file.
        if offset >= source.size() {
            let detail = "the archive ends before the place that the index names";
            reading.batch.skip(Skip::new(&source.name, Reason::Missing, detail).at(offset));
            continue;
        }
        file.seek(SeekFrom::Start(offset)).map_err(failed)?;
        let mut reader = Reader::from_offset(BufReader::new(&file), offset);
        match reader.next() {
            Some(Ok(record)) if record.place.offset == offset => reading.take(&mut reader, &record),
            Some(Err(error)) => reading.fault(&error),
            _ => {
                let detail = "no record begins where the index says";
                reading.batch.skip(Skip::new(&source.name, Reason::Missing, detail).at(offset));
            }
        }
        reading.settle();
    }
    let mut summary = reading.batch.finish(None)?;
    (summary.files, summary.bytes) = (1, source.size());
    Ok(summary)
}
