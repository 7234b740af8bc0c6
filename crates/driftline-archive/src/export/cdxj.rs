//! The index of the archive as pywb reads it: sorted byte by byte, and what cdxj-indexer makes of the segments.

use std::io::Write;

use super::{ExportError, Exported, Selection};
use crate::cdxj::Line;
use driftline_catalog::{CaptureKind, Catalog, NewCapture, StoredCapture};

/// Writes a line for each capture that is wanted.
///
/// # Errors
/// If the catalog cannot be read, or the output fails.
pub fn cdxj(catalog: &Catalog, selection: &Selection, output: &mut dyn Write) -> Result<Exported, ExportError> {
    let mut exported = Exported::default();
    let mut same_second = SameSecond::default();
    for stored in selection.of(catalog) {
        let Some(line) = line(&stored?) else { continue };
        exported.captures += 1;
        exported.bytes += same_second.add(&line, output)?;
    }
    exported.bytes += same_second.write(output)?;
    Ok(exported)
}

/// The line of a capture; none for what was made from other captures, which is not replayed.
#[must_use]
pub fn line(stored: &StoredCapture) -> Option<Line> {
    let StoredCapture { segment, capture, .. } = stored;
    let NewCapture { url, key, at, kind, status, mime, digest, offset, length, .. } = capture;
    let mime = match kind {
        CaptureKind::Conversion => return None,
        CaptureKind::Revisit => Some("warc/revisit".to_owned()),
        CaptureKind::Response | CaptureKind::Resource => mime.clone(),
    };
    Some(Line {
        key: key.clone(),
        at: *at,
        url: Some(url.clone()),
        mime,
        status: status.map(|status| status.to_string()),
        digest: digest.clone(),
        length: Some(*length),
        offset: Some(*offset),
        filename: Some(segment.clone()),
        ..Line::default()
    })
}

/// Lines of one key and one second. The catalog has them by the microsecond, a file of lines by their bytes.
#[derive(Default)]
struct SameSecond {
    start: String,
    lines: Vec<String>,
}

impl SameSecond {
    /// Adds a line; those of another key or second are written first. How many bytes were.
    fn add(&mut self, line: &Line, output: &mut dyn Write) -> std::io::Result<u64> {
        let start = format!("{} {} ", line.key, line.at.digits());
        let written = if start == self.start { 0 } else { self.write(output)? };
        self.start = start;
        self.lines.push(format!("{line}\n"));
        Ok(written)
    }

    fn write(&mut self, output: &mut dyn Write) -> std::io::Result<u64> {
        self.lines.sort_unstable();
        for line in &self.lines {
            output.write_all(line.as_bytes())?;
        }
        Ok(self.lines.drain(..).map(|line| line.len() as u64).sum())
    }
}
