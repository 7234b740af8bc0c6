//! `driftline archive cdxj`: the lines of archives, in the order of the files or sorted.

use std::io::{self, BufRead, BufReader, Read, Seek, Write};

use anyhow::{Context, Result, bail};
use driftline_archive::cdxj::{Digests, NoLine, Sorter};
use driftline_archive::collection::{self, Piece, Readers, Skips, Source, scan};
use driftline_archive::warc;

use crate::args::CdxjArgs;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;
use crate::tell;

/// How many bytes of the lines of a piece are kept in memory until it is their turn.
const KEPT: usize = 4 << 20;
/// How many skipped records are told one by one.
const MOST_TOLD: usize = 20;

/// The lines of a piece of an archive, and what has none.
struct Listed {
    lines: tempfile::SpooledTempFile,
    count: u64,
    skips: Skips,
    /// Is it no archive at all?
    is_other: bool,
}

pub(super) fn run(args: &CdxjArgs) -> Result<Exit> {
    let mut skips = Skips::default();
    let sources = collection::sources(&args.files, &mut skips)?;
    if sources.is_empty() && skips.count() == 0 {
        bail!("there is no WARC, ARC or WACZ file among these\nhint: an index (CDX, CDXJ) has lines already");
    }
    let progress = Progress::of_bytes(args.quiet, || sources.iter().map(Source::size).sum());
    let output = Output::new(args.output.as_deref());
    let mut to = Lines { writer: output.writer()?, sorter: args.sort.then(Sorter::default) };
    let (mut lines, mut failed) = (0, skips.count());
    let advance = |bytes| progress.advance_by(bytes);
    scan(
        &sources,
        Readers::default(),
        |piece| list(piece, &advance),
        |number, listed| {
            let listed = listed.with_context(|| format!("cannot read `{}`", sources[number].path().display()))?;
            lines += listed.count;
            failed += u64::from(listed.is_other);
            skips.append(listed.skips);
            to.take(listed.lines).map_err(anyhow::Error::from)
        },
    )?;
    to.finish()?;
    output.keep()?;
    progress.finish();
    tell(&skips, lines);
    Ok(if failed > 0 { Exit::Failed } else { Exit::Same })
}

fn list(piece: &Piece<'_>, advance: &(dyn Fn(u64) + Sync)) -> io::Result<Listed> {
    let lines = tempfile::SpooledTempFile::new(KEPT);
    let mut listed = Listed { lines, count: 0, skips: Skips::default(), is_other: false };
    for indexed in piece.index(Digests::Computed, advance)? {
        match indexed {
            Ok(indexed) => {
                listed.count += 1;
                writeln!(listed.lines, "{}", indexed.line)?;
            }
            Err(error) => {
                listed.is_other |= matches!(error, NoLine::Warc(warc::Error::NotWarc { .. }));
                listed.skips.push(piece.source().path(), error);
            }
        }
    }
    listed.lines.rewind()?;
    Ok(listed)
}

/// Where lines go.
struct Lines {
    writer: Box<dyn Write + Send>,
    sorter: Option<Sorter>,
}

impl Lines {
    fn take(&mut self, mut lines: impl Read) -> io::Result<()> {
        match &mut self.sorter {
            None => io::copy(&mut lines, &mut self.writer).map(drop),
            Some(sorter) => BufReader::new(lines).lines().try_for_each(|line| sorter.push(line?)),
        }
    }

    fn finish(mut self) -> io::Result<()> {
        if let Some(sorter) = self.sorter {
            sorter.finish(|line| writeln!(self.writer, "{line}"))?;
        }
        self.writer.flush()
    }
}

/// Says what was skipped: the first of it one by one, and how much in all.
fn tell(skips: &Skips, lines: u64) {
    for skipped in skips.first().iter().take(MOST_TOLD) {
        tell::warning(skipped);
    }
    let count = skips.count();
    if count > 0 {
        let nouns = [(count, "record"), (lines, "line")]
            .map(|(count, noun)| if count == 1 { noun.to_owned() } else { format!("{noun}s") });
        tell::warning(format_args!("{count} {} skipped; {lines} {} printed", nouns[0], nouns[1]));
    }
}
