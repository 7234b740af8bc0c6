//! Which archives need reading through, and what stands in them?

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io;
use std::path::PathBuf;

use rayon::prelude::*;
use tempfile::NamedTempFile;

use super::entries::{Entries, Entry, Gathered, Kind};
use super::files::{Files, Room, unpack};
use super::indexes::{Named, entry_of, read_index};
use super::list::{Listed, OpenError, list};
use super::{Collection, Piece, Readers, Skips, Source, scan};
use crate::cdxj::{Digests, Index, Indexed, NoLine};
use crate::warc::{self, Reader};

pub(super) fn open(
    paths: &[PathBuf],
    readers: Readers,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<(Collection, Skips), OpenError> {
    let mut skips = Skips::default();
    let Listed { mut archives, indexes } = list(paths, &mut skips)?;
    let mut gathered = Gathered::default();
    let mut named = Named::new(&archives);
    for (path, form) in &indexes {
        read_index(path, *form, &mut named, &mut gathered, &mut skips);
        advance(path.metadata().map_or(0, |about| about.len()));
    }
    archives.extend(named.found);
    let rest: Vec<_> = (0..).zip(&archives).filter(|(number, _)| !named.indexed.contains(number)).collect();
    let odd = read_all(&rest, readers, advance, &mut gathered, &mut skips);
    let room = Room::default();
    let unpack = |number| (number, unpack_all(&archives[number as usize], &room));
    let unpacked: Vec<_> = odd.into_par_iter().map(unpack).collect();
    let mut files = Files::new(archives);
    for (number, (found, file)) in unpacked {
        gathered.take(number, found.entries);
        skips.append(found.skips);
        if let Some(file) = file {
            files.set_unpacked(number, file);
        }
    }
    if let (Some(told), Some(path)) = (gathered.left_out(), paths.first()) {
        skips.push(path, told);
    }
    skips.sort();
    Ok((Collection { files, entries: Entries::new(gathered) }, skips))
}

/// What stands in an archive, or in a piece of one.
#[derive(Default)]
struct Found {
    entries: Vec<(Box<str>, Entry)>,
    skips: Skips,
    /// Can its records not be sought?
    is_odd: bool,
}

/// Reads archives through. What comes back are those whose records cannot be sought.
fn read_all(
    archives: &[(u32, &Source)],
    readers: Readers,
    advance: &(dyn Fn(u64) + Sync),
    gathered: &mut Gathered,
    skips: &mut Skips,
) -> BTreeSet<u32> {
    let mut odd = BTreeSet::new();
    // What is wrong with an archive is told when it is unpacked, if it has to be.
    let mut own = (0, Skips::default());
    let mut take = |at: usize, found: Found| {
        let (file, _) = archives[at];
        if own.0 != file {
            skips.append(std::mem::take(&mut own.1));
            own.0 = file;
        }
        if found.is_odd {
            odd.insert(file);
            own.1 = Skips::default();
        } else if !odd.contains(&file) {
            gathered.take(file, found.entries);
            own.1.append(found.skips);
        }
        Ok::<_, Infallible>(())
    };
    let sources = archives.iter().map(|&(_, source)| source);
    let Ok(()) = scan(sources, readers, |piece| read_piece(piece, advance), &mut take);
    skips.append(own.1);
    gathered.drop_files(&odd);
    odd
}

fn read_piece(piece: &Piece<'_>, advance: &(dyn Fn(u64) + Sync)) -> Found {
    let source = piece.source();
    let mut found = Found::default();
    let index = source.is_seekable().and_then(|is_seekable| {
        found.is_odd = !is_seekable;
        piece.index(Digests::Computed, advance)
    });
    match index {
        Ok(index) if !found.is_odd => found.read(index, source),
        Ok(_) => advance(source.size()),
        Err(error) => found.skips.push(source.path(), error),
    }
    found
}

/// Unpacks an archive into a file that comes back, and reads that.
fn unpack_all(source: &Source, room: &Room) -> (Found, Option<NamedTempFile>) {
    let (mut found, mut skips) = (Found::default(), Skips::default());
    let unpacked = unpack(source, room, &mut skips).and_then(|unpacked| {
        found.read(Index::new(Reader::new(unpacked.reopen()?), source.name(), Digests::Computed), source);
        io::Result::Ok(unpacked)
    });
    let unpacked = unpacked.map_err(|error| skips.push(source.path(), error)).ok();
    // Places in the unpacked file would tell nobody anything.
    (Found { skips, ..found }, unpacked)
}

impl Found {
    fn read<R: io::Read>(&mut self, index: Index<R>, source: &Source) {
        for indexed in index {
            match indexed {
                Ok(Indexed { line, kind }) => {
                    let kind = match kind {
                        warc::Kind::Response => Kind::Response,
                        warc::Kind::Resource => Kind::Resource,
                        warc::Kind::Revisit => Kind::Revisit,
                        _ => continue,
                    };
                    if let (Some(url), Some(offset)) = (&line.url, line.offset) {
                        self.entries.push((url.as_str().into(), entry_of(&line, offset, 0, kind)));
                    }
                }
                Err(NoLine::NotSeekable { .. }) => {
                    self.is_odd = true;
                    return;
                }
                Err(error) => self.skips.push(source.path(), error),
            }
        }
    }
}
