//! What became of an address? Crawled or not, when, and what it said of its last change.
//!
//! Three columns one behind the other, so that a pass over who was crawled reads a byte a node: flags (a byte),
//! seconds of the fetch and of the last modification since 1970 (a `u32` each, little-endian).

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use driftline::time::Time;
use webgraph::utils::MmapHelper;

use super::{Node, mapped};

/// The file of a snapshot's folder.
pub(super) const FILE: &str = "status";

const CRAWLED: u8 = 1;
const WWW: u8 = 2;
const FETCHED: u8 = 4;
const MODIFIED: u8 = 8;

const SECOND: i64 = 1_000_000;

/// What became of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Status {
    /// It was crawled, not only linked to.
    pub crawled: bool,
    /// It was written with `www.`.
    pub www: bool,
    /// When it was fetched, to the second; from 1970 to 2106.
    pub fetched: Option<Time>,
    /// What it said of its last modification, to the second; from 1970, which stands for all before, to 2106.
    pub last_modified: Option<Time>,
}

/// Seconds since 1970, if they fit.
fn seconds(time: Option<Time>) -> Option<u32> {
    time.and_then(|time| u32::try_from(time.microseconds().div_euclid(SECOND)).ok())
}

/// No crawl is older than 1970: a page that was modified before is as old as one that was modified then.
fn since_1970(time: Option<Time>) -> Option<Time> {
    time.map(|time| time.max(Time::from_microseconds(0)))
}

/// The status of all nodes, mapped.
#[derive(Debug)]
pub(super) struct Statuses {
    nodes: usize,
    bytes: MmapHelper<u8>,
}

/// How long the file is for so many nodes.
pub(super) fn length(nodes: u32) -> u64 {
    9 * u64::from(nodes)
}

impl Statuses {
    pub(super) fn open(folder: &Path, nodes: u32) -> io::Result<Self> {
        let bytes = mapped::bytes(&folder.join(FILE))?;
        if bytes.len() as u64 != length(nodes) {
            return Err(mapped::damaged(format!("it has {} bytes, not {}", bytes.len(), length(nodes))));
        }
        Ok(Self { nodes: nodes as usize, bytes })
    }

    pub(super) fn is_crawled(&self, node: Node) -> bool {
        self.flags(node) & CRAWLED != 0
    }

    pub(super) fn get(&self, node: Node) -> Status {
        let flags = self.flags(node);
        let time = |flag: u8, column: usize| (flags & flag != 0).then(|| self.seconds(node, column));
        let time = |flag, column| time(flag, column).map(|at| Time::from_microseconds(i64::from(at) * SECOND));
        Status {
            crawled: flags & CRAWLED != 0,
            www: flags & WWW != 0,
            fetched: time(FETCHED, 0),
            last_modified: time(MODIFIED, 1),
        }
    }

    fn flags(&self, node: Node) -> u8 {
        let flags = &self.bytes.as_ref()[..self.nodes];
        flags[node.index()]
    }

    fn seconds(&self, node: Node, column: usize) -> u32 {
        let at = self.nodes * (1 + 4 * column) + 4 * node.index();
        let bytes = &self.bytes.as_ref()[at..at + 4];
        bytes.iter().rev().fold(0, |seconds, &byte| seconds << 8 | u32::from(byte))
    }
}

/// Writes the status of a snapshot's nodes, in node order.
#[derive(Debug)]
pub(crate) struct StatusWriter {
    nodes: u32,
    written: u32,
    flags: BufWriter<File>,
    fetched: BufWriter<File>,
    modified: BufWriter<File>,
}

