//! Who links to whom, and since when? Link databases of repeated crawls, and the novelty of their pages.
//!
//! A [`Series`] is a folder; each [`Snapshot`] in it holds one crawl: its addresses, what became of each, and its
//! links in both directions, compressed. A crawl gets in by a [`SnapshotBuilder`](add::SnapshotBuilder): the
//! [rows](add::Row) of its tables and archives are taken down and sorted outside of memory, and the snapshot appears by
//! one rename. [`novelty`] says which of its pages are new.

pub mod add;
pub mod export;
pub mod novelty;
pub mod series;
pub mod snapshot;
mod sort;
pub mod tables;

pub use series::Series;
pub use snapshot::Snapshot;
