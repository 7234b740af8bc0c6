//! Reasons why something of a table or a link does not count, beside those that answers of servers have by
//! [themselves](driftline::novelty::answer::Answer::skip_reason).

use driftline::novelty::crawl::SkipReason;

/// A page whose address is none of the web's.
pub const PAGE: SkipReason = SkipReason::lack("pages without a web address");
/// A redirect of which one end is no address of the web.
pub const REDIRECT: SkipReason = SkipReason::lack("redirects without a web address");
/// A row of a table of which the same holds.
pub const ROW: SkipReason = SkipReason::lack("rows without a web address");
/// A row without any address.
pub const NO_ADDRESS: SkipReason = SkipReason::lack("rows without an address");
/// An address longer than any is.
pub const LONG_ADDRESS: SkipReason = SkipReason::lack("rows with an address of more than 8 KiB");
/// A row with bytes that are no text.
pub const NOT_TEXT: SkipReason = SkipReason::lack("rows that are not UTF-8");
/// A row that does not fit the names of the columns.
pub const ODD_ROW: SkipReason = SkipReason::lack("rows with more or fewer cells than columns");
/// A row that does not say whether the page was crawled.
pub const ODD_CRAWLED: SkipReason = SkipReason::lack("rows whose `crawled` is neither 0 nor 1");
/// A time in a row; the page counts without it.
pub const ODD_TIME: SkipReason = SkipReason::lack("times that cannot be read");
/// A link whose page is not among those crawled.
pub const NOT_CRAWLED: SkipReason = SkipReason::lack("links of pages that were not crawled");
/// A link to what is not on the web: `mailto:`, `javascript:`.
pub const LINK: SkipReason = SkipReason::ordinary("links to other than web addresses");
