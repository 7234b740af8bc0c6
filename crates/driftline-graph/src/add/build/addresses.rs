//! Which addresses are there? The keys of all blocks, merged into one list.
//!
//! A block's places become places of the list in the same order; which ones is kept in a file beside it, as
//! differences. If there are more blocks than can be read at once, some are merged into longer lists first, and places
//! are told through both.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};

use super::bits::Bits;
use super::{Block, Build};
use crate::add::AddError;
use crate::add::keys::{Keys, KeysWriter, READER_BYTES, Section};
use crate::add::known::Known;
use crate::sort::varint::{Deltas, Summed};
use crate::sort::{MOST_RUNS, Merge};

const PHASE: &str = "merging addresses";
/// Places of the list beside each block are written in pieces of so many bytes.
const WRITE_BUFFER: usize = 1 << 13;

/// All addresses that any source names, in order.
pub(super) struct Addresses {
    /// Their keys, with what is known of each.
    pub(super) keys: List,
    /// W.
    pub(super) crawled: Bits,
    /// V, as far as it does not depend on links.
    pub(super) in_v: Bits,
    lists: Vec<List>,
}

/// A sorted list of keys in a file.
pub(super) struct List {
    path: PathBuf,
    section: Section,
    /// The list that it was merged into, by its number, and the file that tells where its keys are there.
    merged: Option<(usize, PathBuf)>,
}

/// The number of the list that all are merged into in the end.
const LAST: usize = usize::MAX;

impl Addresses {
    pub(super) fn merge(build: &Build<'_>, work: &Path, blocks: &[Block]) -> Result<Self, AddError> {
        let list = |block: &Block| List { path: block.path.clone(), section: block.written.keys, merged: None };
        let mut lists: Vec<_> = blocks.iter().map(list).collect();
        let fan_in = (build.budget / 2 / READER_BYTES).clamp(2, MOST_RUNS);
        let mut top: Vec<usize> = (0..lists.len()).collect();
        while top.len() > fan_in {
            // As few as needed, so that the rest is merged at once.
            let group: Vec<_> = top.drain(..fan_in.min(top.len() - fan_in + 1)).collect();
            let number = lists.len();
            let merged = merge(build, work, &mut lists, &group, number, |_, _| {})?;
            remove(&lists, &group, blocks.len());
            lists.push(merged);
            top.push(number);
        }
        let (mut crawled, mut in_v) = (Bits::default(), Bits::default());
        let keys = merge(build, work, &mut lists, &top, LAST, |place, known| {
            crawled.push(place, known.page.is_some());
            in_v.push(place, known.page.is_some() || known.is_listed);
        })?;
        remove(&lists, &top, blocks.len());
        Ok(Self { keys, crawled, in_v, lists })
    }

    /// The places in the list of a block's addresses.
    pub(super) fn places(&self, block: usize) -> io::Result<Vec<u32>> {
        let mut places: Vec<u32> = self.lists[block].places()?.collect::<io::Result<_>>()?;
        let mut list = self.lists[block].merged_into();
        while let Some(outer) = list.and_then(|number| self.lists.get(number)) {
            let mut through = outer.places()?;
            let mut next = 0;
            for place in &mut places {
                // Places only grow, and so does this.
                let skip = *place as usize - next;
                next = *place as usize + 1;
                *place = through.nth(skip).unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into()))?;
            }
            list = outer.merged_into();
        }
        Ok(places)
    }
}

impl List {
    /// Reads its keys.
    pub(super) fn open(&self) -> io::Result<Keys> {
        Keys::open(&self.path, self.section)
    }

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        self.section.items as u32
    }

    fn merged_into(&self) -> Option<usize> {
        self.merged.as_ref().map(|(list, _)| *list)
    }

    fn places(&self) -> io::Result<impl Iterator<Item = io::Result<u32>>> {
        let (_, path) = self.merged.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let places = Summed::new(BufReader::new(File::open(path)?), self.section.items);
        Ok(places.map(|place| place.map(|place| place as u32)))
    }
}

/// Makes room: lists that were merged again are not needed any more. Those of blocks are in the harvests.
fn remove(lists: &[List], merged: &[usize], blocks: usize) {
    for own in merged.iter().filter(|own| **own >= blocks) {
        // If that fails, it goes with the folder.
        _ = fs::remove_file(&lists[*own].path);
    }
}

/// Merges some lists into one of this number; tells of each key what is known.
fn merge(
    build: &Build<'_>,
    work: &Path,
    lists: &mut [List],
    group: &[usize],
    number: usize,
    each: impl FnMut(u32, &Known),
) -> Result<List, AddError> {
    let failed = |what| build.staging.failed(what);
    let mut maps = Vec::new();
    for own in group {
        let path = work.join(format!("places-{own}"));
        let file = driftline_files::create(&path).map_err(failed("write into"))?;
        maps.push(Deltas::new(BufWriter::with_capacity(WRITE_BUFFER, file)));
        lists[*own].merged = Some((number, path));
    }
    let runs = group.iter().map(|own| lists[*own].open()).collect::<io::Result<_>>();
    let runs = Merge::new(runs.map_err(failed("read the harvests in"))?);
    let total = group.iter().map(|own| lists[*own].section.items).sum();
    let path = work.join(format!("keys-{number}"));
    let section = write(build, &path, runs, &mut maps, total, each).map_err(failed("merge addresses in"))?;
    for map in maps {
        map.finish().0.into_inner().map_err(|error| failed("write into")(error.into_error()))?;
    }
    if u32::try_from(section.items).is_err() {
        return Err(AddError::TooManyAddresses);
    }
    Ok(List { path, section, merged: None })
}

fn write(
    build: &Build<'_>,
    path: &Path,
    mut runs: Merge<Keys>,
    maps: &mut [Deltas<BufWriter<File>>],
    total: u64,
    mut each: impl FnMut(u32, &Known),
) -> io::Result<Section> {
    let mut to = BufWriter::new(driftline_files::create(path)?);
    let mut done = 0;
    let section = Section::write(&mut to, |encoder| {
        let mut writer = KeysWriter::new(encoder);
        let mut key = Vec::new();
        while let Some(head) = runs.head() {
            key.clear();
            key.extend_from_slice(head);
            let mut known = Known::default();
            let place = writer.count();
            while runs.head() == Some(&key) {
                build.tell_some(PHASE, done, total);
                done += 1;
                known.unite(runs.first().take_known());
                maps[runs.winner()].push(place)?;
                runs.advance()?;
            }
            // More than 32 bits can count are refused in the end.
            if let Ok(place) = u32::try_from(place) {
                each(place, &known);
            }
            writer.push(&key, &known)?;
        }
        Ok(writer.count())
    })?;
    to.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(section)
}
