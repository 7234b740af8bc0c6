//! Notes and warnings about what did not count: what is lacking by file, and what is ordinary in one line.

use std::collections::BTreeMap;

use driftline_archive::derive::links::skip_reason::TORN;
use driftline_graph::add::skip_reason::NOT_CRAWLED;
use driftline_graph::snapshot::About;

use crate::tell;

/// So many files are told one by one.
const MOST_FILES: usize = 10;

pub(super) fn passed_over(about: &About) {
    if !about.left_out.is_empty() {
        tell::note(format_args!(
            "left out, as in every crawl (pictures, errors, revisits): {}",
            counts(&about.left_out)
        ));
    }
    let mut lacking = about.sources.iter().filter(|source| !source.skipped.is_empty());
    for source in lacking.by_ref().take(MOST_FILES) {
        let mut skipped = source.skipped.clone();
        if skipped.remove(TORN.text()).is_some() {
            tell::warning(format_args!("`{}` ends in the middle of a record: what came after is missing", source.path));
        }
        if !skipped.is_empty() {
            tell::warning(format_args!("passed over in `{}`: {}", source.path, counts(&skipped)));
        }
    }
    let more = lacking.count();
    if more > 0 {
        tell::warning(format_args!("and so in {more} more; in all: {}", counts(&about.skipped)));
    }
    if let Some(count) = about.skipped.get(NOT_CRAWLED.text()) {
        tell::warning(format_args!("passed over: {NOT_CRAWLED}: {count}"));
    }
}

fn counts(by_reason: &BTreeMap<String, u64>) -> String {
    by_reason.iter().map(|(reason, count)| format!("{reason}: {count}")).collect::<Vec<_>>().join("; ")
}
