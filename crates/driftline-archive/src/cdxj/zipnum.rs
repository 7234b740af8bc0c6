//! Blocks of an index in gzip, and the index of the blocks: `ZipNum`, for indexes of billions of lines.
//!
//! The index of the blocks (`.idx`) has a line for each: its first key and time, then, after tabs, the name of a
//! file, and offset and length of the block in it. WACZ writes the same as JSON, and names the file in a `!meta`
//! line. A table beside it (`.loc`) may say where the files are; here they stand beside it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::lines::{Lines, unpacked};
use super::{BadLine, Line};

/// A block of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The first key in it, with its time.
    pub first: String,
    /// The name of its file.
    pub part: String,
    /// Where it begins.
    pub offset: u64,
    /// How long it is.
    pub length: u64,
}

/// Blocks, in the order of their keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Blocks {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The numbers of lines that are none.
    pub bad: Vec<u64>,
}

/// The longest block; usual are 3,000 lines.
const MOST_BLOCK: u64 = 256 << 20;
/// The longest line of the index of blocks.
const MOST_LINE: u64 = 1 << 20;

impl Blocks {
    /// Reads the index of blocks.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(mut input: impl BufRead) -> io::Result<Self> {
        let mut found = Self::default();
        let mut part = String::new();
        for number in 1.. {
            let mut bytes = Vec::new();
            if input.by_ref().take(MOST_LINE).read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_end();
            if let Some(meta) = text.strip_prefix("!meta") {
                let meta = meta.find('{').and_then(|at| serde_json::from_str::<Value>(&meta[at..]).ok());
                part = meta.and_then(|meta| meta["filename"].as_str().map(str::to_owned)).unwrap_or_default();
                continue;
            }
            match Block::parse(text, &part) {
                Some(block) => found.blocks.push(block),
                None if text.is_empty() => {}
                None => found.bad.push(number),
            }
        }
        Ok(found)
    }

    /// The blocks that may have lines of this key.
    #[must_use]
    pub fn of_key(&self, key: &str) -> &[Block] {
        let end = self.blocks.partition_point(|block| block.first_key() <= key);
        let start = self.blocks.partition_point(|block| block.first_key() < key);
        // All that begin alike: cdxj-indexer ends an index with an empty block that repeats the key of the last one.
        let before = self.blocks[..start].last().map_or(key, Block::first_key);
        let start = self.blocks.partition_point(|block| block.first_key() < before);
        &self.blocks[start..end]
    }
}

impl Block {
    /// The key of its first line.
    fn first_key(&self) -> &str {
        self.first.split(' ').next().unwrap_or_default()
    }

    fn parse(text: &str, part: &str) -> Option<Self> {
        if let Some(at) = text.find('{') {
            let fields: Value = serde_json::from_str(&text[at..]).ok()?;
            let (offset, length) = (fields["offset"].as_u64()?, fields["length"].as_u64()?);
            return Some(Self { first: text[..at].trim_end().to_owned(), part: part.to_owned(), offset, length });
        }
        let mut words = text.split('\t');
        let (first, part) = (words.next()?.to_owned(), words.next()?.to_owned());
        Some(Self { first, part, offset: words.next()?.parse().ok()?, length: words.next()?.parse().ok()? })
    }

    /// The lines of the block. `index` is where the index of blocks is.
    ///
    /// # Errors
    /// If its file is not there, or cannot be read.
    pub fn lines(&self, index: &Path) -> io::Result<impl Iterator<Item = Result<Line, BadLine>> + use<>> {
        let mut file = File::open(self.path(index))?;
        file.seek(SeekFrom::Start(self.offset))?;
        let input = unpacked(BufReader::new(file.take(self.length.min(MOST_BLOCK))))?;
        Ok(Lines::new(BufReader::new(input.take(MOST_BLOCK))))
    }

    /// Where its file is: beside the index, by its name or with the usual ending, or called as the index is.
    pub(crate) fn path(&self, index: &Path) -> PathBuf {
        let name = Path::new(&self.part).file_name().unwrap_or_default();
        let beside = [index.with_file_name(name), index.with_file_name(name).with_added_extension("cdx.gz")];
        beside.into_iter().find(|path| path.is_file()).unwrap_or_else(|| index.with_extension("cdx.gz"))
    }
}

#[cfg(test)]
mod tests {
    use super::Blocks;

    #[test]
    fn both_ways_to_write_an_index_of_blocks_are_read() {
        let tabs = "com,a)/ 2014\tpart\t0\t10\t1\nnonsense\ncom,c)/ 2014\tpart\t10\t20\t2\n";
        let json = "!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"part\"}\ncom,a)/ 2014 {\"offset\": 0, \"length\": 10}\n\ncom,c)/ 2014 {\"offset\": 10, \"length\": 20}\n";
        let tabs = Blocks::read(tabs.as_bytes()).unwrap();
        assert_eq!(tabs.bad, [2]);
        assert_eq!(Blocks::read(json.as_bytes()).unwrap().blocks, tabs.blocks);
        let starts = |key| tabs.of_key(key).iter().map(|block| block.offset).collect::<Vec<_>>();
        assert_eq!(
            (starts("com,"), starts("com,b)/"), starts("com,c)/"), starts("org,")),
            (vec![], vec![0], vec![0, 10], vec![10])
        );
    }
    #[test]
    fn an_empty_block_at_the_end_hides_no_lines() {
        let index = "com,a)/ 2014\tpart\t0\t10\t1\ncom,c)/ 2014\tpart\t10\t20\t2\ncom,c)/ 2014\tpart\t30\t20\t3\n";
        let blocks = Blocks::read(index.as_bytes()).unwrap();
        let starts = |key| blocks.of_key(key).iter().map(|block| block.offset).collect::<Vec<_>>();
        assert_eq!((starts("com,d)/"), starts("com,c)/")), (vec![10, 30], vec![0, 10, 30]));
    }
}
