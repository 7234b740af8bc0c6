//! What does a segment hold, record by record? Each is read to its end, and its digests are computed anew.

use std::io::Read;

use crate::Time;
use crate::http::Head;
use crate::stated::{Mismatches, Stated};
use crate::warc::{Error, Extent, Kind, Reader, Record};
use driftline_catalog::CaptureKind;

/// A longer head of an answer is taken for its body.
const MOST_HEAD: usize = 1 << 20;
/// What is read at once.
const PIECE: usize = 256 << 10;

/// What stands in a segment.
pub(super) enum Step {
    /// A record that could be read to its end.
    Record(Box<Walked>),
    /// Something that is no record, or a record that is damaged.
    Damage { offset: u64, why: String, is_end: bool },
}

/// A record, read to its end.
pub(super) struct Walked {
    pub(super) record: Record,
    /// Where it stands; none if it shares its member with another.
    pub(super) extent: Option<Extent>,
    /// Has it fewer bytes than it says?
    pub(super) is_cut: bool,
    /// The digests that it states and its bytes do not have.
    pub(super) mismatches: Mismatches,
    pub(super) status: Option<u16>,
}

impl Walked {
    /// The sort of capture that it is, if it is one.
    pub(super) fn capture_kind(&self) -> Option<CaptureKind> {
        let kind = match self.record.kind {
            Kind::Response => CaptureKind::Response,
            Kind::Revisit => CaptureKind::Revisit,
            Kind::Resource => CaptureKind::Resource,
            Kind::Conversion => CaptureKind::Conversion,
            _ => return None,
        };
        (self.record.target_uri.is_some() && self.at().is_some()).then_some(kind)
    }

    pub(super) fn at(&self) -> Option<Time> {
        self.record.date.as_deref()?.parse().ok()
    }
}

/// Goes through a segment. A record is passed on when what follows it does not say that it is damaged; damage, when it
/// is known whether it is the end.
pub(super) fn walk<R: Read, E>(input: R, mut visit: impl FnMut(Step) -> Result<(), E>) -> Result<(), E> {
    let mut reader = Reader::new(input);
    let mut waiting: Option<Step> = None;
    while let Some(next) = reader.next() {
        let offset = next.as_ref().map_or_else(place, |record| Some(record.place.offset));
        let offset = offset.or_else(|| waiting.as_ref().map(Step::offset)).unwrap_or_default();
        let step = match next.and_then(|record| read(&mut reader, record)) {
            Ok(walked) => Step::Record(Box::new(walked)),
            Err(error) => Step::Damage { offset, why: error.to_string(), is_end: true },
        };
        let Some(before) = waiting.take() else {
            waiting = Some(step);
            continue;
        };
        let is_same = before.offset() == offset;
        match (before, step) {
            // Nothing of a damaged record counts, in whichever order it is told.
            (damage @ Step::Damage { .. }, _) | (_, damage @ Step::Damage { .. }) if is_same => waiting = Some(damage),
            (before, step) => {
                waiting = Some(step);
                visit(before.with_something_behind())?;
            }
        }
    }
    waiting.map_or(Ok(()), visit)
}

impl Step {
    /// Damage that is not the end.
    fn with_something_behind(self) -> Self {
        match self {
            Self::Damage { offset, why, .. } => Self::Damage { offset, why, is_end: false },
            record @ Self::Record(_) => record,
        }
    }

    fn offset(&self) -> u64 {
        match self {
            Self::Record(walked) => walked.record.place.offset,
            Self::Damage { offset, .. } => *offset,
        }
    }
}

/// Where something is wrong.
pub(super) fn place(error: &Error) -> Option<u64> {
    match error {
        Error::Malformed { place, .. } | Error::Truncated { place } => Some(place.offset),
        Error::Damaged { offset, .. } | Error::Io { offset, .. } => Some(*offset),
        _ => None,
    }
}

fn read<R: Read>(reader: &mut Reader<R>, record: Record) -> Result<Walked, Error> {
    let start = reader.body(MOST_HEAD)?.bytes;
    let is_http = matches!(record.kind, Kind::Response | Kind::Revisit);
    let status = is_http.then(|| Head::parse(&start).ok()).flatten().map(|(head, _)| head.status);
    let mut stated = Stated::of(&record, &start);
    let mut length = start.len() as u64;
    loop {
        let piece = reader.body(PIECE)?.bytes;
        if piece.is_empty() {
            break;
        }
        length += piece.len() as u64;
        stated.update(&piece);
    }
    let is_cut = length < record.length;
    Ok(Walked { is_cut, extent: reader.finish(), mismatches: stated.finish(), status, record })
}
