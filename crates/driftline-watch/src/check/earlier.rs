//! The base of a first check: the newest version that another monitor had kept of the address, if it was imported.
//!
//! Imports write such versions as resources. Responses are not compared: a crawl may be years old, and a capture of
//! driftline's own may be of another watch, or of one that was removed.

use driftline::time::Time;
use driftline_archive::catalog::CaptureKind;

use super::CheckError;
use super::case::Case;

/// This many captures are looked at.
const MOST_CAPTURES: u32 = 16;

/// Makes the newest imported version the base of a watch that has seen nothing yet. A monitor may have kept only the text
/// of a page, without its title and links: that is not compared with HTML.
pub(super) fn adopt(case: &mut Case<'_>, content_type: Option<&str>) -> Result<(), CheckError> {
    if case.state.seen.is_some() {
        return Ok(());
    }
    let (always, before) =
        (Time::from_microseconds(i64::MIN), Time::from_microseconds(case.now.microseconds().saturating_sub(1)));
    let catalog = case.context.archive.catalog();
    let captures = catalog.captures_between(&case.watch.url, always, before, MOST_CAPTURES)?;
    for stored in captures.iter().rev().filter(|stored| stored.capture.kind == CaptureKind::Resource) {
        let Some(version) = case.version(stored)? else { continue };
        if is_text(version.content_type.as_deref()) == is_text(content_type) {
            case.state.seen = Some(version.seen);
            return Ok(());
        }
    }
    Ok(())
}

fn is_text(content_type: Option<&str>) -> bool {
    content_type.is_some_and(|declared| declared.trim_start().to_ascii_lowercase().starts_with("text/plain"))
}
