//! Captures as one WACZ file: the WARC file, its index, and the pages to begin with.

use std::fs::File;
use std::io::{BufWriter, Seek, Write};

use super::{ExportError, Exported, Secrets, Selection, warc};
use crate::cdxj::{Digests, Index, NoLine};
use crate::wacz::{About, Page, Writer};
use crate::warc::Reader;
use crate::{Archive, http};
use driftline_catalog::{CaptureKind, NewCapture};

/// The name of the WARC file inside.
const NAME: &str = "data.warc.gz";

/// Writes the captures that are wanted as a WACZ file. `about` says what it says about itself.
///
/// # Errors
/// If the archive cannot be read, a temporary file for the WARC cannot be written, or the output fails.
pub fn wacz<W: Write + Seek>(
    archive: &Archive,
    selection: &Selection,
    secrets: Secrets,
    about: About,
    output: W,
) -> Result<Exported, ExportError> {
    let mut file = BufWriter::new(tempfile::tempfile()?);
    let mut exported = warc(archive, selection, secrets, &mut file)?;
    let mut file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
    let mut writer = Writer::new(output, about);
    file.rewind()?;
    writer.add_archive(NAME, &file)?;
    file.rewind()?;
    add_lines(&file, &mut writer)?;
    for stored in selection.of(archive.catalog()) {
        let capture = stored?.capture;
        if is_page(&capture) {
            writer.add_page(&Page { url: capture.url, at: capture.at, title: None });
        }
    }
    exported.bytes = writer.finish()?.stream_position()?;
    Ok(exported)
}

/// Indexes the WARC file, which was written a moment ago.
fn add_lines<W: Write + Seek>(file: &File, writer: &mut Writer<W>) -> Result<(), ExportError> {
    for indexed in Index::new(Reader::new(file), NAME, Digests::Computed) {
        match indexed {
            Ok(indexed) => writer.add_line(&indexed.line)?,
            // What is damaged in the archive is no capture; it is in the WARC file as it is there.
            Err(NoLine::Warc(error)) if error.is_last() => break,
            Err(_) => {}
        }
    }
    Ok(())
}

/// Would a reader begin with it? A web page that was found.
fn is_page(capture: &NewCapture) -> bool {
    let is_found = capture.status.is_none_or(|status| (200..300).contains(&status));
    capture.kind != CaptureKind::Conversion && is_found && capture.mime.as_deref().is_some_and(http::is_html)
}
