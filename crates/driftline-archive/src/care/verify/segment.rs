//! Is a segment as it was written, and does the catalog say of it what it says itself?

use std::io::{self, Read};

use super::super::rows::Rows;
use super::super::walk::{Step, Walked, walk};
use super::problem::{Fault, Problem};
use crate::archive::{Archive, Error};
use crate::stated::Mismatches;
use driftline_catalog::digest::Digest;
use driftline_catalog::{CaptureKind, StoredCapture};

/// Checks a segment, of which `input` reads all that is acknowledged; rows from `end` on came since then, and are not
/// looked at.
pub(super) fn check(
    archive: &Archive,
    name: &str,
    end: u64,
    input: impl Read,
    tell: &mut dyn FnMut(Problem, Origin),
) -> Result<Checked, Error> {
    let mut check = Check { archive, name, end, rows: Rows::new(archive, name), tell, checked: Checked::default() };
    walk(input, |step| check.step(step))?;
    check.finish()
}

/// When a problem came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Here: bytes or rows are not what they were.
    Here,
    /// Before the import: the record is as its writer left it.
    Imported,
}

/// How much was checked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Checked {
    pub(super) records: u64,
    pub(super) captures: u64,
}

struct Check<'a> {
    archive: &'a Archive,
    name: &'a str,
    end: u64,
    rows: Rows<'a>,
    tell: &'a mut dyn FnMut(Problem, Origin),
    checked: Checked,
}

impl Check<'_> {
    fn step(&mut self, step: Step) -> Result<(), Error> {
        match step {
            Step::Damage { offset, why, is_end } => {
                let fault = if is_end { Fault::TornTail } else { Fault::Damaged };
                (self.tell)(Problem::new(fault, self.name, why).at(offset), Origin::Here);
                Ok(())
            }
            Step::Record(walked) => {
                self.checked.records += 1;
                self.digests(&walked)?;
                self.row(&walked)
            }
        }
    }

    /// A problem with a record.
    fn problem(&mut self, fault: Fault, walked: &Walked, detail: impl Into<String>, origin: Origin) {
        let problem = Problem::new(fault, self.name, detail).at(walked.record.place.offset);
        let problem = match &walked.record.target_uri {
            Some(url) => problem.of(url),
            None => problem,
        };
        (self.tell)(problem, origin);
    }

    fn digests(&mut self, walked: &Walked) -> Result<(), Error> {
        let Mismatches { block, payload } = &walked.mismatches;
        for (mismatch, fault) in [(block, Fault::BlockDigest), (payload, Fault::PayloadDigest)] {
            let Some(mismatch) = mismatch else { continue };
            let is_imported = self.archive.catalog().was_imported_so(mismatch)?;
            let origin = if is_imported { Origin::Imported } else { Origin::Here };
            let detail = format!("it says {}, and has {}", mismatch.stated, mismatch.found);
            self.problem(fault, walked, detail, origin);
        }
        if walked.is_cut {
            self.problem(Fault::RecordCut, walked, format!("it says {} bytes", walked.record.length), Origin::Here);
        }
        Ok(())
    }

    /// Holds a record against its row.
    fn row(&mut self, walked: &Walked) -> Result<(), Error> {
        let offset = walked.record.place.offset;
        while let Some(row) = self.rows.next_before(offset)? {
            self.no_record(&row);
        }
        let kind = walked.capture_kind();
        let Some(row) = self.rows.next_at(offset)? else {
            if kind.is_some() {
                self.problem(Fault::RowMissing, walked, "it is in no index", Origin::Here);
            }
            return Ok(());
        };
        self.checked.captures += 1;
        let differing = differing(&row, walked, kind);
        if !differing.is_empty() {
            self.problem(Fault::RowDiffers, walked, format!("in {}", differing.join(", ")), Origin::Here);
        }
        self.original(&row)
    }

    fn no_record(&mut self, row: &StoredCapture) {
        let detail = format!("of {}", row.capture.at);
        let problem = Problem::new(Fault::RecordMissing, self.name, detail);
        (self.tell)(problem.at(row.capture.offset).of(&row.capture.url), Origin::Here);
    }

    /// Is the body of a revisit there?
    fn original(&mut self, row: &StoredCapture) -> Result<(), Error> {
        if row.capture.kind != CaptureKind::Revisit || has_original(self.archive, row)? {
            return Ok(());
        }
        let original = row.capture.refers_to.as_ref();
        let detail = original.map_or_else(
            || "it does not say what it refers to".to_owned(),
            |original| format!("{} of {}", original.url, original.at),
        );
        let problem = Problem::new(Fault::OriginalMissing, self.name, detail);
        (self.tell)(problem.at(row.capture.offset).of(&row.capture.url), Origin::Here);
        Ok(())
    }

    fn finish(mut self) -> Result<Checked, Error> {
        while let Some(row) = self.rows.next_before(self.end)? {
            self.no_record(&row);
        }
        Ok(self.checked)
    }
}

/// Is there a capture with the body of a revisit?
fn has_original(archive: &Archive, revisit: &StoredCapture) -> Result<bool, Error> {
    match archive.original(revisit) {
        Ok(_) => Ok(true),
        Err(Error::NoOriginal { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// In what a row differs from its record.
fn differing(row: &StoredCapture, walked: &Walked, kind: Option<CaptureKind>) -> Vec<&'static str> {
    let (capture, record) = (&row.capture, &walked.record);
    let said = record.headers.get("WARC-Payload-Digest");
    let same_digest = said.is_none_or(|said| capture.digest.as_deref().is_some_and(|own| Digest::same(own, said)));
    let facts = [
        ("its place", walked.extent.is_some_and(|extent| extent.length == capture.length)),
        ("its kind", kind == Some(capture.kind)),
        ("its address", record.target_uri.as_deref() == Some(capture.url.as_str())),
        ("its time", walked.at() == Some(capture.at)),
        ("its digest", same_digest),
        ("its status", walked.status == capture.status),
    ];
    facts.into_iter().filter(|(_, is_same)| !is_same).map(|(name, _)| name).collect()
}

/// Tells how many bytes were read.
pub(super) struct Told<'a, R> {
    pub(super) input: R,
    pub(super) advance: &'a (dyn Fn(u64) + Sync),
}

impl<R: Read> Read for Told<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(to)?;
        (self.advance)(count as u64);
        Ok(count)
    }
}