impl StatusWriter {
    /// Makes the file in a snapshot's folder, for so many nodes.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn create(folder: &Path, nodes: u32) -> io::Result<Self> {
        let path = folder.join(FILE);
        let flags = driftline_files::create(&path)?;
        flags.set_len(length(nodes))?;
        let column = |from: u64| {
            let mut file = File::options().write(true).open(&path)?;
            file.seek(SeekFrom::Start(from * u64::from(nodes)))?;
            io::Result::Ok(BufWriter::new(file))
        };
        let (fetched, modified) = (column(1)?, column(5)?);
        Ok(Self { nodes, written: 0, flags: BufWriter::new(flags), fetched, modified })
    }

    /// The status of the next node. Times that cannot be kept are forgotten, but for old last modifications.
    ///
    /// # Errors
    /// If it cannot be written, or there were so many nodes already.
    pub(crate) fn push(&mut self, status: &Status) -> io::Result<()> {
        if self.written == self.nodes {
            return Err(io::Error::other("a status too many"));
        }
        self.written += 1;
        let (fetched, modified) = (seconds(status.fetched), seconds(since_1970(status.last_modified)));
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let flags = flag(status.crawled, CRAWLED)
            | flag(status.www, WWW)
            | flag(fetched.is_some(), FETCHED)
            | flag(modified.is_some(), MODIFIED);
        self.flags.write_all(&[flags])?;
        self.fetched.write_all(&fetched.unwrap_or_default().to_le_bytes())?;
        self.modified.write_all(&modified.unwrap_or_default().to_le_bytes())
    }

    /// Waits until all is on disk.
    ///
    /// # Errors
    /// If it cannot be written, or there were fewer nodes.
    pub(crate) fn finish(self) -> io::Result<()> {
        if self.written < self.nodes {
            return Err(io::Error::other(format!("{} of {} statuses were written", self.written, self.nodes)));
        }
        for column in [self.fetched, self.modified, self.flags] {
            column.into_inner()?.sync_all()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn time() -> impl Strategy<Value = Option<Time>> {
        proptest::option::of((0..=u32::MAX).prop_map(|at| Time::from_microseconds(i64::from(at) * SECOND)))
    }

    prop_compose! {
        fn status()(crawled: bool, www: bool, fetched in time(), last_modified in time()) -> Status {
            Status { crawled, www, fetched, last_modified }
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(all in proptest::collection::vec(status(), 0..50)) {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = StatusWriter::create(folder.path(), all.len() as u32).unwrap();
            all.iter().for_each(|status| writer.push(status).unwrap());
            writer.finish().unwrap();
            let read = Statuses::open(folder.path(), all.len() as u32).unwrap();
            let mut nodes = Node::first(all.len() as u32);
            prop_assert_eq!(nodes.clone().map(|node| read.get(node)).collect::<Vec<_>>(), &all[..]);
            prop_assert!(nodes.all(|node| read.is_crawled(node) == all[node.index()].crawled));
        }
    }

    #[test]
    fn a_time_that_does_not_fit_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = StatusWriter::create(folder.path(), 1).unwrap();
        let before_1970 = Some(Time::from_microseconds(-1));
        let after_2106 = Some(Time::from_microseconds((1 << 32) * SECOND));
        writer.push(&Status { fetched: before_1970, last_modified: after_2106, ..Status::default() }).unwrap();
        assert!(writer.push(&Status::default()).is_err());
        writer.finish().unwrap();
        assert_eq!(Statuses::open(folder.path(), 1).unwrap().get(Node::new(0)), Status::default());
    }

    #[test]
    fn a_last_modification_before_1970_is_an_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = StatusWriter::create(folder.path(), 2).unwrap();
        for time in ["19620401", "1970"] {
            writer.push(&Status { last_modified: time.parse().ok(), ..Status::default() }).unwrap();
        }
        writer.finish().unwrap();
        let read = Statuses::open(folder.path(), 2).unwrap();
        assert_eq!([0, 1].map(|rank| read.get(Node::new(rank)).last_modified), [Some(Time::from_microseconds(0)); 2]);
    }

    #[test]
    fn fewer_than_promised_and_a_short_file_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        assert!(StatusWriter::create(folder.path(), 3).unwrap().finish().is_err());
        assert!(Statuses::open(folder.path(), 3).is_ok());
        assert!(Statuses::open(folder.path(), 4).is_err());
    }
}
