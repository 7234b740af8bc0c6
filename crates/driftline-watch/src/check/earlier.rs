//! The base of a first check: the newest version that another monitor had kept of the address, if it was imported.
//!
//! Imports write such versions as resources. Responses are not compared: a crawl may be years old, and a capture of
//! driftline's own may be of another watch, or of one that was removed.

mod text;

use std::sync::Arc;

use driftline::page::{BodyKind, Page, ReadOptions, Source};
use driftline::time::Time;
use driftline_catalog::{CaptureKind, StoredCapture};

use self::text::Words;
use super::case::Case;
use super::versions::Version;
use super::{CheckError, zones};

/// This many captures are looked at.
const MOST_CAPTURES: u32 = 16;

/// Makes the newest imported version the base of a watch that has seen nothing yet. A monitor may have kept only the text
/// of a page, without its title and links: that is not compared with HTML as it is, but see [`from_text`].
pub(super) fn adopt(case: &mut Case<'_>, content_type: Option<&str>) -> Result<(), CheckError> {
    if case.state.seen.is_some() {
        return Ok(());
    }
    for stored in imported(case, case.now)?.iter().rev() {
        let Some(version) = case.version(stored)? else { continue };
        if is_text(version.content_type.as_deref()) == is_text(content_type) {
            case.state.seen = Some(version.seen);
            return Ok(());
        }
    }
    Ok(())
}

/// The first version as it was when another monitor kept its text: the page with the words that were replaced since. None
/// if there is no such text, or no words were replaced.
pub(super) fn from_text(case: &mut Case<'_>, newer: &Version) -> Result<Option<Version>, CheckError> {
    let Ok(source) = std::str::from_utf8(&newer.body) else { return Ok(None) };
    let page = Page::read(newer.source(), &zones::read_options(case.watch, &case.state.zones)?);
    case.work.spend(page.work());
    if page.kind() != BodyKind::Html || newer.is_cut {
        return Ok(None);
    }
    let captures = imported(case, newer.seen.at)?;
    let Some(stored) = captures.last() else { return Ok(None) };
    let Some(version) = case.version(stored)?.filter(|version| is_text(version.content_type.as_deref())) else {
        return Ok(None);
    };
    let read_options = ReadOptions { kind: Some(BodyKind::Text), ..ReadOptions::default() };
    let kept = Page::read(Source { url: None, ..version.source() }, &read_options);
    case.work.spend(kept.work());
    let before = text::before(&words(&kept), &words(&page), source);
    let content_type = newer.content_type.clone();
    Ok(before.map(|before| Version { body: Arc::new(before.into_bytes()), content_type, ..version }))
}

fn words(page: &Page) -> Words<'_> {
    let spans = page.word_spans().iter().map(|span| span.start as usize..span.end as usize).collect();
    Words { text: page.text(), spans }
}

/// The imported captures of the watch's address before a time, the newest last.
fn imported(case: &Case<'_>, at: Time) -> Result<Vec<StoredCapture>, CheckError> {
    let (always, before) =
        (Time::from_microseconds(i64::MIN), Time::from_microseconds(at.microseconds().saturating_sub(1)));
    let catalog = case.context.archive.catalog();
    let mut captures = catalog.captures_between(&case.watch.url, always, before, MOST_CAPTURES)?;
    captures.retain(|stored| stored.capture.kind == CaptureKind::Resource);
    Ok(captures)
}

fn is_text(content_type: Option<&str>) -> bool {
    content_type.is_some_and(|declared| declared.trim_start().to_ascii_lowercase().starts_with("text/plain"))
}
