//! What of a source fits into memory at once? A block: its addresses, each once, and links between them.
//!
//! A block is written sorted, and its links name addresses by their places in it. So a build only has to merge the
//! keys of all blocks: places stay in order when they become nodes, and no link is ever compared by its addresses.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Seek, Write};

use driftline::novelty::sketch::Sketch;
use driftline::novelty::url::Canonical;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::keys::{KeysWriter, Section};
use super::known::{Known, Page};
use crate::sort::varint::Deltas;

/// A block is not larger, so that its places and the bytes of its keys can be counted in 32 bits.
pub(super) const MOST_BYTES: usize = 1 << 30;

/// A place in a block in the order of coming.
type Id = u32;

/// What was read and is not written yet.
pub(super) struct Block {
    /// Keys one after the other, and where each ends.
    keys: Vec<u8>,
    ends: Vec<u32>,
    table: HashTable<Id>,
    /// Addresses are made by others: the seed keeps them from colliding on purpose.
    seed: u64,
    known: Vec<Mention>,
    pages: Vec<(Id, Page)>,
    sketches: usize,
    /// Source and target, in 32 bits each.
    links: Vec<u64>,
    /// From and to.
    redirects: Vec<u64>,
}

/// How an address was named that was not crawled.
#[derive(Debug, Clone, Copy, Default)]
struct Mention {
    is_listed: bool,
    is_bare: bool,
}

/// Where a written block stands in its harvest.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Written {
    pub(super) keys: Section,
    pub(super) links: Section,
    pub(super) redirects: Section,
}

impl Block {
    pub(super) fn new() -> Self {
        Self {
            keys: Vec::new(),
            ends: Vec::new(),
            table: HashTable::new(),
            seed: RandomState::new().build_hasher().finish(),
            known: Vec::new(),
            pages: Vec::new(),
            sketches: 0,
            links: Vec::new(),
            redirects: Vec::new(),
        }
    }

    /// The place of an address, which it gets if it has none.
    pub(super) fn id(&mut self, address: &Canonical) -> Id {
        let Self { keys, ends, table, seed, known, .. } = self;
        let key = address.key().as_bytes();
        let hash = xxh3_64_with_seed(key, *seed);
        let found = table.find(hash, |id| key_of(keys, ends, *id) == key);
        found.copied().unwrap_or_else(|| {
            let id = ends.len() as Id;
            keys.extend_from_slice(key);
            ends.push(keys.len() as u32);
            known.push(Mention::default());
            table.insert_unique(hash, id, |id| xxh3_64_with_seed(key_of(keys, ends, *id), *seed));
            id
        })
    }

    /// An address that a link or a redirect leads to.
    pub(super) fn target(&mut self, address: &Canonical) -> Id {
        let id = self.id(address);
        self.known[id as usize].is_bare |= !address.www();
        id
    }

    pub(super) fn list(&mut self, address: &Canonical) {
        let id = self.target(address);
        self.known[id as usize].is_listed = true;
    }

    pub(super) fn page(&mut self, id: Id, page: Page) {
        self.sketches += usize::from(page.sketch.is_some());
        self.pages.push((id, page));
    }

    pub(super) fn link(&mut self, source: Id, target: Id) {
        self.links.push(pair(source, target));
    }

    pub(super) fn redirect(&mut self, from: Id, to: Id) {
        self.redirects.push(pair(from, to));
    }

    /// What it takes in memory, with room to grow and to be sorted.
    pub(super) fn bytes(&self) -> usize {
        // An end, a mention, an entry of the table with its control byte at a load of 7/16 at worst; to be sorted,
        // its place in both orders.
        let each = 2 * (size_of::<u32>() + size_of::<Mention>()) + 16 + 2 * size_of::<u32>();
        let pages = 2 * self.pages.len() * size_of::<(Id, Page)>() + self.sketches * size_of::<Sketch>();
        2 * self.keys.len() + self.ends.len() * each + pages + 16 * (self.links.len() + self.redirects.len())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Writes it sorted; it is empty then.
    pub(super) fn write(&mut self, to: &mut (impl Write + Seek)) -> io::Result<Written> {
        let Self { keys, ends, known, pages, .. } = self;
        let mut order: Vec<Id> = (0..ends.len() as Id).collect();
        order.sort_unstable_by(|one, other| key_of(keys, ends, *one).cmp(key_of(keys, ends, *other)));
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, id)| places[*id as usize] = place as u32);
        pages.sort_by_key(|(id, _)| places[*id as usize]);
        let mut pages = pages.drain(..).peekable();
        let keys = Section::write(to, |encoder| {
            let mut writer = KeysWriter::new(encoder);
            for id in order {
                let Mention { is_listed, is_bare } = known[id as usize];
                let mut all = Known { is_listed, is_bare, page: None };
                while let Some((_, page)) = pages.next_if(|(own, _)| *own == id) {
                    all.unite(Known { page: Some(page), ..Known::default() });
                }
                writer.push(key_of(keys, ends, id), &all)?;
            }
            Ok(writer.count())
        })?;
        drop(pages);
        let links = write_pairs(to, &mut self.links, &places)?;
        let redirects = write_pairs(to, &mut self.redirects, &places)?;
        self.clear();
        Ok(Written { keys, links, redirects })
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.ends.clear();
        self.table.clear();
        self.known.clear();
        self.sketches = 0;
    }
}

fn key_of<'a>(keys: &'a [u8], ends: &[u32], id: Id) -> &'a [u8] {
    let begin = id.checked_sub(1).map_or(0, |before| ends[before as usize]);
    &keys[begin as usize..ends[id as usize] as usize]
}

/// Two places as one number, which sorts as they do.
pub(super) fn pair(one: u32, other: u32) -> u64 {
    u64::from(one) << 32 | u64::from(other)
}

/// The two places again.
pub(super) fn parts(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

/// Writes pairs as places in sorted order. Repetitions stay, so that counts do not depend on where blocks end.
fn write_pairs(to: &mut (impl Write + Seek), pairs: &mut Vec<u64>, places: &[u32]) -> io::Result<Section> {
    for own in pairs.iter_mut() {
        let (one, other) = parts(*own);
        *own = pair(places[one as usize], places[other as usize]);
    }
    pairs.sort_unstable();
    let section = Section::write(to, |encoder| {
        let mut deltas = Deltas::new(encoder);
        pairs.iter().try_for_each(|pair| deltas.push(*pair))?;
        Ok(deltas.finish().1)
    });
    pairs.clear();
    section
}
