//! Where in `x` does the word of a row stand? Bit masks, block by block.

use crate::degree::vocabulary::WordId;

/// No number: the word does not stand in `x`, or is not frequent.
const ABSENT: u32 = u32::MAX;

/// A word that stands in more than one of this many blocks gets a mask for every block: its rows
/// are then computed without asking block by block, which is four times faster.
const FREQUENT: usize = 3;

/// The bits of one block of columns in which a word stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    pub(super) block: u32,
    pub(super) mask: u64,
}

/// Where the word of a row stands.
#[derive(Debug)]
pub(super) enum Places<'a> {
    /// Nowhere in `x`.
    None,
    /// In these blocks, by rising number.
    Few(&'a [Entry]),
    /// In many blocks: the masks of all.
    Many(&'a [u64]),
}

/// A word of `x`.
#[derive(Debug, Clone, Copy)]
struct Word {
    /// Its entries are `entries[start..end]`.
    start: u32,
    end: u32,
    /// The first entry that the band has not left behind.
    cursor: u32,
    /// Which row of `dense` is its own, if it is frequent, else [`ABSENT`].
    dense: u32,
}

/// The columns at which each word of `x` stands, and the rows' words in the same numbering.
#[derive(Debug, Default)]
pub(super) struct Columns {
    words: Vec<Word>,
    /// How often each word stands in `x`, less how often it was found in `y`.
    counts: Vec<u32>,
    entries: Vec<Entry>,
    /// Masks of all blocks for each frequent word.
    dense: Vec<u64>,
    blocks: usize,
    /// The number of each row's word, or [`ABSENT`].
    rows: Vec<u32>,
    /// The number of each column's word.
    word_of_column: Vec<u32>,
    /// From word ids to numbers; all [`ABSENT`] between two calls.
    numbers: Vec<u32>,
}

impl Columns {
    /// Takes in the two sequences; the size of their common bag.
    pub(super) fn load(&mut self, x: &[WordId], y: &[WordId]) -> usize {
        self.blocks = x.len().div_ceil(64);
        self.number_words(x, y);
        self.collect_entries();
        self.spread_frequent();
        self.common_bag()
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Forgets what the band left behind.
    pub(super) fn rewind(&mut self) {
        self.words.iter_mut().for_each(|word| word.cursor = word.start);
    }

    /// Where the word of a row stands, from block `lowest` on; `lowest` must not fall between two
    /// calls of [`rewind`](Self::rewind).
    pub(super) fn places(&mut self, row: usize, lowest: usize) -> Places<'_> {
        let number = self.rows[row];
        if number == ABSENT {
            return Places::None;
        }
        let word = &mut self.words[number as usize];
        if word.dense != ABSENT {
            return Places::Many(&self.dense[word.dense as usize * self.blocks..][..self.blocks]);
        }
        let behind = |cursor: u32| cursor < word.end && (self.entries[cursor as usize].block as usize) < lowest;
        while behind(word.cursor) {
            word.cursor += 1;
        }
        Places::Few(&self.entries[word.cursor as usize..word.end as usize])
    }

    /// Numbers the words of `x` densely and finds them in `y`.
    fn number_words(&mut self, x: &[WordId], y: &[WordId]) {
        let highest = [x, y].into_iter().filter_map(|words| words.iter().max()).max();
        let highest = highest.map_or(0, |word| word.index() + 1);
        if self.numbers.len() < highest {
            self.numbers.resize(highest, ABSENT);
        }
        self.counts.clear();
        self.word_of_column.clear();
        self.word_of_column.extend(x.iter().map(|&word| {
            let number = &mut self.numbers[word.index()];
            if *number == ABSENT {
                *number = self.counts.len() as u32;
                self.counts.push(0);
            }
            self.counts[*number as usize] += 1;
            *number
        }));
        self.rows.clear();
        self.rows.extend(y.iter().map(|&word| self.numbers[word.index()]));
        x.iter().for_each(|&word| self.numbers[word.index()] = ABSENT);
    }

    /// One entry for each word and each block it stands in.
    fn collect_entries(&mut self) {
        // Room for one entry an occurrence, or a block if that is less.
        let mut room = 0;
        self.words.clear();
        self.words.extend(self.counts.iter().map(|count| {
            let start = room;
            room += count.min(&(self.blocks as u32));
            Word { start, end: start, cursor: start, dense: ABSENT }
        }));
        self.entries.clear();
        self.entries.resize(room as usize, Entry::default());
        for (column, &number) in self.word_of_column.iter().enumerate() {
            let word = &mut self.words[number as usize];
            let block = (column / 64) as u32;
            let is_new = word.end == word.start || self.entries[word.end as usize - 1].block != block;
            if is_new {
                self.entries[word.end as usize].block = block;
                word.end += 1;
            }
            self.entries[word.end as usize - 1].mask |= 1 << (column % 64);
        }
    }

    /// Gives frequent words a mask for every block.
    fn spread_frequent(&mut self) {
        self.dense.clear();
        for word in &mut self.words {
            let entries = &self.entries[word.start as usize..word.end as usize];
            if entries.len() * FREQUENT > self.blocks && self.blocks > 4 {
                let start = self.dense.len();
                word.dense = (start / self.blocks) as u32;
                self.dense.resize(start + self.blocks, 0);
                entries.iter().for_each(|entry| self.dense[start + entry.block as usize] = entry.mask);
            }
        }
    }

    /// How many words the two sequences have in common, whatever their order.
    fn common_bag(&mut self) -> usize {
        let mut common = 0;
        for &row in self.rows.iter().filter(|&&row| row != ABSENT) {
            let left = &mut self.counts[row as usize];
            common += usize::from(*left > 0);
            *left = left.saturating_sub(1);
        }
        common
    }
}
