//! Reasons why a record of an archive does not count, besides those of [answers](driftline::novelty::answer).

use driftline::novelty::crawl::SkipReason;

/// A WACZ file that is not a ZIP, or has no archives in it.
pub const BAD_WACZ: SkipReason = SkipReason::lack("WACZ files that cannot be opened");
/// A file that is something else than its name says.
pub const NOT_WARC: SkipReason = SkipReason::lack("files that are not WARC files");
/// A record whose head cannot be understood.
pub const MALFORMED: SkipReason = SkipReason::lack("malformed records");
/// A record that cannot be unpacked.
pub const DAMAGED: SkipReason = SkipReason::lack("damaged records");
/// The file ends in the middle of a record.
pub const TORN: SkipReason = SkipReason::lack("files that end in the middle of a record");
/// A part of a record in several files.
pub const IN_PIECES: SkipReason = SkipReason::lack("pieces of records");
/// An answer that is not HTTP.
pub const NOT_HTTP: SkipReason = SkipReason::lack("answers that are not HTTP");
/// Metadata of WAT that are longer than any should be.
pub const LONG_METADATA: SkipReason = SkipReason::lack("metadata that are too long");
/// Metadata of WAT that are not JSON.
pub const BAD_METADATA: SkipReason = SkipReason::lack("metadata that cannot be read");
/// A body that cannot be unpacked.
pub const CODED: SkipReason = SkipReason::lack("pages in a coding that is unknown or damaged");
/// A page of which the beginning counts.
pub const CUT: SkipReason = SkipReason::lack("pages that are too long or torn, of which the beginning counts");

/// What was made from other records of the crawl.
pub const CONVERTED: SkipReason = SkipReason::ordinary("records that were converted from others");
/// A page that was crawled and found unchanged; its earlier content is not in the file.
pub const NO_ORIGINAL: SkipReason = SkipReason::ordinary("revisits whose links are not in their file");
