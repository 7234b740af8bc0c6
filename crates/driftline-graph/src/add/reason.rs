//! Why does something of a crawl not count? One list for archives and tables, as reports have it before a number:
//! `damaged records: 3`.
//!
//! Two things must not be mixed up. A crawl holds pictures, answers 404 and links to `mailto:`; that is as it should be.
//! A record that cannot be read is not: there the snapshot lacks something.

/// A WACZ file that is no ZIP, or has no archives in it.
pub const BAD_WACZ: &str = "WACZ files that cannot be opened";
/// A file that is something else than its name says.
pub const NOT_WARC: &str = "files that are no WARC files";
/// A record whose head cannot be understood.
pub const MALFORMED: &str = "malformed records";
/// A record that cannot be unpacked.
pub const DAMAGED: &str = "damaged records";
/// The file ends in the middle of a record.
pub const TORN: &str = "files that end in the middle of a record";
/// A part of a record in several files.
pub const IN_PIECES: &str = "pieces of records";
/// An answer that is none of HTTP's.
pub const NOT_HTTP: &str = "answers that are no HTTP";
/// Metadata of WAT that are longer than any should be.
pub const LONG_METADATA: &str = "metadata that are too long";
/// Metadata of WAT that are no JSON.
pub const BAD_METADATA: &str = "metadata that cannot be read";
/// A redirect whose target is missing or no address.
pub const NOWHERE: &str = "redirects that lead nowhere";
/// A body that cannot be unpacked.
pub const CODED: &str = "pages in a coding that is unknown or damaged";
/// A page of which the beginning counts.
pub const CUT: &str = "pages that are too long or torn, of which the beginning counts";
/// A page whose address is none of the web's.
pub const PAGE: &str = "pages without a web address";
/// A redirect of which one end is no address of the web.
pub const REDIRECT: &str = "redirects without a web address";
/// A row of a table of which the same holds.
pub const ROW: &str = "rows without a web address";
/// A row without any address.
pub const NO_ADDRESS: &str = "rows without an address";
/// An address longer than any is.
pub const LONG_ADDRESS: &str = "rows with an address of more than 8 KiB";
/// A row with bytes that are no text.
pub const NOT_TEXT: &str = "rows that are not UTF-8";
/// A row that does not fit the names of the columns.
pub const ODD_ROW: &str = "rows with more or fewer cells than columns";
/// A row that does not say whether the page was crawled.
pub const ODD_CRAWLED: &str = "rows whose `crawled` is neither 0 nor 1";
/// A time in a row; the page counts without it.
pub const ODD_TIME: &str = "times that cannot be read";
/// A link whose page is not among those crawled.
pub const NOT_CRAWLED: &str = "links of pages that were not crawled";

/// An answer that is no page: a picture, a script, data.
pub const NOT_A_PAGE: &str = "answers that are no page (type)";
/// An answer 4xx or 5xx.
pub const ERROR: &str = "answers without a page (status)";
/// An answer with a status that is neither; tables do not tell them apart.
pub const OTHER: &str = ERROR;
/// What was made from other records of the crawl.
pub const CONVERTED: &str = "records that were converted from others";
/// A link to what is not on the web: `mailto:`, `javascript:`.
pub const LINK: &str = "links to other than web addresses";
/// A page that was crawled and found unchanged; what it was is not told.
pub const NO_ORIGINAL: &str = "revisits whose links are not in their file";

const ORDINARY: [&str; 5] = [NOT_A_PAGE, ERROR, CONVERTED, LINK, NO_ORIGINAL];

/// Is this as it should be in a crawl, so that nothing is lacking?
#[must_use]
pub fn is_ordinary(reason: &str) -> bool {
    ORDINARY.contains(&reason)
}
