//! What does a segment hold, record by record? Each is read to its end, and its digests are computed anew.

use std::io::Read;

use super::chunks::Joined;
use crate::Time;
use crate::catalog::CaptureKind;
use crate::digest::{Digest, Digester};
use crate::http::Head;
use crate::warc::{Error, Extent, Kind, Reader, Record};

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
    pub(super) block: Verdict,
    pub(super) payload: Verdict,
    pub(super) status: Option<u16>,
}

/// What a digest says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is right, or there is none, or nobody here knows how to compute it.
    Right,
    /// The bytes have this one instead.
    Wrong(Digest),
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
    let head = is_http.then(|| Head::parse(&start)).and_then(Result::ok);
    let is_chunked = head.as_ref().is_some_and(|(head, _)| head.is_chunked());
    let (status, body) = head.map_or((None, start.as_slice()), |(head, body)| (Some(head.status), body));
    // What a browser's extension answered looks like HTTP, and its payload is all of it: so do others see it.
    let is_of_web = record.target_uri.as_deref().is_none_or(|url| url.starts_with("http"));
    let body = if is_of_web { body } else { &start };
    // The payload digest of a revisit is that of its original.
    let has_payload = matches!(record.kind, Kind::Response | Kind::Resource | Kind::Conversion);
    // The payload of a record in several parts is in all of them.
    let has_payload = has_payload && record.headers.get("WARC-Segment-Number").is_none();
    let mut block = Claim::of(&record, "WARC-Block-Digest");
    let mut payload = if has_payload { Claim::of(&record, "WARC-Payload-Digest") } else { Claim::none() };
    if is_chunked {
        payload.accept_joined();
    }
    block.update(&start);
    payload.update(body);
    let mut length = start.len() as u64;
    loop {
        let piece = reader.body(PIECE)?.bytes;
        if piece.is_empty() {
            break;
        }
        length += piece.len() as u64;
        block.update(&piece);
        payload.update(&piece);
    }
    let is_cut = length < record.length;
    Ok(Walked { is_cut, extent: reader.finish(), block: block.verdict(), payload: payload.verdict(), status, record })
}

/// A digest that a record claims, and those that its bytes have: as they are, and joined if they are in chunks.
struct Claim {
    claimed: Option<(Digest, Digester)>,
    joined: Option<Joined>,
}

impl Claim {
    fn of(record: &Record, name: &str) -> Self {
        let claimed: Option<Digest> = record.headers.get(name).and_then(|text| text.parse().ok());
        let claimed = claimed.map(|digest| (digest.clone(), Digester::new(digest.algorithm)));
        Self { claimed, joined: None }
    }

    fn none() -> Self {
        Self { claimed: None, joined: None }
    }

    /// The digest may also be that of the body without its chunks.
    fn accept_joined(&mut self) {
        self.joined = self.claimed.as_ref().map(|(claimed, _)| Joined::new(claimed.algorithm));
    }

    fn update(&mut self, bytes: &[u8]) {
        if let Some((_, digester)) = &mut self.claimed {
            digester.update(bytes);
        }
        if let Some(joined) = &mut self.joined {
            joined.update(bytes);
        }
    }

    fn verdict(self) -> Verdict {
        let Some((claimed, digester)) = self.claimed else { return Verdict::Right };
        let found = digester.finish();
        let is_joined = || self.joined.is_some_and(|joined| joined.finish() == claimed);
        if found == claimed || is_joined() { Verdict::Right } else { Verdict::Wrong(found) }
    }
}
