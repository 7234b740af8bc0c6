//! What did the pages say, in a few bytes each? Sketches of those whose content is known, by node.
//!
//! One record each: node (`u32`, little-endian) and sketch. A look-up is a binary search.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use driftline::novelty::sketch::Sketch;
use webgraph::utils::MmapHelper;

use super::{Node, mapped};

/// The file of a snapshot's folder.
pub(super) const FILE: &str = "sketches";

const RECORD: usize = 4 + Sketch::SIZE;

/// The sketches of a snapshot, mapped.
#[derive(Debug)]
pub struct Sketches {
    bytes: MmapHelper<u8>,
}

impl Sketches {
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        let bytes = mapped::bytes(&folder.join(FILE))?;
        if !bytes.len().is_multiple_of(RECORD) {
            return Err(mapped::damaged(format!("it has {} bytes, not a multiple of {RECORD}", bytes.len())));
        }
        Ok(Self { bytes })
    }

    /// Are they in the order of nodes, and all of nodes that there are? Who has classes by node relies on it.
    pub(super) fn admit(&self, nodes: u32) -> io::Result<()> {
        let mut next = Node::new(0);
        for (node, _) in self.iter() {
            if node < next || node.get() >= nodes {
                return Err(mapped::damaged(format!("the sketch of node {node} is out of place")));
            }
            next = node.next();
        }
        Ok(())
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / RECORD
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sketch of a node.
    #[must_use]
    pub fn get(&self, node: Node) -> Option<Sketch> {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from.midpoint(to);
            let (own, sketch) = record(self.at(middle));
            match own.cmp(&node) {
                std::cmp::Ordering::Equal => return Some(sketch),
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        None
    }

    /// All of them, by node.
    pub fn iter(&self) -> impl Iterator<Item = (Node, Sketch)> + '_ {
        self.bytes.as_ref().chunks_exact(RECORD).map(record)
    }

    fn at(&self, place: usize) -> &[u8] {
        &self.bytes.as_ref()[place * RECORD..(place + 1) * RECORD]
    }
}

fn record(bytes: &[u8]) -> (Node, Sketch) {
    let node = bytes[..4].iter().rev().fold(0, |node, &byte| node << 8 | u32::from(byte));
    let sketch = std::array::from_fn(|place| bytes[4 + place]);
    (Node::new(node), Sketch::from_bytes(&sketch))
}

/// Writes sketches, in node order.
#[derive(Debug)]
pub(crate) struct SketchesWriter {
    path: PathBuf,
    out: BufWriter<File>,
    last: Option<Node>,
}

impl SketchesWriter {
    /// Makes the file in a snapshot's folder.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn create(folder: &Path) -> io::Result<Self> {
        let path = folder.join(FILE);
        Ok(Self { out: BufWriter::new(driftline_files::create(&path)?), path, last: None })
    }

    /// The sketch of a node after those before.
    ///
    /// # Errors
    /// If it cannot be written, or is out of order.
    pub(crate) fn push(&mut self, node: Node, sketch: &Sketch) -> io::Result<()> {
        if self.last.is_some_and(|last| last >= node) {
            return Err(io::Error::other("sketches are out of order"));
        }
        self.last = Some(node);
        self.out.write_all(&node.get().to_le_bytes())?;
        self.out.write_all(&sketch.to_bytes())
    }

    /// Waits until all is on disk; without a sketch there is no file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(self) -> io::Result<()> {
        if self.last.is_none() {
            return std::fs::remove_file(self.path);
        }
        self.out.into_inner()?.sync_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(seed: u8) -> Sketch {
        Sketch::from_bytes(&std::array::from_fn(|place| (place as u8).wrapping_mul(3).wrapping_add(seed)))
    }

    #[test]
    fn what_was_written_is_found_by_node() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = SketchesWriter::create(folder.path()).unwrap();
        (0..100).for_each(|place| writer.push(Node::new(place * 3 + 1), &sketch(place as u8)).unwrap());
        assert!(writer.push(Node::new(5), &sketch(0)).is_err());
        writer.finish().unwrap();
        let read = Sketches::open(folder.path()).unwrap();
        let expected = |rank: u32| (rank % 3 == 1 && rank < 300).then(|| sketch((rank / 3) as u8));
        assert!(Node::first(400).all(|node| read.get(node) == expected(node.get())));
        assert!(read.iter().eq((0..100).map(|place| (Node::new(place * 3 + 1), sketch(place as u8)))));
    }

    #[test]
    fn a_sketch_of_no_node_and_one_out_of_order_are_damage() {
        let folder = tempfile::tempdir().unwrap();
        let of = |nodes: [u32; 2]| {
            let records = nodes.map(|node| [&node.to_le_bytes()[..], &sketch(1).to_bytes()[..]].concat()).concat();
            std::fs::write(folder.path().join(FILE), records).unwrap();
            Sketches::open(folder.path()).unwrap().admit(5).is_ok()
        };
        assert_eq!([[0, 4], [4, 5], [4, u32::MAX], [1, 1], [2, 0]].map(of), [true, false, false, false, false]);
    }

    #[test]
    fn without_sketches_there_is_no_file_and_half_a_record_is_damage() {
        let folder = tempfile::tempdir().unwrap();
        SketchesWriter::create(folder.path()).unwrap().finish().unwrap();
        assert!(!folder.path().join(FILE).exists());
        std::fs::write(folder.path().join(FILE), [0; RECORD + 1]).unwrap();
        assert!(Sketches::open(folder.path()).is_err());
    }
}
