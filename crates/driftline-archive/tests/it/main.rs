//! The integration tests of the archive, in one program.
//!
//! `crash` and `disk` stay apart: they start themselves as the process that is killed or that has a disk of its own.

mod arc_reader;
mod archive;
mod collections;
mod crawl_links;
mod import;
mod import_monitors;
mod object_store;
mod peers;
mod pieces;
mod real_archives;
mod real_indexes;
mod retention;
mod revisits;
mod stored_changes;
mod support;
mod verify_imported;
mod warc_reader;
